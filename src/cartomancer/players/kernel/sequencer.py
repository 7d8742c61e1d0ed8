"""The turn sequencer: which cards of the hand to play this turn, in which order, paid with what [GDD 4.2, 7.1].

It plans the whole turn anew at every stop and takes the plan's first step, so it needs no memory: Energy that grows the
pool first; then the best of all sets of cards with every subset of the sources of more energy (a Surge, an unfulfilled
Siphon, activated cards), the price of what is used up taken off; then set-ups before what they set up.
"""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import NONE, ONE
from cartomancer.encounters.kernel.conditions import holds
from cartomancer.encounters.kernel.handicaps import hinders
from cartomancer.encounters.kernel.layout import card_of
from cartomancer.encounters.kernel.legal import action, may_play
from cartomancer.encounters.kernel.piles import bit
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.layout import MOST_CANDIDATES, MOST_SOURCES
from cartomancer.players.kernel.player_codes import COST, VALUE

NO_ACTION = codes.UNSET
# who goes first when nothing else decides: relief, set-ups, traps, buffs, blows, at last bargains
_EARLY = (codes.COUNTER, codes.RESHAPE, codes.DISRUPT, codes.TRAP, codes.TEST, codes.EMPOWER, codes.STRIKE)
ORDER = tuple(_EARLY.index(code) if code in _EARLY else len(_EARLY) for code in range(int(codes.ENERGY)))  # by category


@kernel
def grows_pool(tables, state, p, card):
    """Whether an Energy card grows the pool now: Standard, Attune before its match, a Siphon whose condition holds."""
    if card.energy_kind == codes.SIPHON:
        return holds(tables, state, p, whole(card.when), whole(card.when_at), whole(card.when_value))
    return card.energy_kind != codes.SURGE


@kernel
def growth(tables, state, p):
    """Playing an Energy card that grows the pool now, or NO_ACTION."""
    side = state.sides[p]
    for k in range(side.hand_size):
        instance = whole(side.hand[k])
        card = card_of(tables, state, p, instance)
        if card.category == codes.ENERGY and not side.locked & bit(instance) and grows_pool(tables, state, p, card):
            return action(codes.PLAY, instance)
    return NO_ACTION


@kernel
def gather_candidates(tables, state, p, workspace):
    """The most valuable cards that rules and hand allow, whatever they cost. Returns the count."""
    side = state.sides[p]
    count = 0
    for k in range(side.hand_size):
        value = workspace.scores[k, VALUE]
        if value > 0 and may_play(tables, state, p, whole(side.hand[k])):
            place = count
            if count == MOST_CANDIDATES:
                place = 0
                for i in range(1, count):
                    if workspace.scores[workspace.places[i], VALUE] < workspace.scores[workspace.places[place], VALUE]:
                        place = i
                if workspace.scores[workspace.places[place], VALUE] >= value:
                    continue
            else:
                count += 1
            workspace.places[place] = k
    return whole(count)


@kernel
def weigh_sets(tables, policies, state, p, workspace, count):
    """Value and cost of every set of candidates; a pair that belongs together is worth more than its cards."""
    weigh_pairs(tables, policies, state, p, workspace, count)
    side = state.sides[p]
    workspace.mask_value[0] = 0
    workspace.mask_cost[0] = 0
    for j in range(count):
        place = whole(workspace.places[j])
        worth = whole(workspace.scores[place, VALUE])
        cost = full_cost(tables, state, p, workspace, j)
        kind = whole(card_of(tables, state, p, whole(side.hand[place])).card_type)
        granted = whole(side.attuned[kind]) + whole(side.typed_energy[kind])
        partners = partners_before(workspace, j)
        top = 1 << j
        for rest in range(top):
            value = whole(workspace.mask_value[rest]) + worth
            if rest & partners:
                value += bonus_beside(workspace, j, rest & partners)
            added = cost
            if granted > 0:
                added = cost_beside(tables, state, p, workspace, j, rest, kind, cost, granted)
            workspace.mask_value[top + rest] = value
            workspace.mask_cost[top + rest] = whole(workspace.mask_cost[rest]) + added


# --- cards that belong together [GDD 4.4, 7.1] ------------------------------------------------------------------------


@kernel
def weigh_pairs(tables, policies, state, p, workspace, count):
    """What playing any candidate before any other adds."""
    side = state.sides[p]
    for j in range(count):
        second = whole(workspace.places[j])
        two = card_of(tables, state, p, whole(side.hand[second]))
        for i in range(count):
            bonus = NONE
            if i != j:
                first = whole(workspace.places[i])
                one = card_of(tables, state, p, whole(side.hand[first]))
                bonus = pair_bonus(tables, policies, state, p, workspace, first, second, one, two)
            workspace.bonus[i, j] = bonus


