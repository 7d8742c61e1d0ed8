"""Equipment: what a piece does for its wearer and the party [GDD 17.7]. Every shipped piece is tried."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.errors import ContentError
from tests.encounters.arena import Arena, strike
from tests.encounters.modifier_scenes import COMPANY, contested, member_vitality


def worn(piece: str, seat: int = 2) -> dict[str, Any]:
    return {"equipment": {piece: seat}}


def test_equipment_comes_in_five_tiers_and_three_slots() -> None:
    pieces = load_codex().equipment
    examples = ("iron_shield", "sturdy_boots", "veil_touched_blade", "healers_oath", "crown_of_defiance")
    assert [pieces[name].tier for name in examples] == ["common", "uncommon", "rare", "epic", "legendary"]
    assert {piece.slot for piece in pieces.values()} == {"weapon", "armour", "accessory"}


def test_nobody_wears_two_things_in_one_slot() -> None:
    codex = load_codex()
    with pytest.raises(ContentError) as caught:
        codex.scenario("standard-company+iron_shield@2+sturdy_boots@2")
    assert "armour" in str([fault.problem for fault in caught.value.faults])
    assert codex.scenario("standard-company+iron_shield@1+sturdy_boots@2").equipment == {
        "iron_shield": 1,
        "sturdy_boots": 2,
    }


def test_three_slots_can_be_worn_at_once() -> None:
    found = load_codex().scenario("boar+iron_shield+veil_touched_blade+healers_oath")
    assert found.equipment == {"iron_shield": 1, "veil_touched_blade": 1, "healers_oath": 1}


@pytest.mark.parametrize("seat", [1, 2, 4])
def test_an_iron_shield_adds_one_vitality_to_its_wearer(seat: int) -> None:
    assert member_vitality(Arena(**COMPANY)) == [10, 7, 8, 6]
    arena = Arena(**COMPANY, **worn("iron_shield", seat))
    expected = [points + (k == seat - 1) for k, points in enumerate((10, 7, 8, 6))]
    assert member_vitality(arena) == expected
    assert [int(arena.member(k)["start"]) for k in range(4)] == expected
    assert (arena.reducer("vitality"), arena.side("visitor")["starts"][0]) == (32, 32)


def test_an_iron_shield_helps_once_not_in_every_room() -> None:
    rooms = [{"room": "one", "round_limit": 1}, {"room": "two"}]
    arena = Arena(**COMPANY, **worn("iron_shield"), rooms=rooms)
    arena.members(10, 5, 8, 6)
    arena.end_round()
    assert member_vitality(arena) == [10, 5, 8, 6]
    assert arena.member(1)["start"] == 8


def test_a_campfire_token_adds_one_nerve() -> None:
    arena = Arena(**COMPANY, **worn("campfire_token"))
    assert (arena.reducer("nerve"), arena.side("visitor")["starts"][2]) == (21, 21)


def test_sturdy_boots_switch_off_and_on_between_rooms_as_nerve_falls_and_rises() -> None:
    rooms = [{"room": name, "round_limit": 1} for name in ("one", "two", "three", "four")]
    arena = Arena(**COMPANY, **worn("sturdy_boots"), rooms=rooms)
    found = [(int(arena.member(1)["vitality"]), int(arena.member(1)["start"]))]
    for nerve in (10, 11, 11):
        arena.set(nerve=nerve)  # of 20: 50 % is not above 50 %
        arena.end_round()
        arena.settle()
        found.append((int(arena.member(1)["vitality"]), int(arena.member(1)["start"])))
    assert found == [(9, 9), (7, 7), (9, 9), (9, 9)]
    assert arena.reducer("vitality") == sum(member_vitality(arena))


def test_sturdy_boots_switch_as_rounds_begin() -> None:
    arena = Arena(**COMPANY, **worn("sturdy_boots"))
    found = []
    for nerve in (10, 11, 10):
        arena.set(nerve=nerve)
        arena.end_round()
        found.append((int(arena.member(1)["vitality"]), int(arena.member(1)["start"])))
    assert found == [(7, 7), (9, 9), (7, 7)]


@pytest.mark.parametrize(("before", "after"), [(9, 7), (4, 2), (2, 1), (1, 1)])
def test_sturdy_boots_take_their_vitality_back_but_knock_nobody_out(before: int, after: int) -> None:
    arena = Arena(**COMPANY, **worn("sturdy_boots"))
    arena.members(10, before, 8, 6)
    arena.set(nerve=5)
    arena.end_round()
    assert (arena.member(1)["vitality"], arena.member(1)["start"], arena.member(1)["down"]) == (after, 7, 0)
    assert arena.reducer("vitality") == 10 + after + 8 + 6


def splashed(wearer: int | None, owner: int, tier: str = "strong", **fields: Any) -> int:
    """The veil that a Strike of one member costs, when the blade is worn by another or nobody."""
    kits: list[list[dict[str, Any]]] = [[], [], [], []]
    kits[owner - 1] = [strike("slash", "visitor", **fields)]
    more = worn("veil_touched_blade", wearer) if wearer else {}
    arena = Arena(party=kits, vitality=(10, 10, 10, 10), **more)
    arena.turn("visitor", hand=["slash"])
    arena.dice(tier)
    arena.act("strike slash")
    return 20 - arena.reducer("veil")


def test_a_veil_touched_blade_makes_its_wearers_physical_hits_harm_the_veil() -> None:
    assert splashed(None, owner=2) == 0
    assert splashed(2, owner=2) == 1
    assert splashed(2, owner=2, target="veil") == 4
    assert splashed(2, owner=3) == 0
    assert splashed(2, owner=2, type="social") == 0
    assert splashed(2, owner=2, tier="stalemate") == 0


def test_a_quarrymans_pick_makes_environmental_hits_harm_the_structure() -> None:
    lost = []
    for more in ({}, worn("quarrymans_pick", 1)):
        push = strike("push", "visitor", type="environmental", target="veil")
        arena = Arena(visitor=[push], **more)
        arena.turn("visitor", hand=["push"])
        arena.dice("strong")
        arena.act("strike push")
        lost.append((20 - arena.reducer("structure"), 20 - arena.reducer("veil")))
    assert lost == [(0, 3), (1, 3)]


def hurt_members(*blows: tuple[str, int], **options: Any) -> list[int]:
    """The members' vitality (10 each) after clean dungeon Strikes at them."""
    cards = [strike(f"blow_{k}", power=power) for k, (_, power) in enumerate(blows)]
    arena = Arena(dungeon=cards, party=[[], [], [], []], vitality=(10, 10, 10, 10), **options)
    arena.turn("dungeon", hand=[entry["id"] for entry in cards])
    arena.dice(*["strong"] * len(blows))
    for k, (member, _) in enumerate(blows):
        arena.act(f"strike blow_{k}", f"→ {member}")
    assert arena.reducer("vitality") == sum(member_vitality(arena))
    return member_vitality(arena)


