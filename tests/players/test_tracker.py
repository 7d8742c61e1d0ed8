"""The deck tracker [GDD 7.2]: exact odds from what was seen, the same that hidden cards are dealt by."""

from __future__ import annotations

import json
from math import comb

import numpy as np
import pytest

from cartomancer.encounters import Encounter, names
from cartomancer.encounters.kernel.layout import number_of
from cartomancer.jit import wrapping
from cartomancer.players import explain
from cartomancer.players.kernel.determinizing import determinize
from cartomancer.players.player import make_players
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.tracker import DeckTracker, track
from tests.players.positions import at_random

SCENARIOS = ("boar", "symbiote", "standard-company")


def test_odds_are_those_of_drawing_without_replacement() -> None:
    tracker = DeckTracker({"strike": 2, "energy": 3}, {}, {"strike": 2, "react": 1, "energy": 5}, {}, 3, 0)
    assert tracker.chance_held("strike") == pytest.approx(1 - comb(6, 3) / comb(8, 3))
    assert tracker.chance_held("react") == pytest.approx(3 / 8)
    assert tracker.chance_drawn("strike") == pytest.approx(2 / 5)
    assert tracker.chance_drawn("strike", cards=4) == pytest.approx(1.0)
    assert tracker.chance_drawn("trap") == 0


def test_a_face_down_trap_is_no_trap_in_hand() -> None:
    tracker = DeckTracker({}, {}, {"trap": 1, "strike": 3}, {}, 2, 1)
    assert tracker.chance_held("trap") == 0
    assert tracker.chance_held("strike") == 1


def test_what_was_seen_in_hand_is_sure_and_what_is_used_up_is_depleted() -> None:
    tracker = DeckTracker({}, {"Claw": 1}, {"react": 0, "strike": 0, "energy": 2}, {"strike": 1}, 1, 0)
    assert tracker.chance_held("strike") == 1
    assert tracker.depleted == ["react"]


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("side", names.SIDES)
def test_it_knows_nothing_that_is_hidden(scenario: str, side: str) -> None:
    viewer = names.side_code(side)
    for number, fight in enumerate(at_random(scenario, 6)):
        twin = fight.copy()
        with wrapping():
            determinize(fight.packed.tables, twin.state, viewer, np.array([number * 7919 + 1], np.uint64))
        assert track(twin, side) == track(fight, side)


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("side", names.SIDES)
def test_its_lists_are_sorted_so_that_no_order_of_a_pile_shows(scenario: str, side: str) -> None:
    viewer = names.side_code(side)
    for number, fight in enumerate(at_random(scenario, 6)):
        found, twin = track(fight, side), fight.copy()
        for listed in (found.draw, found.seen, found.unseen, found.shown, found.depleted):
            assert list(listed) == sorted(listed)
        with wrapping():
            determinize(fight.packed.tables, twin.state, viewer, np.array([number * 7919 + 1], np.uint64))
        assert json.dumps(track(twin, side).as_dict()) == json.dumps(found.as_dict())


def test_hidden_cards_are_dealt_by_these_odds() -> None:
    fight, deals = Encounter("boar", seed=42), 1500
    packed, tracker = fight.packed, track(fight, "visitor")
    held = dict.fromkeys(tracker.unseen, 0)
    for number in range(deals):
        twin = fight.copy()
        with wrapping():
            determinize(packed.tables, twin.state, 1, np.array([number * 7919 + 1], np.uint64))
        theirs = twin.state["sides"][0]
        hand = [int(k) for k in theirs["hand"][: int(theirs["hand_size"])]]
        for category in {packed.cards[int(number_of(packed.tables, twin.state, 0, k))].category for k in hand}:
            held[category] += 1
    for category, count in held.items():
        chance = tracker.chance_held(category)
        # five standard deviations: nine categories fail by luck less than once in 10**5
        assert abs(count / deals - chance) < 5 * (chance * (1 - chance) / deals) ** 0.5 + 1e-9


def test_a_montecarlo_players_explanation_says_what_it_knows_of_the_decks() -> None:
    fight = Encounter("boar", seed=42).play(["keep", "keep"])
    smart = explain(
        make_players(fight.packed, PlayerSpec("montecarlo", rollouts=1), PlayerSpec("montecarlo", rollouts=1)), fight
    )
    assert smart.tracker == track(fight, smart.side)
    assert smart.as_dict()["tracker"]["opponent_hidden_hand"] == 7
    assert explain(make_players(fight.packed), fight).tracker is None
