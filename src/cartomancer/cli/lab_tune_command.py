"""`cartomancer lab tune`: the least change of content that brings a scenario into its bands."""

from __future__ import annotations

from pathlib import Path
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
    seats_of,
    seed_or_random,
)

if TYPE_CHECKING:
    from cartomancer.lab.tuning.tuner import Tuning


def tune(
    scenario: Annotated[
        str,
        typer.Argument(
            metavar="SCENARIO", help="A scenario, also with modifiers; or its file.", autocompletion=scenario_names
        ),
    ],
    target: Annotated[
        str,
        typer.Option(
            "--target",
            "-t",
            help="Bands: kill=50..65, panic=12.., break=10±3. Outcomes, wins, betrayal, closeness, ROOM.OUTCOME, "
            "reached.ROOM, entry.2 and first_down.CLASS in %; rounds, decisions, agency, diversity.",
        ),
    ],
    levers: Annotated[
        str | None,
        typer.Option(
            "--levers",
            help="What may be changed, of auto_effects, pacing, dungeon_cards, visitor_cards (all four without it), "
            "visitor_stats, dungeon_profile, visitor_profile. Narrow ones are always tried first.",
        ),
    ] = None,
    budget: Annotated[
        int,
        typer.Option("--budget", min=1, help="The most candidates the search plays; pruning what it found is extra."),
    ] = 800,
    runs: Annotated[int, typer.Option("--runs", "-n", min=100, max=100_000, help="Runs of each candidate.")] = 2_000,
    seed: BatchSeed = "0",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the patch and its report into this new folder.")
    ] = None,
    content: Annotated[
        Path | None, typer.Option("--content", help="A content folder of your own instead of the shipped content.")
    ] = None,
    ai_dungeon: AiDungeon = None,
    ai_visitor: AiVisitor = None,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Find the least change of content that brings a scenario into its bands: narrowest levers first, verified on seeds
    that the search has not seen. Exit code 1 if the targets are not reached; the best found is shown then.

    cartomancer lab tune boar --target "kill=30..45, panic=20..30" --levers auto_effects --out build/calmer-boar
    """
    output.speak_json(as_json)
    from cartomancer.content.codex import load_codex
    from cartomancer.lab.tuning import patch, tuner
    from cartomancer.lab.tuning.levers import groups_from

    number, groups = seed_or_random(seed), groups_from(levers)
    codex = load_codex(content)
    dungeon, visitor = seats_of(ai_dungeon, ai_visitor, codex)
    if out is not None:
        patch.refuse_taken(out)
    with output.progress_bar(f"tuning {scenario}", budget) as done:
        found = tuner.tune(scenario, target, groups, budget, runs, number, codex, dungeon, visitor, threads, done)
    _report(found, as_json)
    if out is not None:
        _write(found, out, content)
    if found.stopped:
        raise typer.Exit(output.STOPPED)
    raise typer.Exit(output.OK if found.reached else output.BAD)


def _report(found: Tuning, as_json: bool) -> None:
    from cartomancer.lab.tuning import report as tune_report

    if as_json:
        output.print_json(tune_report.as_dict(found))
        return
    console = output.stdout()
    console.print(f"{found.scenario}: {tune_report.verdict(found)}", style="bold", markup=False)
    for change in tune_report.changes(found):
        console.print(f"  {change}", markup=False)
    shown = output.table("targets, on seeds the search has not seen", "target", "band", "before", "after", "holds")
    for reading in found.readings:
        values = [tune_report.shown_value(reading.target, one) for one in (reading.before, reading.after)]
        shown.add_row(reading.target.name, reading.target.band(), *values, "yes" if reading.holds else "no")
    console.print(shown)
    for miss in tune_report.misses(found):
        console.print(miss, markup=False)
    for stage in found.stages:
        console.print(f"{stage.group}: {tune_report.tried(stage)}", markup=False)
    console.print(
        f"{found.evaluations} evaluations of {found.runs:,} runs on seed {found.seed}; verified on "
        f"{found.held_out_runs:,} runs of seed {found.held_out_seed}, result hash {found.after.result_hash}",
        markup=False,
    )


def _write(found: Tuning, out: Path, content: Path | None) -> None:
    from cartomancer.content.toml_files import DATA
    from cartomancer.lab.tuning import patch
    from cartomancer.lab.tuning import report as tune_report

    files = patch.patch_files(found.base, found.codex, content or DATA)
    report = {f"{patch.REPORT}.md": tune_report.markdown(found)}
    report[f"{patch.REPORT}.json"] = output.strict_json(tune_report.as_dict(found), indent=1) + "\n"
    for path in patch.write_patch(out, {**files, **report}):
        output.stderr().print(f"written: {path}", markup=False)
