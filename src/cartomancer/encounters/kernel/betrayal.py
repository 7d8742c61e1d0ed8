"""What a Strike does to trust: decay, betrayal with its conversion into damage, scorn [Bond 4.3, 7], E4, E5."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, events
from cartomancer.encounters.kernel.causes import because
from cartomancer.encounters.kernel.codes import DUNGEON, EVERY_SEAT, NONE, ONE, UNSET, VISITOR
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.reducers import lose, weakest_reducer
from cartomancer.encounters.kernel.trust import points_of_trust, set_trust, trust_tier
from cartomancer.jit import kernel, whole


@kernel
def after_strike(tables, state, log, p):
    """A Strike at trust 4 or more betrays it; below, a dungeon's Strike wears it down."""
    trust = points_of_trust(state)
    found = whole(state.flight.card)
    if trust >= tables.rules.betrayal_min_trust:
        if p == DUNGEON:
            betray(tables, state, log, trust, because(causes.BETRAYAL, found))
        else:
            scorn(tables, state, log, because(causes.SCORN, found))
    elif p == DUNGEON and state.trust > 0:
        decay = whole(tables.rules.strike_decay)
        if trust_tier(tables, state) >= 2:
            decay = whole(tables.rules.strike_decay_deep)
        set_trust(tables, state, log, p, whole(state.trust) - 2 * decay, because(causes.STRIKE, found))


@kernel
def betray(tables, state, log, trust, cause):
    """Each point of trust becomes a point of damage to the visitor's weakest reducer; trust is gone; fury follows.

    In a party, where that is the vitality, the weakest who stands suffers, and then the next: no point is lost (E69).
    """
    visitor = state.sides[VISITOR]
    r = weakest_reducer(state, VISITOR, UNSET)
    state.betrayals += 1
    note(log, events.BETRAYED, VISITOR, r, trust, NONE, NONE)
    left = trust
    while left > 0 and state.sides[VISITOR].reducers[r] > 0:
        left -= lose(tables, state, log, VISITOR, r, left, EVERY_SEAT, cause)
    set_trust(tables, state, log, DUNGEON, NONE, cause)
    visitor.betrayed = tables.rules.betrayed_rounds
    visitor.refuses = ONE


@kernel
def scorn(tables, state, log, cause):
    """The visitor strikes a cooperating dungeon: trust is gone, and the dungeon contests harder for a while."""
    state.scorns += 1
    note(log, events.SCORNED, DUNGEON, points_of_trust(state), NONE, NONE, NONE)
    set_trust(tables, state, log, VISITOR, NONE, cause)
    state.sides[DUNGEON].scorned = tables.rules.scorned_rounds
