"""`cartomancer lab compositions` and `lab matrix`: who may meet whom, and who beats whom."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import perf_counter  # noqa: TID251  a clock for whoever waits; nothing that is played sees it
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cartomancer.cli import output
from cartomancer.cli.arguments import AiDungeon, AiVisitor, AsJson, BatchSeed, Threads, seed_or_random, specs_of
from cartomancer.cli.backend_options import BackendName, ClusterAddress, ClusterWorkers
from cartomancer.cli.quality_view import percents
from cartomancer.figures import percent

if TYPE_CHECKING:
    from cartomancer.lab.matrix.ecosystem import Rule
    from cartomancer.lab.matrix.matchups import Matrix
    from cartomancer.lab.matrix.summary import CompositionSummary, Share, StructureSummary, Summary

SHOWN = 4  # compositions at either end of a table
LISTED = 8  # findings of a rule

PartiesOption = Annotated[
    str,
    typer.Option(
        "--parties",
        help="all (every four classes), named (the shipped parties), sample:K, a file with one a line, or parties "
        "separated by commas: iron_column,knight-knight-cleric-rogue.",
    ),
]
RoomsOption = Annotated[
    str,
    typer.Option(
        "--rooms",
        help="How many rooms a dungeon has: 2, 3, 4, 2-3, 2-4; or dungeons separated by commas: "
        "root_hollow-veil_breach,lamp_orchard-bell_foundry/nurturing.",
    ),
]
ProfilesOption = Annotated[
    str, typer.Option("--profiles", help="How dungeons play: own, all (each profile), or profiles, by commas.")
]
SampleOption = Annotated[int | None, typer.Option("--sample", min=1, help="Only so many of the cells, drawn fairly.")]
AroundOption = Annotated[
    str | None,
    typer.Option(
        "--around", metavar="MATCH", help="Instead: this match and all that differ from it in one thing [GDD 18.6]."
    ),
]


def compositions(
    parties: PartiesOption = "all",
    rooms: RoomsOption = "2-4",
    profiles: ProfilesOption = "own",
    sample: SampleOption = None,
    around: AroundOption = None,
    seed: BatchSeed = "0",
    listed: Annotated[bool, typer.Option("--list", help="List every cell by its scenario.")] = False,
    as_json: AsJson = False,
) -> None:
    """Count, list or draw the legal compositions of both sides; cells are scenarios for every other command.

    cartomancer lab compositions --parties all --rooms 2-3 --sample 5
    """
    from cartomancer.lab.matrix.compositions import Compositions
    from cartomancer.lab.matrix.selection import Selection, select

    space = Compositions.of()
    cells, left_out = select(space, Selection(parties, rooms, profiles, sample, around, seed_or_random(seed)))
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
        output.print_json(facts | ({"scenarios": names} if names else {}))
        return
    console = output.stdout()
    console.print(
        f"{facts['classes']} classes: {facts['all_parties']:,} parties of four, {facts['named_parties']} with a name; "
        f"{facts['rooms']} rooms: {facts['all_room_sequences']:,} sequences of 2 to 4; profiles: "
        f"{', '.join(space.dungeons.profiles)}",
        markup=False,
    )
    console.print(
        f"asked for: {facts['parties']:,} parties, {facts['dungeons']:,} dungeons, {facts['cells']:,} cells",
        markup=False,
    )
    for line in (*left_out, *names):
        console.print(line, markup=False)


def matrix(
    parties: PartiesOption = "named",
    rooms: RoomsOption = "2",
    profiles: ProfilesOption = "own",
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, help="Runs of each cell; with --adaptive on average.")
    ] = 200,
    sample: SampleOption = None,
    around: AroundOption = None,
    adaptive: Annotated[
        bool,
        typer.Option("--adaptive", help="Spend the games where it is open on which side of 30, 50, 70 % a cell is."),
    ] = False,
    seed: BatchSeed = "0",
    ai_dungeon: AiDungeon = None,
    ai_visitor: AiVisitor = None,
    results: Annotated[Path, typer.Option("--results", metavar="DIR", help="The folder of results.")] = Path("results"),
    backend: BackendName = None,
    cluster: ClusterAddress = None,
    workers: ClusterWorkers = None,
    threads: Threads = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write one offline HTML page here.")] = None,
    with_cells: Annotated[bool, typer.Option("--cells", help="With --json: every cell.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play parties against dungeons: who beats whom, whether it is an ecosystem [GDD 18.5], what the meta would be.

    Finished cells are kept: stopped or killed, the same command goes on; more games add to those that are there.

    cartomancer lab matrix --parties named --rooms 2 --games 200 --html matrix.html
    """
    from cartomancer.backends.choice import backend_of
    from cartomancer.lab.matrix.summary import cell_list, summary
    from cartomancer.lab.results import plain

    chosen = backend_of(backend, threads=threads, address=cluster, workers=workers)
    asked: dict[str, Any] = {"profiles": profiles, "sample": sample, "around": around, "adaptive": adaptive}
    started = perf_counter()
    found = play_matrix(parties, rooms, games, seed, (ai_dungeon, ai_visitor), results=results, backend=chosen, **asked)
    facts = summary(found)
    seconds = perf_counter() - started
    if html:
        from cartomancer.lab.matrix.page import matrix_html

        output.write_file(html, matrix_html(found, facts).encode())
        output.stderr().print(f"page written to {html}", markup=False)
    if as_json:
        cells = {"cell_list": plain(cell_list(found))} if with_cells else {}
        output.print_json(plain(facts) | cells | {"seconds": seconds, "folder": str(found.folder)})
    else:
        print_matrix(found, facts, seconds)
    if not found.complete:
        output.stderr().print(f"stopped with {facts.games:,} games: the same command goes on from there")
        raise typer.Exit(output.STOPPED)