def test_healers_oath_restores_two_when_an_ally_drops_below_thirty_percent() -> None:
    assert hurt_members(("a", 8)) == [2, 10, 10, 10]
    assert hurt_members(("a", 8), **worn("healers_oath", 3)) == [4, 10, 10, 10]
    assert hurt_members(("a", 7), **worn("healers_oath", 3)) == [3, 10, 10, 10]


def test_healers_oath_holds_once_an_encounter() -> None:
    assert hurt_members(("a", 8), ("b", 9), **worn("healers_oath", 3)) == [4, 1, 10, 10]


def test_healers_oath_does_not_raise_the_fallen() -> None:
    assert hurt_members(("a", 9), ("b", 9), **worn("healers_oath", 3))[0] == 3
    arena = Arena(dungeon=[strike("axe", power=9)], **COMPANY, **worn("healers_oath", 3))
    arena.turn("dungeon", hand=["axe"])
    arena.dice("strong")
    arena.act("strike axe", "→ d")
    assert (arena.member(3)["vitality"], arena.member(3)["down"]) == (0, 1)


def test_healers_oath_holds_again_in_the_next_room() -> None:
    rooms = [{"room": "one", "round_limit": 1}, {"room": "two"}]
    blow = strike("blow", power=8)
    arena = Arena(
        dungeon=[blow], party=[[], [], [], []], vitality=(10, 10, 10, 10), rooms=rooms, **worn("healers_oath", 3)
    )
    for member in ("a", "b"):
        arena.turn("dungeon", hand=["blow"])
        arena.dice("strong")
        arena.act("strike blow", f"→ {member}")
        arena.end_round()
        arena.settle()
    assert member_vitality(arena) == [4, 4, 10, 10]


def nerve_after_fright(times: int, **options: Any) -> tuple[str | None, int]:
    """The outcome and the nerve left when nerve is struck to 0 this many turns in a row."""
    arena = Arena(dungeon=[strike("fright", target="nerve", power=9)], **options)
    for _ in range(times):
        if arena.encounter.decision is None:
            break
        arena.turn("dungeon", hand=["fright"])
        arena.set(nerve=5)
        arena.dice("strong")
        arena.act("strike fright", "end")
    return arena.outcome, arena.reducer("nerve")


def test_the_crown_of_defiance_shrugs_the_first_panic_off() -> None:
    assert nerve_after_fright(1) == ("panic", 0)
    assert nerve_after_fright(1, **worn("crown_of_defiance", 1)) == (None, 1)
    assert nerve_after_fright(2, **worn("crown_of_defiance", 1)) == ("panic", 0)


def test_a_duellists_foil_adds_one_to_every_contested_roll_of_the_party() -> None:
    mine, theirs = contested("visitor")
    assert contested("visitor", **worn("duellists_foil", 1)) == (mine + 1, theirs)
    mine, theirs = contested("dungeon")
    assert contested("dungeon", **worn("duellists_foil", 1)) == (mine, theirs + 1)


def test_every_shipped_piece_of_equipment_is_tried() -> None:
    tried = {"iron_shield", "sturdy_boots", "veil_touched_blade", "healers_oath", "crown_of_defiance"}
    assert tried | {"quarrymans_pick", "duellists_foil", "campfire_token"} == set(load_codex().equipment)
