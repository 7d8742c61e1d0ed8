"""`cartomancer lab compare`, `lab baseline` and `lab regress`: what a change of content or players changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option

from cartomancer import content, encounters, lab, players
from cartomancer.cli import arguments, output
from cartomancer.errors import CartomancerError
from cartomancer.figures import percent

MOST_LISTED = 20  # entries, scenarios, moves

Scenario = Annotated[str, arguments.scenario_argument("A scenario, also with modifiers.", metavar=None)]
Baselines = Annotated[Path, Option("--baselines", metavar="DIR", help="The folder of baselines.")]
BaselineName = Annotated[str, Argument(metavar="NAME", help="The name of the baseline.")]


# --- two of them on the same seeds ------------------------------------------------------------------------------------


def compare(
    a: Scenario,
    b: Scenario,
    runs: arguments.RunsOfEach = 10_000,
    seed: arguments.BatchSeed = "0",
    ai_dungeon: arguments.AiDungeon = None,
    ai_visitor: arguments.AiVisitor = None,
    b_ai_dungeon: Annotated[str | None, Option(help="Who plays the dungeon in B; as in A without it.")] = None,
    b_ai_visitor: Annotated[str | None, Option(help="Who plays the visitor in B; as in A without it.")] = None,
    threads: arguments.Threads = None,
    as_json: arguments.AsJson = False,
) -> None:
    """What B changes against A: both play the same seeds, so differences are the content's and not the dice's.

    cartomancer lab compare boar boar+shifting_stone=thick_wall -n 20000
    """
    from cartomancer.players.simulation import going_on

    number = arguments.seed_or_random(seed)
    first, second = lab.each_of((a, b), encounters.pack)
    jobs = (
        (first, *arguments.specs_of(ai_dungeon or None, ai_visitor or None)),
        (second, *arguments.specs_of(b_ai_dungeon or ai_dungeon or None, b_ai_visitor or ai_visitor or None)),
    )
    batches: list[players.Simulation] = []
    with output.progress_bar(f"{a} and {b}", 2 * runs) as done:
        for scenario, dungeon, visitor in jobs:
            told = going_on(done, runs * len(batches))
            found = players.simulate(scenario, runs, number, dungeon, visitor, threads, told)
            if found.runs < runs:
                raise CartomancerError(f"stopped in {scenario.name}: only batches of equal length can be compared")
            batches.append(found)
    comparison = lab.compare(*batches)
    output.answer(as_json, comparison.as_dict(), lambda: _print_comparison(comparison))


def _print_comparison(found: lab.Comparison) -> None:
    output.say(f"{found.n:,} runs of each, seed {found.seed}", style="bold")
    for name, side in (("A", found.a), ("B", found.b)):
        output.say(f"{name}: {side.scenario} ({side.dungeon} against {side.visitor})")
    shown = output.named_table("", ("measure", "A", "B", "B − A", "95 % interval", "q"))
    for measure, one in found.measures.items():
        if one.a or one.b:
            change = lab.Change(one.a, one.b, one.difference, one.interval, one.p)
            cells = _change_cells(measure, change, percent_digits=2)
            shown.add_row(measure.replace("_", " "), *cells, f"{one.q:.3g}", style="bold" if one.differs else None)
    output.show(shown)
    moved = [measure.replace("_", " ") for measure, one in found.measures.items() if one.differs]
    output.say(f"beyond chance: {', '.join(moved)}" if moved else "nothing differs beyond chance")


def _change_cells(measure: str, change: lab.Change, percent_digits: int = 1) -> tuple[str, str, str, str]:
    """Before, after, difference and its interval: rates in percent and points, means as they are."""
    scale, digits, unit = (100, percent_digits, " %") if lab.unit_of(measure).name == "percent" else (1, 2, "")
    before, after = (f"{scale * value:.{digits}f}{unit}" for value in (change.before, change.after))
    bounds = " … ".join(f"{scale * end:+.{digits}f}" for end in change.interval or ()) or "–"
    return before, after, f"{scale * change.difference:+.{digits}f}", bounds


# --- baselines --------------------------------------------------------------------------------------------------------


def save(
    name: BaselineName,
    scenarios: Annotated[
        list[str] | None,
        arguments.scenario_argument("Scenarios, also matches; all there are without it.", "[SCENARIO]..."),
    ] = None,
    parties: Annotated[str | None, Option("--parties", help="Also the cells of a matrix, as in lab matrix …")] = None,
    rooms: Annotated[str, Option("--rooms", help="… with these rooms.")] = "2",
    runs: Annotated[int, Option("--runs", "-n", min=1, help="Runs of each scenario.")] = 2_000,
    seed: arguments.BatchSeed = "0",
    ai_dungeon: arguments.AiDungeon = None,
    ai_visitor: arguments.AiVisitor = None,
    folder: arguments.Content = None,
    baselines: Baselines = Path("baselines"),
    anew: Annotated[bool, Option("--replace", help="Replace a baseline of this name.")] = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Play scenarios and keep their runs and all content, to compare with after an edit (`lab regress`).

    Stopped, what is whole is kept, and the same command goes on.

    cartomancer lab baseline save before boar symbiote standard-gauntlet -n 2000
    """
    codex, number = _codex(folder), arguments.seed_or_random(seed)
    wanted = list(scenarios or ())
    if parties:
        space = lab.Compositions.of(codex)
        cells = lab.chosen_cells(space, lab.Selection(parties, rooms, seed=number), output.note)
        wanted += [space.name(*cell) for cell in cells]
    specs = arguments.specs_of(ai_dungeon or None, ai_visitor or None, codex)
    planned = lab.baseline.plan(name, codex, wanted or list(codex.scenarios), runs, number, *specs)
    start = planned
    if not anew and lab.baseline.path_of(baselines, name).exists():
        start = lab.baseline.read_baseline(baselines, name)
        if not lab.baseline.continues(start, planned):
            raise CartomancerError(f"baseline '{name}' exists: choose another name, or replace it with --replace")
    with output.progress_bar(name, runs * len(planned.wanted)) as done:
        found = lab.baseline.played(start, codex, done)
    path = lab.baseline.write_baseline(found, baselines)
    _show(found, as_json)
    if not found.finished:
        done_so_far = f"{len(found.scenarios):,} of {len(found.wanted):,} scenarios"
        raise output.stopped(f"stopped with {done_so_far}: the same command goes on")
    output.note(f"kept in {path}")


