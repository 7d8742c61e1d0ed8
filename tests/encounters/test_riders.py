"""What a Strike may bring on a hit beside damage and keywords: handicaps, lost energy, guards, cards, E64."""

from __future__ import annotations

from typing import Any

import pytest

from tests.encounters.arena import Arena, card, strike

RIDERS: dict[str, dict[str, Any]] = {
    "disadvantage": {"disadvantage": True},
    "thorns": {"thorns": {"resource": "veil", "amount": 2}},
    "strip": {"strip": True},
    "randomise": {"randomise": True},
    "energy_loss": {"energy_loss": 2},
    "ward": {"ward": 2},
    "fortify": {"fortify": {"resource": "nerve", "amount": 1, "rounds": 2}},
    "draw": {"draw": 2},
}


def bearing(arena: Arena) -> dict[str, int]:
    """What the two sides bear of a visitor's Strike with riders."""
    us, them = arena.side("visitor"), arena.side("dungeon")
    return {
        "disadvantage": int(them["disadvantage"]),
        "thorns": int(them["thorns"][1]),
        "strip": int(them["strip"]),
        "randomise": int(them["randomise"]),
        "energy_loss": 5 - int(them["energy"]),
        "ward": int(us["ward"]),
        "fortify": int(us["fortify"][2]),
        "draw": int(us["hand_size"]),
    }


def struck(tier: str, *names: str, guard: int = 0, **fields: Any) -> Arena:
    """The visitor has just made a Strike with these riders."""
    riders = {key: value for name in names for key, value in RIDERS[name].items()}
    arena = Arena(visitor=[strike("tail", "visitor", **(riders | fields))])
    arena.turn("visitor", hand=["tail"], energy=5)
    arena.side("dungeon")["ward"] = guard
    arena.dice(tier)
    arena.act("strike tail")
    return arena


NOTHING = dict.fromkeys(RIDERS, 0)
BORNE = {
    "disadvantage": 1,
    "thorns": 2,
    "strip": 1,
    "randomise": 1,
    "energy_loss": 2,
    "ward": 2,
    "fortify": 1,
    "draw": 2,
}


@pytest.mark.parametrize("tier", ["devastating", "strong", "partial"])
@pytest.mark.parametrize("rider", RIDERS)
def test_a_hit_brings_its_rider_and_no_other(rider: str, tier: str) -> None:
    assert bearing(struck(tier, rider)) == NOTHING | {rider: BORNE[rider]}


@pytest.mark.parametrize("tier", ["stalemate", "reversal"])
def test_a_strikes_riders_act_only_on_a_hit(tier: str) -> None:
    assert bearing(struck(tier, *RIDERS)) == NOTHING


def test_a_strike_that_guards_swallow_brings_no_rider() -> None:
    arena = struck("strong", *RIDERS, guard=9)
    assert bearing(arena) == NOTHING
    assert arena.reducer("structure") == 20


def test_riders_act_together() -> None:
    assert bearing(struck("strong", *RIDERS)) == BORNE


def test_what_a_hit_lays_waits_for_the_victims_next_strike_alone() -> None:
    arena = Arena(
        dungeon=[strike("claw", power=3), strike("claw", power=3)],
        visitor=[strike("tail", "visitor", thorns={"resource": "veil", "amount": 2}, disadvantage=True)],
        rules={"rally": 0},
    )
    arena.turn("visitor", hand=["tail"])
    arena.dice("strong")
    arena.act("strike tail")
    arena.turn("dungeon", hand=["claw", "claw"])
    arena.dice("strong/disadvantage", "strong")
    arena.act("strike claw", "strike claw")
    arena.dice_used()
    assert arena.reducer("veil") == 18  # once


def test_handicaps_of_hits_and_disrupts_add_up() -> None:
    thorns = {"thorns": {"resource": "veil", "amount": 2}}
    arena = Arena(
        dungeon=[strike("claw")],
        visitor=[strike("tail", "visitor", **thorns), card("disrupt", "spines", "visitor", **thorns)],
        rules={"rally": 0},
    )
    arena.turn("visitor", hand=["tail", "spines"])
    arena.dice("strong")
    arena.act("strike tail", "disrupt spines")
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("veil") == 16


def test_whoever_sheds_a_debuff_sheds_a_hits_handicaps_too() -> None:
    sheds = [{"code": "shed_debuff", "side": "enemies", "value": 1}]
    arena = Arena(visitor=[strike("tail", "visitor", disadvantage=True)], effects=sheds)
    arena.turn("visitor", hand=["tail"])
    arena.dice("strong")
    arena.act("strike tail")
    assert int(arena.side("dungeon")["disadvantage"]) == 0


@pytest.mark.parametrize(("held", "lost"), [(0, 0), (1, 1), (5, 2)])
def test_a_hit_takes_no_more_energy_than_there_is(held: int, lost: int) -> None:
    arena = Arena(visitor=[strike("tail", "visitor", energy_loss=2)])
    arena.turn("visitor", hand=["tail"])
    arena.side("dungeon")["energy"] = held
    arena.dice("strong")
    arena.act("strike tail")
    assert int(arena.side("dungeon")["energy"]) == held - lost


def test_thorns_names_a_reducer_of_whoever_is_hit_and_fortify_one_of_the_strikers() -> None:
    claw = strike(
        "claw",
        thorns={"resource": "resolve", "amount": 1},
        fortify={"resource": "veil", "amount": 2, "rounds": 1},
    )
    arena = Arena(dungeon=[claw])
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    assert list(arena.side("visitor")["thorns"]) == [0, 1, 0]
    assert list(arena.side("dungeon")["fortify"]) == [0, 2, 0]


def test_a_guard_raised_by_a_hit_comes_too_late_for_what_came_back() -> None:
    arena = struck("partial", "ward", power=4)
    assert arena.reducer("vitality") == 19  # half of the base of 2
    assert int(arena.side("visitor")["ward"]) == 2


def test_cards_drawn_by_a_hit_respect_the_hand_cap() -> None:
    arena = Arena(visitor=[strike("tail", "visitor", draw=3)])
    arena.turn("visitor", hand=["tail", *["visitor_energy"] * 5, *["visitor_idle"] * 4])
    arena.dice("strong")
    arena.act("strike tail")
    assert int(arena.side("visitor")["hand_size"]) == 10
