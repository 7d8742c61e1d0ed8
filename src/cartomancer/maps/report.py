"""The audit report: one page over one or more audits, and its charts.

>>> page = audit_html([])
>>> page.startswith("<!doctype html>"), "No audits" in page
(True, True)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from cartomancer.intervals import wilson
from cartomancer.maps import families
from cartomancer.maps.icons import LOOKS
from cartomancer.pages import render
from cartomancer.pages.charts import Bars, Heat, Lines, Series
from cartomancer.pages.numbers import Estimate, digits_for, exact, label, number, percent, share

Facts = Mapping[str, Any]

COLUMN_NAMES: Final[dict[str, tuple[str, ...]]] = {"contract": ("safe", "risk")}
# the hues of the drawn maps
HUES: Final = {"battle": LOOKS["monster"].hue} | {kind: look.hue for kind, look in LOOKS.items()}
MIDDLE_90: Final = (0.05, 0.95)


def audit_html(
    audits: Sequence[Facts],
    pictures: Mapping[str, str] | None = None,
    comparison: Sequence[Facts] = (),
    sides: Sequence[str] = ("One", "Two"),
) -> str:
    """One offline page: an index, the comparison if there is one, and a section for every audit.

    `pictures` maps "family:preset" to the SVG of an example map; `comparison` is what `auditing.compare` returns
    for two audits, `sides` what these are called.
    """
    names = [f"{facts['family']}:{facts['preset']}" for facts in audits]
    return render(
        __name__,
        "audit.html",
        audits=audits,
        names=names,
        pictures=pictures or {},
        comparison=comparison,
        sides=sides,
        rules={
            rule.id: f"{rule.title} – {rule.statement}"
            for family in {facts["family"] for facts in audits}
            for rule in families.of(family).rules
        },
        breakable=breakable,
        hue=hue,
        column_names=COLUMN_NAMES,
        **{chart.__name__: chart for chart in CHARTS},
    )


def breakable(name: str) -> str:
    """A preset's name that may be broken into lines, as the heads of columns are: after each part."""
    return re.sub(r"([:\[\],={_])", "\\1\u200b", name)


# --- types: what was rolled, where it stands, how maps spread ---------------------------------------------------------


def hue(name: str) -> str:
    """The hue of a node type or Unknown outcome, the same on every chart."""
    return HUES.get(name, "plain")


def rolled_types(facts: Facts) -> Bars:
    """Rolled types as observed, against what odds and bans implied."""
    rolled = facts["rolled"]
    observed = [share(entry["observed"], entry["interval"]) for entry in rolled.values()]
    implied = [
        exact(entry["implied"], percent(entry["implied"], digits_for(entry["interval"], 100)))
        for entry in rolled.values()
    ]
    inside = sum(seen.low <= due.value <= seen.high for seen, due in zip(observed, implied, strict=True))
    spoken = f"The implied share lies inside the observed 95 % interval for {inside} of {len(rolled)} types."
    series = [Series("Observed", observed, list(map(hue, rolled))), Series("Implied", implied, "ink", "tick")]
    return Bars(spoken, "Type", list(map(label, rolled)), series)


def _grid(rows: int, columns: int) -> str:
    return f"A heat map of {rows} rows by {columns} types; the table below has the same numbers."


def row_types(facts: Facts) -> Heat:
    """The types of every row."""
    names = [name for name, entry in facts["types"].items() if entry["total"]]
    rows = facts["rows"]
    values = [[float(row["types"].get(name, 0.0)) for name in names] for row in rows]
    nodes = ("Nodes per map", [number(row["nodes"], 2) for row in rows])
    columns, up = list(map(label, names)), [f"{row['row']}" for row in rows]
    return Heat(_grid(len(rows), len(names)), "Type", "Row", columns, up, values, "of the row's nodes", beside=nodes)


def cells(facts: Facts) -> list[tuple[str, Heat]]:
    """Where nodes stand, all of them or those of one type."""
    grids = {"All nodes": facts["cells"], **{label(name): grid for name, grid in facts["cell_types"].items()}}
    rows, columns = len(facts["cells"]), len(facts["cells"][0])
    names = COLUMN_NAMES.get(facts["family"], ())
    across = [label(names[index]) if index < len(names) else str(index + 1) for index in range(columns)]
    side, up = "Lane" if names else "Column", [str(row + 1) for row in range(rows)]
    spoken = f"a heat map of {rows} rows by {columns} columns."
    return [(name, Heat(f"{name}: {spoken}", side, "Row", across, up, grid, "of maps")) for name, grid in grids.items()]


def first_rows(facts: Facts) -> Heat:
    """On which row a map shows each type for the first time."""
    types = facts["routes"]["types"]
    rows = [row["row"] for row in facts["rows"]]
    maps = facts["maps"] - facts["typing"]["failed_seeds"] or 1
    shares = [[entry["first_row"].get(str(row), 0) / maps for entry in types.values()] for row in rows]
    never = [max(0.0, 1 - sum(entry["first_row"].values()) / maps) for entry in types.values()]
    spoken, columns, up = _grid(len(rows), len(types)), list(map(label, types)), [*map(str, rows), "Never"]
    return Heat(spoken, "Type", "First row", columns, up, [*shares, never], "of maps", top=1.0)


