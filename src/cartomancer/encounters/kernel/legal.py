"""Which actions the pending side may take: complete, exact, in a fixed order; and why any other is refused."""

from __future__ import annotations

import numpy as np

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import FIRST_STEP, NOBODY, NONE, REDUCERS, VERB_SPAN, VERBS, VISITOR
from cartomancer.encounters.kernel.contest import seat_of
from cartomancer.encounters.kernel.dilemma import may_restrain
from cartomancer.encounters.kernel.energy import can_pay
from cartomancer.encounters.kernel.layout import card_of
from cartomancer.encounters.kernel.offers import offer_refusal
from cartomancer.encounters.kernel.party import fallen_member, weakest_member
from cartomancer.encounters.kernel.piles import bit, place_in_hand
from cartomancer.encounters.kernel.reactions import answer_refusal
from cartomancer.encounters.kernel.tactics import counters_something
from cartomancer.jit import kernel, whole

_ANSWERED = np.zeros((FIRST_STEP, VERBS), np.int8)  # by what is awaited, whether a verb answers it
for _asked in codes.Awaiting:
    _ANSWERED[_asked, list(_asked.answers)] = 1
_WITH_CARD = np.array([verb.argument == "card" for verb in codes.Verb], np.int8)


@kernel
def action(verb, argument):
    """One integer for a verb and what it is done to."""
    return verb * VERB_SPAN + argument


@kernel
def can_bear_self_cost(tables, state, p, instance, card):
    """A self-cost may not deplete what it is paid from; a party's vitality is the owner's, or the weakest member's."""
    r = whole(card.self_cost_at)
    if p == VISITOR and r == 0:
        seat = seat_of(tables, p, instance)
        if state.members[seat].down:
            seat = weakest_member(tables, state)
        return seat != NOBODY and state.members[seat].vitality > card.self_cost
    return state.sides[p].reducers[r] > card.self_cost


@kernel
def _rules_refusal(tables, state, p, instance, card):
    """Why the rules of its category forbid side p to play a card of its hand now."""
    category = whole(card.category)
    if category == codes.STRIKE:
        if card.self_cost > 0 and not can_bear_self_cost(tables, state, p, instance, card):
            return codes.REFUSED_LAST_POINT
    elif category == codes.OFFER:
        return offer_refusal(tables, state, p, card)
    elif category == codes.TRAP:
        if state.sides[p].trap_count >= tables.rules.trap_slots:
            return codes.REFUSED_TRAPS_FULL
    elif category == codes.COUNTER:
        if not counters_something(tables, state, p, card):
            return codes.REFUSED_NOTHING_TO_COUNTER
    elif category == codes.RESHAPE and card.restore > 0:
        if fallen_member(tables, state) == NOBODY:
            return codes.REFUSED_NOBODY_TO_RESTORE
    return codes.REFUSED_NONE


@kernel
def play_refusal(tables, state, p, instance):
    """Why side p cannot play this card of its hand in its turn."""
    card = card_of(tables, state, p, instance)
    if state.sides[p].locked & bit(instance):
        return codes.REFUSED_LOCKED
    if card.category == codes.REACT:
        return codes.REFUSED_REACT_WAITS
    if not can_pay(state, p, card):
        return codes.REFUSED_TOO_DEAR
    return _rules_refusal(tables, state, p, instance, card)


@kernel
def may_play(tables, state, p, instance):
    """Whether the rules let side p play this card of its hand in its turn, were it paid for. A React only waits."""
    if state.sides[p].locked & bit(instance):
        return False
    card = card_of(tables, state, p, instance)
    return _rules_refusal(tables, state, p, instance, card) == codes.REFUSED_NONE


@kernel
def can_play(tables, state, p, instance):
    """Whether side p can play this card of its hand now."""
    return play_refusal(tables, state, p, instance) == codes.REFUSED_NONE


@kernel
def retreat_refusal(tables, state, p):
    """A visitor that stands may retreat from round 3 on, where the scenario allows it, unless it is held (E7)."""
    side = state.sides[p]
    if p != VISITOR:
        return codes.REFUSED_DUNGEON_STAYS
    if not tables.retreat:
        return codes.REFUSED_NO_RETREAT_HERE
    if state.round_no < tables.rules.retreat_from:
        return codes.REFUSED_RETREAT_TOO_EARLY
    if side.held or side.entangled:
        return codes.REFUSED_ENTANGLED
    if state.downs >= tables.visitor.kill_at:
        return codes.REFUSED_FALLEN
    return codes.REFUSED_RETREAT_FORBIDDEN if side.mods[codes.MOD_NO_RETREAT] > 0 else codes.REFUSED_NONE


@kernel
def may_retreat(tables, state, p):
    """Whether side p may leave now."""
    return retreat_refusal(tables, state, p) == codes.REFUSED_NONE


