"""What playing a card is worth to a side: the parts of its category, weighed by temperament and mode [GDD 7.1]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes as rules
from cartomancer.encounters.kernel.codes import NONE
from cartomancer.encounters.kernel.conditions import is_triggered
from cartomancer.encounters.kernel.energy import cost_of
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.bargains import score_offer, score_test
from cartomancer.players.kernel.codes import (
    BACKLASH,
    COLUMNS,
    COST,
    DAMAGE,
    GAIN,
    GUARD,
    KEYWORDS,
    LETHAL,
    MODE,
    TRIGGER,
    TRUST,
    VALUE,
)
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
    if category == rules.STRIKE or category == rules.EMPOWER:
        return whole(thinking.mode_attack[mode])
    if category == rules.TRAP or category == rules.OFFER or category == rules.TEST:
        return whole(thinking.mode_scheme[mode])
    return whole(thinking.mode_guard[mode])


@kernel
def blank_row(desk, row):
    """No parts yet."""
    for column in range(COLUMNS):
        desk[row, column] = 0


@kernel
def settle_row(thinking, face, mode, category, desk, row):
    """Sum the parts and weigh them. Trust at stake is what it is, whatever the mode."""
    plain = whole(desk[row, DAMAGE]) + whole(desk[row, LETHAL]) + whole(desk[row, KEYWORDS])
    plain += whole(desk[row, TRIGGER]) + whole(desk[row, GUARD]) + whole(desk[row, GAIN])
    weighed = plain * whole(face.weights[category]) // 1000 * mode_weight(thinking, mode, category) // 1000
    desk[row, MODE] = weighed - plain
    trust = whole(desk[row, TRUST]) * whole(face.weights[category]) // 1000
    desk[row, VALUE] = weighed + trust + whole(desk[row, BACKLASH])


@kernel
def score_card(tables, minds, face, state, p, instance, card, thoughts, row, courting):
    """Fill a row of the desk for one card of the hand."""
    desk = thoughts.desk
    blank_row(desk, row)
    category = whole(card.category)
    thinking = minds.thinking
    if category == rules.ENERGY:
        return
    desk[row, COST] = cost_of(state, p, card)
    triggered = is_triggered(tables, state, p, card)
    if triggered:
        thoughts.triggered |= 1 << row
    if category == rules.STRIKE:
        if points_of_trust(state) >= face.strikes_below:
            return  # hard suppression: not for any prize [GDD 7.3]
        score_strike(tables, minds, face, state, p, instance, card, thoughts, row, courting, triggered)
    elif category == rules.EMPOWER:
        if points_of_trust(state) < face.strikes_below or card.ward > 0:
            score_empower(minds, state, p, card, thoughts, row, triggered)
    elif category == rules.DISRUPT:
        score_disrupt(minds, state, p, card, desk, row)
    elif category == rules.COUNTER:
        score_counter(minds, state, p, card, thoughts, row)
    elif category == rules.TRAP:
        score_trap(minds, card, thoughts, row)
    elif category == rules.RESHAPE:
        score_reshape(tables, minds, state, p, card, thoughts, row, triggered)
    elif category == rules.OFFER:
        score_offer(tables, minds, state, p, card, thoughts, row, courting)
    elif category == rules.TEST:
        score_test(tables, minds, state, thoughts.shares, p, card, desk, row, courting)
    elif category == rules.REACT:
        if state.first != p:
            return  # the opponent has had its turn: nothing to keep energy for
        damage = whole(thinking.expected_strike) // 1000
        desk[row, GUARD] = react_worth(minds, thoughts, p, card, damage, NONE, triggered)
    settle_row(thinking, face, whole(thoughts.mode), category, desk, row)
