"""What stands between damage and a reducer: guard, armour, Fortify, Ward [GDD 9]; and debuffs that do not stick."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes, events
from cartomancer.encounters.kernel.codes import NONE
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.reducers import lose
from cartomancer.encounters.kernel.resolution import scaled
from cartomancer.jit import kernel, whole


@kernel
def hurt(tables, state, log, p, r, amount, seat, pierce, cause):
    """Damage from cards and dice: side p loses what its guards let through; how much that was.

    Guard takes from every hit, armour is used up (`pierce` of it does not count), Fortify protects one reducer, Ward
    meets one hit and is gone.
    """
    if amount <= 0:
        return NONE
    side = state.sides[p]
    cut = whole(side.mods[codes.MOD_GUARD])
    if side.hits_taken == 0:
        cut += whole(side.mods[codes.MOD_FIRST_HIT_GUARD])
    side.hits_taken += 1
    left = whole(amount)
    if cut > 0:
        left -= _stop(log, p, r, left, cut, codes.BY_GUARD, cause)
    if left > 0 and side.armour > pierce:
        stopped = _stop(log, p, r, left, whole(side.armour) - pierce, codes.BY_ARMOUR, cause)
        side.armour -= stopped
        left -= stopped
    if left > 0 and side.fortify[r] > 0:
        left -= _stop(log, p, r, left, whole(side.fortify[r]), codes.BY_FORTIFY, cause)
    if left > 0 and side.ward > 0:
        left -= _stop(log, p, r, left, whole(side.ward), codes.BY_WARD, cause)
        side.ward = 0
        side.ward_rounds = 0
    lose(tables, state, log, p, r, left, seat, cause)
    return left


@kernel
def _stop(log, p, r, damage, guard, by, cause):
    """How much of the damage a guard stops."""
    stopped = min(damage, guard)
    note(log, events.GUARDED, p, r, stopped, by, cause)
    return stopped


@kernel
def built(state, p, amount):
    """A block of this size as side p builds it: modifiers may make blocks better or worse."""
    return scaled(amount, 100 + whole(state.sides[p].mods[codes.MOD_BLOCK_PERCENT]))


@kernel
def lasting(state, p, rounds):
    """How many of its own turns a side's guard outlives: one more when it was raised in the opponent's turn."""
    return whole(rounds) + (NONE if state.turn == p else whole(1))


@kernel
def raise_ward(tables, state, log, p, amount, cause):
    """Ward: the next incoming damage is reduced; a larger Ward takes a smaller one's place (E24)."""
    side = state.sides[p]
    points = built(state, p, amount)
    if points > 0 and points >= side.ward:
        side.ward = points
        side.ward_rounds = lasting(state, p, whole(tables.rules.ward_rounds))
        note(log, events.WARD_GAINED, p, whole(side.ward), NONE, NONE, cause)


@kernel
def raise_fortify(state, log, p, r, amount, rounds, cause):
    """Fortify: damage to one reducer is reduced for one or two rounds; a larger one takes a smaller one's place."""
    side = state.sides[p]
    points = built(state, p, amount)
    if points > 0 and points >= side.fortify[r]:
        kept = whole(side.fortify_rounds[r]) if points == side.fortify[r] else NONE
        side.fortify[r] = points
        side.fortify_rounds[r] = max(kept, lasting(state, p, rounds))
        note(log, events.FORTIFY_GAINED, p, r, whole(side.fortify[r]), whole(rounds), cause)


@kernel
def raise_armour(state, p, amount):
    """Armour: a store that damage uses up. Modifiers raise or lower it."""
    state.sides[p].armour += built(state, p, amount) if amount > 0 else whole(amount)


@kernel
def sheds(state, log, p, cause):
    """Whether side p shrugs this debuff off: some modifiers let it do so a number of times."""
    side = state.sides[p]
    if side.shed <= 0:
        return False
    side.shed -= 1
    note(log, events.SHED, p, NONE, NONE, NONE, cause)
    return True


@kernel
def wear_off_guards(state, p):
    """At the start of a side's turn its Ward and Fortify grow a round older."""
    side = state.sides[p]
    if side.ward_rounds > 0:
        side.ward_rounds -= 1
        if side.ward_rounds == 0:
            side.ward = 0
    for r in range(side.fortify.shape[0]):
        if side.fortify_rounds[r] > 0:
            side.fortify_rounds[r] -= 1
            if side.fortify_rounds[r] == 0:
                side.fortify[r] = 0
