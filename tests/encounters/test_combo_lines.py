"""Combo lines: pairs of cards whose order matters, in every room, creature and class [GDD 4.4, 8.2].

Both orders are played from one position by the real rules with the shipped cards, over every tier of every contested
roll, weighted by its exact odds: nothing is sampled. The opponent does what the line says, accepts every Offer and
cooperates with every Test. When the last of it has come home a side's *advantage* is reckoned: what it took from the
opponent's reducers (harm), what its own have won or kept, and by how much its pool has grown.

A line must win at least half a point of what it is about, and must not pay for that with the rest. The second is the
sharper test: between equals a Strike comes back nearly as hard as it hits, so that 2 more power are 1.19 points of harm
but 0.19 of advantage.

Only the two cards change places. What is in `then` follows in both orders, so that an Empower which came too late is
not lost but helps the next Strike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.encounters import names
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.odds import MODES, contest_odds
from tests.encounters.arena import Arena

LEAST_GAIN = Fraction(1, 2)
POOL = 4
OTHER = {"dungeon": "visitor", "visitor": "dungeon"}
MODE_NAMES = {code: name for name, code in MODES.items()}


@dataclass(frozen=True)
class Line:
    """Two cards, and a position in which their order matters."""

    pair: str
    about: str  # what it wins: harm, kept, pool, or the total of them
    why: str
    home: str = ""  # a room, a creature or a class
    then: tuple[str, ...] = ()  # played after both
    # where: a room meets the boar, a creature or a party this room
    room: str = "lamp_orchard"  # presses neither vitality nor structure nor veil
    party: str = "standard_company"
    last: bool = False  # the opponent acts first in every round
    round: int = 2
    trust: int = 0
    points: dict[str, int] = field(default_factory=dict)  # reducers that differ from start − 4
    hurt: int = 1  # what every member of a party lacks
    target: str = ""  # what a Strike of one's choice hits
    # what the opponent does
    against: str = ""  # it plays this in each of its turns
    waits: bool = False  # so the second card is for the next turn
    holds: tuple[str, ...] = ()
    empowered: bool = False  # by 1, at the start

    def __str__(self) -> str:
        return f"{self.home}: {' -> '.join(self.cards)}"  # pytest writes an arrow as \u2192

    @property
    def cards(self) -> list[str]:
        return self.pair.split(" → ")

    @property
    def reckoning(self) -> int:
        """The round at whose start all has come home: what was laid last has been sprung, and Erode has gnawed."""
        return self.round + (3 if self.last else 2)


TABLE: dict[str, list[Line]] = {
    # rooms
    "root_hollow": [
        Line("entombing_grasp → crushing_grip", "harm", "what is Entangled is gripped 2 harder"),
        Line("entombing_grasp → throttled_spring", "pool", "the Siphon drinks from the Entangled"),
        Line(
            "deadfall → crushing_grip",
            "harm",
            "the sprung Trap holds the boar for the Grip",
            against="gore",
            waits=True,
        ),
        Line("root_snare → crushing_grip", "harm", "a Counter that takes something Entangles as well", empowered=True),
    ],
    "living_root_sanctuary": [
        Line("trust_trial → shared_warmth", "pool", "2 + 2 trust warm the Siphon", trust=2),
        Line("trust_trial → slow_regrowth", "kept", "4 + 2 trust are 2 healing more", trust=4),
        Line(
            "grieving_bough → reluctant_lash",
            "harm",
            "the Bough's own price makes the Lash desperate",
            points={"presence": 6, "resolve": 14},
        ),
        Line("trust_trial → grieving_bough", "harm", "the trust just won is there to be betrayed", trust=2),
    ],
    "whispering_gallery": [
        Line("murmured_doubt → chorus_of_second_thoughts", "harm", "the Eroded doubt louder"),
        Line(
            "perfect_acoustics → borrowed_voice",
            "total",
            "Empowered: 1 power more, and Drain",
            then=("murmured_doubt",),
        ),
        Line(
            "absorbing_silence → borrowed_voice",
            "total",
            "a stolen Empower counts as one's own",
            then=("murmured_doubt",),
            empowered=True,
        ),
        Line("echoing_confusion → eavesdropping_vent", "pool", "the Siphon listens to the Disrupted"),
    ],
    "veil_breach": [
        Line(
            "fear_resonance → nightmare_surge",
            "harm",
            "Overwhelm twice: what nerve cannot take counts double",
            points={"nerve": 2},
        ),
        Line("unstitched_shadow → veil_rend", "harm", "against the Disrupted it has 2 power more, and advantage"),
        Line("unstitched_shadow → shape_in_the_corner", "harm", "Mystical after Mystical resonates"),
        Line("nightmare_surge → fed_on_gasps", "pool", "the Siphon wants nerve below half", points={"nerve": 8}),
    ],
    "honeyed_hollow": [
        Line("barbed_spoon → sweet_supper", "harm", "the Trap lies under the Offer"),
        Line("drowsy_nectar → royal_jelly", "harm", "the Trap lies in the Offer"),
        Line("loosened_straps → sting_in_the_sweet", "harm", "Exposed: 2 power more, and advantage"),
        Line("loosened_straps → coats_by_the_door", "pool", "the Siphon goes through the coats"),
        Line(
            "royal_jelly → presented_bill", "harm", "a stronger Strike, a betrayal of 5, a broken dependency", trust=3
        ),
    ],
    "lamp_orchard": [
        Line(
            "shuttered_lantern → sudden_glare",
            "harm",
            "behind a Ward the Glare has 2 power more",
            then=("burning_windfall",),
            points={"nerve": 14},
        ),
        Line("borrowed_lantern → lent_glow", "pool", "the Siphon wants a Ward on the guest"),
        Line(
            "windfall_lamps → gathered_light",
            "kept",
            "the card given makes six in the guest's hand",
            holds=("steady_breath", "steady_breath", "gore", "red_haze", "mud_wallow"),
        ),
    ],
    "tidal_cradle": [
        Line(
            "drawn_back_sea → undertow",
            "total",
            "late, the wave has Resonate and advantage: power goes there",
            then=("kelp_swaddling",),
            round=5,
        ),
        Line("rocked_to_sleep → calm_harbour", "kept", "a guest at ease is 2 healing more"),
        Line(
            "rocked_to_sleep → undertow",
            "harm",
            "Environmental after Environmental resonates, and late the wave has advantage",
            round=5,
            points={"resolve": 14},
        ),
    ],
    "bell_foundry": [
        Line("ringing_ears → knell", "harm", "the Disrupted hear it 2 louder"),
        Line("ringing_ears → white_heat", "total", "over a Disrupt the Empower has advantage", then=("great_toll",)),
        Line(
            "hammer_fall → thrown_splinters", "harm", "the Hammer's own price makes splinters", points={"structure": 13}
        ),
        Line(
            "hammer_fall → slag_tithe",
            "pool",
            "the Siphon wants structure below three quarters",
            points={"structure": 13},
        ),
    ],
    "thousand_drawers": [
        Line("dusted_handle → picked_instrument", "total", "over a Trap the pick has advantage", target="resolve"),
        Line("labelled_needle → matched_set", "harm", "the Eroded are matched 2 harder", target="resolve"),
        Line(
            "ground_to_order → picked_instrument",
            "harm",
            "Physical on Physical: the granted Resonate sounds",
            then=("labelled_needle",),
            target="resolve",
        ),
        Line(
            "dusted_handle → sliding_panel",
            "kept",
            "over a Trap the panel stops 3 more",
            against="gore",
            points={"vitality": 10},
        ),
    ],
    # creatures
    "thornback_boar": [
        Line("headlong_ram → gore", "harm", "the Ram's own price brings the rage", points={"vitality": 15}),
        Line("headlong_ram → rising_rage", "pool", "the Siphon wants vitality below half", points={"vitality": 15}),
        Line(
            "headlong_ram → red_haze",
            "total",
            "below half the Empower is 2, with advantage",
            then=("rampaging_charge",),
            points={"vitality": 15},
        ),
        Line(
            "shake_it_off → territorial_bellow",
            "total",
            "below half presence it is bellowed down",
            points={"presence": 6},
        ),
    ],
    "drift_symbiote": [
        Line("symbiotic_probe → osmosis", "pool", "1 + 2 trust open the Siphon", trust=1),
        Line("mutual_nourishment → tightened_tether", "harm", "2 + 1 trust tighten it by 2", trust=2),
        Line("symbiotic_probe → tightened_tether", "harm", "1 + 2 trust tighten it by 2", trust=1),
        Line(
            "feeding_membrane → tightened_tether", "kept", "what is Drained comes back", trust=3, points={"vitality": 9}
        ),
    ],
    "veil_moth": [
        Line("confusing_dust → moonthread_sip", "total", "the Disrupted are sipped 1 deeper, with Drain"),
        Line("false_eyes → ceiling_roost", "kept", "over a Disrupt it rests 2 better", points={"vitality": 8}),
        Line("veil_siphon → fraying_light", "pool", "the Siphon wants veil below three quarters", points={"veil": 11}),
    ],
    "milestone_tortoise": [
        Line("draw_in → right_of_way", "harm", "Guarded: 2 power more"),
        Line("dig_in → right_of_way", "harm", "Guarded: 2 power more", then=("outstare",)),
        Line("polished_shell → outstare", "harm", "what is Disrupted blinks: advantage"),
        Line("draw_in → chew_it_over", "kept", "Guarded: 2 healing more", points={"nerve": 8}),
    ],
    "tinker_jackals": [
        Line("salted_bait → found_goods", "harm", "the Trap lies under the Offer", room="bell_foundry"),
        Line("found_goods → rush_the_gap", "harm", "Exposed: 3 power more, and advantage"),
        Line("salted_bait → sidling_bite", "total", "over a Trap: 1 power more, and Drain"),
        Line(
            "borrowed_rope → circle_and_snap",
            "harm",
            "the sprung Trap holds the dungeon for the snap",
            room="root_hollow",
            target="veil",
            against="crushing_grip",
            waits=True,
        ),
    ],
    # classes, mostly across members
    "knight": [
        Line("glaring_sigil → open_challenge", "harm", "the Battlemage blinds, the Knight calls it out"),
        Line(
            "vanguards_shout → sundering_blow",
            "total",
            "the Knight's advantage is for the biggest Strike",
            then=("open_challenge",),
        ),
    ],
    "battlemage": [
        Line("unseen_cut → unweaving_lance", "harm", "what the Rogue's Cut unsettles the Lance hits 2 harder"),
        Line("unseen_cut → closed_circuit", "pool", "what the Rogue's Cut unsettles closes the Siphon's circuit"),
    ],
    "cleric": [
        Line("loaded_dice → parley", "harm", "the Rogue's Trap lies under the Cleric's Offer"),
        Line(
            "parley → moss_poultice",
            "kept",
            "2 + 1 trust: the Druid's Poultice heals 2 more",
            party="arcane_expedition",
            trust=2,
            hurt=4,
        ),
        Line(
            "hungry_sigil → long_vigil",
            "pool",
            "what the Warlock pays is what the Vigil waits for",
            party="arcane_expedition",
            points={"resolve": 7},
        ),
    ],
    "rogue": [
        Line("wire_snare → patient_eye", "pool", "the Ranger's Trap is watched as well", party="long_hunt"),
    ],
    "bard": [
        Line("open_ledger → scathing_couplet", "total", "Exposed by the Warlock: advantage", party="patient_creditors"),
        Line(
            "commissioned_ballad → scathing_couplet",
            "harm",
            "Exposed to Social Strikes by 2, and advantage",
            party="two_gates",
        ),
        Line(
            "vanguards_shout → second_verse",
            "pool",
            "the Knight's Empower is what the Siphon sings to",
            party="two_gates",
        ),
        Line(
            "sour_note → open_challenge",
            "harm",
            "the Bard puts it off its stroke, the Knight calls it out",
            party="two_gates",
        ),
    ],
    "druid": [
        Line(
            "grasping_bramble → called_quarry",
            "total",
            "Entangled by the Druid: 1 power more, and advantage",
            then=("long_shot",),
            party="long_hunt",
        ),
        Line(
            "wire_snare → drinking_vine",
            "pool",
            "the Siphon drinks from what the Ranger's Trap holds",
            room="root_hollow",
            party="long_hunt",
            against="crushing_grip",
            waits=True,
        ),
    ],
    "ranger": [
        Line(
            "frayed_seam → last_good_arrow",
            "total",
            "Eroded by the Rogue: advantage",
            room="whispering_gallery",
            party="long_hunt",
        ),
        Line(
            "frayed_seam → fresh_tracks",
            "pool",
            "the Siphon reads what the Rogue has Eroded",
            room="whispering_gallery",
            party="long_hunt",
        ),
    ],
    "warlock": [
        Line(
            "loaded_dice → open_ledger",
            "harm",
            "the Rogue's Trap lies under the Warlock's Offer",
            party="patient_creditors",
        ),
        Line(
            "hungry_sigil → collateral",
            "pool",
            "the Siphon wants resolve below three quarters",
            party="patient_creditors",
            points={"resolve": 10},
        ),
    ],
}
LINES = [replace(line, home=home) for home, lines in TABLE.items() for line in lines]


# --- playing a line ---------------------------------------------------------------------------------------------------


def position(line: Line) -> tuple[Arena, str]:
    """The board before the first card, and the side that is to play."""
    codex = load_codex()
    if line.home in codex.rooms:
        side, arena = "dungeon", Arena.shipped(line.home, creature="thornback_boar")
    elif line.home in codex.creatures:
        side, arena = "visitor", Arena.shipped(line.room, creature=line.home)
    else:
        side, arena = "visitor", Arena.shipped(line.room, party=line.party)
    make_equals(arena)
    for name in names.SIDES:
        arena.side(name)["initiative"] = 12 if (name == side) != line.last else 2
    arena.end_round()
    arena.turn(side, hand=[*line.cards, *line.then], other_hand=list(line.holds))
    arena.state["round_no"] = line.round
    for name in names.SIDES:
        record = arena.side(name)
        record["pool"] = POOL
        record["reducers"][:] = record["starts"] - 4
    members = len(arena.encounter.packed.members)
    if members > 1:
        arena.members(*(int(arena.member(seat)["start"]) - line.hurt for seat in range(members)))
    else:
        arena.set(vitality=arena.reducer("vitality"))
    arena.set(**line.points, trust=line.trust)
    if line.empowered:
        other = arena.side(OTHER[side])
        other["empowered"] = other["empower_power"] = 1
    return arena, side


def next_action(arena: Arena, line: Line, side: str, left: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """What is done next, and which of the line's cards are left after it."""
    decision = arena.encounter.decision
    assert decision is not None
    answers = {"offer": "accept", "test": "cooperate", "resource": f"→ {line.target}", "react": "take"}
    mine, later = decision.side == side, arena.encounter.round > line.round
    react, ready = left[:1], left[1:]
    if not left or arena.codex.cards[left[0]].category != "react":
        react, ready = (), left
    if decision.kind == "react" and mine and react:
        return f"react {react[0]}", ready
    if decision.kind == "turn" and mine:
        too_early = not later and (react or (line.waits and len(ready) == 1))
        return ("end", left) if too_early or not ready else (f"play {ready[0]}", react + ready[1:])
    if decision.kind == "turn":
        holds = line.against and f"activate {line.against}" in arena.legal()
        return (f"play {line.against}" if holds else "end"), left
    return answers.get(decision.kind, arena.legal()[0]), left


