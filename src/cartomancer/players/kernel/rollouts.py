"""The Monte Carlo player: rollouts score the options, the sequencer plans with the scores [GDD 7.2].

A rollout determinizes the hidden cards, plays on at random for some rounds and judges the position. The budget is a
number of rollouts for each option, never a time, so that it plays the same everywhere. Where a Bond is wanted, what the
heuristic thinks of trust is added: rollouts of a few rounds undervalue it. Offers, Covenants and Tests are answered by
their formulas: what a veiled Offer costs is not to be found out by rolling it out.
"""

from __future__ import annotations

import numpy as np

from cartomancer.codes import STREAM_PLAYER
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import NONE, STREAMS, VERB_SPAN, VISITOR
from cartomancer.encounters.kernel.layout import MOST_INSTANCES, card_of
from cartomancer.encounters.kernel.legal import action, can_play, legal_actions
from cartomancer.encounters.kernel.piles import bit
from cartomancer.encounters.kernel.protocol import advance, is_moving, take
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.heuristic import finish_turn, flees, read_board, reply
from cartomancer.players.kernel.player_codes import CHANCE, COURTING, DAMAGE, GAIN, SMART, TRUST, VALUE
from cartomancer.players.kernel.reading import count_of, lowest_share, mean_share, note_shares
from cartomancer.players.kernel.worth import blank_row
from cartomancer.rng import GOLDEN, below, draw64, scramble, stream_start

MOST_PLIES = 400  # a bound no rollout of a few rounds comes near


@kernel
def determinize(tables, state, p, dice):
    """Everything side p cannot see becomes something it could be: hands, Traps, piles, dice.

    The opponent's hidden cards are gathered and dealt to its hidden places afresh, Traps to the places of Traps.
    Nothing of how they lay before is left, so two positions that look alike to side p have the same rollouts.
    """
    for k in range(STREAMS):
        state.streams[k] = draw64(dice, 0)
    them = state.sides[1 - p]
    them.locked = 0
    them.last_type = codes.UNSET
    hidden = _hidden_cards(them)
    unseen_gone = count_of(whole(them.gone) & ~whole(them.known))
    seen_in_draw = _cards_of(them.draw, whole(them.draw_size)) & whole(them.known)
    traps = _traps_among(tables, state, 1 - p, hidden)
    hidden &= ~_deal(them, them.traps, whole(them.trap_count), traps, dice)
    hidden &= ~_deal(them, them.hand, whole(them.hand_size), hidden, dice)
    hidden &= ~_deal(them, them.discard, whole(them.discard_size), hidden, dice)
    gone = whole(them.gone) & whole(them.known)
    for _ in range(unseen_gone):
        drawn = _pick(hidden, dice)
        gone |= bit(drawn)
        hidden &= ~bit(drawn)
    them.gone = gone
    _lay_out(them, hidden | seen_in_draw)
    me = state.sides[p]
    _lay_out(me, _cards_of(me.draw, whole(me.draw_size)))


@kernel
def _cards_of(pile, size):
    """A pile as a set of instances."""
    found = NONE
    for k in range(size):
        found |= bit(pile[k])
    return found


@kernel
def _deal(side, pile, size, among, dice):
    """Put some of the instances of a set into the unseen places of a pile. Returns those."""
    dealt = NONE
    for k in range(size):
        if not whole(side.known) & bit(pile[k]):
            pile[k] = _pick(among & ~dealt, dice)
            dealt |= bit(pile[k])
    return dealt


@kernel
def _hidden_cards(side):
    """The instances of a side that its opponent has not seen, wherever they are."""
    found = _cards_of(side.hand, whole(side.hand_size)) | _cards_of(side.draw, whole(side.draw_size))
    found |= _cards_of(side.discard, whole(side.discard_size)) | _cards_of(side.traps, whole(side.trap_count))
    found |= whole(side.gone)
    return found & ~whole(side.known)


@kernel
def _traps_among(tables, state, p, cards):
    """The Traps of a set of instances."""
    found = NONE
    for instance in range(MOST_INSTANCES):
        if cards & bit(instance) and card_of(tables, state, p, whole(instance)).category == codes.TRAP:
            found |= bit(instance)
    return found


@kernel
def _pick(among, dice):
    """A random instance of a set."""
    rest = below(dice, 0, count_of(among))
    for instance in range(MOST_INSTANCES):
        if among & bit(instance):
            if rest == 0:
                return whole(instance)
            rest -= 1
    return NONE


@kernel
def _lay_out(side, cards):
    """A draw pile with these instances, in the order of the deck list."""
    size = 0
    for instance in range(MOST_INSTANCES):
        if cards & bit(instance):
            side.draw[size] = instance
            size += 1


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
    wants_bond = workspace.stance == COURTING
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
def reply_with_rollouts(tables, policies, states, place, spare, options, workspace, seed, taken):
    """`reply`, where players may roll out: then the reply whose rollouts end best."""
    state = states[place]
    awaiting = whole(state.awaiting)
    aims = awaiting == codes.AWAIT_RESOURCE or awaiting == codes.AWAIT_MEMBER
    if policies.sides[state.actor].kind != SMART or not (aims or awaiting == codes.AWAIT_REACT):
        return reply(tables, policies, states, place, spare, options, workspace, seed, taken)
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
def plan_turn_with_rollouts(tables, policies, states, place, spare, options, workspace, seed, taken):
    """`plan_turn`, where players may roll out: with what rollouts say of the cards."""
    state = states[place]
    p = whole(state.actor)
    if flees(tables, policies, state, p, workspace):
        return action(codes.RETREAT, NONE)
    if policies.sides[p].kind == SMART:
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
            scores[row, VALUE] = gain + (whole(scores[row, TRUST]) if workspace.stance == COURTING else NONE)
