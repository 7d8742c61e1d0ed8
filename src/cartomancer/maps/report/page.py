"""The audit report: one HTML page over one or more audits that opens anywhere and asks nothing of any network.

>>> page = audit_html([])
>>> page.startswith("<!doctype html>"), "No audits" in page
(True, True)
"""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from plotly.offline import get_plotlyjs

from cartomancer.maps import families
from cartomancer.maps.report import route_figures, type_figures, unknown_figures
from cartomancer.maps.report.looks import Chart, Row, colour
from cartomancer.maps.report.words import label, number, percent, with_interval

Audit = dict[str, Any]

# the browser itself holds the page to its promise: inline or nothing
POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
GROUPS: Final[tuple[tuple[str, tuple[Callable[[Audit], Chart | None], ...]], ...]] = (
    (
        "Where things are",
        (type_figures.row_types, type_figures.cells, type_figures.first_rows, route_figures.on_a_route),
    ),
    (
        "Routes and range",
        (
            route_figures.route_counts,
            route_figures.disjoint_routes,
            route_figures.forced_nodes,
            type_figures.expressive_range,
        ),
    ),
)
STYLE: Final = """
:root { color-scheme: light; --ink: #1d2430; --muted: #525b69; --line: #dfe3e9; --page: #f6f7f9; --link: #1f5584;
  --good: #1d6b3a; --bad: #a3211f; --mark: #fdf1d3; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--page); color: var(--ink); line-height: 1.5;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
.skip { position: absolute; left: -999rem; } .skip:focus { left: 1rem; top: 1rem; background: #fff; padding: .5rem; }
header, main, footer { max-width: 1200px; margin: 0 auto; padding: 0 clamp(1rem, 3vw, 2rem); }
header { padding-top: 2.5rem; } footer { padding-bottom: 3rem; color: var(--muted); font-size: .9rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h3 { font-size: 1.15rem; margin: 2rem 0 .75rem; } h4 { font-size: 1rem; margin: 0; }
a { color: var(--link); } a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 3px solid #6f9cc4; }
p { margin: .25rem 0 .75rem; } .quiet { color: var(--muted); } code { font-size: .93em; }
nav, section { margin: 2rem 0 3rem; } section { border-top: 2px solid var(--ink); padding-top: 1.5rem; }
.card, figure { background: #fff; border: 1px solid var(--line); border-radius: 10px; padding: 1rem; margin: 0;
  min-width: 0; }
.tiles { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .75rem; margin: 1rem 0; }
@media (min-width: 56rem) { .tiles { grid-template-columns: repeat(4, minmax(0, 1fr)); } }
.tiles > div { background: #fff; border: 1px solid var(--line); border-radius: 10px; padding: .75rem 1rem; }
.tiles dt { color: var(--muted); font-size: .85rem; } .tiles dd { margin: 0; }
.tiles .value { font-size: 1.5rem; font-weight: 650; line-height: 1.3; font-variant-numeric: tabular-nums; }
.tiles .more { color: var(--muted); font-size: .82rem; }
.tiles .good .value { color: var(--good); } .tiles .bad .value { color: var(--bad); }
.verdict { background: #fff; border: 1px solid var(--line); border-left: 5px solid var(--good); border-radius: 6px;
  padding: .75rem 1rem; margin: 1rem 0; } .verdict.bad { border-left-color: var(--bad); }
.verdict p { margin: 0; } .verdict ul { margin: .5rem 0; padding-left: 1.25rem; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 1rem; }
.grid > .wide { grid-column: 1 / -1; }
figcaption p { color: var(--muted); font-size: .9rem; margin: .15rem 0 .75rem; }
.map img { display: block; width: auto; max-width: 100%; max-height: 34rem; margin: 0 auto; }
.scroll { overflow-x: auto; } details { margin-top: .5rem; } summary { color: var(--link); cursor: pointer; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem; }
caption { text-align: left; color: var(--muted); padding-bottom: .4rem; }
th, td { text-align: right; padding: .38rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { color: var(--muted); font-weight: 600; border-bottom-color: #aab2bd; vertical-align: bottom; }
th:first-child, td.words { text-align: left; } tbody th { font-weight: 600; }
tr.differs > * { background: var(--mark); }
.dot { display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .5em; }
@media print { body { background: #fff; } figure, .card, tr { break-inside: avoid; } }
"""


