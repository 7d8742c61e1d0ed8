"""What happened, for whoever listens: events are rows of numbers in a buffer; without a buffer nothing is written.

Kernels are compiled once with a buffer and once without: batches pay nothing for a story nobody reads.

Row 0 of the buffer counts the rows behind it; each row is (event, side, three values, cause, source, secret). What the
values mean stands in the table of `cartomancer.encounters.events`, one row an event. Nobody is told what has no name
there: the last value of DREW and HAND_DEALT that is used says how many of the cards are Strikes, for who counts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cartomancer.encounters.kernel.causes import code_of, secret_of, source_of
from cartomancer.encounters.kernel.codes import Code, constants
from cartomancer.jit import kernel

if TYPE_CHECKING:

    def __getattr__(name: str) -> np.int64: ...


EVENT_FIELDS = 8
MOST_EVENTS = 512  # between two decisions


@constants()
class Happening(Code):
    """Everything that can happen."""

    ROOM_ENTERED = 1
    HAND_DEALT = 2
    INITIATIVE = 3
    ROUND_BEGAN = 4
    AUTO_EFFECT = 5
    BOUND = 6
    ERODED = 7
    ESCALATED = 8
    TURN_BEGAN = 9
    TURN_ENDED = 10
    CARD_PLAYED = 11
    CARD_ACTIVATED = 12
    TRAP_LAID = 13
    ENERGY_CHANGED = 14
    DREW = 15
    STRIKE_ROLLED = 16
    HURT = 17
    HEALED = 18
    GUARDED = 19
    REACTED = 20
    REFLECTED = 21
    ENTANGLED = 22
    ERODE_LAID = 23
    ERODE_SUPPRESSED = 24
    SPILLED = 25
    RALLIED = 26
    EMPOWERED = 27
    DISRUPTED = 28
    BUFF_REMOVED = 29
    THORNS = 30
    TARGET_SCRAMBLED = 31
    STRIPPED = 32
    WARD_GAINED = 33
    FORTIFY_GAINED = 34
    ARMOUR_CHANGED = 35
    TRAP_SPRUNG = 36
    TRAP_DISARMED = 37
    CALMED = 38
    CLEANSED = 39
    RESTORED = 40
    KNOCKED_OUT = 41
    MORALE_CASCADE = 42
    OFFERED = 43
    OFFER_ACCEPTED = 44
    OFFER_REFUSED = 45
    COVENANT_REFUSED = 46
    TRUST_CHANGED = 47
    EXPOSED = 48
    BINDING_LAID = 49
    DEPENDENCY_LAID = 50
    DEPENDENCY_BROKE = 51
    EXTRACTED = 52
    TEST_PUT = 53
    COOPERATED = 54
    DEFECTED = 55
    BETRAYED = 56
    SCORNED = 57
    RESTRAINED = 58
    RETREATED = 59
    ROOM_ENDED = 60
    BOND_EFFECTS = 61
    RUN_ENDED = 62
    MEMBER_RETURNED = 63
    STRUCK_BACK = 64
    REINFORCED = 65
    HAZARD = 66
    LOCKED = 67
    SHED = 68
    RESCUED = 69
    PANIC_SHRUGGED = 70
    OPENING_STRIKE = 71
    SELF_COST = 72
    DISCARDED = 73
    REGENERATED = 74
    SPLASHED = 75
    WEAKENED = 76
    BURDENED = 77
    DRIVEN_OFF = 78
    ADDS_BITE = 79
    RESIZED = 80
    SHUFFLED = 81
    ROUND_ENDED = 82
    KEYWORD_FIRED = 83
    TRIGGERED = 84
    RESTORATION_BEGUN = 85
    RESTORATION_STOPPED = 86
    REVEALED = 87
    CARD_LOST = 88


EVENTS = int(max(Happening)) + 1
# how an event changes the reducer in its first value by the points in its second; all others change none
CHANGE_OF = np.zeros(EVENTS, np.int64)
CHANGE_OF[Happening.HURT] = -1
CHANGE_OF[[Happening.HEALED, Happening.RESTORED, Happening.MEMBER_RETURNED, Happening.RESCUED]] = 1
CHANGE_OF[[Happening.PANIC_SHRUGGED, Happening.RESIZED]] = 1


def new_log(rows: int = MOST_EVENTS) -> np.ndarray:
    """A buffer for `rows` events."""
    return np.zeros((rows + 1, EVENT_FIELDS), np.int32)


@kernel
def note(log, event, p, a, b, c, cause):
    """Write one event, if anybody listens (a log of None is nobody) and there is room."""
    if log is None:
        return
    row = log[0, 0] + 1
    if row < log.shape[0]:
        log[0, 0] = row
        log[row, 0] = event
        log[row, 1] = p
        log[row, 2] = a
        log[row, 3] = b
        log[row, 4] = c
        log[row, 5] = code_of(cause)
        log[row, 6] = source_of(cause)
        log[row, 7] = secret_of(cause)
