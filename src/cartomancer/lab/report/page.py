"""The report as one HTML page that opens anywhere and asks nothing of any network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from cartomancer.encounters.names import SIDES
from cartomancer.encounters.sentences import Kind
from cartomancer.lab.measures.evidence import FALSE_DISCOVERIES
from cartomancer.lab.report import charts
from cartomancer.lab.report.card_usage import CardUse
from cartomancer.lab.report.charts import percent, text
from cartomancer.lab.report.notable import KINDS, Notable
from cartomancer.lab.report.reports import METRICS, Report
from cartomancer.lab.report.style import POLICY, SCRIPT, STYLE

Facts = dict[str, Any]
Cell = tuple[str, float | str | None]  # markup, and what it is sorted by
WORDS: Final = ' class="words"'
MANY: Final = "Ranges are 95 % intervals. Every number comes from runs that can be played again."


def report_html(reports: Sequence[Report]) -> str:
    """One page: an overview if there are several scenarios, then a section for each."""
    title = f"{reports[0].facts['title']}: a report" if len(reports) == 1 else "Scenarios: a report"
    overview = _overview(reports) if len(reports) > 1 else ""
    sections = "".join(_section(report, f"s{at}") for at, report in enumerate(reports, 1))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#content">Skip to the content</a>\n'
        f'<header><h1>{text(title)}</h1>\n<p class="quiet">{MANY}</p></header>\n'
        f'<main id="content">\n{overview}{sections}</main>\n'
        "<footer><p>This page is complete in itself and loads nothing.</p></footer>\n"
        f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


# --- tables -----------------------------------------------------------------------------------------------------------


def _table(caption: str, headers: Sequence[str], rows: Iterable[Sequence[Cell]], sortable: bool = False) -> str:
    """A table whose first column names its rows; what its cells are sorted by tells words from numbers."""
    rows = list(rows)
    worded = [bool(rows) and isinstance(rows[0][k][1], str) for k in range(len(headers))]
    head = "".join(
        f'<th scope="col"{WORDS if words else ""}>{_heading(name, sortable)}</th>'
        for name, words in zip(headers, worded, strict=True)
    )
    body = "".join(f"<tr>{_cell(row[0], 'th')}{''.join(_cell(cell, 'td') for cell in row[1:])}</tr>\n" for row in rows)
    look = ' class="sortable"' if sortable else ""
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{text(caption)}"><table{look}>'
        f"<caption>{text(caption)}</caption><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>\n"
    )


def _heading(name: str, sortable: bool) -> str:
    return f'<button type="button">{text(name)}</button>' if sortable else text(name)


def _cell(cell: Cell, tag: str) -> str:
    markup, order = cell
    scope = ' scope="row"' if tag == "th" else ""
    sort = "" if order is None else f' data-sort="{text(order)}"'
    look = WORDS if isinstance(order, str) else ""
    return f"<{tag}{scope}{look}{sort}>{markup}</{tag}>"


def _words(value: object) -> Cell:
    return text(value), str(value)


def _rate(rate: Facts) -> Cell:
    return f'{percent(rate["rate"])} <span class="quiet">{_range(rate["low"], rate["high"])}</span>', rate["rate"]


def _range(low: float, high: float) -> str:
    return f"{100 * low:.1f} – {100 * high:.1f}"


def _mean(mean: float, interval: Sequence[float]) -> Cell:
    return f'{mean:.2f} <span class="quiet">{interval[0]:.2f} – {interval[1]:.2f}</span>', mean


def _overview(reports: Sequence[Report]) -> str:
    rows = []
    for at, report in enumerate(reports, 1):
        facts = report.facts
        common = max(facts["outcomes"], key=lambda name: float(facts["outcomes"][name]["rate"]))
        sides = [
            _rate({"rate": facts[f"{side}_win"], "low": bounds[0], "high": bounds[1]})
            for side in SIDES
            for bounds in [facts[f"{side}_win_interval"]]
        ]
        rows.append(
            [
                (f'<a href="#s{at}">{text(report.name)}</a>', report.name),
                (f"{facts['n']:,}", facts["n"]),
                *sides,
                _rate(facts["outcomes"]["bond"]),
                _words(f"{common} {percent(facts['outcomes'][common]['rate'], 0)}"),
                _mean(facts["rounds_mean"], facts["rounds_interval"]),
                _mean(facts["lead_changes"]["mean"], facts["lead_changes"]["interval"]),
            ]
        )
    headers = (
        "Scenario",
        "Runs",
        "Dungeon wins",
        "Visitor wins",
        "Bond",
        "Commonest outcome",
        "Rounds a run",
        "Lead changes a run",
    )
    table = _table("All scenarios at a glance", headers, rows, sortable=True)
    return f'<nav aria-labelledby="all"><h2 id="all">Overview</h2>\n<div class="card">{table}</div></nav>\n'


# --- one scenario -----------------------------------------------------------------------------------------------------


def _section(report: Report, key: str) -> str:
    facts = report.facts
    who = facts["players"]
    some = f"the first {report.surveyed:,} of them" if report.surveyed < facts["n"] else "all of them"
    return "".join(
        (
            f'<section id="{key}" aria-labelledby="{key}-title">\n<h2 id="{key}-title">{text(facts["title"])}</h2>\n',
            f"<p>{facts['n']:,} runs of <code>{text(report.name)}</code>, seed {facts['seed']}; "
            f"{text(who['dungeon'])} plays the dungeon, {text(who['visitor'])} the visitor. "
            f"Momentum, keywords and cards are of {some}.</p>\n",
            f'<p class="quiet">Content <code>{facts["content_digest"]}</code>, players '
            f"<code>{facts['players_digest']}</code>, result <code>{facts['result_hash']}</code></p>\n",
            _tiles(facts),
            _quality(facts["quality"]),
            '<div class="grid">\n',
            _figure(
                "How runs end",
                "All eight outcomes. Orange: the dungeon wins; blue: the visitor; green: both.",
                charts.outcome_bars(facts),
            ),
            _figure(
                "Momentum",
                "What both sides had left at each round's end, as a mean share of their three resources, over the runs "
                "that lasted so long (the strip below). The band reaches from the runs a side lost to those it won. "
                "Every room has a dungeon that is whole.",
                charts.momentum_curves(report.momentum()),
            ),
            _figure(
                "Lead changes",
                "How often the side with more left changed during a run.",
                charts.lead_histogram(facts["lead_changes"]),
            ),
            _attrition(report.entries),
            _firing(facts["survey"]["keywords"]),
            "</div>\n",
            _cards(report),
            _notable(report, key),
            "</section>\n",
        )
    )


def _tiles(facts: Facts) -> str:
    lead = facts["lead_changes"]
    tiles = [
        *(
            (f"{side.capitalize()} wins", percent(facts[f"{side}_win"]), _range(*facts[f"{side}_win_interval"]), side)
            for side in SIDES
        ),
        ("Rounds a run", *_plain(facts["rounds_mean"], facts["rounds_interval"]), ""),
        ("Lead changes a run", *_plain(lead["mean"], lead["interval"]), ""),
    ]
    found = "".join(
        f'<div><dt>{text(name)}</dt><dd class="value {look}">{text(value)}</dd>'
        f'<dd class="quiet">{text(more)}</dd></div>\n'
        for name, value, more, look in tiles
    )
    return f'<dl class="tiles">{found}</dl>\n'


def _plain(mean: float, interval: Sequence[float]) -> tuple[str, str]:
    return f"{mean:.2f}", f"{interval[0]:.2f} – {interval[1]:.2f}"


def _figure(title: str, caption: str, picture: str, more: str = "") -> str:
    return f"<figure><figcaption><h3>{text(title)}</h3><p>{text(caption)}</p></figcaption>\n{picture}{more}</figure>\n"


def _quality(found: Facts) -> str:
    """The five quality metrics with their healthy ranges and verdicts [GDD 18.2], and what they mean together."""
    rows = [_metric(METRICS[name], found[name]) for name in METRICS if found[name]]
    told = "".join(
        f"<li><strong>{text(one['title'])}</strong>: {text(one['reading'])}</li>" for one in found["readings"]
    )
    table = _table("The five metrics, where they apply", ("Metric", "Value", "Healthy", "Verdict", "Reading"), rows)
    return f'<h3>Quality</h3>\n<div class="card">{table}<ul>{told}</ul></div>\n<h3>In pictures</h3>\n'


def _metric(name: str, found: Facts) -> list[Cell]:
    value, (low, high) = found["value"], found["healthy"]
    shown = ("too few runs", "") if value is None else _plain(value, found["interval"])
    verdict = text(found["verdict"] or "none") + (f" ({text(found['severe'])})" if found["severe"] else "")
    return [
        _words(name),
        (f'{shown[0]} <span class="quiet">{shown[1]}</span>', value or 0),
        (f"{low:g} – {high:g}", low),
        (f'<span class="verdict {text(found["verdict"])}">{verdict}</span>', found["verdict"] or ""),
        (f'<div class="sentence">{text(found["reading"])}</div>', found["reading"]),
    ]


def _attrition(rooms: Sequence[Facts]) -> str:
    if len(rooms) < 2:
        return ""
    return _figure(
        "Attrition",
        "What the visitor had left of its starting values when it entered its first, second, … room. "
        "Grey boxes: the healthy range of the mean.",
        charts.attrition_curve(rooms),
    )


def _firing(rows: Sequence[Facts]) -> str:
    fired = [row for row in rows if any(row[side]["times"] for side in SIDES)]
    keywords = [row for row in fired if row["keyword"]]
    table = _table(
        "Everything that was counted",
        ("What", "Dungeon, a run", "In runs", "Visitor, a run", "In runs"),
        [
            [
                (f'<span title="{text(row["meaning"])}">{text(_name(row["name"]))}</span>', row["name"]),
                *(cell for side in SIDES for cell in (_number(row[side]["a_run"]), _rate(row[side]["runs"]))),
            ]
            for row in rows
        ],
    )
    numbers = f"<details><summary>All numbers</summary>{table}</details>"
    others = [row for row in fired if not row["keyword"]]
    found = ""
    if keywords:
        found = _figure(
            "Keywords",
            "How often each keyword did something a run, by the side whose doing it was.",
            charts.firing_bars(keywords),
        )
    return found + _figure(
        "Triggers, Traps, answers and bargains", "The same for everything else.", charts.firing_bars(others), numbers
    )


def _name(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _number(value: float, digits: int = 2) -> Cell:
    return f"{value:.{digits}f}", value


# --- cards and runs ---------------------------------------------------------------------------------------------------


def _cards(report: Report) -> str:
    uses = report.survey.card_usage()
    found = [use.contribution for use in uses if use.contribution]
    most = max((abs(end) for one in found for end in one.interval), default=0.0) or 1.0
    telling = sum(one.q_value <= FALSE_DISCOVERIES for one in found)
    ordered = sorted(uses, key=lambda use: -use.contribution.difference if use.contribution else 9)
    table = _table(
        "Cards of both sides; a heading sorts",
        ("Card", "Side", "Category", "Copies", "Plays a run", "In runs", "Win contribution", "Points", "p", "q"),
        [_card(use, most) for use in ordered],
        sortable=True,
    )
    return (
        '<h3>Cards</h3>\n<p class="quiet">Win contribution: how much more often the owner wins (a Bond counts) in runs '
        "in which the card was played than in runs alike in which it was not, in percentage points. Alike: equally "
        "many rounds, and for the dungeon's cards as many of them in the rooms that have the card, for the visitor's "
        "equally many rooms. It shows what goes together, not what causes what: an answer is played by whoever is in "
        "trouble. "
        f"{len(found)} of {len(uses)} cards can be compared; {telling} of them differ beyond chance "
        f"(q ≤ {FALSE_DISCOVERIES:g}).</p>\n"
        f'<div class="card">{table}</div>\n'
    )


def _card(use: CardUse, most: float) -> list[Cell]:
    low, high = use.runs_interval
    cells: list[Cell] = [
        (f"{text(use.title)}", use.title),
        (f'<span class="side {use.side}">{use.side}</span>', use.side),
        _words(use.category),
        _number(use.copies, 0),
        _number(use.plays_a_run),
        _rate({"rate": use.runs, "low": low, "high": high}),
    ]
    one = use.contribution
    if one is None:
        return [*cells, ('<span class="quiet">too few runs to compare</span>', -9), ("", -9), ("", 9), ("", 9)]
    points = f'{100 * one.difference:+.1f} <span class="quiet">{_range(*one.interval)}</span>'
    mark = charts.difference_mark(one.difference, one.interval, most)
    return [*cells, (mark, one.difference), (points, one.difference), _chance(one.p_value), _chance(one.q_value)]


def _chance(value: float) -> Cell:
    return ("&lt; 0.001" if value < 0.001 else f"{value:.3f}"), value


def _notable(report: Report, key: str) -> str:
    rows = [
        [
            (f'<a href="#{key}-{_anchor(run)}">{text(run.kind.capitalize())}</a>', run.kind),
            _words(run.outcome),
            _number(run.rounds, 0),
            ("–" if run.closeness is None else f"{run.closeness} %", run.closeness or 0),
            (f"{run.margin:+d}", run.margin),
            (f"<code>{text(run.command)}</code>", run.command),
        ]
        for run in report.notable
    ]
    headers = ("Run", "Outcome", "Rounds", "Loser's nearest", "Margin", "Play it again")
    stories = "".join(_story(report, run, key) for run in report.notable)
    return (
        "<h3>Runs to read</h3>\n<p class=\"quiet\">Margin: the dungeon's mean share at the end less the visitor's, in "
        f'points.</p>\n<div class="card">{_table("Notable runs of the batch", headers, rows)}</div>\n{stories}'
    )


def _anchor(run: Notable) -> str:
    return run.kind.replace(" ", "-")


def _story(report: Report, run: Notable, key: str) -> str:
    told = []
    for line in report.story(run):
        look = {Kind.ROOM: "room", Kind.ROUND: "round", Kind.TURN: "turn"}.get(line.kind, "deed")
        told.append(f'<p class="{look}">{text(line.text)}</p>')
    summary = f"{run.kind.capitalize()}: {run.run}, {run.outcome} after {run.rounds} rounds ({KINDS[run.kind]})"
    return (
        f'<details class="story" id="{key}-{_anchor(run)}"><summary>{text(summary)}</summary>\n{"".join(told)}\n'
        "</details>\n"
    )
