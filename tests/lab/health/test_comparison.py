"""Two batches on the same seeds: differences run by run, and what is beyond chance."""

from __future__ import annotations

import numpy as np
import pytest

from cartomancer.errors import CartomancerError
from cartomancer.lab.health.comparison import compare
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import simulate


def test_a_scenario_does_not_differ_from_itself() -> None:
    found = compare(simulate("boar", 500, 7), simulate("boar", 500, 7))
    assert all(one.difference == 0 and one.p == 1 for one in found.measures.values())
    assert not any(one.differs for one in found.measures.values())


def test_another_player_on_the_same_seeds_is_told_from_chance() -> None:
    found = compare(simulate("boar", 1000, 7), simulate("boar", 1000, 7, visitor=PlayerSpec("random")))
    assert found.measures["visitor_win"].differs
    assert found.measures["visitor_win"].difference < 0
    low, high = found.measures["visitor_win"].interval
    assert low < found.measures["visitor_win"].difference < high < 0


def test_common_seeds_make_small_changes_visible() -> None:
    """Run by run the scatter of a difference is smaller than that of two batches with luck of their own."""
    boar, lighter = simulate("boar", 2000, 7), simulate("boar+shifting_stone=thick_wall", 2000, 7)
    paired = (lighter.rows["rounds"] - boar.rows["rounds"]).std()
    apart = np.hypot(boar.rows["rounds"].std(), lighter.rows["rounds"].std())
    assert paired < 0.9 * apart


def test_batches_of_other_seeds_or_lengths_are_refused() -> None:
    for other in (simulate("boar", 50, 8), simulate("boar", 40, 7)):
        with pytest.raises(CartomancerError, match="same seed"):
            compare(simulate("boar", 50, 7), other)
