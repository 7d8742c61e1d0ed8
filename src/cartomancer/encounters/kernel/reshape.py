"""Reshape: healing, fortification, restoration, adaptation, without a contest [GDD 4.1, 16.8]."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import because
from cartomancer.encounters.kernel.codes import EVERY_SEAT, NOBODY, NONE, SEATS, UNSET, VISITOR
from cartomancer.encounters.kernel.conditions import is_triggered
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import raise_fortify, raise_ward
from cartomancer.encounters.kernel.handicaps import clear_disrupt
from cartomancer.encounters.kernel.layout import numbered_card
from cartomancer.encounters.kernel.party import begin_restoration, fallen_member
from cartomancer.encounters.kernel.piles import draw_cards
from cartomancer.encounters.kernel.prying import pry
from cartomancer.encounters.kernel.reducers import heal, weakest_reducer
from cartomancer.encounters.kernel.resolution import scaled
from cartomancer.encounters.kernel.traps import disarm
from cartomancer.jit import kernel, whole


@kernel
def play_reshape(tables, state, log, p, found):
    """Everything a Reshape card may do, in the order of its fields."""
    card = numbered_card(tables, found)
    cause = because(causes.RESHAPE, found)
    if card.heal > 0:
        points = whole(card.heal)
        if is_triggered(tables, state, p, card):
            points += whole(card.bonus)
        r = whole(card.heal_at)
        if r == codes.WEAKEST:
            r = weakest_reducer(state, p, UNSET)
        healed = heal(tables, state, log, p, r, points, EVERY_SEAT, cause)
        if healed > scaled(whole(card.heal), 100 + whole(state.sides[p].mods[codes.MOD_HEALING_PERCENT])):
            note(log, events.TRIGGERED, p, found, NONE, NONE, NONE)
    if card.fortify > 0:
        rounds = whole(card.fortify_rounds)
        raise_fortify(state, log, p, whole(card.fortify_at), whole(card.fortify), rounds, cause)
    if card.ward > 0:
        raise_ward(tables, state, log, p, whole(card.ward), cause)
    if card.restore > 0:
        seat = fallen_member(tables, state)
        if seat != NOBODY:
            begin_restoration(state, log, seat, whole(card.restore), because(causes.RESTORATION, found))
    if card.calm > 0:
        state.sides[p].calm = max(whole(state.sides[p].calm), whole(card.calm))
        note(log, events.CALMED, p, whole(card.calm), NONE, NONE, cause)
    if card.cleanse:
        cleanse(state, log, p, cause)
    if card.disarm:
        disarm(tables, state, log, 1 - p, cause)
    if card.draws > 0:
        draw_cards(tables, state, log, p, whole(card.draws), cause)
    pry(tables, state, log, p, card, cause)


@kernel
def cleanse(state, log, p, cause):
    """Disrupt, Erode and Entangle fall off; a visitor's members lose weakness and threat."""
    side = state.sides[p]
    clear_disrupt(side)
    side.entangled = 0
    side.held = 0
    for r in range(side.erode.shape[0]):
        side.erode[r] = 0
        side.venom[r] = 0
    if p == VISITOR:
        for seat in range(SEATS):
            state.members[seat].weakness = 0
            state.members[seat].threat = min(NONE, whole(state.members[seat].threat))
    note(log, events.CLEANSED, p, NONE, NONE, NONE, cause)
