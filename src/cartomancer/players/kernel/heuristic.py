"""The heuristic player: one decision from what its side may know [GDD 7.1].

It reads the state directly for speed, but nothing that is hidden from its side: tests deal the hidden part anew and
expect the same choice.
"""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import NONE, VERB_SPAN
from cartomancer.encounters.kernel.dilemma import may_restrain
from cartomancer.encounters.kernel.layout import card_of
from cartomancer.encounters.kernel.legal import action, can_play, legal_actions, may_retreat
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.bargains import accepts_offer, cooperation_chance, covenant_chance
from cartomancer.players.kernel.player_codes import COURTING
from cartomancer.players.kernel.reading import chance_to_win, mode_at, note_shares, reacts_unseen, stance_of
from cartomancer.players.kernel.replies import (
    choose_by_chance,
    choose_member,
    choose_mulligan,
    choose_react,
    choose_resource,
)
from cartomancer.players.kernel.sequencer import NO_ACTION, growth, plan_cards
from cartomancer.players.kernel.strikes import study_board
from cartomancer.players.kernel.worth import score_card


@kernel
def weakest_strike(tables, state, p):
    """The weakest Strike in hand, or -1."""
    side = state.sides[p]
    found, least = whole(-1), whole(99)
    for k in range(side.hand_size):
        card = card_of(tables, state, p, whole(side.hand[k]))
        if card.category == codes.STRIKE and card.power < least:
            found, least = whole(side.hand[k]), whole(card.power)
    return found


@kernel
def score_hand(tables, policies, weights, state, p, workspace, courting):
    """What each card of the hand is worth now, category by category: threads of a GPU then score alike together."""
    side = state.sides[p]
    study_board(tables, policies, weights, state, p, workspace)
    workspace.answers = reacts_unseen(policies, state, 1 - p)
    workspace.triggered = 0
    size = whole(side.hand_size)
    categories = categories_in_hand(tables, state, p)
    for category in range(codes.ENERGY + 1):
        k = next_of(categories, size, category, NONE)
        while k < size:
            instance = whole(side.hand[k])
            card = card_of(tables, state, p, instance)
            score_card(tables, policies, weights, state, p, instance, card, workspace, k, courting)
            k = next_of(categories, size, category, k + 1)


@kernel
def categories_in_hand(tables, state, p):
    """The categories of the cards in hand, four bits each."""
    side = state.sides[p]
    found = NONE
    for k in range(side.hand_size):
        found |= whole(card_of(tables, state, p, whole(side.hand[k])).category) << 4 * k
    return found


@kernel
def next_of(categories, size, category, k):
    """The next card of a category in the hand from place k on."""
    while k < size and categories >> 4 * k & 15 != category:
        k += 1
    return k


@kernel
def finish_turn(tables, policies, weights, state, p, workspace, courting):
    """Plan with the scores in the workspace: a card, restraint, or the end of the turn."""
    planned = plan_cards(tables, policies, state, p, workspace, courting)
    if planned != NO_ACTION:
        if planned // VERB_SPAN == codes.ACTIVATE or can_play(tables, state, p, planned % VERB_SPAN):
            return planned
    if courting and weights.restraint > 0 and may_restrain(tables, state, p):
        found = weakest_strike(tables, state, p)
        if found >= 0:
            return action(codes.RESTRAIN, found)
    return action(codes.END_TURN, NONE)


@kernel
def read_board(tables, policies, state, p, workspace):
    """Shares, chance, mode and stance, noted down for the rest of the decision."""
    note_shares(tables, state, workspace.shares)
    workspace.chance = chance_to_win(tables, state, workspace.shares, p)
    workspace.mode = mode_at(policies.thinking, whole(workspace.chance))
    workspace.stance = stance_of(tables, policies.sides[p].profiles[state.room], state, p)


@kernel
def wants_out(tables, weights, state, p, workspace):
    """Whether to retreat: it is allowed, and the fight looks lost."""
    return workspace.chance < weights.retreats_below and may_retreat(tables, state, p)


@kernel
def choose_reply(tables, policies, weights, state, p, options, count, workspace):
    """Every decision but a turn's."""
    awaiting = whole(state.awaiting)
    if awaiting == codes.AWAIT_REACT:
        return choose_react(tables, policies, weights, state, p, options, count, workspace)
    if awaiting == codes.AWAIT_RESOURCE:
        return choose_resource(tables, policies, weights, state, p, count, workspace)
    if awaiting == codes.AWAIT_MEMBER:
        return choose_member(policies, weights, state, options, count, workspace.scores, workspace.luck)
    if awaiting == codes.AWAIT_OFFER:
        return NONE if accepts_offer(tables, policies, weights, state, workspace.shares) else codes.ONE
    if awaiting == codes.AWAIT_COVENANT:
        likely = covenant_chance(policies.thinking, state, workspace.shares, p)
        return choose_by_chance(workspace.scores, likely, workspace.luck)
    if awaiting == codes.AWAIT_TEST:
        return choose_by_chance(workspace.scores, cooperation_chance(policies.thinking, state), workspace.luck)
    return choose_mulligan(tables, state, p, count)


@kernel
def heuristic_reply(tables, policies, state, options, workspace):
    """What needs no planning: a reply, or Energy that grows the pool; NO_ACTION when the turn must be planned."""
    p = whole(state.actor)
    if state.awaiting == codes.AWAIT_TURN:
        return growth(tables, state, p)
    count = legal_actions(tables, state, options)
    if count == 1:
        return whole(options[0])
    read_board(tables, policies, state, p, workspace)
    weights = policies.sides[p].profiles[state.room].weights[workspace.stance]
    return whole(options[choose_reply(tables, policies, weights, state, p, options, count, workspace)])


@kernel
def heuristic_turn(tables, policies, state, workspace):
    """The first step of a turn that was planned."""
    p = whole(state.actor)
    read_board(tables, policies, state, p, workspace)
    weights = policies.sides[p].profiles[state.room].weights[workspace.stance]
    if wants_out(tables, weights, state, p, workspace):
        return action(codes.RETREAT, NONE)
    courting = workspace.stance == COURTING
    score_hand(tables, policies, weights, state, p, workspace, courting)
    return finish_turn(tables, policies, weights, state, p, workspace, courting)
