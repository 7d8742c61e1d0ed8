"""Energy: what a card costs, how it is paid, and the four kinds of Energy cards [GDD 4.2, 8.4]."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import because
from cartomancer.encounters.kernel.codes import MOD_SKILL_TAX, NONE, ONE, TYPES
from cartomancer.encounters.kernel.conditions import holds
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.layout import numbered_card
from cartomancer.jit import kernel, whole


@kernel
def is_skill(card):
    """Skills are the action cards that are not Strikes."""
    return card.category != codes.STRIKE and card.category != codes.ENERGY


@kernel
def cost_of(state, p, card):
    """What a card costs now: Attune makes its type cheaper, a hex taxes the first skill of a round, a quarrel the
    opening turn (C5)."""
    if card.category == codes.ENERGY:
        return NONE
    side = state.sides[p]
    cost = whole(card.cost) - whole(side.attuned[card.card_type])
    if is_skill(card) and side.skills_played == 0:
        cost += whole(side.mods[MOD_SKILL_TAX])
    if state.round_no <= 1:
        cost += whole(card.quarrel)
    return max(NONE, cost)


@kernel
def can_pay(state, p, card):
    """Whether side p can pay for a card."""
    side = state.sides[p]
    have = whole(side.energy) + whole(side.temporary)
    if card.category != codes.ENERGY:
        have += whole(side.typed_energy[card.card_type])
    return cost_of(state, p, card) <= have


@kernel
def note_energy(side, log, p, points, cause):
    """Tell that side p's energy has changed."""
    note(log, events.ENERGY_CHANGED, p, points, whole(side.pool), whole(side.temporary), cause)


@kernel
def held_energy(side):
    """All the energy a side could spend now, on cards of the right type."""
    held = whole(side.energy) + whole(side.temporary)
    for kind in range(TYPES):
        held += whole(side.typed_energy[kind])
    return held


@kernel
def pay(state, log, p, card, cause):
    """Pay for an action card: energy bound to its type first, then temporary energy, then the pool's."""
    side = state.sides[p]
    cost = cost_of(state, p, card)
    kind = whole(card.card_type)
    left = cost
    used = min(left, whole(side.typed_energy[kind]))
    side.typed_energy[kind] -= used
    left -= used
    used = min(left, whole(side.temporary))
    side.temporary -= used
    left -= used
    side.energy -= left
    side.attuned[kind] = 0
    if is_skill(card):
        side.skills_played += 1
    if cost > 0:
        note_energy(side, log, p, -cost, cause)
    return cost


@kernel
def grow_pool(tables, state, p):
    """One more energy each round, usable at once."""
    side = state.sides[p]
    if side.pool < tables.rules.energy_cap:
        side.pool += 1
        side.energy += 1


@kernel
def play_energy(tables, state, log, p, found):
    """Standard grows the pool; Surge is for this turn; Attune also makes a type cheaper; Siphon depends."""
    side = state.sides[p]
    card = numbered_card(tables, found)
    before = held_energy(side)
    kind = whole(card.energy_kind)
    if kind == codes.SURGE:
        if card.for_type >= 0:
            side.typed_energy[card.for_type] += card.amount
        else:
            side.temporary += card.amount
    elif kind == codes.SIPHON:
        if holds(tables, state, p, whole(card.when), whole(card.when_at), whole(card.when_value)):
            grow_pool(tables, state, p)
        else:
            side.temporary += 1
    else:
        grow_pool(tables, state, p)
        if kind == codes.ATTUNE:
            side.attuned[card.for_type] = ONE
    note_energy(side, log, p, held_energy(side) - before, because(causes.ENERGY, found))


@kernel
def lose_energy(state, log, p, amount, cause):
    """A Trap or a Strike takes energy: temporary first, never below 0."""
    side = state.sides[p]
    used = min(whole(amount), whole(side.temporary))
    stored = min(whole(amount) - used, whole(side.energy))
    side.temporary -= used
    side.energy -= stored
    note_energy(side, log, p, -used - stored, cause)


@kernel
def forget_temporary(state, log, p):
    """Temporary energy does not outlive its turn."""
    side = state.sides[p]
    lost = held_energy(side) - whole(side.energy)
    side.temporary = 0
    for kind in range(TYPES):
        side.typed_energy[kind] = 0
    if lost > 0:
        note_energy(side, log, p, -lost, causes.TURN)


@kernel
def refresh(state, log, p):
    """Spent energy returns [GDD 4.2]."""
    side = state.sides[p]
    returned = whole(side.pool) - whole(side.energy)
    side.energy = side.pool
    if returned != 0:
        note_energy(side, log, p, returned, causes.ROUND)
