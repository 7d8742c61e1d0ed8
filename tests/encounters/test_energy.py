"""Energy, costs, activation, hands and piles [GDD 4.2, 8.3, 8.4], E12, E32–E34."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.encounters.encounter import Encounter
from cartomancer.errors import IllegalActionError
from tests.encounters.arena import Arena, card, strike

SIDES = ("dungeon", "visitor")


def energy(name: str = "spark", side: str = "visitor", **fields: Any) -> dict[str, Any]:
    return card("energy", name, side, **({"kind": "standard"} | fields))


def playing(*cards: dict[str, Any], have: int = 0, pool: int = 1) -> Arena:
    """The visitor's turn with these cards in hand and so much energy left."""
    arena = Arena(visitor=list(cards))
    arena.turn("visitor", hand=[entry["id"] for entry in cards], energy=have)
    arena.side("visitor")["pool"] = pool
    return arena


def store(arena: Arena, side: str = "visitor") -> tuple[int, int, int]:
    """(pool, energy left, temporary energy)"""
    record = arena.side(side)
    return int(record["pool"]), int(record["energy"]), int(record["temporary"])


# --- Energy cards ----------------------------------------------------------------------------------------------------


def test_standard_energy_grows_the_pool_and_can_be_spent_at_once() -> None:
    arena = playing(energy(), strike("tusk", "visitor", cost=1))
    arena.act("energy spark")
    assert store(arena) == (2, 1, 0)
    arena.act("strike tusk")
    assert store(arena) == (2, 0, 0)


@pytest.mark.parametrize("amount", [1, 2, 3])
def test_a_surge_gives_temporary_energy_and_leaves_the_pool(amount: int) -> None:
    arena = playing(energy("surge", kind="surge", amount=amount))
    arena.act("energy surge")
    assert store(arena) == (1, 0, amount)


def test_a_typed_surge_pays_for_its_type_only() -> None:
    cards = [
        energy("surge", kind="surge", amount=2, for_type="mystical"),
        strike("hex", "visitor", type="mystical", cost=2),
        strike("tusk", "visitor", type="physical", cost=1),
    ]
    arena = playing(*cards)
    arena.act("energy surge")
    assert "strike tusk" not in arena.legal()
    with pytest.raises(IllegalActionError, match="costs 1 energy, 0 left"):
        arena.act("strike tusk")
    arena.act("strike hex")
    assert list(arena.side("visitor")["typed_energy"]) == [0, 0, 0, 0]


def test_attune_grows_the_pool_and_makes_the_next_card_of_its_type_one_cheaper() -> None:
    hex_ = strike("hex", "visitor", type="mystical", cost=2)
    arena = playing(energy("attune", kind="attune", for_type="mystical"), hex_, hex_, have=3)
    arena.act("energy attune")
    assert store(arena) == (2, 4, 0)
    arena.act("strike hex")
    assert store(arena) == (2, 3, 0)
    arena.act("strike hex")
    assert store(arena) == (2, 1, 0)


def test_attune_is_not_used_up_by_another_type() -> None:
    cards = [
        energy("attune", kind="attune", for_type="mystical"),
        strike("tusk", "visitor", type="physical", cost=1),
        strike("hex", "visitor", type="mystical", cost=1),
    ]
    arena = playing(*cards, have=5)
    arena.act("energy attune", "strike tusk")
    assert store(arena) == (2, 5, 0)
    arena.act("strike hex")
    assert store(arena) == (2, 5, 0)


def test_attune_never_makes_a_card_cost_less_than_nothing() -> None:
    cards = [
        energy("attune", kind="attune", for_type="mystical"),
        strike("free", "visitor", type="mystical", cost=0),
        strike("hex", "visitor", type="mystical", cost=1),
    ]
    arena = playing(*cards, have=5)
    arena.act("energy attune", "strike free", "strike hex")
    assert store(arena) == (2, 5, 0)  # the free card used the Attune up: 5 + 1 − 0 − 1


def test_attune_waits_over_rounds_for_a_card_of_its_type() -> None:
    cards = [energy("attune", kind="attune", for_type="mystical"), strike("hex", "visitor", type="mystical", cost=2)]
    arena = playing(*cards)
    arena.act("energy attune")
    arena.end_round()
    arena.turn("visitor", hand=["hex"], energy=1)
    arena.act("strike hex")
    assert store(arena)[1] == 0


