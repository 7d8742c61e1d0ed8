"""What playing a card is worth to a side: the parts of its category, weighed by temperament and mode [GDD 7.1].

Strikes and bargains have modules of their own; what other cards help and hinder is here.
"""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import DUNGEON, NOBODY, NONE, ONE, REDUCERS, VISITOR
from cartomancer.encounters.kernel.conditions import is_disrupted, is_triggered
from cartomancer.encounters.kernel.energy import cost_of
from cartomancer.encounters.kernel.party import rising_member, weakest_member
from cartomancer.encounters.kernel.reducers import share_of
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel import player_codes as part
from cartomancer.players.kernel.bargains import score_offer, score_test
from cartomancer.players.kernel.player_codes import SCHEMING
from cartomancer.players.kernel.strikes import fortify_worth, handicap_worth, prying_worth, scarcity, score_strike

# what helps and hinders could do so more in another turn, so using it up has a price; an Empower alone has one already
_SUPPORT = (codes.DISRUPT, codes.COUNTER, codes.TRAP, codes.RESHAPE)


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
        score_disrupt(tables, policies, state, p, card, scores, row)
    elif category == codes.COUNTER:
        score_counter(tables, policies, state, p, card, workspace, row)
    elif category == codes.TRAP:
        if workspace.stance == SCHEMING and card.springs != codes.ON_OFFER_ACCEPTED:
            return  # what would spring on anything else could give the game away
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
    if category in _SUPPORT:
        scores[row, part.BACKLASH] -= whole(thinking.support_kept)
    settle_row(thinking, weights, whole(workspace.mode), category, scores, row)


# --- Empower, Disrupt, Counter, React, Trap, Reshape ------------------------------------------------------------------


@kernel
def empower_worth(policies, state, workspace, p, card, triggered):
    """What the next Strike gains: power times the chance it tells, advantage, keywords."""
    thinking = policies.thinking
    power = whole(card.power)
    advantage = card.advantage != 0
    keywords = whole(card.keywords)
    if triggered:
        power += whole(card.bonus) * whole(thinking.trigger) // 1000
        keywords |= whole(card.bonus_keywords)
        advantage = advantage or card.bonus_advantage != 0
    worth = power * whole(policies.dealt[0, workspace.odds[card.card_type]])
    if advantage and not state.sides[p].empower_advantage:
        worth += whole(thinking.advantage)
    if keywords & codes.ENTANGLE:
        worth += whole(thinking.entangle) // 2
    if keywords & codes.ERODE:
        worth += whole(thinking.erode) // 2
    if keywords & codes.DRAIN:
        worth += whole(thinking.drain)
    if keywords & codes.OVERWHELM:
        worth += whole(thinking.overwhelm)
    return worth


@kernel
def score_empower(policies, state, p, card, workspace, row, triggered):
    """An Empower by itself: it waits for a Strike, and the opponent may take it."""
    worth = empower_worth(policies, state, workspace, p, card, triggered)
    workspace.buffs[row] = worth
    if state.sides[p].empowered:
        worth //= 2
    workspace.scores[row, part.GAIN] = worth * whole(policies.thinking.empower_kept) // 1000
    if card.ward > state.sides[p].ward:
        workspace.scores[row, part.GUARD] = whole(card.ward) * whole(policies.thinking.ward)


@kernel
def score_disrupt(tables, policies, state, p, card, scores, row):
    """A Disrupt spoils the opponent's next Strike."""
    thinking = policies.thinking
    scores[row, part.GUARD] = handicap_worth(thinking, state.sides[1 - p], card)
    if p == DUNGEON and rising_member(tables, state) != NOBODY:
        scores[row, part.GUARD] += whole(thinking.restore)
    scores[row, part.GAIN] = prying_worth(thinking, state, p, card)


@kernel
def score_counter(tables, policies, state, p, card, workspace, row):
    """A Counter: the buff it takes (or the burden it lifts), its chip, what it adds."""
    thinking = policies.thinking
    them = state.sides[1 - p]
    worth = NONE
    chip = whole(card.chip)
    if p == DUNGEON and rising_member(tables, state) != NOBODY:
        worth = whole(thinking.restore)
    elif them.empowered:
        worth = whole(thinking.buff) + whole(them.empower_power) * 700
        if them.empower_advantage:
            worth += whole(thinking.advantage)
        if card.steal:
            worth += worth // 2
        chip += whole(card.punish)
    elif is_disrupted(state.sides[p]):
        worth = whole(thinking.buff)
    if worth > 0:
        if card.keywords & codes.ENTANGLE:
            worth += whole(thinking.entangle)
        worth += fortify_worth(thinking, card)
    if card.disarm and them.trap_count > 0:
        worth += whole(thinking.disarm)
    workspace.scores[row, part.GUARD] = worth
    workspace.scores[row, part.GAIN] = prying_worth(thinking, state, p, card)
    if card.chip > 0:
        workspace.scores[row, part.DAMAGE] = chip * whole(workspace.urgency[card.chip_at])