@kernel
def partners_before(workspace, j):
    """The candidates before the j-th that add to it or gain from it, as bits."""
    found = NONE
    for i in range(j):
        if workspace.bonus[i, j] != 0 or workspace.bonus[j, i] != 0:
            found |= 1 << i
    return found


@kernel
def bonus_beside(workspace, j, others):
    """What the j-th candidate adds to some others and gains from them."""
    bonus = NONE
    for i in range(j):
        if others >> i & 1:
            bonus += whole(workspace.bonus[i, j]) + whole(workspace.bonus[j, i])
    return bonus


@kernel
def sets_up(card, when):
    """Whether playing a card brings about a condition."""
    category = whole(card.category)
    if when == codes.OPPONENT_ENTANGLED:
        return category == codes.STRIKE and card.keywords & codes.ENTANGLE != 0
    if when == codes.OPPONENT_ERODED:
        return category == codes.STRIKE and card.keywords & codes.ERODE != 0
    if when == codes.OPPONENT_DISRUPTED:
        return category == codes.DISRUPT or (category == codes.STRIKE and hinders(card))
    if when == codes.SELF_EMPOWERED:
        return category == codes.EMPOWER
    if when == codes.SELF_GUARDED:
        guards = category == codes.RESHAPE or category == codes.EMPOWER or category == codes.STRIKE
        return guards and (card.ward > 0 or card.fortify > 0)
    if when == codes.TRAP_SET:
        return category == codes.TRAP
    if when == codes.OPPONENT_EXPOSED:
        return category == codes.OFFER and card.price_kind == codes.EXPOSURE
    return False


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


# --- what a set costs, and what pays for it ---------------------------------------------------------------------------


@kernel
def full_cost(tables, state, p, workspace, j):
    """What a candidate costs without what is granted to its type."""
    place = workspace.places[j]
    card = card_of(tables, state, p, whole(state.sides[p].hand[place]))
    return max(whole(workspace.scores[place, COST]), whole(card.cost))


@kernel
def cost_of_type(tables, state, p, workspace, candidates, mask, card_type):
    """What the cards of one type in a set cost together."""
    total = NONE
    for i in range(candidates):
        if mask >> i & 1:
            instance = whole(state.sides[p].hand[workspace.places[i]])
            if card_of(tables, state, p, instance).card_type == card_type:
                total += full_cost(tables, state, p, workspace, i)
    return total


@kernel
def cost_beside(tables, state, p, workspace, j, rest, card_type, cost, granted):
    """What a candidate adds to the cost of a set: Attune and energy bound to its type help each set once."""
    before = cost_of_type(tables, state, p, workspace, j, rest, card_type)
    return max(NONE, before + cost - granted) - max(NONE, before - granted)


@kernel
def gather_sources(tables, policies, state, p, workspace, saving, courting):
    """The cheapest sources of more energy this turn, the cheapest for each point of it first. Returns the count."""
    side = state.sides[p]
    count = NONE
    for k in range(side.hand_size):
        instance = whole(side.hand[k])
        card = card_of(tables, state, p, instance)
        if card.category == codes.ENERGY and side.locked & bit(instance):
            continue
        gain = gain_of_source(card)
        price = price_of_source(policies.thinking, workspace, card, k, saving, courting)
        place = count
        while place > 0 and is_dearer(workspace, place - 1, price, gain):
            workspace.sources[place] = workspace.sources[place - 1]
            place -= 1
        workspace.sources[place].place = k
        workspace.sources[place].gain = gain
        workspace.sources[place].price = price
        count = min(count + 1, whole(MOST_SOURCES))
    return count


@kernel
def is_dearer(workspace, s, price, gain):
    """Whether source s asks more for a point of energy."""
    return price * whole(workspace.sources[s].gain) < whole(workspace.sources[s].price) * gain


@kernel
def gain_of_source(card):
    """Energy from using up a card: a Surge gives its amount, an activated card or an unfulfilled Siphon one."""
    return whole(card.amount) if card.category == codes.ENERGY and card.energy_kind == codes.SURGE else ONE


@kernel
def price_of_source(thinking, workspace, card, k, saving, courting):
    """What using up a card for energy costs: a Surge or a Siphon its use later, an activated card its own worth."""
    if card.category != codes.ENERGY:
        price = whole(thinking.activation) + max(NONE, whole(workspace.scores[k, VALUE]))
        if courting and card.category == codes.OFFER and card.covenant:
            price += whole(thinking.covenant)
        return price
    if card.energy_kind == codes.SURGE:
        return whole(thinking.covenant_saving) if saving else whole(thinking.surge_kept)
    return whole(thinking.siphon_kept)


@kernel
def is_saving(tables, state, p):
    """Whether a Covenant in hand is within reach of trust, so that a Surge is kept for it."""
    side = state.sides[p]
    if tables.rules.trust_tiers[1] <= points_of_trust(state) < tables.rules.trust_tiers[2]:
        for k in range(side.hand_size):
            card = card_of(tables, state, p, whole(side.hand[k]))
            if card.category == codes.OFFER and card.covenant:
                return True
    return False


