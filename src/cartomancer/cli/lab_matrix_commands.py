"""`cartomancer lab compositions`, `lab matrix`, `lab anomalies`: who may meet whom, who beats whom, what is broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter  # noqa: TID251  a clock for whoever waits; nothing that is played sees it
from typing import Annotated, Any

from typer import Option

from cartomancer import backends, files, lab, players
from cartomancer.cli import arguments, output
from cartomancer.errors import CartomancerError
from cartomancer.figures import percent

SHOWN = 4  # compositions at either end of a table
LISTED = 8  # findings of a rule
MOST_TO_LOOK_AT = 1_000  # games of a cell among which a telling run is looked for

PartiesOption = Annotated[
    str,
    Option(
        "--parties",
        help="all (every four classes), named (the shipped parties), sample:K, a file with one a line, or parties "
        "separated by commas: iron_column,knight-knight-cleric-rogue.",
    ),
]
RoomsOption = Annotated[
    str,
    Option(
        "--rooms",
        help="How many rooms a dungeon has: 2, 3, 4, 2-3, 2-4; or dungeons separated by commas: "
        "root_hollow-veil_breach,lamp_orchard-bell_foundry/nurturing.",
    ),
]
ProfilesOption = Annotated[
    str, Option("--profiles", help="How dungeons play: own, all (each profile), or profiles, by commas.")
]
SampleOption = Annotated[int | None, Option("--sample", min=1, help="Only so many of the cells, drawn fairly.")]
AroundOption = Annotated[
    str | None,
    Option(
        "--around", metavar="MATCH", help="Instead: this match and all that differ from it in one thing [GDD 18.6]."
    ),
]


def compositions(
    parties: PartiesOption = "all",
    rooms: RoomsOption = "2-4",
    profiles: ProfilesOption = "own",
    sample: SampleOption = None,
    around: AroundOption = None,
    seed: arguments.BatchSeed = "0",
    listed: Annotated[bool, Option("--list", help="List every cell by its scenario.")] = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Count, list or draw the legal compositions of both sides; cells are scenarios for every other command.

    cartomancer lab compositions --parties all --rooms 2-3 --sample 5
    """
    space = lab.Compositions.of()
    selection = lab.Selection(parties, rooms, profiles, sample, around, arguments.seed_or_random(seed))
    cells, left_out = lab.select(space, selection)
    facts = {
        "classes": len(space.parties.classes),
        "all_parties": len(space.parties),
        "named_parties": len(space.parties.named),
        "rooms": len(space.dungeons.rooms),
        "all_room_sequences": space.dungeons.sequences,
        "profiles": list(space.dungeons.profiles),
        "parties": len({party for party, _ in cells}),
        "dungeons": len({dungeon for _, dungeon in cells}),
        "cells": len(cells),
        "left_out": left_out,
    }
    names = [space.name(*cell) for cell in cells] if listed or sample or around else []
    if as_json:
        raise output.answered(facts | ({"scenarios": names} if names else {}))
    output.say(
        f"{facts['classes']} classes: {facts['all_parties']:,} parties of four, {facts['named_parties']} with a name; "
        f"{facts['rooms']} rooms: {facts['all_room_sequences']:,} sequences of 2 to 4; profiles: "
        f"{', '.join(space.dungeons.profiles)}",
        f"asked for: {facts['parties']:,} parties, {facts['dungeons']:,} dungeons, {facts['cells']:,} cells",
        *left_out,
        *names,
    )


