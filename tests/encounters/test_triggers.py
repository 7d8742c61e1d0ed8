"""Triggers: every board state a card can ask about, and what it gives while it holds [GDD 4.3, 4.4, 9]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.content.models.vocabulary import ConditionName
from cartomancer.encounters import names
from tests.encounters.arena import Arena, card, strike

NO_RALLY = {"rally": 0}
Arrange = Callable[[Arena], None]


def put(side: str, field: str, value: int = 1, at: int | None = None) -> Arrange:
    """Set a field of a side's record."""

    def arrange(arena: Arena) -> None:
        if at is None:
            arena.side(side)[field] = value
        else:
            arena.side(side)[field][at] = value

    return arrange


def points(**values: int) -> Arrange:
    return lambda arena: arena.set(**values)


def holding(side: str, count: int) -> Arrange:
    """This side holds so many idle cards; the striker's own Strike comes on top."""
    return lambda arena: arena.hold(side, [f"{side}_idle"] * count + (["claw"] if side == "visitor" else []))


def discarded(count: int) -> Arrange:
    """So many of the visitor's cards lie in its discard pile before it strikes."""

    def arrange(arena: Arena) -> None:
        record = arena.side("visitor")
        record["discard"][:count] = record["draw"][:count]
        record["draw"][: record["draw_size"] - count] = record["draw"][count : record["draw_size"]].copy()
        record["draw_size"] -= count
        record["discard_size"] = count

    return arrange


def laid(side: str) -> Arrange:
    """A Trap of this side lies face-down."""

    def arrange(arena: Arena) -> None:
        record, code = arena.side(side), ("dungeon", "visitor").index(side)
        copies = range(arena._deck_size(code))
        record["traps"][0] = next(k for k in copies if arena._card(code, k) == f"{side}_snare")
        record["trap_count"] = 1
        arena.hold(side, ["claw"] if side == "visitor" else [])

    return arrange


def in_round(number: int) -> Arrange:
    def arrange(arena: Arena) -> None:
        arena.state["round_no"] = number

    return arrange


def fallen(seat: int) -> Arrange:
    def arrange(arena: Arena) -> None:
        arena.member(seat)["down"], arena.state["downs"] = 1, 1

    return arrange


def as_it_is(arena: Arena) -> None:
    """Nothing is arranged."""


# (condition, its other fields, a board on which it holds, one on which it does not); the visitor strikes veil
CASES: list[tuple[str, dict[str, Any], Arrange, Arrange]] = [
    ("opponent_entangled", {}, put("dungeon", "entangled"), as_it_is),
    ("opponent_entangled", {}, put("dungeon", "entangled"), put("dungeon", "held")),  # E20: no longer seen
    ("opponent_entangled", {}, put("dungeon", "entangled"), put("visitor", "entangled")),
    ("opponent_eroded", {}, put("dungeon", "erode", 1, at=2), put("visitor", "erode", 1, at=2)),
    ("opponent_disrupted", {}, put("dungeon", "disadvantage"), put("visitor", "strip")),
    ("opponent_disrupted", {}, put("dungeon", "thorns", 2, at=1), as_it_is),
    ("opponent_disrupted", {}, put("dungeon", "strip"), as_it_is),
    ("opponent_disrupted", {}, put("dungeon", "randomise"), as_it_is),
    ("opponent_empowered", {}, put("dungeon", "empowered"), put("visitor", "empowered")),
    ("opponent_guarded", {}, put("dungeon", "fortify", 1, at=0), put("visitor", "fortify", 1, at=0)),
    ("opponent_exposed", {}, put("dungeon", "exposure", 1, at=1), put("visitor", "exposure", 1, at=1)),
    ("self_entangled", {}, put("visitor", "entangled"), put("dungeon", "entangled")),
    ("self_entangled", {}, put("visitor", "held"), as_it_is),
    ("self_disrupted", {}, put("visitor", "strip"), put("dungeon", "strip")),
    ("self_empowered", {}, put("visitor", "empowered"), put("dungeon", "empowered")),
    ("self_guarded", {}, put("visitor", "ward"), put("dungeon", "fortify", 1, at=0)),
    ("self_guarded", {}, put("visitor", "armour"), as_it_is),
    ("self_guarded", {}, put("visitor", "fortify", 1, at=2), as_it_is),
    ("self_below", {"resource": "nerve", "value": 50}, points(nerve=9), points(nerve=10)),
    ("self_below", {"resource": "nerve", "value": 50}, points(nerve=9), points(resolve=9)),
    ("self_below", {"value": 50}, points(resolve=9), points(vitality=10, resolve=10, nerve=10)),
    ("self_above", {"resource": "resolve", "value": 75}, points(resolve=16), points(resolve=15)),
    ("self_above", {"value": 75}, points(vitality=1, resolve=1, nerve=16), points(vitality=15, resolve=15, nerve=15)),
    ("opponent_below", {"resource": "veil", "value": 25}, points(veil=4), points(veil=5)),
    ("opponent_below", {"value": 25}, points(presence=4), points(structure=5, presence=5)),
    ("opponent_above", {"resource": "veil", "value": 50}, points(veil=11), points(veil=10)),
    ("opponent_above", {"value": 50}, points(veil=5, structure=5), points(veil=10, structure=10, presence=10)),
    ("discard_at_least", {"value": 4}, discarded(3), discarded(2)),  # the Strike itself is the fourth
    ("hand_at_least", {"value": 3}, holding("visitor", 3), holding("visitor", 2)),
    ("hand_at_most", {"value": 2}, holding("visitor", 2), holding("visitor", 3)),
    ("opponent_hand_at_least", {"value": 3}, holding("dungeon", 3), holding("dungeon", 2)),
    ("opponent_hand_at_most", {"value": 2}, holding("dungeon", 2), holding("dungeon", 3)),
    ("trust_at_least", {"value": 3}, points(trust=3), points(trust=2)),
    ("trust_at_most", {"value": 2}, points(trust=2), points(trust=3)),
    ("round_at_least", {"value": 6}, in_round(6), in_round(5)),
    ("trap_set", {}, laid("visitor"), laid("dungeon")),
]


