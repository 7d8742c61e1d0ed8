"""Rival intrusions and bosses' traits: a fight with and without. That the tables are complete is a test too."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.content.codex import load_codex
from tests.encounters.arena import Arena
from tests.encounters.modifier_scenes import (
    BITE,
    Probe,
    armour_left,
    bounty_paid,
    debuffs_that_stick,
    dungeon_strikes,
    energy_at_turn_start,
    first_to_act,
    locked_cards,
    member_losses,
    opening_hand,
    poisoned,
    regenerated,
    visitor_at_first,
    vitality_by_round,
    weakened_strikes,
)

# --- intrusions -------------------------------------------------------------------------------------------------------

INTRUSIONS: dict[str, tuple[Probe, Any, Any]] = {
    "targeted_weakness": (weakened_strikes, [3, 3, 3, 3], [1, 3, 2, 3]),
    "stolen_supplies": (opening_hand, 7, 5),
    "false_orders": (locked_cards, [0, 0, 0, 0], [1, 0, 0, 0]),
    "split_focus": (member_losses, [10, 7, 8, 6], [10, 7, 8, 3]),
    "rigged_field": (lambda *used: vitality_by_round(*used, rounds=3), [40, 40, 40], [38, 36, 34]),
    "bounty_tag": (bounty_paid, [3, 5], [4, 7]),
    "panic_spike": (visitor_at_first, [20, 20, 20], [20, 20, 18]),
}


@pytest.mark.parametrize("intrusion", INTRUSIONS)
def test_an_intrusion_shows_in_a_fight_and_only_when_it_is_in_force(intrusion: str) -> None:
    probe, without, with_it = INTRUSIONS[intrusion]
    assert probe() == without
    assert probe(intrusion) == with_it


def test_every_shipped_intrusion_is_tried() -> None:
    assert set(INTRUSIONS) == set(load_codex().catalog.intrusions)
    assert len(INTRUSIONS) == 7


def test_a_locked_card_cannot_be_played_but_activated() -> None:
    arena = Arena(visitor=[BITE], modifiers=["false_orders"])
    while arena.state["turn"] != 1:
        arena.act("end")
    side = arena.side("visitor")
    locked = [int(k) for k in side["hand"][: side["hand_size"]] if int(side["locked"]) >> int(k) & 1]
    legal = arena.encounter.legal()
    assert len(locked) == 1
    assert 1 * 64 + locked[0] not in legal
    free = [int(k) for k in side["hand"][: side["hand_size"]] if int(k) != locked[0]]
    assert all(1 * 64 + k in legal for k in free)


def test_split_focus_hunts_a_creature_too() -> None:
    assert vitality_by_round("split_focus", rounds=3) == [39, 38, 37]


# --- boss traits ------------------------------------------------------------------------------------------------------

TRAITS: dict[str, tuple[Probe, Any, Any]] = {
    "armoured": (armour_left, [3, 0, 3, 0, 3, 0], [0, 3, 0, 0, 3, 0]),
    "swift": (energy_at_turn_start, [1, 1, 1], [3, 3, 3]),
    "venomous": (poisoned, 0, 2),
    "regenerating": (regenerated, [10, 5, 15], [10, 8, 15]),
    "summoner": (vitality_by_round, [40] * 6, [40, 40, 39, 38, 37, 35]),
    "hexer": (locked_cards, [0, 0, 0, 0], [1, 1, 1, 1]),
    "brute": (dungeon_strikes, [3], [6]),
    "warded": (debuffs_that_stick, [1, 1, 1], [0, 0, 1]),
    "ambusher": (visitor_at_first, [20, 20, 20], [14, 20, 20]),
    "enraged": (lambda *used: dungeon_strikes(*used, rounds=4), [3, 3, 3, 3], [3, 4, 5, 6]),
}


@pytest.mark.parametrize("trait", TRAITS)
def test_a_boss_trait_shows_in_a_fight_and_only_when_it_is_in_force(trait: str) -> None:
    probe, without, with_it = TRAITS[trait]
    assert probe() == without
    assert probe(trait) == with_it


def test_every_shipped_trait_is_tried() -> None:
    assert set(TRAITS) == set(load_codex().catalog.traits)
    assert len(TRAITS) == 10


def test_swift_decides_who_acts_first_in_every_round() -> None:
    assert first_to_act("swift", ahead=-1) == "ddd"
    assert first_to_act("swift", ahead=-2) == "vvv"
