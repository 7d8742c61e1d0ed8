"""The Covenant: trust 9, four energy, one question, and a Bond or half the trust [Bond 6]."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from cartomancer.content.codex import load_codex
from cartomancer.content.models.cards import CARD
from cartomancer.encounters.observation import observe
from cartomancer.errors import IllegalActionError
from tests.encounters.arena import Arena, offer, strike

TWO_ROOMS = [{"room": "one"}, {"room": "two"}]


def covenant(**fields: Any) -> dict[str, Any]:
    """Full restoration of the weakest reducer for two Insight, as in the Pact of Living Stone."""
    base: dict[str, Any] = {
        "cost": 4,
        "covenant": True,
        "benefit": {"resource": "weakest", "full_restore": True},
        "price": {"type": "extraction", "amount": 2, "effect": "insight"},
        "trust": 3,
    }
    return offer("pact", **(base | fields))


def arena_at(trust: float, pact: dict[str, Any] | None = None, **options: Any) -> Arena:
    """It is the dungeon's turn with a Covenant in hand."""
    arena = Arena(dungeon=[pact or covenant(), strike("claw")], **options)
    arena.turn("dungeon", hand=["pact"])
    arena.set(trust=trust)
    return arena


# --- when it can be played --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("trust", "playable"), [(0, False), (8, False), (8.5, False), (9, True), (10, True)])
def test_a_covenant_needs_trust_nine(trust: float, playable: bool) -> None:
    assert ("offer pact" in arena_at(trust).legal()) is playable


def test_a_covenant_at_trust_eight_is_refused_with_the_reason() -> None:
    arena = arena_at(8)
    with pytest.raises(IllegalActionError, match="needs trust 9, trust is 8"):
        arena.act("offer pact")


@pytest.mark.parametrize(("energy", "playable"), [(3, False), (4, True)])
def test_a_covenant_costs_four_energy(energy: int, playable: bool) -> None:
    arena = arena_at(9)
    arena.side("dungeon")["energy"] = energy
    assert ("offer pact" in arena.legal()) is playable
    if playable:
        arena.act("offer pact", "refuse")
        assert arena.side("dungeon")["energy"] == 0


def test_only_covenants_may_cost_four() -> None:
    with pytest.raises(ValidationError, match="cost 4 is for Covenants only"):
        CARD.validate_python(offer("gift", cost=4))
    assert CARD.validate_python(covenant()).cost == 4


def test_only_the_dungeon_proposes_covenants() -> None:
    with pytest.raises(ValidationError, match="only the dungeon proposes a Covenant"):
        CARD.validate_python(offer("gift", "visitor", covenant=True))


def test_a_covenant_is_asked_although_other_offers_bind() -> None:
    arena = arena_at(9)
    arena.act("offer pact")
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("covenant", "visitor")
    assert arena.legal() == ["accept", "refuse"]


def test_a_covenant_is_never_veiled() -> None:
    arena = arena_at(9)
    arena.act("offer pact")
    shown = observe(arena.encounter, "visitor")["offer"]
    assert (shown["card"], shown["covenant"], shown["trust"]) == ("pact", True, 3)
    assert shown["cost"] == {"type": "extraction", "amount": 2, "effect": "insight"}


# --- accepted ---------------------------------------------------------------------------------------------------------


def test_an_accepted_covenant_ends_the_room_at_once_in_a_bond() -> None:
    arena = arena_at(9)
    arena.act("offer pact", "accept")
    assert arena.encounter.decision is None
    outcome = arena.encounter.outcome
    assert outcome is not None
    assert (outcome.kind, outcome.winner) == ("bond", "both")
    assert outcome.rooms == (("one", "bond", arena.encounter.round),)


def test_a_covenant_restores_the_reducer_with_the_lowest_share() -> None:
    arena = arena_at(9, vitality=(40,))
    arena.set(vitality=10, resolve=9, nerve=6)
    arena.act("offer pact", "accept")
    assert [arena.reducer(name) for name in ("vitality", "resolve", "nerve")] == [40, 9, 6]


def test_a_covenant_restores_all_of_a_party_who_stand() -> None:
    arena = arena_at(9, party=[[], [], [], []], vitality=(10, 10, 10, 10))
    arena.members(4, 2, 10, 3)
    arena.act("offer pact", "accept")
    assert [int(arena.member(seat)["vitality"]) for seat in range(4)] == [10, 10, 10, 10]


