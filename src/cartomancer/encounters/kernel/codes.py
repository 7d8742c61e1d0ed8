"""The encounter kernels' words: sides, resources, cards, keywords, conditions, modifiers, verbs, outcomes, refusals.

Every vocabulary is one enumeration: its members' names are the words of content, JSON and documentation, its values
the kernels' codes. Kernels read the codes as NumPy integers of the same names, not as Python ones: numba would compile
a function anew for every literal it is called with. A code never changes its meaning once released: saves and replays
depend on it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, TypeVar

import numpy as np


class Code(IntEnum):
    """A code with the word people use for it, and where it needs one, what it means."""

    meaning: str

    def __new__(cls, code: int, meaning: str = ""):
        member = int.__new__(cls, code)
        member._value_, member.meaning = code, meaning
        return member

    @property
    def word(self) -> str:
        """As content, JSON and documentation write it."""
        return self.name.lower()


Codes = TypeVar("Codes", bound=type[Code])


def constants(prefix: str = "") -> Callable[[Codes], Codes]:
    """Give the enumeration's module a NumPy integer for each member, as `enum.global_enum` does with the members."""

    def exported(kind: Codes) -> Codes:
        vars(sys.modules[kind.__module__]).update({prefix + member.name: np.int64(member) for member in kind})
        return kind

    return exported


if TYPE_CHECKING:

    def __getattr__(name: str) -> np.int64: ...


NOBODY = np.int64(-1)
NONE = np.int64(0)
ONE = np.int64(1)

# --- sides and their reducers -----------------------------------------------------------------------------------------
FIRST = np.int64(0)  # Structure, Vitality: the primary reducer, which takes reversal damage
SECOND = np.int64(1)  # Veil, Resolve
THIRD = np.int64(2)  # Presence, Nerve
CHOSEN = np.int64(3)  # the striker chooses the reducer
WEAKEST = np.int64(4)  # the reducer with the lowest share of its starting value
UNSET = np.int64(-1)
REDUCERS = 3
SEATS = 4
TYPES = 4


@constants()
class Side(Code):
    """Who plays."""

    DUNGEON = 0
    VISITOR = 1


