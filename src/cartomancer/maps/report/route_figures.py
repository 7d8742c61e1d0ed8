"""Charts of routes: how many, how different, what they meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import plotly.graph_objects as go

from cartomancer.intervals import wilson
from cartomancer.maps.report.looks import BAR, Chart, Facts, axis, colour, framed, plot_labels, whiskers
from cartomancer.maps.report.words import label, number, percent, with_interval

MIDDLE_90: Final = (0.05, 0.95)


def _distribution(
    key: str, title: str, unit: str, caption: str, counts: Mapping[str, int], *, names: Sequence[str] = ()
) -> Chart:
    """Shares of maps over whole numbers, gaps included, with intervals."""
    values = sorted(int(value) for value in counts)
    span = list(range(values[0], values[-1] + 1)) if values else []
    shown = list(names) or [number(value) for value in span]
    total = sum(counts.values())
    hits = [counts.get(str(value), 0) for value in span]
    shares = [hit / total for hit in hits]
    figure = framed(
        [
            go.Bar(
                x=shown,
                y=shares,
                customdata=hits,
                marker={"color": BAR},
                hovertemplate="%{x}: %{y:.2%} of maps (%{customdata:,})<extra></extra>",
                **whiskers(shares, [wilson(hit, total) for hit in hits]),
            )
        ],
        axis(unit, type="category", showgrid=False),
        axis("Share of maps", tickformat=".0%", rangemode="tozero"),
        300,
        bargap=0.3 if len(span) > 3 else 0.65,
    )
    top = max(range(len(span)), key=hits.__getitem__, default=None)
    common = f"most often {shown[top]} ({percent(shares[top])} of maps)" if top is not None else "no maps"
    return Chart(
        key,
        title,
        caption,
        f"A bar chart of {title.lower()}: {common}.",
        figure,
        (unit, "Maps", "Share", "95 % interval"),
        [
            [name, number(hit), *with_interval(share, wilson(hit, total), as_percent=True)]
            for name, hit, share in zip(shown, hits, shares, strict=True)
        ],
    )


def route_counts(facts: Facts) -> Chart:
    """How many routes a map has, in bins that double."""
    counts = facts["routes"]["log2"]
    bins = range(min(map(int, counts), default=0), max(map(int, counts), default=-1) + 1)
    names = [number(2**k) if k == 0 else f"{number(2**k)}–{number(2 ** (k + 1) - 1)}" for k in bins]
    caption = "Every bin is twice as wide as the one before it. Whiskers are 95 % intervals."
    return _distribution("routes", "Routes per map", "Routes from start to boss", caption, counts, names=names)


def disjoint_routes(facts: Facts) -> Chart:
    """How many routes share no node but the boss."""
    caption = "How many routes a map offers that share no node before the boss: its truly different ways."
    counts = facts["routes"]["disjoint"]
    return _distribution("disjoint", "Disjoint routes per map", "Disjoint routes", caption, counts)


def forced_nodes(facts: Facts) -> Chart:
    """How many nodes lie on every route."""
    caption = "Nodes that no route can avoid, the boss included."
    counts = facts["routes"]["forced_nodes"]
    return _distribution("forced", "Forced nodes per map", "Nodes on every route", caption, counts)


def quantile(counts: Mapping[str, int], share: float) -> int:
    """The smallest value that at least this share of a histogram does not exceed."""
    wanted, seen, value = share * sum(counts.values()), 0, 0
    for value in sorted(map(int, counts)):
        seen += counts[str(value)]
        if seen >= wanted:
            break
    return value


def on_a_route(facts: Facts) -> Chart:
    """The fewest and the most nodes of each type that a route can meet."""
    types = facts["routes"]["types"]
    names = list(types)
    traces, spread = [], {}
    for key, words, offset in (("most", "Most on a route", 0.16), ("least", "Fewest on a route", -0.16)):
        means = [types[name][f"{key}_mean"] for name in names]
        spread[key] = [[quantile(types[name][key], end) for end in MIDDLE_90] for name in names]
        colours = [colour(name) for name in names]
        traces.append(
            go.Scatter(
                x=means,
                y=[index + offset for index in range(len(names))],
                mode="markers",
                name=words,
                text=plot_labels(names),
                marker={
                    "size": 12,
                    "symbol": "circle" if key == "most" else "diamond",
                    "color": colours if key == "most" else "#ffffff",
                    "line": {"color": colours, "width": 2},
                },
                cliponaxis=False,
                hovertemplate="%{text}: %{x:.2f} on average<extra>" + words + "</extra>",
                **whiskers(means, spread[key], "error_x"),
            )
        )
    figure = framed(
        traces,
        axis("Nodes of the type on one route", rangemode="tozero"),
        axis(
            "Type",
            tickvals=list(range(len(names))),
            ticktext=plot_labels(names),
            range=[len(names) - 0.5, -0.5],
            showgrid=False,
        ),
        80 + 44 * len(names),
        showlegend=False,
    )
    return Chart(
        "on-a-route",
        "Fewest and most of a type on a route",
        "Means over maps. Discs: the most a route can meet; diamonds: the fewest. Whiskers: the middle 90 % of maps.",
        f"For each of {len(names)} types, the mean fewest and most nodes on one route; the table has the numbers.",
        figure,
        ("Type", "Fewest, mean", "Fewest, middle 90 %", "Most, mean", "Most, middle 90 %"),
        [
            [
                label(name),
                number(types[name]["least_mean"], 2),
                "–".join(map(str, spread["least"][index])),
                number(types[name]["most_mean"], 2),
                "–".join(map(str, spread["most"][index])),
            ]
            for index, name in enumerate(names)
        ],
    )
