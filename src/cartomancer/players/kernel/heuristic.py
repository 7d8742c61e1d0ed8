"""The heuristic player: one decision from what its side may know [GDD 7.1].

It reads the state directly for speed, but nothing that is hidden from its side: tests deal the hidden part anew and
expect the same choice.
"""

from __future__ import annotations

from cartomancer.codes import STREAM_PLAYER
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import DUNGEON, NONE, ONE, VERB_SPAN, VISITOR
from cartomancer.encounters.kernel.conditions import is_triggered
from cartomancer.encounters.kernel.dilemma import may_restrain
from cartomancer.encounters.kernel.layout import card_of, numbered_card
from cartomancer.encounters.kernel.legal import action, can_play, legal_actions, may_retreat
from cartomancer.encounters.kernel.piles import bit, energy_held
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.bargains import accepts_offer, cooperation_chance, covenant_chance
from cartomancer.players.kernel.player_codes import AGGRESSIVE, CHANCE, COST, DAMAGE, FIGHTING, GUARD, LETHAL, VALUE
from cartomancer.players.kernel.reading import chance_to_win, mode_at, note_shares, reacts_unseen, stance_of
from cartomancer.players.kernel.sequencer import NO_ACTION, growth, plan_cards
from cartomancer.players.kernel.strikes import (
    damage_worth,
    member_worth,
    remaining,
    strike_keywords,
    strike_power,
    study_board,
)
from cartomancer.players.kernel.worth import blank_row, react_worth, score_card, settle_row
from cartomancer.rng import below, stream_start

MOST_ENERGY_KEPT = 4  # of an opening hand of seven


@kernel
def read_board(tables, policies, state, p, workspace):
    """Shares, chance, mode and stance, noted down for the rest of the decision."""
    note_shares(tables, state, workspace.shares)
    workspace.chance = chance_to_win(tables, state, workspace.shares, p)
    workspace.mode = mode_at(policies.thinking, whole(workspace.chance))
    if state.sides[p].betrayed > 0:  # fury lasts a few rounds: it is used or lost [Bond 7.2]
        workspace.mode = AGGRESSIVE
    workspace.stance = stance_of(tables, policies.sides[p].profiles[state.room], state, p)


@kernel
def score_hand(tables, policies, weights, state, p, workspace, courting, played):
    """What each card of the hand is worth now, category by category: threads of a GPU then score alike together.

    `played` has a bit for each category that the player plays at all. Whoever has betrayed has no other language left:
    every Strike that can be paid for is worth playing (D1).
    """
    side = state.sides[p]
    study_board(tables, policies, weights, state, p, workspace)
    workspace.answers = reacts_unseen(policies, state, 1 - p)
    workspace.triggered = 0
    workspace.rolled_out = 0
    size = whole(side.hand_size)
    categories = categories_in_hand(tables, state, p)
    for category in range(codes.ENERGY + 1):
        k = next_of(categories, size, category, NONE)
        while k < size:
            instance = whole(side.hand[k])
            card = card_of(tables, state, p, instance)
            score_card(tables, policies, weights, state, p, instance, card, workspace, k, courting)
            if category == codes.STRIKE and p == DUNGEON and state.sides[VISITOR].refuses:
                workspace.scores[k, VALUE] = max(ONE, whole(workspace.scores[k, VALUE]))
            if not played >> category & 1:
                blank_row(workspace.scores, k)
            k = next_of(categories, size, category, k + 1)
    if p == DUNGEON and not courting and points_of_trust(state) >= tables.rules.betrayal_min_trust:
        _keep_strongest_strike(tables, state, workspace, categories)