def audit_html(
    audits: Sequence[Audit], pictures: Mapping[str, str] | None = None, comparison: Sequence[Audit] = ()
) -> str:
    """One offline page: an index, a section for every audit, and the comparison if there is one.

    `pictures` maps "family:preset" to the SVG of an example map; `comparison` is what `auditing.compare` returns
    for the first two audits.
    """
    shown = pictures or {}
    sections = [_section(facts, f"audit-{at}", shown.get(_name(facts))) for at, facts in enumerate(audits, 1)]
    compared = _comparison(comparison, audits) if comparison else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(_title(audits))}</title>\n<style>{STYLE}</style>\n"
        f"<script>{get_plotlyjs() if audits else ''}</script>\n</head>\n<body>\n"
        '<a class="skip" href="#content">Skip to the content</a>\n'
        f"<header><h1>{_text(_title(audits))}</h1>\n"
        '<p class="quiet">What the generator does over many seeds. Ranges are 95 % intervals.</p></header>\n'
        f'<main id="content">\n{_index(audits, bool(comparison))}{"".join(sections)}{compared}</main>\n'
        "<footer><p>This page is complete in itself and loads nothing.</p></footer>\n</body>\n</html>\n"
    )


def _text(value: object) -> str:
    return html.escape(str(value))


def _name(facts: Audit) -> str:
    return f"{facts['family']}:{facts['preset']}"


def _title(audits: Sequence[Audit]) -> str:
    return f"Map audit: {_name(audits[0])}" if len(audits) == 1 else "Map audits"


def _table(
    caption: str, headers: Row, rows: Iterable[Row], marked: Sequence[bool] = (), named: Sequence[str] = ()
) -> str:
    """A table whose first column names its rows; `named` are those names as markup, where text is not enough."""
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in headers)
    body = []
    for at, (first, *rest) in enumerate(rows):
        start = '<tr class="differs">' if marked and marked[at] else "<tr>"
        cells = "".join(f"<td>{_text(cell)}</td>" for cell in rest)
        body.append(f'{start}<th scope="row">{named[at] if named else _text(first)}</th>{cells}</tr>')
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{_text(caption)}"><table>'
        f"<caption>{_text(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>\n"
    )


def _index(audits: Sequence[Audit], compared: bool) -> str:
    if not audits:
        return "<p>No audits were given.</p>\n"
    rows = [
        [
            _name(facts),
            number(facts["maps"]),
            number(facts["violations"]["total"]),
            number(facts["typing"]["waivers"]),
            " ".join(_rate(facts["typing"]["reroll_rate"], facts["typing"]["reroll_rate_interval"])),
            number(facts["routes"]["mean"]),
            number(facts["routes"]["nodes"]),
        ]
        for facts in audits
    ]
    links = [f'<a href="#audit-{at}">{_text(_name(facts))}</a>' for at, facts in enumerate(audits, 1)]
    headers = ("Preset", "Maps", "Violations", "Waivers", "Re-roll rate", "Routes, mean", "Nodes, mean")
    table = _table("All audits at a glance", headers, rows, named=links)
    more = '<p><a href="#comparison">Comparison</a></p>\n' if compared else ""
    return f'<nav aria-labelledby="index"><h2 id="index">Index</h2>\n<div class="card">{table}</div>{more}</nav>\n'


def _rate(rate: float, interval: Sequence[float]) -> tuple[str, str]:
    value, ends = with_interval(rate, interval, as_percent=True)
    return value, f"({ends})"


# --- one audit ------------------------------------------------------------------------------------------------------


