"""Explanations: what a player chose, parts of scores, plans of turns, formulas, and what stays hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import IntEnum
from typing import Any, get_args

import numpy as np
import pytest

from cartomancer.content.models import profile
from cartomancer.encounters.actions import split
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.names import CATEGORIES
from cartomancer.errors import CartomancerError
from cartomancer.jit import records
from cartomancer.players.explanation import Explanation
from cartomancer.players.kernel import player_codes
from cartomancer.players.kernel.heuristic import read_board, score_hand
from cartomancer.players.kernel.layout import WORKSPACE
from cartomancer.players.kernel.player_codes import EVERY_CATEGORY, Goal, Habit, Kind, Mode, Part, Stance
from cartomancer.players.player import Players, make_players
from cartomancer.players.policies import player_spec
from cartomancer.players.reasons import DEEDS, PARTS, explain
from cartomancer.players.trace import GROWS, KEPT, PLAYED
from tests.encounters.arena import Arena, card, offer, strike

KINDS = {"mulligan", "turn", "resource", "member", "react", "offer", "covenant", "test"}
CLAW = strike("claw", cost=1, power=3)
BRACE = card("react", "brace", "visitor", power=3)
TRIAL = card("test", "trial", "dungeon", exposure={"resource": "presence", "amount": 1})
PACT = offer(
    "pact",
    covenant=True,
    benefit={"resource": "weakest", "full_restore": True},
    price={"type": "extraction", "amount": 2, "effect": "insight"},
    trust=3,
)


def players_of(encounter: Encounter, dungeon: str = "heuristic", visitor: str = "heuristic", **options: Any) -> Players:
    return make_players(encounter.packed, player_spec(dungeon, "dungeon"), player_spec(visitor, "visitor"), **options)


def explained(arena: Arena, dungeon: str = "heuristic", visitor: str = "heuristic") -> Explanation:
    players = players_of(arena.encounter, dungeon, visitor, codex=arena.codex)
    return explain(players, arena.encounter, arena.codex)


def dungeon_with(*cards: dict[str, Any], energy: int = 9, **options: Any) -> Arena:
    """It is the dungeon's turn, with exactly these cards in hand."""
    arena = Arena(dungeon=[entry for entry in cards if entry["category"] != "energy"], **options)
    arena.turn("dungeon", hand=[entry["id"] for entry in cards], energy=energy)
    return arena


def offered(trust: float = 0, **fields: Any) -> Arena:
    """The visitor has lost something and is asked about a dungeon's Offer."""
    arena = dungeon_with(offer("gift", **fields))
    arena.set(vitality=10, resolve=10, nerve=10, trust=int(trust))
    arena.act("offer gift")
    return arena


def struck() -> Arena:
    arena = Arena(dungeon=[CLAW], visitor=[BRACE])
    arena.turn("dungeon", hand=["claw"], other_hand=["brace"])
    arena.dice("strong")
    arena.act("strike claw")
    return arena


def asked(kind: str) -> Arena:
    """An arena in which a decision of this kind is pending."""
    if kind == "mulligan":
        arena = Arena()
        arena.encounter = Encounter(arena.encounter.packed, 0)
    elif kind == "turn":
        arena = dungeon_with(CLAW)
    elif kind == "resource":
        arena = dungeon_with(strike("claw", target="chosen"))
        arena.act("strike claw")
    elif kind == "member":
        arena = dungeon_with(CLAW, party=[[], [], [], []], vitality=(9, 8, 7, 6))
        arena.act("strike claw")
    elif kind == "react":
        arena = struck()
    elif kind == "offer":
        arena = offered()
    else:
        arena = dungeon_with(TRIAL if kind == "test" else PACT)
        arena.set(trust=9)
        arena.act("test trial" if kind == "test" else "offer pact")
    return arena


