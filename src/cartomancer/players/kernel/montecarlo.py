"""The document's Monte Carlo player: random playouts of a few rounds score the options [GDD 7.2].

A rollout determinizes the hidden cards, plays on at random for some rounds and judges the position. The budget is a
number of rollouts for each option, never a time, so that it plays the same everywhere. Where a Bond is wanted, what the
heuristic thinks of trust is added: rollouts of a few rounds undervalue it. Offers, Covenants and Tests are answered by
their formulas: what a veiled Offer costs is not to be found out by rolling it out.
"""

from __future__ import annotations

import numpy as np

from cartomancer.codes import STREAM_PLAYER
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import NONE, VERB_SPAN, VISITOR
from cartomancer.encounters.kernel.legal import action, can_play, legal_actions
from cartomancer.encounters.kernel.protocol import advance, is_moving, take
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.determinizing import determinize
from cartomancer.players.kernel.heuristic import finish_turn, flees, heuristic_reply, read_board
from cartomancer.players.kernel.player_codes import CHANCE, DAMAGE, EVERY_CATEGORY, FIGHTING, GAIN, TRUST, VALUE
from cartomancer.players.kernel.reading import lowest_share, mean_share, note_shares
from cartomancer.players.kernel.worth import blank_row
from cartomancer.rng import GOLDEN, below, draw64, scramble, stream_start

MOST_PLIES = 400  # a bound no rollout of a few rounds comes near


