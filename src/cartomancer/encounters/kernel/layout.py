"""The records the encounter kernels work on: one state that is the whole fight, one table that is the whole scenario.

A card in play is an *instance*: its place in its side's deck list. Piles hold instances; `card_of` finds the card, and
`number_of` its number in the scenario, which events name. All numbers are signed: unsigned met with signed turns into a
float in compiled code.
"""

from __future__ import annotations

import numpy as np

from cartomancer.encounters.kernel.codes import MODS, OUTCOMES, REDUCERS, SEATS, STREAMS, TYPES, VISITOR
from cartomancer.jit import kernel, whole

MOST_INSTANCES = 48  # a party's deck [GDD 16.5]
MOST_SIDE_CARDS = 80  # different cards of a side
MOST_CARDS = MOST_SIDE_CARDS + MOST_INSTANCES  # different cards in a scenario
MOST_HAND = 12
MOST_ROOMS = 4
TRAP_SLOTS = 4
DEBT_SLOTS = 4  # bindings, dependencies
MOST_MODIFIERS = 32
MOST_AUTO_EFFECTS = 6
MOST_TIERS = 8
MOST_OPTIONS = 40

NUMBER = np.int16


def without_gaps(fields):
    """An aligned record whose tail is filled up by a spare field: equal fields are equal bytes, and a copy is exact."""
    bare = np.dtype(fields, align=True)
    used = max(offset + field.itemsize for field, offset in bare.fields.values())
    spare = (bare.itemsize - used) // np.dtype(NUMBER).itemsize
    found = np.dtype([*fields, ("spare", NUMBER, spare)], align=True) if spare else bare
    assert found.itemsize == sum(field.itemsize for field, _ in found.fields.values())
    return found


CARD = np.dtype(
    [
        (name, NUMBER)
        for name in (
            *("category", "card_type", "cost", "exhaust", "power", "target", "keywords"),
            *("erode_at", "drain_to", "spill_to", "self_cost", "self_cost_at"),
            # trigger, or a Siphon's condition
            *("when", "when_at", "when_value", "bonus", "bonus_keywords", "bonus_advantage"),
            # modifier and response cards
            *("advantage", "disadvantage", "thorns", "thorns_at", "strip", "randomise"),
            *("chip", "chip_at", "punish", "steal", "disarm", "reflect"),
            # effects on one's own side
            *(
                "heal",
                "heal_at",
                "fortify",
                "fortify_at",
                "fortify_rounds",
                "ward",
                "restore",
                "calm",
                "cleanse",
                "draws",
            ),
            # traps
            *("springs", "energy_loss"),
            # what is hidden from the player
            *("reveal", "peek", "discard"),
            # offers and tests
            *("gives_full", "price_kind", "price", "price_at", "price_rounds", "price_type", "price_effect"),
            *("trust", "covenant", "weakens", "weakens_at", "exposure", "exposure_at"),
            # energy
            *("energy_kind", "amount", "for_type"),
            # of a member that has fallen out with another: dearer in the opening turn; whose Empowers it may not use
            *("quarrel", "at_odds"),
        )
    ],
    align=True,
)

AUTO_EFFECT = np.dtype([("side", NUMBER), ("resource", NUMBER), ("change", NUMBER), ("every", NUMBER)], align=True)

ROOM = np.dtype(
    [
        ("deck_size", NUMBER),
        ("round_limit", NUMBER),
        ("auto_count", NUMBER),
        ("deck", NUMBER, MOST_INSTANCES),
        ("attributes", NUMBER, TYPES),  # the dungeon's bonuses to contested rolls here
        ("onward", NUMBER, OUTCOMES),  # the next room by outcome; -1 ends the run
        ("auto", AUTO_EFFECT, MOST_AUTO_EFFECTS),
    ],
    align=True,
)

MODIFIER = np.dtype(
    [
        (name, NUMBER)
        for name in (
            *("code", "side", "value", "seat", "room", "consumable"),
            *("turns", "from_turn", "every", "below", "resource", "card_type"),
            *("when", "when_at", "when_value"),
        )
    ],
    align=True,
)