def matrix(
    parties: PartiesOption = "named",
    rooms: RoomsOption = "2",
    profiles: ProfilesOption = "own",
    games: Annotated[int, Option("--games", "-n", min=1, help="Runs of each cell; with --adaptive on average.")] = 200,
    sample: SampleOption = None,
    around: AroundOption = None,
    adaptive: Annotated[
        bool,
        Option("--adaptive", help="Spend the games where it is open on which side of 30, 50, 70 % a cell is."),
    ] = False,
    seed: arguments.BatchSeed = "0",
    ai_dungeon: arguments.AiDungeon = None,
    ai_visitor: arguments.AiVisitor = None,
    results: arguments.Results = Path("results"),
    backend: arguments.BackendName = None,
    cluster: arguments.ClusterAddress = None,
    workers: arguments.ClusterWorkers = None,
    threads: arguments.Threads = None,
    html: arguments.Html = None,
    with_cells: Annotated[bool, Option("--cells", help="With --json: every cell.")] = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Play parties against dungeons: who beats whom, whether it is an ecosystem [GDD 18.5], what the meta would be.

    Finished cells are kept: stopped or killed, the same command goes on; more games add to those that are there.

    cartomancer lab matrix --parties named --rooms 2 --games 200 --html matrix.html
    """
    chosen = backends.backend_of(backend, threads=threads, address=cluster, workers=workers)
    asked: dict[str, Any] = {"profiles": profiles, "sample": sample, "around": around, "adaptive": adaptive}
    started = perf_counter()
    found = play_matrix(parties, rooms, games, seed, (ai_dungeon, ai_visitor), results=results, backend=chosen, **asked)
    facts = lab.matrix_summary(found)
    seconds = perf_counter() - started
    if html:
        files.write_file(html, lab.matrix_html(found, facts).encode(), parents=True)
        output.note(f"page written to {html}")
    told = lab.plain(facts) | ({"cell_list": lab.plain(lab.cell_list(found))} if with_cells else {})
    told |= {"seconds": seconds, "folder": str(found.folder)}
    output.answer(as_json, told, lambda: _print_matrix(found, facts, seconds))
    if not found.complete:
        raise output.stopped(f"stopped with {facts.games:,} games: the same command goes on from there")


def play_matrix(
    parties: str, rooms: str, games: int, seed: str, players: tuple[str | None, str | None], **asked: Any
) -> lab.Matrix:
    """A matrix as options ask for it, with a bar."""
    settings = lab.MatrixSettings(
        arguments.seed_or_random(seed), *arguments.specs_of(players[0] or None, players[1] or None)
    )
    bar = partial(output.progress_bar, "games")
    return lab.played_matrix(parties, rooms, games, settings, notice=output.note, progress=bar, **asked)


# --- the report -------------------------------------------------------------------------------------------------------


def _print_matrix(found: lab.Matrix, facts: lab.MatrixSummary, seconds: float) -> None:
    """A matrix for people: both sides' compositions, the rules, the structure, and how to open a cell."""
    share = facts.dungeon_share
    counts = ", ".join(f"{label} {times:,}" for label, times in facts.bands.counts.items())
    output.say(
        f"{len(facts.dungeons)} dungeons × {len(facts.parties)} parties: {facts.cells:,} cells, "
        f"{facts.games:,} games, seed {facts.seed}",
        style="bold",
    )
    output.say(
        f"dungeons win {percent(share.mean)} ({output.percents(share.interval)}) on average "
        f"(a Bond is half a win); intervals: {facts.intervals}",
        f"cells: {counts}; settled {facts.bands.settled:,}",
    )
    output.show(_compositions("dungeons", facts.dungeons), _compositions("parties", facts.parties))
    for rule in facts.rules.all:
        style = {"kept": "green", "open": "yellow", "broken": "red"}[rule.verdict]
        output.show(f"{rule.title}: [{style}]{rule.verdict}[/]. {rule.words}")
        output.say(*(f"  {line}" for line in _named(rule)[:LISTED]))
    if facts.structure is not None:
        output.say(*_structure(facts.structure))
    output.say(f"{seconds:.1f} s; result hash {facts.result_hash}; cells are in {found.folder}")
    if len(found.cells):
        more_closely = f"cartomancer simulate {found.name(0)} --seed {facts.seed}"
        output.say(f"read a run: {found.replay(0)}", f"a cell more closely: {more_closely}")


def _compositions(side: str, found: Sequence[lab.CompositionSummary]) -> Any:
    """The strongest and the weakest of a side."""
    ends = found if len(found) <= 2 * SHOWN else [*found[:SHOWN], None, *found[-SHOWN:]]
    columns = (side, "wins", "interval", "agency", "diversity")
    shown = output.long_names(f"{side}: + best and − worst opponent", columns)
    for one in ends:
        if one is None:
            shown.add_row(f"… {len(found) - 2 * SHOWN} more")
            continue
        met = [f"  {sign} {end.opponent} {100 * end.share:.0f} %" for sign, end in (("+", one.best), ("−", one.worst))]
        wins = percent(one.share.mean), output.percents(one.share.interval)
        shown.add_row("\n".join([one.name, *met]), *wins, f"{one.agency:.2f}", f"{one.diversity:.2f}")
    return shown


def _named(rule: lab.Rule) -> list[str]:
    """The compositions or cells behind a verdict."""
    if isinstance(rule, lab.LopsidedAgency):
        return [f"{one.cell}: {one.agency:.2f} lead changes a run" for one in rule.cells]
    return [
        f"{one.side} {one.name}: {percent(one.worst, 0)} to {percent(one.best, 0)}"
        + ("" if how == "dominating" else f" ({how})")
        for how, found in rule.breaking.items()
        for one in found
    ]


def _structure(found: lab.StructureSummary) -> Iterator[str]:
    yield (
        f"differences between cells: {found.transitive:.0%} strength, {found.matchup:.0%} matchup, "
        f"{found.noise:.0%} chance"
    )
    for one in found.components:
        if one.beyond_noise:
            yield (
                f"  matchups ({one.share_of_rest:.0%} of the rest): {', '.join(one.dungeons.positive)} do better than "
                f"their strength against {', '.join(one.parties.positive)}, worse against "
                f"{', '.join(one.parties.negative)}"
            )
    meta = found.meta
    if meta.value is None:
        return
    for side, brought in (("dungeons", meta.dungeons), ("parties", meta.parties)):
        mix = ", ".join(f"{one.name} {one.weight:.0%}" for one in brought[:LISTED])
        yield f"  the meta's {side}: {mix}"
    guessed = f" ({meta.guessed_cells:,} cells not played: guessed from strength)" if meta.guessed_cells else ""
    yield f"  the dungeon then wins {percent(meta.value)}{guessed}"


# --- anomalies --------------------------------------------------------------------------------------------------------


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
    attacked: Annotated[int, Option("--attacked", min=0, help="Cells, drawn fairly, that simple players attack.")] = 2,
    attack_runs: Annotated[int, Option("--attack-runs", min=2, help="Runs of each of those players.")] = 400,
    limit: Annotated[int, Option("--limit", min=1, help="Findings shown of each kind.")] = 5,
    as_json: arguments.AsJson = False,
) -> None:
    """Find what is broken [GDD 18.6]: classes that always fall first, orders of rooms without some outcome, cards in
    winners beyond chance, compositions that beat everybody, matchups without agency, players that do not play the game
    and do well; the worst first.

    Cells that `lab matrix` has played are not played again.

    cartomancer lab anomalies --parties named --rooms 2 --games 200
    """
    if stored is not None:
        found = _stored(stored)
    else:
        found = play_matrix(
            parties, rooms, games, seed, (ai_dungeon, ai_visitor), results=results, profiles=profiles, sample=sample
        )
    cards, complete = _cards(found, min(surveyed, len(found.cells)) if found.complete else 0, survey_runs)
    panels = _panels(found, min(attacked, len(found.cells)) if complete else 0, attack_runs)
    findings = lab.find_anomalies(lab.CellTable.of(found), cards, panels)
    settings, most = found.settings, min(int(found.cells["games"].max()), MOST_TO_LOOK_AT)
    looked_at = [finding for group in _by_kind(findings).values() for finding in group[:limit]]
    with output.progress_bar("runs to look at", len(looked_at)) as done:
        told = {}
        for finding in lab.with_replays(looked_at, most, settings.seed, settings.dungeon, settings.visitor):
            told[finding.kind, finding.subject, finding.scenario] = finding
            done(len(told))
    findings = [told.get((finding.kind, finding.subject, finding.scenario), finding) for finding in findings]
    facts = lab.Anomalies(
        cells=len(found.cells),
        games=int(found.cells["games"].sum()),
        seed=settings.seed,
        peeked=found.peeked,
        cards=len(cards),
        attacked=len(panels),
        counts={kind: len(group) for kind, group in _by_kind(findings).items()},
        anomalies=findings,
    )
    output.answer(as_json, facts.as_dict(), lambda: _print_anomalies(facts, limit))
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


