"""The audit report: one page over one or more audits.

>>> page = audit_html([])
>>> page.startswith("<!doctype html>"), "No audits" in page
(True, True)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cartomancer.maps.report import route_charts, type_charts, unknown_charts
from cartomancer.maps.rulebook import BY_ID
from cartomancer.pages import (
    Block,
    Card,
    Cell,
    Grid,
    Heading,
    Items,
    Note,
    Page,
    Picture,
    Section,
    Span,
    Table,
    Text,
    Tile,
    Tiles,
    Words,
    html,
)
from cartomancer.pages.numbers import counted, label, mean, number, percent, share

Audit = dict[str, Any]


def audit_html(
    audits: Sequence[Audit], pictures: Mapping[str, str] | None = None, comparison: Sequence[Audit] = ()
) -> str:
    """One offline page: an index, a section for every audit, and the comparison if there is one.

    `pictures` maps "family:preset" to the SVG of an example map; `comparison` is what `auditing.compare` returns
    for the first two audits.
    """
    shown = pictures or {}
    title = f"Map audit: {_name(audits[0])}" if len(audits) == 1 else "Map audits"
    blocks: list[Block] = [_index(audits, bool(comparison))] if audits else [Text("No audits were given.")]
    for at, facts in enumerate(audits, 1):
        blocks.append(Section(f"audit-{at}", _name(facts), list(_section(facts, shown.get(_name(facts))))))
    if comparison:
        blocks.append(_comparison(comparison, audits))
    return html(Page(title, "What the generator does over many seeds. Ranges are 95 % intervals.", blocks))


def _name(facts: Audit) -> str:
    return f"{facts['family']}:{facts['preset']}"


def _index(audits: Sequence[Audit], compared: bool) -> Section:
    rows: list[list[Cell | str]] = []
    for at, facts in enumerate(audits, 1):
        rerolled = share(facts["typing"]["reroll_rate"], facts["typing"]["reroll_rate_interval"])
        rows.append(
            [
                Cell(Span(_name(facts), target=f"audit-{at}")),
                number(facts["maps"]),
                number(facts["violations"]["total"]),
                number(facts["typing"]["waivers"]),
                rerolled.words,
                number(facts["routes"]["mean"]),
                number(facts["routes"]["nodes"]),
            ]
        )
    headers = ("Preset", "Maps", "Violations", "Waivers", "Re-roll rate", "Routes, mean", "Nodes, mean")
    blocks: list[Block] = [Card([Table("All audits at a glance", headers, rows)])]
    blocks += [Text(Span("Comparison", target="comparison"))] if compared else []
    return Section("index", "Index", blocks, "nav")


# --- one audit --------------------------------------------------------------------------------------------------------


def _section(facts: Audit, picture: str | None) -> Iterator[Block]:
    last = facts["first_seed"] + max(facts["maps"], 1) - 1
    seeds = f"Seeds {number(facts['first_seed'])} to {number(last)}, ruleset "
    yield Text([seeds, Span(facts["ruleset"], "code")], "quiet")
    yield _verdict(facts)
    yield _tiles(facts)
    if facts["notes"]:
        yield Heading("Notes")
        yield Items(facts["notes"])
    name = _name(facts)
    yield Heading("Types")
    types: list[Block] = [Card([_types(facts)])]
    types += [type_charts.rolled_types(facts)] if facts["rolled"] else []
    types += [Picture(picture, f"An example map of {name}", f"A map of {name}.")] if picture else []
    yield Grid(types)
    yield Heading("Where things are")
    places = (type_charts.row_types, type_charts.cells, type_charts.first_rows, route_charts.on_a_route)
    yield Grid([chart(facts) for chart in places])
    yield Heading("Routes and range")
    routes = (route_charts.route_counts, route_charts.disjoint_routes, route_charts.forced_nodes)
    yield Grid([chart(facts) for chart in (*routes, type_charts.expressive_range)])
    if facts["unknown"]:
        yield Heading("Unknowns")
        yield Grid([unknown_charts.unknown_outcomes(facts), unknown_charts.unknown_pity(facts)])


def _verdict(facts: Audit) -> Note:
    found, failed = facts["violations"], facts["typing"]["failed_seeds"]
    lost = f" {counted(failed, 'seed')} gave no map at all." if failed else ""
    if not found["total"]:
        would = f" The 95 % interval of the share that would: {share(0.0, found['rate_interval']).ends}.{lost}"
        return Note([Span("No map broke a rule.", "strong"), would], "bad" if failed else "good")
    rules: list[Words] = []
    for rule_id, times in sorted(found["by_rule"].items(), key=lambda item: -item[1]):
        rule = BY_ID.get(rule_id)
        words = f"{rule.title} – {rule.statement}" if rule else rule_id
        rules.append([Span(rule_id, "code"), f", {counted(times, 'time')}: {words}"])
    rate = share(found["maps"] / max(facts["maps"], 1), found["rate_interval"]).words
    broken = f"{counted(found['total'], 'violation')} in {counted(found['maps'], 'map')}"
    first = Span(f"{_name(facts)}:{found['first_bad_seed']}", "code")
    return Note(
        [Span(broken, "strong"), f", {rate} of all. These rules broke:"],
        "bad",
        [Items(rules), Text(["The first bad map is ", first, f".{lost}"])],
    )


def _tiles(facts: Audit) -> Tiles:
    typing, routes, broken = facts["typing"], facts["routes"], facts["violations"]
    rerolled = share(typing["reroll_rate"], typing["reroll_rate_interval"])
    waived = share(typing["waiver_rate"], typing["waiver_rate_interval"])
    asked, in_maps = f"of {number(facts['asked_for'])} asked for", f"in {counted(broken['maps'], 'map')}"
    searched = f"{waived.ends} per map; {counted(typing['searches'], 'search', 'es')}"
    sizes = f"{number(routes['nodes'])} / {number(routes['edges'])}"
    return Tiles(
        [
            Tile("Maps surveyed", number(facts["maps"]), asked, "bad" if facts["maps"] < facts["asked_for"] else ""),
            Tile("Violations", number(broken["total"]), in_maps, "bad" if broken["total"] else "good"),
            Tile("Waivers", number(typing["waivers"]), searched, "bad" if typing["waivers"] else "good"),
            Tile("Re-roll rate", rerolled.shown, f"{rerolled.ends} of rolled nodes"),
            Tile("Mean routes", number(routes["mean"]), "from the first row to the boss"),
            Tile("Mean nodes / edges", sizes, "per map"),
            Tile(
                "Mean rolled nodes",
                number(typing["rolled_nodes"]),
                f"with {number(typing['rerolls'])} re-rolls per map",
            ),
            Tile("Mean forced types", number(typing["forced_per_map"]), "put there by a guarantee, per map"),
        ]
    )


def _types(facts: Audit) -> Table:
    rows: list[list[Cell | str]] = []
    for name, entry in facts["types"].items():
        each = mean(entry["mean"], entry["interval"])
        having = share(entry["maps_with"], entry["maps_with_interval"])
        cells = (each.shown, each.ends, percent(entry["share"], 1), having.shown, having.ends)
        rows.append([Cell(Span(label(name), dot=type_charts.hue(name))), *cells])
    headers = ("Type", "Mean per map", "95 % interval", "Share of nodes", "Maps with it", "95 % interval")
    return Table("Nodes of each type", headers, rows)


# --- two audits side by side ------------------------------------------------------------------------------------------


def _comparison(rows: Sequence[Audit], audits: Sequence[Audit]) -> Section:
    names = [_name(facts) for facts in audits[:2]] if len(audits) >= 2 else ["One", "Two"]
    if names[0] == names[1]:
        names = [f"{_name(facts)} ({facts['ruleset']})" for facts in audits[:2]]
    marked = [bool(row["differs"]) for row in rows]
    table = Table(
        f"{names[0]} against {names[1]}",
        ("Number", names[0], "95 % interval", names[1], "95 % interval", "Difference", "Differs"),
        [_compared(row) for row in rows],
        marked=marked,
    )
    told = f"{number(sum(marked))} of {counted(len(rows), 'number')} differ: their 95 % intervals do not overlap."
    return Section("comparison", "Comparison", [Text(f"{told} Those rows are highlighted.", "quiet"), Card([table])])


def _compared(row: Audit) -> list[str]:
    as_share = row["metric"].startswith("maps with ") or row["metric"].endswith(" rate")
    form = share if as_share else mean
    one, two = (form(row[key], row[f"{key}_interval"]) for key in ("one", "two"))
    change = row["difference"]
    moved = f"{number(round(change * 100, 2))} points" if as_share else number(round(change, 4))
    shown = [text for found in (one, two) for text in (found.shown, found.ends)]
    return [label(row["metric"]), *shown, ("+" if change > 0 else "") + moved, "Yes" if row["differs"] else "No"]
