"""Trials, intrusions, traits, items, equipment, room items, Insight: a fight with and without [Contracts; GDD 17.7].

Every probe below plays the same short scene twice, once with the entry in force and once without, from the same seed
and with the same dice, and gives back numbers. The tables hold both results; that a table is complete is a test too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.encounters.encounter import Encounter
from cartomancer.errors import ContentError
from tests.encounters.arena import Arena, card, offer, strike

Probe = Callable[..., Any]

CLAW = strike("claw")
BITE = strike("bite", "visitor")
KICK = strike("kick", "visitor")
COMPANY: dict[str, Any] = {"party": [[], [], [], []], "vitality": (10, 7, 8, 6)}


# --- scenes: what a side deals, takes, draws, may do ------------------------------------------------------------------


def visitor_strikes(*modifiers: str, rounds: int = 1, power: int = 3, low: int = 40, **options: Any) -> list[int]:
    """What two clean visitor Strikes a round take from structure, Strike by Strike."""
    bites = [strike(name, "visitor", power=power) for name in ("bite", "kick")]
    arena = Arena(visitor=bites, structure=40, modifiers=list(modifiers), **options)
    arena.set(structure=low)
    found = []
    for _ in range(rounds):
        arena.turn("visitor", hand=["bite", "kick"])
        arena.dice("strong", "strong")
        for name in ("bite", "kick"):
            before = arena.reducer("structure")
            arena.act(f"strike {name}")
            found.append(before - arena.reducer("structure"))
        arena.end_round()
    return found


def dungeon_strikes(*modifiers: str, rounds: int = 1, power: int = 3, low: int = 40, **options: Any) -> list[int]:
    """What one clean dungeon Strike a round takes from a visitor's 40 vitality (or fewer)."""
    arena = Arena(dungeon=[strike("claw", power=power)], vitality=(40,), modifiers=list(modifiers), **options)
    arena.set(vitality=low)
    found = []
    for _ in range(rounds):
        arena.turn("dungeon", hand=["claw"])
        before = arena.reducer("vitality")
        arena.dice("strong")
        arena.act("strike claw")
        found.append(before - arena.reducer("vitality"))
        arena.end_round()
    return found


def struck_back(*modifiers: str, side: str = "visitor") -> int:
    """What two clean Strikes of a side in one round cost its primary reducer."""
    arena = Arena(dungeon=[CLAW, strike("fang")], visitor=[BITE, KICK], modifiers=list(modifiers))
    names = ["bite", "kick"] if side == "visitor" else ["claw", "fang"]
    primary = "vitality" if side == "visitor" else "structure"
    arena.turn(side, hand=names)
    arena.set(nerve=5, presence=5)  # a clean hit rallies the weakest reducer, not the primary one
    before = arena.reducer(primary)
    arena.dice("strong", "strong")
    arena.act(*(f"strike {name}" for name in names))
    return before - arena.reducer(primary)


def energy_at_turn_start(*modifiers: str, side: str = "dungeon", rounds: int = 3) -> list[int]:
    """The energy a side's turns begin with; the pool stays 1."""
    arena = Arena(modifiers=list(modifiers))
    for _ in range(rounds - 1):
        arena.end_round()
    arena.turn(side)
    return [event.energy for event in arena.happened("turn_began") if event.side == side][:rounds]


def first_to_act(*modifiers: str, ahead: int, rounds: int = 4) -> str:
    """Who acts first in rounds 2 to 4, d or v, when the dungeon's initiative is this far ahead."""
    arena = Arena(modifiers=list(modifiers))
    arena.side("visitor")["initiative"], arena.side("dungeon")["initiative"] = 7, 7 + ahead
    found = ""
    for _ in range(rounds - 1):
        arena.end_round()
        found += "dv"[int(arena.state["first"])]
    return found