def expressive_range(facts: Facts) -> Heat:
    """How linear and how dangerous the maps are, on the same axes for every preset."""
    found = facts["expressive_range"]
    total = sum(map(sum, found["maps"])) or 1
    across, up = found["linearity_bins"], found["danger_bins"]
    linear, danger = found["linearity_mean"], found["danger_mean"]
    words = f"Mean linearity {percent(linear, 1)}, mean danger {number(danger, 2)} points per row"
    return Heat(
        f"A heat map of linearity and danger. {words}.",
        across="Linearity (share of nodes with one way onward)",
        up="Danger (points per row)",
        columns=[f"{low:.0%}–{high:.0%}" for low, high in pairwise(across)],
        rows=[f"{low:g}–{high:g}" for low, high in pairwise(up)],
        values=[[count / total for count in line] for line in found["maps"]],
        what="of maps",
        fine=True,
        cross=(linear / (across[1] - across[0]), min(danger / (up[1] - up[0]), len(up) - 1), words),
    )


# --- routes: how many, how different, what they meet ------------------------------------------------------------------


def distribution(what: str, unit: str, counts: Mapping[str, int], names: Sequence[str] = ()) -> Bars:
    """Shares of maps over whole numbers, gaps included, with intervals."""
    values = sorted(int(value) for value in counts)
    span = range(values[0], values[-1] + 1) if values else range(0)
    shown = list(names) or [number(value) for value in span]
    total = sum(counts.values())
    hits = [counts.get(str(value), 0) for value in span]
    shares = [share(hit / total, wilson(hit, total)) for hit in hits]
    top = max(range(len(span)), key=hits.__getitem__, default=None)
    common = f"most often {shown[top]} ({percent(shares[top].value)} of maps)" if top is not None else "no maps"
    spoken = f"A bar chart of {what}: {common}."
    return Bars(spoken, unit, shown, [_counts("Maps", hits), Series("Share", shares)])


def _counts(name: str, counts: Iterable[int]) -> Series:
    """What the shares beside it are of, for the table alone."""
    return Series(name, [exact(count, number(count)) for count in counts], shape="")


def route_counts(facts: Facts) -> Bars:
    """How many routes a map has, in bins that double."""
    counts = facts["routes"]["log2"]
    bins = range(min(map(int, counts), default=0), max(map(int, counts), default=-1) + 1)
    names = [number(2**k) if k == 0 else f"{number(2**k)}–{number(2 ** (k + 1) - 1)}" for k in bins]
    return distribution("routes per map", "Routes from start to boss", counts, names)


def quantile(counts: Mapping[str, int], share: float) -> int:
    """The smallest value that at least this share of a histogram does not exceed."""
    wanted, seen, value = share * sum(counts.values()), 0, 0
    for value in sorted(map(int, counts)):
        seen += counts[str(value)]
        if seen >= wanted:
            break
    return value


def on_a_route(facts: Facts) -> Bars:
    """The fewest and the most nodes of each type that a route can meet."""
    types = facts["routes"]["types"]

    def spread(name: str, key: str) -> Estimate:
        mean = types[name][f"{key}_mean"]
        low, high = (quantile(types[name][key], end) for end in MIDDLE_90)
        return Estimate(mean, number(mean, 2), min(low, mean), max(high, mean), f"{low}–{high}")

    hues = list(map(hue, types))
    series = [
        Series(f"{words}, mean", [spread(name, key) for name in types], hues, shape, f"{words}, middle 90 %")
        for key, words, shape in (("least", "Fewest", "diamond"), ("most", "Most", "disc"))
    ]
    spoken = f"For each of {len(types)} types, the mean fewest and most nodes on one route; the table has the numbers."
    return Bars(spoken, "Type", list(map(label, types)), series)


# --- stakes of contracts ----------------------------------------------------------------------------------------------


def at_stake(kind: str, count: Facts) -> Bars:
    """What a kind of stake came out as, on the nodes that rolled it."""
    outcomes = count["outcomes"]
    spoken = f"A bar chart of {kind}: most often {outcomes[0]['title']} ({percent(outcomes[0]['share'])})."
    nodes = _counts("Nodes", (entry["nodes"] for entry in outcomes))
    shares = Series("Share", [share(entry["share"], entry["interval"]) for entry in outcomes])
    return Bars(spoken, label(kind), [entry["title"] for entry in outcomes], [nodes, shares])


# --- Unknowns: outcomes and pity, visit by visit ----------------------------------------------------------------------


def _by_visit(what: str, visits: Sequence[Facts], series: Sequence[Series], **more: Any) -> Lines:
    spoken = f"{what} by visit number; the table below has the same numbers."
    return Lines(spoken, "Unknowns visited on the route", [str(visit["visit"]) for visit in visits], series, **more)


def unknown_outcomes(facts: Facts) -> Lines:
    """What the first, second, … Unknown of a route turned out to be."""
    visits = facts["unknown"]
    series = [_counts("Times", (visit["times"] for visit in visits))]
    for name in visits[0]["outcomes"]:
        found = [(visit["outcomes"][name], visit["times"]) for visit in visits]
        shares = [share(part, wilson(part * times, times), 1) for part, times in found]
        series.append(Series(label(name), shares, hue(name), "line"))
    return _by_visit("Outcome shares", visits, series, top=1.0)


def unknown_pity(facts: Facts) -> Lines:
    """How much pity had built up before each visit."""
    visits = facts["unknown"]
    series = []
    for name, waits in zip(visits[0]["outcomes"], zip(*(visit["pity"] for visit in visits), strict=True), strict=False):
        shown = [exact(waited, number(waited, 2)) for waited in waits]
        series.append(Series(f"{label(name)} pity", shown, hue(name), "line"))
    return _by_visit("Mean pity of each outcome", visits, series, form=number)


# what the page asks for by name
CHARTS: Final = (
    *(rolled_types, row_types, cells, first_rows, expressive_range),
    *(distribution, route_counts, on_a_route, at_stake, unknown_outcomes, unknown_pity),
)
