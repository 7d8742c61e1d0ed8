"""Answers to what the other side does: react, aim, accept, cooperate, keep a hand [GDD 7.1, 7.3; Bond 3.5, 6.2]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import NONE, ONE, VERB_SPAN, VISITOR
from cartomancer.encounters.kernel.conditions import is_triggered
from cartomancer.encounters.kernel.layout import card_of, numbered_card
from cartomancer.encounters.kernel.piles import energy_held
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.player_codes import CHANCE, COST, DAMAGE, GUARD, LETHAL, VALUE
from cartomancer.players.kernel.strikes import damage_worth, member_worth, remaining, study_board
from cartomancer.players.kernel.support import react_worth
from cartomancer.players.kernel.worth import blank_row, settle_row
from cartomancer.rng import below

MOST_ENERGY_KEPT = 4  # of an opening hand of seven


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
        scores[k, COST] = thinking.activation
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
def choose_mulligan(tables, state, p, count):
    """Deal again when the hand is mostly Energy."""
    return ONE if count > 1 and energy_held(tables, state, p) > MOST_ENERGY_KEPT else NONE
