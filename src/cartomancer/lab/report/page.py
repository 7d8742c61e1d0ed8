"""The report as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from cartomancer.encounters.names import SIDES
from cartomancer.encounters.sentences import Kind
from cartomancer.lab.health.evidence import FALSE_DISCOVERIES
from cartomancer.lab.report import charts
from cartomancer.lab.report.card_usage import CardUse
from cartomancer.lab.report.causes import cause_figures
from cartomancer.lab.report.charts import HUES
from cartomancer.lab.report.notable import KINDS, Notable
from cartomancer.lab.report.reports import METRICS, Report
from cartomancer.pages import (
    Block,
    Card,
    Cell,
    Details,
    Figure,
    Grid,
    Heading,
    Items,
    Page,
    Section,
    Span,
    Table,
    Text,
    Tile,
    Tiles,
    Words,
    column,
    html,
    ordered,
)
from cartomancer.pages.charts import Interval
from cartomancer.pages.numbers import Estimate, label, mean, number, percent, share

Facts = dict[str, Any]
LEAD: Final = "Ranges are 95 % intervals. Every number comes from runs that can be played again."
LOOKS: Final = {Kind.ROOM: "room", Kind.ROUND: "round", Kind.TURN: "turn"}
CONTRIBUTION: Final = (
    "Win contribution: how much more often the owner wins (a Bond counts) in runs in which the card was played than in "
    "runs alike in which it was not, in percentage points. Alike: equally many rounds, and for the dungeon's cards as "
    "many of them in the rooms that have the card, for the visitor's equally many rooms. It shows what goes together, "
    "not what causes what: an answer is played by whoever is in trouble."
)


def report_html(reports: Sequence[Report]) -> str:
    """One page: an overview if there are several scenarios, then a section for each."""
    title = f"{reports[0].facts['title']}: a report" if len(reports) == 1 else "Scenarios: a report"
    blocks = [_overview(reports)] if len(reports) > 1 else []
    for at, report in enumerate(reports, 1):
        blocks.append(Section(f"s{at}", report.facts["title"], list(_section(report, f"s{at}"))))
    return html(Page(title, LEAD, blocks))


def _cell(found: Estimate) -> Cell:
    return ordered(found.shown, found.value, found.ends)


def _rate(rate: Facts) -> Cell:
    return _cell(share(rate["rate"], (rate["low"], rate["high"]), 1))


def _win(facts: Facts, side: str) -> Estimate:
    return share(facts[f"{side}_win"], facts[f"{side}_win_interval"], 1)


def _rounds(facts: Facts) -> Estimate:
    return mean(facts["rounds_mean"], facts["rounds_interval"], 2)


def _changes(facts: Facts) -> Estimate:
    return mean(facts["lead_changes"]["mean"], facts["lead_changes"]["interval"], 2)


def _overview(reports: Sequence[Report]) -> Section:
    rows = []
    for at, report in enumerate(reports, 1):
        facts, rates = report.facts, report.facts["outcomes"]
        common = max(rates, key=lambda name: float(rates[name]["rate"]))
        rows.append(
            [
                Cell(Span(report.name, target=f"s{at}"), report.name),
                ordered(number(facts["n"]), facts["n"]),
                *(_cell(_win(facts, side)) for side in SIDES),
                _rate(rates["bond"]),
                column(f"{common} {percent(rates[common]['rate'], 0)}"),
                _cell(_rounds(facts)),
                _cell(_changes(facts)),
            ]
        )
    wins = [f"{label(side)} wins" for side in SIDES]
    headers = ("Scenario", "Runs", *wins, "Bond", "Commonest outcome", "Rounds a run", "Lead changes a run")
    table = Table("All scenarios at a glance", headers, rows, sortable=True)
    return Section("all", "Overview", [Card([table])], "nav")


# --- one scenario -----------------------------------------------------------------------------------------------------


def _section(report: Report, key: str) -> Iterator[Block]:
    facts, who = report.facts, report.facts["players"]
    some = f"the first {number(report.surveyed)} of them" if report.surveyed < facts["n"] else "all of them"
    players = f"{who['dungeon']} plays the dungeon, {who['visitor']} the visitor"
    yield Text(
        [
            f"{number(facts['n'])} runs of ",
            Span(report.name, "code"),
            f", seed {facts['seed']}; {players}. Momentum, keywords and cards are of {some}.",
        ]
    )
    digests = {"Content": "content_digest", ", players": "players_digest", ", result": "result_hash"}
    hashes = [part for word, name in digests.items() for part in (f"{word} ", Span(facts[name], "code"))]
    yield Text(hashes, "quiet")
    tiles = [(f"{label(side)} wins", _win(facts, side), HUES[side]) for side in SIDES]
    tiles += [("Rounds a run", _rounds(facts), ""), ("Lead changes a run", _changes(facts), "")]
    yield Tiles([Tile(name, found.shown, found.ends, look) for name, found, look in tiles])
    yield Heading("Quality")
    yield Card(_quality(facts["quality"]))
    yield Heading("In pictures")
    yield Grid(list(_figures(report)))
    yield Heading("Cards")
    yield from _cards(report.survey.card_usage())
    yield Heading("Runs to read")
    yield Text("Margin: the dungeon's mean share at the end less the visitor's, in points.", "quiet")
    yield Card([_notable(report.notable, key)])
    for run in report.notable:
        summary = f"{run.kind.capitalize()}: {run.run}, {run.outcome} after {run.rounds} rounds ({KINDS[run.kind]})"
        story = [Text(line.text, LOOKS.get(line.kind, "deed")) for line in report.story(run)]
        yield Details(summary, story, _anchor(run, key))


def _quality(found: Facts) -> list[Block]:
    """The five quality metrics with their healthy ranges and verdicts [GDD 18.2], and what they mean together."""
    rows = [_metric(title, found[name]) for name, title in METRICS.items() if found[name]]
    headers = ("Metric", "Value", "Healthy", "Verdict", "Reading")
    told: list[Words] = [[Span(one["title"], "strong"), f": {one['reading']}"] for one in found["readings"]]
    return [Table("The five metrics, where they apply", headers, rows), Items(told)]


def _metric(name: str, found: Facts) -> list[Cell]:
    value, (low, high) = found["value"], found["healthy"]
    verdict = (found["verdict"] or "none") + (f" ({found['severe']})" if found["severe"] else "")
    look = "good" if found["verdict"] == "healthy" else "bad" if found["verdict"] else "quiet"
    return [
        column(name),
        Cell("too few runs", 0) if value is None else _cell(mean(value, found["interval"], 2)),
        ordered(f"{low:g} – {high:g}", low),
        column(verdict, look),
        column(found["reading"], "sentence"),
    ]


def _figures(report: Report) -> Iterator[Figure]:
    facts, rows = report.facts, report.facts["survey"]["keywords"]
    yield Figure(
        "How runs end",
        "All eight outcomes. Orange: the dungeon wins; blue: the visitor; green: both.",
        charts.outcome_bars(facts),
    )
    yield Figure(
        "Momentum",
        "What both sides had left at each round's end, as a mean share of their three resources, over the runs that "
        "lasted so long (the strip below). The band reaches from the runs a side lost to those it won. Every room has "
        "a dungeon that is whole.",
        charts.momentum_curves(report.momentum()),
    )
    yield Figure(
        "Lead changes",
        "How often the side with more left changed during a run.",
        charts.lead_histogram(facts["lead_changes"]),
    )
    if len(report.entries) > 1:
        yield Figure(
            "Attrition",
            "What the visitor had left of its starting values when it entered its first, second, … room. Grey boxes: "
            "the healthy range of the mean.",
            charts.attrition_curve(report.entries),
        )
    yield from cause_figures(report.causes)
    fired = [row for row in rows if any(row[side]["times"] for side in SIDES)]
    keywords = [row for row in fired if row["keyword"]]
    if keywords:
        told = "How often each keyword did something a run, by the side whose doing it was."
        yield Figure("Keywords", told, charts.firing_bars(keywords))
    others = charts.firing_bars([row for row in fired if not row["keyword"]])
    yield Figure("Triggers, Traps, answers and bargains", "The same for everything else.", others, _fired(rows))


def _fired(rows: Sequence[Facts]) -> Table:
    return Table(
        "Everything that was counted",
        ("What", "Dungeon, a run", "In runs", "Visitor, a run", "In runs", "Meaning"),
        [
            [
                column(label(row["name"])),
                *(cell for side in SIDES for cell in (_number(row[side]["a_run"]), _rate(row[side]["runs"]))),
                column(row["meaning"]),
            ]
            for row in rows
        ],
    )


def _number(value: float, digits: int = 2) -> Cell:
    return ordered(number(value, digits), value)


# --- cards and runs ---------------------------------------------------------------------------------------------------


def _cards(uses: Sequence[CardUse]) -> Iterator[Block]:
    found = [use.contribution for use in uses if use.contribution]
    most = max((abs(end) for one in found for end in one.interval), default=0.0) or 1.0
    telling = sum(one.q_value <= FALSE_DISCOVERIES for one in found)
    compared = f"{len(found)} of {len(uses)} cards can be compared; {telling} of them differ beyond chance"
    yield Text(f"{CONTRIBUTION} {compared} (q ≤ {FALSE_DISCOVERIES:g}).", "quiet")
    ordering = sorted(uses, key=lambda use: -use.contribution.difference if use.contribution else 9)
    headers = ("Card", "Side", "Category", "Copies", "Plays a run", "In runs", "Win contribution", "Points", "p", "q")
    rows = [_card(use, most) for use in ordering]
    yield Card([Table("Cards of both sides; a heading sorts", headers, rows, sortable=True)])


def _card(use: CardUse, most: float) -> list[Cell]:
    cells = [
        column(use.title),
        column(use.side, HUES[use.side]),
        column(use.category),
        _number(use.copies, 0),
        _number(use.plays_a_run),
        _cell(share(use.runs, use.runs_interval, 1)),
    ]
    one = use.contribution
    if one is None:
        return [*cells, Cell(Span("too few runs to compare", "quiet"), -9), Cell("", -9), Cell("", 9), Cell("", 9)]
    low, high = one.interval
    points = ordered(f"{100 * one.difference:+.1f}", one.difference, f"{100 * low:.1f} – {100 * high:.1f}")
    mark = Cell("", one.difference, Interval(one.difference, low, high, most))
    return [*cells, mark, points, _chance(one.p_value), _chance(one.q_value)]


def _chance(value: float) -> Cell:
    return ordered("< 0.001" if value < 0.001 else f"{value:.3f}", value)


def _anchor(run: Notable, key: str) -> str:
    return f"{key}-{run.kind.replace(' ', '-')}"


def _notable(runs: Sequence[Notable], key: str) -> Table:
    rows = [
        [
            Cell(Span(run.kind.capitalize(), target=_anchor(run, key)), run.kind),
            column(run.outcome),
            _number(run.rounds, 0),
            ordered("–" if run.closeness is None else f"{run.closeness} %", run.closeness or 0),
            ordered(f"{run.margin:+d}", run.margin),
            column(run.command, "code"),
        ]
        for run in runs
    ]
    headers = ("Run", "Outcome", "Rounds", "Loser's nearest", "Margin", "Play it again")
    return Table("Notable runs of the batch", headers, rows)