class Resource(Code):
    """A reducer: its side and its place are in its code."""

    STRUCTURE = 0
    VEIL = 1
    PRESENCE = 2
    VITALITY = 3
    RESOLVE = 4
    NERVE = 5

    @property
    def side(self) -> Side:
        """Whose it is."""
        return Side(self // REDUCERS)

    @property
    def place(self) -> int:
        """Its place among its side's reducers, which is what kernels reckon with."""
        return self % REDUCERS


# --- cards ------------------------------------------------------------------------------------------------------------
class CardType(Code):
    """The attribute a card's contested roll asks for."""

    PHYSICAL = 0
    SOCIAL = 1
    MYSTICAL = 2
    ENVIRONMENTAL = 3


@constants()
class Category(Code):
    """What a card is."""

    STRIKE = 0
    OFFER = 1
    TEST = 2
    TRAP = 3
    RESHAPE = 4
    EMPOWER = 5
    DISRUPT = 6
    COUNTER = 7
    REACT = 8
    ENERGY = 9


@constants()
class Keyword(Code):
    """Keywords: bits of a mask."""

    ENTANGLE = 1
    ERODE = 2
    DRAIN = 4
    OVERWHELM = 8
    RESONATE = 16
    CLEAVE = 32
    FOCUSED = 64
    PIERCING = 128


OVERWHELM_TWICE = np.int64(256)  # Overwhelm granted to a Strike that has it already


@constants()
class EnergyKind(Code):
    """Kinds of Energy cards."""

    STANDARD = 0
    SURGE = 1
    ATTUNE = 2
    SIPHON = 3


@constants()
class CostType(Code):
    """What an Offer costs its acceptor [Bond 3.4]."""

    FLAT = 0
    BINDING = 1
    EXPOSURE = 2
    EXTRACTION = 3
    DEPENDENCY = 4


EXTRACT_ENERGY = np.int64(3)  # extraction effects 0 … 2 make the offerer's reducers larger
EXTRACT_INSIGHT = np.int64(4)


@constants("ON_")
class Occasion(Code):
    """What springs Traps."""

    STRIKE = 0
    OFFER_ACCEPTED = 1
    OFFER = 2
    TEST = 3
    EMPOWER = 4
    DISRUPT = 5
    COUNTER = 6
    RESHAPE = 7
    ENERGY = 8


@constants()
class Condition(Code):
    """What triggers, Siphons and conditional modifiers ask about."""

    ALWAYS = 0
    OPPONENT_ENTANGLED = 1
    OPPONENT_ERODED = 2
    OPPONENT_DISRUPTED = 3
    OPPONENT_EMPOWERED = 4
    OPPONENT_GUARDED = 5
    OPPONENT_EXPOSED = 6
    SELF_ENTANGLED = 7
    SELF_DISRUPTED = 8
    SELF_EMPOWERED = 9
    SELF_GUARDED = 10
    SELF_BETRAYED = 11
    SELF_BELOW = 12
    SELF_ABOVE = 13
    OPPONENT_BELOW = 14
    OPPONENT_ABOVE = 15
    DISCARD_AT_LEAST = 16
    HAND_AT_LEAST = 17
    HAND_AT_MOST = 18
    OPPONENT_HAND_AT_LEAST = 19
    OPPONENT_HAND_AT_MOST = 20
    TRUST_AT_LEAST = 21
    TRUST_AT_MOST = 22
    ROUND_AT_LEAST = 23
    TRAP_SET = 24
    MEMBER_DOWN = 25


@constants("BY_")
class Guard(Code):
    """What stands between damage and a reducer."""

    GUARD = 0
    ARMOUR = 1
    FORTIFY = 2
    WARD = 3


@constants("HANDICAP_")
class Handicap(Code):
    """What a Disrupt does to a Strike, besides thorns: bits of a mask."""

    DISADVANTAGE = 1
    STRIP = 2
    RANDOMISE = 4


class TrustTier(Code):
    """How far two sides trust each other [Bond 4.1]."""

    STRANGERS = 0
    FAMILIAR = 1
    ENTRUSTED = 2
    COVENANT = 3


@constants("SCOPE_")
class EscalationScope(Code):
    """Which reducers of a side escalation hurts [GDD 5.4], E15."""

    PRIMARY = 0
    WEAKEST = 1
    ALL = 2


# --- modifiers --------------------------------------------------------------------------------------------------------
MODS = 26  # standing ones, below: summed into state.mods each round and read by the rules


@constants("MOD_")
class Modifier(Code):
    """What an effect of content does; two shares go with the modifiers before them."""

    ARMOUR_PIERCE = 0
    BLOCK_PERCENT = 1
    GUARD = 2
    FIRST_HIT_GUARD = 3
    DAMAGE = 4
    EXECUTE_PERCENT = 5
    EXECUTE_BELOW = 6
    TEMPO = 7
    DRAW = 8
    HEALING_PERCENT = 9
    REGENERATION = 10
    POISON = 11
    POISON_GUARD = 12
    HEX = 13
    LOCKED_CARDS = 14
    COUNTER = 15
    SKILL_TAX = 16
    NO_RETREAT = 17
    NO_CONSUMABLES = 18
    REINFORCEMENTS = 19
    HAZARD = 20
    GRANT_KEYWORD = 21
    CONTEST = 22
    RESCUE = 23
    RESCUE_BELOW = 24
    SUPPLIES = 25
    # growing ones: they add to the standing code beside them
    DAMAGE_GROWTH = 32
    TEMPO_GROWTH = 33
    # opening ones: they act once, when a room begins
    ARMOUR = 40
    HEALTH = 41
    OPENING_STRIKE = 42
    ALERTNESS = 43
    STRESS = 44
    INJURY = 45
    WEAKNESS = 46
    THREAT = 47
    BOUNTY = 48
    SHED_DEBUFF = 49
    STRIP_WARD = 50
    HEX_GUARD = 51
    BANISH = 52
    BACKLINE_ADDS = 53
    PANIC_IMMUNITY = 54
    # the others are looked up where they matter
    REDUCER = 60
    SPLASH = 61


EVERY_SEAT = np.int64(-1)
RANDOM_SEAT = np.int64(-2)
EVERY_ROOM = np.int64(-1)


# --- verbs: an action is verb · 64 + argument -------------------------------------------------------------------------
VERB_SPAN = np.int64(64)


@constants()
class Verb(Code):
    """What can be done: how it is written, and what its argument is (nothing, a card in hand, a reducer, a member)."""

    argument: str

    def __new__(cls, code: int, word: str = "", argument: str = "", meaning: str = ""):
        member = int.__new__(cls, code)
        member._value_, member.meaning = code, meaning
        member._word, member.argument = word, argument
        return member

    @property
    def word(self) -> str:
        """As actions are written."""
        return self._word

    END_TURN = 0, "end", "", "ends one's turn"
    PLAY = 1, "play", "card", "plays a card of the hand; written with its category or with `play`"
    ACTIVATE = 2, "activate", "card", "discards an action card for 1 energy this turn"
    RESTRAIN = 3, "restrain", "card", "discards a Strike for trust"
    RETREAT = 4, "retreat", "", "leaves the dungeon: the run ends as fled, nobody's win"
    KEEP = 5, "keep", "", "keeps the opening hand"
    MULLIGAN = 6, "mulligan", "", "has the opening hand dealt again"
    HIT_RESOURCE = 7, "→", "reducer", "names the reducer the Strike hits"
    HIT_SEAT = 8, "→", "member", "names the member the Strike hits"
    ANSWER = 9, "react", "card", "answers the Strike with a React"
    TAKE_HIT = 10, "take", "", "takes the hit"
    ACCEPT = 11, "accept", "", "accepts the Offer or the Covenant"
    REFUSE = 12, "refuse", "", "refuses it"
    COOPERATE = 13, "cooperate", "", "cooperates in the Test"
    DEFECT = 14, "defect", "", "defects in the Test"


VERBS = len(Verb)


# --- what an encounter is waiting for ---------------------------------------------------------------------------------
@constants("AWAIT_")
class Awaiting(Code):
    """A decision: what is asked, and the verbs that answer it."""

    answers: tuple[Verb, ...]

    def __new__(cls, code: int, meaning: str = "", *answers: Verb):
        member = int.__new__(cls, code)
        member._value_, member.meaning, member.answers = code, meaning, answers
        return member

    OVER = 0, "do nothing"
    MULLIGAN = 1, "keep the hand or deal again", Verb.KEEP, Verb.MULLIGAN
    TURN = (
        *(2, "play or activate a card or end the turn"),
        *(Verb.END_TURN, Verb.PLAY, Verb.ACTIVATE, Verb.RESTRAIN, Verb.RETREAT),
    )
    RESOURCE = 3, "name the resource the Strike hits", Verb.HIT_RESOURCE
    MEMBER = 4, "name the member the Strike hits", Verb.HIT_SEAT
    REACT = 5, "react or take the hit", Verb.ANSWER, Verb.TAKE_HIT
    OFFER = 6, "accept or refuse the Offer", Verb.ACCEPT, Verb.REFUSE
    COVENANT = 7, "accept or refuse the Covenant", Verb.ACCEPT, Verb.REFUSE
    TEST = 8, "cooperate or defect", Verb.COOPERATE, Verb.DEFECT


OVER = np.int64(Awaiting.OVER)
# steps the encounter takes by itself: a rule names the next one instead of calling it, so that each rule's code exists
# once, compiles quickly, and threads of a GPU that are at the same step run it together
FIRST_STEP = np.int64(16)
STEP_ENTER_ROOM = np.int64(16)
STEP_ASK_MULLIGAN = np.int64(17)
STEP_BEGIN_ROUND = np.int64(18)
STEP_BEGIN_TURN = np.int64(19)
STEP_FINISH_ROUND = np.int64(20)
STEP_CLOSE_ROOM = np.int64(21)
STEP_AIM = np.int64(22)
STEP_ROLL = np.int64(23)
STEP_FINISH_STRIKE = np.int64(24)
STEP_ACCEPT = np.int64(25)
STEP_END_TURN = np.int64(26)


# --- why an action is refused -----------------------------------------------------------------------------------------
@constants("REFUSED_")
class Refusal(Code):
    """Why an action may not be taken now, in words; legal means NONE."""

    NONE = 0
    OVER = 1, "the run is over"
    NOT_ASKED = 2, "the {side} is asked to {question}"
    NO_ARGUMENT = 3, "'{verb}' stands alone: it takes no {argument}"
    NO_SUCH_CHOICE = 4, "there is no such choice"
    NOT_IN_HAND = 5, "that card is not in hand"
    LOCKED = 6, "{card} is locked this round"
    TOO_DEAR = 7, "{card} costs {cost} energy, {energy} left"
    ENERGY_NOT_ACTIVATED = 8, "Energy cards are played, not activated"
    NOT_A_STRIKE = 9, "Restraint discards a Strike"
    NO_RESTRAINT = 10, "Restraint needs some trust, no Offer or Test in hand, and no Strike or Restraint this turn"
    REACT_WAITS = 11, "a React answers a Strike that hits; it is not played in one's own turn"
    NOT_A_REACT = 12, "{card} is no React"
    LAST_POINT = 13, "{card} would cost the last of what it is paid with"
    TRAPS_FULL = 14, "{traps} Traps are laid already"
    NOTHING_TO_COUNTER = 15, "there is nothing to counter"
    NOBODY_TO_RESTORE = 16, "nobody can be restored"
    COVENANT_TOO_EARLY = 17, "a Covenant needs trust {covenant_trust}, trust is {trust}"
    DEBTS_FULL = 18, "the acceptor cannot take on more lasting debts"
    DUNGEON_STAYS = 19, "a dungeon cannot leave itself"
    NO_RETREAT_HERE = 20, "this scenario allows no retreat"
    RETREAT_TOO_EARLY = 21, "retreat is possible from round {retreat_from} on"
    ENTANGLED = 22, "the visitor is Entangled"
    RETREAT_FORBIDDEN = 23, "a modifier forbids retreat"
    FALLEN = 24, "whoever has fallen cannot walk away"
    NO_MULLIGAN = 25, "no mulligan is left"
    MEMBER_DOWN = 26, "that member does not stand"
    NO_SUCH_SEAT = 27, "there is no such seat"


# --- outcomes ---------------------------------------------------------------------------------------------------------
@constants()
class Outcome(Code):
    """Eight ways a room ends [GDD 3.4], and a visitor's retreat, which ends the run (E7)."""

    UNDECIDED = 0
    KILL = 1
    BREAK = 2
    PANIC = 3
    BOND = 4
    OVERCOME = 5
    INERT = 6
    DOMINATE = 7
    SURVIVE = 8
    FLED = 9

    @property
    def winner(self) -> str:
        """Whose win it is (E17)."""
        if self in (Outcome.BOND, Outcome.FLED):
            return "both" if self == Outcome.BOND else "nobody"
        return "dungeon" if Outcome.KILL <= self <= Outcome.PANIC else "visitor"

    @property
    def loser(self) -> int:
        """The code of the side that lost; nobody's after a Bond or a retreat."""
        return {"dungeon": Side.VISITOR, "visitor": Side.DUNGEON}.get(self.winner, int(NOBODY))

    @property
    def depleted(self) -> int:
        """The loser's reducer whose depletion it is; nobody's where nothing was depleted."""
        first = Outcome.KILL if self.winner == "dungeon" else Outcome.OVERCOME
        return self - first if first <= self < first + REDUCERS else int(NOBODY)


OUTCOMES = len(Outcome)
WINNERS = ("dungeon", "visitor", "both", "nobody")
WINNER_OF = np.array([WINNERS.index(outcome.winner) for outcome in Outcome], np.int64)
LOSER_OF = np.array([outcome.loser for outcome in Outcome], np.int64)
DEPLETED_OF = np.array([outcome.depleted for outcome in Outcome], np.int64)

# --- streams ----------------------------------------------------------------------------------------------------------
DICE = np.int64(0)
DECK = np.int64(1)  # the dungeon's; the visitor's is the next
CHANCE = np.int64(3)  # random targets, random members, locked cards
STREAMS = 4