def _section(facts: Audit, key: str, picture: str | None) -> str:
    last = facts["first_seed"] + max(facts["maps"], 1) - 1
    about = f"Seeds {number(facts['first_seed'])} to {number(last)}, ruleset "
    parts = [
        f'<section id="{key}" aria-labelledby="{key}-title">\n<h2 id="{key}-title">{_text(_name(facts))}</h2>\n',
        f'<p class="quiet">{about}<code>{_text(facts["ruleset"])}</code></p>\n',
        _verdict(facts),
        _tiles(facts),
        _notes(facts["notes"]),
        f'<h3>Types</h3>\n<div class="grid">\n<div class="card wide">{_types(facts)}</div>\n',
        _figure(type_figures.rolled_types(facts), key, "" if picture else "wide"),
        _picture(picture, facts) if picture else "",
        "</div>\n",
    ]
    for title, charts in GROUPS:
        parts.append(f'<h3>{title}</h3>\n<div class="grid">\n')
        parts += [_figure(chart(facts), key) for chart in charts]
        parts.append("</div>\n")
    if facts["unknown"]:
        visits = _table("Visits to Unknowns, and the mean pity before", *unknown_figures.unknown_table(facts))
        parts += [
            '<h3>Unknowns</h3>\n<div class="grid">\n',
            _figure(unknown_figures.unknown_outcomes(facts), key),
            _figure(unknown_figures.unknown_pity(facts), key),
            f'<div class="card wide">{visits}</div>\n</div>\n',
        ]
    return "".join([*parts, "</section>\n"])


def _verdict(facts: Audit) -> str:
    found, failed = facts["violations"], facts["typing"]["failed_seeds"]
    lost = f" {_counted(failed, 'seed')} gave no map at all." if failed else ""
    if not found["total"]:
        _, ends = with_interval(0.0, found["rate_interval"], as_percent=True)
        tone = " bad" if failed else ""
        return (
            f'<div class="verdict{tone}"><p><strong>No map broke a rule.</strong> '
            f"The 95 % interval of the share that would: {ends}.{lost}</p></div>\n"
        )
    rules = []
    for rule_id, times in sorted(found["by_rule"].items(), key=lambda item: -item[1]):
        rule = families.of(facts["family"]).rule_by_id.get(rule_id)
        words = f"{rule.title} – {rule.statement}" if rule else rule_id
        rules.append(f"<li><code>{_text(rule_id)}</code>, {_counted(times, 'time')}: {_text(words)}</li>")
    rate, ends = _rate(found["maps"] / max(facts["maps"], 1), found["rate_interval"])
    seed = _text(f"{_name(facts)}:{found['first_bad_seed']}")
    return (
        f'<div class="verdict bad"><p><strong>{_counted(found["total"], "violation")} in '
        f"{_counted(found['maps'], 'map')}</strong>, {rate} {ends} of all. These rules broke:</p>\n"
        f"<ul>{''.join(rules)}</ul>\n<p>The first bad map is <code>{seed}</code>.{lost}</p></div>\n"
    )


def _counted(count: int, noun: str, plural: str = "s") -> str:
    return f"{number(count)} {noun}{'' if count == 1 else plural}"


def _tiles(facts: Audit) -> str:
    typing, routes, broken = facts["typing"], facts["routes"], facts["violations"]
    rerolled = with_interval(typing["reroll_rate"], typing["reroll_rate_interval"], as_percent=True)
    waived = with_interval(typing["waiver_rate"], typing["waiver_rate_interval"], as_percent=True)
    asked = f"of {number(facts['asked_for'])} asked for"
    in_maps = f"in {_counted(broken['maps'], 'map')}"
    searched = f"{waived[1]} per map; {_counted(typing['searches'], 'search', 'es')}"
    tiles = [
        ("Maps surveyed", number(facts["maps"]), asked, "bad" if facts["maps"] < facts["asked_for"] else ""),
        ("Violations", number(broken["total"]), in_maps, "bad" if broken["total"] else "good"),
        ("Waivers", number(typing["waivers"]), searched, "bad" if typing["waivers"] else "good"),
        ("Re-roll rate", rerolled[0], f"{rerolled[1]} of rolled nodes", ""),
        ("Mean routes", number(routes["mean"]), "from the first row to the boss", ""),
        ("Mean nodes / edges", f"{number(routes['nodes'])} / {number(routes['edges'])}", "per map", ""),
        ("Mean rolled nodes", number(typing["rolled_nodes"]), f"with {number(typing['rerolls'])} re-rolls per map", ""),
        ("Mean forced types", number(typing["forced_per_map"]), "put there by a guarantee, per map", ""),
    ]
    found = "".join(
        f'<div class="{tone}"><dt>{_text(name)}</dt><dd class="value">{_text(value)}</dd>'
        f'<dd class="more">{_text(more)}</dd></div>\n'
        for name, value, more, tone in tiles
    )
    return f'<dl class="tiles">\n{found}</dl>\n'


