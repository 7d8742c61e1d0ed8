"""What a Strike is worth: expected damage to a reducer, keywords, triggers, what comes back [GDD 7.1]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import DUNGEON, FIRST, NONE, ONE, REDUCERS, TYPES, VISITOR
from cartomancer.encounters.kernel.conditions import is_disrupted
from cartomancer.encounters.kernel.contest import seat_of
from cartomancer.encounters.kernel.handicaps import hinders
from cartomancer.encounters.kernel.keywords import will_press
from cartomancer.encounters.kernel.party import lowest_member, standing
from cartomancer.encounters.kernel.reducers import weakest_reducer
from cartomancer.encounters.kernel.resolution import ADVANTAGE, DISADVANTAGE, PLAIN
from cartomancer.encounters.kernel.tactics import merged, shares_empower
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.player_codes import BACKLASH, DAMAGE, KEYWORDS, LETHAL, TRIGGER, TRUST
from cartomancer.players.kernel.reading import odds_at, share_of


@kernel
def strike_power(tables, state, p, instance, card, keywords):
    """Power as the rules will gather it, with the trigger's bonus left out."""
    me = state.sides[p]
    power = whole(card.power) + whole(me.mods[codes.MOD_DAMAGE])
    if shares_empower(me, card):
        power += whole(me.empower_power)
    if me.betrayed > 0:
        power += whole(tables.rules.betrayed_power)
    if p == VISITOR:
        power -= whole(state.members[seat_of(tables, p, instance)].weakness)
    if keywords & codes.RESONATE and me.last_type == card.card_type:
        power += whole(tables.rules.resonate)
    return max(ONE, power)


@kernel
def strike_keywords(state, p, card, triggered):
    """Keywords the Strike would have now."""
    me = state.sides[p]
    if me.strip:
        return NONE
    keywords = whole(card.keywords)
    if shares_empower(me, card):
        keywords = merged(keywords, whole(me.empower_keywords))
    return merged(keywords, whole(card.bonus_keywords)) if triggered else keywords


@kernel
def strike_mode(state, p, card, triggered):
    """How the Strike would roll."""
    me = state.sides[p]
    waiting = me.empower_advantage != 0 and shares_empower(me, card)
    advantage = waiting or (triggered and card.bonus_advantage != 0)
    if advantage and not me.disadvantage:
        return ADVANTAGE
    if me.disadvantage and not advantage:
        return DISADVANTAGE
    return PLAIN


@kernel
def remaining(tables, state, victim, r):
    """Points between a reducer and its depletion: the weakest member's, where a party is struck."""
    if victim == VISITOR and r == FIRST and tables.visitor.member_count > 1:
        seat = lowest_member(tables, state)
        return whole(state.members[seat].vitality) if seat >= 0 else ONE
    return whole(state.sides[victim].reducers[r])


@kernel
def urgency(tables, thinking, weights, state, shares, victim, r):
    """How much a point of this reducer counts: preference, nearness of depletion, the room's help, and whether
    there is time left to deplete it: a dungeon is whole again in the next room."""
    near = 1000 + whole(thinking.near) * (1000 - whole(shares[victim, r])) // 1000
    worth = whole(weights.targets[r]) * near // 1000
    now = whole(state.round_no)
    if will_press(tables, state, victim, r, now + 1) or will_press(tables, state, victim, r, now + 2):
        worth = worth * (1000 + whole(thinking.pressure)) // 1000
    if victim == DUNGEON:
        rounds = max(ONE, whole(tables.dungeon.rooms[state.room].round_limit) - whole(state.round_no) + 1)
        within_reach = whole(thinking.pace) * rounds
        needed = 1000 * whole(state.sides[victim].reducers[r])
        if needed > within_reach:
            worth = worth * within_reach // needed
    return worth


@kernel
def study_board(tables, policies, weights, state, p, workspace):
    """Note what every score of this decision needs: urgencies, guards, distances to depletion, odds."""
    victim = 1 - p
    them = state.sides[victim]
    guard = whole(them.ward) + whole(them.mods[codes.MOD_GUARD])
    for r in range(REDUCERS):
        workspace.urgency[r] = urgency(tables, policies.thinking, weights, state, workspace.shares, victim, whole(r))
        workspace.stopped[r] = guard + whole(them.fortify[r])
        workspace.left[r] = remaining(tables, state, victim, whole(r))
    for side in range(2):
        workspace.weakest[side] = weakest_reducer(state, whole(side), codes.UNSET)
    for card_type in range(TYPES):
        workspace.odds[card_type] = odds_at(tables, state, p, whole(card_type))


