"""The turn sequencer: which cards of the hand to play this turn, in which order, paid with what [GDD 4.2, 7.1].

It plans the whole turn anew at every stop and takes the plan's first step, so it needs no memory: Energy that grows the
pool first; then the best of all sets of cards with every subset of the sources of more energy (a Surge, an unfulfilled
Siphon, activated cards), the price of what is used up taken off; then set-ups before what they set up.
"""

from __future__ import annotations

from cartomancer.encounters.kernel import codes as rules
from cartomancer.encounters.kernel.codes import NONE, ONE
from cartomancer.encounters.kernel.conditions import holds
from cartomancer.encounters.kernel.layout import card_of
from cartomancer.encounters.kernel.legal import action, may_play
from cartomancer.encounters.kernel.piles import bit
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.codes import COST, VALUE
from cartomancer.players.kernel.combos import gains_from_others, pair_bonus
from cartomancer.players.kernel.layout import MOST_CANDIDATES, MOST_SOURCES

NO_ACTION = rules.UNSET


@kernel
def grows_pool(tables, state, p, card):
    """Whether an Energy card grows the pool now: Standard, Attune before its match, a Siphon whose condition holds."""
    if card.energy_kind == rules.SIPHON:
        return holds(tables, state, p, whole(card.when), whole(card.when_at), whole(card.when_value))
    return card.energy_kind != rules.SURGE


@kernel
def growth(tables, state, p):
    """Playing an Energy card that grows the pool now, or NO_ACTION."""
    side = state.sides[p]
    for k in range(side.hand_size):
        instance = whole(side.hand[k])
        card = tables.cards[card_of(tables, state, p, instance)]
        if card.category == rules.ENERGY and not side.locked & bit(instance) and grows_pool(tables, state, p, card):
            return action(rules.PLAY, instance)
    return NO_ACTION


@kernel
def gather_candidates(tables, state, p, thoughts):
    """The most valuable cards that rules and hand allow, whatever they cost; how many."""
    side = state.sides[p]
    count = 0
    for k in range(side.hand_size):
        value = thoughts.desk[k, VALUE]
        if value > 0 and may_play(tables, state, p, whole(side.hand[k])):
            place = count
            if count == MOST_CANDIDATES:
                place = 0
                for i in range(1, count):
                    if thoughts.desk[thoughts.places[i], VALUE] < thoughts.desk[thoughts.places[place], VALUE]:
                        place = i
                if thoughts.desk[thoughts.places[place], VALUE] >= value:
                    continue
            else:
                count += 1
            thoughts.places[place] = k
    return whole(count)


@kernel
def weigh_sets(tables, minds, state, p, thoughts, count):
    """Value and cost of every set of candidates; a pair that belongs together is worth more than its cards."""
    weigh_pairs(tables, minds, state, p, thoughts, count)
    side = state.sides[p]
    thoughts.mask_value[0] = 0
    thoughts.mask_cost[0] = 0
    for j in range(count):
        place = whole(thoughts.places[j])
        worth = whole(thoughts.desk[place, VALUE])
        cost = full_cost(tables, state, p, thoughts, j)
        kind = whole(tables.cards[card_of(tables, state, p, whole(side.hand[place]))].card_type)
        granted = whole(side.attuned[kind]) + whole(side.typed_energy[kind])
        partners = partners_before(thoughts, j)
        top = 1 << j
        for rest in range(top):
            value = whole(thoughts.mask_value[rest]) + worth
            if rest & partners:
                value += bonus_beside(thoughts, j, rest & partners)
            added = cost
            if granted > 0:
                added = cost_beside(tables, state, p, thoughts, j, rest, kind, cost, granted)
            thoughts.mask_value[top + rest] = value
            thoughts.mask_cost[top + rest] = whole(thoughts.mask_cost[rest]) + added


@kernel
def weigh_pairs(tables, minds, state, p, thoughts, count):
    """What playing any candidate before any other adds."""
    side = state.sides[p]
    for j in range(count):
        second = whole(thoughts.places[j])
        two = tables.cards[card_of(tables, state, p, whole(side.hand[second]))]
        for i in range(count):
            bonus = NONE
            if i != j and gains_from_others(two):
                first = whole(thoughts.places[i])
                one = tables.cards[card_of(tables, state, p, whole(side.hand[first]))]
                bonus = pair_bonus(tables, minds, state, p, thoughts, first, second, one, two)
            thoughts.bonus[i, j] = bonus


@kernel
def partners_before(thoughts, j):
    """The candidates before the j-th that add to it or gain from it, as bits."""
    found = NONE
    for i in range(j):
        if thoughts.bonus[i, j] != 0 or thoughts.bonus[j, i] != 0:
            found |= 1 << i
    return found