@pytest.mark.parametrize(("vitality", "after"), [(9, (2, 1, 0)), (10, (1, 0, 1))], ids=["met", "unmet"])
def test_a_siphon_grows_the_pool_if_its_condition_holds_and_gives_temporary_energy_otherwise(
    vitality: int, after: tuple[int, int, int]
) -> None:
    condition = {"when": "self_below", "resource": "vitality", "value": 50}
    arena = playing(energy("siphon", kind="siphon", condition=condition))
    arena.set(vitality=vitality)
    arena.act("energy siphon")
    assert store(arena) == after


@pytest.mark.parametrize("kind", ["standard", "attune"])
def test_the_pool_does_not_grow_beyond_its_cap(kind: str) -> None:
    extra = {"for_type": "social"} if kind == "attune" else {}
    arena = playing(energy("spark", kind=kind, **extra), energy("spark", kind=kind, **extra), pool=9)
    arena.act("energy spark")
    assert store(arena) == (10, 1, 0)
    arena.act("energy spark")
    assert store(arena) == (10, 1, 0)


def test_an_energy_card_costs_nothing_and_is_discarded() -> None:
    arena = playing(energy(), have=0)
    assert arena.legal() == ["end", "energy spark"]
    arena.act("energy spark")
    assert (int(arena.side("visitor")["hand_size"]), int(arena.side("visitor")["discard_size"])) == (0, 1)


# --- paying ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cost", [0, 1, 2, 3])
def test_a_card_costs_its_energy_and_cannot_be_played_with_less(cost: int) -> None:
    arena = playing(strike("tusk", "visitor", cost=cost), have=cost)
    if cost:
        arena.side("visitor")["energy"] = cost - 1
        assert arena.legal() == ["end", "activate tusk"]
        with pytest.raises(IllegalActionError, match=f"Tusk costs {cost} energy, {cost - 1} left"):
            arena.act("strike tusk")
        arena.side("visitor")["energy"] = cost
    arena.act("strike tusk")
    assert store(arena)[1] == 0


@pytest.mark.parametrize("cost", [1, 2, 3])
def test_typed_energy_pays_first_then_temporary_then_the_pools(cost: int) -> None:
    arena = playing(strike("tusk", "visitor", type="social", cost=cost), have=5)
    visitor = arena.side("visitor")
    visitor["typed_energy"][1], visitor["temporary"] = 1, 1
    arena.act("strike tusk")
    left = (int(visitor["typed_energy"][1]), int(visitor["temporary"]), int(visitor["energy"]))
    assert left == {1: (0, 1, 5), 2: (0, 0, 5), 3: (0, 0, 4)}[cost]


def test_a_traps_cost_is_paid_when_it_is_laid() -> None:
    trap = card("trap", "pit", "visitor", cost=2, springs="strike", target="veil", power=1)
    arena = playing(trap, have=3)
    arena.act("trap pit")
    assert store(arena)[1] == 1


# --- activation ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "used",
    [
        strike("used", "visitor", cost=3),
        card("react", "used", "visitor", power=1, cost=3),
        card("trap", "used", "visitor", springs="strike", target="veil", power=1, cost=3),
        card("empower", "used", "visitor", power=1, cost=3),
        card("disrupt", "used", "visitor", strip=True, cost=3),
        card("counter", "used", "visitor", cost=3),
        card("reshape", "used", "visitor", ward=1, cost=3),
        card("test", "used", "visitor", exposure={"resource": "nerve", "amount": 1}, cost=3),
        card(
            *("offer", "used", "visitor"),
            cost=3,
            benefit={"resource": "veil", "amount": 1},
            price={"type": "flat", "resource": "veil", "amount": 1},
        ),
    ],
    ids=lambda used: used["category"],
)
def test_any_action_card_can_be_discarded_for_one_temporary_energy(used: dict[str, Any]) -> None:
    arena = playing(used, have=0)
    arena.act("activate used")
    visitor = arena.side("visitor")
    assert store(arena) == (1, 0, 1)
    assert (int(visitor["hand_size"]), int(visitor["discard_size"])) == (0, 1)


