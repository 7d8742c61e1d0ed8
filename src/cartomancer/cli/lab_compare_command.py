"""`cartomancer lab compare`: two scenarios, or two players, on the same seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

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
from cartomancer.errors import CartomancerError

if TYPE_CHECKING:
    from cartomancer.lab.health.comparison import Comparison, Difference
    from cartomancer.players.simulation import Simulation

Scenario = Annotated[str, typer.Argument(help="A scenario, also with modifiers.", autocompletion=scenario_names)]


def compare(
    a: Scenario,
    b: Scenario,
    runs: Annotated[int, typer.Option("--runs", "-n", min=1, help="How many runs of each.")] = 10_000,
    seed: BatchSeed = "0",
    ai_dungeon: AiDungeon = None,
    ai_visitor: AiVisitor = None,
    b_ai_dungeon: Annotated[
        str | None, typer.Option("--b-ai-dungeon", help="Who plays the dungeon in B; as in A without it.")
    ] = None,
    b_ai_visitor: Annotated[
        str | None, typer.Option("--b-ai-visitor", help="Who plays the visitor in B; as in A without it.")
    ] = None,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """What B changes against A: both play the same seeds, so differences are the content's and not the dice's.

    cartomancer lab compare boar boar+shifting_stone=thick_wall -n 20000
    """
    from cartomancer.encounters.packing import pack
    from cartomancer.lab.health.comparison import compare as compared
    from cartomancer.lab.refusals import each_of
    from cartomancer.players.simulation import simulate

    number = seed_or_random(seed)
    first, second = each_of((a, b), pack)
    jobs = (
        (first, *specs_of(ai_dungeon or None, ai_visitor or None)),
        (second, *specs_of(b_ai_dungeon or ai_dungeon or None, b_ai_visitor or ai_visitor or None)),
    )
    batches: list[Simulation] = []
    with output.progress_bar(f"{a} and {b}", 2 * runs) as done:

        def progress(finished: int) -> None:
            done(runs * len(batches) + finished)

        for scenario, dungeon, visitor in jobs:
            found = simulate(scenario, runs, number, dungeon, visitor, threads, progress)
            if found.runs < runs:
                raise CartomancerError(f"stopped in {scenario.name}: only batches of equal length can be compared")
            batches.append(found)
    comparison = compared(*batches)
    if as_json:
        output.print_json(comparison.as_dict())
    else:
        _print(comparison)


def _print(found: Comparison) -> None:
    console = output.stdout()
    console.print(f"{found.n:,} runs of each, seed {found.seed}", style="bold", markup=False)
    for name, side in (("A", found.a), ("B", found.b)):
        console.print(f"{name}: {side.scenario} ({side.dungeon} against {side.visitor})", markup=False)
    shown = output.named_table("", "measure", "A", "B", "B − A", "95 % interval", "q")
    for measure, one in found.measures.items():
        if one.a or one.b:
            shown.add_row(measure.replace("_", " "), *_cells(measure, one), style="bold" if one.differs else None)
    console.print(shown)
    moved = [measure.replace("_", " ") for measure, one in found.measures.items() if one.differs]
    told = f"beyond chance: {', '.join(moved)}" if moved else "nothing differs beyond chance"
    console.print(told, markup=False)


def _cells(measure: str, found: Difference) -> list[str]:
    """The numbers of a measure: rates in percents and points, means as they are."""
    from cartomancer.lab.measures.registry import unit_of

    scale, unit = (100, " %") if unit_of(measure).name == "percent" else (1, "")
    low, high = (scale * end for end in found.interval)
    return [
        f"{scale * found.a:.2f}{unit}",
        f"{scale * found.b:.2f}{unit}",
        f"{scale * found.difference:+.2f}",
        f"{low:+.2f} … {high:+.2f}",
        f"{found.q:.3g}",
    ]
