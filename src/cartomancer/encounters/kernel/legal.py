"""Which actions the pending side may take: complete, exact, in a fixed order."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import NOBODY, NONE, REDUCERS, VERB_SPAN, VISITOR
from cartomancer.encounters.kernel.contest import seat_of
from cartomancer.encounters.kernel.dilemma import may_restrain
from cartomancer.encounters.kernel.energy import can_pay
from cartomancer.encounters.kernel.layout import card_of
from cartomancer.encounters.kernel.offers import can_offer
from cartomancer.encounters.kernel.party import fallen_member, weakest_member
from cartomancer.encounters.kernel.piles import bit
from cartomancer.encounters.kernel.reactions import is_answer
from cartomancer.encounters.kernel.tactics import counters_something
from cartomancer.jit import kernel, whole


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
def may_play(tables, state, p, instance):
    """Whether the rules let side p play this card of its hand in its turn, were it paid for. A React only waits."""
    card = tables.cards[card_of(tables, state, p, instance)]
    side = state.sides[p]
    category = whole(card.category)
    if side.locked & bit(instance):
        return False
    if category == codes.STRIKE:
        return card.self_cost == 0 or can_bear_self_cost(tables, state, p, instance, card)
    if category == codes.OFFER:
        return can_offer(tables, state, p, card)
    if category == codes.TRAP:
        return side.trap_count < tables.rules.trap_slots
    if category == codes.COUNTER:
        return counters_something(state, p, card) != 0
    if category == codes.RESHAPE and card.restore > 0:
        return fallen_member(tables, state) != NOBODY
    return True


@kernel
def can_play(tables, state, p, instance):
    """Whether side p can play this card of its hand now."""
    card = tables.cards[card_of(tables, state, p, instance)]
    return card.category != codes.REACT and can_pay(state, p, card) and may_play(tables, state, p, instance)


@kernel
def may_retreat(tables, state, p):
    """A visitor that stands may retreat from round 3 on, where the scenario allows it, unless it is held (E7)."""
    if p != VISITOR or not tables.retreat or state.round_no < tables.rules.retreat_from:
        return False
    side = state.sides[p]
    if state.downs >= tables.kill_at:
        return False
    return not side.held and not side.entangled and side.mods[codes.MOD_NO_RETREAT] <= 0


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
        category = whole(tables.cards[card_of(tables, state, p, instance)].category)
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
        if is_answer(tables, state, p, instance):
            options[count] = action(codes.ANSWER, instance)
            count += 1
    return count


@kernel
def legal_actions(tables, state, options):
    """Write every legal action into `options`; how many."""
    awaiting = whole(state.awaiting)
    if awaiting == codes.AWAIT_TURN:
        return _turn_options(tables, state, options)
    if awaiting == codes.AWAIT_REACT:
        return _react_options(tables, state, options)
    count = 0
    if awaiting == codes.AWAIT_SEAT:
        for seat in range(tables.member_count):
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