@cache
def dice(tier: str, mode: str) -> Any:
    """Dice that fall so: where their stream starts."""
    arena = Arena()
    arena.dice(tier if mode == "plain" else f"{tier}/{mode}")
    return arena.state["streams"][codes.DICE]


def make_equals(arena: Arena) -> None:
    """Nobody brings more to a contested roll than dice, as the odds here assume: a line is not a matter of strength."""
    tables = arena.encounter.packed.tables
    tables["dungeon"]["rooms"]["attributes"] = 0
    tables["visitor"]["member_attributes"] = 0


def are_equals(arena: Arena) -> bool:
    """Whether that is still so: nobody is scorned, no modifier helps."""
    sides = arena.state["sides"]
    return not sides["scorned"].any() and not sides["mods"][:, codes.MOD_CONTEST].any()


def outcomes(arena: Arena, action: str) -> Iterator[tuple[Fraction, Arena]]:
    """Every board an action may lead to, and how likely: one, or one for each tier of its contested roll."""
    probe = arena.twin()
    rolls = [found.kind for found in probe.act(action) if found.kind in {"strike_rolled", "reacted"}]
    if not rolls:
        yield Fraction(1), probe
        return
    assert len(rolls) == 1
    assert are_equals(arena)
    mode = MODE_NAMES[int(probe.state["flight"]["mode"])] if rolls == ["strike_rolled"] else "plain"
    for tier, share in contest_odds(attacker=mode).tiers.items():
        branch = arena.twin()
        branch.state["streams"][codes.DICE] = dice(tier, mode)
        branch.act(action)
        yield share, branch


