"""Cards that belong together: what playing one before the other adds [GDD 4.4, 7.1]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import NONE
from cartomancer.jit import kernel, whole


@kernel
def sets_up(card, when):
    """Whether playing a card brings about a condition."""
    category = whole(card.category)
    if when == codes.OPPONENT_ENTANGLED:
        return category == codes.STRIKE and card.keywords & codes.ENTANGLE != 0
    if when == codes.OPPONENT_ERODED:
        return category == codes.STRIKE and card.keywords & codes.ERODE != 0
    if when == codes.OPPONENT_DISRUPTED:
        return category == codes.DISRUPT
    if when == codes.SELF_EMPOWERED:
        return category == codes.EMPOWER
    if when == codes.SELF_GUARDED:
        return (category == codes.RESHAPE or category == codes.EMPOWER) and (card.ward > 0 or card.fortify > 0)
    if when == codes.TRAP_SET:
        return category == codes.TRAP
    if when == codes.OPPONENT_EXPOSED:
        return category == codes.OFFER and card.price_kind == codes.EXPOSURE
    return False


@kernel
def gains_from_others(card):
    """Whether a card may gain from one played before it; `pair_bonus` says how much."""
    return card.when != codes.ALWAYS or card.category == codes.STRIKE or card.category == codes.OFFER


@kernel
def pair_bonus(tables, policies, state, p, workspace, first, second, one, two):
    """What the card at the second place gains from the first one's having been played."""
    thinking = policies.thinking
    bonus = NONE
    dealt = whole(policies.dealt[0, workspace.odds[two.card_type]])
    if two.when != codes.ALWAYS and sets_up(one, whole(two.when)) and not workspace.triggered >> second & 1:
        worth = whole(two.bonus) * (dealt if two.category == codes.STRIKE else whole(1000))
        if two.bonus_advantage:
            worth += whole(thinking.advantage)
        if one.category == codes.STRIKE:  # it must hit first
            worth = worth * whole(policies.hits[0, workspace.odds[one.card_type]]) // 1000
        bonus += worth
    if two.category == codes.STRIKE:
        if one.category == codes.EMPOWER:
            bonus += whole(workspace.buffs[first]) * (1000 - whole(thinking.empower_kept)) // 1000
        if two.keywords & codes.RESONATE and one.card_type == two.card_type:
            if state.sides[p].last_type != two.card_type:
                bonus += whole(tables.rules.resonate) * dealt
    elif two.category == codes.OFFER and one.category == codes.TRAP and one.springs == codes.ON_OFFER_ACCEPTED:
        if not two.covenant:
            bonus += whole(one.power) * whole(workspace.likely[second])
    return bonus
