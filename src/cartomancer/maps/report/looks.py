"""What the charts of a report share: colours, axes, and the chart with the words around it."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import plotly.graph_objects as go

from cartomancer.maps.report.words import THIN, label

Facts = Mapping[str, Any]

Row = Sequence[str]

FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

INK: Final = "#1d2430"

MUTED: Final = "#525b69"

GRID: Final = "#e3e6eb"

BAR: Final = "#3d6a94"

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

CONFIG: Final = {"responsive": True, "displaylogo": False, "displayModeBar": False, "scrollZoom": False}


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


def colour(name: str) -> str:
    """The colour of a node type or Unknown outcome, the same on every chart."""
    return TYPE_COLOURS.get(name, MUTED)


def plot_labels(names: Iterable[str]) -> list[str]:
    # plotly reads a little HTML in its labels
    return [html.escape(label(name)) for name in names]


def axis(title: str, **more: Any) -> dict[str, Any]:
    return {
        "title": {"text": title, "standoff": 10},
        "gridcolor": GRID,
        "zeroline": False,
        "linecolor": MUTED,
        "automargin": True,
        "fixedrange": True,
        **more,
    }


def framed(traces: Sequence[Any], x: dict[str, Any], y: dict[str, Any], height: int = 340, **more: Any) -> Any:
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


def whiskers(values: Sequence[float], intervals: Sequence[Sequence[float]], axis: str = "error_y") -> dict[str, Any]:
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


def heat(z: Sequence[Sequence[float]], x: Sequence[Any], y: Sequence[Any], hover: str, **more: Any) -> Any:
    """A heat map whose empty cells stay blank."""
    looks = {"colorscale": HEAT, "zmin": 0, "xgap": 2, "ygap": 2, "hoverongaps": False, **more}
    return go.Heatmap(z=[[value or None for value in line] for line in z], x=x, y=y, hovertemplate=hover, **looks)


def figured_heat(z: Sequence[Sequence[float]], x: Sequence[Any], y: Sequence[Any], hover: str, **more: Any) -> Any:
    """A heat map of shares with the percentages written in its cells."""
    text = [["" if not value else "<1%" if value < 0.005 else f"{value:.0%}" for value in line] for line in z]
    text = [[html.escape(word) for word in line] for line in text]
    looks = {"colorscale": PALE_HEAT, "showscale": False, "zmax": 1, "textfont": {"size": 11, "color": INK}, **more}
    return heat(z, x, y, hover, text=text, texttemplate="%{text}", **looks)


def rows_height(rows: int) -> int:
    return 90 + 26 * rows
