"""The only way an encounter moves: begin it, then apply one legal action after another until it is over.

Rules do not call the rule that comes next; they name it in `awaiting`, and `advance` runs it. So every rule's code
exists once in the compiled whole.
"""

from __future__ import annotations

from cartomancer.codes import STREAM_FIGHT
from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import because, secretly
from cartomancer.encounters.kernel.codes import NOBODY, NONE, ONE, REDUCERS, STREAMS, VERB_SPAN, VISITOR
from cartomancer.encounters.kernel.dilemma import cooperate, defect, put_test, restrain
from cartomancer.encounters.kernel.energy import note_energy, pay, play_energy
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.layout import number_of, numbered_card
from cartomancer.encounters.kernel.offers import accept_offer, is_veiled, propose, refuse_covenant, refuse_offer
from cartomancer.encounters.kernel.piles import bit, leave_hand, put_aside, take_up_deck
from cartomancer.encounters.kernel.reactions import answer
from cartomancer.encounters.kernel.reshape import play_reshape
from cartomancer.encounters.kernel.room import ask_mulligan, close_room, deal_opening_hand, enter_room, flee, keep_hand
from cartomancer.encounters.kernel.rounds import begin_round, begin_turn, end_turn, finish_round
from cartomancer.encounters.kernel.strike import aim, begin_strike, finish_strike, roll_strike
from cartomancer.encounters.kernel.tactics import play_counter, play_disrupt, play_empower
from cartomancer.encounters.kernel.traps import lay_trap, spring_traps
from cartomancer.jit import kernel, whole
from cartomancer.rng import stream_start


@kernel
def set_up(tables, state, seed):
    """A new run: the visitor as it arrives, about to enter the first room. The state must be zeroed."""
    for k in range(STREAMS):
        state.streams[k] = stream_start(seed, STREAM_FIGHT + k, 0)
    visitor = state.sides[VISITOR]
    for r in range(REDUCERS):
        visitor.starts[r] = tables.visitor.start[r]
        visitor.reducers[r] = tables.visitor.now[r]
    for seat in range(tables.visitor.member_count):
        state.members[seat].start = tables.visitor.member_start[seat]
        state.members[seat].vitality = tables.visitor.member_now[seat]
    take_up_deck(tables, state)
    state.trust = 2 * tables.visitor.start_trust
    state.trust_peak = state.trust
    state.first_down = NOBODY
    state.awaiting = codes.STEP_ENTER_ROOM


@kernel
def is_moving(state):
    """Whether the encounter goes on by itself, without anybody's decision."""
    return state.awaiting >= codes.FIRST_STEP


@kernel
def advance(tables, state, log):
    """One step that the encounter takes by itself."""
    step = whole(state.awaiting)
    if step == codes.STEP_FINISH_STRIKE:
        finish_strike(tables, state, log)
    elif step == codes.STEP_ROLL:
        roll_strike(tables, state, log)
    elif step == codes.STEP_AIM:
        aim(tables, state, log)
    elif step == codes.STEP_BEGIN_TURN:
        begin_turn(tables, state, log)
    elif step == codes.STEP_FINISH_ROUND:
        finish_round(tables, state, log)
    elif step == codes.STEP_BEGIN_ROUND:
        begin_round(tables, state, log)
    elif step == codes.STEP_ACCEPT:
        accept_offer(tables, state, log)
    elif step == codes.STEP_ASK_MULLIGAN:
        ask_mulligan(tables, state)
    elif step == codes.STEP_CLOSE_ROOM:
        close_room(tables, state, log)
    elif step == codes.STEP_ENTER_ROOM:
        enter_room(tables, state, log)
    elif step == codes.STEP_END_TURN:
        end_turn(tables, state, log)
    _stop_at_a_fall(tables, state)


