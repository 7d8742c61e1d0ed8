"""Where points came from: the stacked bars of a report."""

from __future__ import annotations

import pytest

from cartomancer.lab.report.charts import CAUSE_HUES, cause_figures
from cartomancer.lab.report.page import report_html
from cartomancer.lab.report.reports import look_at
from cartomancer.lab.report.survey import CauseShare
from cartomancer.pages import Figure
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


def bars(figure: Figure) -> Bars:
    assert isinstance(figure.charts, Bars)
    return figure.charts


def drawn(figure: Figure) -> dict[str, dict[str, float]]:
    """The parts of every bar, by cause."""
    chart = bars(figure)
    return {
        label: {one.name: value.value for one in chart.series if (value := one.values[at])}
        for at, label in enumerate(chart.labels)
    }


def test_points_lost_and_gained_are_stacked_by_cause() -> None:
    points, last = cause_figures(SAMPLE)
    assert drawn(points) == {
        "Nerve lost": {"Strike": 700, "Room effect": 250},
        "Nerve gained": {"Rally": 120},
        "Veil lost": {"Thorns": 50},
    }
    assert bars(points).totals == ("950", "120", "50")
    assert drawn(last) == {"Nerve": {"Strike": 40, "Room effect": 9}}
    assert "the largest cause over all is Strike" in bars(points).spoken
    hints = [mark.hint for mark in bars(points).marks() if mark.hint]
    assert hints[0] == "Nerve lost, Strike: 700; 73.7\u202f%"


def test_the_table_has_every_row_the_largest_first() -> None:
    headers, rows = cause_figures(SAMPLE)[0].numbers
    assert headers == ("Cause", "Side", "Reducer", "Lost", "Gained", "Last points")
    assert [found[0] for found in rows] == ["Strike", "Room effect", "Rally", "Thorns"]
    assert rows[0] == ("Strike", "visitor", "nerve", "700", "0", "40")


def test_a_reducer_that_both_sides_have_says_whose_it_is() -> None:
    both = [row("strike", 5), row("strike", 7, side="dungeon")]
    assert list(drawn(cause_figures(both)[0])) == ["Visitor nerve lost", "Dungeon nerve lost"]


def test_causes_beyond_the_hues_are_drawn_as_one_and_nothing_is_lost() -> None:
    many = [row(f"cause_{k}", 100 - k) for k in range(len(CAUSE_HUES) + 5)]
    (points,) = cause_figures(many)
    found = drawn(points)["Nerve lost"]
    assert len(found) == len(CAUSE_HUES)
    assert list(found)[-1] == "Other causes"
    assert sum(found.values()) == sum(one.lost for one in many)
    assert len({one.look for one in bars(points).series}) == len(CAUSE_HUES)


def test_as_many_causes_as_hues_are_all_named() -> None:
    (points,) = cause_figures([row(f"cause_{k}", 100 - k) for k in range(len(CAUSE_HUES))])
    assert "Other causes" not in drawn(points)["Nerve lost"]


@pytest.mark.parametrize("rows", [[], [row("strike", 0)]])
def test_nothing_counted_draws_nothing(rows: list[CauseShare]) -> None:
    assert cause_figures(rows) == []


def test_a_report_shows_its_causes_and_stays_small_with_more_than_twenty_charts() -> None:
    told = report_html([look_at("boar", 60, 7)] * 3)
    assert told.count("<h4>Where points came from</h4>") == told.count("<h4>What took the last point</h4>") == 3
    assert told.count('<svg class="chart"') > 20
    assert len(told.encode()) < 1_500_000
