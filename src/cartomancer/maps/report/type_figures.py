"""Charts of types: what was rolled, where it stands, how maps spread."""

from __future__ import annotations

import html
from itertools import pairwise
from typing import Final

import plotly.graph_objects as go

from cartomancer.maps.report.looks import (
    INK,
    MUTED,
    Chart,
    Facts,
    axis,
    colour,
    figured_heat,
    framed,
    heat,
    plot_labels,
    rows_height,
    whiskers,
)
from cartomancer.maps.report.words import digits_for, label, number, percent, with_interval

COLUMN_NAMES: Final[dict[str, tuple[str, ...]]] = {"contract": ("safe", "risk")}


def rolled_types(facts: Facts) -> Chart | None:
    """Rolled types as observed, against what odds and bans implied."""
    rolled = facts["rolled"]
    if not rolled:
        return None
    names, entries = list(rolled), list(rolled.values())
    observed = [entry["observed"] for entry in entries]
    implied = [entry["implied"] for entry in entries]
    intervals = [entry["interval"] for entry in entries]
    words = plot_labels(names)
    figure = framed(
        [
            go.Bar(
                x=words,
                y=observed,
                name="Observed",
                marker={"color": [colour(name) for name in names]},
                hovertemplate="%{x}: %{y:.2%} observed<extra></extra>",
                **whiskers(observed, intervals),
            ),
            go.Scatter(
                x=words,
                y=implied,
                mode="markers",
                name="Implied",
                marker={"symbol": "line-ew", "size": 38, "line": {"color": INK, "width": 3}},
                hovertemplate="%{x}: %{y:.2%} implied<extra></extra>",
            ),
        ],
        axis("Type", showgrid=False),
        axis("Share of rolled nodes", tickformat=".0%", rangemode="tozero"),
        400,
        showlegend=False,
    )
    inside = sum(low <= value <= high for value, (low, high) in zip(implied, intervals, strict=True))
    rows = [
        [
            label(name),
            *with_interval(entry["observed"], entry["interval"], as_percent=True),
            percent(entry["implied"], digits_for(entry["interval"], 100)),
        ]
        for name, entry in rolled.items()
    ]
    return Chart(
        "rolled",
        "Rolled types: observed and implied",
        "Bars: what was rolled, with 95 % intervals. Black lines: what the odds and the bans of each roll imply.",
        f"The implied share lies inside the observed 95 % interval for {inside} of {len(names)} types.",
        figure,
        ("Type", "Observed", "95 % interval", "Implied"),
        rows,
    )


def row_types(facts: Facts) -> Chart:
    """The types of every row."""
    names = [name for name, entry in facts["types"].items() if entry["total"]]
    rows = facts["rows"]
    shares = [[float(row["types"].get(name, 0.0)) for name in names] for row in rows]
    figure = framed(
        [
            figured_heat(
                shares,
                plot_labels(names),
                [row["row"] for row in rows],
                "Row %{y}, %{x}: %{z:.1%} of the row's nodes<extra></extra>",
            )
        ],
        axis("Type", showgrid=False),
        axis("Row", showgrid=False, dtick=1),
        rows_height(len(rows)),
    )
    return Chart(
        "row-types",
        "Types by row",
        "How the nodes of each row divide among the types; the boss is on top. Blank: never there.",
        f"A heat map of {len(rows)} rows by {len(names)} types; the table below has the same numbers.",
        figure,
        ("Row", "Nodes per map", *map(label, names)),
        [
            [str(row["row"]), number(row["nodes"], 2), *(percent(share, 1) if share else "–" for share in line)]
            for row, line in zip(rows, shares, strict=True)
        ],
    )


