"""Reshape: healing, fortification, restoration, adaptation, without a contest [GDD 4.1, 16.8]."""

from __future__ import annotations

from cartomancer.encounters.kernel import events
from cartomancer.encounters.kernel.codes import EVERY_SEAT, NOBODY, NONE, SEATS, UNSET, VISITOR, WEAKEST
from cartomancer.encounters.kernel.conditions import is_triggered
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import raise_fortify, raise_ward
from cartomancer.encounters.kernel.party import fallen_member, restore_member
from cartomancer.encounters.kernel.piles import draw_cards
from cartomancer.encounters.kernel.reducers import heal, weakest_reducer
from cartomancer.encounters.kernel.tactics import clear_disrupt
from cartomancer.encounters.kernel.traps import disarm
from cartomancer.jit import kernel, whole


@kernel
def play_reshape(tables, state, log, p, card):
    """Everything a Reshape card may do, in the order of its fields."""
    if card.heal > 0:
        points = whole(card.heal)
        if is_triggered(tables, state, p, card):
            points += whole(card.bonus)
        r = whole(card.heal_at)
        if r == WEAKEST:
            r = weakest_reducer(state, p, UNSET)
        heal(tables, state, log, p, r, points, EVERY_SEAT)
    if card.fortify > 0:
        raise_fortify(state, log, p, whole(card.fortify_at), whole(card.fortify), whole(card.fortify_rounds))
    if card.ward > 0:
        raise_ward(tables, state, log, p, whole(card.ward))
    if card.restore > 0:
        seat = fallen_member(tables, state)
        if seat != NOBODY:
            restore_member(tables, state, log, seat, whole(card.restore), events.RESTORED)
    if card.calm > 0:
        state.sides[p].calm = max(whole(state.sides[p].calm), whole(card.calm))
        note(log, events.CALMED, p, whole(card.calm), NONE, NONE)
    if card.cleanse:
        cleanse(state, log, p)
    if card.disarm:
        disarm(tables, state, log, 1 - p)
    if card.draws > 0:
        draw_cards(tables, state, log, p, whole(card.draws))


@kernel
def cleanse(state, log, p):
    """Disrupt, Erode and Entangle fall off; a visitor's members lose weakness and threat."""
    side = state.sides[p]
    clear_disrupt(side)
    side.entangled = 0
    side.held = 0
    for r in range(side.erode.shape[0]):
        side.erode[r] = 0
    if p == VISITOR:
        for seat in range(SEATS):
            state.members[seat].weakness = 0
            state.members[seat].threat = min(NONE, whole(state.members[seat].threat))
    note(log, events.CLEANSED, p, NONE, NONE, NONE)