def list_(baselines: Baselines = Path("baselines"), as_json: arguments.AsJson = False) -> None:
    """List the baselines of a folder; files that are none, or are damaged, are named and passed over.

    cartomancer lab baseline list
    """
    found = []
    for name in lab.baseline.baseline_names(baselines):
        try:
            found.append(lab.baseline.read_baseline(baselines, name).summary())
        except CartomancerError as error:
            output.note(str(error), whole=True)
    if as_json:
        raise output.answered([one.as_dict() for one in found])
    columns = ("name", "scenarios", "runs each", "seed", "content", "state")
    shown = output.named_table(f"baselines in {baselines}", columns)
    for one in found:
        cells = (f"{one.scenarios:,}", f"{one.runs:,}", str(one.seed), one.content)
        shown.add_row(one.name, *cells, "whole" if one.finished else f"{one.wanted:,} wanted")
    output.show(shown)


def show(name: BaselineName, baselines: Baselines = Path("baselines"), as_json: arguments.AsJson = False) -> None:
    """Show a baseline: every scenario's wins, agency and length.

    cartomancer lab baseline show before
    """
    _show(lab.baseline.read_baseline(baselines, name), as_json)


def _codex(folder: Path | None) -> content.Codex:
    if folder is not None and not folder.is_dir():
        raise CartomancerError(f"{folder}: not a content folder")
    return content.load_codex(folder)