def power_of(trigger: dict[str, Any], arrange: Arrange, **options: Any) -> int:
    """With which power a Strike of 2 is rolled on this board."""
    claw = strike("claw", "visitor", target="veil", power=2, trigger=trigger)
    if "party" in options:
        options["party"][0].append(claw)
    else:
        options["visitor"] = [claw, card("trap", "visitor_snare", "visitor", springs="test", target="veil", power=1)]
        options["dungeon"] = [card("trap", "dungeon_snare", "dungeon", springs="test", target="nerve", power=1)]
    arena = Arena(rules=NO_RALLY, **options)
    arena.turn("visitor", hand=["claw"])
    arrange(arena)
    before = arena.reducer("veil")
    arena.dice("strong")
    arena.act("strike claw")
    assert before - arena.reducer("veil") == min(before, int(arena.state["flight"]["power"]))
    return int(arena.state["flight"]["power"])


@pytest.mark.parametrize(
    ("when", "fields", "true", "false"), CASES, ids=[f"{case[0]}-{number}" for number, case in enumerate(CASES)]
)
def test_a_trigger_gives_its_power_while_its_condition_holds(
    when: str, fields: dict[str, Any], true: Arrange, false: Arrange
) -> None:
    trigger = {"when": when, "power": 2, **fields}
    assert power_of(trigger, true) == 4
    assert power_of(trigger, false) == 2


def test_self_betrayed_holds_while_betrayed() -> None:
    trigger = {"when": "self_betrayed", "power": 2}
    assert power_of(trigger, put("visitor", "betrayed", 2)) == 6  # and 2 for being Betrayed
    assert power_of(trigger, as_it_is) == 2


@pytest.mark.parametrize(("arrange", "power"), [(fallen(3), 4), (as_it_is, 2)])
def test_member_down_holds_while_a_member_of_the_party_is_down(arrange: Arrange, power: int) -> None:
    trigger = {"when": "member_down", "power": 2}
    assert power_of(trigger, arrange, party=[[], [], [], []], vitality=(10, 10, 10, 10)) == power


@pytest.mark.parametrize(("guard", "stopped"), [("ward", 1), ("armour", 1)])
def test_opponent_guarded_sees_ward_and_armour(guard: str, stopped: int) -> None:
    claw = strike("claw", "visitor", target="veil", power=2, trigger={"when": "opponent_guarded", "power": 2})
    arena = Arena(visitor=[claw], rules=NO_RALLY)
    arena.turn("visitor", hand=["claw"])
    arena.side("dungeon")[guard] = stopped
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("veil") == 20 - 4 + stopped


def test_every_condition_is_tried() -> None:
    tried = {case[0] for case in CASES} | {"self_betrayed", "member_down"}
    assert tried == set(get_args(ConditionName))


