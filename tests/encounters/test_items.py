"""Items and consumables: a fight with and without. That the table of probes is complete is a test too."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.encounters.encounter import Encounter
from tests.encounters.arena import Arena, strike
from tests.encounters.modifier_scenes import (
    CLAW,
    Probe,
    armour_left,
    debuffs_that_stick,
    dungeon_strikes,
    energy_at_turn_start,
    hand_and_nerve,
    healed,
    locked_cards,
    opening_hand,
    poisoned,
    regenerated,
    struck_back,
    structure_at_first,
    visitor_at_first,
    visitor_draws,
    visitor_strikes,
    vitality_by_round,
    warded,
    whom_the_room_hurts,
)

# --- items: (scene, what else is in force, without, with) -------------------------------------------------------------

ITEMS: dict[str, tuple[Probe, tuple[str, ...], Any, Any]] = {
    "whetstone": (visitor_strikes, (), [3, 3], [4, 4]),
    "padded_coat": (lambda *used: dungeon_strikes(*used, rounds=2), (), [3, 3], [1, 3]),
    "trail_boots": (lambda *used: energy_at_turn_start(*used, side="visitor"), (), [1, 1, 1], [2, 2, 1]),
    "map_case": (visitor_draws, (), [2, 2, 2, 2], [3, 3, 2, 2]),
    "iron_buckler": (warded, (), (5, 3), (6, 3)),
    "throwing_knives": (structure_at_first, (), 20, 17),
    "grey_cloak": (whom_the_room_hurts, (), [6, 4, 9, 9], [5, 5, 9, 9]),
    "hunting_bow": (lambda *used: visitor_strikes(*used, low=11), (), [3, 3], [4, 4]),
    "thorn_mail": (lambda *used: struck_back(*used, side="dungeon"), (), 0, 1),
    "acid_flask": (armour_left, ("armoured",), [0, 3, 0, 0, 3, 0], [0, 3, 3, 3, 3, 3]),
    "breach_hammer": (armour_left, ("armoured",), [0, 3, 0, 0, 3, 0], [1, 0, 3, 0, 3, 0]),
    "tar_pot": (energy_at_turn_start, ("swift",), [3, 3, 3], [2, 2, 2]),
    "snare_net": (energy_at_turn_start, ("swift",), [3, 3, 3], [1, 1, 3]),
    "antivenom": (poisoned, ("venomous",), 2, 0),
    "searing_brand": (lambda *used: healed(*used, side="dungeon"), (), 4, 2),
    "banishing_bell": (vitality_by_round, ("summoner",), [40, 40, 39, 38, 37, 35], [40] * 6),
    "silver_charm": (locked_cards, ("hexer",), [1, 1, 1, 1], [0, 0, 1, 1]),
    "tower_shield": (lambda *used: dungeon_strikes(*used, rounds=2), (), [3, 3], [1, 1]),
    "dispel_scroll": (debuffs_that_stick, ("warded",), [0, 0, 1], [1, 1, 1]),
    "watch_lantern": (visitor_at_first, ("ambusher",), [14, 20, 20], [20, 20, 20]),
    "calming_incense": (dungeon_strikes, ("brute",), [6], [5]),
    "leech_needle": (regenerated, ("regenerating",), [10, 8, 15], [10, 6, 15]),
    "boiled_gorget": (lambda *used: dungeon_strikes(*used, rounds=2), (), [3, 3], [1, 1]),
    "lime_blossom_tea": (visitor_at_first, ("panic_spike",), [20, 20, 18], [20, 20, 19]),
    "worry_beads": (visitor_at_first, ("panic_spike",), [20, 20, 18], [20, 20, 20]),
    "songbook": (visitor_at_first, ("panic_spike",), [20, 20, 18], [20, 20, 20]),
    "ration_pack": (opening_hand, (), 7, 9),
    "pack_mule": (opening_hand, (), 7, 10),
    "field_kitchen": (hand_and_nerve, ("panic_spike",), (7, 18), (9, 19)),
}
# They mend wounds and ease injuries that a campaign carries from run to run. A run by itself begins with everybody
# whole, and health acts when a run begins (E47): no fight of a single run shows them.
CAMPAIGN_ONLY = ("splint", "surgeons_case", "clean_bandages", "red_draught")


@pytest.mark.parametrize("item", ITEMS)
def test_an_item_shows_in_a_fight_and_only_when_it_is_in_force(item: str) -> None:
    probe, beside, without, with_it = ITEMS[item]
    assert probe(*beside) == without
    assert probe(*beside, item) == with_it


def test_every_shipped_item_is_tried_or_known_to_be_for_the_campaign() -> None:
    assert set(ITEMS) | set(CAMPAIGN_ONLY) == set(load_codex().catalog.items)
    assert not set(ITEMS) & set(CAMPAIGN_ONLY)


@pytest.mark.parametrize("item", CAMPAIGN_ONLY)
def test_an_item_for_the_campaign_changes_no_fight(item: str) -> None:
    assert {effect.code for effect in load_codex().catalog.items[item].effects} <= {"injury", "health"}
    plain, carried = Encounter("standard-company", seed=5), Encounter(f"standard-company+{item}", seed=5)
    for _ in range(60):
        if plain.decision is None:
            break
        options = plain.legal()
        assert carried.legal() == options
        choice = options[len(plain.actions) % len(options)]
        plain.apply(choice)
        carried.apply(choice)
    assert carried.state_hash() == plain.state_hash()


def test_gorget_and_shield_differ_when_two_hits_come_in_a_round() -> None:
    lost = {}
    for item in ("boiled_gorget", "tower_shield"):
        arena = Arena(dungeon=[CLAW, strike("fang")], modifiers=[item])
        arena.turn("dungeon", hand=["claw", "fang"])
        arena.dice("strong", "strong")
        arena.act("strike claw", "strike fang")
        lost[item] = 20 - arena.reducer("vitality")
    assert lost == {"boiled_gorget": 4, "tower_shield": 2}


def test_the_hand_is_dealt_between_five_and_ten_cards_whatever_the_supplies() -> None:
    assert opening_hand("pack_mule", "ration_pack") == 10
    assert Arena(effects=[{"code": "supplies", "side": "party", "value": -6}]).happened("hand_dealt")[-1].cards == 5


def test_the_breach_hammer_works_whatever_is_listed_first() -> None:
    assert armour_left("breach_hammer", "armoured") == armour_left("armoured", "breach_hammer")


def test_relief_from_stress_works_whatever_is_listed_first() -> None:
    assert visitor_at_first("songbook", "panic_spike") == visitor_at_first("panic_spike", "songbook") == [20, 20, 20]


def test_one_alertness_sees_one_surprise_coming() -> None:
    second = [{"code": "opening_strike", "side": "enemies", "value": 2}]
    assert visitor_at_first("ambusher", "watch_lantern", effects=second) == [18, 20, 20]


# --- consumables ------------------------------------------------------------------------------------------------------

CONSUMABLES = [item.id for item in load_codex().catalog.items.values() if item.consumable and item.id in ITEMS]


@pytest.mark.parametrize("item", CONSUMABLES)
def test_shattered_supplies_disable_a_consumable(item: str) -> None:
    probe, beside, without, _ = ITEMS[item]
    assert probe(*beside, item, "shattered_supplies") == without
    assert probe(*beside, "shattered_supplies", item) == without


@pytest.mark.parametrize("item", ["whetstone", "tower_shield", "pack_mule", "songbook", "leech_needle"])
def test_shattered_supplies_leave_lasting_things_alone(item: str) -> None:
    probe, beside, _, with_it = ITEMS[item]
    assert probe(*beside, item, "shattered_supplies") == with_it