def cells(facts: Facts) -> Chart:
    """Where nodes stand, all of them or those of one type."""
    grids = {"All nodes": facts["cells"], **{label(name): grid for name, grid in facts["cell_types"].items()}}
    rows, columns = len(facts["cells"]), len(facts["cells"][0])
    names = COLUMN_NAMES.get(facts["family"], ())
    across = [names[index] if index < len(names) else str(index + 1) for index in range(columns)]
    traces = [
        figured_heat(
            grid,
            across,
            list(range(1, rows + 1)),
            f"Row %{{y}}, column %{{x}}: %{{z:.1%}} of maps<extra>{html.escape(name)}</extra>",
            zmax=max((value for line in grid for value in line), default=0) or 1,
            visible=index == 0,
        )
        for index, (name, grid) in enumerate(grids.items())
    ]
    buttons = [
        {
            "label": html.escape(name),
            "method": "update",
            "args": [{"visible": [other == index for other in range(len(traces))]}],
        }
        for index, name in enumerate(grids)
    ]
    figure = framed(
        traces,
        axis("Lane" if names else "Column", showgrid=False, type="category"),
        axis("Row", showgrid=False, dtick=1, range=[0.5, rows + 0.5]),
        rows_height(rows) + 46,
        updatemenus=[
            {
                "buttons": buttons,
                "x": 1,
                "xanchor": "right",
                "y": 1.03,
                "yanchor": "bottom",
                "bgcolor": "#ffffff",
                "bordercolor": MUTED,
                "font": {"size": 13},
                "pad": {"t": 0, "b": 6},
            }
        ],
    )
    meeting = " A node where the lanes meet counts as safe." if names else ""
    return Chart(
        "cells",
        "Where nodes stand",
        f"The share of maps with a node at each place; the menu picks a type. Each type has its own scale.{meeting}",
        f"A heat map of {rows} rows by {columns} columns for all nodes, with a menu for each type.",
        figure,
        ("Row", *(label(name) if names else f"Column {name}" for name in across)),
        [
            [str(row + 1), *(percent(value, 1) if value else "–" for value in line)]
            for row, line in enumerate(facts["cells"])
        ],
        interactive=True,
    )


def first_rows(facts: Facts) -> Chart:
    """On which row a map shows each type for the first time."""
    types = facts["routes"]["types"]
    names, rows = list(types), [row["row"] for row in facts["rows"]]
    maps = facts["maps"] - facts["typing"]["failed_seeds"] or 1
    shares = [[types[name]["first_row"].get(str(row), 0) / maps for name in names] for row in rows]
    never = [max(0.0, 1 - sum(types[name]["first_row"].values()) / maps) for name in names]
    ticks = [*map(str, rows), "never"]
    figure = framed(
        [
            figured_heat(
                [*shares, never],
                plot_labels(names),
                ticks,
                "%{x}, first on row %{y}: %{z:.1%} of maps<extra></extra>",
            )
        ],
        axis("Type", showgrid=False),
        axis("First row with the type", showgrid=False, type="category"),
        rows_height(len(ticks)),
    )
    return Chart(
        "first-row",
        "First row of each type",
        "Where a map first shows a type. The top line is the maps that never do.",
        f"A heat map of {len(rows)} rows by {len(names)} types; the table below has the same numbers.",
        figure,
        ("First row", *map(label, names)),
        [
            [tick.capitalize(), *(percent(share, 1) if share else "–" for share in line)]
            for tick, line in zip(ticks, [*shares, never], strict=True)
        ],
    )


def expressive_range(facts: Facts) -> Chart:
    """How linear and how dangerous the maps are, on the same axes for every preset."""
    found = facts["expressive_range"]
    total = sum(map(sum, found["maps"])) or 1
    across, up = found["linearity_bins"], found["danger_bins"]
    mean = (found["linearity_mean"], found["danger_mean"])
    figure = framed(
        [
            heat(
                [[count / total for count in line] for line in found["maps"]],
                [(low + high) / 2 for low, high in pairwise(across)],
                [(low + high) / 2 for low, high in pairwise(up)],
                "Linearity about %{x:.3f}, danger about %{y:.3f}: %{z:.2%} of maps<extra></extra>",
                colorbar={
                    "title": {"text": "Share of maps", "side": "right"},
                    "tickformat": ".0%",
                    "thickness": 10,
                    "outlinewidth": 0,
                    "nticks": 5,
                },
            ),
            go.Scatter(
                x=[mean[0]],
                y=[mean[1]],
                mode="markers",
                marker={"symbol": "cross", "size": 12, "color": "#c2661a", "line": {"color": "#ffffff", "width": 1.5}},
                hovertemplate="Mean: linearity %{x:.3f}, danger %{y:.3f}<extra></extra>",
                showlegend=False,
            ),
        ],
        axis("Linearity (share of nodes with one way onward)", range=[across[0], across[-1]], tickformat=".0%"),
        axis("Danger (points per row)", range=[up[0], up[-1]]),
        300,
    )
    words = f"Mean linearity {percent(mean[0], 1)}, mean danger {number(mean[1], 2)} points per row"
    return Chart(
        "range",
        "Expressive range",
        f"{words} (the cross). The axes are the same for every audit; the top bin also holds whatever lies above it.",
        f"A heat map of linearity and danger. {words}.",
        figure,
    )
