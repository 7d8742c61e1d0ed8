"""The charts of an audit report: each a title, a caption, a sentence for those who cannot see it, and its numbers."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import plotly.graph_objects as go

from cartomancer.maps.auditing import wilson

Facts = Mapping[str, Any]
Row = Sequence[str]

FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
INK: Final = "#1d2430"
MUTED: Final = "#525b69"
GRID: Final = "#e3e6eb"
BAR: Final = "#3d6a94"
THIN: Final = "\u202f"  # narrow, and no line breaks at it
# the hues of the drawn maps, spread in lightness so that neighbours on a chart differ and all stand out on white
TYPE_COLOURS: Final[dict[str, str]] = {
    "monster": "#b5483a",
    "combat": "#b5483a",
    "elite": "#7b2a6b",
    "shop": "#c2661a",
    "port": "#25688f",
    "rest": "#3f7d4b",
    "treasure": "#a98308",
    "cache": "#7d5a38",
    "unknown": "#5c6475",
    "event": "#1f8078",
    "boss": "#4a0d16",
    "rival_intrusion": "#3d2f63",
    "shrine": "#4d6fb0",
    "memory_shrine": "#8a63c7",
    "trap": "#59453d",
    "battle": "#b5483a",
}
HEAT: Final = [[0.0, "#d3e0ed"], [0.33, "#8fb3d3"], [0.67, "#3d6a94"], [1.0, "#16324f"]]
PALE_HEAT: Final = [[0.0, "#eff4f9"], [1.0, "#6f9cc6"]]  # dark figures stay readable on all of it
COLUMN_NAMES: Final[dict[str, tuple[str, ...]]] = {"contract": ("safe", "risk")}
CONFIG: Final = {"responsive": True, "displaylogo": False, "displayModeBar": False, "scrollZoom": False}
SYMBOLS: Final = ("circle", "diamond", "square", "triangle-up")
MIDDLE_90: Final = (0.05, 0.95)


@dataclass(frozen=True)
class Chart:
    """A figure with the words around it and the table behind it."""

    key: str
    title: str
    caption: str
    spoken: str
    figure: Any
    headers: Row = ()
    rows: Sequence[Row] = field(default=())
    interactive: bool = False

    def markup(self, prefix: str) -> str:
        """The plot as an HTML fragment; needs plotly.js on the page."""
        found: str = self.figure.to_html(
            full_html=False,
            include_plotlyjs=False,
            div_id=f"{prefix}-{self.key}-plot",
            config=CONFIG,
            default_height=f"{self.figure.layout.height}px",
        )
        return found


# --- numbers and names for people ---------------------------------------------------------------------------------


def number(value: float, digits: int | None = None) -> str:
    """A number with thin thousands separators; without `digits`, whole or to three significant digits.

    >>> number(20000), number(329.50435), number(0.04321), number(21.5, 3)
    ('20\\u202f000', '330', '0.0432', '21.500')
    """
    if digits is None:
        whole = float(value).is_integer()
        digits = 0 if whole or not value else max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{digits}f}".replace(",", THIN).replace("-", "−")


def percent(share: float, digits: int | None = None) -> str:
    """A share as a percentage.

    >>> percent(0.375), percent(1.0), percent(0.0987, 3)
    ('37.5\\u202f%', '100\\u202f%', '9.870\\u202f%')
    """
    return f"{number(round(share * 100, 9), digits)}{THIN}%"


def digits_for(interval: Sequence[float], scale: float = 1.0) -> int | None:
    """Decimals that show an interval's half-width to two digits; none when the interval is a point."""
    half = (interval[1] - interval[0]) / 2 * scale
    return min(max(1 - math.floor(math.log10(half) + 1e-9), 0), 4) if half > 1e-9 else None


def with_interval(value: float, interval: Sequence[float], as_percent: bool = False) -> tuple[str, str]:
    """A value and its interval, both to the digits the interval supports."""
    digits = digits_for(interval, 100 if as_percent else 1)
    form = percent if as_percent else number
    if digits is None:
        return form(value), "exact"
    # the ends of the scale are exact: 0 and 100 %, not 0.0000 and 100.0000 %
    ends = (0.0, 1.0) if as_percent else (0.0,)
    shown = [form(v, None if round(v, 9) in ends else digits) for v in (value, *interval)]
    return shown[0], f"{shown[1].removesuffix(f'{THIN}%')} – {shown[2]}"


def label(name: str) -> str:
    """A type's or outcome's name as people write it.

    >>> label("memory_shrine")
    'Memory shrine'
    """
    return name.replace("_", " ").capitalize()


def colour(name: str) -> str:
    """The colour of a node type or Unknown outcome, the same on every chart."""
    return TYPE_COLOURS.get(name, MUTED)


