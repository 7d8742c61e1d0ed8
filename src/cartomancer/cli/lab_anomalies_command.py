"""`cartomancer lab anomalies`: what is broken, the worst first, each with its evidence and a run to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Option

from cartomancer import lab
from cartomancer.cli import arguments, output
from cartomancer.cli.lab_matrix_commands import PartiesOption, ProfilesOption, RoomsOption, SampleOption, play_selection
from cartomancer.errors import CartomancerError
from cartomancer.figures import percent

MOST_TO_LOOK_AT = 1_000  # games of a cell among which a telling run is looked for


def anomalies(
    parties: PartiesOption = "named",
    rooms: RoomsOption = "2",
    profiles: ProfilesOption = "own",
    games: Annotated[int, Option("--games", "-n", min=1, help="Runs of each cell.")] = 200,
    sample: SampleOption = None,
    seed: arguments.BatchSeed = "0",
    ai_dungeon: arguments.AiDungeon = None,
    ai_visitor: arguments.AiVisitor = None,
    results: arguments.Results = Path("results"),
    stored: Annotated[
        Path | None, Option("--matrix", metavar="DIR", help="Instead: a stored matrix as it is (matrix-…).")
    ] = None,
    surveyed: Annotated[int, Option("--surveyed", min=0, help="Cells, drawn fairly, whose cards are looked at.")] = 8,
    survey_runs: Annotated[int, Option("--survey-runs", min=1, help="Runs of each of those.")] = 2_000,
    limit: Annotated[int, Option("--limit", min=1, help="Findings shown of each kind.")] = 5,
    as_json: arguments.AsJson = False,
) -> None:
    """Find what is broken [GDD 18.6]: classes that always fall first, orders of rooms without some outcome, cards in
    winners beyond chance, compositions that beat everybody, matchups without agency; the worst first.

    Cells that `lab matrix` has played are not played again.

    cartomancer lab anomalies --parties named --rooms 2 --games 200
    """
    if stored is not None:
        found = _stored(stored)
    else:
        selection = lab.Selection(parties, rooms, profiles, sample, seed=arguments.seed_or_random(seed))
        found, _ = play_selection(selection, games, (ai_dungeon, ai_visitor), results)
    cards, complete = _cards(found, min(surveyed, len(found.cells)) if found.complete else 0, survey_runs)
    findings = lab.find_anomalies(lab.CellTable.of(found), cards)
    settings, most = found.settings, min(int(found.cells["games"].max()), MOST_TO_LOOK_AT)
    looked_at = [finding for group in _by_kind(findings).values() for finding in group[:limit]]
    with output.progress_bar("runs to look at", len(looked_at)) as done:
        told = {}
        for finding in lab.with_replays(looked_at, most, settings.seed, settings.dungeon, settings.visitor):
            told[finding.kind, finding.subject, finding.scenario] = finding
            done(len(told))
    findings = [told.get((finding.kind, finding.subject, finding.scenario), finding) for finding in findings]
    facts = {
        "cells": len(found.cells),
        "games": int(found.cells["games"].sum()),
        "seed": settings.seed,
        "peeked": found.peeked,
        "cards": len(cards),
        "counts": {kind: len(group) for kind, group in _by_kind(findings).items()},
        "anomalies": [finding.as_dict() for finding in findings],
    }
    output.answer(as_json, facts, lambda: _print_anomalies(facts, findings, limit))
    if not complete:
        raise output.stopped("stopped early: these are the anomalies of what was played; the same command goes on")


def _stored(folder: Path) -> lab.Matrix:
    there = lab.matrices(folder)
    if len(there) != 1:
        listed = "".join(f"\n  {path}" for path in there) or " none"
        raise CartomancerError(f"{folder}: name one matrix; there are:{listed}")
    space = lab.Compositions.of()
    store = lab.stored_matrix(there[0], space, output.note)
    cells = store.cells()
    if not len(cells):
        raise CartomancerError(f"{there[0]}: no cells are stored there")
    peeked = bool((cells["games"] != cells["games"][0]).any())
    return lab.Matrix(space, store.settings, cells, peeked)


def _cards(found: lab.Matrix, cells: int, runs: int) -> tuple[list[lab.CardEvidence], bool]:
    """What surveys of some cells say of their cards, and whether none was interrupted."""
    if not cells:
        return [], found.complete
    evidence, settings = [], found.settings
    with output.progress_bar("surveys", cells) as done:
        for number, cell in enumerate(lab.sample(len(found.cells), cells, settings.seed), 1):
            looked = lab.survey(found.name(cell), runs, settings.seed, settings.dungeon, settings.visitor)
            evidence += lab.card_evidence(looked)
            done(number)
            if looked.runs < runs:
                return evidence, False
    return evidence, found.complete


def _by_kind(findings: list[lab.Finding]) -> dict[str, list[lab.Finding]]:
    """The findings of each kind, the kind with the worst finding first."""
    kinds = dict.fromkeys(finding.kind for finding in findings)
    return {kind: [finding for finding in findings if finding.kind == kind] for kind in kinds}


def _print_anomalies(facts: dict[str, Any], findings: list[lab.Finding], limit: int) -> None:
    output.say(
        f"{facts['cells']:,} cells, {facts['games']:,} games, seed {facts['seed']}, {facts['cards']:,} cards in "
        f"surveyed cells: {len(findings):,} anomalies, of which {percent(lab.FALSE_DISCOVERIES, 0)} may be chance",
        style="bold",
    )
    if facts["peeked"]:
        output.say(
            "games were spent by looking at results: domination is judged at all times, the rest as if fixed before"
        )
    for kind, group in _by_kind(findings).items():
        output.say(f"\n{lab.ANOMALIES[kind]}: {len(group):,}", style="bold")
        for finding in group[:limit]:
            output.say(f"  {finding.sentence} q = {finding.q:.1g}")
            output.say(f"    {finding.replay}", style="dim")
        if len(group) > limit:
            output.say(f"  … and {len(group) - limit:,} more: --limit, --json")
    clean = [meaning for kind, meaning in lab.ANOMALIES.items() if kind not in facts["counts"]]
    if clean:
        output.say(f"\nnot found: {'; '.join(clean)}")
