"""What happened, for whoever listens: events are rows of numbers in a buffer; without a buffer nothing is written.

Kernels are compiled once with a buffer and once without: batches pay nothing for a story nobody reads.

Row 0 of the buffer counts the rows behind it; each row is (event, side, a, b, c). What a, b and c mean stands beside
each event; `narration` turns them into sentences.
"""

from __future__ import annotations

import numpy as np

from cartomancer.jit import kernel

EVENT_FIELDS = 5
MOST_EVENTS = 512  # between two decisions

ROOM_ENTERED = np.int64(1)  # room
HAND_DEALT = np.int64(2)  # cards, mulligans used
INITIATIVE = np.int64(3)  # the dungeon's, the visitor's
ROUND_BEGAN = np.int64(4)  # round
AUTO_EFFECT = np.int64(5)  # reducer, change, seat
BOUND = np.int64(6)  # reducer, points lost to a binding
ERODED = np.int64(7)  # reducer, points
ESCALATED = np.int64(8)  # points
TURN_BEGAN = np.int64(9)  # energy, hand size
TURN_ENDED = np.int64(10)
CARD_PLAYED = np.int64(11)  # card, energy paid
CARD_ACTIVATED = np.int64(12)  # card
TRAP_LAID = np.int64(13)
ENERGY_GAINED = np.int64(14)  # pool, temporary
DREW = np.int64(15)  # cards
STRIKE_ROLLED = np.int64(16)  # attacker's total, defender's total, tier
HURT = np.int64(17)  # reducer, points, seat
HEALED = np.int64(18)  # reducer, points, seat
GUARDED = np.int64(19)  # reducer, points prevented, by what
REACTED = np.int64(20)  # card, points prevented, tier
REFLECTED = np.int64(21)  # points
ENTANGLED = np.int64(22)
ERODE_LAID = np.int64(23)  # reducer, points
ERODE_SUPPRESSED = np.int64(24)  # reducer
SPILLED = np.int64(25)  # reducer, points
RALLIED = np.int64(26)
EMPOWERED = np.int64(27)  # power, keywords, advantage
DISRUPTED = np.int64(28)  # disadvantage, thorns, strip + 2 · randomise
BUFF_REMOVED = np.int64(29)  # 1 Empower, 2 Disrupt; 1 if stolen
THORNS = np.int64(30)  # reducer, points
TARGET_SCRAMBLED = np.int64(31)  # reducer
STRIPPED = np.int64(32)
WARD_GAINED = np.int64(33)  # points
FORTIFY_GAINED = np.int64(34)  # reducer, points, rounds
ARMOUR_CHANGED = np.int64(35)  # armour now
TRAP_SPRUNG = np.int64(36)  # card; side: who laid it
TRAP_DISARMED = np.int64(37)  # card; side: whose it was
CALMED = np.int64(38)  # rounds
CLEANSED = np.int64(39)
RESTORED = np.int64(40)  # seat, vitality
KNOCKED_OUT = np.int64(41)  # seat, cards removed
MORALE_CASCADE = np.int64(42)  # points
OFFERED = np.int64(43)  # card, tier
OFFER_ACCEPTED = np.int64(44)  # card, 1 if it was binding
OFFER_REFUSED = np.int64(45)  # card, 1 if nobody was asked
COVENANT_REFUSED = np.int64(46)  # card
TRUST_CHANGED = np.int64(47)  # half points now, half points changed
EXPOSED = np.int64(48)  # type, points
BINDING_LAID = np.int64(49)  # reducer, points, rounds
DEPENDENCY_LAID = np.int64(50)  # reducer, points at stake
DEPENDENCY_BROKE = np.int64(51)  # reducer, points
EXTRACTED = np.int64(52)  # effect, points
TEST_PUT = np.int64(53)  # card
COOPERATED = np.int64(54)
DEFECTED = np.int64(55)  # power gained
BETRAYED = np.int64(56)  # reducer, points, seat
SCORNED = np.int64(57)  # trust lost
RESTRAINED = np.int64(58)  # card
RETREATED = np.int64(59)
ROOM_ENDED = np.int64(60)  # outcome, room
BOND_EFFECTS = np.int64(61)  # recovery percent, insight now
RUN_ENDED = np.int64(62)  # outcome
MEMBER_RETURNED = np.int64(63)  # seat, vitality
STRUCK_BACK = np.int64(64)  # points
REINFORCED = np.int64(65)  # adds now
HAZARD = np.int64(66)  # points
LOCKED = np.int64(67)  # cards
SHED = np.int64(68)
RESCUED = np.int64(69)  # seat, points
PANIC_SHRUGGED = np.int64(70)
OPENING_STRIKE = np.int64(71)  # points
SELF_COST = np.int64(72)  # reducer, points
DISCARDED = np.int64(73)  # card of a fallen member
REGENERATED = np.int64(74)
SPLASHED = np.int64(75)  # reducer, points
WEAKENED = np.int64(76)  # reducer, points given up for the run
BURDENED = np.int64(77)  # modifier code, seat, value
DRIVEN_OFF = np.int64(78)  # reinforcements left; side: whose they are
ADDS_BITE = np.int64(79)  # reinforcements, those at the back line; side: whose they are
ENERGY_LOST = np.int64(80)  # points
SHUFFLED = np.int64(81)  # cards

BY_GUARD = np.int64(0)
BY_ARMOUR = np.int64(1)
BY_FORTIFY = np.int64(2)
BY_WARD = np.int64(3)


def new_log(rows: int = MOST_EVENTS) -> np.ndarray:
    """A buffer for `rows` events."""
    return np.zeros((rows + 1, EVENT_FIELDS), np.int32)


@kernel
def note(log, event, p, a, b, c):
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