def _plot_labels(names: Iterable[str]) -> list[str]:
    # plotly reads a little HTML in its labels
    return [html.escape(label(name)) for name in names]


# --- shared looks ---------------------------------------------------------------------------------------------------


def _axis(title: str, **more: Any) -> dict[str, Any]:
    return {
        "title": {"text": title, "standoff": 10},
        "gridcolor": GRID,
        "zeroline": False,
        "linecolor": MUTED,
        "automargin": True,
        "fixedrange": True,
        **more,
    }


def _figure(traces: Sequence[Any], x: dict[str, Any], y: dict[str, Any], height: int = 340, **more: Any) -> Any:
    layout = {
        "template": "none",
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "font": {"family": FONT, "size": 13, "color": INK},
        "paper_bgcolor": "#ffffff",
        "plot_bgcolor": "#ffffff",
        "separators": f".{THIN}",
        "hoverlabel": {"font": {"family": FONT, "size": 13}},
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"},
        "bargap": 0.3,
        "xaxis": x,
        "yaxis": y,
        **more,
    }
    return go.Figure(data=list(traces), layout=layout)


def _whiskers(values: Sequence[float], intervals: Sequence[Sequence[float]], axis: str = "error_y") -> dict[str, Any]:
    return {
        axis: {
            "type": "data",
            "symmetric": False,
            "array": [max(high - value, 0.0) for value, (_, high) in zip(values, intervals, strict=True)],
            "arrayminus": [max(value - low, 0.0) for value, (low, _) in zip(values, intervals, strict=True)],
            "color": INK,
            "thickness": 1.4,
            "width": 4,
        }
    }


def _heat(z: Sequence[Sequence[float]], x: Sequence[Any], y: Sequence[Any], hover: str, **more: Any) -> Any:
    """A heat map whose empty cells stay blank."""
    looks = {"colorscale": HEAT, "zmin": 0, "xgap": 2, "ygap": 2, "hoverongaps": False, **more}
    return go.Heatmap(z=[[value or None for value in line] for line in z], x=x, y=y, hovertemplate=hover, **looks)


def _figured_heat(z: Sequence[Sequence[float]], x: Sequence[Any], y: Sequence[Any], hover: str, **more: Any) -> Any:
    """A heat map of shares with the percentages written in its cells."""
    text = [["" if not value else "<1%" if value < 0.005 else f"{value:.0%}" for value in line] for line in z]
    text = [[html.escape(word) for word in line] for line in text]
    looks = {"colorscale": PALE_HEAT, "showscale": False, "zmax": 1, "textfont": {"size": 11, "color": INK}, **more}
    return _heat(z, x, y, hover, text=text, texttemplate="%{text}", **looks)


def _rows_height(rows: int) -> int:
    return 90 + 26 * rows


# --- the charts -----------------------------------------------------------------------------------------------------


