"""Keywords and what they leave on the board [GDD 9]."""

from __future__ import annotations

from cartomancer.encounters.kernel import events
from cartomancer.encounters.kernel.codes import EVERY_SEAT, MOD_POISON_GUARD, NOBODY, NONE, ONE, UNSET
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import sheds
from cartomancer.encounters.kernel.reducers import heal, lose, weakest_reducer
from cartomancer.jit import kernel, whole


@kernel
def entangle(state, log, victim):
    """Entangle: the victim cannot flee in its next turn; it clears when that turn starts."""
    if not sheds(state, log, victim):
        state.sides[victim].entangled = ONE
        note(log, events.ENTANGLED, victim, NONE, NONE, NONE)


@kernel
def is_under_pressure(tables, state, p, r):
    """Whether the room's auto-effects already take from this reducer."""
    room = tables.rooms[state.room]
    for k in range(room.auto_count):
        effect = room.auto[k]
        if effect.side == p and effect.resource == r and effect.change < 0:
            return True
    return False


@kernel
def lay_erode(tables, state, log, victim, r, amount):
    """Erode: the victim loses points of a reducer next round, unless the room presses the same one already."""
    if is_under_pressure(tables, state, victim, r):
        note(log, events.ERODE_SUPPRESSED, victim, r, NONE, NONE)
    else:
        _gnaw(state, log, victim, r, amount)


@kernel
def poison(state, log, victim, r, amount):
    """A venomous hit: points lost next round, whatever the room does; some are guarded against it."""
    left = amount - whole(state.sides[victim].mods[MOD_POISON_GUARD])
    if left > 0:
        _gnaw(state, log, victim, r, left)


@kernel
def _gnaw(state, log, victim, r, amount):
    """Points to be lost next round, unless the victim sheds the debuff."""
    if not sheds(state, log, victim):
        state.sides[victim].erode[r] += amount
        note(log, events.ERODE_LAID, victim, r, whole(state.sides[victim].erode[r]), NONE)


@kernel
def drain(tables, state, log, p, dealt, to, seat):
    """Drain: damage dealt heals the striker, at most 2."""
    r = to if to >= 0 else weakest_reducer(state, p, UNSET)
    heal(tables, state, log, p, r, min(dealt, whole(tables.rules.drain_cap)), seat)


@kernel
def overwhelm(tables, state, log, victim, r, excess, to):
    """Overwhelm: what a depleted reducer could not take spills to another one."""
    other = to if to >= 0 and to != r else weakest_reducer(state, victim, r)
    if excess > 0 and other != NOBODY:
        note(log, events.SPILLED, victim, other, excess, NONE)
        lose(tables, state, log, victim, other, excess, EVERY_SEAT)
