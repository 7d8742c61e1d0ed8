"""Room items and Insight: what they do in their room [GDD 17.7]. Every shipped item is tried."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.content.codex import load_codex
from tests.encounters.arena import Arena, offer, strike
from tests.encounters.modifier_scenes import CLAW, contested


def fitted(item: str | None, here: bool = True) -> dict[str, Any]:
    """Two rooms, one of them fitted: the first (where the fight is), or the second."""
    items = [item] if item else []
    return {"rooms": [{"room": "one", "items": items if here else []}, {"room": "two", "items": [] if here else items}]}


@pytest.mark.parametrize("place", [0, 1, 2])
def test_shored_pillars_add_two_structure_in_their_room_only(place: int) -> None:
    rooms: list[dict[str, Any]] = [{"room": name, "round_limit": 1} for name in ("one", "two", "three")]
    rooms[place]["items"] = ["shored_pillars"]
    arena = Arena(rooms=rooms)
    found = [arena.reducer("structure")]
    for _ in range(2):
        arena.end_round()
        found.append(arena.reducer("structure"))
        arena.settle()
    assert found == [22 if k == place else 20 for k in range(3)]


def test_the_last_lantern_adds_three_veil_while_structure_is_below_half() -> None:
    arena = Arena(**fitted("last_lantern"))
    assert arena.side("dungeon")["starts"][1] == 20
    arena.set(structure=9)
    arena.end_round()
    assert (arena.reducer("veil"), arena.side("dungeon")["starts"][1]) == (23, 23)
    arena.set(structure=10)
    arena.end_round()
    assert (arena.reducer("veil"), arena.side("dungeon")["starts"][1]) == (20, 20)


def test_whispering_vents_make_physical_hits_cost_nerve() -> None:
    lost = []
    for item, fields in ((None, {}), ("whispering_vents", {}), ("whispering_vents", {"type": "social"})):
        arena = Arena(dungeon=[strike("claw", **fields)], **fitted(item))
        arena.turn("dungeon", hand=["claw"])
        arena.dice("strong")
        arena.act("strike claw")
        lost.append(20 - arena.reducer("nerve"))
    assert lost == [0, 1, 0]


def test_whispering_vents_whisper_in_their_room_only() -> None:
    arena = Arena(dungeon=[CLAW], **fitted("whispering_vents", here=False))
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("nerve") == 20


def test_watching_walls_add_one_to_the_dungeons_contested_rolls_in_their_room() -> None:
    mine, theirs = contested("dungeon", **fitted(None))
    assert contested("dungeon", **fitted("watching_walls")) == (mine + 1, theirs)
    assert contested("dungeon", **fitted("watching_walls", here=False)) == (mine, theirs)
    mine, theirs = contested("visitor", **fitted(None))
    assert contested("visitor", **fitted("watching_walls")) == (mine, theirs + 1)


def test_the_thirsting_floor_gives_every_dungeon_strike_drain_in_its_room() -> None:
    found = []
    for options in (fitted(None), fitted("thirsting_floor"), fitted("thirsting_floor", here=False)):
        arena = Arena(dungeon=[CLAW], **options)
        arena.turn("dungeon", hand=["claw"])
        arena.set(veil=5)
        arena.dice("strong")
        arena.act("strike claw")
        found.append(arena.reducer("veil"))
    assert found == [6, 8, 6]  # a clean hit rallies 1, Drain heals 2 more


def test_every_shipped_room_item_is_tried() -> None:
    tried = {"shored_pillars", "last_lantern", "whispering_vents", "watching_walls", "thirsting_floor"}
    assert tried == set(load_codex().room_items)


@pytest.mark.parametrize("markers", [1, 3])
def test_insight_is_a_bonus_to_the_dungeons_contested_rolls(markers: int) -> None:
    gift = offer("gift", price={"type": "extraction", "amount": markers, "effect": "insight"})
    totals = []
    for answer in ("refuse", "accept"):
        arena = Arena(dungeon=[gift, CLAW])
        arena.turn("dungeon", hand=["gift"])
        arena.act("offer gift", answer)
        arena.end_round()  # it is summed anew each round
        arena.turn("dungeon", hand=["claw"])
        arena.dice("partial")
        arena.act("strike claw")
        totals.append(arena.happened("strike_rolled")[-1].attack)
    assert totals[1] - totals[0] == markers