def test_energy_cards_cannot_be_activated() -> None:
    arena = playing(energy())
    with pytest.raises(IllegalActionError, match="Energy cards are played, not activated"):
        arena.act("activate spark")


def test_an_activation_pays_for_another_card_in_the_same_turn() -> None:
    arena = playing(strike("spare", "visitor", cost=3), strike("tusk", "visitor", cost=2), have=1)
    arena.act("activate spare", "strike tusk")
    assert store(arena) == (1, 0, 0)


# --- rounds ----------------------------------------------------------------------------------------------------------


def test_both_pools_start_at_one() -> None:
    arena = Arena()
    assert [store(arena, side) for side in SIDES] == [(1, 1, 0), (1, 1, 0)]


def test_spent_energy_returns_each_round() -> None:
    arena = Arena()
    for side, pool in (("dungeon", 3), ("visitor", 4)):
        arena.side(side)["pool"], arena.side(side)["energy"] = pool, 0
    arena.end_round()
    assert [store(arena, side) for side in SIDES] == [(3, 3, 0), (4, 4, 0)]


def test_unspent_energy_is_not_saved_up() -> None:
    arena = Arena()
    arena.side("visitor")["pool"] = 3
    for _ in range(3):
        arena.end_round()
    assert store(arena) == (3, 3, 0)


def test_temporary_energy_ends_with_the_turn_it_was_made_in() -> None:
    cards = [
        energy("surge", kind="surge", amount=2),
        energy("typed", kind="surge", for_type="social"),
        strike("tusk", "visitor"),
    ]
    arena = playing(*cards)
    arena.act("energy surge", "energy typed", "activate tusk")
    assert (store(arena), int(arena.side("visitor")["typed_energy"][1])) == ((1, 0, 3), 1)
    arena.act("end")
    assert (store(arena)[2], int(arena.side("visitor")["typed_energy"][1])) == (0, 0)


def test_the_pool_starts_anew_in_every_room() -> None:
    arena = Arena(rooms=[{"room": "one"}, {"room": "two"}])
    arena.side("visitor")["pool"] = 5
    arena.side("visitor")["attuned"][1] = 1
    arena.turn("visitor")
    arena.set(structure=0)
    arena.act("end")
    arena.settle()
    assert (arena.encounter.room, store(arena), list(arena.side("visitor")["attuned"])) == ("two", (1, 1, 0), [0] * 4)


# --- drawing ---------------------------------------------------------------------------------------------------------


def hold(arena: Arena, side: str, count: int) -> None:
    arena.hold(side, ([f"{side}_idle"] * 8 + [f"{side}_energy"] * 8)[:count])


@pytest.mark.parametrize(("before", "after"), [(0, 3), (1, 3), (2, 4), (5, 7), (8, 10), (9, 10), (10, 10)], ids=str)
@pytest.mark.parametrize("side", SIDES)
def test_both_sides_draw_two_at_least_to_three_and_at_most_to_ten(side: str, before: int, after: int) -> None:
    arena = Arena()
    hold(arena, side, before)
    arena.end_round()
    assert int(arena.side(side)["hand_size"]) == after


def test_an_empty_draw_pile_takes_the_discards() -> None:
    arena = Arena()
    hold(arena, "visitor", 4)
    visitor = arena.side("visitor")
    discards = visitor["draw"][:5].copy()
    visitor["discard"][:5], visitor["discard_size"] = discards, 5
    visitor["draw"][0], visitor["draw_size"] = visitor["draw"][6], 1
    arena.end_round()
    assert [int(visitor[field]) for field in ("hand_size", "draw_size", "discard_size")] == [6, 4, 0]
    recycled = {int(k) for k in [*visitor["hand"][4:6], *visitor["draw"][:4]]}
    assert set(discards.tolist()) < recycled


def test_nothing_is_drawn_when_both_piles_are_empty() -> None:
    arena = Arena()
    hold(arena, "visitor", 1)
    arena.side("visitor")["draw_size"] = 0
    arena.end_round()
    assert int(arena.side("visitor")["hand_size"]) == 1