def ends(arena: Arena, line: Line, side: str, left: tuple[str, ...]) -> Iterator[tuple[Fraction, Arena]]:
    """Every board the reckoning may find, and how likely it is."""
    if arena.encounter.decision is None or arena.encounter.round == line.reckoning:
        assert all(arena.codex.cards[name].category == "react" for name in left), f"{left} could not be played"
        yield Fraction(1), arena
        return
    action, rest = next_action(arena, line, side, left)
    for share, after in outcomes(arena, action):
        decision = after.encounter.decision
        if action == "end" and decision is not None:
            after.side(decision.side)["energy"] = 9
            if line.against and decision.side != side:
                after.hold(decision.side, [line.against])
        for more, last in ends(after, line, side, rest):
            yield share * more, last


def advantage(line: Line, cards: list[str]) -> Counter[str]:
    """The mean of what playing these cards in this order wins."""
    start, side = position(line)
    won: Counter[str] = Counter()
    for share, end in ends(start, line, side, (*cards, *line.then)):
        lost = {name: start.side(name)["reducers"].sum() - end.side(name)["reducers"].sum() for name in names.SIDES}
        found = {"harm": lost[OTHER[side]], "kept": -lost[side], "pool": end.side(side)["pool"] - POOL}
        for what, points in (found | {"total": sum(found.values())}).items():
            won[what] += share * int(points)
        won["likely"] += share
    assert won.pop("likely") == 1
    return won


@pytest.mark.parametrize("line", LINES, ids=str)
def test_the_order_of_a_combo_line_matters(line: Line) -> None:
    ordered, reverse = advantage(line, line.cards), advantage(line, line.cards[::-1])
    assert ordered[line.about] - reverse[line.about] >= LEAST_GAIN, line.why
    assert ordered["total"] > reverse["total"], line.why


def test_every_room_creature_and_class_has_its_lines() -> None:
    codex = load_codex()
    owners = {card: kit.id for kit in codex.classes.values() for card in kit.cards}
    lines = Counter(line.home for line in LINES)
    for home in (*codex.rooms, *codex.creatures):
        assert lines[home] >= 2, home
    members = [{owners[card] for card in line.cards} for line in LINES if line.home in codex.classes]
    for home in codex.classes:
        assert any(home in pair and len(pair) == 2 for pair in members), home
