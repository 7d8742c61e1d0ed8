"""Simple players: a habit answers where it has something to say, a heuristic player everything else [GDD 18.6].

They are there to be beaten. A game in which one of them does better than a player that thinks has a fault.
"""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import NONE
from cartomancer.encounters.kernel.legal import action, can_play, may_retreat
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.player_codes import (
    ACCEPT,
    COOPERATE,
    DEFECT,
    DUMP,
    FLEE,
    MULLIGAN,
    NO_HABIT,
    PASS,
    REFUSE,
)
from cartomancer.players.kernel.sequencer import NO_ACTION


@kernel
def habitual(tables, policies, state):
    """What the pending side does out of habit, or NO_ACTION where it has to think."""
    p = whole(state.actor)
    policy = policies.sides[p]
    habit = whole(policy.habit)
    awaiting = whole(state.awaiting)
    if awaiting == codes.AWAIT_REACT:
        answers = policy.played >> codes.REACT & 1
        return NO_ACTION if answers and habit != PASS else action(codes.TAKE_HIT, NONE)
    if habit == NO_HABIT:
        return NO_ACTION
    if awaiting == codes.AWAIT_TURN:
        return _turn(tables, state, p, habit)
    if awaiting == codes.AWAIT_OFFER or awaiting == codes.AWAIT_COVENANT:
        return _either(habit, ACCEPT, codes.ACCEPT, REFUSE, codes.REFUSE)
    if awaiting == codes.AWAIT_TEST:
        return _either(habit, COOPERATE, codes.COOPERATE, DEFECT, codes.DEFECT)
    if awaiting == codes.AWAIT_MULLIGAN and habit == MULLIGAN and state.sides[p].mulligans < tables.rules.mulligans:
        return action(codes.MULLIGAN, NONE)
    return NO_ACTION


@kernel
def _either(habit, one, this, two, that):
    """The verb of the one habit or of the other."""
    if habit == one:
        return action(this, NONE)
    return action(that, NONE) if habit == two else NO_ACTION


@kernel
def _turn(tables, state, p, habit):
    """Pass ends every turn, flee leaves as soon as it may, dump plays whatever it can from left to right."""
    if habit == PASS:
        return action(codes.END_TURN, NONE)
    if habit == FLEE and may_retreat(tables, state, p):
        return action(codes.RETREAT, NONE)
    if habit == DUMP:
        side = state.sides[p]
        for k in range(side.hand_size):
            if can_play(tables, state, p, whole(side.hand[k])):
                return action(codes.PLAY, whole(side.hand[k]))
        return action(codes.END_TURN, NONE)
    return NO_ACTION
