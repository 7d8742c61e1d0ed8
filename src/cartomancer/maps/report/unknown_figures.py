"""Charts of Unknowns: outcomes and pity, visit by visit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import plotly.graph_objects as go

from cartomancer.intervals import wilson
from cartomancer.maps.report.looks import Chart, Facts, Row, axis, colour, framed, plot_labels, whiskers
from cartomancer.maps.report.words import label, number, percent

SYMBOLS: Final = ("circle", "diamond", "square", "triangle-up")


def _visit_lines(facts: Facts, values: Mapping[str, Sequence[float]], y: dict[str, Any], hover: str) -> Any:
    visits = [str(entry["visit"]) for entry in facts["unknown"]]
    times = [entry["times"] for entry in facts["unknown"]]
    traces = []
    for (name, line), symbol in zip(values.items(), SYMBOLS, strict=False):
        ends: dict[str, Any] = {}
        if y.get("tickformat"):
            ends = whiskers(line, [wilson(share * tries, tries) for share, tries in zip(line, times, strict=True)])
            ends["error_y"] |= {"color": colour(name)}
        traces.append(
            go.Scatter(
                x=visits,
                y=line,
                mode="lines+markers",
                name=plot_labels([name])[0],
                line={"color": colour(name), "width": 2},
                marker={"symbol": symbol, "size": 8},
                hovertemplate=hover,
                **ends,
            )
        )
    return framed(traces, axis("Unknowns visited on the route", type="category", showgrid=False), y, 360)


def unknown_outcomes(facts: Facts) -> Chart:
    """What the first, second, … Unknown of a route turned out to be."""
    entries = facts["unknown"]
    lines = {name: [entry["outcomes"][name] for entry in entries] for name in entries[0]["outcomes"]}
    y = axis("Share of visits", tickformat=".0%", range=[0, 1.02])
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
        _visit_lines(facts, lines, axis("Mean pity (visits)", rangemode="tozero"), "Visit %{x}: %{y:.2f}"),
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
