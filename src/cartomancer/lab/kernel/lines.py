"""Combo lines: what cards did in a run, one thing after another [GDD 4.4, 8.2].

A line is a list of steps. Each says, of every card, which deed of it counts; a step is done when a card has done its
deed, and the next is waited for from then on. What a card lays acts later (Erode, a Ward, a handicap): whose it is, is
remembered until it acts or is gone.
"""

from __future__ import annotations

import numpy as np

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import CAUSES, Cause
from cartomancer.encounters.kernel.codes import NONE, ONE, REDUCERS, Keyword
from cartomancer.encounters.kernel.events import EVENTS, Happening
from cartomancer.encounters.kernel.layout import numbered_card
from cartomancer.jit import kernel, whole
from cartomancer.lab.kernel import deeds
from cartomancer.lab.kernel.deeds import Deed

MOST_LINES = 16  # of all decks of a scenario
MOST_STEPS = 3


_DEED_OF = np.zeros(EVENTS, np.int64)  # of events whose first value is the card
_DEED_OF[[Happening.CARD_PLAYED, Happening.TRAP_LAID, Happening.OFFERED, Happening.REACTED]] = Deed.PLAYED
_DEED_OF[Happening.TRIGGERED] = Deed.TRIGGERED
_DEED_OF[Happening.OFFER_ACCEPTED] = Deed.ACCEPTED
_DEED_OF[Happening.TRAP_SPRUNG] = Deed.SPRUNG
_DEED_OF_KEYWORD = np.zeros(int(max(Keyword)) + 1, np.int64)
_DEED_OF_KEYWORD[Keyword.ENTANGLE] = Deed.ENTANGLED
_DEED_OF_KEYWORD[Keyword.DRAIN] = Deed.DRAINED
_DEED_OF_KEYWORD[Keyword.OVERWHELM] = Deed.SPILLED
_OF_A_CARD = np.zeros(CAUSES, np.int64)  # causes whose source is a card
_OF_A_CARD[[cause for cause in Cause if cause.source == "card"]] = 1


@kernel
def did(lines, notes, card, deed):
    """A card has done something: every line that waits for it is a step further."""
    for line in range(lines.shape[0]):
        step = whole(notes.steps[line])
        if step < lines.shape[1] and lines[line, step, card] == deed:
            notes.steps[line] += 1


@kernel
def follow(tables, lines, log, k, notes):
    """What a row of the log says of cards."""
    event = whole(log[k, 0])
    if _DEED_OF[event] > 0:
        did(lines, notes, whole(log[k, 2]), whole(_DEED_OF[event]))
    if event == events.KEYWORD_FIRED:
        if _DEED_OF_KEYWORD[log[k, 2]] > 0:
            did(lines, notes, whole(log[k, 3]), whole(_DEED_OF_KEYWORD[log[k, 2]]))
    elif event == events.CARD_PLAYED:
        _swing(tables, log, k, notes)
    elif event == events.TEST_PUT:
        notes.tested = log[k, 2]
    elif event == events.COOPERATED:
        did(lines, notes, whole(notes.tested), deeds.COOPERATED)
    elif event == events.HURT:
        _hurt(lines, log, k, notes)
    elif event == events.ROOM_ENTERED:
        forget(notes, NONE)
        forget(notes, ONE)
    elif event == events.CLEANSED:
        _unhindered(notes, whole(log[k, 1]))
    else:
        _lay(log, k, notes)
        _meet(tables, lines, log, k, notes)


@kernel
def _swing(tables, log, k, notes):
    """A Strike begins: it takes the Empowers that wait for it."""
    side = whole(log[k, 1])
    if numbered_card(tables, whole(log[k, 2])).category == codes.STRIKE:
        notes.swung = log[k, 2]
        notes.carried = notes.empowers[side]
        notes.gifts = notes.granted[side]
        notes.empowers[side] = 0
        notes.granted[side] = 0


