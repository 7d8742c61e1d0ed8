"""Reacts: when they are asked for, their variants, one a Strike [GDD 4.1, 4.3], E22, E27."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.errors import IllegalActionError
from tests.encounters.arena import Arena, card, strike

NO_RALLY = {"rally": 0}


def defended(
    react: dict[str, Any], *tiers: str, power: int = 4, energy: int = 9, copies: int = 1, **claw: Any
) -> Arena:
    """The dungeon has struck vitality at a visitor that holds this React; the dice show these tiers."""
    brace = card("react", "brace", "visitor", **react)
    arena = Arena(dungeon=[strike("claw", power=power, **claw)], visitor=[brace] * copies, rules=NO_RALLY)
    arena.turn("dungeon", hand=["claw"], energy=energy, other_hand=["brace"] * copies)
    arena.dice(*tiers)
    arena.act("strike claw")
    return arena


def pending(arena: Arena) -> tuple[str, str]:
    decision = arena.encounter.decision
    assert decision is not None
    return decision.kind, decision.side


# --- when it is asked for ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tier", "asked"),
    [("devastating", True), ("strong", True), ("partial", True), ("stalemate", False), ("reversal", False)],
)
def test_a_react_is_asked_for_only_against_a_strike_that_would_deal_damage(tier: str, asked: bool) -> None:
    arena = defended({"power": 2}, tier)
    assert pending(arena) == (("react", "visitor") if asked else ("turn", "dungeon"))


@pytest.mark.parametrize(("energy", "asked"), [(2, True), (1, False)])
def test_a_react_is_asked_for_only_when_it_can_be_paid(energy: int, asked: bool) -> None:
    arena = defended({"power": 2, "cost": 2}, "strong", energy=energy)
    assert pending(arena)[0] == ("react" if asked else "turn")
    assert arena.reducer("vitality") == (20 if asked else 16)


def test_nobody_is_asked_who_holds_no_react() -> None:
    arena = Arena(dungeon=[strike("claw")])
    arena.turn("dungeon", hand=["claw"], other_hand=["visitor_idle"])
    arena.dice("strong")
    arena.act("strike claw")
    assert pending(arena) == ("turn", "dungeon")


def test_the_dungeon_reacts_to_a_visitors_strike() -> None:
    wall = card("react", "wall", "dungeon", power=2)
    arena = Arena(dungeon=[wall], visitor=[strike("tusk", "visitor", power=4)], rules=NO_RALLY)
    arena.turn("visitor", hand=["tusk"], other_hand=["wall"])
    arena.dice("strong", "strong")
    arena.act("strike tusk")
    assert pending(arena) == ("react", "dungeon")
    arena.act("react wall")
    assert arena.reducer("structure") == 18


def test_a_react_is_not_played_in_ones_own_turn() -> None:
    arena = Arena(visitor=[card("react", "brace", "visitor", power=2)])
    arena.turn("visitor", hand=["brace"])
    assert arena.legal() == ["end", "activate brace"]
    with pytest.raises(IllegalActionError, match="answers a Strike that hits"):
        arena.act("play brace")


# --- variants ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tier", "prevented"), [("devastating", 3), ("strong", 2), ("partial", 1), ("stalemate", 0), ("reversal", 0)]
)
def test_a_flat_react_prevents_by_the_tier_of_its_own_roll(tier: str, prevented: int) -> None:
    arena = defended({"power": 2}, "strong", tier)
    arena.act("react brace")
    assert arena.reducer("vitality") == 16 + prevented
    assert arena.reducer("structure") == 20  # a failed React costs nothing more
    arena.dice_used()


def test_a_react_prevents_no_more_than_the_damage() -> None:
    arena = defended({"power": 9}, "strong", "devastating", power=2)
    arena.act("react brace")
    assert (arena.reducer("vitality"), arena.happened("reacted")[0].points) == (20, 2)


def test_a_react_prevents_no_reversal_damage() -> None:
    arena = defended({"power": 9}, "partial", "strong", power=4)
    arena.act("react brace")
    assert (arena.reducer("vitality"), arena.reducer("structure")) == (20, 19)


def test_a_react_is_paid_and_discarded() -> None:
    arena = defended({"power": 2, "cost": 2}, "strong", "strong", energy=3)
    arena.act("react brace")
    visitor = arena.side("visitor")
    assert (int(visitor["energy"]), int(visitor["hand_size"]), int(visitor["discard_size"])) == (1, 0, 1)


def test_the_attributes_of_the_reacts_type_count_in_its_roll() -> None:
    brace = card("react", "brace", "visitor", power=2, type="social")
    arena = Arena(dungeon=[strike("claw", power=6)], visitor=[brace], rules=NO_RALLY)
    arena.encounter.packed.tables["visitor"]["member_attributes"][0][1] = 3
    arena.turn("dungeon", hand=["claw"], other_hand=["brace"])
    arena.dice("strong", "strong")
    arena.act("strike claw", "react brace")
    assert arena.reducer("vitality") == 17  # strong + 3 is devastating: 3 prevented


@pytest.mark.parametrize("tier", ["strong", "reversal"])
def test_an_absorbing_react_fortifies_whether_it_succeeds_or_not(tier: str) -> None:
    absorb = {"resource": "nerve", "amount": 2}
    arena = defended({"power": 1, "absorb": absorb}, "strong", tier)
    arena.act("react brace")
    assert list(arena.side("visitor")["fortify"]) == [0, 0, 2]


def test_an_absorbing_react_already_protects_against_the_strike_it_answers() -> None:
    arena = defended({"power": 0, "absorb": {"resource": "vitality", "amount": 3}}, "strong", "reversal")
    arena.act("react brace")
    assert arena.reducer("vitality") == 19


@pytest.mark.parametrize(
    ("tier", "left", "thrown_back"),
    [("devastating", 19, 3), ("strong", 18, 0), ("partial", 17, 0), ("reversal", 16, 0)],
)
def test_reflect_throws_back_what_a_devastating_defence_prevented(tier: str, left: int, thrown_back: int) -> None:
    arena = defended({"power": 2, "reflect": True}, "strong", tier)
    arena.act("react brace")
    assert (arena.reducer("vitality"), 20 - arena.reducer("structure")) == (left, thrown_back)


def test_reflected_damage_hits_the_strikers_primary_reducer_and_meets_its_guards() -> None:
    arena = defended({"power": 4, "reflect": True}, "strong", "devastating", target="nerve")
    arena.side("dungeon")["ward"] = 1
    arena.act("react brace")
    dungeon = [arena.reducer(name) for name in ("structure", "veil", "presence")]
    assert (dungeon, arena.reducer("nerve")) == ([17, 20, 20], 20)


@pytest.mark.parametrize(("vitality", "lost"), [(9, 1), (10, 3)])
def test_a_desperate_defence_is_stronger_while_a_resource_is_low(vitality: int, lost: int) -> None:
    trigger = {"when": "self_below", "resource": "vitality", "value": 50, "power": 2}
    brace = card("react", "brace", "visitor", power=1, trigger=trigger)
    arena = Arena(dungeon=[strike("claw", power=4)], visitor=[brace], rules=NO_RALLY)
    arena.turn("dungeon", hand=["claw"], other_hand=["brace"])
    arena.set(vitality=vitality)
    arena.dice("strong", "strong")
    arena.act("strike claw", "react brace")
    assert vitality - arena.reducer("vitality") == lost


# --- one a Strike --------------------------------------------------------------------------------------------------


def test_one_react_a_strike() -> None:
    arena = defended({"power": 1}, "strong", "strong", copies=2)
    assert arena.legal() == ["take", "react brace", "react brace"]
    arena.act("react brace")
    assert pending(arena) == ("turn", "dungeon")
    assert (arena.reducer("vitality"), int(arena.side("visitor")["hand_size"])) == (17, 1)


def test_declining_takes_the_whole_hit_and_keeps_the_card() -> None:
    arena = defended({"power": 2, "cost": 1}, "strong", energy=2)
    arena.act("take")
    visitor = arena.side("visitor")
    assert (arena.reducer("vitality"), int(visitor["hand_size"]), int(visitor["energy"])) == (16, 1, 2)
    assert pending(arena) == ("turn", "dungeon")
    arena.dice_used()


def test_every_strike_may_be_answered() -> None:
    brace = card("react", "brace", "visitor", power=1)
    arena = Arena(dungeon=[strike("claw", power=3)] * 2, visitor=[brace] * 2, rules=NO_RALLY)
    arena.turn("dungeon", hand=["claw", "claw"], other_hand=["brace", "brace"])
    arena.dice("strong", "strong", "strong", "strong")
    arena.act("strike claw", "react brace", "strike claw", "react brace")
    assert arena.reducer("vitality") == 16
    arena.dice_used()


# --- a Strike of which nothing gets through is no hit (E22) ----------------------------------------------------------


def test_keywords_do_not_act_on_a_strike_that_a_react_stops() -> None:
    claw = {"keywords": ["entangle", "erode", "drain"]}
    arena = defended({"power": 4}, "strong", "strong", **claw)
    arena.set(veil=10)
    arena.act("react brace")
    visitor = arena.side("visitor")
    assert (arena.reducer("vitality"), arena.reducer("veil")) == (20, 10)
    assert (int(visitor["entangled"]), list(visitor["erode"])) == (0, [0, 0, 0])


def test_a_strike_that_a_react_stops_does_not_rally() -> None:
    brace = card("react", "brace", "visitor", power=4)
    arena = Arena(dungeon=[strike("claw", power=4)], visitor=[brace])
    arena.turn("dungeon", hand=["claw"], other_hand=["brace"])
    arena.set(presence=5)
    arena.dice("strong", "strong")
    arena.act("strike claw", "react brace")
    assert arena.reducer("vitality") == 20
    assert arena.reducer("presence") == 5
