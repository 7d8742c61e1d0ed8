"""`cartomancer simulate` and `cartomancer ladder`: many runs between computer players, counted; who is stronger."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter  # noqa: TID251  a clock for whoever waits; nothing that is played sees it
from typing import Annotated, Any

from typer import Argument, Option

from cartomancer import encounters, lab, players
from cartomancer.cli import arguments, expedition_view, output
from cartomancer.cli.quality_view import print_quality
from cartomancer.figures import percent

Facts = Mapping[str, Any]
PARTY = "standard_company"
ROOMS = "rooms, and how they ended in % of the times they were reached"


def simulate(
    scenario: arguments.Scenario,
    runs: Annotated[int, Option("--runs", "-n", min=1, help="How many runs.")] = 10_000,
    seed: arguments.BatchSeed = "0",
    ai_dungeon: arguments.AiDungeon = None,
    ai_visitor: arguments.AiVisitor = None,
    threads: arguments.Threads = None,
    party: Annotated[
        str, Option("--party", help="Of runs over maps: a named party, or classes: knight-cleric.")
    ] = PARTY,
    explorer: Annotated[
        str, Option("--explorer", help="Of runs over maps: careful, balanced, greedy, random, planner@8.")
    ] = "balanced",
    as_json: arguments.AsJson = False,
) -> None:
    """Let computer players play a scenario many times: how often each outcome comes, and whether it makes good games:
    agency, closeness, diversity, knock-outs, attrition. All with 95 % intervals. A preset of maps is played as whole
    runs, by an explorer.

    cartomancer simulate boar -n 10000 --seed 7

    cartomancer simulate voyage:guide --party standard_company -n 500
    """
    number = arguments.seed_or_random(seed)
    if lab.is_preset(scenario):
        expedition_view.simulate(scenario, runs, number, party, explorer, as_json)
        return
    dungeon, visitor = arguments.specs_of(ai_dungeon, ai_visitor)
    packed = encounters.pack(scenario)
    with output.progress_bar(packed.name, runs) as done:
        players.simulate(packed, 1, threads=1)  # compiles or loads the kernels: no part of the measured time
        done(0)
        started = perf_counter()
        found = players.simulate(packed, runs, number, dungeon, visitor, threads, done)
        seconds = perf_counter() - started
    entered = int(found.rows["rooms_entered"].sum())
    speed = {
        "seconds": seconds,
        "runs_per_second": found.runs / seconds,
        "encounters_per_second": entered / seconds,  # an encounter is a room
    }
    measured, facts = lab.quality(found), lab.summary_of(found).as_dict()
    if as_json:
        seen = lab.survey(packed, min(found.runs, lab.MOST_RUNS), number, dungeon, visitor, threads)
        watched = {"causes": seen.causes_table(), "measures": lab.plain(seen.measures())}
        output.print_json(facts | measured.as_dict() | watched | speed)
    else:
        _print_simulation(found, facts, measured, speed)
    if found.runs < runs:
        raise output.stopped(f"stopped after {found.runs:,} of {runs:,} runs: the numbers are of those")


def _print_simulation(found: players.Simulation, facts: Facts, measured: lab.Quality, speed: Facts) -> None:
    """A batch for people: outcomes, wins, rooms, lengths, quality, speed, and how to see a run of it."""
    who = facts["players"]
    output.say(f"{facts['scenario']}: {found.runs:,} runs, seed {found.seed}", style="bold")
    output.say(f"{who['dungeon']} plays the dungeon, {who['visitor']} the visitor")
    output.show(_outcomes(found, facts), _rooms(facts))
    for key in ("rounds", "decisions"):
        output.say(f"{key} a run: {facts[f'{key}_mean']:.2f} ({output.interval(facts[f'{key}_interval'])})")
    if facts["betrayal"]["rate"]:
        share, *bounds = facts["betrayal"].values()
        output.say(f"runs with a betrayal: {percent(share)} ({output.percents(bounds)})")
    print_quality(measured)
    commonest = max(facts["outcomes"], key=found.count)
    run = players.run_name(found.packed.name, found.seed, found.first(commonest) or 0)
    output.say(
        f"{speed['seconds']:.2f} s, {speed['runs_per_second']:,.0f} runs "
        f"({speed['encounters_per_second']:,.0f} encounters) per second; "
        f"result hash {facts['result_hash']}",
        f"read a run (0 to {found.runs - 1}): "
        + players.replay_command(run, found.policies.dungeon, found.policies.visitor),
    )


def _outcomes(found: players.Simulation, facts: Facts) -> Any:
    """All eight outcomes with whose win they are and a run to read; below, both sides' wins."""
    columns = ("outcome", "winner", "share", "95 % interval", "runs", "first run")
    shown = output.table("outcomes", columns, left=(0, 1))
    for name, rate in facts["outcomes"].items():
        first = "–" if (run := found.first(name)) is None else str(run)
        shown.add_row(name, encounters.winner_of(name), *output.rate(rate), f"{found.count(name):,}", first)
    shown.add_section()
    for side in arguments.Side:
        bounds = output.percents(facts[f"{side}_win_interval"])
        shown.add_row("wins", side, percent(facts[f"{side}_win"]), bounds, f"{found.wins(side):,}", "")
    return shown


