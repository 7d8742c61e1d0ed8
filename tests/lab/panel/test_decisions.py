"""What decisions are worth: positions where the best option is known, and the sums behind the shares."""

from __future__ import annotations

import pytest

from cartomancer.errors import CartomancerError
from cartomancer.lab.measures.estimates import Estimate
from cartomancer.lab.panel import decisions
from cartomancer.lab.panel.decisions import study


def test_a_side_without_decisions_may_be_anything() -> None:
    assert decisions._share(Estimate(None)) == decisions.Estimate(0.0, 0.0, 1.0)


def test_a_player_that_chooses_badly_regrets_it() -> None:
    """A dungeon that only passes loses more against the best than one that thinks; the options that are tried are all
    there are, whatever the player would play."""
    careless = study("night-inventory", 600, 12, dungeon="pass").side("dungeon").regret
    careful = study("night-inventory", 300, 12).side("dungeon").regret
    assert careless.low > 0
    assert careless.share > careful.high


def test_a_study_is_the_same_with_any_number_of_threads() -> None:
    one, two = (study("boar", 12, 4, threads=threads) for threads in (1, 2))
    assert one == two
    assert one.runs == 12
    assert sum(side.studied for side in one.sides) == 12


def test_a_decision_needs_rollouts() -> None:
    with pytest.raises(CartomancerError, match="0 rollouts"):
        study("boar", 1, 0)
