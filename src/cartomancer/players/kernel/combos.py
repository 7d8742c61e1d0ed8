"""Cards that belong together: what playing one before the other adds [GDD 4.4, 7.1]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes as rules
from cartomancer.encounters.kernel.codes import NONE
from cartomancer.jit import kernel, whole


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
def pair_bonus(tables, minds, state, p, thoughts, first, second, one, two):
    """What the card at the second place gains from the first one's having been played."""
    thinking = minds.thinking
    bonus = NONE
    dealt = whole(minds.dealt[0, thoughts.odds[two.card_type]])
    if two.when != rules.ALWAYS and sets_up(one, whole(two.when)) and not thoughts.triggered >> second & 1:
        worth = whole(two.bonus) * (dealt if two.category == rules.STRIKE else whole(1000))
        if two.bonus_advantage:
            worth += whole(thinking.advantage)
        if one.category == rules.STRIKE:  # it must hit first
            worth = worth * whole(minds.hits[0, thoughts.odds[one.card_type]]) // 1000
        bonus += worth
    if two.category == rules.STRIKE:
        if one.category == rules.EMPOWER:
            bonus += whole(thoughts.buffs[first]) * (1000 - whole(thinking.empower_kept)) // 1000
        if two.keywords & rules.RESONATE and one.card_type == two.card_type:
            if state.sides[p].last_type != two.card_type:
                bonus += whole(tables.rules.resonate) * dealt
    elif two.category == rules.OFFER and one.category == rules.TRAP and one.springs == rules.ON_OFFER_ACCEPTED:
        if not two.covenant:
            bonus += whole(one.power) * whole(thoughts.likely[second])
    return bonus