# --- what a trigger gives ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("arrange", "eroded"), [(put("visitor", "entangled"), 1), (as_it_is, 0)])
def test_a_trigger_gives_keywords_while_it_holds(arrange: Arrange, eroded: int) -> None:
    claw = strike("claw", target="nerve", trigger={"when": "opponent_entangled", "keywords": ["erode"]})
    arena = Arena(dungeon=[claw])
    arena.turn("dungeon", hand=["claw"])
    arrange(arena)
    arena.dice("strong")
    arena.act("strike claw")
    assert list(arena.side("visitor")["erode"]) == [0, 0, eroded]


@pytest.mark.parametrize(("arrange", "dealt"), [(put("visitor", "entangled"), 3), (as_it_is, 0)])
def test_a_trigger_gives_advantage_while_it_holds(arrange: Arrange, dealt: int) -> None:
    claw = strike("claw", power=3, trigger={"when": "opponent_entangled", "advantage": True})
    arena = Arena(dungeon=[claw])
    arena.turn("dungeon", hand=["claw"])
    arrange(arena)
    arena.dice_by_mode(plain="stalemate", advantage="strong")
    arena.act("strike claw")
    assert 20 - arena.reducer("vitality") == dealt


def test_overwhelm_from_a_trigger_doubles_the_spill_of_a_strike_that_has_it() -> None:
    trigger = {"when": "opponent_entangled", "keywords": ["overwhelm"]}
    claw = strike("claw", target="nerve", power=3, keywords=["overwhelm"], spill_to="resolve", trigger=trigger)
    arena = Arena(dungeon=[claw])
    arena.turn("dungeon", hand=["claw"])
    arena.set(nerve=1)
    arena.side("visitor")["entangled"] = 1
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("resolve") == 16


@pytest.mark.parametrize(
    ("arrange", "gifts"),
    [(put("visitor", "entangled"), (3, ["entangle", "erode"], 1)), (as_it_is, (1, ["entangle"], 0))],
)
def test_an_empowers_trigger_decides_when_it_is_played(arrange: Arrange, gifts: tuple[int, list[str], int]) -> None:
    trigger = {"when": "opponent_entangled", "power": 2, "keywords": ["erode"], "advantage": True}
    arena = Arena(dungeon=[card("empower", "roar", "dungeon", power=1, keywords=["entangle"], trigger=trigger)])
    arena.turn("dungeon", hand=["roar"])
    arrange(arena)
    arena.act("empower roar")
    arena.side("visitor")["entangled"] = 0  # too late to matter
    dungeon = arena.side("dungeon")
    keywords = names.keyword_names(int(dungeon["empower_keywords"]))
    assert (int(dungeon["empower_power"]), keywords, int(dungeon["empower_advantage"])) == gifts


# --- order matters [GDD 4.4] ---------------------------------------------------------------------------------------


def shipped(*ids: str) -> list[dict[str, Any]]:
    """Shipped cards as data."""
    return [load_codex().cards[name].model_dump(exclude_unset=True) for name in ids]


@pytest.mark.parametrize(
    ("order", "paid"),
    [(("entombing_grasp", "crushing_grip"), True), (("crushing_grip", "entombing_grasp"), False)],
    ids=["setup then payoff", "reversed"],
)
def test_entombing_grasp_before_crushing_grip_beats_the_reverse(order: tuple[str, str], paid: bool) -> None:
    grasp, grip = shipped("entombing_grasp", "crushing_grip")
    lost = grasp["power"] + grip["power"] + (grip["trigger"]["power"] if paid else 0)
    arena = Arena(dungeon=[grasp, grip])
    arena.turn("dungeon", hand=["entombing_grasp", "crushing_grip"])
    arena.dice("strong", "strong")
    arena.act(*(f"strike {name}" for name in order))
    assert 60 - sum(arena.reducer(name) for name in ("vitality", "resolve", "nerve")) == lost
    arena.dice_used()


def test_the_grip_of_an_earlier_turn_is_wasted_once_the_victim_has_moved() -> None:
    arena = Arena(dungeon=shipped("entombing_grasp", "crushing_grip"))
    arena.turn("dungeon", hand=["entombing_grasp"])
    arena.dice("strong")
    arena.act("strike entombing_grasp")
    arena.turn("visitor")
    arena.turn("dungeon", hand=["crushing_grip"])
    arena.dice("strong")
    arena.act("strike crushing_grip")
    assert arena.reducer("resolve") == 20 - load_codex().cards["crushing_grip"].model_dump()["power"]