RULES = np.dtype(
    [
        (name, NUMBER)
        for name in (
            *("opening_hand", "opening_energy", "opening_actions", "mulligans", "draw", "least_hand", "hand_cap"),
            *("energy_pool", "energy_cap", "trap_slots"),
            *("reversal_base", "rally", "drain_cap", "resonate", "erode", "cleave_percent", "ward_rounds"),
            *("escalation_from", "escalation_every", "escalation_scope", "source_percent", "retreat_from"),
            *(
                "trust_cap_per_round",
                "refused_offer_halves",
                "binding_percent",
                "cooperation_trust",
                "defection_power",
                "restraint_trust",
            ),
            *("betrayal_min_trust", "strike_decay", "strike_decay_deep"),
            *("betrayed_rounds", "betrayed_power", "scorned_rounds", "scorned_bonus"),
            *("room_trust_decay", "room_trust_floor", "room_trust_floor_from"),
            *("kill_at", "room_restore_percent", "counter_damage", "add_damage", "most_adds", "threat_power"),
        )
    ]
    + [
        ("trust_tiers", NUMBER, 3),
        ("bond_recovery_percent", NUMBER, 2),
        ("bond_insight", NUMBER, 2),
        ("cascade", NUMBER, 2),
        ("tier_count", NUMBER),
        ("tier_margin", NUMBER, MOST_TIERS),
        ("tier_attacker", NUMBER, MOST_TIERS),
        ("tier_defender", NUMBER, MOST_TIERS),
    ],
    align=True,
)

DUNGEON_TABLE = np.dtype(  # what a dungeon brings to any visitor
    [
        ("card_count", NUMBER),
        ("start", NUMBER, REDUCERS),
        ("rooms", ROOM, MOST_ROOMS),
        ("cards", CARD, MOST_SIDE_CARDS),
    ],
    align=True,
)

VISITOR_TABLE = np.dtype(  # what a visitor brings into any dungeon
    [
        ("member_count", NUMBER),
        ("kill_at", NUMBER),
        ("start_trust", NUMBER),
        ("start", NUMBER, REDUCERS),
        ("member_start", NUMBER, SEATS),
        # how it arrives: fresh, or worn by the fights before this one, with its deck as it lies
        ("worn", NUMBER),
        ("now", NUMBER, REDUCERS),
        ("member_now", NUMBER, SEATS),
        ("held", np.int64),
        ("discarded", np.int64),
        ("gone", np.int64),
        ("member_attributes", NUMBER, (SEATS, TYPES)),
        ("deck_size", NUMBER),
        ("deck", NUMBER, MOST_INSTANCES),  # places among its own cards
        ("owner", NUMBER, MOST_INSTANCES),
        ("cards", CARD, MOST_SIDE_CARDS),
    ],
    align=True,
)

TABLES = np.dtype(
    [
        ("rules", RULES),
        ("retreat", NUMBER),
        ("modifier_count", NUMBER),
        ("modifiers", MODIFIER, MOST_MODIFIERS),
        ("dungeon", DUNGEON_TABLE),
        ("visitor", VISITOR_TABLE),
    ],
    align=True,
)

