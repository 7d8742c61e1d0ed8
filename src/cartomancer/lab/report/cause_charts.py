"""Where points came from: what every reducer of both sides lost and gained, by cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from cartomancer.lab.report.survey import CauseShare
from cartomancer.pages import Figure
from cartomancer.pages.charts import Bars, Numbers, Series
from cartomancer.pages.numbers import exact, label, number, percent

HUES: Final = (
    *("ember", "sea", "green", "gold", "plum", "teal", "red", "sky", "brown", "violet", "leaf"),
    "slate",  # everything else together
)
Count = Literal["lost", "gained", "last_points"]


def cause_figures(rows: Sequence[CauseShare]) -> list[Figure]:
    """Stacked bars for every reducer: its points lost and gained, and what took the last one; nothing without rows."""
    points = "What each reducer lost and gained in all surveyed runs together, by cause."
    last = "In the surveyed runs that ended because a reducer ran out: the cause of its last loss."
    found = [
        _stacked("Where points came from", points, rows, {"lost": "lost", "gained": "gained"}),
        _stacked("What took the last point", last, rows, {"": "last_points"}),
    ]
    return [figure for figure in found if figure]


def _stacked(title: str, caption: str, rows: Sequence[CauseShare], parts: Mapping[str, Count]) -> Figure | None:
    """A bar for each part of every reducer; nothing where nothing was counted."""
    sides = Counter(reducer for _, reducer in {(row.side, row.reducer) for row in rows})
    bars: dict[str, Counter[str]] = {}
    for row in rows:
        whose = "" if sides[row.reducer] == 1 else f"{row.side} "
        for part, count in parts.items():
            bars.setdefault(f"{label(whose + row.reducer)} {part}".strip(), Counter())[row.cause] += getattr(row, count)
    bars = {name: +causes for name, causes in bars.items() if +causes}
    if not bars:
        return None
    largest = [cause for cause, _ in sum(bars.values(), Counter[str]()).most_common()]
    series = []
    for (name, causes), hue in zip(_groups(largest).items(), HUES, strict=False):
        counts = [(sum(found[cause] for cause in causes), found.total()) for found in bars.values()]
        values = [exact(count, number(count), percent(count / total, 1)) if count else None for count, total in counts]
        series.append(Series(name, values, hue))
    chart = Bars(
        f"{title}: the largest cause over all is {label(largest[0])}; the table has the numbers.",
        "Reducer",
        list(bars),
        series,
        stacked=True,
        totals=tuple(number(found.total()) for found in bars.values()),
    )
    return Figure(title, caption, chart, _table(rows))


def _groups(largest: Sequence[str]) -> dict[str, Sequence[str]]:
    """Every cause by itself, as long as there are hues; those that remain are one."""
    named = largest if len(largest) <= len(HUES) else largest[: len(HUES) - 1]
    groups: dict[str, Sequence[str]] = {label(cause): [cause] for cause in named}
    return groups | ({"Other causes": largest[len(named) :]} if len(named) < len(largest) else {})


def _table(rows: Sequence[CauseShare]) -> Numbers:
    return ("Cause", "Side", "Reducer", "Lost", "Gained", "Last points"), [
        (
            label(row.cause),
            row.side,
            row.reducer,
            *(number(count) for count in (row.lost, row.gained, row.last_points)),
        )
        for row in sorted(rows, key=lambda row: -row.lost - row.gained)
    ]