def _panels(found: lab.Matrix, cells: int, runs: int) -> list[lab.Panel]:
    """What simple players do in some cells, in either seat."""
    from cartomancer.players.simulation import going_on

    if not cells:
        return []
    settings = lab.PanelSettings(runs=runs, seed=found.settings.seed, panel=players.SIMPLE)
    panels: list[lab.Panel] = []
    each = lab.panel_runs(settings)
    with output.progress_bar("attacks", cells * each) as done:
        for cell in lab.sample(len(found.cells), cells, found.settings.seed):
            told = going_on(done, each * len(panels))
            panels.append(lab.exploit(found.name(cell), settings, progress=told))
    return panels


def _by_kind(findings: list[lab.Finding]) -> dict[str, list[lab.Finding]]:
    """The findings of each kind, the kind with the worst finding first."""
    kinds = dict.fromkeys(finding.kind for finding in findings)
    return {kind: [finding for finding in findings if finding.kind == kind] for kind in kinds}


def _print_anomalies(facts: lab.Anomalies, limit: int) -> None:
    output.say(
        f"{facts.cells:,} cells, {facts.games:,} games, seed {facts.seed}, {facts.cards:,} cards in surveyed cells, "
        f"{facts.attacked:,} cells attacked: {len(facts.anomalies):,} anomalies, of which "
        f"{percent(lab.FALSE_DISCOVERIES, 0)} may be chance",
        style="bold",
    )
    if facts.peeked:
        output.say(
            "games were spent by looking at results: domination is judged at all times, the rest as if fixed before"
        )
    for kind, group in _by_kind(facts.anomalies).items():
        output.say(f"\n{lab.ANOMALIES[kind]}: {len(group):,}", style="bold")
        for finding in group[:limit]:
            output.say(f"  {finding.sentence} q = {finding.q:.1g}")
            output.say(f"    {finding.replay}", style="dim")
        if len(group) > limit:
            output.say(f"  … and {len(group) - limit:,} more: --limit, --json")
    clean = [meaning for kind, meaning in lab.ANOMALIES.items() if kind not in facts.counts]
    if clean:
        output.say(f"\nnot found: {'; '.join(clean)}")
