"""Rollouts [GDD 7.2]: hidden cards determinized, rollouts that leave everything as it is, the same luck for all."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from statistics import pstdev
from typing import Any

import numpy as np
import pytest

from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.layout import MOST_INSTANCES, card_of
from cartomancer.jit import wrapping
from cartomancer.players.kernel.determinizing import determinize
from cartomancer.players.trace import Trace
from cartomancer.rng import Stream
from tests.encounters.arena import Arena, card, offer, strike
from tests.players.positions import CHOOSER, CODEX, at, at_random, players_of, redealt, told, turn_of

SCENARIOS = ("standard-company", "symbiote", "moth", "deceptive-host")
PILES = (("hand", "hand_size"), ("draw", "draw_size"), ("discard", "discard_size"), ("traps", "trap_count"))
CLAW = strike("claw", cost=1, power=3)


def determinized(fight: Encounter, side: int, seed: int) -> Any:
    """The position as a rollout of a side begins."""
    twin, dice = fight.copy(), np.array([seed * 7919 + 1], np.uint64)
    with wrapping():
        determinize(fight.packed.tables, twin.state, side, dice)
    return twin.state


def piles(state: Any, p: int) -> dict[str, list[int]]:
    record = state["sides"][p]
    return {name: [int(k) for k in record[name][: int(record[count])]] for name, count in PILES}


def gone(state: Any, p: int) -> list[int]:
    """Exhausted cards; the opponent remembers only those it has seen since the last shuffle."""
    return [k for k in range(MOST_INSTANCES) if int(state["sides"][p]["gone"]) >> k & 1]


def category(fight: Encounter, p: int, instance: int) -> int:
    tables = fight.packed.tables
    return int(card_of(tables, fight.state, p, instance)["category"])


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_dealing_anew_keeps_counts_known_cards_and_the_kind_of_traps(scenario: str, side: int) -> None:
    for number, fight in enumerate(at_random(scenario, 5)):
        found = determinized(fight, side, number)
        theirs, now = piles(fight.state, 1 - side), piles(found, 1 - side)
        assert {name: len(pile) for name, pile in now.items()} == {name: len(pile) for name, pile in theirs.items()}
        assert sorted(chain(gone(found, 1 - side), *now.values())) == sorted(
            chain(gone(fight.state, 1 - side), *theirs.values())
        )
        known = int(fight.state["sides"][1 - side]["known"])
        assert int(found["sides"][1 - side]["gone"]) & known == int(fight.state["sides"][1 - side]["gone"]) & known
        for name in ("hand", "discard", "traps"):
            for before, after in zip(theirs[name], now[name], strict=True):
                assert not known >> before & 1 or before == after
        assert all(category(fight, 1 - side, trap) == codes.TRAP for trap in now["traps"])
        mine, still = piles(fight.state, side), piles(found, side)
        assert sorted(mine.pop("draw")) == sorted(still.pop("draw"))
        assert mine == still


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_seen_stays_and_what_is_not_seen_tells_nothing(scenario: str, side: int) -> None:
    chance = Stream(3, CHOOSER, 3)
    for number, fight in enumerate(at_random(scenario, 6)):
        if number % 3 == 0 and int(fight.state["actor"]) == side:
            twin = redealt(fight, side, chance)
            assert twin.state.tobytes() != fight.state.tobytes()
            one, two = determinized(fight, side, number), determinized(twin, side, number)
            if fight.decision is not None and fight.decision.kind == "offer":
                continue  # answered by a formula, never rolled out
            for p in (0, 1):
                assert piles(one, p) == piles(two, p)
            assert (one["streams"] == two["streams"]).all()
            shown = fight.copy()
            shown._states[0] = one
            assert told(shown, side) == told(fight, side)


def test_every_hidden_card_may_be_in_every_hidden_place() -> None:
    arena = Arena(dungeon=[CLAW], visitor=[card("react", "brace", "visitor", power=2)])
    arena.turn("dungeon", hand=["claw"], other_hand=["brace", "visitor_idle"])
    names = Counter[str]()
    for seed in range(300):
        found = determinized(arena.encounter, 0, seed)
        names.update(arena._card(1, k) for k in piles(found, 1)["hand"])
    assert set(names) == {"brace", "visitor_idle", "visitor_energy"}
    assert 10 < names["brace"] < 80  # 2 places for 17 cards: 35 times of 300


def test_an_exhausted_card_that_was_never_seen_may_still_be_in_hand() -> None:
    """Two Offers look alike; one was refused under a veil and is gone, and only the dungeon knows which."""
    fair = offer("fair", exhaust=True)
    foul = offer("foul", exhaust=True, price={"type": "flat", "resource": "resolve", "amount": 4})
    found = []
    for name in ("fair", "foul"):
        arena = Arena(dungeon=[fair, foul], trust=3)
        arena.turn("dungeon", hand=[name])
        arena.act(f"offer {name}", "refuse", "end")
        side = arena.side("dungeon")
        side["draw"][: int(side["draw_size"])] = np.sort(side["draw"][: int(side["draw_size"])])
        dealt = [piles(determinized(arena.encounter, 1, seed), 0) for seed in range(100)]
        found.append({arena._card(0, k) for one in dealt for k in one["hand"] + one["draw"]})
    assert found[0] == found[1]


# --- rollouts ---------------------------------------------------------------------------------------------------------


def test_rollouts_leave_the_real_position_untouched() -> None:
    for number, fight in enumerate(at_random("standard-company", 2)):
        if number % 12 == 0:
            players, before = players_of(fight, "montecarlo@4", "montecarlo@4"), fight.state.tobytes()
            players.choose(fight)
            assert fight.state.tobytes() == before
            assert players._states[0].tobytes() == before


@pytest.mark.parametrize("rollouts", [1, 3, 12])
def test_equal_options_have_equal_luck(rollouts: int) -> None:
    """Two copies of a card end alike in every rollout, so their worth is the same to a thousandth."""
    arena = turn_of("dungeon", CLAW, CLAW, CLAW | {"id": "fang", "title": "Fang", "power": 5}, energy=2)
    for seed in range(10):
        arena.encounter.seed = seed
        trace = Trace(at(arena, dungeon=f"montecarlo@{rollouts}"), arena.encounter)
        rows = [trace.row(k) for k in range(3)]
        assert rows[0]["chance"] == rows[1]["chance"] > 0
        assert rows[0]["gain"] == rows[1]["gain"]


def test_more_rollouts_judge_more_steadily() -> None:
    arena, spread = turn_of("dungeon", CLAW, energy=2), {}
    for rollouts in (1, 8, 64):
        found = []
        for seed in range(60):
            arena.encounter.seed = seed
            found.append(Trace(at(arena, dungeon=f"montecarlo@{rollouts}"), arena.encounter).row(0)["chance"])
        spread[rollouts] = pstdev(found)
    assert spread[1] > 1.5 * spread[8] > 2.25 * spread[64] > 0


def test_a_kill_in_sight_is_seen() -> None:
    arena = turn_of("dungeon", CLAW | {"power": 5}, energy=1)
    arena.set(vitality=2)
    # in this very round: with the same luck the same Strike would kill as well a round later
    trace = Trace(at(arena, dungeon="montecarlo@24", horizon=0), arena.encounter)
    assert trace.row(0)["gain"] > 0
    assert arena.encounter.text_of(trace.chosen) == "strike claw"


def test_imagined_games_do_not_look_into_the_next_room() -> None:
    """A run that ends a room ends the rollout: the same scores, whatever comes after."""
    scores = []
    for rooms in ([{"room": "one"}], [{"room": "one"}, {"room": "two"}]):
        arena = turn_of("dungeon", CLAW, energy=1, rooms=rooms)
        arena.set(vitality=3)
        trace = Trace(at(arena, dungeon="montecarlo@24"), arena.encounter)
        scores.append(trace.row(0)["chance"])
    assert scores[0] == scores[1]


@pytest.mark.parametrize("trust", [CODEX.rules.trust_tiers[1] - 1, CODEX.rules.trust_tiers[1]])
def test_trust_is_added_to_what_rollouts_say_for_who_courts_and_for_who_schemes(trust: int) -> None:
    arena = turn_of("dungeon", offer("gift"), energy=2)
    arena.set(trust=trust, nerve=10)
    found = Trace(at(arena, dungeon="montecarlo@8:deceptive"), arena.encounter).row(0)
    assert found["trust"] > 0
    assert found["value"] == found["gain"] + found["trust"]
