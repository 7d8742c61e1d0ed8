"""`cartomancer lab report`: how scenarios go, as one offline page and in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from cartomancer.cli import output
from cartomancer.cli.arguments import AiDungeon, AiVisitor, AsJson, BatchSeed, Scenarios, seed_or_random, specs_of
from cartomancer.cli.quality_view import percents
from cartomancer.errors import CartomancerError
from cartomancer.figures import percent

if TYPE_CHECKING:
    from cartomancer.lab.report.card_usage import CardUse
    from cartomancer.lab.report.reports import Report

Facts = dict[str, Any]
MOST_CARDS = 5  # at each end of the list


def report(
    scenarios: Scenarios,
    runs: Annotated[int, typer.Option("--runs", "-n", min=1, help="How many runs of each.")] = 10_000,
    seed: BatchSeed = "0",
    ai_dungeon: AiDungeon = None,
    ai_visitor: AiVisitor = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write one offline HTML page here.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say how scenarios go: outcomes, quality, momentum, lead changes, attrition, keywords, cards, runs to read.

    Momentum, keywords and cards are counted in the first 20,000 runs of each scenario.

    cartomancer lab report boar moth -n 20000 --seed 7 --html report.html
    """
    if html is not None and html.is_dir():
        raise CartomancerError(f"{html}: is a folder (right would be: the name of a file, such as {html}/report.html)")
    from cartomancer.encounters.packing import pack
    from cartomancer.lab.files import refuse_unwritable
    from cartomancer.lab.refusals import each_of
    from cartomancer.lab.report.reports import look_at

    number = seed_or_random(seed)
    dungeon, visitor = specs_of(ai_dungeon, ai_visitor)
    found: list[Report] = []
    wanted = each_of(dict.fromkeys(scenarios), pack)
    if html is not None:
        refuse_unwritable(html)
    for packed in wanted:
        with output.progress_bar(packed.name, runs) as done:
            try:
                found.append(look_at(packed, runs, number, dungeon, visitor, done))
            except KeyboardInterrupt:
                if not found:
                    raise
                break
        if found[-1].simulation.runs < runs:
            break
    if html is not None:
        _write(html, found)
    if as_json:
        output.print_json({"scenarios": [one.facts for one in found]})
    else:
        for one in found:
            print_report(one)
    if len(found) < len(wanted) or found[-1].simulation.runs < runs:
        played = ", ".join(f"{one.simulation.runs:,} of {one.name}" for one in found)
        output.stderr().print(f"stopped after {played}: the numbers are of those", markup=False)
        raise typer.Exit(output.STOPPED)


def _write(path: Path, reports: Sequence[Report]) -> None:
    from cartomancer.lab.files import write_atomically
    from cartomancer.lab.report.page import report_html

    write_atomically(path, report_html(reports).encode("utf-8", "backslashreplace"))
    output.stderr().print(f"report written to {path}", markup=False)


# --- the terminal -----------------------------------------------------------------------------------------------------


def print_report(found: Report) -> None:
    """A report for people: one scenario after another."""
    console, facts = output.stdout(), found.facts
    who = facts["players"]
    console.print(f"{facts['scenario']}: {facts['n']:,} runs, seed {facts['seed']}", style="bold", markup=False)
    surveyed = f"the first {found.surveyed:,}" if found.surveyed < facts["n"] else "all"
    console.print(
        f"{who['dungeon']} plays the dungeon, {who['visitor']} the visitor; "
        f"momentum, keywords and cards are of {surveyed} runs",
        markup=False,
    )
    console.print(_outcomes(facts))
    console.print(_quality(facts["quality"]))
    _print_curves(console, found)
    console.print(_keywords(facts["survey"]["keywords"]))
    console.print(_cards(found.telling_cards()))
    _print_notable(console, found)