def test_a_covenants_extraction_reaches_the_next_room() -> None:
    arena = arena_at(9, rooms=TWO_ROOMS)
    arena.act("offer pact", "accept")
    assert arena.encounter.room == "two"
    assert arena.state["insight"] == 2 + 1  # the pact's, and the Bond's in a first room


def test_a_covenants_investment_is_capped_like_any_other() -> None:
    arena = arena_at(9, rooms=TWO_ROOMS)
    arena.act("offer pact", "accept")
    assert arena.trust() == 11


def test_what_a_covenant_weakens_stays_weaker_for_the_run() -> None:
    pact = covenant(weakens={"resource": "structure", "amount": 5})
    arena = arena_at(9, pact, rooms=[*TWO_ROOMS, {"room": "three"}])
    arena.act("offer pact", "accept")
    for room in ("two", "three"):
        arena.settle()
        assert arena.encounter.room == room
        assert (arena.reducer("structure"), arena.side("dungeon")["starts"][0]) == (15, 15)
        assert (arena.reducer("veil"), arena.reducer("presence")) == (20, 20)
        if room == "two":
            arena.state["round_no"] = 40
            arena.turn("dungeon")
            arena.end_round()


def test_what_a_covenant_weakens_shrinks_at_once_value_and_start() -> None:
    arena = arena_at(9, covenant(weakens={"resource": "structure", "amount": 5}))
    arena.set(structure=17)
    arena.act("offer pact", "accept")
    assert (arena.reducer("structure"), arena.side("dungeon")["starts"][0]) == (12, 15)


def test_a_weakened_reducer_keeps_at_least_one_point() -> None:
    arena = arena_at(9, covenant(weakens={"resource": "veil", "amount": 12}), veil=6, rooms=TWO_ROOMS)
    arena.act("offer pact", "accept")
    assert arena.reducer("veil") == 1


# --- refused ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("trust", "left"), [(9, 4), (9.5, 4), (10, 5), (11, 5), (12, 6)])
def test_a_refused_covenant_halves_trust_rounded_down(trust: float, left: int) -> None:
    arena = arena_at(trust)
    arena.act("offer pact", "refuse")
    assert arena.trust() == left


def test_a_refused_covenant_is_wasted() -> None:
    arena = arena_at(9, covenant(weakens={"resource": "structure", "amount": 5}))
    arena.set(nerve=5)
    arena.act("offer pact", "refuse")
    assert (arena.reducer("nerve"), arena.reducer("structure"), arena.state["insight"]) == (5, 20, 0)
    assert arena.side("dungeon")["energy"] == 5
    assert observe(arena.encounter, "visitor")["opponent"]["discard"] == ["pact"]
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("turn", "dungeon")


def test_a_refused_covenant_gives_no_half_point() -> None:
    arena = arena_at(9)
    arena.act("offer pact", "refuse")
    assert arena.trust() == 4
    assert arena.happened("covenant_refused")


def test_a_refused_covenant_breaks_what_depended_on_trust() -> None:
    gift = offer("gift", price={"type": "dependency"}, trust=0)
    arena = Arena(dungeon=[covenant(), gift], trust=9)
    arena.turn("dungeon", hand=["gift", "pact"])
    arena.set(nerve=10)
    arena.act("offer gift")
    assert arena.reducer("nerve") == 15  # the gift was binding: 3 and half as much again
    arena.act("offer pact", "refuse")
    assert arena.reducer("nerve") == 15 - 2 * 5


def test_a_betrayed_visitor_refuses_even_a_covenant_and_keeps_what_trust_there_is() -> None:
    arena = arena_at(4)
    arena.turn("dungeon", hand=["claw", "pact"])
    arena.dice("strong")
    arena.act("strike claw")
    arena.set(trust=9)
    arena.act("offer pact")
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("turn", "dungeon")
    assert arena.trust() == 9


# --- the shipped one --------------------------------------------------------------------------------------------------


def test_the_pact_of_living_stone_is_the_documents_own() -> None:
    pact = load_codex().cards["pact_of_living_stone"]
    assert (pact.type, pact.cost, pact.covenant, pact.trust) == ("environmental", 4, True, 3)
    assert (pact.benefit.resource, pact.benefit.full_restore) == ("weakest", True)
    assert (pact.price.type, pact.price.effect, pact.price.amount) == ("extraction", "insight", 2)


def test_every_shipped_room_has_one_covenant() -> None:
    codex = load_codex()
    for room in codex.rooms.values():
        held = [
            copies for name, copies in codex.decks[room.deck].cards.items() if getattr(codex.cards[name], "covenant", 0)
        ]
        assert held == [1], room.id
