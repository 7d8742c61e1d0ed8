"""The turn sequencer: growth first, the best set within the budget, set-ups before payoffs [GDD 4.2, 7.1]."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from cartomancer.encounters.actions import split
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.players import explain
from cartomancer.players.kernel.layout import MOST_CANDIDATES, MOST_SOURCES
from cartomancer.players.trace import KEPT, Trace, plan_of
from cartomancer.rng import Stream
from tests.encounters.arena import Arena, card, offer, strike
from tests.players.positions import (
    CHOOSER,
    CODEX,
    SCENARIOS,
    at,
    at_random,
    chosen,
    decisions,
    players_of,
    rest_of_turn,
    traced,
    turn_of,
    with_profile,
)

THINKING = CODEX.thinking
CLAW = strike("claw", cost=1, power=3)
HOWL = card("empower", "howl", "dungeon", power=2, cost=1)
MOSS = card("reshape", "moss", "dungeon", heal={"resource": "veil", "amount": 3}, cost=1)
SURGE = card("energy", "flood", "dungeon", kind="surge", amount=2)
ATTUNE = card("energy", "taproot", "dungeon", kind="attune", for_type="physical")
SIPHON = card("energy", "leech", "dungeon", kind="siphon", condition={"when": "opponent_entangled"})
BARK = card("react", "bark", "dungeon", power=1, cost=1)
PACT = offer("pact", covenant=True, benefit={"resource": "weakest", "full_restore": True}, trust=3, cost=4)


# --- Energy -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["aggressive", "nurturing", "tactical", "deceptive", "montecarlo@2"])
def test_standard_energy_is_played_before_anything_else(profile: str) -> None:
    arena = turn_of("dungeon", CLAW, MOSS, hand=["claw", "moss", "dungeon_energy"])
    arena.set(vitality=2, veil=5)
    assert chosen(arena, dungeon=profile) == "energy dungeon_energy"


def test_attune_goes_before_the_card_it_makes_cheaper() -> None:
    arena = turn_of("dungeon", CLAW | {"cost": 3, "power": 5}, ATTUNE, energy=1)
    assert rest_of_turn(arena)[:2] == ["energy taproot", "strike claw"]  # 1 + 1 pays for 3 − 1


def test_a_surge_is_kept_when_nothing_is_worth_it() -> None:
    arena = turn_of("dungeon", CLAW, SURGE, BARK, energy=1)
    assert rest_of_turn(arena) == ["strike claw"]  # all can be paid
    arena = turn_of("dungeon", card("empower", "hum", "dungeon", power=1, cost=1), SURGE, energy=0)
    assert rest_of_turn(arena, surge_kept=700) == []  # an Empower for later is not worth a Surge


def test_the_last_energy_is_played_off_for_an_empty_hand_draws_more() -> None:
    arena = turn_of("dungeon", CLAW, SURGE, energy=1)
    assert rest_of_turn(arena) == ["strike claw", "energy flood"]
    arena = turn_of("dungeon", SURGE, SIPHON, energy=0)
    found = explain(at(arena), arena.encounter)
    assert sorted(rest_of_turn(arena)) == ["energy flood", "energy leech"]
    assert found.reason == "nothing has a use for it, and an empty hand is dealt a card more"
    more = SURGE | {"id": "brook", "title": "Brook"}
    assert rest_of_turn(turn_of("dungeon", SURGE, SIPHON, more, energy=0)) == []  # three kept are more than three drawn


def test_a_surge_pays_for_a_burst() -> None:
    arena = turn_of("dungeon", CLAW, CLAW | {"id": "fang", "title": "Fang"}, HOWL, SURGE, energy=1)
    found = rest_of_turn(arena)
    assert found[0] == "energy flood"
    assert len(found) == 4


def test_a_surge_is_used_for_a_kill() -> None:
    arena = turn_of("dungeon", CLAW | {"cost": 2}, SURGE, energy=0)
    arena.set(vitality=2)
    assert rest_of_turn(arena)[:2] == ["energy flood", "strike claw"]


def test_a_surge_for_another_type_is_not_wasted() -> None:
    arena = turn_of("dungeon", CLAW, SURGE | {"for_type": "mystical"}, energy=0)
    arena.set(vitality=2)
    assert "energy flood" not in rest_of_turn(arena)


def test_a_plan_counts_an_attune_only_once() -> None:
    arena = turn_of("dungeon", strike("slam", cost=2, power=4), CLAW | {"cost": 2}, energy=2)
    arena.side("dungeon")["attuned"][0] = 1  # 1 + 2 is more than 2
    assert len(plan_of(traced(arena))) == 1


def test_a_plan_spends_the_energy_of_a_type_only_once() -> None:
    arena = turn_of("dungeon", CLAW, CLAW | {"id": "fang", "title": "Fang"}, energy=0)
    arena.side("dungeon")["typed_energy"][0] = 1
    assert len(plan_of(traced(arena))) == 1


def test_a_siphon_is_played_when_its_condition_holds() -> None:
    arena = turn_of("dungeon", CLAW, SIPHON)
    assert chosen(arena) == "strike claw"
    arena.side("visitor")["entangled"] = 1
    assert chosen(arena) == "energy leech"


def test_an_unfulfilled_siphon_pays_for_what_is_worth_it() -> None:
    arena = turn_of("dungeon", CLAW, SIPHON, energy=0)
    arena.set(vitality=3)
    assert rest_of_turn(arena)[:2] == ["energy leech", "strike claw"]
    idle = turn_of("dungeon", MOSS, SIPHON, energy=0)
    idle.set(veil=19)
    assert rest_of_turn(idle) == []


# --- activation -------------------------------------------------------------------------------------------------------


def test_a_worthless_card_is_activated_for_a_kill() -> None:
    arena = turn_of("dungeon", CLAW, MOSS, energy=0)  # nothing to heal
    arena.set(vitality=3)
    assert rest_of_turn(arena)[:2] == ["activate moss", "strike claw"]


def test_no_card_is_activated_for_less_than_it_is_worth() -> None:
    arena = turn_of("dungeon", CLAW, MOSS, energy=0)
    arena.set(veil=2)
    assert "activate moss" not in rest_of_turn(arena)


@pytest.mark.parametrize("profile", ["nurturing", "deceptive", "tactical"])
def test_who_wants_a_bond_does_not_activate_the_covenant(profile: str) -> None:
    gift = offer("gift", benefit={"resource": "nerve", "amount": 4}, trust=3, cost=1)
    for trust in range(3, 9):
        arena = turn_of("dungeon", PACT, gift, MOSS, energy=0)
        arena.set(trust=trust, veil=3, presence=3, structure=3, nerve=6)
        assert "activate pact" not in rest_of_turn(arena, dungeon=profile)


def test_who_wants_no_bond_may_activate_the_covenant_for_a_kill() -> None:
    arena = turn_of("dungeon", CLAW, PACT, energy=0)
    arena.set(vitality=3)
    found = explain(at(arena, dungeon="aggressive"), arena.encounter, arena.codex)
    assert found.chosen.text == "activate pact"
    assert found.chosen.score == -THINKING.activation
    assert rest_of_turn(arena, dungeon="aggressive") == ["activate pact", "strike claw"]


def test_no_courting_dungeon_activates_a_covenant_in_whole_games() -> None:
    held = 0
    for seed in range(25):
        fight = Encounter("symbiote", seed)
        for action in decisions(fight, players_of(fight, "nurturing", "cautious_explorer")):
            texts = fight.legal_texts()
            held += "activate pact_of_living_stone" in texts
            assert fight.text_of(action) != "activate pact_of_living_stone"
    assert held > 50


# --- order ------------------------------------------------------------------------------------------------------------


def test_empower_goes_before_the_strike_it_is_for() -> None:
    for hand in (["claw", "howl"], ["howl", "claw"]):
        arena = turn_of("dungeon", CLAW, HOWL, hand=hand, energy=2)
        assert rest_of_turn(arena) == ["empower howl", "strike claw"]


def test_without_energy_for_both_the_strike_goes_alone() -> None:
    assert rest_of_turn(turn_of("dungeon", CLAW, HOWL, energy=1))[0] == "strike claw"


def test_a_trap_for_accepted_offers_goes_before_the_offer() -> None:
    trap = card("trap", "hook", "dungeon", springs="offer_accepted", target="nerve", power=3)
    arena = turn_of("dungeon", offer("gift"), trap)
    arena.set(nerve=10)
    with_profile(
        arena, "nurturing", weights=arena.codex.profiles["nurturing"].weights.model_copy(update={"trap": 1000})
    )
    trace = traced(arena, dungeon="nurturing")
    assert [step.text for step in plan_of(trace)] == ["trap hook", "offer gift"]
    places = {trace.title(trace.hand[int(trace.workspace["places"][k])]): k for k in range(2)}
    assert trace.workspace["bonus"][places["Hook"], places["Gift"]] > 0
    assert trace.workspace["bonus"][places["Gift"], places["Hook"]] == 0


@pytest.mark.parametrize(
    ("first", "when"),
    [
        (CLAW | {"id": "hold", "keywords": ["entangle"]}, "opponent_entangled"),
        (CLAW | {"id": "hold", "keywords": ["erode"]}, "opponent_eroded"),
        (card("disrupt", "hold", "dungeon", disadvantage=True, cost=1), "opponent_disrupted"),
        (card("empower", "hold", "dungeon", power=1, cost=1), "self_empowered"),
        (card("trap", "hold", "dungeon", springs="strike", target="vitality", power=2, cost=1), "trap_set"),
        (card("reshape", "hold", "dungeon", ward=4, cost=1), "self_guarded"),
    ],
)
def test_set_ups_go_before_what_they_set_up(first: dict[str, Any], when: str) -> None:
    payoff = strike("payoff", cost=1, power=3, trigger={"when": when, "power": 3})
    for hand in (["hold", "payoff"], ["payoff", "hold"]):
        arena = turn_of("dungeon", first, payoff, hand=hand, energy=2)
        found = [text.split()[-1] for text in rest_of_turn(arena)]
        assert found == ["hold", "payoff"]


def test_the_shipped_hollow_entangles_before_it_crushes() -> None:
    for hand in (["crushing_grip", "entombing_grasp"], ["entombing_grasp", "crushing_grip"]):
        arena = Arena.shipped("root_hollow", creature="thornback_boar")
        arena.turn("dungeon", hand=hand, energy=5)
        steps = [step.text for step in plan_of(traced(arena))]
        assert steps == ["strike entombing_grasp", "strike crushing_grip"]


def test_a_strike_that_resonates_waits_for_another_of_its_type() -> None:
    echo = strike("echo", cost=1, power=2, keywords=["resonate"])
    for hand in (["echo", "claw"], ["claw", "echo"]):
        arena = turn_of("dungeon", CLAW, echo, hand=hand, energy=2)
        assert [step.text for step in plan_of(traced(arena))] == ["strike claw", "strike echo"]


# --- keeping ----------------------------------------------------------------------------------------------------------


def test_energy_is_kept_for_a_react_only_while_the_opponent_is_still_to_come() -> None:
    brace = card("react", "brace", "dungeon", power=4, cost=1)
    for first, expected in ((codes.DUNGEON, "end"), (codes.VISITOR, "reshape moss")):
        arena = turn_of("dungeon", brace, MOSS, energy=1)
        arena.set(veil=14)
        arena.state["first"] = first
        assert chosen(arena) == expected
    arena.state["first"] = codes.DUNGEON
    assert [step.role for step in plan_of(traced(arena))] == [KEPT]


def test_a_react_is_not_worth_a_kill() -> None:
    arena = turn_of("dungeon", card("react", "brace", "dungeon", power=4, cost=1), CLAW, energy=1)
    arena.state["first"] = codes.DUNGEON
    arena.set(vitality=2)
    assert chosen(arena) == "strike claw"


@pytest.mark.parametrize(("trust", "kept"), [(5, False), (6, True), (7, True), (8, True)])
def test_a_surge_is_saved_for_the_covenant(trust: int, kept: bool) -> None:
    moss = MOSS | {"cost": 2}
    arena = turn_of("dungeon", PACT, moss, SURGE, energy=0)
    arena.set(trust=trust, veil=14)
    assert (chosen(arena, dungeon="nurturing") == "end") is kept
    assert chosen(arena, dungeon="aggressive") == "energy flood"  # who fights has nothing to save for


def test_without_a_covenant_in_hand_there_is_nothing_to_save_for() -> None:
    arena = turn_of("dungeon", MOSS | {"cost": 2, "heal": {"resource": "veil", "amount": 4}}, SURGE, energy=0)
    arena.set(trust=7, veil=12)
    assert chosen(arena, dungeon="nurturing") == "energy flood"


def test_the_saved_surge_seals_the_covenant() -> None:
    arena = turn_of("dungeon", PACT, SURGE, energy=2)
    arena.set(trust=9)
    assert rest_of_turn(arena, dungeon="nurturing")[:2] == ["energy flood", "offer pact"]


# --- the best set: brute force ----------------------------------------------------------------------------------------


@cache
def turns(scenario: str) -> tuple[Encounter, ...]:
    """Turns of random games, some with more, some with less energy than the rules gave."""
    chance, found = Stream(7, CHOOSER, 2), []
    for seed in (1, 2):
        for fight in at_random(scenario, seed):
            if fight.decision is not None and fight.decision.kind == "turn":
                twin = fight.copy()
                side = twin.state["sides"][int(twin.state["actor"])]
                side["energy"] = chance.below(6)
                found.append(twin)
    return tuple(found)


def candidates(trace: Trace) -> list[int]:
    """Places in hand of cards that are worth something and that the rules allow, were they paid for."""
    rich = trace.encounter.copy()
    rich.state["sides"][trace.p]["energy"] = 90
    playable = {split(action)[1] for action in rich.legal() if split(action)[0] == codes.PLAY}
    playable |= {card for card in trace.hand if trace.category(card) == codes.REACT}
    playable -= {card for card in trace.hand if int(trace.side["locked"]) >> card & 1}
    return [k for k, card in enumerate(trace.hand) if trace.row(k)["value"] > 0 and card in playable]


def sources(trace: Trace) -> list[tuple[int, int, int]]:
    """(place, energy, price) of everything that could be used up for energy."""
    found = []
    for k, instance in enumerate(trace.hand):
        entry = trace.card(instance)
        if entry["category"] != codes.ENERGY:
            price = THINKING.activation + max(0, trace.row(k)["value"])
            sealing = trace.courting and entry["category"] == codes.OFFER and entry["covenant"]
            found.append((k, 1, price + (THINKING.covenant if sealing else 0)))
        elif not int(trace.side["locked"]) >> instance & 1:
            if entry["energy_kind"] == codes.SURGE:
                found.append((k, int(entry["amount"]), THINKING.surge_kept))
            else:
                found.append((k, 1, THINKING.siphon_kept))
    return found


def plans(trace: Trace) -> dict[int, int | None]:
    """Every set of candidates as a mask: its worth, paid from the best sources there are; nothing if none will do."""
    places = [int(place) for place in trace.workspace["places"][: len(candidates(trace))]]
    have = int(trace.side["energy"]) + int(trace.side["temporary"])
    offered = sorted(sources(trace), key=lambda source: source[2] / source[1])[:MOST_SOURCES]
    found = {}
    for mask in range(1, 1 << len(places)):
        inside = [k for k in range(len(places)) if mask >> k & 1]
        rows = [trace.row(places[k]) for k in inside]
        types = [int(trace.card(trace.hand[places[k]])["card_type"]) for k in inside]
        value = sum(row["value"] for row in rows)
        value += sum(int(trace.workspace["bonus"][i, j]) for i in inside for j in inside if i != j)
        costs: Counter[int] = Counter()
        for k, row, kind in zip(inside, rows, types, strict=True):
            costs[kind] += max(row["cost"], int(trace.card(trace.hand[places[k]])["cost"]))
        granted = {k: int(trace.side["typed_energy"][k]) + int(trace.side["attuned"][k]) for k in costs}
        lacking = sum(max(0, costs[kind] - granted[kind]) for kind in costs) - have
        outside = [source for source in offered if source[0] not in {places[k] for k in inside}]
        free = [(place, gain, price) for place, most, price in outside if (gain := _gain(trace, place, most, costs))]
        found[mask] = _paid(value, lacking, free)
    return found


def _gain(trace: Trace, place: int, most: int, costs: Counter[int]) -> int:
    """What a source gives a set: a Surge bound to a type pays for that type alone."""
    card = trace.card(trace.hand[place])
    bound = card["category"] == codes.ENERGY and card["energy_kind"] == codes.SURGE and card["for_type"] >= 0
    return min(most, costs[int(card["for_type"])]) if bound else most


def _paid(value: int, lacking: int, free: list[tuple[int, int, int]]) -> int | None:
    if lacking <= 0:
        return value
    sets = (some for size in range(len(free) + 1) for some in combinations(free, size))
    prices = [sum(price for *_, price in some) for some in sets if sum(gain for _, gain, _ in some) >= lacking]
    return value - min(prices) if prices else None


def planned(scenario: str) -> list[Trace]:
    """Turns in which the sequencer had something to weigh."""
    found = []
    for fight in turns(scenario):
        trace = Trace(players_of(fight, "aggressive", "feral_aggressive"), fight)
        count = len(candidates(trace))
        if trace.growth is None and len(trace.legal) > 1 and 0 < count <= MOST_CANDIDATES:
            found.append(trace)
    return found


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_chosen_set_is_the_best_of_all_sets_and_the_sources_that_pay_for_it(scenario: str) -> None:
    sheets = planned(scenario)
    assert len(sheets) >= 10
    for trace in sheets:
        found = plans(trace)
        mask = int(trace.workspace["chosen_mask"])
        best = max((paid for paid in found.values() if paid is not None), default=0)
        assert (found[mask] if mask else 0) == max(0, best)


def test_a_plan_can_be_carried_out_step_by_step() -> None:
    """Where no roll, answer or Trap comes between, the turn goes as it was planned."""
    fog = card("disrupt", "fog", "dungeon", disadvantage=True, thorns={"resource": "nerve", "amount": 3}, cost=1)
    arena = turn_of("dungeon", MOSS, fog, HOWL, SURGE, energy=1)
    arena.set(veil=6)
    steps = [step.text for step in explain(at(arena), arena.encounter, arena.codex).plan]
    assert rest_of_turn(arena) == steps