@kernel
def take(tables, state, log, chosen):
    """What a legal action itself does; steps that follow from it are left to `advance`."""
    verb = whole(chosen) // VERB_SPAN
    argument = whole(chosen) % VERB_SPAN
    p = whole(state.actor)
    if verb == codes.PLAY or verb == codes.ACTIVATE or verb >= codes.HIT_RESOURCE:
        state.decisions += 1  # cards, activations, targets and responses (E18)
    if verb == codes.PLAY:
        _play(tables, state, log, p, argument)
    elif verb == codes.ACTIVATE:
        _activate(tables, state, log, p, argument)
    elif verb == codes.END_TURN:
        state.awaiting = codes.STEP_END_TURN
    elif verb == codes.TAKE_HIT:
        state.awaiting = codes.STEP_FINISH_STRIKE
    elif verb == codes.ANSWER:
        answer(tables, state, log, p, argument)
        state.awaiting = codes.STEP_FINISH_STRIKE
    elif verb == codes.HIT_SEAT:
        state.flight.seat = argument
        state.awaiting = codes.STEP_ROLL
    elif verb == codes.HIT_RESOURCE:
        state.flight.target = argument
        state.awaiting = codes.STEP_AIM
    elif verb == codes.ACCEPT:
        state.awaiting = codes.STEP_ACCEPT
    elif verb == codes.REFUSE:
        if state.awaiting == codes.AWAIT_COVENANT:
            refuse_covenant(tables, state, log)
        else:
            refuse_offer(tables, state, log)
    elif verb == codes.COOPERATE:
        cooperate(tables, state, log)
    elif verb == codes.DEFECT:
        defect(tables, state, log)
    elif verb == codes.KEEP:
        keep_hand(state)
    elif verb == codes.MULLIGAN:
        state.sides[p].mulligans += 1
        deal_opening_hand(tables, state, log, p, causes.MULLIGAN)
        state.awaiting = codes.STEP_ASK_MULLIGAN
    elif verb == codes.RESTRAIN:
        restrain(tables, state, log, p, argument)
    elif verb == codes.RETREAT:
        flee(state, log)
    _stop_at_a_fall(tables, state)


@kernel
def _stop_at_a_fall(tables, state):
    """A visitor that is killed in its own turn acts no more: nothing brings it back before the win check (E21)."""
    killed = state.downs >= tables.visitor.kill_at
    if killed and state.awaiting == codes.AWAIT_TURN and state.actor == VISITOR:
        state.awaiting = codes.STEP_END_TURN


@kernel
def begin(tables, state, log, seed):
    """A new run, up to its first decision. The state must be zeroed."""
    set_up(tables, state, seed)
    while is_moving(state):
        advance(tables, state, log)


@kernel
def apply(tables, state, log, chosen):
    """Take a legal action; the encounter moves on to its next decision or its end."""
    take(tables, state, log, chosen)
    while is_moving(state):
        advance(tables, state, log)


@kernel
def _activate(tables, state, log, p, instance):
    """Discard an action card for one temporary energy [GDD 8.4]."""
    side = state.sides[p]
    leave_hand(state, p, instance)
    side.known |= bit(instance)
    put_aside(tables, state, p, instance, NONE)
    side.temporary += 1
    found = number_of(tables, state, p, instance)
    note(log, events.CARD_ACTIVATED, p, found, NONE, NONE, NONE)
    note_energy(side, log, p, ONE, because(causes.ACTIVATION, found))


@kernel
def _play(tables, state, log, p, instance):
    """Play a card: pay, take it from the hand, and do what its category does."""
    found = number_of(tables, state, p, instance)
    card = numbered_card(tables, found)
    category = whole(card.category)
    side = state.sides[p]
    leave_hand(state, p, instance)
    if category == codes.ENERGY:
        side.known |= bit(instance)
        put_aside(tables, state, p, instance, NONE)
        note(log, events.CARD_PLAYED, p, found, NONE, NONE, NONE)
        spring_traps(tables, state, log, 1 - p, codes.ON_ENERGY)
        play_energy(tables, state, log, p, found)
        return
    hidden = category == codes.TRAP or (category == codes.OFFER and is_veiled(tables, state, p, card))
    cause = because(causes.PLAY, found)
    paid = pay(state, log, p, card, secretly(cause, p) if hidden else cause)
    if category == codes.TRAP:
        lay_trap(state, log, p, instance, found)
        side.last_type = card.card_type
        return
    if not hidden:
        side.known |= bit(instance)
    put_aside(tables, state, p, instance, whole(card.exhaust))
    if category != codes.OFFER:
        note(log, events.CARD_PLAYED, p, found, paid, NONE, NONE)
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
        play_empower(tables, state, log, p, found)
    elif category == codes.DISRUPT:
        spring_traps(tables, state, log, 1 - p, codes.ON_DISRUPT)
        play_disrupt(tables, state, log, p, found)
    elif category == codes.COUNTER:
        spring_traps(tables, state, log, 1 - p, codes.ON_COUNTER)
        play_counter(tables, state, log, p, found)
    elif category == codes.RESHAPE:
        spring_traps(tables, state, log, 1 - p, codes.ON_RESHAPE)
        play_reshape(tables, state, log, p, found)