def check(players: Players, encounter: Encounter, found: Explanation) -> None:
    """What holds for every explanation."""
    assert found.chosen.action == players.choose(encounter)
    assert [option.action for option in found.options] == encounter.legal()
    assert sorted(found.ranked(), key=lambda option: option.action) == sorted(
        found.options, key=lambda option: option.action
    )
    for option in found.options:
        assert set(option.parts) <= set(PARTS)
        assert 0 not in option.parts.values()
        assert sum(option.parts.values()) == (option.score or 0), option
    data = found.as_dict()
    assert json.loads(json.dumps(data)) == data
    assert found.sentence().startswith(f"The {found.side} (")
    plans = found.kind == "turn" and found.profile is not None and not found.player.startswith(("smart", "pass"))
    if plans and len(found.options) > 1:
        steps = [step for step in found.plan if step.role != KEPT]
        by_plan = split(found.chosen.action)[0] in {codes.PLAY, codes.ACTIVATE}
        assert [step.action for step in steps[:1]] == [found.chosen.action] * by_plan


# --- every decision ---------------------------------------------------------------------------------------------------


def decisions(scenario: str, seed: int, player: str, most: int) -> Iterator[tuple[Players, Encounter]]:
    fight = Encounter(scenario, seed)
    players = players_of(fight, player, player)
    while fight.decision is not None and len(fight.actions) < most:
        yield players, fight
        fight.apply(players.choose(fight))


@pytest.mark.parametrize(
    ("scenario", "player", "most"),
    [
        *(("boar", "heuristic", 80), ("symbiote", "heuristic", 80), ("symbiote-deceptive", "heuristic", 60)),
        *(("standard-company", "heuristic", 80), ("boar", "random", 40), ("boar", "montecarlo@1", 16)),
    ],
)
def test_every_decision_of_a_game_is_explained(scenario: str, player: str, most: int) -> None:
    for players, fight in decisions(scenario, 3, player, most):
        before = fight.state_hash()
        found = explain(players, fight)
        assert fight.state_hash() == before
        assert fight.decision is not None
        assert (found.kind, found.side) == (fight.decision.kind, fight.decision.side)
        check(players, fight, found)


def weighed_here(players: Players, fight: Encounter) -> Any:
    """The board and the hand of the asked side as they are worth at this position, reckoned in a blank workspace."""
    tables, policies, state = players.packed.tables, players.policies.table, fight.state
    p, workspaces = int(state["actor"]), records(1, WORKSPACE)
    workspace = workspaces[0]
    read_board(tables, policies, state, p, workspace)
    stance = int(workspace["stance"])
    weights = policies["sides"][p]["profiles"][int(state["room"])]["weights"][stance]
    score_hand(tables, policies, weights, state, p, workspace, stance != Stance.FIGHTING, EVERY_CATEGORY)
    return workspace


@pytest.mark.parametrize("scenario", ["boar", "symbiote", "symbiote-deceptive", "standard-gauntlet"])
def test_a_whole_game_is_explained_by_its_positions(scenario: str) -> None:
    """Stance, mode, chance and scores are those of the position that is explained, whatever was decided before it."""
    grown = 0
    for players, fight in decisions(scenario, 3, "heuristic", 100_000):
        found, here = explain(players, fight), weighed_here(players, fight)
        assert found == explain(players_of(fight), fight)
        assert (found.stance, found.mode, found.chance) == (
            Stance(int(here["stance"])).name.lower(),
            Mode(int(here["mode"])).name.lower(),
            int(here["chance"]),
        )
        if found.kind == "turn" and len(found.options) > 1:
            side = fight.state["sides"][int(fight.state["actor"])]
            hand = [int(k) for k in side["hand"][: int(side["hand_size"])]]
            scores = {action: here["scores"][hand.index(split(action)[1])][Part.VALUE] for action in cards_in(found)}
            assert scores == {option.action: option.score for option in found.options if option.action in scores}
            grown += found.chosen.note == GROWS
    assert grown > 5


def cards_in(found: Explanation) -> list[int]:
    """The options that play a card for its score."""
    return [
        option.action
        for option in found.options
        if split(option.action)[0] == codes.PLAY and not option.text.startswith("energy ")
    ]