@kernel
def bonus_beside(thoughts, j, others):
    """What the j-th candidate adds to some others and gains from them."""
    bonus = NONE
    for i in range(j):
        if others >> i & 1:
            bonus += whole(thoughts.bonus[i, j]) + whole(thoughts.bonus[j, i])
    return bonus


@kernel
def full_cost(tables, state, p, thoughts, j):
    """What a candidate costs without what is granted to its type."""
    place = thoughts.places[j]
    card = tables.cards[card_of(tables, state, p, whole(state.sides[p].hand[place]))]
    return max(whole(thoughts.desk[place, COST]), whole(card.cost))


@kernel
def cost_of_type(tables, state, p, thoughts, candidates, mask, card_type):
    """What the cards of one type in a set cost together."""
    total = NONE
    for i in range(candidates):
        if mask >> i & 1:
            instance = whole(state.sides[p].hand[thoughts.places[i]])
            if tables.cards[card_of(tables, state, p, instance)].card_type == card_type:
                total += full_cost(tables, state, p, thoughts, i)
    return total


@kernel
def cost_beside(tables, state, p, thoughts, j, rest, card_type, cost, granted):
    """What a candidate adds to the cost of a set: Attune and energy bound to its type help each set once."""
    before = cost_of_type(tables, state, p, thoughts, j, rest, card_type)
    return max(NONE, before + cost - granted) - max(NONE, before - granted)


@kernel
def gather_sources(tables, minds, state, p, thoughts, saving, courting):
    """The cheapest sources of more energy this turn, the cheapest for each point of it first; how many."""
    side = state.sides[p]
    count = NONE
    for k in range(side.hand_size):
        instance = whole(side.hand[k])
        card = tables.cards[card_of(tables, state, p, instance)]
        if card.category == rules.ENERGY and side.locked & bit(instance):
            continue
        gain = gain_of_source(card)
        price = price_of_source(minds.thinking, thoughts, card, k, saving, courting)
        place = count
        if count < MOST_SOURCES:
            count += 1
        while place > 0 and is_dearer(thoughts, place - 1, price, gain):
            if place < MOST_SOURCES:
                thoughts.source_place[place] = thoughts.source_place[place - 1]
                thoughts.source_gain[place] = thoughts.source_gain[place - 1]
                thoughts.source_price[place] = thoughts.source_price[place - 1]
            place -= 1
        if place < MOST_SOURCES:
            thoughts.source_place[place] = k
            thoughts.source_gain[place] = gain
            thoughts.source_price[place] = price
    return count


@kernel
def is_dearer(thoughts, s, price, gain):
    """Whether source s asks more for a point of energy."""
    return price * whole(thoughts.source_gain[s]) < whole(thoughts.source_price[s]) * gain


@kernel
def gain_of_source(card):
    """Energy from using up a card: a Surge gives its amount, an activated card or an unfulfilled Siphon one."""
    return whole(card.amount) if card.category == rules.ENERGY and card.energy_kind == rules.SURGE else ONE


@kernel
def price_of_source(thinking, thoughts, card, k, saving, courting):
    """What using up a card for energy costs: a Surge or a Siphon its use later, an activated card its own worth."""
    if card.category != rules.ENERGY:
        price = whole(thinking.activation) + max(NONE, whole(thoughts.desk[k, VALUE]))
        if courting and card.category == rules.OFFER and card.covenant:
            price += whole(thinking.covenant)
        return price
    if card.energy_kind == rules.SURGE:
        return whole(thinking.covenant_saving) if saving else whole(thinking.surge_kept)
    return whole(thinking.siphon_kept)


@kernel
def is_saving(tables, state, p):
    """Whether a Covenant in hand is within reach of trust, so that a Surge is kept for it."""
    side = state.sides[p]
    if points_of_trust(state) < tables.rules.trust_tiers[1]:
        return False
    for k in range(side.hand_size):
        card = tables.cards[card_of(tables, state, p, whole(side.hand[k]))]
        if card.category == rules.OFFER and card.covenant:
            return points_of_trust(state) < tables.rules.trust_tiers[2]
    return False


@kernel
def best_plan(tables, state, p, thoughts, candidates, sources):
    """The best set and the subset of sources that pays for what it lacks, as source bits · 64 + set."""
    side = state.sides[p]
    energy = whole(side.energy) + whole(side.temporary)
    typed = weigh_sources(tables, state, p, thoughts, candidates, sources)
    best = NONE
    found = NONE
    for mask in range(1, 1 << candidates):
        value = whole(thoughts.mask_value[mask])
        if value <= best:
            continue
        lacking = whole(thoughts.mask_cost[mask]) - energy
        if lacking <= 0:
            best = value
            found = whole(mask)
            continue
        for used in range(1, 1 << sources):
            left = value - whole(thoughts.used_price[used])
            if left <= best or thoughts.used_cards[used] & mask or thoughts.used_gain[used] < lacking:
                continue
            if used & typed == 0 or gain_for(tables, state, p, thoughts, candidates, mask, sources, used) >= lacking:
                best = left
                found = used * 64 + mask
    return found


