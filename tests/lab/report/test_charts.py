"""Where points came from: the stacked bars of a report."""

from __future__ import annotations

import pytest

from cartomancer.lab.report.charts import CAUSE_HUES, cause_bars, cause_table
from cartomancer.lab.report.page import report_html
from cartomancer.lab.report.reports import look_at
from cartomancer.lab.report.survey import CauseShare
from cartomancer.pages.charts import Bars


def row(
    cause: str, lost: int, gained: int = 0, last: int = 0, side: str = "visitor", reducer: str = "nerve"
) -> CauseShare:
    return CauseShare(side, reducer, cause, lost, gained, last, runs=100)


SAMPLE = [
    row("strike", 700, last=40),
    row("room_effect", 250, last=9),
    row("rally", 0, gained=120),
    row("thorns", 50, side="dungeon", reducer="veil"),
]


def points(rows: list[CauseShare]) -> Bars:
    found = cause_bars("Where points came from", rows, {"lost": "lost", "gained": "gained"})
    assert found is not None
    return found


def drawn(chart: Bars) -> dict[str, dict[str, float]]:
    """The parts of every bar, by cause."""
    return {
        label: {one.name: value.value for one in chart.series if (value := one.values[at])}
        for at, label in enumerate(chart.labels)
    }


def test_points_lost_and_gained_are_stacked_by_cause() -> None:
    chart, last = points(SAMPLE), cause_bars("What took the last point", SAMPLE, {"": "last_points"})
    assert drawn(chart) == {
        "Nerve lost": {"Strike": 700, "Room effect": 250},
        "Nerve gained": {"Rally": 120},
        "Veil lost": {"Thorns": 50},
    }
    assert chart.totals == ("950", "120", "50")
    assert last is not None
    assert drawn(last) == {"Nerve": {"Strike": 40, "Room effect": 9}}
    assert "the largest cause over all is Strike" in chart.spoken
    hints = [mark.hint for mark in chart.marks() if mark.hint]
    assert hints[0] == "Nerve lost, Strike: 700; 73.7\u202f%"


def test_the_table_has_every_row_the_largest_first() -> None:
    headers, rows = cause_table(SAMPLE)
    assert headers == ("Cause", "Side", "Reducer", "Lost", "Gained", "Last points")
    assert [found[0] for found in rows] == ["Strike", "Room effect", "Rally", "Thorns"]
    assert rows[0] == ("Strike", "visitor", "nerve", "700", "0", "40")


def test_a_reducer_that_both_sides_have_says_whose_it_is() -> None:
    both = [row("strike", 5), row("strike", 7, side="dungeon")]
    assert list(drawn(points(both))) == ["Visitor nerve lost", "Dungeon nerve lost"]


def test_causes_beyond_the_hues_are_drawn_as_one_and_nothing_is_lost() -> None:
    many = [row(f"cause_{k}", 100 - k) for k in range(len(CAUSE_HUES) + 5)]
    assert cause_bars("What took the last point", many, {"": "last_points"}) is None
    chart = points(many)
    found = drawn(chart)["Nerve lost"]
    assert len(found) == len(CAUSE_HUES)
    assert list(found)[-1] == "Other causes"
    assert sum(found.values()) == sum(one.lost for one in many)
    assert len({one.look for one in chart.series}) == len(CAUSE_HUES)


def test_as_many_causes_as_hues_are_all_named() -> None:
    named = drawn(points([row(f"cause_{k}", 100 - k) for k in range(len(CAUSE_HUES))]))
    assert "Other causes" not in named["Nerve lost"]


@pytest.mark.parametrize("rows", [[], [row("strike", 0)]])
def test_nothing_counted_draws_nothing(rows: list[CauseShare]) -> None:
    assert cause_bars("Where points came from", rows, {"lost": "lost", "gained": "gained"}) is None


def test_a_report_shows_its_causes_and_stays_small_with_more_than_twenty_charts() -> None:
    told = report_html([look_at("boar", 60, 7)] * 3)
    assert told.count("<h4>Where points came from</h4>") == told.count("<h4>What took the last point</h4>") == 3
    assert told.count('<svg class="chart"') > 20
    assert len(told.encode()) < 1_500_000