@kernel
def best_plan(tables, state, p, workspace, candidates, sources):
    """The best set and the subset of sources that pays for what it lacks, as source bits · 64 + set."""
    side = state.sides[p]
    energy = whole(side.energy) + whole(side.temporary)
    typed = weigh_sources(tables, state, p, workspace, candidates, sources)
    found, best = NONE, NONE
    for mask in range(1, 1 << candidates):
        value = whole(workspace.mask_value[mask])
        if value <= best:
            continue
        lacking = whole(workspace.mask_cost[mask]) - energy
        if lacking <= 0:
            found, best = whole(mask), value
            continue
        for used in range(1, 1 << sources):
            left = value - whole(workspace.used_price[used])
            if left <= best or workspace.used_cards[used] & mask or workspace.used_gain[used] < lacking:
                continue
            if used & typed == 0 or gain_for(tables, state, p, workspace, candidates, mask, sources, used) >= lacking:
                found, best = used * 64 + mask, left
    return found


@kernel
def weigh_sources(tables, state, p, workspace, candidates, sources):
    """Price, gain and candidates used up of every subset of the sources; the sources bound to a type, as bits."""
    typed = NONE
    workspace.used_price[0] = 0
    workspace.used_gain[0] = 0
    workspace.used_cards[0] = 0
    for s in range(sources):
        place = whole(workspace.sources[s].place)
        if type_bound(tables, state, p, place) >= 0:
            typed |= 1 << s
        itself = NONE
        for i in range(candidates):
            if workspace.places[i] == place:
                itself = ONE << i
        top = 1 << s
        for rest in range(top):
            workspace.used_price[top + rest] = workspace.used_price[rest] + workspace.sources[s].price
            workspace.used_gain[top + rest] = workspace.used_gain[rest] + workspace.sources[s].gain
            workspace.used_cards[top + rest] = workspace.used_cards[rest] | itself
    return typed


@kernel
def type_bound(tables, state, p, place):
    """The type that a Surge at a place of the hand is bound to, or -1."""
    card = card_of(tables, state, p, whole(state.sides[p].hand[place]))
    if card.category == codes.ENERGY and card.energy_kind == codes.SURGE:
        return whole(card.for_type)
    return codes.UNSET


@kernel
def gain_for(tables, state, p, workspace, candidates, mask, sources, used):
    """What a subset of the sources gives a set: a Surge bound to a type pays for that type alone."""
    energy = NONE
    for s in range(sources):
        if used >> s & 1:
            gain = whole(workspace.sources[s].gain)
            kind = type_bound(tables, state, p, whole(workspace.sources[s].place))
            if kind >= 0:
                gain = min(gain, cost_of_type(tables, state, p, workspace, candidates, mask, kind))
            energy += gain
    return energy


@kernel
def first_of(tables, state, p, workspace, candidates, mask):
    """The card of the set to play now: nothing in the set should come before it. Reacts stay in hand."""
    side = state.sides[p]
    found, best = NO_ACTION, 99
    for j in range(candidates):
        if mask >> j & 1:
            instance = whole(side.hand[workspace.places[j]])
            category = whole(card_of(tables, state, p, instance).category)
            if category == codes.REACT:
                continue
            order = ORDER[category]
            for i in range(candidates):
                if mask >> i & 1 and workspace.bonus[i, j] > workspace.bonus[j, i]:
                    order += 10
            if order < best:
                found, best = action(codes.PLAY, instance), order
    return found


@kernel
def plan_cards(tables, policies, state, p, workspace, courting):
    """The first step of the best turn with the scores at hand; NO_ACTION when nothing is worth playing."""
    candidates = gather_candidates(tables, state, p, workspace)
    workspace.candidates = candidates
    workspace.chosen_mask = 0
    if candidates == 0:
        return NO_ACTION
    weigh_sets(tables, policies, state, p, workspace, candidates)
    side = state.sides[p]
    sources = NONE
    plan = whole((1 << candidates) - 1)
    if workspace.mask_cost[plan] > side.energy + side.temporary:  # not everything can be paid for
        saving = courting and is_saving(tables, state, p)
        sources = gather_sources(tables, policies, state, p, workspace, saving, courting)
        plan = best_plan(tables, state, p, workspace, candidates, sources)
    workspace.chosen_mask = plan % 64
    workspace.chosen_sources = plan // 64
    first = first_of(tables, state, p, workspace, candidates, plan % 64)
    if first == NO_ACTION:
        return NO_ACTION
    for s in range(sources):
        if plan // 64 >> s & 1:
            instance = whole(side.hand[workspace.sources[s].place])
            card = card_of(tables, state, p, instance)
            return action(codes.PLAY if card.category == codes.ENERGY else codes.ACTIVATE, instance)
    return first