@kernel
def damage_worth(tables, policies, state, workspace, p, dealt, r, keywords):
    """Worth of expected damage (in thousandths of a point) to reducer r, guards taken off."""
    dealt = max(dealt // 10, dealt - 600 * whole(workspace.stopped[r]))
    worth = dealt * whole(workspace.urgency[r]) // 1000
    if keywords & codes.CLEAVE and p == DUNGEON and r == FIRST and tables.visitor.member_count > 1:
        further = max(NONE, standing(tables, state) - 1)
        worth = worth // 2 + dealt * further // 2 * whole(policies.thinking.cleave) // 1000
    return worth


@kernel
def best_target(tables, policies, state, workspace, p, power, dealt, keywords):
    """The reducer a Strike with a free choice would hit."""
    found, best = FIRST, whole(-1)
    for r in range(REDUCERS):
        worth = damage_worth(tables, policies, state, workspace, p, dealt, whole(r), keywords)
        if power >= workspace.left[r]:
            worth += whole(policies.thinking.lethal)
        if worth > best:
            found, best = whole(r), worth
    return found


@kernel
def score_strike(tables, policies, weights, state, p, instance, card, workspace, row, courting, triggered):
    """Fill a row of the scores with the parts of a Strike's worth."""
    thinking = policies.thinking
    scores = workspace.scores
    bonus = whole(card.bonus) if triggered else NONE
    keywords = strike_keywords(state, p, card, triggered)
    power = strike_power(tables, state, p, instance, card, keywords)
    mode = strike_mode(state, p, card, triggered)
    column = whole(workspace.odds[card.card_type])
    share_dealt = whole(policies.dealt[mode, column])
    odds = whole(policies.hits[mode, column])
    r = whole(card.target)
    if r == codes.CHOSEN:
        r = best_target(tables, policies, state, workspace, p, power + bonus, power * share_dealt, keywords)
    exposed = whole(state.sides[1 - p].exposure[card.card_type])
    dealt = power * share_dealt + exposed * odds
    worth = damage_worth(tables, policies, state, workspace, p, dealt, r, keywords)
    if workspace.answers <= 0:
        worth = worth * whole(thinking.unanswered) // 1000
    scores[row, DAMAGE] = worth
    scores[row, TRIGGER] = worth * bonus // power * whole(thinking.trigger) // 1000
    lethal = power + bonus + exposed >= workspace.left[r]
    if lethal:
        scores[row, LETHAL] = whole(thinking.lethal) * odds // 1000
    gains = keyword_worth(tables, thinking, state, workspace, p, card, power + bonus, r, keywords)
    gains += rider_worth(thinking, state, workspace, p, card)
    scores[row, KEYWORDS] = gains * odds // 1000
    price = price_of_striking(tables, thinking, weights, state, workspace, p, card, lethal)
    if card.bonus > 0 and not triggered and not lethal:  # its set-up may come yet
        price += whole(card.bonus) * whole(thinking.trigger_kept)
    left, start = bearer(tables, state, p, instance)
    thrown = whole(tables.rules.reversal_base)
    if thrown == 0:
        thrown = power + bonus
    price += price_of_failing(thinking, thrown, left, whole(policies.fails[mode, column]))
    back = thrown * whole(policies.back[mode, column])
    dear = 3000 - 2 * share_of(left, start)  # dearer the less is left
    price += back * whole(weights.caution) // 1000 * dear // 1000
    scores[row, BACKLASH] = -price
    scores[row, TRUST] = trust_worth(tables, policies, state, workspace, p, courting)


@kernel
def trust_worth(tables, policies, state, workspace, p, courting):
    """What a Strike does to trust: a loss to who courts, damage to whom a dungeon betrays [Bond 7.2]."""
    trust = points_of_trust(state)
    if courting:
        return -whole(policies.thinking.trust_spent) * trust
    if p == VISITOR or trust < tables.rules.betrayal_min_trust:
        return NONE
    worth = 1000 * trust
    if trust >= workspace.left[workspace.weakest[1 - p]]:
        worth += whole(policies.thinking.lethal)
    return worth


@kernel
def keyword_worth(tables, thinking, state, workspace, p, card, power, r, keywords):
    """Entangle as a set-up, Erode as pressure, Drain when damaged, Overwhelm near depletion [GDD 7.1]."""
    victim = 1 - p
    left = whole(workspace.left[r])
    worth = NONE
    if keywords & codes.ENTANGLE and not state.sides[victim].entangled:
        worth += whole(thinking.entangle)
    if keywords & codes.ERODE:
        at = whole(card.erode_at) if card.erode_at >= 0 else r
        if not will_press(tables, state, victim, at, whole(state.round_no) + 1):
            worth += whole(thinking.erode) * whole(tables.rules.erode)
    if keywords & codes.DRAIN:
        to = whole(card.drain_to) if card.drain_to >= 0 else whole(workspace.weakest[p])
        points = min(power, whole(tables.rules.drain_cap))
        worth += points * whole(thinking.drain) * (1000 - whole(workspace.shares[p, to])) // 1000
    if keywords & codes.OVERWHELM and power > left:
        twice = 2 if keywords & codes.OVERWHELM_TWICE else 1
        worth += (power - left) * twice * whole(thinking.overwhelm)
    return worth


@kernel
def rider_worth(thinking, state, workspace, p, card):
    """What else a hit brings: handicaps on the victim's next Strike, its energy, guards and cards for the striker."""
    worth = whole(card.energy_loss) * whole(thinking.energy_loss) + whole(card.draws) * whole(thinking.draw)
    worth += prying_worth(thinking, state, p, card)
    if hinders(card):
        worth += handicap_worth(thinking, state.sides[1 - p], card)
    if card.ward > state.sides[p].ward:
        worth += whole(card.ward) * whole(thinking.ward)
    if card.fortify > state.sides[p].fortify[card.fortify_at]:
        worth += fortify_worth(thinking, card) * scarcity(workspace.shares, p, whole(card.fortify_at)) // 2000
    return worth


@kernel
def handicap_worth(thinking, them, card):
    """What spoiling a side's next Strike is worth; what lies on it already is not worth doubling."""
    worth = whole(card.thorns) * whole(thinking.thorns)
    if card.disadvantage and not them.disadvantage:
        worth += whole(thinking.advantage)
    if card.strip and not them.strip:
        worth += whole(thinking.strip) * (2 if them.empower_keywords else 1)
    if card.randomise and not them.randomise:
        worth += whole(thinking.randomise)
    if them.empowered:
        worth = worth * 3 // 2
    if is_disrupted(them):
        worth //= 2
    return worth


@kernel
def prying_worth(thinking, state, p, card):
    """What a look at the opponent's hidden cards is worth, and each card it must discard."""
    them = state.sides[1 - p]
    worth = min(whole(card.discard), whole(them.hand_size)) * whole(thinking.discard)
    worth += min(whole(card.reveal), whole(them.hand_size)) * whole(thinking.reveal)
    if card.peek:
        worth += whole(them.trap_count) * whole(thinking.peek)
    return worth


@kernel
def fortify_worth(thinking, card):
    """What a card's Fortify is worth as long as it lasts."""
    return whole(card.fortify) * whole(card.fortify_rounds) * whole(thinking.fortify)


@kernel
def bearer(tables, state, p, instance):
    """Who takes what comes back from a Strike, as (points left, starting points): its owner, or the structure."""
    if p == VISITOR:
        member = state.members[seat_of(tables, p, instance)]
        return whole(member.vitality), whole(member.start)
    return whole(state.sides[p].reducers[FIRST]), whole(state.sides[p].starts[FIRST])


@kernel
def price_of_failing(thinking, power, left, fails):
    """A Strike that fails returns its power, or half as much again: what that risks when it would fell the bearer."""
    if power >= left:
        return whole(thinking.lethal) * fails // 1000
    if power * 3 // 2 >= left:
        return whole(thinking.lethal) * fails // 2500
    return NONE


@kernel
def price_of_striking(tables, thinking, weights, state, workspace, p, card, lethal):
    """Thorns, the Traps that may wait for it, the self-cost, and what an Exhaust card is held back for."""
    me = state.sides[p]
    price = NONE
    for r in range(REDUCERS):
        if me.thorns[r] > me.ward:
            price += whole(me.thorns[r]) * whole(weights.caution) * scarcity(workspace.shares, p, whole(r)) // 1000
            if me.thorns[r] - me.ward >= remaining(tables, state, p, whole(r)):
                price += whole(thinking.lethal)
    if state.sides[1 - p].trap_count > 0:
        r = whole(workspace.weakest[p])
        price += whole(thinking.trap_feared) * scarcity(workspace.shares, p, r) // 1000
    if card.self_cost > 0:
        dear = scarcity(workspace.shares, p, whole(card.self_cost_at))
        price += whole(card.self_cost) * whole(thinking.self_cost) * dear // 1000
    if card.exhaust and not lethal:
        price += whole(thinking.exhaust)
    return price


@kernel
def scarcity(shares, p, r):
    """How dear a point of one's own reducer is: 1000 when whole, 3000 when nothing is left."""
    return 3000 - 2 * whole(shares[p, r])


@kernel
def member_worth(policies, weights, state, seat):
    """The weight with which a Strike in flight picks a member: soft priorities [GDD 16.9, 18.2.4]."""
    member = state.members[seat]
    weight = whole(weights.plain)
    weight += whole(weights.healer) * whole(policies.sides[VISITOR].healers[seat])
    weight += whole(weights.threat) * whole(policies.sides[VISITOR].threats[seat])
    weight += whole(weights.wounded) * (1000 - share_of(member.vitality, member.start)) // 1000
    if state.flight.power >= member.vitality:
        weight += whole(weights.lethal)
    return max(ONE, weight)
