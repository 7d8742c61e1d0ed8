"""Trust: the leverage meter in half points: its tiers, its cap a round, the debts that hang on it [Bond 3.4, 4]."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, events
from cartomancer.encounters.kernel.codes import DUNGEON, EVERY_SEAT, NONE, ONE, VISITOR
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.layout import DEBT_SLOTS
from cartomancer.encounters.kernel.reducers import lose
from cartomancer.jit import kernel, whole

BINDING_TIER = 2  # from here on a dungeon's Offers are accepted unasked [Bond 4.1]
COVENANT_TIER = 3  # from here on it may propose a Covenant


@kernel
def points_of_trust(state):
    """Whole points of trust."""
    return whole(state.trust) // 2


@kernel
def trust_tier(tables, state):
    """Strangers 0, Familiar 1, Entrusted 2, Covenant 3 [Bond 4.1]."""
    tier = NONE
    for k in range(tables.rules.trust_tiers.shape[0]):
        if points_of_trust(state) >= tables.rules.trust_tiers[k]:
            tier += ONE
    return tier


@kernel
def gain_trust(tables, state, log, p, halves, cause):
    """Trust grows by what side p did, at most so much a side a round (E2)."""
    side = state.sides[p]
    gained = min(whole(halves), 2 * whole(tables.rules.trust_cap_per_round) - whole(side.trust_gained))
    if gained > 0:
        side.trust_gained += gained
        state.trust += gained
        state.trust_risen = state.rounds
        state.trust_peak = max(whole(state.trust_peak), whole(state.trust))
        note(log, events.TRUST_CHANGED, p, whole(state.trust), gained, NONE, cause)


@kernel
def set_trust(tables, state, log, p, halves, cause):
    """Trust falls to a new value through what side p did; what depended on it breaks."""
    fallen = whole(state.trust) - max(NONE, whole(halves))
    if fallen > 0:
        state.trust -= fallen
        note(log, events.TRUST_CHANGED, p, whole(state.trust), -fallen, NONE, cause)
        _break_dependencies(tables, state, log, DUNGEON)
        _break_dependencies(tables, state, log, VISITOR)


@kernel
def halve_trust(tables, state, log, p, cause):
    """Trust crashes by half, rounded down to whole points (E3) [Bond 6.2]."""
    set_trust(tables, state, log, p, points_of_trust(state) // 2 * 2, cause)


@kernel
def _break_dependencies(tables, state, log, p):
    """A dependency takes back twice its heal when trust is lower than when it was accepted [Bond 3.4]."""
    side = state.sides[p]
    for k in range(DEBT_SLOTS):
        if side.dependency[k] > 0 and state.trust < side.dependency_trust[k]:
            r = whole(side.dependency_at[k])
            points = whole(side.dependency[k])
            side.dependency[k] = 0
            note(log, events.DEPENDENCY_BROKE, p, r, points, NONE, NONE)
            lose(tables, state, log, p, r, points, EVERY_SEAT, causes.DEPENDENCY_COST)


@kernel
def free_slot(slots):
    """The first empty debt slot, or -1."""
    for k in range(DEBT_SLOTS):
        if slots[k] == 0:
            return whole(k)
    return whole(-1)