@pytest.mark.parametrize("player", ["heuristic", "montecarlo@1"])
def test_a_turn_that_grows_the_pool_is_not_explained_by_the_decision_before(player: str) -> None:
    """The players have thought of the other side, in another stance, before they are asked about this turn."""
    arena = Arena(dungeon=[CLAW], visitor=[strike("bite", "visitor")])
    arena.turn("dungeon", hand=["claw", "dungeon_energy"], energy=0)
    players = players_of(arena.encounter, player, player, codex=arena.codex)
    fresh = explain(players, arena.encounter, arena.codex)
    other = Arena(dungeon=[CLAW], visitor=[strike("bite", "visitor")])
    other.turn("visitor", hand=["bite"])
    other.set(vitality=1, resolve=1, nerve=1)
    players.choose(other.encounter)
    assert explain(players, arena.encounter, arena.codex) == fresh
    assert (fresh.chosen.note, fresh.chance) == (GROWS, int(weighed_here(players, arena.encounter)["chance"]))


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("player", ["heuristic", "montecarlo@2", "smart@8", "turtle", "pass", "random"])
def test_every_kind_of_decision_is_explained(kind: str, player: str) -> None:
    arena = asked(kind)
    players = players_of(arena.encounter, player, player, codex=arena.codex)
    found = explain(players, arena.encounter, arena.codex)
    assert found.kind == kind
    check(players, arena.encounter, found)


def test_a_finished_run_asks_nobody() -> None:
    fight = Encounter("boar", 3)
    players = players_of(fight, "random", "random")
    while fight.decision is not None:
        fight.apply(players.choose(fight))
    with pytest.raises(CartomancerError, match="nobody is asked"):
        explain(players, fight)


@pytest.mark.parametrize("words", [Goal, Stance, Mode, Kind, Habit, Part])
def test_kernels_and_people_use_one_vocabulary(words: type[IntEnum]) -> None:
    """Codes count from 0, as the records they index need it; a kernel's constant is its enumeration's."""
    assert [int(word) for word in words] == list(range(len(words)))
    for word in words:
        own = getattr(player_codes, word.name, None)
        assert own is None or (own.dtype, int(own)) == (np.int64, int(word))


def test_content_has_the_goals_and_categories_of_the_kernels() -> None:
    assert [goal.name.lower() for goal in Goal] == list(get_args(profile.Goal))
    weighed = {name for name in profile.CategoryWeights.model_fields if name != "restraint"}
    assert weighed == set(CATEGORIES) - {"energy"}
    assert CATEGORIES.index("energy") == codes.ENERGY == len(weighed)  # weights are kept by code


def test_every_verb_has_its_deed() -> None:
    assert DEEDS[int(codes.MULLIGAN)] == "deals again"
    assert DEEDS[int(codes.DEFECT)] == "defects"
    assert set(DEEDS) == set(range(int(codes.DEFECT) + 1))


# --- who --------------------------------------------------------------------------------------------------------------


def test_profile_stance_mode_and_chance_are_named() -> None:
    found = explained(asked("turn"))
    assert (found.player, found.profile, found.plays_as, found.stance) == (
        "heuristic",
        "tactical",
        "tactical",
        "fighting",
    )
    assert found.mode in {mode.name.lower() for mode in Mode}
    assert found.chance is not None
    assert "tactical, fighting" in found.portrait()


def test_a_deceptive_dungeon_courts_with_another_profiles_weights() -> None:
    found = explained(asked("turn"), dungeon="deceptive")
    assert (found.profile, found.plays_as, found.stance) == ("deceptive", "nurturing", "courting")
    assert "deceptive as nurturing, courting" in found.sentence()


def test_a_random_player_takes_any_option_alike() -> None:
    found = explained(asked("turn"), dungeon="random")
    assert found.reason == f"any of {len(found.options)}, each as likely"
    assert (found.profile, found.stance, found.mode, found.chance) == (None, None, None, None)
    assert all(option.score is None for option in found.options)


def test_a_montecarlo_player_shows_how_its_rollouts_end() -> None:
    found = explained(dungeon_with(strike("claw", power=9)), dungeon="montecarlo@3")
    worths = {option.text: option.worth for option in found.options}
    assert worths["strike claw"] is not None
    assert worths["end"] is not None
    claw = next(option for option in found.options if option.text == "strike claw")
    assert set(claw.parts) <= {"gain", "trust"}
    react = explained(struck(), visitor="montecarlo@3")
    assert all(option.worth == option.score for option in react.options)