@kernel
def weigh_sources(tables, state, p, thoughts, candidates, sources):
    """Price, gain and candidates used up of every subset of the sources; the sources bound to a type, as bits."""
    typed = NONE
    thoughts.used_price[0] = 0
    thoughts.used_gain[0] = 0
    thoughts.used_cards[0] = 0
    for s in range(sources):
        place = whole(thoughts.source_place[s])
        if type_bound(tables, state, p, place) >= 0:
            typed |= 1 << s
        itself = NONE
        for i in range(candidates):
            if thoughts.places[i] == place:
                itself = ONE << i
        top = 1 << s
        for rest in range(top):
            thoughts.used_price[top + rest] = thoughts.used_price[rest] + thoughts.source_price[s]
            thoughts.used_gain[top + rest] = thoughts.used_gain[rest] + thoughts.source_gain[s]
            thoughts.used_cards[top + rest] = thoughts.used_cards[rest] | itself
    return typed


@kernel
def type_bound(tables, state, p, place):
    """The type that a Surge at a place of the hand is bound to, or -1."""
    card = tables.cards[card_of(tables, state, p, whole(state.sides[p].hand[place]))]
    if card.category == rules.ENERGY and card.energy_kind == rules.SURGE:
        return whole(card.for_type)
    return rules.UNSET


@kernel
def gain_for(tables, state, p, thoughts, candidates, mask, sources, used):
    """What a subset of the sources gives a set: a Surge bound to a type pays for that type alone."""
    energy = NONE
    for s in range(sources):
        if used >> s & 1:
            gain = whole(thoughts.source_gain[s])
            kind = type_bound(tables, state, p, whole(thoughts.source_place[s]))
            if kind >= 0:
                gain = min(gain, cost_of_type(tables, state, p, thoughts, candidates, mask, kind))
            energy += gain
    return energy


@kernel
def order_of(category):
    """Who goes first when nothing else decides: relief, set-ups, traps, buffs, blows, bargains."""
    if category == rules.COUNTER:
        return 0
    if category == rules.RESHAPE:
        return 1
    if category == rules.DISRUPT:
        return 2
    if category == rules.TRAP:
        return 3
    if category == rules.TEST:
        return 4
    if category == rules.EMPOWER:
        return 5
    if category == rules.STRIKE:
        return 6
    return 7


@kernel
def first_of(tables, state, p, thoughts, candidates, mask):
    """The card of the set to play now: nothing in the set should come before it. Reacts stay in hand."""
    side = state.sides[p]
    found = NO_ACTION
    best = 99
    for j in range(candidates):
        if mask >> j & 1:
            instance = whole(side.hand[thoughts.places[j]])
            category = whole(tables.cards[card_of(tables, state, p, instance)].category)
            if category == rules.REACT:
                continue
            order = order_of(category)
            for i in range(candidates):
                if mask >> i & 1 and thoughts.bonus[i, j] > thoughts.bonus[j, i]:
                    order += 10
            if order < best:
                best = order
                found = action(rules.PLAY, instance)
    return found


@kernel
def plan_turn(tables, minds, state, p, thoughts, courting):
    """The first step of the best turn with the scores on the desk; NO_ACTION when nothing is worth playing."""
    candidates = gather_candidates(tables, state, p, thoughts)
    thoughts.chosen_mask = 0
    if candidates == 0:
        return NO_ACTION
    weigh_sets(tables, minds, state, p, thoughts, candidates)
    side = state.sides[p]
    sources = NONE
    plan = whole((1 << candidates) - 1)
    if thoughts.mask_cost[plan] > side.energy + side.temporary:  # not everything can be paid for
        saving = courting and is_saving(tables, state, p)
        sources = gather_sources(tables, minds, state, p, thoughts, saving, courting)
        plan = best_plan(tables, state, p, thoughts, candidates, sources)
    mask = plan % 64
    thoughts.chosen_mask = mask
    first = first_of(tables, state, p, thoughts, candidates, mask)
    if first == NO_ACTION:
        return NO_ACTION
    for s in range(sources):
        if plan // 64 >> s & 1:
            instance = whole(side.hand[thoughts.source_place[s]])
            card = tables.cards[card_of(tables, state, p, instance)]
            return action(rules.PLAY if card.category == rules.ENERGY else rules.ACTIVATE, instance)
    return first
