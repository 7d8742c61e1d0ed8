"""Why something changed: every change of a reducer, of trust, of energy and of piles names its cause.

A cause travels as one integer that packs its code, its source (a card's number, a modifier's row, a room's place in
the scenario) and, where the source is a card the opponent has not seen, whose card that is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cartomancer.encounters.kernel.codes import NOBODY, Code, constants
from cartomancer.jit import kernel, whole

if TYPE_CHECKING:

    def __getattr__(name: str) -> np.int64: ...


@constants()
class Cause(Code):
    """A cause: what its source is (a card, a modifier, a room, or nothing), and what it means."""

    source: str

    def __new__(cls, code: int, source: str = "", meaning: str = ""):
        member = int.__new__(cls, code)
        member._value_, member.source, member.meaning = code, source, meaning
        return member

    NOTHING = 0, "", "nothing but the course of the game"
    # cards and what they do
    PLAY = 1, "card", "a card is played and paid for"
    ACTIVATION = 2, "card", "an action card is discarded for energy"
    STRIKE = 3, "card", "a Strike: its damage, what it does to trust"
    CLEAVE = 4, "card", "a Strike's damage, shared among all standing members"
    REVERSAL = 5, "card", "a Strike's damage thrown back by the contested roll"
    DRAIN = 6, "card", "Drain: damage dealt heals the striker"
    OVERWHELM = 7, "card", "Overwhelm: damage beyond a depleted reducer spills over"
    RALLY = 8, "card", "a clean hit gives heart"
    SELF_COST = 9, "card", "what a Strike costs its own side"
    TRAP = 10, "card", "a Trap springs"
    REACT = 11, "card", "a React is played"
    REFLECT = 12, "card", "a React throws back what it prevented"
    COUNTER = 13, "card", "a Counter is played"
    EMPOWER = 14, "card", "an Empower is played"
    DISRUPT = 15, "card", "a Disrupt is played"
    RESHAPE = 16, "card", "a Reshape is played"
    RESTORATION = 17, "card", "a Reshape brings a fallen member back"
    ENERGY = 18, "card", "an Energy card is played"
    ERODE = 19, "", "Erode and venom laid before take their points"
    THORNS = 20, "", "a Disrupt's thorns meet a Strike"
    # trust and its bargains
    OFFER = 21, "card", "an Offer is accepted: its benefit, its trust"
    FLAT_COST = 22, "card", "an Offer's cost: points at once"
    BINDING_COST = 23, "card", "an Offer's cost: points each round for some rounds"
    EXPOSURE_COST = 24, "card", "an Offer's cost: the next Strike of a type hits harder"
    EXTRACTION_COST = 25, "card", "an Offer's cost: the offerer gains for good"
    DEPENDENCY_COST = 26, "card", "an Offer's cost: points at stake should trust fall"
    REFUSAL = 27, "card", "an Offer is refused: good will was shown"
    COVENANT = 28, "card", "a Covenant is refused, or weakens who proposed it"
    TEST = 29, "card", "a Test ends in cooperation: trust for both, exposure for its giver"
    DEFECTION = 30, "card", "a Test ends in defection"
    RESTRAINT = 31, "card", "a Strike is held back"
    BETRAYAL = 32, "card", "a dungeon's Strike turns trust into damage"
    SCORN = 33, "card", "a visitor's Strike throws trust away"
    BOND = 34, "", "a room ended in a Bond and the visitor recovers"
    # rooms, rounds and members
    ROOM = 35, "room", "the room's auto-effects"
    ESCALATION = 36, "", "the fight has lasted too long"
    CASCADE = 37, "", "morale falls with a member"
    KNOCK_OUT = 38, "", "a knocked-out member's cards leave the piles"
    DEAL = 39, "", "an opening hand is dealt"
    MULLIGAN = 40, "", "an opening hand is dealt again"
    ROUND = 41, "", "a round's end: cards are drawn, energy returns"
    TURN = 42, "", "a turn's end: temporary energy is gone"
    PASSAGE = 43, "", "the way from one room to the next"
    # modifiers
    MODIFIER = 44, "modifier", "a modifier acts: health, injury, stress, a larger reducer, tempo"
    HAZARD = 45, "modifier", "the ground does harm"
    REGENERATION = 46, "modifier", "what is hurt grows back"
    REINFORCEMENTS = 47, "modifier", "reinforcements bite"
    OPENING_STRIKE = 48, "modifier", "a free strike when the room begins"
    COUNTERSTRIKE = 49, "modifier", "the struck side strikes back"
    SPLASH = 50, "modifier", "a hit harms another reducer as well"
    POISON = 51, "modifier", "a venomous hit"
    RESCUE = 52, "modifier", "a member is rescued from a wound"
    COMPOSURE = 53, "modifier", "a Panic is mastered"


CAUSES = len(Cause)
_SOURCE = np.int64(256)
_SECRET = np.int64(256 * 4096)
NO_CAUSE = np.int64(0)


@kernel
def because(cause, source):
    """A cause with its source."""
    return cause + (source + 1) * _SOURCE


@kernel
def secretly(cause, p):
    """The same cause, of a card that only its side p knows so far."""
    return cause + (p + 1) * _SECRET


@kernel
def code_of(cause):
    """The cause without its source."""
    return whole(cause) % _SOURCE


@kernel
def source_of(cause):
    """The card, modifier or room behind a cause, or nobody."""
    return whole(cause) % _SECRET // _SOURCE - 1


@kernel
def secret_of(cause):
    """The side that alone knows the source's card, or nobody."""
    return whole(cause) // _SECRET - 1


@kernel
def by_modifier(tables, log, cause, p, code):
    """A cause with side p's first modifier of a code behind it; nobody looks for it when nobody listens."""
    if log is None:
        return cause
    for k in range(tables.modifier_count):
        if tables.modifiers[k].code == code and tables.modifiers[k].side == p:
            return because(cause, whole(k))
    return because(cause, NOBODY)
