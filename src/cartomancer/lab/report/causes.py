"""Where points came from: what every reducer of both sides lost and gained, by cause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypedDict

from cartomancer.pages import Figure, Table, column, ordered
from cartomancer.pages.charts import Bars, Series
from cartomancer.pages.numbers import exact, label, number, percent

HUES: Final = (
    *("ember", "sea", "green", "gold", "plum", "teal", "red", "sky", "brown", "violet", "leaf"),
    "slate",  # everything else together
)


class CauseRow(TypedDict):
    """One cause's part in one reducer of one side, summed over runs."""

    side: str
    reducer: str
    cause: str
    lost: int
    gained: int
    last_points: int  # how often it took the last one


def cause_figures(rows: Sequence[CauseRow]) -> list[Figure]:
    """A stacked bar for every reducer: its points lost and gained, and who took the last one; none without rows."""
    if not rows:
        return []
    points = _stacked(
        "Where points came from",
        "What each reducer lost and gained in all surveyed runs together, by cause.",
        rows,
        {"lost": lambda row: row["lost"], "gained": lambda row: row["gained"]},
    )
    if not any(row["last_points"] for row in rows):
        return [points]
    last = _stacked(
        "What took the last point",
        "In the surveyed runs that ended because a reducer ran out: the cause of its last loss.",
        rows,
        {"": lambda row: row["last_points"]},
    )
    return [points, last]


def _stacked(title: str, caption: str, rows: Sequence[CauseRow], parts: dict[str, Callable[[CauseRow], int]]) -> Figure:
    """Bars of every side and reducer, one for each part; all but the largest causes are one."""
    bars = {
        f"{label(side)}: {reducer} {part}".strip(): [
            (row["cause"], take(row)) for row in rows if (row["side"], row["reducer"]) == (side, reducer)
        ]
        for side, reducer in dict.fromkeys((row["side"], row["reducer"]) for row in rows)
        for part, take in parts.items()
    }
    bars = {name: found for name, found in bars.items() if any(points for _, points in found)}
    sums: dict[str, int] = {}
    for found in bars.values():
        for cause, points in found:
            sums[cause] = sums.get(cause, 0) + points
    largest = sorted(filter(sums.get, sums), key=lambda cause: -sums[cause])
    named = largest if len(largest) <= len(HUES) else largest[: len(HUES) - 1]
    groups = {label(cause): {cause} for cause in named}
    if len(named) < len(largest):
        groups["Other causes"] = set(largest) - set(named)
    totals = {name: sum(points for _, points in found) for name, found in bars.items()}
    series = []
    for (name, causes), hue in zip(groups.items(), HUES, strict=False):
        counts = [(sum(p for cause, p in found if cause in causes), totals[bar]) for bar, found in bars.items()]
        values = [exact(count, number(count), percent(count / total, 1)) if count else None for count, total in counts]
        series.append(Series(name, values, hue))
    first = label(largest[0]) if largest else "none"
    chart = Bars(
        f"{title}: the largest cause over all is {first}; the table has the numbers.",
        "Reducer",
        list(bars),
        series,
        stacked=True,
        totals=tuple(number(total) for total in totals.values()),
    )
    return Figure(title, caption, chart, _table(rows), wide=True)


def _table(rows: Sequence[CauseRow]) -> Table:
    return Table(
        "Points lost and gained by cause; a heading sorts",
        ("Cause", "Side", "Reducer", "Lost", "Gained", "Last points"),
        [
            [
                column(label(row["cause"])),
                column(row["side"]),
                column(row["reducer"]),
                *(ordered(number(count), count) for count in (row["lost"], row["gained"], row["last_points"])),
            ]
            for row in sorted(rows, key=lambda row: -row["lost"] - row["gained"])
        ],
        sortable=True,
    )
