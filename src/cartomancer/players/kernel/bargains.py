"""Offers, Tests and Covenants: what they are worth to make, and whether to accept [Bond 3.5, 6.2, 8; GDD 7.3]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import DUNGEON, NONE, ONE, REDUCERS, UNSET
from cartomancer.encounters.kernel.layout import numbered_card
from cartomancer.encounters.kernel.offers import binding_percent, is_veiled
from cartomancer.encounters.kernel.reducers import weakest_reducer
from cartomancer.encounters.kernel.trust import BINDING_TIER, points_of_trust, trust_tier
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.player_codes import BACKLASH, DAMAGE, GAIN, GUARD, SCHEMING, TRUST, VALUE
from cartomancer.players.kernel.reading import holds_strike, low_reducers
from cartomancer.players.kernel.strikes import scarcity


@kernel
def benefit_score(state, acceptor, card):
    """What an Offer gives its acceptor, in thousandths of a point: no more than is missing."""
    side = state.sides[acceptor]
    points = NONE
    if card.heal > 0 or card.gives_full:
        r = weakest_reducer(state, acceptor, UNSET) if card.heal_at == codes.WEAKEST else whole(card.heal_at)
        missing = max(NONE, whole(side.starts[r]) - whole(side.reducers[r]))
        points = missing if card.gives_full else min(missing, whole(card.heal))
    return 1000 * (points + whole(card.ward) + whole(card.draws))


@kernel
def cost_score(card):
    """What an Offer takes from its acceptor, in thousandths of a point."""
    amount = 1000 * whole(card.price)
    kind = whole(card.price_kind)
    if kind == codes.BINDING:
        return amount * whole(card.price_rounds)
    if kind == codes.EXPOSURE or kind == codes.EXTRACTION:
        return amount // 2
    if kind == codes.DEPENDENCY:
        return 500 * whole(card.heal)
    return amount


@kernel
def low_share(thinking, shares, p):
    """Thousandths of the reducers that are low: resource pressure [Bond 3.5]."""
    return low_reducers(shares, p, whole(thinking.low_percent)) * 1000 // REDUCERS


@kernel
def accepts_offer(tables, policies, weights, state, workspace):
    """The acceptance formulas: a transparent trade on its net, a veiled one on belief [Bond 3.5].

    What accepting brings stands in the first row of the scores, what it must pass in the second.
    """
    thinking = policies.thinking
    scores = workspace.scores
    acceptor = whole(state.actor)
    card = numbered_card(tables, state.flight.card)
    benefit = benefit_score(state, acceptor, card)
    brings = benefit + whole(weights.openness) * whole(card.trust)
    pressure = low_share(thinking, workspace.shares, acceptor)
    cost = NONE
    if is_veiled(tables, state, whole(state.flight.striker), card):
        belief = whole(thinking.trust_factor) + whole(thinking.trust_factor_step) * points_of_trust(state)
        benefit = benefit * belief // 1000
        brings = brings * belief // 1000
        needed = whole(thinking.risk) - whole(thinking.risk_relief) * pressure // 1000
    else:
        cost = cost_score(card)
        needed = max(NONE, whole(thinking.threshold) - whole(thinking.threshold_relief) * pressure // 1000)
    scores[0, GAIN] = benefit
    scores[0, TRUST] = brings - benefit
    scores[0, BACKLASH] = -cost
    scores[0, VALUE] = brings - cost
    scores[1, VALUE] = needed + whole(weights.scepticism)
    return scores[0, VALUE] > scores[1, VALUE]


@kernel
def covenant_chance(thinking, state, shares, acceptor):
    """Trust times desperation times suspicion, in thousandths [Bond 6.2]."""
    chance = whole(thinking.covenant_factor) + whole(thinking.covenant_factor_step) * points_of_trust(state)
    low = low_reducers(shares, acceptor, whole(thinking.low_percent))
    chance = chance * (1000 + whole(thinking.covenant_desperation) * low) // 1000
    if state.sides[1 - acceptor].strikes > 0:
        chance = chance * whole(thinking.covenant_suspicion) // 1000
    return min(whole(1000), chance)


@kernel
def cooperation_chance(thinking, state):
    """How likely a computer player cooperates in a Test, in thousandths (E3)."""
    chance = whole(thinking.cooperation) + whole(thinking.cooperation_step) * points_of_trust(state)
    return min(whole(thinking.cooperation_most), chance)


@kernel
def likely_accepted(tables, policies, state, shares, p, card, net):
    """A guess at the chance that the opponent takes an Offer whose benefit less its cost is this."""
    if card.covenant:
        return covenant_chance(policies.thinking, state, shares, 1 - p)
    if p == DUNGEON and trust_tier(tables, state) >= BINDING_TIER:
        return whole(1000)
    return max(whole(200), min(whole(900), 400 + net // 8 + 40 * points_of_trust(state)))


@kernel
def score_offer(tables, policies, state, p, card, workspace, row, courting):
    """An Offer: trust to whoever wants a Bond, harm through its price to whoever does not; its benefit helps a foe."""
    thinking = policies.thinking
    scores = workspace.scores
    if state.sides[1 - p].refuses:
        return
    benefit = benefit_score(state, 1 - p, card)
    cost = cost_score(card)
    percent = binding_percent(tables, state, p, card)
    benefit, cost = benefit * percent // 100, cost * percent // 100
    likely = likely_accepted(tables, policies, state, workspace.shares, p, card, benefit - cost)
    workspace.likely[row] = likely
    if courting:
        if card.covenant:
            # whoever schemes means to strike instead [Bond 6.4]
            if workspace.stance != SCHEMING or not holds_strike(tables, state, p):
                scores[row, TRUST] = whole(thinking.covenant)
            return
        scores[row, TRUST] = (500 + likely // 2) * whole(card.trust) * whole(thinking.trust) // 1000
    else:
        if card.covenant:
            return
        scores[row, BACKLASH] = -benefit * likely // 1000
    kind = whole(card.price_kind)
    if workspace.stance == SCHEMING and (kind == codes.EXPOSURE or kind == codes.BINDING):
        cost = cost * whole(thinking.scheme) // 1000
    if kind == codes.FLAT or kind == codes.BINDING:
        scores[row, DAMAGE] = cost * whole(workspace.urgency[card.price_at]) // 1000 * likely // 1000
    elif kind == codes.EXTRACTION:
        scores[row, GUARD] = whole(card.price) * 1000 * likely // 1000
    else:
        scores[row, GAIN] = cost * likely // 1000


@kernel
def score_test(tables, policies, state, shares, p, card, scores, row, courting):
    """A Test: two points of trust if the other cooperates, best tried where that is neither doubtful nor sure."""
    thinking = policies.thinking
    if not courting:
        return
    chance = cooperation_chance(thinking, state)
    worth = whole(tables.rules.cooperation_trust) * whole(thinking.trust) * chance // 1000
    worth -= points_of_trust(state) * whole(thinking.trust) // 2 * (1000 - chance) // 1000
    if chance < thinking.test_window[0] or chance > thinking.test_window[1]:
        worth = worth * whole(thinking.test_outside) // 1000
    scores[row, TRUST] = max(ONE, worth)
    scores[row, BACKLASH] = -whole(card.exposure) * scarcity(shares, p, whole(card.exposure_at)) * chance // 2000