def visitor_draws(*modifiers: str, rounds: int = 4) -> list[int]:
    """How many cards the visitor draws at the end of each round, holding three."""
    arena = Arena(modifiers=list(modifiers))
    found = []
    for _ in range(rounds):
        arena.turn("visitor", hand=["visitor_energy"] * 3)
        arena.end_round()
        found.append(int(arena.side("visitor")["hand_size"]) - 3)
        arena.hold("visitor", ["visitor_energy"] * 3)
    return found


def opening_hand(*modifiers: str) -> int:
    """The cards the visitor is dealt."""
    dealt = Arena(modifiers=list(modifiers)).happened("hand_dealt")
    return next(event.cards for event in dealt if event.side == "visitor")


def healed(*modifiers: str, side: str = "visitor") -> int:
    """What a Reshape that heals 4 gives back."""
    resource = "resolve" if side == "visitor" else "veil"
    salve = card("reshape", "salve", side, heal={"resource": resource, "amount": 4})
    arena = Arena(**{side: [salve]}, modifiers=list(modifiers))
    arena.turn(side, hand=["salve"])
    arena.set(**{resource: 5})
    arena.act("reshape salve")
    return arena.reducer(resource) - 5


def warded(*modifiers: str) -> tuple[int, int]:
    """The Ward and the Fortify a visitor builds with cards of 5 and 3."""
    cards = [
        card("reshape", "veil", "visitor", ward=5),
        card("reshape", "wall", "visitor", fortify={"resource": "nerve", "amount": 3}),
    ]
    arena = Arena(visitor=cards, modifiers=list(modifiers))
    arena.turn("visitor", hand=["veil", "wall"])
    arena.act("reshape veil", "reshape wall")
    return int(arena.side("visitor")["ward"]), int(arena.side("visitor")["fortify"][2])


def vitality_by_round(*modifiers: str, rounds: int = 6, **options: Any) -> list[int]:
    """A creature's vitality at the start of each round, if nobody does anything."""
    arena = Arena(modifiers=list(modifiers), vitality=(40,), **options)
    found = [arena.reducer("vitality")]
    for _ in range(rounds - 1):
        arena.end_round()
        found.append(arena.reducer("vitality"))
    return found


def skill_costs(*modifiers: str) -> list[int]:
    """What two skills and a Strike of cost 0 cost the visitor in this round, and a skill in the next."""
    skills = [card("empower", name, "visitor", power=1) for name in ("roar", "glare")]
    arena = Arena(visitor=[*skills, BITE], modifiers=list(modifiers))
    found = []
    for names in (["bite", "roar", "glare"], ["roar"]):
        arena.turn("visitor", hand=names)
        for name in names:
            before = int(arena.side("visitor")["energy"])
            arena.act(f"play {name}")
            found.append(before - int(arena.side("visitor")["energy"]))
        arena.end_round()
    return found


def debuffs_that_stick(*modifiers: str) -> list[int]:
    """Whether the dungeon is disrupted after each of three Disrupts, each cleared before the next."""
    glare = card("disrupt", "glare", "visitor", disadvantage=True)
    arena = Arena(visitor=[glare] * 3, modifiers=list(modifiers))
    arena.turn("visitor", hand=["glare"] * 3)
    found = []
    for _ in range(3):
        arena.act("disrupt glare")
        found.append(int(arena.side("dungeon")["disadvantage"]))
        arena.side("dungeon")["disadvantage"] = 0
    return found


def may_retreat(*modifiers: str) -> bool:
    """Whether the visitor may retreat in round 3."""
    arena = Arena(modifiers=list(modifiers), retreat=True)
    arena.end_round()
    arena.end_round()
    arena.turn("visitor")
    return "retreat" in arena.legal()


def locked_cards(*modifiers: str, rounds: int = 4) -> list[int]:
    """How many cards of the visitor's hand are locked in each of its turns."""
    arena = Arena(modifiers=list(modifiers))
    found = []
    for _ in range(rounds):
        while arena.state["turn"] != 1:
            arena.act("end")
        found.append(int(arena.side("visitor")["locked"]).bit_count())
        arena.act("end")
    return found


