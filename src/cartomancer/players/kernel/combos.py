"""Cards that belong together: what playing one before the other adds [GDD 4.4, 7.1]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes as rules
from cartomancer.encounters.kernel.codes import NONE
from cartomancer.encounters.kernel.conditions import is_triggered
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.bargains import likely_accepted
from cartomancer.players.kernel.reading import odds_at
from cartomancer.players.kernel.support import empower_worth


@kernel
def sets_up(card, when):
    """Whether playing a card brings about a condition."""
    category = whole(card.category)
    if when == rules.OPPONENT_ENTANGLED:
        return category == rules.STRIKE and card.keywords & rules.ENTANGLE != 0
    if when == rules.OPPONENT_ERODED:
        return category == rules.STRIKE and card.keywords & rules.ERODE != 0
    if when == rules.OPPONENT_DISRUPTED:
        return category == rules.DISRUPT
    if when == rules.SELF_EMPOWERED:
        return category == rules.EMPOWER
    if when == rules.SELF_GUARDED:
        return (category == rules.RESHAPE or category == rules.EMPOWER) and (card.ward > 0 or card.fortify > 0)
    if when == rules.TRAP_SET:
        return category == rules.TRAP
    if when == rules.OPPONENT_EXPOSED:
        return category == rules.OFFER and card.price_kind == rules.EXPOSURE
    return False


@kernel
def gains_from_others(card):
    """Whether a card may gain from one played before it; `pair_bonus` says how much."""
    return card.when != rules.ALWAYS or card.category == rules.STRIKE or card.category == rules.OFFER


@kernel
def pair_bonus(tables, minds, state, shares, p, one, two):
    """What the second card gains from the first one's having been played."""
    thinking = minds.thinking
    bonus = NONE
    if two.when != rules.ALWAYS and sets_up(one, whole(two.when)) and not is_triggered(tables, state, p, two):
        worth = whole(two.bonus) * 1000
        if two.category == rules.STRIKE:
            worth = whole(two.bonus) * whole(minds.dealt[0, odds_at(tables, state, p, whole(two.card_type))])
        if two.bonus_advantage:
            worth += whole(thinking.advantage)
        if one.category == rules.STRIKE:  # it must hit first
            worth = worth * whole(minds.hits[0, odds_at(tables, state, p, whole(one.card_type))]) // 1000
        bonus += worth
    if two.category == rules.STRIKE:
        if one.category == rules.EMPOWER:
            bonus += empower_worth(tables, minds, state, p, one) * (1000 - whole(thinking.empower_kept)) // 1000
        if two.keywords & rules.RESONATE and one.card_type == two.card_type:
            if state.sides[p].last_type != two.card_type:
                dealt = whole(minds.dealt[0, odds_at(tables, state, p, whole(two.card_type))])
                bonus += whole(tables.rules.resonate) * dealt
    elif two.category == rules.OFFER and one.category == rules.TRAP and one.springs == rules.ON_OFFER_ACCEPTED:
        if not two.covenant:
            bonus += whole(one.power) * likely_accepted(tables, minds, state, shares, p, two)
    return bonus