@kernel
def _hurt(lines, log, k, notes):
    """Points are lost: to a Strike that landed, or to Erode that was laid before."""
    side = whole(log[k, 1])
    r = whole(log[k, 2])
    points = whole(log[k, 3])
    cause = whole(log[k, 5])
    if cause == causes.ERODE:
        acted = min(whole(notes.eroding[side, r]), points)
        notes.erode_acted[1 - side] += acted
        if acted > 0:
            _act(lines, notes, side, deeds.ERODE + r, deeds.ERODED)
        notes.eroding[side, r] = 0
        notes.marks[side, deeds.ERODE + r] = 0
    elif points > 0 and (cause == causes.STRIKE or cause == causes.CLEAVE):
        did(lines, notes, whole(log[k, 6]), deeds.LANDED)
        if notes.carried > 0:
            did(lines, notes, whole(log[k, 6]), deeds.EMPOWERED)


@kernel
def _lay(log, k, notes):
    """Something is laid that acts later: whose it is."""
    event = whole(log[k, 0])
    side = whole(log[k, 1])
    cause = whole(log[k, 5])
    card = whole(log[k, 6]) + 1 if _OF_A_CARD[cause] else NONE
    if event == events.EMPOWERED:
        notes.empowers[side] += 1
        notes.granted[side] |= log[k, 3]
    elif event == events.WARD_GAINED:
        notes.marks[side, deeds.WARD] = card
    elif event == events.DISRUPTED:
        if log[k, 2] & codes.HANDICAP_STRIP:
            notes.marks[side, deeds.STRIP] = card
        if log[k, 2] & codes.HANDICAP_RANDOMISE:
            notes.marks[side, deeds.SCRAMBLE] = card
    elif event == events.ERODE_LAID and cause != causes.POISON:
        notes.marks[side, deeds.ERODE + log[k, 2]] = card
        notes.eroding[side, log[k, 2]] += 1
        notes.erode_laid[1 - side] += 1


@kernel
def _meet(tables, lines, log, k, notes):
    """What was laid acts, or is taken away."""
    event = whole(log[k, 0])
    side = whole(log[k, 1])
    if event == events.GUARDED and log[k, 4] == codes.BY_WARD:
        if log[k, 3] > 0:
            _act(lines, notes, side, deeds.WARD, deeds.WARDED)
    elif event == events.STRIPPED:
        if numbered_card(tables, whole(notes.swung)).keywords | whole(notes.gifts):
            _act(lines, notes, side, deeds.STRIP, deeds.STRIPPED)
        notes.marks[side, deeds.STRIP] = 0
    elif event == events.TARGET_SCRAMBLED:
        if numbered_card(tables, whole(notes.swung)).target != log[k, 2]:
            _act(lines, notes, side, deeds.SCRAMBLE, deeds.SCRAMBLED)
        notes.marks[side, deeds.SCRAMBLE] = 0
    elif event == events.ERODE_SUPPRESSED:
        notes.marks[side, deeds.ERODE + log[k, 2]] = 0
        notes.eroding[side, log[k, 2]] = 0
    elif event == events.BUFF_REMOVED:
        if log[k, 2] != codes.EMPOWER:
            notes.marks[side, deeds.STRIP] = 0
            notes.marks[side, deeds.SCRAMBLE] = 0
        else:
            notes.empowers[1 - side] = 0
            notes.granted[1 - side] = 0
            if log[k, 3]:
                did(lines, notes, whole(log[k, 6]), deeds.STOLE)


@kernel
def _act(lines, notes, side, mark, deed):
    """What waited on a side has acted: it is the deed of the card that laid it."""
    if notes.marks[side, mark] > 0:
        did(lines, notes, whole(notes.marks[side, mark]) - 1, deed)


@kernel
def _unhindered(notes, side):
    """Handicaps and Erode are shaken off."""
    for mark in range(deeds.STRIP, deeds.MARKS):
        notes.marks[side, mark] = 0
    for r in range(REDUCERS):
        notes.eroding[side, r] = 0


@kernel
def forget(notes, side):
    """Nothing waits on a side any more."""
    _unhindered(notes, side)
    notes.marks[side, deeds.WARD] = 0
    notes.empowers[side] = 0
    notes.granted[side] = 0
