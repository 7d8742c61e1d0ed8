"""The Monte Carlo player: playouts score the options, the sequencer plans with the scores [GDD 7.2].

Its budget is a number of playouts for each option, never a time, so that it plays the same everywhere. Where a Bond is
wanted, what the heuristic thinks of trust is added: playouts of a few rounds undervalue it. Offers, Covenants and Tests
are answered by their formulas: what a veiled Offer costs is not to be found out by imagining it.
"""

from __future__ import annotations

from cartomancer.encounters.kernel import codes as rules
from cartomancer.encounters.kernel.codes import NONE
from cartomancer.encounters.kernel.legal import action, can_play, legal_actions
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.codes import CHANCE, COURTING, DAMAGE, GAIN, TRUST, VALUE
from cartomancer.players.kernel.heuristic import finish_turn, first_thought, read_board, score_hand, wants_out
from cartomancer.players.kernel.imagination import worth_of
from cartomancer.players.kernel.worth import blank_row
from cartomancer.rng import draw64


@kernel
def first_imagined(tables, minds, states, place, spare, options, thoughts):
    """What needs no planning, replies chosen by their playouts; NO_ACTION when the turn must be planned."""
    state = states[place]
    awaiting = whole(state.awaiting)
    if awaiting == rules.AWAIT_REACT or awaiting == rules.AWAIT_RESOURCE or awaiting == rules.AWAIT_SEAT:
        count = legal_actions(tables, state, options)
        p = whole(state.actor)
        read_board(tables, minds, state, p, thoughts)
        courting = thoughts.stance == COURTING
        base = draw64(thoughts.luck, 0)
        return whole(options[best_reply(tables, minds, states, place, spare, options, count, thoughts, base, courting)])
    return first_thought(tables, minds, state, options, thoughts)


@kernel
def second_imagined(tables, minds, states, place, spare, thoughts):
    """The first step of a turn that was planned with what playouts say of its cards."""
    state = states[place]
    p = whole(state.actor)
    read_board(tables, minds, state, p, thoughts)
    face = minds.minds[p, state.room].faces[thoughts.stance]
    if wants_out(tables, face, state, p, thoughts):
        return action(rules.RETREAT, NONE)
    courting = thoughts.stance == COURTING
    score_hand(tables, minds, face, state, p, thoughts, courting)
    base = draw64(thoughts.luck, 0)
    score_by_playouts(tables, minds, states, place, spare, thoughts, base, courting)
    return finish_turn(tables, minds, face, state, p, thoughts, courting)


@kernel
def best_reply(tables, minds, states, place, spare, options, count, thoughts, base, courting):
    """The reply whose playouts end best."""
    found, best = NONE, whole(-1)
    for k in range(count):
        blank_row(thoughts.desk, k)
        worth = worth_of(tables, minds, states, place, spare, thoughts, whole(options[k]), base, courting)
        thoughts.desk[k, CHANCE] = worth
        thoughts.desk[k, VALUE] = worth
        if worth > best:
            found, best = whole(k), worth
    return found


@kernel
def score_by_playouts(tables, minds, states, place, spare, thoughts, base, courting):
    """Replace the scores of cards that can be played now by what playouts say they add to ending the turn."""
    state = states[place]
    p = whole(state.actor)
    side = state.sides[p]
    desk = thoughts.desk
    scale = whole(minds.thinking.imagination)
    idle = whole(-1)
    for row in range(side.hand_size):
        instance = whole(side.hand[row])
        # Energy and what is suppressed have no score
        if desk[row, VALUE] != 0 and can_play(tables, state, p, instance):
            if idle < 0:
                done = action(rules.END_TURN, NONE)
                idle = worth_of(tables, minds, states, place, spare, thoughts, done, base, courting)
            played = action(rules.PLAY, instance)
            worth = worth_of(tables, minds, states, place, spare, thoughts, played, base, courting)
            desk[row, CHANCE] = worth
            desk[row, DAMAGE] = 0
            desk[row, GAIN] = (worth - idle) * scale
            trust = whole(desk[row, TRUST]) if courting else NONE
            desk[row, VALUE] = (worth - idle) * scale + trust