def test_the_only_option_needs_no_reason() -> None:
    found = explained(dungeon_with())
    assert [option.text for option in found.options] == ["end"]
    assert found.reason == "nothing else is possible"


# --- turns ------------------------------------------------------------------------------------------------------------


def option_of(found: Explanation, text: str) -> Any:
    return next(option for option in found.options if option.text == text)


def test_a_score_names_damage_keywords_and_lethal() -> None:
    arena = dungeon_with(strike("claw", keywords=["entangle"]))
    parts = option_of(explained(arena), "strike claw").parts
    assert parts["damage"] > 0
    assert parts["keywords"] > 0
    assert "lethal" not in parts
    arena.set(vitality=2)
    assert option_of(explained(arena), "strike claw").parts["lethal"] > 0


def test_energy_that_grows_the_pool_is_planned_first_and_needs_no_score() -> None:
    arena = Arena(dungeon=[CLAW])
    arena.turn("dungeon", hand=["claw", "dungeon_energy", "dungeon_energy"], energy=0)
    found = explained(arena)
    assert found.deed == "plays dungeon energy"
    assert (found.chosen.note, found.chosen.score) == (GROWS, None)
    assert [(step.text, step.role) for step in found.plan] == [
        ("energy dungeon_energy", GROWS),
        ("energy dungeon_energy", GROWS),
        ("strike claw", PLAYED),
    ]
    assert option_of(found, "activate claw").score < 0


def test_a_plan_pays_with_what_it_needs_least() -> None:
    found = explained(dungeon_with(strike("maul", power=9, cost=3), strike("nip", power=1, cost=3), energy=2))
    assert [(step.text, step.role) for step in found.plan] == [
        ("activate nip", "gives 1 energy"),
        ("strike maul", PLAYED),
    ]
    assert found.sources == found.plan[:1]
    assert found.reason == "it gives 1 energy to pay for Maul"
    assert found.chosen.planned


def test_a_set_up_is_planned_before_what_it_sets_up() -> None:
    roar = card("empower", "roar", "dungeon", power=3)
    found = explained(dungeon_with(strike("maul", power=4), roar))
    assert [step.text for step in found.plan] == ["empower roar", "strike maul"]
    assert found.reason.endswith("Maul to follow")


def test_suppressed_strikes_say_why_they_are_worth_nothing() -> None:
    found = explained(dungeon_with(CLAW), dungeon="nurturing")
    claw = option_of(found, "strike claw")
    assert (claw.score, claw.note) == (0, "no Strikes from trust 0 on")


def test_a_retreat_is_explained_by_the_chance_of_winning() -> None:
    arena = Arena(retreat=True, visitor=[strike("bite", "visitor")])
    for _ in range(3):
        arena.end_round()
    arena.turn("visitor", hand=["bite"])
    arena.set(vitality=1, resolve=1, nerve=1)
    found = explained(arena, visitor="cautious_explorer")
    assert (found.deed, found.plan) == ("retreats", ())
    assert found.reason == "it fights on from 15 % only"


def test_face_down_traps_are_not_in_the_plan() -> None:
    """Two positions that differ in a hidden Trap alone are explained alike."""
    found = []
    for springs in ("energy", "disrupt"):
        snare = card("trap", "snare", "visitor", springs=springs, target="structure", power=1, energy_loss=3)
        arena = Arena(dungeon=[CLAW], visitor=[snare])
        arena.turn("visitor", hand=["snare"])
        arena.act("trap snare", "end")
        arena.turn("dungeon", hand=["dungeon_energy", "claw"], energy=0)
        found.append(explained(arena).as_dict())
    assert found[0] == found[1]
    assert [step["text"] for step in found[0]["plan"]] == ["energy dungeon_energy", "strike claw"]


# --- replies ----------------------------------------------------------------------------------------------------------


