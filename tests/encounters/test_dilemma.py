"""Tests are a prisoner's dilemma, Restraint is a Strike not played [GDD 4.5, 4.8], E2, E3, E41."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.encounters.observation import observe
from cartomancer.errors import IllegalActionError
from tests.encounters.arena import Arena, card, offer, strike


def trial(side: str = "dungeon", name: str = "trial", **fields: Any) -> dict[str, Any]:
    """A Test whose giver pays one point when the other cooperates."""
    paid = "presence" if side == "dungeon" else "nerve"
    return card("test", name, side, **({"exposure": {"resource": paid, "amount": 1}} | fields))


def arena_with(*cards: dict[str, Any], hand: list[str] | None = None, **options: Any) -> Arena:
    """It is the dungeon's turn with these cards in hand."""
    arena = Arena(dungeon=list(cards), **options)
    arena.turn("dungeon", hand=[entry["id"] for entry in cards] if hand is None else hand)
    return arena


def restraints(arena: Arena) -> list[str]:
    return [text for text in arena.legal() if text.startswith("restrain")]


# --- Tests ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("giver", "asked"), [("dungeon", "visitor"), ("visitor", "dungeon")])
def test_a_test_asks_the_opponent_to_cooperate_or_defect(giver: str, asked: str) -> None:
    arena = Arena(**{giver: [trial(giver)]})
    arena.turn(giver, hand=["trial"])
    arena.act("test trial")
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("test", asked)
    assert arena.legal() == ["cooperate", "defect"]
    assert observe(arena.encounter, asked)["test"]["card"] == "trial"
    arena.act("cooperate")
    assert not any("test" in observe(arena.encounter, side) for side in (giver, asked))


@pytest.mark.parametrize("trust", [0, 5, 9])
def test_cooperation_builds_two_trust_and_costs_the_giver_its_exposure(trust: int) -> None:
    arena = arena_with(trial(), trust=trust)
    arena.act("test trial", "cooperate")
    assert arena.trust() == trust + 2
    assert arena.reducer("presence") == 19
    assert [arena.reducer(name) for name in ("structure", "veil", "vitality", "resolve", "nerve")] == [20] * 5
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("turn", "dungeon")


def test_a_visitors_test_costs_the_visitor() -> None:
    arena = Arena(visitor=[trial("visitor", exposure={"resource": "nerve", "amount": 2})])
    arena.turn("visitor", hand=["trial"])
    arena.act("test trial", "cooperate")
    assert (arena.trust(), arena.reducer("nerve"), arena.reducer("presence")) == (2, 18, 20)


def test_the_exposure_is_paid_past_every_guard() -> None:
    arena = arena_with(trial())
    arena.side("dungeon")["ward"] = 5
    arena.side("dungeon")["fortify"][2] = 5
    arena.act("test trial", "cooperate")
    assert arena.reducer("presence") == 19


def test_cooperation_is_capped_at_two_trust_a_round() -> None:
    arena = arena_with(offer("gift"), trial())
    arena.act("offer gift", "accept", "test trial", "cooperate")
    assert arena.trust() == 2


@pytest.mark.parametrize(("trust", "left"), [(0, 0), (1, 0), (5, 2), (5.5, 2), (7, 3), (8, 4), (12, 6)])
def test_defection_halves_trust_rounded_down(trust: float, left: int) -> None:
    arena = arena_with(trial())
    arena.set(trust=trust)
    arena.act("test trial", "defect")
    assert arena.trust() == left


def test_defection_spares_the_giver_its_exposure() -> None:
    arena = arena_with(trial())
    arena.act("test trial", "defect")
    assert arena.reducer("presence") == 20


def test_the_defectors_next_strike_has_two_more_power() -> None:
    arena = Arena(dungeon=[trial()], visitor=[strike("bite", "visitor"), strike("kick", "visitor")])
    arena.turn("dungeon", hand=["trial"])
    arena.act("test trial", "defect")
    arena.turn("visitor", hand=["bite", "kick"])
    arena.dice("strong", "strong")
    arena.act("strike bite")
    assert arena.reducer("structure") == 15
    arena.act("strike kick")
    assert arena.reducer("structure") == 12


def test_a_defecting_dungeon_is_empowered_itself() -> None:
    arena = Arena(dungeon=[strike("claw")], visitor=[trial("visitor"), strike("bite", "visitor")])
    arena.turn("visitor", hand=["trial", "bite"])
    arena.act("test trial", "defect")
    arena.dice("strong")
    arena.act("strike bite")
    assert arena.reducer("structure") == 17
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("vitality") == 15


def test_defection_is_no_betrayal() -> None:
    arena = arena_with(trial(), trust=8)
    arena.act("test trial", "defect")
    assert [arena.reducer(name) for name in ("vitality", "resolve", "nerve")] == [20, 20, 20]
    assert (arena.side("visitor")["betrayed"], arena.side("dungeon")["scorned"], arena.state["betrayals"]) == (0, 0, 0)