def poisoned(*modifiers: str) -> int:
    """What a visitor loses at the start of the round after a clean hit."""
    arena = Arena(dungeon=[CLAW], modifiers=list(modifiers))
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    before = arena.reducer("vitality")
    arena.end_round()
    return before - arena.reducer("vitality")


def regenerated(*modifiers: str) -> list[int]:
    """The dungeon's reducers a round after all were wounded, veil most."""
    arena = Arena(modifiers=list(modifiers))
    arena.set(structure=10, veil=5, presence=15)
    arena.end_round()
    return [arena.reducer(name) for name in ("structure", "veil", "presence")]


def structure_at_first(*modifiers: str, **options: Any) -> int:
    """Structure when the first round begins."""
    return Arena(modifiers=list(modifiers), **options).reducer("structure")


def visitor_at_first(*modifiers: str, **options: Any) -> list[int]:
    """The visitor's reducers when the first round begins."""
    arena = Arena(modifiers=list(modifiers), **options)
    return [arena.reducer(name) for name in ("vitality", "resolve", "nerve")]


def hand_and_nerve(*modifiers: str) -> tuple[int, int]:
    """The cards the visitor is dealt, and the nerve it begins with."""
    return opening_hand(*modifiers), visitor_at_first(*modifiers)[2]


def member_vitality(arena: Arena) -> list[int]:
    return [int(arena.member(seat)["vitality"]) for seat in range(4)]


def whom_the_room_hurts(*modifiers: str, seed: int = 0) -> list[int]:
    """The members' vitality after a round in a room that takes 1 vitality; b is the weakest, then a (all 10 of 10)."""
    auto = [{"resource": "vitality", "change": -1}]
    arena = Arena(
        party=[[], [], [], []],
        vitality=(10, 10, 10, 10),
        auto=auto,
        modifiers=list(modifiers),
        seed=seed,
        targeted_seat=2,
    )
    arena.members(6, 5, 9, 9)
    arena.end_round()
    return member_vitality(arena)


def whoever_the_room_hurts(*modifiers: str) -> set[int]:
    """The seats that the room finds in a dozen fights; b is the weakest in all of them."""
    found = [whom_the_room_hurts(*modifiers, seed=seed) for seed in range(12)]
    return {seat for after in found for seat in range(4) if after[seat] < (6, 5, 9, 9)[seat]}


def bounty_paid(*modifiers: str) -> list[int]:
    """What morale loses when b falls first, and what it loses when b falls again."""
    axe = strike("axe", power=9)
    arena = Arena(dungeon=[axe], **COMPANY, modifiers=list(modifiers), targeted_seat=2)
    found = []
    for _ in range(2):
        arena.turn("dungeon", hand=["axe"])
        arena.dice("strong")
        before = arena.reducer("nerve")
        arena.act("strike axe", "→ b")
        found.append(before - arena.reducer("nerve"))
        member = arena.member(1)
        member["down"], member["vitality"], arena.state["downs"] = 0, 1, 0
    return found


def weakened_strikes(*modifiers: str) -> list[int]:
    """What one Strike a turn of member b deals, three turns long, and then one of member a."""
    kits = [[strike("jab", "visitor")], [BITE], [], []]
    arena = Arena(party=kits, vitality=(10, 10, 10, 10), structure=40, modifiers=list(modifiers), targeted_seat=2)
    found = []
    for names in (["bite", "jab"], ["bite"], ["bite"]):
        arena.turn("visitor", hand=names)
        arena.dice(*["strong"] * len(names))
        for name in names:
            before = arena.reducer("structure")
            arena.act(f"strike {name}")
            found.append(before - arena.reducer("structure"))
        arena.act("end")
    return found


def member_losses(*modifiers: str) -> list[int]:
    """The members' vitality in round 3, if nobody does anything."""
    arena = Arena(**COMPANY, modifiers=list(modifiers))
    arena.end_round()
    arena.end_round()
    return member_vitality(arena)