@kernel
def _keep_strongest_strike(tables, state, workspace, categories):
    """A betrayal is one Strike: the one of the highest effective power that can be paid for, ties by damage (D2)."""
    side = state.sides[DUNGEON]
    size = whole(side.hand_size)
    strongest, most, dealt = size, NONE, NONE
    k = next_of(categories, size, codes.STRIKE, NONE)
    while k < size:
        instance = whole(side.hand[k])
        card = card_of(tables, state, DUNGEON, instance)
        triggered = workspace.triggered >> k & 1
        power = strike_power(tables, state, DUNGEON, instance, card, strike_keywords(state, DUNGEON, card, triggered))
        power += whole(card.bonus) if triggered else NONE
        harm = whole(workspace.scores[k, DAMAGE])
        if can_play(tables, state, DUNGEON, instance) and (power > most or (power == most and harm > dealt)):
            strongest, most, dealt = k, power, harm
        k = next_of(categories, size, codes.STRIKE, k + 1)
    k = next_of(categories, size, codes.STRIKE, NONE)
    while strongest < size and k < size:
        if k != strongest:
            blank_row(workspace.scores, k)
        k = next_of(categories, size, codes.STRIKE, k + 1)


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


# --- replies: react, aim, accept, cooperate, keep a hand [GDD 7.1, 7.3; Bond 3.5, 6.2] --------------------------------


@kernel
def choose_react(tables, policies, weights, state, p, options, count, workspace):
    """The React that saves most, if that is worth its card and its energy; a lethal hit is always answered."""
    thinking = policies.thinking
    scores = workspace.scores
    study_board(tables, policies, weights, state, p, workspace)
    damage = whole(state.flight.damage)
    r = whole(state.flight.target)
    left = remaining(tables, state, p, r)
    if p == VISITOR and r == 0 and state.flight.seat >= 0:
        left = whole(state.members[state.flight.seat].vitality)
    blank_row(scores, NONE)
    found, best = NONE, NONE
    for k in range(1, count):
        card = card_of(tables, state, p, whole(options[k]) % VERB_SPAN)
        blank_row(scores, k)
        scores[k, GUARD] = react_worth(policies, workspace, p, card, damage, r, is_triggered(tables, state, p, card))
        if damage >= left:
            scores[k, LETHAL] = thinking.lethal
        settle_row(thinking, weights, whole(workspace.mode), codes.REACT, scores, k)
        scores[k, COST] = thinking.react_kept
        if state.first != p:  # its own turn is still to come this round
            scores[k, COST] += 500 * whole(card.cost)
        scores[k, VALUE] -= scores[k, COST]
        if scores[k, VALUE] > best:
            found, best = whole(k), whole(scores[k, VALUE])
    return found


@kernel
def choose_resource(tables, policies, weights, state, p, count, workspace):
    """The reducer where the Strike in flight is worth most."""
    flight = state.flight
    scores = workspace.scores
    study_board(tables, policies, weights, state, p, workspace)
    column = whole(workspace.odds[numbered_card(tables, flight.card).card_type])
    dealt = whole(flight.power) * whole(policies.dealt[flight.mode, column])
    found, best = NONE, whole(-1)
    for r in range(count):
        blank_row(scores, r)
        keywords = whole(flight.keywords)
        scores[r, DAMAGE] = damage_worth(tables, policies, state, workspace, p, dealt, whole(r), keywords)
        if flight.power >= workspace.left[r]:
            scores[r, LETHAL] = policies.thinking.lethal
        scores[r, VALUE] = scores[r, DAMAGE] + scores[r, LETHAL]
        if scores[r, VALUE] > best:
            found, best = whole(r), whole(scores[r, VALUE])
    return found


@kernel
def choose_member(policies, weights, state, options, count, scores, luck):
    """A member by chance, weighted: priorities, not certainties [GDD 18.2.4]."""
    total = NONE
    for k in range(count):
        blank_row(scores, k)
        weight = member_worth(policies, weights, state, whole(options[k]) % VERB_SPAN)
        scores[k, CHANCE] = weight
        scores[k, VALUE] = weight
        total += weight
    rest = below(luck, 0, total)
    for k in range(count):
        rest -= whole(scores[k, CHANCE])
        if rest < 0:
            return whole(k)
    return NONE