def test_a_test_springs_the_trap_that_waits_for_it_before_the_answer() -> None:
    snare = card("trap", "wary", "visitor", springs="test", target="veil", power=2)
    arena = Arena(dungeon=[trial()], visitor=[snare])
    arena.turn("visitor", hand=["wary"])
    arena.act("trap wary")
    arena.turn("dungeon", hand=["trial"])
    arena.act("test trial")
    assert arena.reducer("veil") == 18
    assert arena.legal() == ["cooperate", "defect"]


# --- Restraint --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "other"), [("dungeon", "visitor"), ("visitor", "dungeon")])
def test_restraint_discards_a_strike_openly_for_one_trust(side: str, other: str) -> None:
    arena = Arena(**{side: [strike("blow", side)]}, trust=1)
    arena.turn(side, hand=["blow"], energy=0)
    arena.act("restrain blow")
    assert arena.trust() == 2
    assert (observe(arena.encounter, side)["me"]["discard"], arena.side(side)["hand_size"]) == (["blow"], 0)
    assert observe(arena.encounter, other)["opponent"]["discard"] == ["blow"]
    assert [arena.reducer(name) for name in ("structure", "vitality")] == [20, 20]
    assert arena.encounter.decision is not None
    assert arena.encounter.decision.side == side


def test_only_strikes_can_be_restrained() -> None:
    arena = arena_with(strike("claw"), trust=1, hand=["claw", "dungeon_idle", "dungeon_energy"])
    assert restraints(arena) == ["restrain claw"]


def test_restraint_comes_once_a_turn() -> None:
    arena = arena_with(strike("claw"), strike("fang"), trust=1)
    arena.act("restrain claw")
    assert restraints(arena) == []
    arena.end_round()
    arena.turn("dungeon", hand=["fang"])
    assert restraints(arena) == ["restrain fang"]


@pytest.mark.parametrize(("trust", "possible"), [(0, False), (0.5, True), (1, True)])
def test_restraint_needs_some_trust(trust: float, possible: bool) -> None:
    arena = arena_with(strike("claw"))
    arena.set(trust=trust)
    assert bool(restraints(arena)) is possible


@pytest.mark.parametrize("held", [offer("gift"), trial()], ids=["offer", "test"])
def test_whoever_holds_an_offer_or_a_test_has_no_need_for_restraint(held: dict[str, Any]) -> None:
    arena = arena_with(strike("claw"), held, trust=1)
    assert restraints(arena) == []
    with pytest.raises(IllegalActionError, match="no Offer or Test in hand"):
        arena.act("restrain claw")
    arena.turn("dungeon", hand=["claw"])
    assert restraints(arena) == ["restrain claw"]


@pytest.mark.parametrize(("trust", "possible"), [(1, True), (5, True), (8.5, True), (9, False)])
def test_a_covenant_that_trust_does_not_allow_yet_does_not_bar_restraint(trust: float, possible: bool) -> None:
    pact = offer("pact", covenant=True, cost=4)
    arena = arena_with(strike("claw"), pact, trust=1)
    arena.set(trust=trust)
    assert bool(restraints(arena)) is possible
    arena.turn("dungeon", hand=["claw", "pact"], energy=0)  # what it costs does not matter
    assert bool(restraints(arena)) is possible


def test_restraint_after_a_strike_would_be_a_lie() -> None:
    arena = arena_with(strike("claw"), strike("fang"), trust=3)
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.trust() == 2
    assert restraints(arena) == []
    arena.end_round()
    arena.turn("dungeon", hand=["fang"])
    assert restraints(arena) == ["restrain fang"]


def test_a_betrayed_visitor_shows_no_restraint_in_any_room_of_the_run() -> None:
    rooms = [{"room": "one", "round_limit": 2}, {"room": "two"}]
    arena = Arena(dungeon=[strike("claw")], visitor=[strike("bite", "visitor")], trust=4, rooms=rooms)
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    for room in ("one", "two"):
        arena.turn("visitor", hand=["bite"])
        arena.set(trust=1)
        assert (arena.encounter.room, restraints(arena)) == (room, [])
        while arena.encounter.room == "one":
            arena.act("end")
        arena.settle()


def test_restraint_counts_towards_the_cap() -> None:
    arena = arena_with(offer("gift", trust=2), strike("claw"), trust=1)
    arena.act("offer gift", "accept", "restrain claw")
    assert arena.trust() == 3


def test_restraint_adds_to_a_capped_round_what_is_left_of_it() -> None:
    arena = arena_with(offer("gift", trust=1), strike("claw"), trust=1)
    arena.act("offer gift", "accept", "restrain claw")
    assert arena.trust() == 3
