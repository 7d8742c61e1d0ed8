"""The only way an encounter moves: begin it, then apply one legal action after another until it is over."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes, events
from cartomancer.encounters.kernel.codes import (
    DUNGEON,
    NOBODY,
    NONE,
    REDUCERS,
    STREAMS,
    VERB_SPAN,
    VISITOR,
)
from cartomancer.encounters.kernel.dilemma import cooperate, defect, put_test, restrain
from cartomancer.encounters.kernel.energy import pay, play_energy
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.layout import card_of
from cartomancer.encounters.kernel.offers import accept_offer, is_veiled, propose, refuse_covenant, refuse_offer
from cartomancer.encounters.kernel.piles import bit, leave_hand, put_aside
from cartomancer.encounters.kernel.reactions import answer
from cartomancer.encounters.kernel.reshape import play_reshape
from cartomancer.encounters.kernel.room import close_room, deal_opening_hand, enter_room, flee
from cartomancer.encounters.kernel.rounds import begin_round, end_turn
from cartomancer.encounters.kernel.strike import aim_at_member, begin_strike, finish_strike, roll_strike
from cartomancer.encounters.kernel.tactics import play_counter, play_disrupt, play_empower
from cartomancer.encounters.kernel.traps import lay_trap, spring_traps
from cartomancer.jit import kernel, whole
from cartomancer.rng import stream_start

STREAM_OFFSET = 32  # the encounter's streams lie behind those of the maps


@kernel
def begin(tables, state, log, seed):
    """A new run: everybody at their starting values, the first room entered. The state must be zeroed."""
    for k in range(STREAMS):
        state.streams[k] = stream_start(seed, k + STREAM_OFFSET, 0)
    visitor = state.sides[VISITOR]
    for r in range(REDUCERS):
        visitor.starts[r] = tables.start[VISITOR, r]
        visitor.reducers[r] = tables.start[VISITOR, r]
    for seat in range(tables.member_count):
        state.members[seat].start = tables.member_start[seat]
        state.members[seat].vitality = tables.member_start[seat]
    state.trust = 2 * tables.start_trust
    state.trust_peak = state.trust
    state.first_down = NOBODY
    enter_room(tables, state, log, NONE)
    _skip_idle_mulligans(tables, state, log)


@kernel
def _skip_idle_mulligans(tables, state, log):
    """Nobody is asked to keep a hand that cannot be changed."""
    while state.awaiting == codes.AWAIT_MULLIGAN and state.sides[state.actor].mulligans >= tables.rules.mulligans:
        _keep(tables, state, log)


@kernel
def _keep(tables, state, log):
    """The hand stays; the visitor is asked next, then the first round begins."""
    if state.actor == DUNGEON:
        state.actor = VISITOR
    else:
        begin_round(tables, state, log)


@kernel
def apply(tables, state, log, chosen):
    """Take a legal action; the encounter moves on to its next decision or its end."""
    verb = whole(chosen) // VERB_SPAN
    argument = whole(chosen) % VERB_SPAN
    p = whole(state.actor)
    if verb == codes.PLAY:
        state.decisions += 1
        _play(tables, state, log, p, argument)
    elif verb == codes.ACTIVATE:
        state.decisions += 1
        _activate(tables, state, log, p, argument)
    elif verb == codes.END_TURN:
        end_turn(tables, state, log)
    elif verb == codes.TAKE_HIT:
        state.decisions += 1
        finish_strike(tables, state, log)
    elif verb == codes.ANSWER:
        state.decisions += 1
        answer(tables, state, log, p, argument)
        finish_strike(tables, state, log)
    elif verb == codes.HIT_SEAT:
        state.decisions += 1
        state.flight.seat = argument
        roll_strike(tables, state, log)
    elif verb == codes.HIT_RESOURCE:
        state.decisions += 1
        state.flight.target = argument
        aim_at_member(tables, state, log)
    elif verb == codes.ACCEPT or verb == codes.REFUSE:
        state.decisions += 1
        _respond(tables, state, log, verb == codes.ACCEPT)
    elif verb == codes.COOPERATE:
        state.decisions += 1
        cooperate(tables, state, log)
    elif verb == codes.DEFECT:
        state.decisions += 1
        defect(tables, state, log)
    elif verb == codes.KEEP:
        _keep(tables, state, log)
    elif verb == codes.MULLIGAN:
        state.sides[p].mulligans += 1
        deal_opening_hand(tables, state, log, p)
    elif verb == codes.RESTRAIN:
        restrain(tables, state, log, p, argument)
    elif verb == codes.RETREAT:
        flee(tables, state, log)
    _skip_idle_mulligans(tables, state, log)


@kernel
def _respond(tables, state, log, accepted):
    """The answer to an Offer or a Covenant; an accepted Covenant ends the room in a Bond."""
    covenant = state.awaiting == codes.AWAIT_COVENANT
    if accepted:
        accept_offer(tables, state, log, NONE)
        if covenant:
            close_room(tables, state, log, codes.BOND)
    elif covenant:
        refuse_covenant(tables, state, log)
    else:
        refuse_offer(tables, state, log)


@kernel
def _activate(tables, state, log, p, instance):
    """Discard an action card for one temporary energy [GDD 8.4]."""
    side = state.sides[p]
    leave_hand(state, p, instance)
    side.known |= bit(instance)
    put_aside(tables, state, p, instance, False)
    side.temporary += 1
    note(log, events.CARD_ACTIVATED, p, card_of(tables, state, p, instance), NONE, NONE)


@kernel
def _play(tables, state, log, p, instance):
    """Play a card: pay, take it from the hand, and do what its category does."""
    found = card_of(tables, state, p, instance)
    card = tables.cards[found]
    category = whole(card.category)
    side = state.sides[p]
    leave_hand(state, p, instance)
    if category == codes.ENERGY:
        side.known |= bit(instance)
        put_aside(tables, state, p, instance, False)
        note(log, events.CARD_PLAYED, p, found, NONE, NONE)
        spring_traps(tables, state, log, 1 - p, codes.ON_ENERGY)
        play_energy(tables, state, log, p, card)
        return
    paid = pay(state, p, card)
    if category == codes.TRAP:
        lay_trap(state, log, p, instance)
        side.last_type = card.card_type
        return
    if not (category == codes.OFFER and is_veiled(tables, state, p, card)):
        side.known |= bit(instance)
    put_aside(tables, state, p, instance, card.exhaust != 0)
    if category != codes.OFFER:
        note(log, events.CARD_PLAYED, p, found, paid, NONE)
    if category == codes.STRIKE:
        begin_strike(tables, state, log, p, instance, found)
        return
    side.last_type = card.card_type
    if category == codes.OFFER:
        propose(tables, state, log, p, instance, found)
    elif category == codes.TEST:
        put_test(tables, state, log, p, instance, found)
    elif category == codes.EMPOWER:
        spring_traps(tables, state, log, 1 - p, codes.ON_EMPOWER)
        play_empower(tables, state, log, p, card)
    elif category == codes.DISRUPT:
        spring_traps(tables, state, log, 1 - p, codes.ON_DISRUPT)
        play_disrupt(state, log, p, card)
    elif category == codes.COUNTER:
        spring_traps(tables, state, log, 1 - p, codes.ON_COUNTER)
        play_counter(tables, state, log, p, card)
    elif category == codes.RESHAPE:
        spring_traps(tables, state, log, 1 - p, codes.ON_RESHAPE)
        play_reshape(tables, state, log, p, card)