SIDE = without_gaps(
    [
        ("gone", np.int64),  # instances out of the run: exhausted
        ("known", np.int64),  # instances the opponent has seen since they were last shuffled away
        ("locked", np.int64),  # instances that cannot be played this round
        ("hand", np.int8, MOST_HAND),
        ("draw", np.int8, MOST_INSTANCES),
        ("discard", np.int8, MOST_INSTANCES),
        ("traps", np.int8, TRAP_SLOTS),
        ("reducers", NUMBER, REDUCERS),
        ("starts", NUMBER, REDUCERS),
        ("given_up", NUMBER, REDUCERS),  # start values lost (or won, if negative) for the rest of the run
        ("erode", NUMBER, REDUCERS),
        ("venom", NUMBER, REDUCERS),
        ("pressed", NUMBER, REDUCERS),  # whether the room has taken of it this round
        ("fortify", NUMBER, REDUCERS),
        ("fortify_rounds", NUMBER, REDUCERS),
        ("thorns", NUMBER, REDUCERS),
        ("attuned", NUMBER, TYPES),
        ("typed_energy", NUMBER, TYPES),
        ("exposure", NUMBER, TYPES),
        ("binding_at", NUMBER, DEBT_SLOTS),
        ("binding", NUMBER, DEBT_SLOTS),
        ("binding_rounds", NUMBER, DEBT_SLOTS),
        ("dependency_at", NUMBER, DEBT_SLOTS),
        ("dependency", NUMBER, DEBT_SLOTS),
        ("dependency_trust", NUMBER, DEBT_SLOTS),
        ("mods", NUMBER, MODS),
    ]
    + [
        (name, NUMBER)
        for name in (
            *("hand_size", "draw_size", "discard_size", "trap_count", "mulligans"),
            *("pool", "energy", "temporary", "energy_next"),
            *("entangled", "held", "ward", "ward_rounds", "armour", "calm"),
            # what helps and hinders the next Strike
            *("empowered", "empower_power", "empower_advantage", "empower_keywords"),
            *("disadvantage", "strip", "randomise"),
            *("last_type", "strikes", "struck", "restrained", "trust_gained"),
            *("betrayed", "refuses", "scorned"),
            *("initiative", "hits_taken", "attacks_met", "skills_played"),
            *("shed", "hex_guard", "banish", "adds", "back_adds", "panic_immunity"),
        )
    ]
)

MEMBER = np.dtype(
    [(name, NUMBER) for name in ("vitality", "start", "down", "rising", "pierced", "threat", "weakness", "bounty")],
    align=True,
)

FLIGHT = np.dtype(  # the card that waits for an answer
    [
        (name, NUMBER)
        for name in (
            *("striker", "instance", "card", "power", "mode", "keywords", "target", "random_target", "seat"),
            *("exposed", "tier", "damage", "back"),
        )
    ],
    align=True,
)

STATE = without_gaps(
    [
        ("streams", np.uint64, STREAMS),
        ("applied", np.int64),  # conditional modifiers in force
        ("rescued", np.int64),  # seats that were rescued in this room
        ("sides", SIDE, 2),
        ("members", MEMBER, SEATS),
        ("flight", FLIGHT),
        ("room_path", NUMBER, MOST_ROOMS),
        ("room_outcomes", NUMBER, MOST_ROOMS),
        ("room_rounds", NUMBER, MOST_ROOMS),
    ]
    + [
        (name, NUMBER)
        for name in (
            *("awaiting", "actor", "first", "turn", "round_no", "room", "next_room", "result", "rooms_entered"),
            *("trust", "insight", "downs", "knockouts", "first_down"),
            *("outcome", "decisions", "rounds", "lead", "lead_changes"),
            *("betrayals", "scorns", "trust_peak", "trust_risen"),
        )
    ]
)


@kernel
def number_of(tables, state, p, instance):
    """The number in the scenario of the card an instance of side p is: the dungeon's cards come first."""
    if p == VISITOR:
        return whole(tables.dungeon.card_count) + whole(tables.visitor.deck[instance])
    return whole(tables.dungeon.rooms[state.room].deck[instance])


@kernel
def numbered_card(tables, number):
    """The card of a number."""
    place = number - whole(tables.dungeon.card_count)
    cards = tables.visitor.cards if place >= 0 else tables.dungeon.cards
    return cards[place if place >= 0 else number]


@kernel
def card_of(tables, state, p, instance):
    """The card an instance of side p is.

    It chooses between arrays of one type, not between ways: on a GPU two ways cost long runs a sixth of their rate.
    """
    cards = tables.visitor.cards if p == VISITOR else tables.dungeon.cards
    deck = tables.visitor.deck if p == VISITOR else tables.dungeon.rooms[state.room].deck
    return cards[deck[instance]]
