"""A look back: worths, causes told apart, what was thrown away is found, and nothing depends on anything else."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.names import SIDES
from cartomancer.encounters.packing import pack
from cartomancer.errors import CartomancerError
from cartomancer.players.player import make_players, play_out
from cartomancer.players.policies import PlayerSpec, pack_policies
from cartomancer.players.postmortem import Review, review, review_steps
from cartomancer.players.prospects import Prospects
from cartomancer.players.turning_points import CLEAR, LEAST, MOST, Turn, steps_of
from cartomancer.rng import Stream
from tests.players.positions import players_of, redealt, told


@cache
def played(scenario: str, seed: int = 1, dungeon: str = "heuristic", visitor: str = "heuristic") -> Encounter:
    """A run to its end."""
    packed = pack(scenario)
    return play_out(Encounter(packed, seed), make_players(packed, PlayerSpec(dungeon), PlayerSpec(visitor)))


@cache
def looked_back(scenario: str, rollouts: int = 20) -> Review:
    return review(played(scenario), rollouts=rollouts)


# --- worths -----------------------------------------------------------------------------------------------------------


def test_the_course_ends_with_what_the_ending_was_worth() -> None:
    found, run = looked_back("boar"), played("boar")
    endings = [
        side["profiles"][int(run.state["room"])]["endings"][int(run.state["outcome"])]
        for side in pack_policies(run.packed).table["sides"]
    ]
    end = found.course[-1].worths
    assert [1000 * end.dungeon, 1000 * end.visitor] == pytest.approx(endings)
    assert [moment.number for moment in found.course] == list(range(1, len(played("boar").actions) + 2))


def test_a_position_is_looked_at_with_the_cards_as_they_lie() -> None:
    """Other hidden cards are another position, though a side could not tell them apart."""
    run = played("boar")
    fight = Encounter(run.packed, run.seed).play(run.actions[:8])
    assert fight.decision is not None
    side = SIDES.index(fight.decision.side)
    twin = redealt(fight, side, Stream(3, 52, 0))
    assert told(fight, side) == told(twin, side)
    prospects = Prospects(run.packed, pack_policies(run.packed))
    ours, others = (prospects.of(position, None, range(200)) for position in (fight, twin))
    assert not np.array_equal(ours, others)


def test_what_no_chance_touches_has_the_same_worth_before_and_after() -> None:
    """A rollout has the same luck wherever it begins: playing Energy rolls nothing."""
    run = played("boar")
    prospects = Prospects(run.packed, pack_policies(run.packed))
    step = next(step for step in steps_of(run) if step.text.startswith("energy"))
    assert not step.by_chance
    decided = prospects.of(step.before, step.action, range(50))
    assert np.array_equal(decided, prospects.of(step.after, None, range(50)))


def test_a_rollout_leaves_the_position_as_it_is() -> None:
    run = played("boar")
    step = steps_of(run)[5]
    before = step.before.state_hash()
    Prospects(run.packed, pack_policies(run.packed)).of(step.before, step.action, range(3))
    assert step.before.state_hash() == before


# --- turning points ---------------------------------------------------------------------------------------------------


def _size(turn: Turn) -> float:
    return turn.size()


@pytest.mark.parametrize("scenario", ["boar", "symbiote", "standard-company"])
def test_turning_points_are_few_in_order_and_more_than_noise(scenario: str) -> None:
    turns = looked_back(scenario).turning_points
    assert len(turns) <= MOST
    places = [(turn.number, turn.cause != "decision") for turn in turns]
    assert places == sorted(places)
    assert all(turn.size() > turn.error for turn in turns)
    assert len(turns) <= LEAST or all(turn.size() >= CLEAR for turn in sorted(turns, key=_size)[:-LEAST])


def test_dice_are_told_from_cards_and_from_decisions() -> None:
    """Dice where some were rolled, cards where only some were drawn, and nothing where no chance was asked."""
    rolled = {step.number for step in steps_of(played("standard-company")) if step.rolled}
    chance = {step.number for step in steps_of(played("standard-company")) if step.by_chance}
    for turn in looked_back("standard-company", 40).turning_points:
        if turn.cause != "decision":
            assert turn.number in chance
            assert (turn.cause == "dice") is (turn.number in rolled)


def test_a_visitor_that_gives_up_is_told_to_have_decided_it() -> None:
    """It retreats in the first round in which it may: a third of a win, and its own choice."""
    run = played("company-gauntlet", 3, visitor="flee")
    assert run.outcome is not None
    assert run.outcome.kind == "fled"
    found = review(run, rollouts=60)
    last = found.turning_points[-1]
    assert (last.number, last.side, last.action, last.cause) == (len(run.actions), "visitor", "retreat", "decision")


# --- decisions --------------------------------------------------------------------------------------------------------


def test_who_throws_the_game_away_is_shown_what_it_cost() -> None:
    """A dungeon that only passes would lose far less by what a smart player would have done."""
    run = played("boar", 2, dungeon="pass")
    lazy, honest = review(run, rollouts=30).judged
    assert lazy.side == "dungeon"
    assert lazy.cost > lazy.error
    assert lazy.cost > honest.cost
    dearest = max(lazy.choices, key=lambda choice: choice.cost)
    assert (dearest.played, dearest.smart == "end", dearest.is_clear) == ("end", False, True)


def test_who_plays_as_smart_would_is_told_nothing() -> None:
    """The same smart player, asked again about its own decisions."""
    packed = pack("symbiote")
    run = play_out(Encounter(packed, 5), players_of(Encounter(packed, 5), "smart@40", "smart@40"))
    assert [judged.choices for judged in review(run, rollouts=20).judged] == [(), ()]


def test_a_side_is_asked_about_alone() -> None:
    both = looked_back("boar")
    alone = review(played("boar"), "visitor", 20)
    assert [judged.side for judged in alone.judged] == ["visitor"]
    assert alone.judged[0] == both.judged[1]


# --- the rest ---------------------------------------------------------------------------------------------------------


def test_a_review_depends_on_the_game_and_the_rollouts_alone() -> None:
    assert review(played("boar"), rollouts=20) == looked_back("boar")


def test_progress_is_told_step_by_step_to_the_end() -> None:
    seen: list[int] = []
    run = played("symbiote")
    review(run, rollouts=1, progress=seen.append)
    assert seen[-1] == review_steps(run) == len(seen)
    assert all(after - before == 1 for before, after in pairwise(seen))


def test_a_game_may_be_unfinished_but_not_unbegun() -> None:
    run = played("boar")
    half = Encounter(run.packed, run.seed).play(run.actions[:10])
    assert review(half, rollouts=4).outcome is None
    with pytest.raises(CartomancerError, match="nothing has been decided yet"):
        review(Encounter(run.packed, run.seed))


@pytest.mark.parametrize("rollouts", [0, 5001])
def test_a_budget_has_bounds(rollouts: int) -> None:
    with pytest.raises(CartomancerError, match="rollouts"):
        review(played("boar"), rollouts=rollouts)