def test_every_card_of_the_draw_pile_is_drawn_equally_often() -> None:
    arena = Arena(visitor=[strike("tusk", "visitor")])  # one of 17 cards, of which a hand holds 7
    drawn = 0
    for seed in range(400):
        fight = Encounter(arena.encounter.packed, seed)
        visitor = fight.state["sides"][1]
        names = [fight.packed.cards[fight.packed.decks[1][k]].id for k in visitor["hand"][: visitor["hand_size"]]]
        drawn += names.count("tusk")
    assert abs(drawn / 400 - 7 / 17) < 0.08  # three standard deviations


# --- opening hands ---------------------------------------------------------------------------------------------------


def opening(fight: Encounter, side: int) -> tuple[int, int]:
    """(Energy cards, action cards) in a hand."""
    record = fight.state["sides"][side]
    deck = fight.packed.decks[1] if side else fight.packed.decks[0][int(fight.state["room"])]
    kinds = [fight.packed.cards[deck[k]].category for k in record["hand"][: record["hand_size"]]]
    return kinds.count("energy"), len(kinds) - kinds.count("energy")


@pytest.mark.parametrize("scenario", sorted(load_codex().scenarios))
def test_every_opening_hand_of_seven_has_two_energy_and_three_actions(scenario: str) -> None:
    for seed in range(300):
        fight = Encounter(scenario, seed)
        for side in (0, 1):
            energies, actions = opening(fight, side)
            assert energies + actions == 7
            assert energies >= 2
            assert actions >= 3


@pytest.mark.parametrize("scarce", ["energy", "actions"])
def test_scarce_cards_are_swapped_in_when_no_mulligan_is_left(scarce: str) -> None:
    if scarce == "energy":
        cards = [strike("tusk", "visitor")] * 28
    else:
        cards = [energy("spark")] * 28
    arena = Arena(visitor=cards)
    used = set()
    for seed in range(150):
        fight = Encounter(arena.encounter.packed, seed)
        energies, actions = opening(fight, 1)
        assert energies + actions == 7
        assert energies >= 2
        assert actions >= 3
        used.add(int(fight.state["sides"][1]["mulligans"]))
    assert used == {0, 1, 2, 3}


def test_three_mulligans_in_all_those_dealt_unasked_included() -> None:
    arena = Arena(visitor=[strike("tusk", "visitor")] * 28)
    for seed in range(60):
        fight = Encounter(arena.encounter.packed, seed)
        fight.apply("keep")  # the dungeon's hand
        unasked = int(fight.state["sides"][1]["mulligans"])
        asked = 0
        while fight.decision is not None and fight.decision.kind == "mulligan":
            assert fight.decision.side == "visitor"
            before = int(fight.state["sides"][1]["mulligans"])
            fight.apply("mulligan")
            asked += 1
            unasked += int(fight.state["sides"][1]["mulligans"]) - before - 1
        assert asked + unasked == 3
        assert fight.round == 1


def test_nobody_is_asked_to_keep_a_hand_that_cannot_be_changed() -> None:
    arena = Arena(rules={"mulligans": 0})
    assert arena.encounter.actions == []
    assert arena.encounter.round == 1


def test_a_mulligan_deals_a_whole_new_hand_of_seven() -> None:
    fight = Encounter(Arena().encounter.packed, 3)
    hands = set()
    for _ in range(3):
        dungeon = fight.state["sides"][0]
        hands.add(tuple(dungeon["hand"][:7].tolist()))
        assert (int(dungeon["hand_size"]), int(dungeon["draw_size"])) == (7, 9)
        fight.apply("mulligan")
    assert len(hands) == 3


def test_every_room_starts_with_a_new_opening_hand_and_new_mulligans() -> None:
    arena = Arena(rooms=[{"room": "one"}, {"room": "two"}])
    arena.side("dungeon")["mulligans"] = 3
    arena.turn("visitor")
    arena.set(structure=0)
    arena.act("end")
    dealt = arena.happened("hand_dealt")[-2:]
    assert arena.encounter.room == "two"
    assert [(event.side, event.cards) for event in dealt] == [("dungeon", 7), ("visitor", 7)]
    assert (arena.encounter.decision is not None, arena.legal()) == (True, ["keep", "mulligan"])
