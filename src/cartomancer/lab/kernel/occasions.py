"""Occasions: which cards a side could play, and which it played; seen at every decision before it is taken."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import DUNGEON, VERB_SPAN
from cartomancer.encounters.kernel.layout import card_of, number_of
from cartomancer.encounters.kernel.legal import can_play
from cartomancer.encounters.kernel.reactions import answer_refusal
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import kernel, whole


@kernel
def look(tables, state, chosen, taken, notes):
    """What the pending side may play, and what it is about to do.

    A card has one chance in a turn in which it could be played at any time, and takes it or not; a React has one
    whenever a Strike could be answered with it.
    """
    answers = state.awaiting == codes.AWAIT_REACT
    if not answers and state.awaiting != codes.AWAIT_TURN:
        return
    p = whole(state.actor)
    occasion = -1 - taken if answers else 2 * whole(state.rounds) + p
    verb = whole(chosen) // VERB_SPAN
    argument = whole(chosen) % VERB_SPAN
    strikes = False  # whether there is one that could be played
    for k in range(state.sides[p].hand_size):
        instance = whole(state.sides[p].hand[k])
        if _is_open(tables, state, p, instance, answers):
            strikes = strikes or card_of(tables, state, p, instance).category == codes.STRIKE
            found = number_of(tables, state, p, instance)
            if notes.open_at[found] != occasion:
                notes.open_at[found] = occasion
                notes.chances[found] += 1
    if verb == codes.PLAY or verb == codes.ANSWER:
        found = number_of(tables, state, p, argument)
        if notes.used_at[found] != occasion:
            notes.used_at[found] = occasion
            notes.used[found] += 1
        if points_of_trust(state) > 0 and card_of(tables, state, p, argument).category == codes.STRIKE:
            notes.trusted_strikes[p] += 1
    elif verb == codes.END_TURN and p == DUNGEON and state.betrayals > 0:
        notes.turns_betrayed += 1
        if strikes:
            notes.turns_spared += 1


@kernel
def _is_open(tables, state, p, instance, answers):
    """Whether side p could play this card of its hand now."""
    if answers:
        return answer_refusal(tables, state, p, instance) == codes.REFUSED_NONE
    return can_play(tables, state, p, instance)
