"""`cartomancer lab baseline` and `lab regress`: how content plays, and what an edit changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cartomancer.cli import output
from cartomancer.cli.arguments import (
    AiDungeon,
    AiVisitor,
    AsJson,
    BatchSeed,
    scenario_names,
    seed_or_random,
    specs_of,
)
from cartomancer.cli.lab_matrix_commands import long_names, notice
from cartomancer.cli.quality_view import percents
from cartomancer.errors import CartomancerError
from cartomancer.figures import percent

if TYPE_CHECKING:
    from cartomancer.content.codex import Codex
    from cartomancer.lab.health.baseline import Baseline
    from cartomancer.lab.health.regression import Regression
    from cartomancer.lab.measures.evidence import Change

MOST_LISTED = 20  # entries, scenarios, moves

Content = Annotated[
    Path | None, typer.Option("--content", metavar="DIR", help="A content folder; the content in use without it.")
]
Baselines = Annotated[Path, typer.Option("--baselines", metavar="DIR", help="The folder of baselines.")]
BaselineName = Annotated[str, typer.Argument(metavar="NAME", help="The name of the baseline.")]


# --- baselines --------------------------------------------------------------------------------------------------------

baseline_app = typer.Typer(no_args_is_help=True, help="Keep how content plays today, to judge tomorrow's edits by.")


@baseline_app.command("save")
def save(
    name: BaselineName,
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCENARIO]...",
            help="Scenarios, also matches; all there are without it.",
            autocompletion=scenario_names,
        ),
    ] = None,
    parties: Annotated[
        str | None, typer.Option("--parties", help="Also the cells of a matrix, as in lab matrix …")
    ] = None,
    rooms: Annotated[str, typer.Option("--rooms", help="… with these rooms.")] = "2",
    runs: Annotated[int, typer.Option("--runs", "-n", min=1, help="Runs of each scenario.")] = 2_000,
    seed: BatchSeed = "0",
    ai_dungeon: AiDungeon = None,
    ai_visitor: AiVisitor = None,
    content: Content = None,
    baselines: Baselines = Path("baselines"),
    anew: Annotated[bool, typer.Option("--replace", help="Replace a baseline of this name.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play scenarios and keep their runs and all content, to compare with after an edit (`lab regress`).

    Stopped, what is whole is kept, and the same command goes on.

    cartomancer lab baseline save before boar symbiote standard-gauntlet -n 2000
    """
    from cartomancer.lab.health import baseline as bl

    codex, number = _codex(content), seed_or_random(seed)
    wanted = [*(scenarios or []), *(_cell_names(codex, parties, rooms, number) if parties else [])]
    specs = specs_of(ai_dungeon or None, ai_visitor or None, codex)
    planned = bl.plan(name, codex, wanted or list(codex.scenarios), runs, number, *specs)
    start = planned
    if not anew and bl.path_of(baselines, name).exists():
        start = bl.read_baseline(baselines, name)
        if not bl.continues(start, planned):
            raise CartomancerError(f"baseline '{name}' exists: choose another name, or replace it with --replace")
    with output.progress_bar(name, runs * len(planned.wanted)) as done:
        found = bl.played(start, codex, done)
    path = bl.write_baseline(found, baselines)
    _show(found, as_json)
    if not found.finished:
        output.stderr().print(
            f"stopped with {len(found.scenarios):,} of {len(found.wanted):,} scenarios: the same command goes on"
        )
        raise typer.Exit(output.STOPPED)
    output.stderr().print(f"kept in {path}", markup=False)


@baseline_app.command("list")
def list_(baselines: Baselines = Path("baselines"), as_json: AsJson = False) -> None:
    """List the baselines of a folder; files that are none, or are damaged, are named and passed over.

    cartomancer lab baseline list
    """
    from cartomancer.lab.health.baseline import baseline_names, read_baseline

    found = []
    for name in baseline_names(baselines):
        try:
            found.append(read_baseline(baselines, name).summary())
        except CartomancerError as error:
            output.stderr().print(str(error), markup=False, soft_wrap=True)
    if as_json:
        output.print_json([one.as_dict() for one in found])
        return
    shown = output.named_table(
        f"baselines in {baselines}", "name", "scenarios", "runs each", "seed", "content", "state"
    )
    for one in found:
        cells = (f"{one.scenarios:,}", f"{one.runs:,}", str(one.seed), one.content)
        shown.add_row(one.name, *cells, "whole" if one.finished else f"{one.wanted:,} wanted")
    output.stdout().print(shown)


@baseline_app.command("show")
def show(name: BaselineName, baselines: Baselines = Path("baselines"), as_json: AsJson = False) -> None:
    """Show a baseline: every scenario's wins, agency and length.

    cartomancer lab baseline show before
    """
    from cartomancer.lab.health.baseline import read_baseline

    _show(read_baseline(baselines, name), as_json)


def _codex(folder: Path | None) -> Codex:
    from cartomancer.content.codex import load_codex

    if folder is not None and not folder.is_dir():
        raise CartomancerError(f"{folder}: not a content folder")
    return load_codex(folder)


def _cell_names(codex: Codex, parties: str, rooms: str, seed: int) -> list[str]:
    from cartomancer.lab.matrix.compositions import Compositions
    from cartomancer.lab.matrix.selection import Selection, chosen_cells

    space = Compositions.of(codex)
    return [space.name(*cell) for cell in chosen_cells(space, Selection(parties, rooms, seed=seed), notice)]


