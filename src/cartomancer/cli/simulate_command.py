"""`cartomancer simulate`: many runs of a scenario between computer players, counted."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter  # noqa: TID251  a clock for whoever waits; nothing that is played sees it
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cartomancer.cli import output
from cartomancer.cli.arguments import (
    AiDungeon,
    AiVisitor,
    AsJson,
    BatchSeed,
    Threads,
    scenario_names,
    seed_or_random,
    specs_of,
)
from cartomancer.cli.quality_view import percents, print_quality
from cartomancer.figures import percent

if TYPE_CHECKING:
    from cartomancer.lab.measures.metrics import Quality
    from cartomancer.players.simulation import Simulation

Facts = Mapping[str, Any]
ROOMS = "rooms, and how they ended in % of the times they were reached"


def simulate(
    scenario: Annotated[
        str,
        typer.Argument(
            metavar="SCENARIO",
            help="A scenario, also with modifiers (boar+frenzy); or its file.",
            autocompletion=scenario_names,
        ),
    ],
    runs: Annotated[int, typer.Option("--runs", "-n", min=1, help="How many runs.")] = 10_000,
    seed: BatchSeed = "0",
    ai_dungeon: AiDungeon = None,
    ai_visitor: AiVisitor = None,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Let computer players play a scenario many times: how often each outcome comes, and whether it makes good games:
    agency, closeness, diversity, knock-outs, attrition. All with 95 % intervals.

    cartomancer simulate boar -n 10000 --seed 7
    """
    from cartomancer.encounters.packing import pack
    from cartomancer.lab.measures.batch import summary_of
    from cartomancer.lab.measures.metrics import quality
    from cartomancer.lab.report.causes import MOST_RUNS
    from cartomancer.lab.report.survey import survey
    from cartomancer.players import simulation

    number = seed_or_random(seed)
    dungeon, visitor = specs_of(ai_dungeon, ai_visitor)
    packed = pack(scenario)
    with output.progress_bar(packed.name, runs) as done:
        simulation.simulate(packed, 1, threads=1)  # compiles or loads the kernels: no part of the measured time
        done(0)
        started = perf_counter()
        found = simulation.simulate(packed, runs, number, dungeon, visitor, threads, done)
        seconds = perf_counter() - started
    entered = int(found.rows["rooms_entered"].sum())
    speed = {
        "seconds": seconds,
        "runs_per_second": found.runs / seconds,
        "encounters_per_second": entered / seconds,  # an encounter is a room
    }
    measured = quality(found)
    facts = summary_of(found).as_dict()
    if as_json:
        seen = survey(packed, min(found.runs, MOST_RUNS), number, dungeon, visitor, threads)
        output.print_json(facts | measured.as_dict() | {"causes": seen.causes_table()} | speed)
    else:
        print_simulation(found, facts, measured, speed)
    if found.runs < runs:
        output.stderr().print(f"stopped after {found.runs:,} of {runs:,} runs: the numbers are of those")
        raise typer.Exit(output.STOPPED)


# --- the report -------------------------------------------------------------------------------------------------------


def print_simulation(found: Simulation, facts: Facts, measured: Quality, speed: Mapping[str, float]) -> None:
    """A batch for people: outcomes, wins, rooms, lengths, quality, speed, and how to see a run of it."""
    console = output.stdout()
    who = facts["players"]
    console.print(f"{facts['scenario']}: {found.runs:,} runs, seed {found.seed}", style="bold", markup=False)
    console.print(f"{who['dungeon']} plays the dungeon, {who['visitor']} the visitor", markup=False)
    console.print(_outcomes(found, facts))
    console.print(_rooms(facts))
    for key in ("rounds", "decisions"):
        mean, bounds = facts[f"{key}_mean"], output.interval(facts[f"{key}_interval"])
        console.print(f"{key} a run: {mean:.2f} ({bounds})", markup=False)
    if facts["betrayal"]["rate"]:
        share, low, high = facts["betrayal"].values()
        console.print(f"runs with a betrayal: {percent(share)} ({percents((low, high))})", markup=False)
    print_quality(console, measured)
    console.print(
        f"{speed['seconds']:.2f} s, {speed['runs_per_second']:,.0f} runs "
        f"({speed['encounters_per_second']:,.0f} encounters) per second; "
        f"result hash {facts['result_hash']}",
        markup=False,
    )
    console.print(f"read a run (0 to {found.runs - 1}): {_reopened(found)}", markup=False)


def _outcomes(found: Simulation, facts: Facts) -> Any:
    """All eight outcomes with whose win they are and a run to read; below, both sides' wins."""
    from cartomancer.encounters.encounter import winner_of

    shown = output.table("outcomes", "outcome", "winner", "share", "95 % interval", "runs", "first run")
    shown.columns[1].justify = "left"
    for name, rate in facts["outcomes"].items():
        first = found.first(name)
        cells = (percent(rate["rate"]), percents((rate["low"], rate["high"])), f"{found.count(name):,}")
        shown.add_row(name, winner_of(name), *cells, "–" if first is None else str(first))
    shown.add_section()
    for side in ("dungeon", "visitor"):
        bounds = percents(facts[f"{side}_win_interval"])
        shown.add_row("wins", side, percent(facts[f"{side}_win"]), bounds, f"{found.wins(side):,}", "")
    return shown


def _rooms(facts: Facts) -> Any:
    """Every room: how often it was reached, its rounds, and how it ended: the outcomes that occurred anywhere."""
    rooms = facts["rooms"]
    occurred = [name for name in facts["outcomes"] if any(room["outcomes"][name]["rate"] for room in rooms)]
    shown = output.named_table(ROOMS, "room", "reached", "rounds")
    for name in occurred:
        shown.add_column(name, justify="right")
    for room in rooms:
        rates = [room["outcomes"][name]["rate"] for name in occurred]
        cells = [f"{100 * rate:.1f}" if rate else "·" for rate in rates]
        shown.add_row(room["room"], percent(room["reached"]), f"{room['rounds_mean']:.2f}", *cells)
    return shown


def _reopened(found: Simulation) -> str:
    """The command that plays a run of the batch again: the first of the commonest outcome."""
    from cartomancer.players.simulation import ENDINGS, replay_command, run_name

    index = found.first(max(ENDINGS, key=found.count)) or 0
    run = run_name(found.packed.name, found.seed, index)
    return replay_command(run, found.policies.dungeon, found.policies.visitor)
