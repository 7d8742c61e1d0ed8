"""`cartomancer lab anomalies`: what is broken, the worst first, each with its evidence and a run to look at."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cartomancer.cli import output
from cartomancer.cli.arguments import AiDungeon, AiVisitor, AsJson, BatchSeed
from cartomancer.cli.lab_matrix_commands import PartiesOption, ProfilesOption, RoomsOption, SampleOption, play_matrix
from cartomancer.errors import CartomancerError
from cartomancer.figures import percent

if TYPE_CHECKING:
    from cartomancer.lab.health.anomalies import CardEvidence
    from cartomancer.lab.health.findings import Anomalies, Finding
    from cartomancer.lab.matrix.matchups import Matrix

MOST_TO_LOOK_AT = 1_000  # games of a cell among which a telling run is looked for


def anomalies(
    parties: PartiesOption = "named",
    rooms: RoomsOption = "2",
    profiles: ProfilesOption = "own",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Runs of each cell.")] = 200,
    sample: SampleOption = None,
    seed: BatchSeed = "0",
    ai_dungeon: AiDungeon = None,
    ai_visitor: AiVisitor = None,
    results: Annotated[Path, typer.Option("--results", metavar="DIR", help="The folder of results.")] = Path("results"),
    stored: Annotated[
        Path | None, typer.Option("--matrix", metavar="DIR", help="Instead: a stored matrix as it is (matrix-…).")
    ] = None,
    surveyed: Annotated[
        int, typer.Option("--surveyed", min=0, help="Cells, drawn fairly, whose cards are looked at.")
    ] = 8,
    survey_runs: Annotated[int, typer.Option("--survey-runs", min=1, help="Runs of each of those.")] = 2_000,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Findings shown of each kind.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Find what is broken [GDD 18.6]: classes that always fall first, orders of rooms without some outcome, cards in
    winners beyond chance, compositions that beat everybody, matchups without agency; the worst first.

    Cells that `lab matrix` has played are not played again.

    cartomancer lab anomalies --parties named --rooms 2 --games 200
    """
    from cartomancer.lab.health.anomalies import find_anomalies
    from cartomancer.lab.health.cell_table import CellTable
    from cartomancer.lab.health.findings import Anomalies, with_replays

    if stored is not None:
        found = _stored(stored)
    else:
        found = play_matrix(
            parties, rooms, games, seed, (ai_dungeon, ai_visitor), results=results, profiles=profiles, sample=sample
        )
    cards, complete = _cards(found, min(surveyed, len(found.cells)) if found.complete else 0, survey_runs)
    findings = find_anomalies(CellTable.of(found), cards)
    settings, most = found.settings, min(int(found.cells["games"].max()), MOST_TO_LOOK_AT)
    looked_at = _leading(findings, limit)
    with output.progress_bar("runs to look at", len(looked_at)) as done:
        told = {}
        for finding in with_replays(looked_at, most, settings.seed, settings.dungeon, settings.visitor):
            told[finding.kind, finding.subject, finding.scenario] = finding
            done(len(told))
    findings = [told.get((finding.kind, finding.subject, finding.scenario), finding) for finding in findings]
    facts = Anomalies(
        cells=len(found.cells),
        games=int(found.cells["games"].sum()),
        seed=settings.seed,
        peeked=found.peeked,
        cards=len(cards),
        counts=_counts(findings),
        anomalies=findings,
    )
    if as_json:
        output.print_json(facts.as_dict())
    else:
        _print_anomalies(facts, limit)
    if not complete:
        output.stderr().print("stopped early: these are the anomalies of what was played; the same command goes on")
        raise typer.Exit(output.STOPPED)


def _stored(folder: Path) -> Matrix:
    from cartomancer.lab.matrix.cell_store import matrices, stored_matrix
    from cartomancer.lab.matrix.compositions import Compositions
    from cartomancer.lab.matrix.matchups import Matrix

    there = matrices(folder)
    if len(there) != 1:
        listed = "".join(f"\n  {path}" for path in there) or " none"
        raise CartomancerError(f"{folder}: name one matrix; there are:{listed}")
    space = Compositions.of()
    store = stored_matrix(there[0], space, lambda text: output.stderr().print(text, markup=False))
    cells = store.cells()
    if not len(cells):
        raise CartomancerError(f"{there[0]}: no cells are stored there")
    peeked = bool((cells["games"] != cells["games"][0]).any())
    return Matrix(space, store.settings, cells, peeked)


def _cards(found: Matrix, cells: int, runs: int) -> tuple[list[CardEvidence], bool]:
    """What surveys of some cells say of their cards, and whether none was interrupted."""
    if not cells:
        return [], found.complete
    from cartomancer.lab.health.anomalies import card_evidence
    from cartomancer.lab.matrix.compositions import sample
    from cartomancer.lab.report.survey import survey

    evidence, settings = [], found.settings
    with output.progress_bar("surveys", cells) as done:
        for number, cell in enumerate(sample(len(found.cells), cells, settings.seed), 1):
            looked = survey(found.name(cell), runs, settings.seed, settings.dungeon, settings.visitor)
            evidence += card_evidence(looked)
            done(number)
            if looked.runs < runs:
                return evidence, False
    return evidence, found.complete


def _counts(findings: list[Finding]) -> dict[str, int]:
    """How many of each kind, the kind with the worst finding first."""
    return dict(Counter(finding.kind for finding in findings))


def _leading(findings: list[Finding], limit: int) -> list[Finding]:
    """The worst of each kind."""
    return [finding for kind in _counts(findings) for finding in [one for one in findings if one.kind == kind][:limit]]


def _print_anomalies(facts: Anomalies, limit: int) -> None:
    from cartomancer.lab.health.anomalies import KINDS
    from cartomancer.lab.measures.evidence import FALSE_DISCOVERIES

    console = output.stdout()
    console.print(
        f"{facts.cells:,} cells, {facts.games:,} games, seed {facts.seed}, {facts.cards:,} cards in "
        f"surveyed cells: {len(facts.anomalies):,} anomalies, of which {percent(FALSE_DISCOVERIES, 0)} may be chance",
        style="bold",
        markup=False,
    )
    if facts.peeked:
        console.print(
            "games were spent by looking at results: domination is judged at all times, the rest as if fixed before",
            markup=False,
        )
    for kind, count in facts.counts.items():
        console.print(f"\n{KINDS[kind]}: {count:,}", style="bold", markup=False)
        for finding in _leading(facts.anomalies, limit):
            if finding.kind == kind:
                console.print(f"  {finding.sentence} q = {finding.q:.1g}", markup=False)
                console.print(f"    {finding.replay}", style="dim", markup=False)
        if count > limit:
            console.print(f"  … and {count - limit:,} more: --limit, --json", markup=False)
    clean = [meaning for kind, meaning in KINDS.items() if kind not in facts.counts]
    if clean:
        console.print(f"\nnot found: {'; '.join(clean)}", markup=False)