def notice(text: str) -> None:
    """Tell what a person should know."""
    output.stderr().print(text, markup=False)


def play_matrix(
    parties: str, rooms: str, games: int, seed: str, players: tuple[str | None, str | None], **asked: Any
) -> Matrix:
    """A matrix as options ask for it, with a bar."""
    from cartomancer.lab.matrix.cell_store import Settings
    from cartomancer.lab.matrix.matchups import matrix as played

    settings = Settings(seed_or_random(seed), *specs_of(players[0] or None, players[1] or None))
    bar = partial(output.progress_bar, "games")
    return played(parties, rooms, games, settings, notice=notice, progress=bar, **asked)


# --- the report -------------------------------------------------------------------------------------------------------


def print_matrix(found: Matrix, facts: Summary, seconds: float) -> None:
    """A matrix for people: both sides' compositions, the rules, the structure, and how to open a cell."""
    console = output.stdout()
    console.print(
        f"{len(facts.dungeons)} dungeons × {len(facts.parties)} parties: {facts.cells:,} cells, "
        f"{facts.games:,} games, seed {facts.seed}",
        style="bold",
        markup=False,
    )
    console.print(
        f"dungeons win {_with_interval(facts.dungeon_share)} on average (a Bond is half a win); intervals: "
        f"{facts.intervals}",
        markup=False,
    )
    counts = ", ".join(f"{label} {times:,}" for label, times in facts.bands.counts.items())
    console.print(f"cells: {counts}; settled {facts.bands.settled:,}", markup=False)
    for side, compositions in (("dungeons", facts.dungeons), ("parties", facts.parties)):
        console.print(_compositions(side, compositions))
    for rule in facts.rules.all:
        style = {"kept": "green", "open": "yellow", "broken": "red"}[rule.verdict]
        console.print(f"{rule.title}: [{style}]{rule.verdict}[/]. {rule.words}")
        for line in _named(rule)[:LISTED]:
            console.print(f"  {line}", markup=False)
    if facts.structure is not None:
        _print_structure(facts.structure)
    console.print(f"{seconds:.1f} s; result hash {facts.result_hash}; cells are in {found.folder}", markup=False)
    if len(found.cells):
        console.print(f"read a run: {found.replay(0)}", markup=False)
        console.print(f"a cell more closely: cartomancer simulate {found.name(0)} --seed {facts.seed}", markup=False)


def _with_interval(share: Share) -> str:
    return f"{percent(share.mean)} ({percents(share.interval)})"


def long_names(title: str, *columns: str) -> Any:
    """A table of names that may be longer than a terminal is wide: they are broken, and never the numbers."""
    made = output.table(title, *columns)
    made.columns[0].overflow = "fold"
    for column in made.columns[1:]:
        column.no_wrap = True
    return made


def _compositions(side: str, found: Sequence[CompositionSummary]) -> Any:
    """The strongest and the weakest of a side."""
    ends = found if len(found) <= 2 * SHOWN else [*found[:SHOWN], None, *found[-SHOWN:]]
    shown = long_names(f"{side}: + best and − worst opponent", side, "wins", "interval", "agency", "diversity")
    for one in ends:
        if one is None:
            shown.add_row(f"… {len(found) - 2 * SHOWN} more", *[""] * 4)
            continue
        met = [f"  {sign} {end.opponent} {100 * end.share:.0f} %" for sign, end in (("+", one.best), ("−", one.worst))]
        shown.add_row(
            "\n".join([one.name, *met]),
            percent(one.share.mean),
            percents(one.share.interval),
            f"{one.agency:.2f}",
            f"{one.diversity:.2f}",
        )
    return shown


def _named(rule: Rule) -> list[str]:
    """The compositions or cells behind a verdict."""
    from cartomancer.lab.matrix.ecosystem import LopsidedAgency

    if isinstance(rule, LopsidedAgency):
        return [f"{one.cell}: {one.agency:.2f} lead changes a run" for one in rule.cells]
    return [
        f"{one.side} {one.name}: {percent(one.worst, 0)} to {percent(one.best, 0)}"
        + ("" if how == "dominating" else f" ({how})")
        for how, found in rule.breaking.items()
        for one in found
    ]


def _print_structure(found: StructureSummary) -> None:
    console = output.stdout()
    console.print(
        f"differences between cells: {found.transitive:.0%} strength, {found.matchup:.0%} matchup, "
        f"{found.noise:.0%} chance",
        markup=False,
    )
    for one in found.components:
        if one.beyond_noise:
            console.print(
                f"  matchups ({one.share_of_rest:.0%} of the rest): {', '.join(one.dungeons.positive)} do better than "
                f"their strength against {', '.join(one.parties.positive)}, worse against "
                f"{', '.join(one.parties.negative)}",
                markup=False,
            )
    meta = found.meta
    if meta.value is None:
        return
    for side, brought in (("dungeons", meta.dungeons), ("parties", meta.parties)):
        mix = ", ".join(f"{one.name} {one.weight:.0%}" for one in brought[:LISTED])
        console.print(f"  the meta's {side}: {mix}", markup=False)
    guessed = f" ({meta.guessed_cells:,} cells not played: guessed from strength)" if meta.guessed_cells else ""
    console.print(f"  the dungeon then wins {percent(meta.value)}{guessed}", markup=False)