def armour_left(*modifiers: str) -> list[int]:
    """What three clean Strikes of 3 take from structure, and the armour left after each."""
    names = ["bite", "kick", "gore"]
    arena = Arena(visitor=[strike(name, "visitor") for name in names], structure=40, modifiers=list(modifiers))
    arena.turn("visitor", hand=names)
    arena.dice("strong", "strong", "strong")
    found = []
    for name in names:
        before = arena.reducer("structure")
        arena.act(f"strike {name}")
        found += [before - arena.reducer("structure"), int(arena.side("dungeon")["armour"])]
    return found


# --- trials -----------------------------------------------------------------------------------------------------------

TRIALS: dict[str, tuple[Probe, Any, Any]] = {
    "reinforced": (visitor_strikes, [3, 3], [0, 2]),
    "frenzy": (energy_at_turn_start, [1, 1, 1], [2, 2, 1]),
    "thick_hide": (lambda *used: visitor_strikes(*used, rounds=2), [3, 3, 3, 3], [1, 3, 1, 3]),
    "blood_price": (healed, 4, 2),
    "attrition": (visitor_draws, [2, 2, 2, 2], [1, 1, 1, 2]),
    "overtime": (lambda *used: dungeon_strikes(*used, rounds=8), [3] * 8, [3, 3, 3, 3, 3, 4, 5, 6]),
    "marked": (whoever_the_room_hurts, {1}, {0, 1, 2, 3}),
    "sunder": (warded, (5, 3), (4, 2)),
    "swarm": (vitality_by_round, [40] * 6, [40, 40, 39, 38, 37, 35]),
    "counterstance": (struck_back, 0, 1),
    "hexed": (skill_costs, [0, 0, 0, 0], [0, 1, 0, 1]),
    "cleanse_ward": (debuffs_that_stick, [1, 1, 1], [0, 1, 1]),
    "no_retreat": (may_retreat, True, False),
    "shattered_supplies": (lambda *used: structure_at_first("throwing_knives", *used), 17, 20),
    "executioner": (lambda *used: dungeon_strikes(*used, power=4, low=11), [4], [6]),
}


@pytest.mark.parametrize("trial", TRIALS)
def test_a_trial_shows_in_a_fight_and_only_when_it_is_in_force(trial: str) -> None:
    probe, without, with_it = TRIALS[trial]
    assert probe() == without
    assert probe(trial) == with_it


def test_every_shipped_trial_is_tried() -> None:
    assert set(TRIALS) == set(load_codex().catalog.trials)
    assert len(TRIALS) == 15


def test_frenzy_lets_the_dungeon_act_first_for_two_turns() -> None:
    assert first_to_act(ahead=0) == "vvv"
    assert first_to_act("frenzy", ahead=0) == "dvv"


def test_overtime_also_speeds_the_dungeon_up() -> None:
    assert energy_at_turn_start("overtime", rounds=8) == [1, 1, 1, 1, 1, 2, 3, 4]


def test_a_marked_member_is_struck_harder_until_it_is_cleansed() -> None:
    dealt = []
    balm = card("reshape", "balm", "visitor", cleanse=True)
    for cleansed in (False, True):
        arena = Arena(dungeon=[CLAW], party=[[balm], [], [], []], vitality=(10, 10, 10, 10), modifiers=["marked"])
        marked = [seat for seat in range(4) if arena.member(seat)["threat"]]
        assert len(marked) == 1
        if cleansed:
            arena.turn("visitor", hand=["balm"])
            arena.act("reshape balm")
        arena.turn("dungeon", hand=["claw"])
        arena.dice("strong")
        arena.act("strike claw", f"→ {'abcd'[marked[0]]}")
        dealt.append(10 - int(arena.member(marked[0])["vitality"]))
    assert dealt == [4, 3]


def test_who_is_marked_is_left_to_chance() -> None:
    seats = set()
    for seed in range(12):
        arena = Arena(**COMPANY, modifiers=["marked"], seed=seed)
        seats |= {seat for seat in range(4) if arena.member(seat)["threat"]}
    assert seats == {0, 1, 2, 3}


