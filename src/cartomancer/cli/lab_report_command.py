"""`cartomancer lab report`: how scenarios go, as one offline page and in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cartomancer import encounters, files, lab
from cartomancer.cli import arguments, output
from cartomancer.errors import CartomancerError
from cartomancer.figures import percent

Facts = dict[str, Any]
MOST_CARDS = 5  # at each end of the list


def report(
    scenarios: arguments.Scenarios,
    runs: arguments.RunsOfEach = 10_000,
    seed: arguments.BatchSeed = "0",
    ai_dungeon: arguments.AiDungeon = None,
    ai_visitor: arguments.AiVisitor = None,
    html: arguments.Html = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Say how scenarios go: outcomes, quality, momentum, lead changes, attrition, keywords, cards, runs to read.

    Momentum, keywords and cards are counted in the first 20,000 runs of each scenario.

    cartomancer lab report boar moth -n 20000 --seed 7 --html report.html
    """
    if html is not None and html.is_dir():
        raise CartomancerError(f"{html}: is a folder (right would be: the name of a file, such as {html}/report.html)")
    number = arguments.seed_or_random(seed)
    dungeon, visitor = arguments.specs_of(ai_dungeon, ai_visitor)
    found: list[lab.Report] = []
    wanted = lab.each_of(dict.fromkeys(scenarios), encounters.pack)
    if html is not None:
        files.refuse_unwritable(html)
    for packed in wanted:
        with output.progress_bar(packed.name, runs) as done:
            try:
                found.append(lab.look_at(packed, runs, number, dungeon, visitor, done))
            except KeyboardInterrupt:
                if not found:
                    raise
                break
        if found[-1].simulation.runs < runs:
            break
    if html is not None:
        files.write_file(html, lab.report_html(found).encode("utf-8", "backslashreplace"), parents=True)
        output.note(f"report written to {html}")
    if as_json:
        output.print_json({"scenarios": [one.facts for one in found]})
    else:
        for one in found:
            _print_report(one)
    if len(found) < len(wanted) or found[-1].simulation.runs < runs:
        played = ", ".join(f"{one.simulation.runs:,} of {one.name}" for one in found)
        raise output.stopped(f"stopped after {played}: the numbers are of those")


# --- the terminal -----------------------------------------------------------------------------------------------------


def _print_report(found: lab.Report) -> None:
    """One scenario for people."""
    facts, surveyed = found.facts, f"the first {found.surveyed:,}"
    output.say(f"{facts['scenario']}: {facts['n']:,} runs, seed {facts['seed']}", style="bold")
    output.say(
        f"{facts['players']['dungeon']} plays the dungeon, {facts['players']['visitor']} the visitor; momentum, "
        f"keywords and cards are of {surveyed if found.surveyed < facts['n'] else 'all'} runs"
    )
    output.show(_outcomes(facts), _quality(facts["quality"]), _curves(found))
    output.show(_measures(facts["survey"]["measures"]))
    output.show(_keywords(facts["survey"]["keywords"]), _cards(found.telling_cards()))
    output.say("runs to read", style="bold")
    for run in found.notable:  # one line a run, so that commands can be copied
        output.say(f"  {run.kind} ({run.outcome}, {run.rounds} rounds): {run.command}")


def _outcomes(facts: Facts) -> Any:
    ends = [(name, *output.rate(rate)) for name, rate in facts["outcomes"].items() if rate["rate"]]
    wins = [
        (f"{side} wins", percent(facts[f"{side}_win"]), output.percents(facts[f"{side}_win_interval"]))
        for side in arguments.Side
    ]
    return output.table("outcomes", ("outcome", "share", "95 % interval"), [*ends, None, *wins])


def _quality(found: Facts) -> Any:
    columns = ("metric", "value", "95 % interval", "healthy", "verdict")
    shown = output.table("quality", columns, whole=range(5))
    for name in lab.METRICS:
        metric = found[name]
        if metric and metric["value"] is not None:
            low, high = metric["healthy"]
            cells = (f"{metric['value']:.2f}", output.interval(metric["interval"]), f"{low:g} … {high:g}")
            shown.add_row(name.replace("_", " "), *cells, metric["severe"] or metric["verdict"])
    return shown


def _curves(found: lab.Report) -> Any:
    """Momentum, lead changes and attrition as small bars."""
    shown = output.word_table("curves", ("what", "from – to", "curve"))
    rounds, lead = found.momentum(), found.facts["lead_changes"]["distribution"]
    shares = {f"{side}'s share by round": [row[side]["mean"] for row in rounds] for side in arguments.Side}
    shares["runs so long"] = [row["share_of_runs"] for row in rounds]
    for what, curve in shares.items():
        shown.add_row(what, f"{100 * curve[0]:.0f} – {100 * curve[-1]:.0f} %", lab.sparkline(curve, high=1.0))
    ends = f"{lead[0]['changes']} – {lead[-1]['changes']}"
    shown.add_row("lead changes", ends, lab.sparkline([bar["rate"] for bar in lead]))
    if len(found.entries) > 1:
        means = [room["entry"]["mean"] for room in found.entries]
        ends = " – ".join(f"{mean:.0f}" for mean in means)
        shown.add_row("visitor's share by room", f"{ends} %", lab.sparkline(means, high=100.0))
    return shown


def _measures(found: Facts) -> Any:
    """Activity and what took points, of each side; whatever never happened is left out."""
    shown = output.named_table("activity and losses", ("measure", "dungeon", "95 %", "visitor", "95 %"))
    for name in (name for name in found if "." not in name and found[name]["value"]):
        cells = []
        for one in (found[f"{name}.{side}"] for side in arguments.Side):
            form = ".1f" if lab.unit_of(name).name == "percent" else ".2f"
            ends = (one["low"], one["high"])
            known = one["value"] is not None and None not in ends
            cells += [f"{one['value']:{form}}", " … ".join(f"{end:{form}}" for end in ends)] if known else ["·", "·"]
        shown.add_row(name, *cells)
    return shown


def _keywords(rows: Sequence[Facts]) -> Any:
    columns = ("what", "dungeon", "in runs", "visitor", "in runs")
    shown = output.named_table("what happened, a run and in % of the runs", columns)
    for row in rows:
        cells = []
        for found in (row[side] for side in arguments.Side):
            cells += [f"{found['a_run']:.2f}", f"{100 * found['runs']['rate']:.1f}"] if found["times"] else ["·", "·"]
        if set(cells) != {"·"}:
            shown.add_row(row["name"].replace("_", " "), *cells)
    return shown


def _cards(telling: Sequence[lab.CardUse]) -> Any:
    """The cards at both ends: most with winning, most with losing."""
    title = "cards and winning: points of win rate with the card"
    columns = ("card", "side", "in runs", "points", "", "q")
    shown = output.table(title, columns, left=(0, 1), whole=range(6))
    ends = [telling] if len(telling) <= 2 * MOST_CARDS else [telling[:MOST_CARDS], telling[-MOST_CARDS:]]
    for part in ends:
        for use in part:
            if found := use.contribution:
                points = (f"{100 * found.difference:+.1f}", output.percents(found.interval))
                chance = "<.001" if found.q_value < 0.001 else f"{found.q_value:.3f}"
                shown.add_row(use.title, use.side, percent(use.runs), *points, chance)
        shown.add_section()
    return shown