def rolled_types(facts: Facts) -> Chart | None:
    """Rolled types as observed, against what odds and bans implied."""
    rolled = facts["rolled"]
    if not rolled:
        return None
    names, entries = list(rolled), list(rolled.values())
    observed = [entry["observed"] for entry in entries]
    implied = [entry["implied"] for entry in entries]
    intervals = [entry["interval"] for entry in entries]
    words = _plot_labels(names)
    figure = _figure(
        [
            go.Bar(
                x=words,
                y=observed,
                name="Observed",
                marker={"color": [colour(name) for name in names]},
                hovertemplate="%{x}: %{y:.2%} observed<extra></extra>",
                **_whiskers(observed, intervals),
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
        _axis("Type", showgrid=False),
        _axis("Share of rolled nodes", tickformat=".0%", rangemode="tozero"),
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
    figure = _figure(
        [
            _figured_heat(
                shares,
                _plot_labels(names),
                [row["row"] for row in rows],
                "Row %{y}, %{x}: %{z:.1%} of the row's nodes<extra></extra>",
            )
        ],
        _axis("Type", showgrid=False),
        _axis("Row", showgrid=False, dtick=1),
        _rows_height(len(rows)),
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
        _figured_heat(
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
    figure = _figure(
        traces,
        _axis("Lane" if names else "Column", showgrid=False, type="category"),
        _axis("Row", showgrid=False, dtick=1, range=[0.5, rows + 0.5]),
        _rows_height(rows) + 46,
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
    figure = _figure(
        [
            go.Bar(
                x=shown,
                y=shares,
                customdata=hits,
                marker={"color": BAR},
                hovertemplate="%{x}: %{y:.2%} of maps (%{customdata:,})<extra></extra>",
                **_whiskers(shares, [wilson(hit, total) for hit in hits]),
            )
        ],
        _axis(unit, type="category", showgrid=False),
        _axis("Share of maps", tickformat=".0%", rangemode="tozero"),
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
                text=_plot_labels(names),
                marker={
                    "size": 12,
                    "symbol": "circle" if key == "most" else "diamond",
                    "color": colours if key == "most" else "#ffffff",
                    "line": {"color": colours, "width": 2},
                },
                cliponaxis=False,
                hovertemplate="%{text}: %{x:.2f} on average<extra>" + words + "</extra>",
                **_whiskers(means, spread[key], "error_x"),
            )
        )
    figure = _figure(
        traces,
        _axis("Nodes of the type on one route", rangemode="tozero"),
        _axis(
            "Type",
            tickvals=list(range(len(names))),
            ticktext=_plot_labels(names),
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


def first_rows(facts: Facts) -> Chart:
    """On which row a map shows each type for the first time."""
    types = facts["routes"]["types"]
    names, rows = list(types), [row["row"] for row in facts["rows"]]
    maps = facts["maps"] - facts["typing"]["failed_seeds"] or 1
    shares = [[types[name]["first_row"].get(str(row), 0) / maps for name in names] for row in rows]
    never = [max(0.0, 1 - sum(types[name]["first_row"].values()) / maps) for name in names]
    ticks = [*map(str, rows), "never"]
    figure = _figure(
        [
            _figured_heat(
                [*shares, never],
                _plot_labels(names),
                ticks,
                "%{x}, first on row %{y}: %{z:.1%} of maps<extra></extra>",
            )
        ],
        _axis("Type", showgrid=False),
        _axis("First row with the type", showgrid=False, type="category"),
        _rows_height(len(ticks)),
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
    figure = _figure(
        [
            _heat(
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
        _axis("Linearity (share of nodes with one way onward)", range=[across[0], across[-1]], tickformat=".0%"),
        _axis("Danger (points per row)", range=[up[0], up[-1]]),
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


def _visit_lines(facts: Facts, values: Mapping[str, Sequence[float]], y: dict[str, Any], hover: str) -> Any:
    visits = [str(entry["visit"]) for entry in facts["unknown"]]
    times = [entry["times"] for entry in facts["unknown"]]
    traces = []
    for (name, line), symbol in zip(values.items(), SYMBOLS, strict=False):
        whiskers = {}
        if y.get("tickformat"):
            ends = [wilson(share * tries, tries) for share, tries in zip(line, times, strict=True)]
            whiskers = _whiskers(line, ends)
            whiskers["error_y"] |= {"color": colour(name)}
        traces.append(
            go.Scatter(
                x=visits,
                y=line,
                mode="lines+markers",
                name=_plot_labels([name])[0],
                line={"color": colour(name), "width": 2},
                marker={"symbol": symbol, "size": 8},
                hovertemplate=hover,
                **whiskers,
            )
        )
    return _figure(traces, _axis("Unknowns visited on the route", type="category", showgrid=False), y, 360)


def unknown_outcomes(facts: Facts) -> Chart:
    """What the first, second, … Unknown of a route turned out to be."""
    entries = facts["unknown"]
    lines = {name: [entry["outcomes"][name] for entry in entries] for name in entries[0]["outcomes"]}
    y = _axis("Share of visits", tickformat=".0%", range=[0, 1.02])
    return Chart(
        "unknown-outcomes",
        "What Unknowns turn out to be",
        "Outcome shares by visit along one random route per map. Whiskers are 95 % intervals; late visits are rare.",
        "Outcome shares by visit number; the table of visits has the same numbers.",
        _visit_lines(facts, lines, y, "Visit %{x}: %{y:.1%}"),
    )


def unknown_pity(facts: Facts) -> Chart:
    """How much pity had built up before each visit."""
    entries = facts["unknown"]
    candidates = list(entries[0]["outcomes"])[: len(entries[0]["pity"])]
    lines = {name: [entry["pity"][index] for entry in entries] for index, name in enumerate(candidates)}
    return Chart(
        "unknown-pity",
        "Pity before the visit",
        "Mean visits since the last outcome of each kind: the higher, the likelier it becomes.",
        "Mean pity of each outcome by visit number; the table of visits has the same numbers.",
        _visit_lines(facts, lines, _axis("Mean pity (visits)", rangemode="tozero"), "Visit %{x}: %{y:.2f}"),
    )


def unknown_table(facts: Facts) -> tuple[Row, list[Row]]:
    """Headers and rows of the visits: how often, what came of them, and the mean pity before."""
    entries = facts["unknown"]
    names = list(entries[0]["outcomes"])
    pity = [f"{label(name)} pity" for name in names[: len(entries[0]["pity"])]]
    return ("Visit", "Times", *map(label, names), *pity), [
        [
            str(entry["visit"]),
            number(entry["times"]),
            *(percent(entry["outcomes"][name], 1) for name in names),
            *(number(value, 2) for value in entry["pity"]),
        ]
        for entry in entries
    ]