def _show(found: Baseline, as_json: bool) -> None:
    facts, rows = found.summary(), found.rows()
    if as_json:
        output.print_json(facts.as_dict() | {"rows": [row.as_dict() for row in rows]})
        return
    console, whole = output.stdout(), facts.health
    console.print(
        f"baseline {found.name}: {len(found.scenarios):,} scenarios × {found.runs:,} runs, seed {found.seed}, "
        f"{facts.entries} entries of content {found.content}",
        style="bold",
        markup=False,
    )
    shown = long_names("", "scenario", "dungeon wins", "95 % interval", "lead changes", "rounds")
    for row in rows[:MOST_LISTED]:
        bounds = percents(row.dungeon_win_interval)
        shown.add_row(row.scenario, percent(row.dungeon_win), bounds, f"{row.lead_changes:.2f}", f"{row.rounds:.1f}")
    console.print(shown)
    if len(rows) > MOST_LISTED:
        console.print(f"… and {len(rows) - MOST_LISTED:,} more (--json)", markup=False)
    console.print(
        f"mean agency {whole.agency:.2f}; dungeon wins {percent(whole.dungeon_win)} on average, "
        f"with a standard deviation of {100 * whole.dungeon_win_spread:.1f} points between scenarios",
        markup=False,
    )


# --- regress ----------------------------------------------------------------------------------------------------------


def regress(
    name: BaselineName,
    content: Content = None,
    baselines: Baselines = Path("baselines"),
    strict: Annotated[bool, typer.Option("--strict", help="Exit code 1 if anything moved or is gone.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compare content with a baseline: what was edited, which scenarios that touches, and which of them moved beyond
    noise. Only touched scenarios are played again, on the baseline's seeds.

    cartomancer lab regress before --content my-content --strict
    """
    from cartomancer.lab.health import regression as rg
    from cartomancer.lab.health.baseline import read_baseline

    before, codex = read_baseline(baselines, name), _codex(content)
    if not before.finished:
        output.stderr().print(f"baseline '{name}' is unfinished: only what it has is compared", markup=False)
    plan = rg.touched_scenarios(before, codex)
    with output.progress_bar(f"retesting {len(plan.again):,} scenarios", len(plan.again) * before.runs) as done:
        found = rg.retest(before, codex, plan, done)
    if as_json:
        output.print_json(found.as_dict())
    else:
        _print_regression(found)
    if len(found.retested) < len(found.touched):
        output.stderr().print(f"stopped: {len(found.retested):,} of {len(found.touched):,} touched scenarios retested")
        raise typer.Exit(output.STOPPED)
    raise typer.Exit(output.BAD if strict and (found.moves or found.gone) else output.OK)


def _print_regression(found: Regression) -> None:
    console = output.stdout()
    for line in _regression_lines(found):
        console.print(line, markup=False)
    if found.moves:
        shown = long_names("moved beyond noise", "scenario", "what", "before", "after", "change", "interval", "q")
        shown.columns[1].justify = "left"
        for move in found.moves[:MOST_LISTED]:
            shown.add_row(move.scenario, move.measure, *_change_cells(move.measure, move.change), f"{move.q:.1g}")
        console.print(shown)
        if len(found.moves) > MOST_LISTED:
            console.print(f"… and {len(found.moves) - MOST_LISTED:,} more (--json)", markup=False)
    if len(found.retested) > 1:
        shown = output.named_table("all retested scenarios together", "what", "before", "after", "change", "interval")
        for measure in ("dungeon_win", "visitor_win", "bond", "agency", "rounds"):
            shown.add_row(measure, *_change_cells(measure, found.overall[measure]))
        console.print(shown)


def _regression_lines(found: Regression) -> Iterator[str]:
    """What was edited, what that touches, and the verdict."""
    yield f"{len(found.changes)} entries differ from baseline {found.baseline}"
    for change in found.changes[:MOST_LISTED]:
        fields = ", ".join(f"{one.field} {one.before!r} → {one.after!r}" for one in change.fields)
        prose = " (words only: touches nothing)" if change.prose_only else ""
        yield f"  {change.what} {change.entry}{': ' if fields else ''}{fields}{prose}"
    if len(found.changes) > MOST_LISTED:
        yield f"  … and {len(found.changes) - MOST_LISTED} more (--json)"
    yield (
        f"{len(found.touched):,} of {found.scenarios:,} scenarios are touched; "
        f"{len(found.retested):,} retested on the same {found.runs:,} seeds, the others cannot differ"
    )
    for touched in found.touched[:MOST_LISTED]:
        yield f"  {touched.scenario}: {', '.join(touched.by) or 'the order of its cards'}"
    for scenario, reason in found.gone.items():
        yield f"  {scenario} cannot be played any more: {reason}"
    if found.unused:
        yield f"  no scenario of the baseline plays differently for: {', '.join(found.unused[:MOST_LISTED])}"
    verdict = f"{len(found.moved):,} moved beyond noise" if found.moves else "nothing moved beyond noise"
    yield f"{verdict} (at most 5 % of the moves named are false)"


def _change_cells(measure: str, change: Change) -> tuple[str, str, str, str]:
    """Before, after, difference and its interval: rates in percent, means as they are."""
    from cartomancer.lab.measures.registry import unit_of

    scale, digits, unit = (100, 1, " %") if unit_of(measure).name == "percent" else (1, 2, "")
    before, after = (f"{scale * value:.{digits}f}{unit}" for value in (change.before, change.after))
    low, high = (f"{scale * end:+.{digits}f}" for end in change.interval)
    return before, after, f"{scale * change.difference:+.{digits}f}", f"{low} … {high}"