def _outcomes(facts: Facts) -> Any:
    shown = output.table("outcomes", "outcome", "share", "95 % interval")
    for name, rate in facts["outcomes"].items():
        if rate["rate"]:
            shown.add_row(name, percent(rate["rate"]), percents((rate["low"], rate["high"])))
    shown.add_section()
    for side in ("dungeon", "visitor"):
        shown.add_row(f"{side} wins", percent(facts[f"{side}_win"]), percents(facts[f"{side}_win_interval"]))
    return shown


def _quality(found: Facts) -> Any:
    from cartomancer.lab.measures.metrics import METRICS

    shown = _narrow("quality", "metric", "value", "95 % interval", "healthy", "verdict")
    for name in METRICS:
        metric = found[name]
        if metric and metric["value"] is not None:
            low, high = metric["healthy"]
            cells = (f"{metric['value']:.2f}", output.interval(metric["interval"]), f"{low:g} … {high:g}")
            shown.add_row(name.replace("_", " "), *cells, metric["severe"] or metric["verdict"])
    return shown


def _narrow(title: str, *columns: str) -> Any:
    """A table that is never broken within a cell."""
    shown = output.named_table(title, *columns)
    for column in shown.columns:
        column.no_wrap = True
    return shown


def _print_curves(console: Console, found: Report) -> None:
    """Momentum, lead changes and attrition as small bars."""
    from cartomancer.lab.report.sparklines import sparkline

    shown = output.word_table("curves", "what", "from – to", "curve")
    rounds = found.momentum()
    for side in ("dungeon", "visitor"):
        means = [row[side]["mean"] for row in rounds]
        ends = f"{100 * means[0]:.0f} – {100 * means[-1]:.0f} %"
        shown.add_row(f"{side}'s share by round", ends, sparkline(means, high=1.0))
    still = [row["share_of_runs"] for row in rounds]
    shown.add_row("runs so long", f"{100 * still[0]:.0f} – {100 * still[-1]:.0f} %", sparkline(still, high=1.0))
    lead = found.facts["lead_changes"]["distribution"]
    shown.add_row(
        "lead changes", f"{lead[0]['changes']} – {lead[-1]['changes']}", sparkline([bar["rate"] for bar in lead])
    )
    if len(found.entries) > 1:
        means = [room["entry"]["mean"] for room in found.entries]
        ends = " – ".join(f"{mean:.0f}" for mean in means)
        shown.add_row("visitor's share by room", f"{ends} %", sparkline(means, high=100.0))
    console.print(shown)


def _keywords(rows: Sequence[Facts]) -> Any:
    shown = output.named_table(
        "what happened, a run and in % of the runs", "what", "dungeon", "in runs", "visitor", "in runs"
    )
    for row in rows:
        cells = []
        for side in ("dungeon", "visitor"):
            times, runs = row[side]["a_run"], row[side]["runs"]["rate"]
            cells += [f"{times:.2f}", f"{100 * runs:.1f}"] if times else ["·", "·"]
        if set(cells) != {"·"}:
            shown.add_row(row["name"].replace("_", " "), *cells)
    return shown


def _cards(telling: Sequence[CardUse]) -> Any:
    """The cards at both ends: most with winning, most with losing."""
    shown = _narrow("cards and winning: points of win rate with the card", "card", "side", "in runs", "points", "", "q")
    shown.columns[1].justify = "left"
    ends = [telling] if len(telling) <= 2 * MOST_CARDS else [telling[:MOST_CARDS], telling[-MOST_CARDS:]]
    for part in ends:
        for use in part:
            found = use.contribution
            if found is not None:
                points = (f"{100 * found.difference:+.1f}", percents(found.interval))
                chance = "<.001" if found.q_value < 0.001 else f"{found.q_value:.3f}"
                shown.add_row(use.title, use.side, percent(use.runs), *points, chance)
        shown.add_section()
    return shown


def _print_notable(console: Console, found: Report) -> None:
    """One line a run, so that commands can be copied."""
    console.print("runs to read", style="bold")
    for run in found.notable:
        console.print(f"  {run.kind} ({run.outcome}, {run.rounds} rounds): {run.command}", markup=False)
