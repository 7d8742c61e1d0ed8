"""Activity, reckoned by hand."""

from __future__ import annotations

import numpy as np
import pytest

from cartomancer.lab.measures.estimates import Counts
from cartomancer.lab.measures.measure import Evidence
from cartomancer.lab.measures.registry import read_off
from cartomancer.lab.report.survey import survey


@pytest.fixture(scope="module")
def blank() -> Counts:
    """The columns of three surveyed runs in which nothing happened."""
    return {name: np.zeros(3, np.int64) for name in survey("symbiote", 1).columns} | {"runs": np.ones(3, np.int64)}


def test_strikes_are_those_of_all_runs_for_all_rounds(blank: Counts) -> None:
    """A long run counts for more: 1 + 2 + 6 in 5 + 5 + 20 rounds."""
    rounds = np.array([5, 5, 20])
    said = {"strikes_visitor": np.array([1, 2, 6]), "rounds_visitor": rounds, "rounds_dungeon": rounds}
    found = read_off(Evidence.SURVEY, {**blank, **said})
    assert found["strikes_per_round.visitor"].value == pytest.approx(0.3)
    assert found["strikes_per_round.dungeon"].value == 0
    assert found["strikes_per_round"].value == pytest.approx(0.15)  # of both sides, a round of each
    error = np.sqrt((1 - 1.5) ** 2 + (2 - 1.5) ** 2 + (6 - 6.0) ** 2) / 30
    low, high = 0.3 - 1.959964 * error, 0.3 + 1.959964 * error
    assert found["strikes_per_round.visitor"].interval == pytest.approx([low, high])


def test_strikes_that_are_drawn_and_kept_are_not_played(blank: Counts) -> None:
    said = {"strikes_dungeon": np.array([3, 1, 2]), "strikes_drawn_dungeon": np.array([4, 2, 4])}
    found = read_off(Evidence.SURVEY, {**blank, **said})
    assert found["strikes_played.dungeon"].value == pytest.approx(60)
    assert found["strikes_played.visitor"].value is None  # none was drawn
    assert found["strikes_played"].value == pytest.approx(60)


def test_cards_of_a_turn(blank: Counts) -> None:
    turns = {"turns_dungeon": np.array([4, 4, 2]), "turns_visitor": np.array([4, 4, 2])}
    cards = {"cards_dungeon": np.array([8, 8, 4]), "cards_visitor": np.array([4, 4, 2])}
    found = read_off(Evidence.SURVEY, {**blank, **turns, **cards})
    assert found["cards_per_turn.dungeon"].value == pytest.approx(2)
    assert found["cards_per_turn.visitor"].value == pytest.approx(1)
    assert found["cards_per_turn"].value == pytest.approx(1.5)


def test_a_single_run_has_no_interval(blank: Counts) -> None:
    said = {name: np.array([4, 0, 0]) for name in ("turns_dungeon", "cards_dungeon")}
    one = read_off(Evidence.SURVEY, {**blank, **said})["cards_per_turn.dungeon"]
    assert (one.value, one.interval) == (1, None)
