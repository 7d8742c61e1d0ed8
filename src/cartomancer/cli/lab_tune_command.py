"""`cartomancer lab tune`: the least change of content that brings scenarios into their bands."""

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
    Scenarios,
    Threads,
    seed_or_random,
    specs_of,
)

if TYPE_CHECKING:
    from cartomancer.lab.tuner.result import Tuning


def tune(
    scenarios: Scenarios,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            help="Bands: kill=50..65, panic=12.., break=10±3; of several scenarios boar:kill=50..65. Outcomes, wins, "
            "betrayal, closeness, ROOM.OUTCOME, reached.ROOM, entry.2, effective.2, tier.2, full_bond and "
            "first_down.CLASS in %; rounds, decisions, agency, diversity, knockout_spread. A scenario without any has "
            "those of the content's target sets.",
        ),
    ] = None,
    levers: Annotated[
        str | None,
        typer.Option(
            "--levers",
            help="What may be changed, of auto_effects, pacing, dungeon_cards, visitor_cards (all four without it), "
            "visitor_stats, dungeon_profile, visitor_profile. Narrow ones are always tried first.",
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="PATTERNS", help="Turn no other levers than these: 'root_hollow.*, *.trust'."),
    ] = None,
    without: Annotated[
        str | None,
        typer.Option("--without", metavar="PATTERNS", help="Leave these levers alone: 'soul_leech.*, *.target'."),
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
    """Find the least change of content that brings scenarios into their bands, all of them at once: narrowest levers
    first, verified on seeds that the search has not seen. Exit code 1 if the targets are not reached; the best found is
    shown then.

    cartomancer lab tune boar --target "kill=30..45, panic=20..30" --levers auto_effects --out build/calmer-boar
    """
    from cartomancer.content.codex import load_codex
    from cartomancer.lab.tuner import patch, tuner
    from cartomancer.lab.tuner.request import TunerSettings

    number, codex = seed_or_random(seed), load_codex(content)
    dungeon, visitor = specs_of(ai_dungeon, ai_visitor, codex)
    if out is not None:
        patch.refuse_taken(out)
    named = list(dict.fromkeys(scenarios))
    settings = TunerSettings(
        groups=levers,
        only=_patterns(only),
        without=_patterns(without),
        budget=budget,
        runs=runs,
        seed=number,
        dungeon=dungeon,
        visitor=visitor,
        threads=threads,
    )
    with output.progress_bar(f"tuning {', '.join(named)}", budget) as done:
        found = tuner.tune(named, target, settings, codex, done)
    _report(found, as_json)
    if out is not None:
        _write(found, out, content)
    if found.stopped:
        raise typer.Exit(output.STOPPED)
    raise typer.Exit(output.OK if found.reached else output.BAD)


def _patterns(text: str | None) -> list[str]:
    return [] if text is None else [part.strip() for part in text.split(",")]


def _report(found: Tuning, as_json: bool) -> None:
    from cartomancer.lab.tuner import report as tune_report

    if as_json:
        output.print_json(tune_report.as_dict(found))
        return
    console = output.stdout()
    console.print(f"{tune_report.title(found)}: {tune_report.verdict(found)}", style="bold", markup=False)
    for change in tune_report.changes(found):
        console.print(f"  {change}", markup=False)
    shown = output.named_table(
        "targets, on seeds the search has not seen", "target", "band", "before", "after", "holds"
    )
    for row in tune_report.rows(found):
        shown.add_row(*row)
    console.print(shown)
    for miss in tune_report.misses(found):
        console.print(miss, markup=False)
    for stage in found.stages:
        console.print(f"{stage.group}: {tune_report.tried(stage)}", markup=False)
    console.print(
        f"{tune_report.played(found)}; verified on {found.held_out_runs:,} runs of seed {found.held_out_seed}, "
        + tune_report.hashes(found),
        markup=False,
    )


def _write(found: Tuning, out: Path, content: Path | None) -> None:
    from cartomancer.content.toml_files import DATA
    from cartomancer.lab.tuner import patch
    from cartomancer.lab.tuner import report as tune_report

    files = patch.patch_files(found.base, found.codex, content or DATA)
    report = {f"{patch.REPORT}.md": tune_report.markdown(found), f"{patch.REPORT}.html": tune_report.page(found)}
    report[f"{patch.REPORT}.json"] = output.strict_json(tune_report.as_dict(found), indent=1) + "\n"
    for path in patch.write_patch(out, {**files, **report}):
        output.stderr().print(f"written: {path}", markup=False)