@kernel
def react_worth(policies, workspace, p, card, damage, r, triggered):
    """Expected points a React prevents of some damage to a reducer, and what it adds, in thousandths of worth."""
    power = whole(card.power) + (whole(card.bonus) if triggered else NONE)
    prevented = min(damage * 1000, power * whole(policies.dealt[0, workspace.odds[card.card_type]]))
    return prevented * scarcity(workspace.shares, p, r) // 1000 + fortify_worth(policies.thinking, card)


@kernel
def score_trap(policies, card, workspace, row):
    """A Trap: its harm, as often as it is likely to spring."""
    thinking = policies.thinking
    harm = whole(card.power) * whole(workspace.urgency[card.target])
    if card.keywords & codes.ENTANGLE:
        harm += whole(thinking.entangle)
    if card.erode_at >= 0:
        harm += whole(thinking.erode)
    if card.disadvantage:
        harm += whole(thinking.advantage)
    harm += whole(card.energy_loss) * whole(thinking.energy_loss)
    likely = whole(thinking.trap)
    if card.springs == codes.ON_STRIKE:
        likely = likely * 3 // 2
    workspace.scores[row, part.GAIN] = harm * likely // 1000


@kernel
def heal_worth(tables, thinking, state, shares, p, r, points):
    """Points won back, no more than are missing, dearer the less is left; what would be wasted could heal later."""
    side = state.sides[p]
    missing = whole(side.starts[r]) - whole(side.reducers[r])
    share = whole(shares[p, r])
    if p == VISITOR and r == 0:
        seat = weakest_member(tables, state)
        if seat < 0:
            return NONE
        missing = wounds(tables, state)
        share = share_of(state.members[seat].vitality, state.members[seat].start)
    worth = min(points, missing) * whole(thinking.heal) * (2500 - 2 * share) // 1000
    return worth - max(NONE, points - missing) * whole(thinking.heal_wasted)


@kernel
def wounds(tables, state):
    """Points that healing can give back to the members who stand."""
    missing = NONE
    for seat in range(tables.visitor.member_count):
        member = state.members[seat]
        if not member.down and not member.pierced:
            missing += whole(member.start) - whole(member.vitality)
    return missing


@kernel
def score_reshape(tables, policies, state, p, card, workspace, row, triggered):
    """A Reshape: healing, guards, calm, relief, cards."""
    thinking = policies.thinking
    me = state.sides[p]
    guard = NONE
    if card.heal > 0:
        r = whole(workspace.weakest[p]) if card.heal_at == codes.WEAKEST else whole(card.heal_at)
        points = whole(card.heal) + (whole(card.bonus) if triggered else NONE)
        guard += heal_worth(tables, thinking, state, workspace.shares, p, r, points)
    if card.fortify > me.fortify[card.fortify_at]:
        guard += fortify_worth(thinking, card) * scarcity(workspace.shares, p, whole(card.fortify_at)) // 2000
    if card.ward > me.ward:
        guard += whole(card.ward) * whole(thinking.ward)
    if card.restore > 0:
        guard += whole(thinking.restore)
    if card.calm > me.calm:
        guard += whole(card.calm) * whole(thinking.calm) * room_pressure(tables, state, p) // 1000
    if card.cleanse:
        guard += whole(thinking.cleanse) * burdens(state, p)
    workspace.scores[row, part.GUARD] = guard
    gain = whole(card.draws) * whole(thinking.draw) + prying_worth(thinking, state, p, card)
    if card.disarm and state.sides[1 - p].trap_count > 0:
        gain += whole(thinking.disarm)
    workspace.scores[row, part.GAIN] = gain


@kernel
def room_pressure(tables, state, p):
    """Thousandths of a point the room takes from a side in a round."""
    room = tables.dungeon.rooms[state.room]
    total = NONE
    for k in range(room.auto_count):
        effect = room.auto[k]
        if effect.side == p and effect.change < 0:
            total -= 1000 * whole(effect.change) // whole(effect.every)
    return total


@kernel
def burdens(state, p):
    """How many burdens a cleansing would lift."""
    side = state.sides[p]
    count = (ONE if is_disrupted(side) else NONE) + (ONE if side.entangled or side.held else NONE)
    for r in range(REDUCERS):
        count += whole(side.erode[r]) + whole(side.venom[r])
    return count
