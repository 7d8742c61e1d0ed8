"""What playing a card is worth to a side: the parts of its category, weighed by temperament and mode [GDD 7.1]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import NONE
from cartomancer.encounters.kernel.conditions import is_triggered
from cartomancer.encounters.kernel.energy import cost_of
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel import player_codes as part
from cartomancer.players.kernel.bargains import score_offer, score_test
from cartomancer.players.kernel.strikes import score_strike
from cartomancer.players.kernel.support import (
    react_worth,
    score_counter,
    score_disrupt,
    score_empower,
    score_reshape,
    score_trap,
)


@kernel
def mode_weight(thinking, mode, category):
    """What a strategic mode makes of a category."""
    if category == codes.STRIKE or category == codes.EMPOWER:
        return whole(thinking.mode_attack[mode])
    if category == codes.TRAP or category == codes.OFFER or category == codes.TEST:
        return whole(thinking.mode_scheme[mode])
    return whole(thinking.mode_guard[mode])


@kernel
def blank_row(scores, row):
    """No parts yet."""
    for column in range(part.COLUMNS):
        scores[row, column] = 0


@kernel
def settle_row(thinking, weights, mode, category, scores, row):
    """Sum the parts and weigh them. Trust at stake is what it is, whatever the mode."""
    plain = whole(scores[row, part.DAMAGE]) + whole(scores[row, part.LETHAL]) + whole(scores[row, part.KEYWORDS])
    plain += whole(scores[row, part.TRIGGER]) + whole(scores[row, part.GUARD]) + whole(scores[row, part.GAIN])
    weighed = plain * whole(weights.categories[category]) // 1000 * mode_weight(thinking, mode, category) // 1000
    scores[row, part.MODE] = weighed - plain
    trust = whole(scores[row, part.TRUST]) * whole(weights.categories[category]) // 1000
    scores[row, part.VALUE] = weighed + trust + whole(scores[row, part.BACKLASH])


@kernel
def score_card(tables, policies, weights, state, p, instance, card, workspace, row, courting):
    """Fill a row of the scores for one card of the hand."""
    scores = workspace.scores
    blank_row(scores, row)
    category = whole(card.category)
    thinking = policies.thinking
    if category == codes.ENERGY:
        return
    scores[row, part.COST] = cost_of(state, p, card)
    triggered = is_triggered(tables, state, p, card)
    if triggered:
        workspace.triggered |= 1 << row
    if category == codes.STRIKE:
        if points_of_trust(state) >= weights.strikes_below:
            return  # hard suppression: not for any prize [GDD 7.3]
        score_strike(tables, policies, weights, state, p, instance, card, workspace, row, courting, triggered)
    elif category == codes.EMPOWER:
        if points_of_trust(state) < weights.strikes_below or card.ward > 0:
            score_empower(policies, state, p, card, workspace, row, triggered)
    elif category == codes.DISRUPT:
        score_disrupt(policies, state, p, card, scores, row)
    elif category == codes.COUNTER:
        score_counter(policies, state, p, card, workspace, row)
    elif category == codes.TRAP:
        score_trap(policies, card, workspace, row)
    elif category == codes.RESHAPE:
        score_reshape(tables, policies, state, p, card, workspace, row, triggered)
    elif category == codes.OFFER:
        score_offer(tables, policies, state, p, card, workspace, row, courting)
    elif category == codes.TEST:
        score_test(tables, policies, state, workspace.shares, p, card, scores, row, courting)
    elif category == codes.REACT:
        if state.first != p:
            return  # the opponent has had its turn: nothing to keep energy for
        damage = whole(thinking.expected_strike) // 1000
        scores[row, part.GUARD] = react_worth(policies, workspace, p, card, damage, NONE, triggered)
    settle_row(thinking, weights, whole(workspace.mode), category, scores, row)