def _show(found: lab.baseline.Baseline, as_json: bool) -> None:
    facts, rows = found.summary(), found.rows()
    if as_json:
        output.print_json(facts.as_dict() | {"rows": [row.as_dict() for row in rows]})
        return
    whole = facts.health
    output.say(
        f"baseline {found.name}: {len(found.scenarios):,} scenarios × {found.runs:,} runs, seed {found.seed}, "
        f"{facts.entries} entries of content {found.content}",
        style="bold",
    )
    shown = output.long_names("", ("scenario", "dungeon wins", "95 % interval", "lead changes", "rounds"))
    for row in rows[:MOST_LISTED]:
        wins = percent(row.dungeon_win), output.percents(row.dungeon_win_interval)
        shown.add_row(row.scenario, *wins, f"{row.lead_changes:.2f}", f"{row.rounds:.1f}")
    output.show(shown)
    output.say(*_more(len(rows)))
    output.say(
        f"mean agency {whole.agency:.2f}; dungeon wins {percent(whole.dungeon_win)} on average, "
        f"with a standard deviation of {100 * whole.dungeon_win_spread:.1f} points between scenarios"
    )


def _more(there: int) -> list[str]:
    """What is not listed."""
    return [f"… and {there - MOST_LISTED:,} more (--json)"] if there > MOST_LISTED else []


# --- regress ----------------------------------------------------------------------------------------------------------


def regress(
    name: BaselineName,
    folder: arguments.Content = None,
    baselines: Baselines = Path("baselines"),
    strict: Annotated[bool, Option("--strict", help="Exit code 1 if anything moved or is gone.")] = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Compare content with a baseline: what was edited, which scenarios that touches, and which of them moved beyond
    noise. Only touched scenarios are played again, on the baseline's seeds.

    cartomancer lab regress before --content my-content --strict
    """
    before, codex = lab.baseline.read_baseline(baselines, name), _codex(folder)
    if not before.finished:
        output.note(f"baseline '{name}' is unfinished: only what it has is compared")
    plan = lab.regression.touched_scenarios(before, codex)
    with output.progress_bar(f"retesting {len(plan.again):,} scenarios", len(plan.again) * before.runs) as done:
        found = lab.regression.retest(before, codex, plan, done)
    output.answer(as_json, found.as_dict(), lambda: _print_regression(found))
    if len(found.retested) < len(found.touched):
        raise output.stopped(f"stopped: {len(found.retested):,} of {len(found.touched):,} touched scenarios retested")
    raise Exit(output.BAD if strict and (found.moves or found.gone) else output.OK)


def _print_regression(found: lab.regression.Regression) -> None:
    output.say(*_regression_lines(found))
    if found.moves:
        columns = ("scenario", "what", "before", "after", "change", "interval", "q")
        moves = (
            (move.scenario, move.measure, *_change_cells(move.measure, move.change), f"{move.q:.1g}")
            for move in found.moves[:MOST_LISTED]
        )
        output.show(output.long_names("moved beyond noise", columns, moves, left=(0, 1)))
        output.say(*_more(len(found.moves)))
    if len(found.retested) > 1:
        measures = ("dungeon_win", "visitor_win", "bond", "agency", "rounds")
        rows = ((measure, *_change_cells(measure, found.overall[measure])) for measure in measures)
        heads = ("what", "before", "after", "change", "interval")
        output.show(output.named_table("all retested scenarios together", heads, rows))


def _regression_lines(found: lab.regression.Regression) -> Iterator[str]:
    """What was edited, what that touches, and the verdict."""
    yield f"{len(found.changes)} entries differ from baseline {found.baseline}"
    for change in found.changes[:MOST_LISTED]:
        fields = ", ".join(f"{one.field} {one.before!r} → {one.after!r}" for one in change.fields)
        prose = " (words only: touches nothing)" if change.prose_only else ""
        yield f"  {change.what} {change.entry}{': ' if fields else ''}{fields}{prose}"
    yield from (f"  {line}" for line in _more(len(found.changes)))
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