def test_a_devastating_hit_drives_a_swarmer_off() -> None:
    arena = Arena(visitor=[BITE], vitality=(40,), modifiers=["swarm"])
    arena.end_round()
    arena.end_round()
    arena.turn("visitor", hand=["bite"])
    assert arena.side("dungeon")["adds"] == 1
    arena.dice("devastating")
    arena.act("strike bite")
    assert arena.side("dungeon")["adds"] == 0


def test_the_executioner_spares_whoever_has_thirty_percent() -> None:
    assert dungeon_strikes("executioner", power=4, low=12) == [4]


def test_the_executioner_looks_at_the_struck_member() -> None:
    dealt = []
    for member, seat in (("a", 0), ("b", 1)):
        arena = Arena(
            dungeon=[strike("claw", power=4)], party=[[], [], [], []], vitality=(20,) * 4, modifiers=["executioner"]
        )
        arena.members(20, 5, 20, 20)
        arena.turn("dungeon", hand=["claw"])
        before = int(arena.member(seat)["vitality"])
        arena.dice("strong")
        arena.act("strike claw", f"→ {member}")
        dealt.append(before - int(arena.member(seat)["vitality"]))
    assert dealt == [4, 5]  # 6 at a member that has only 5 left


def test_sunder_thins_armour_and_reacts_as_well() -> None:
    parry = card("react", "parry", "visitor", power=4)
    left = []
    for used in ([], ["sunder"]):
        arena = Arena(dungeon=[strike("claw", power=9)], visitor=[parry], modifiers=["padded_coat", *used])
        left.append(int(arena.side("visitor")["armour"]))
        arena.turn("dungeon", hand=["claw"], other_hand=["parry"])
        arena.dice("strong", "strong")
        arena.act("strike claw", "react parry")
        left.append(arena.happened("reacted")[-1].points)
    assert left == [2, 4, 1, 3]


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


# --- equipment --------------------------------------------------------------------------------------------------------


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


def contested(side: str, **options: Any) -> tuple[int, int]:
    """The striker's and the defender's totals of one Strike; always the same dice."""
    arena = Arena(dungeon=[CLAW], visitor=[BITE], **options)
    name = "claw" if side == "dungeon" else "bite"
    arena.turn(side, hand=[name])
    arena.dice("partial")
    arena.act(f"strike {name}")
    rolled = arena.happened("strike_rolled")[-1]
    return rolled.attack, rolled.defence


def test_a_duellists_foil_adds_one_to_every_contested_roll_of_the_party() -> None:
    mine, theirs = contested("visitor")
    assert contested("visitor", **worn("duellists_foil", 1)) == (mine + 1, theirs)
    mine, theirs = contested("dungeon")
    assert contested("dungeon", **worn("duellists_foil", 1)) == (mine, theirs + 1)


def test_every_shipped_piece_of_equipment_is_tried() -> None:
    tried = {"iron_shield", "sturdy_boots", "veil_touched_blade", "healers_oath", "crown_of_defiance"}
    assert tried | {"quarrymans_pick", "duellists_foil", "campfire_token"} == set(load_codex().equipment)


# --- room items and Insight -------------------------------------------------------------------------------------------


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


# --- windows ----------------------------------------------------------------------------------------------------------


def stronger(**window: int) -> list[dict[str, Any]]:
    return [{"code": "damage", "side": "enemies", "value": 2, **window}]


def test_turns_limit_an_effect_to_the_first_rounds() -> None:
    assert dungeon_strikes(rounds=4, effects=stronger(turns=2)) == [5, 5, 3, 3]


def test_from_turn_lets_an_effect_begin_later() -> None:
    assert dungeon_strikes(rounds=4, effects=stronger(from_turn=3)) == [3, 3, 5, 5]


def test_an_effect_without_a_window_lasts() -> None:
    assert dungeon_strikes(rounds=4, effects=stronger()) == [5, 5, 5, 5]


