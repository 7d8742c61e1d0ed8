"""`cartomancer ladder`: which computer players are stronger, by mirrored games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cartomancer.cli import output
from cartomancer.cli.arguments import AsJson, BatchSeed, Threads, player_names, scenario_names, seed_or_random
from cartomancer.figures import percent

if TYPE_CHECKING:
    from cartomancer.players import Ladder
    from cartomancer.players.duels import Score


def ladder(
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER",
            help="Two or more: heuristic, smart, smart@48 (rollouts), random. They play both sides, so no profiles.",
            autocompletion=player_names,
        ),
    ],
    scenarios: Annotated[
        list[str] | None,
        typer.Option(
            "--scenario",
            metavar="SCENARIO",
            help="Where they meet; may be repeated. Without it six scenarios that are fought out.",
            autocompletion=scenario_names,
        ),
    ] = None,
    pairs: Annotated[
        int, typer.Option("--pairs", "-n", min=1, help="Mirrored games of every two players in every scenario.")
    ] = 100,
    seed: BatchSeed = "0",
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Let computer players meet in mirrored games: two runs on the same shuffles, sides swapped. Who is stronger, with
    95 % intervals.

    cartomancer ladder heuristic smart@12 random --scenario boar -n 200
    """
    from cartomancer.players import duels

    wanted = scenarios or list(duels.COMBAT)
    runs = duels.RUNS_A_PAIR * pairs * len(wanted) * (len(players) * (len(players) - 1) // 2)
    with output.progress_bar("ladder", runs) as done:
        found = duels.ladder(players, wanted, pairs, seed_or_random(seed), threads, progress=done)
    if as_json:
        output.print_json(found.as_dict())
    else:
        _print(found)


def _print(found: Ladder) -> None:
    """The standings, and every duel behind them."""
    console = output.screen()
    standings = output.named_table("mirrored games had the better of, in %", "player", "share", "95 %", "games")
    for standing in found.standings():
        standings.add_row(standing.player, *_cells(standing))
    console.print(standings)
    shown = output.named_table("duels", "scenario", "first", "second", "share of the first", "95 %", "games", "drawn")
    for one in found.duels:
        shown.add_row(one.scenario, one.first, one.second, *_cells(one), f"{one.drawn:,}")
    shown.columns[1].justify = shown.columns[2].justify = "left"
    console.print(shown)


def _cells(score: Score) -> tuple[str, str, str]:
    return percent(score.share), output.interval([100 * end for end in score.interval], 1), f"{score.pairs:,}"