def _rooms(facts: Facts) -> Any:
    """Every room: how often it was reached, its rounds, and how it ended: the outcomes that occurred anywhere."""
    rooms = facts["rooms"]
    occurred = [name for name in facts["outcomes"] if any(room["outcomes"][name]["rate"] for room in rooms)]
    shown = output.named_table(ROOMS, ("room", "reached", "rounds", *occurred))
    for room in rooms:
        rates = [room["outcomes"][name]["rate"] for name in occurred]
        cells = [f"{100 * rate:.1f}" if rate else "·" for rate in rates]
        shown.add_row(room["room"], percent(room["reached"]), f"{room['rounds_mean']:.2f}", *cells)
    return shown


# --- the ladder -------------------------------------------------------------------------------------------------------


def ladder(
    named: Annotated[
        list[str],
        Argument(
            metavar="PLAYER",
            help="Two or more: heuristic, smart, smart@100 (rollouts), montecarlo@12, random, turtle … They play both "
            "sides, so no profiles.",
            autocompletion=arguments.player_names,
        ),
    ],
    scenarios: Annotated[
        list[str] | None,
        Option(
            "--scenario",
            metavar="SCENARIO",
            help="Where they meet; may be repeated. Without it six scenarios that are fought out.",
            autocompletion=arguments.scenario_names,
        ),
    ] = None,
    pairs: Annotated[
        int, Option("--pairs", "-n", min=1, help="Mirrored games of every two players in every scenario.")
    ] = 100,
    seed: arguments.BatchSeed = "0",
    threads: arguments.Threads = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Let computer players meet in mirrored games: two runs on the same shuffles, sides swapped. Who is stronger, with
    95 % intervals.

    cartomancer ladder heuristic montecarlo@12 random --scenario boar -n 200
    """
    from cartomancer.players import duels

    wanted = scenarios or list(duels.COMBAT)
    runs = duels.RUNS_A_PAIR * pairs * len(wanted) * (len(named) * (len(named) - 1) // 2)
    with output.progress_bar("ladder", runs) as done:
        found = duels.ladder(named, wanted, pairs, arguments.seed_or_random(seed), threads, progress=done)
    output.answer(as_json, found.as_dict(), lambda: _print_ladder(found))


def _print_ladder(found: players.Ladder) -> None:
    """The standings, and every duel behind them."""
    console, title = output.screen(), "mirrored games had the better of, in %"
    standings = [(one.player, *_cells(one)) for one in found.standings()]
    console.print(output.named_table(title, ("player", "share", "95 %", "games"), standings))
    duels = [(one.scenario, one.first, one.second, *_cells(one), f"{one.drawn:,}") for one in found.duels]
    columns = ("scenario", "first", "second", "share of the first", "95 %", "games", "drawn")
    console.print(output.named_table("duels", columns, duels, left=(0, 1, 2)))


def _cells(score: players.Score) -> tuple[str, str, str]:
    return percent(score.share), output.percents(score.interval), f"{score.pairs:,}"