@kernel
def _turn_options(tables, state, options):
    """Plays, activations, restraint, retreat; ending the turn is always possible."""
    p = whole(state.actor)
    side = state.sides[p]
    options[0] = action(codes.END_TURN, NONE)
    count = 1
    restrains = may_restrain(tables, state, p)
    for k in range(side.hand_size):
        instance = whole(side.hand[k])
        category = whole(card_of(tables, state, p, instance).category)
        if can_play(tables, state, p, instance):
            options[count] = action(codes.PLAY, instance)
            count += 1
        if category != codes.ENERGY:
            options[count] = action(codes.ACTIVATE, instance)
            count += 1
        if restrains and category == codes.STRIKE:
            options[count] = action(codes.RESTRAIN, instance)
            count += 1
    if may_retreat(tables, state, p):
        options[count] = action(codes.RETREAT, NONE)
        count += 1
    return count


@kernel
def _react_options(tables, state, options):
    """Any React the defender can pay for, or taking the hit."""
    p = whole(state.actor)
    side = state.sides[p]
    options[0] = action(codes.TAKE_HIT, NONE)
    count = 1
    for k in range(side.hand_size):
        instance = whole(side.hand[k])
        if answer_refusal(tables, state, p, instance) == codes.REFUSED_NONE:
            options[count] = action(codes.ANSWER, instance)
            count += 1
    return count


@kernel
def legal_actions(tables, state, options):
    """Write every legal action into `options`. Returns the count."""
    awaiting = whole(state.awaiting)
    if awaiting == codes.AWAIT_TURN:
        return _turn_options(tables, state, options)
    if awaiting == codes.AWAIT_REACT:
        return _react_options(tables, state, options)
    count = 0
    if awaiting == codes.AWAIT_MEMBER:
        for seat in range(tables.visitor.member_count):
            if not state.members[seat].down:
                options[count] = action(codes.HIT_SEAT, whole(seat))
                count += 1
    elif awaiting == codes.AWAIT_RESOURCE:
        for r in range(REDUCERS):
            options[count] = action(codes.HIT_RESOURCE, whole(r))
            count += 1
    elif awaiting == codes.AWAIT_OFFER or awaiting == codes.AWAIT_COVENANT:
        options[0] = action(codes.ACCEPT, NONE)
        options[1] = action(codes.REFUSE, NONE)
        count = 2
    elif awaiting == codes.AWAIT_TEST:
        options[0] = action(codes.COOPERATE, NONE)
        options[1] = action(codes.DEFECT, NONE)
        count = 2
    elif awaiting == codes.AWAIT_MULLIGAN:
        options[0] = action(codes.KEEP, NONE)
        count = 1
        if state.sides[state.actor].mulligans < tables.rules.mulligans:
            options[1] = action(codes.MULLIGAN, NONE)
            count = 2
    return count


@kernel
def refusal(tables, state, chosen):
    """Why the pending side may not take this action; no reason means that it is legal. A refused action may be any."""
    awaiting = whole(state.awaiting)
    verb = whole(chosen) // VERB_SPAN
    argument = whole(chosen) % VERB_SPAN
    if awaiting == codes.OVER:
        return codes.REFUSED_OVER
    if verb < 0 or verb >= VERBS or not _ANSWERED[awaiting, verb]:
        return codes.REFUSED_NOT_ASKED
    p = whole(state.actor)
    if _WITH_CARD[verb]:
        return _card_refusal(tables, state, p, verb, argument)
    if verb == codes.HIT_SEAT:
        if argument >= tables.visitor.member_count:
            return codes.REFUSED_NO_SUCH_SEAT
        return codes.REFUSED_MEMBER_DOWN if state.members[argument].down else codes.REFUSED_NONE
    if verb == codes.HIT_RESOURCE:
        return codes.REFUSED_NONE if argument < REDUCERS else codes.REFUSED_NO_SUCH_CHOICE
    if argument != NONE:
        return codes.REFUSED_NO_ARGUMENT
    if verb == codes.RETREAT:
        return retreat_refusal(tables, state, p)
    if verb == codes.MULLIGAN and state.sides[p].mulligans >= tables.rules.mulligans:
        return codes.REFUSED_NO_MULLIGAN
    return codes.REFUSED_NONE


@kernel
def _card_refusal(tables, state, p, verb, instance):
    """Why a card cannot be used as wanted."""
    if place_in_hand(state, p, instance) < 0:
        return codes.REFUSED_NOT_IN_HAND
    if verb == codes.PLAY:
        return play_refusal(tables, state, p, instance)
    if verb == codes.ANSWER:
        return answer_refusal(tables, state, p, instance)
    category = whole(card_of(tables, state, p, instance).category)
    if verb == codes.ACTIVATE:
        return codes.REFUSED_ENERGY_NOT_ACTIVATED if category == codes.ENERGY else codes.REFUSED_NONE
    if category != codes.STRIKE:
        return codes.REFUSED_NOT_A_STRIKE
    return codes.REFUSED_NONE if may_restrain(tables, state, p) else codes.REFUSED_NO_RESTRAINT