def test_a_react_is_weighed_against_its_card_and_energy() -> None:
    found = explained(struck())
    brace = option_of(found, "react brace")
    assert brace.parts["guard"] > 0
    assert brace.parts["price"] < 0
    assert option_of(found, "take").score == 0
    assert found.chosen.text == ("react brace" if brace.score > 0 else "take")


def test_a_member_is_drawn_by_weight() -> None:
    found = explained(asked("member"))
    assert found.formula["total"] == sum(option.score or 0 for option in found.options)
    assert found.reason.startswith("drawn by chance")
    assert found.deed.startswith("strikes at the ")


def test_a_resource_is_chosen_by_damage() -> None:
    found = explained(asked("resource"))
    best = max(option.score or 0 for option in found.options)
    assert found.chosen.score == best
    assert found.deed == f"strikes at {found.chosen.text.removeprefix('→ ')}"


def test_a_mulligan_counts_energy() -> None:
    found = explained(asked("mulligan"))
    few = found.formula["energy_in_hand"] <= found.formula["most_energy_kept"]
    assert found.chosen.text == ("keep" if few else "mulligan")


@pytest.mark.parametrize(("kind", "text"), [("test", "cooperate"), ("covenant", "accept")])
def test_tests_and_covenants_tell_the_chance(kind: str, text: str) -> None:
    found = explained(asked(kind))
    first, second = found.options
    assert (first.text, first.score) == (text, found.formula["chance"])
    assert (first.score or 0) + (second.score or 0) == 1000
    assert found.formula["trust"] == 9


def test_a_covenant_remembers_need_and_strikes() -> None:
    arena = asked("covenant")
    assert explained(arena).formula | {"low_reducers": 0, "was_struck": False} == explained(arena).formula
    calm = explained(arena).formula["chance"]
    arena.set(nerve=2)
    arena.side("dungeon")["strikes"] = 1
    formula = explained(arena).formula
    assert (formula["low_reducers"], formula["was_struck"]) == (1, True)
    assert formula["chance"] != calm


# --- bargains ---------------------------------------------------------------------------------------------------------


def test_an_open_offer_shows_benefit_cost_and_threshold() -> None:
    arena = offered(
        benefit={"resource": "nerve", "amount": 4}, price={"type": "flat", "resource": "resolve", "amount": 1}
    )
    found = explained(arena, visitor="cautious_explorer")
    thinking = arena.codex.thinking
    terms = {"veiled": False, "benefit": 4000, "goodwill": 0, "pressure": 0, "cost": 1000}
    bar = {"threshold": thinking.threshold, "scepticism": 0, "brings": 3000, "needed": thinking.threshold}
    assert found.formula == terms | bar
    assert found.deed == "accepts Gift"


@pytest.mark.parametrize("visitor", ["cautious_explorer", "cooperative", "feral_aggressive"])
@pytest.mark.parametrize("trust", [0, 3, 5])
@pytest.mark.parametrize("nerve", [3, 10, 20])
def test_an_offer_is_accepted_exactly_when_it_brings_more_than_is_needed(visitor: str, trust: int, nerve: int) -> None:
    arena = offered(trust)
    arena.set(nerve=nerve)
    found = explained(arena, visitor=visitor)
    accepts = found.formula["brings"] > found.formula["needed"]
    assert found.chosen.text == ("accept" if accepts else "refuse")
    assert found.ranked()[0].chosen


@pytest.mark.parametrize("visitor", ["cooperative", "montecarlo@2", "random"])
def test_a_veiled_offers_price_is_not_shown(visitor: str) -> None:
    """Two veiled Offers that differ in their price alone are explained alike."""
    found = []
    for amount in (1, 6):
        arena = offered(3, price={"type": "flat", "resource": "resolve", "amount": amount})
        found.append(explained(arena, visitor=visitor).as_dict())
    assert found[0] == found[1]
    assert "cost" not in found[0]["formula"]
    assert "gift" not in json.dumps(found[0]).lower()
    if visitor != "random":
        assert found[0]["formula"]["veiled"] is True
        assert found[0]["formula"]["belief"] > 0