def _notes(notes: Sequence[str]) -> str:
    if not notes:
        return ""
    return f'<h3>Notes</h3>\n<ul class="notes">{"".join(f"<li>{_text(note)}</li>" for note in notes)}</ul>\n'


def _types(facts: Audit) -> str:
    rows, names = [], []
    for name, entry in facts["types"].items():
        rows.append(
            [
                label(name),
                *with_interval(entry["mean"], entry["interval"]),
                percent(entry["share"], 1),
                *with_interval(entry["maps_with"], entry["maps_with_interval"], as_percent=True),
            ]
        )
        dot = f'<span class="dot" style="background:{colour(name)}" aria-hidden="true"></span>'
        names.append(dot + _text(label(name)))
    headers = ("Type", "Mean per map", "95 % interval", "Share of nodes", "Maps with it", "95 % interval")
    return _table("Nodes of each type", headers, rows, named=names)


def _picture(picture: str, facts: Audit) -> str:
    """The example map as an image: its ids stay its own, and nothing inside it can run or load."""
    if "xmlns=" not in picture:
        picture = picture.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    data = base64.b64encode(picture.encode()).decode()
    name = _text(_name(facts))
    return (
        f'<figure class="map"><img alt="An example map of {name}" src="data:image/svg+xml;base64,{data}">'
        f"<figcaption><p>A map of {name}.</p></figcaption></figure>\n"
    )


def _figure(chart: Chart | None, key: str, look: str = "") -> str:
    if chart is None:
        return ""
    own = f"{key}-{chart.key}"
    role = "group" if chart.interactive else "img"
    numbers = ""
    if chart.rows:
        table = _table(chart.title, chart.headers, chart.rows)
        numbers = f"<details><summary>Numbers</summary>{table}</details>"
    return (
        f'<figure class="{look}" aria-labelledby="{own}"><figcaption><h4 id="{own}">{_text(chart.title)}</h4>'
        f"<p>{_text(chart.caption)}</p></figcaption>\n"
        f'<div role="{role}" aria-label="{_text(chart.spoken)}">{chart.markup(key)}</div>\n{numbers}</figure>\n'
    )


# --- two audits side by side ------------------------------------------------------------------------------------------


def _comparison(rows: Sequence[Audit], audits: Sequence[Audit]) -> str:
    names = ["One", "Two"]
    if len(audits) >= 2:
        names = [_name(facts) for facts in audits[:2]]
        if names[0] == names[1]:
            names = [f"{_name(facts)} ({facts['ruleset']})" for facts in audits[:2]]
    differing = sum(bool(row["differs"]) for row in rows)
    table = _table(
        f"{names[0]} against {names[1]}",
        ("Number", names[0], "95 % interval", names[1], "95 % interval", "Difference", "Differs"),
        [_compared(row) for row in rows],
        marked=[bool(row["differs"]) for row in rows],
    )
    return (
        '<section id="comparison" aria-labelledby="comparison-title"><h2 id="comparison-title">Comparison</h2>\n'
        f'<p class="quiet">{number(differing)} of {_counted(len(rows), "number")} differ: their 95 % intervals do not '
        f'overlap. Those rows are highlighted.</p>\n<div class="card">{table}</div></section>\n'
    )


def _compared(row: Audit) -> Row:
    share = row["metric"].startswith("maps with ") or row["metric"].endswith(" rate")
    one = with_interval(row["one"], row["one_interval"], share)
    two = with_interval(row["two"], row["two_interval"], share)
    change = row["difference"]
    moved = f"{number(round(change * 100, 2))} points" if share else number(round(change, 4))
    sign = "+" if change > 0 else ""
    return [label(row["metric"]), *one, *two, sign + moved, "Yes" if row["differs"] else "No"]
