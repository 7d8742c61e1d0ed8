"""Charts of routes: how many, how different, what they meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cartomancer.intervals import wilson
from cartomancer.maps.report.type_charts import Facts, hue
from cartomancer.pages import Figure
from cartomancer.pages.charts import Bars, Series
from cartomancer.pages.numbers import Estimate, exact, label, number, percent, share

MIDDLE_90: Final = (0.05, 0.95)


def _distribution(title: str, unit: str, caption: str, counts: Mapping[str, int], names: Sequence[str] = ()) -> Figure:
    """Shares of maps over whole numbers, gaps included, with intervals."""
    values = sorted(int(value) for value in counts)
    span = range(values[0], values[-1] + 1) if values else range(0)
    shown = list(names) or [number(value) for value in span]
    total = sum(counts.values())
    hits = [counts.get(str(value), 0) for value in span]
    shares = [share(hit / total, wilson(hit, total)) for hit in hits]
    top = max(range(len(span)), key=hits.__getitem__, default=None)
    common = f"most often {shown[top]} ({percent(shares[top].value)} of maps)" if top is not None else "no maps"
    told = [exact(hit, number(hit)) for hit in hits]
    return Figure(
        title,
        caption,
        Bars(
            f"A bar chart of {title.lower()}: {common}.",
            unit,
            shown,
            [Series("Maps", told, shape=""), Series("Share", shares)],
        ),
    )


def route_counts(facts: Facts) -> Figure:
    """How many routes a map has, in bins that double."""
    counts = facts["routes"]["log2"]
    bins = range(min(map(int, counts), default=0), max(map(int, counts), default=-1) + 1)
    names = [number(2**k) if k == 0 else f"{number(2**k)}–{number(2 ** (k + 1) - 1)}" for k in bins]
    caption = "Every bin is twice as wide as the one before it. Whiskers are 95 % intervals."
    return _distribution("Routes per map", "Routes from start to boss", caption, counts, names)


def disjoint_routes(facts: Facts) -> Figure:
    """How many routes share no node but the boss."""
    caption = "How many routes a map offers that share no node before the boss: its truly different ways."
    return _distribution("Disjoint routes per map", "Disjoint routes", caption, facts["routes"]["disjoint"])


def forced_nodes(facts: Facts) -> Figure:
    """How many nodes lie on every route."""
    caption = "Nodes that no route can avoid, the boss included."
    return _distribution("Forced nodes per map", "Nodes on every route", caption, facts["routes"]["forced_nodes"])


def quantile(counts: Mapping[str, int], share: float) -> int:
    """The smallest value that at least this share of a histogram does not exceed."""
    wanted, seen, value = share * sum(counts.values()), 0, 0
    for value in sorted(map(int, counts)):
        seen += counts[str(value)]
        if seen >= wanted:
            break
    return value


def on_a_route(facts: Facts) -> Figure:
    """The fewest and the most nodes of each type that a route can meet."""
    types = facts["routes"]["types"]

    def spread(name: str, key: str) -> Estimate:
        mean = types[name][f"{key}_mean"]
        low, high = (quantile(types[name][key], end) for end in MIDDLE_90)
        return Estimate(mean, number(mean, 2), min(low, mean), max(high, mean), f"{low}–{high}")

    hues = [hue(name) for name in types]
    return Figure(
        "Fewest and most of a type on a route",
        "Means over maps. Diamonds: the fewest a route can meet; discs: the most. Whiskers: the middle 90 % of maps.",
        Bars(
            f"For each of {len(types)} types, the mean fewest and most nodes on one route; the table has the numbers.",
            "Type",
            [label(name) for name in types],
            [
                Series(f"{words}, mean", [spread(name, key) for name in types], hues, shape, f"{words}, middle 90 %")
                for key, words, shape in (("least", "Fewest", "diamond"), ("most", "Most", "disc"))
            ],
        ),
    )
