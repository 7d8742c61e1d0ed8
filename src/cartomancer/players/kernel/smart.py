"""The Monte Carlo player: rollouts score the options, the sequencer plans with the scores [GDD 7.2].

Its budget is a number of rollouts for each option, never a time, so that it plays the same everywhere. Where a Bond is
wanted, what the heuristic thinks of trust is added: rollouts of a few rounds undervalue it. Offers, Covenants and Tests
are answered by their formulas: what a veiled Offer costs is not to be found out by rolling it out.
"""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import NONE
from cartomancer.encounters.kernel.legal import action, can_play, legal_actions
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.heuristic import finish_turn, heuristic_reply, read_board, score_hand, wants_out
from cartomancer.players.kernel.player_codes import CHANCE, COURTING, DAMAGE, GAIN, TRUST, VALUE
from cartomancer.players.kernel.rollouts import worth_of
from cartomancer.players.kernel.worth import blank_row
from cartomancer.rng import draw64


@kernel
def smart_reply(tables, policies, states, place, spare, options, workspace):
    """What needs no planning, replies chosen by their rollouts; NO_ACTION when the turn must be planned."""
    state = states[place]
    awaiting = whole(state.awaiting)
    if awaiting == codes.AWAIT_REACT or awaiting == codes.AWAIT_RESOURCE or awaiting == codes.AWAIT_MEMBER:
        count = legal_actions(tables, state, options)
        p = whole(state.actor)
        read_board(tables, policies, state, p, workspace)
        courting = workspace.stance == COURTING
        base = draw64(workspace.luck, 0)
        best = best_reply(tables, policies, states, place, spare, options, count, workspace, base, courting)
        return whole(options[best])
    return heuristic_reply(tables, policies, state, options, workspace)


@kernel
def smart_turn(tables, policies, states, place, spare, workspace):
    """The first step of a turn that was planned with what rollouts say of its cards."""
    state = states[place]
    p = whole(state.actor)
    read_board(tables, policies, state, p, workspace)
    weights = policies.sides[p].profiles[state.room].weights[workspace.stance]
    if wants_out(tables, weights, state, p, workspace):
        return action(codes.RETREAT, NONE)
    courting = workspace.stance == COURTING
    score_hand(tables, policies, weights, state, p, workspace, courting)
    base = draw64(workspace.luck, 0)
    score_by_rollouts(tables, policies, states, place, spare, workspace, base, courting)
    return finish_turn(tables, policies, weights, state, p, workspace, courting)


@kernel
def best_reply(tables, policies, states, place, spare, options, count, workspace, base, courting):
    """The reply whose rollouts end best."""
    found, best = NONE, whole(-1)
    for k in range(count):
        blank_row(workspace.scores, k)
        worth = worth_of(tables, policies, states, place, spare, workspace, whole(options[k]), base, courting)
        workspace.scores[k, CHANCE] = worth
        workspace.scores[k, VALUE] = worth
        if worth > best:
            found, best = whole(k), worth
    return found


@kernel
def score_by_rollouts(tables, policies, states, place, spare, workspace, base, courting):
    """Replace the scores of cards that can be played now by what rollouts say they add to ending the turn."""
    state = states[place]
    p = whole(state.actor)
    side = state.sides[p]
    scores = workspace.scores
    scale = whole(policies.thinking.rollout_scale)
    idle = whole(-1)
    for row in range(side.hand_size):
        instance = whole(side.hand[row])
        # Energy and what is suppressed have no score
        if scores[row, VALUE] != 0 and can_play(tables, state, p, instance):
            if idle < 0:
                done = action(codes.END_TURN, NONE)
                idle = worth_of(tables, policies, states, place, spare, workspace, done, base, courting)
            played = action(codes.PLAY, instance)
            worth = worth_of(tables, policies, states, place, spare, workspace, played, base, courting)
            scores[row, CHANCE] = worth
            scores[row, DAMAGE] = 0
            scores[row, GAIN] = (worth - idle) * scale
            trust = whole(scores[row, TRUST]) if courting else NONE
            scores[row, VALUE] = (worth - idle) * scale + trust