@kernel
def judge(tables, thinking, state, shares, p, rooms, wants_bond):
    """How good a position is for side p, in thousandths: over is over; else health, vulnerability, time."""
    result = whole(state.outcome)
    if state.awaiting != codes.OVER and state.rooms_entered > rooms:
        result = whole(state.room_outcomes[rooms - 1])
    if result == codes.BOND:
        return whole(1000) if wants_bond else whole(thinking.rollout_bond)
    if codes.KILL <= result <= codes.PANIC:
        return NONE if p == VISITOR else whole(1000)
    if state.awaiting == codes.OVER:
        return whole(1000) if p == VISITOR else NONE
    if result != codes.UNDECIDED and result != codes.SURVIVE:  # the visitor has mastered a room
        return whole(900) if p == VISITOR else whole(100)
    note_shares(tables, state, shares)
    health = mean_share(shares, VISITOR) - mean_share(shares, codes.DUNGEON)
    vulnerability = lowest_share(shares, VISITOR) - lowest_share(shares, codes.DUNGEON)
    limit = max(1, whole(tables.dungeon.rooms[state.room].round_limit))
    time = 1000 * whole(state.round_no) // limit
    good = whole(thinking.health) * health // 2000 + whole(thinking.vulnerability) * vulnerability // 2000
    good += whole(thinking.time) * time // 2000
    visitor = max(whole(50), min(whole(950), 500 - whole(thinking.time) // 4 + good))
    return visitor if p == VISITOR else 1000 - visitor


@kernel
def play_on(tables, state, options, dice, last_round, rooms):
    """Play by chance until the horizon, the end of the room or of the run."""
    for _ in range(MOST_PLIES):
        if state.awaiting == codes.OVER or state.rooms_entered > rooms:
            return
        if is_moving(state):
            if state.awaiting == codes.STEP_BEGIN_ROUND and state.round_no >= last_round:
                return
            advance(tables, state, None)
        else:
            count = legal_actions(tables, state, options)
            chosen = rollout_choice(state, options, count, dice) if count > 1 else NONE
            take(tables, state, None, whole(options[chosen]))


@kernel
def rollout_choice(state, options, count, dice):
    """Chance, but no folly: in a turn any card that can be played (they are moved to the front), else its end."""
    if state.awaiting != codes.AWAIT_TURN:
        return below(dice, 0, count)
    plays = NONE
    for k in range(count):
        if options[k] // VERB_SPAN == codes.PLAY:
            options[plays] = options[k]
            plays += 1
    return below(dice, 0, plays) if plays > 0 else NONE


@kernel
def worth_of(tables, policies, states, place, spare, workspace, chosen, base):
    """The mean worth of some rollouts after an action, in thousandths. Rollout n deals and rolls alike for every
    action, so that actions are compared under the same luck."""
    thinking = policies.thinking
    p = whole(states[place].actor)
    rooms = whole(states[place].rooms_entered)
    last_round = whole(states[place].round_no) + whole(thinking.horizon)
    rollouts = whole(policies.sides[p].rollouts)
    wants_bond = workspace.stance != FIGHTING
    total = NONE
    for n in range(rollouts):
        states[spare] = states[place]
        rollout = states[spare]
        workspace.dice[0] = scramble(base + GOLDEN * np.uint64(n + 1))
        determinize(tables, rollout, p, workspace.dice)
        take(tables, rollout, None, chosen)
        play_on(tables, rollout, workspace.options, workspace.dice, last_round, rooms)
        total += judge(tables, thinking, rollout, workspace.rollout_shares, p, rooms, wants_bond)
    return total // max(1, rollouts)


@kernel
def montecarlo_reply(tables, policies, states, place, spare, options, workspace, seed, taken):
    """The React or target whose rollouts end best; everything else as the heuristic replies."""
    state = states[place]
    awaiting = whole(state.awaiting)
    aims = awaiting == codes.AWAIT_RESOURCE or awaiting == codes.AWAIT_MEMBER
    if not (aims or awaiting == codes.AWAIT_REACT):
        return heuristic_reply(tables, policies, state, options, workspace, seed, taken)
    workspace.luck[0] = stream_start(seed, STREAM_PLAYER, taken)
    base = draw64(workspace.luck, 0)
    read_board(tables, policies, state, whole(state.actor), workspace)
    found, best = NONE, whole(-1)
    for k in range(legal_actions(tables, state, options)):
        blank_row(workspace.scores, k)
        worth = worth_of(tables, policies, states, place, spare, workspace, whole(options[k]), base)
        workspace.scores[k, CHANCE] = worth
        workspace.scores[k, VALUE] = worth
        if worth > best:
            found, best = whole(options[k]), worth
    return found


@kernel
def montecarlo_turn(tables, policies, states, place, spare, workspace, seed, taken):
    """A turn planned with what rollouts say of the cards."""
    state = states[place]
    p = whole(state.actor)
    if flees(tables, policies, state, p, workspace, EVERY_CATEGORY):
        return action(codes.RETREAT, NONE)
    workspace.luck[0] = stream_start(seed, STREAM_PLAYER, taken)
    score_by_rollouts(tables, policies, states, place, spare, workspace, draw64(workspace.luck, 0))
    return finish_turn(tables, policies, state, p, workspace)


@kernel
def score_by_rollouts(tables, policies, states, place, spare, workspace, base):
    """Replace the scores of cards that can be played now by what rollouts say they add to ending the turn."""
    state = states[place]
    p = whole(state.actor)
    side = state.sides[p]
    scores = workspace.scores
    for row in range(side.hand_size):
        instance = whole(side.hand[row])
        # Energy and what is suppressed have no score
        if scores[row, VALUE] != 0 and can_play(tables, state, p, instance):
            if workspace.rolled_out == 0:
                done = action(codes.END_TURN, NONE)
                workspace.idle = worth_of(tables, policies, states, place, spare, workspace, done, base)
            workspace.rolled_out |= 1 << row
            played = action(codes.PLAY, instance)
            worth = worth_of(tables, policies, states, place, spare, workspace, played, base)
            gain = (worth - whole(workspace.idle)) * whole(policies.thinking.rollout_scale)
            scores[row, CHANCE] = worth
            scores[row, DAMAGE] = 0
            scores[row, GAIN] = gain
            scores[row, VALUE] = gain + (whole(scores[row, TRUST]) if workspace.stance != FIGHTING else NONE)