def test_every_other_round_means_the_rounds_divisible_by_two() -> None:
    swarm = [{"code": "reinforcements", "side": "enemies", "value": 1, "every": 2}]
    assert vitality_by_round(effects=swarm) == [40, 39, 38, 36, 34, 31]


def test_a_window_opens_anew_in_every_room() -> None:
    rooms = [{"room": "one", "round_limit": 2}, {"room": "two"}]
    arena = Arena(dungeon=[CLAW], vitality=(40,), effects=stronger(turns=1), rooms=rooms)
    dealt = []
    for _ in range(4):
        arena.turn("dungeon", hand=["claw"])
        before = arena.reducer("vitality")
        arena.dice("strong")
        arena.act("strike claw")
        dealt.append(before - arena.reducer("vitality"))
        arena.end_round()
        arena.settle()
    assert dealt == [5, 3, 5, 3]


def test_effects_of_one_kind_add_up() -> None:
    assert dungeon_strikes("brute", effects=stronger()) == [3 + 3 + 2]
    assert dungeon_strikes("brute", "calming_incense", "enraged", rounds=2) == [5, 6]


def test_a_strike_keeps_at_least_one_power() -> None:
    weak = [{"code": "damage", "side": "enemies", "value": -9}]
    assert dungeon_strikes(effects=weak) == [1]


def test_reinforcements_are_five_at_most() -> None:
    crowd = [{"code": "reinforcements", "side": "enemies", "value": 4, "every": 1}]
    assert vitality_by_round(rounds=3, effects=crowd) == [36, 31, 26]


# --- where a modifier acts --------------------------------------------------------------------------------------------


def test_a_modifier_of_the_scenario_acts_in_every_room() -> None:
    rooms = [{"room": "one", "round_limit": 1}, {"room": "two"}]
    arena = Arena(modifiers=["ambusher"], rooms=rooms)
    assert arena.reducer("vitality") == 14
    arena.end_round()
    assert arena.reducer("vitality") == 8


@pytest.mark.parametrize(
    ("effect", "points"),
    [
        ({"code": "health", "value": -6}, [14, 20, 20]),
        ({"code": "stress", "value": 6}, [20, 20, 14]),
        ({"code": "injury", "value": 6}, [14, 20, 20]),
    ],
    ids=["health", "stress", "injury"],
)
def test_what_carries_over_by_itself_acts_in_the_first_room_only(effect: dict[str, Any], points: list[int]) -> None:
    rooms = [{"room": "one", "round_limit": 1}, {"room": "two"}]
    arena = Arena(effects=[effect | {"side": "party"}], rooms=rooms)
    for room in ("one", "two"):
        assert arena.encounter.room == room
        assert [arena.reducer(name) for name in ("vitality", "resolve", "nerve")] == points
        arena.end_round()
        arena.settle()


def test_health_is_won_back_up_to_the_start() -> None:
    wound = {"code": "health", "side": "party", "value": -9}
    for value, left in ((8, 19), (12, 20)):
        draught = {"code": "health", "side": "party", "target": "targeted", "value": value}
        assert visitor_at_first(effects=[wound, draught]) == [left, 20, 20]


def test_an_injury_leaves_every_member_at_least_one_vitality() -> None:
    arena = Arena(**COMPANY, effects=[{"code": "injury", "side": "party", "value": 7}])
    assert member_vitality(arena) == [3, 1, 1, 1]


def test_guards_meet_an_opening_strike() -> None:
    assert visitor_at_first("ambusher", "tower_shield") == [16, 20, 20]
    assert visitor_at_first("ambusher", "padded_coat") == [16, 20, 20]
    assert visitor_at_first("ambusher", "boiled_gorget") == [16, 20, 20]


def test_targeted_effects_mean_the_scenarios_seat() -> None:
    for seat in (1, 3):
        arena = Arena(**COMPANY, modifiers=["targeted_weakness"], targeted_seat=seat)
        weak = [int(arena.member(k)["weakness"]) for k in range(4)]
        assert weak == [2 if k == seat - 1 else 0 for k in range(4)]