@kernel
def choose_by_chance(scores, likely, luck):
    """The first of two options with a probability in thousandths, else the second."""
    for k in range(2):
        blank_row(scores, k)
        scores[k, CHANCE] = 1000 - likely if k else likely
        scores[k, VALUE] = scores[k, CHANCE]
    return NONE if below(luck, 0, 1000) < likely else ONE


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
        return NONE if accepts_offer(tables, policies, weights, state, workspace) else ONE
    if awaiting == codes.AWAIT_COVENANT:
        likely = covenant_chance(policies.thinking, state, workspace.shares, p)
        return choose_by_chance(workspace.scores, likely, workspace.luck)
    if awaiting == codes.AWAIT_TEST:
        return choose_by_chance(workspace.scores, cooperation_chance(policies.thinking, state), workspace.luck)
    return ONE if count > 1 and energy_held(tables, state, p) > MOST_ENERGY_KEPT else NONE  # a mulligan


@kernel
def heuristic_reply(tables, policies, state, options, workspace, seed, taken):
    """The pending side's action where it needs no planning: a reply, or Energy that grows the pool; else NO_ACTION."""
    p = whole(state.actor)
    workspace.luck[0] = stream_start(seed, STREAM_PLAYER, taken)
    if state.awaiting == codes.AWAIT_TURN:
        return growth(tables, state, p)
    count = legal_actions(tables, state, options)
    if count == 1:
        return whole(options[0])
    read_board(tables, policies, state, p, workspace)
    weights = policies.sides[p].profiles[state.room].weights[workspace.stance]
    return whole(options[choose_reply(tables, policies, weights, state, p, options, count, workspace)])


# --- turns ------------------------------------------------------------------------------------------------------------


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
def flees(tables, policies, state, p, workspace, played):
    """Whether the fight looks lost and it may leave; else the hand is scored for the plan of the turn."""
    read_board(tables, policies, state, p, workspace)
    weights = policies.sides[p].profiles[state.room].weights[workspace.stance]
    if workspace.chance < weights.retreats_below and may_retreat(tables, state, p):
        return True
    score_hand(tables, policies, weights, state, p, workspace, workspace.stance != FIGHTING, played)
    return False


@kernel
def finish_turn(tables, policies, state, p, workspace):
    """Plan with the scores in the workspace: a card, restraint, or the end of the turn."""
    courting = workspace.stance != FIGHTING
    planned = plan_cards(tables, policies, state, p, workspace, courting)
    if planned != NO_ACTION:
        if planned // VERB_SPAN == codes.ACTIVATE or can_play(tables, state, p, planned % VERB_SPAN):
            return planned
    weights = policies.sides[p].profiles[state.room].weights[workspace.stance]
    return end_of_turn(tables, weights, state, p, courting)


@kernel
def end_of_turn(tables, weights, state, p, courting):
    """What is left to do when nothing is worth playing: hold a Strike back for trust, or play off the last Energy."""
    if courting and weights.restraint > 0 and may_restrain(tables, state, p):
        found = weakest_strike(tables, state, p)
        if found >= 0:
            return action(codes.RESTRAIN, found)
    return last_energy(tables, state, p)


@kernel
def last_energy(tables, state, p):
    """Playing the Energy that is all a side has left in hand, else the end of the turn: no plan has a use for it, and
    an empty hand is filled up to the least a side holds, a card more than would be drawn [GDD 4.2, 13 #8]."""
    side = state.sides[p]
    found = action(codes.END_TURN, NONE)
    if side.hand_size > tables.rules.least_hand - tables.rules.draw + 1:
        return found
    for k in range(side.hand_size):
        instance = whole(side.hand[k])
        if side.locked & bit(instance) or card_of(tables, state, p, instance).category != codes.ENERGY:
            return action(codes.END_TURN, NONE)
        found = action(codes.PLAY, instance)
    return found


@kernel
def heuristic_turn(tables, policies, state, workspace, played):
    """The first step of a turn that was planned with cards of these categories."""
    p = whole(state.actor)
    if flees(tables, policies, state, p, workspace, played):
        return action(codes.RETREAT, NONE)
    return finish_turn(tables, policies, state, p, workspace)
