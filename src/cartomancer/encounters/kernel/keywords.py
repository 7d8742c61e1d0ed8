"""Keywords and what they leave on the board [GDD 9]."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import because, source_of
from cartomancer.encounters.kernel.codes import EVERY_SEAT, MOD_POISON_GUARD, NOBODY, NONE, ONE, UNSET
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import sheds
from cartomancer.encounters.kernel.reducers import heal, lose, weakest_reducer
from cartomancer.jit import kernel, whole


@kernel
def fired(log, p, keyword, found):
    """A keyword of side p's card did something."""
    note(log, events.KEYWORD_FIRED, p, keyword, found, NONE, NONE)


@kernel
def entangle(state, log, victim, cause):
    """Entangle: the victim cannot flee in its next turn; it clears when that turn starts."""
    if not sheds(state, log, victim, cause):
        state.sides[victim].entangled = ONE
        note(log, events.ENTANGLED, victim, NONE, NONE, NONE, cause)
        fired(log, 1 - victim, codes.ENTANGLE, source_of(cause))


@kernel
def is_under_pressure(tables, state, p, r):
    """Whether the room's auto-effects already take from this reducer."""
    room = tables.dungeon.rooms[state.room]
    for k in range(room.auto_count):
        effect = room.auto[k]
        if effect.side == p and effect.resource == r and effect.change < 0:
            return True
    return False


@kernel
def lay_erode(tables, state, log, victim, r, amount, cause):
    """Erode: the victim loses points of a reducer next round, unless the room presses the same one already."""
    if is_under_pressure(tables, state, victim, r):
        note(log, events.ERODE_SUPPRESSED, victim, r, NONE, NONE, cause)
    elif _gnaw(state, log, victim, r, amount, cause):
        fired(log, 1 - victim, codes.ERODE, source_of(cause))


@kernel
def poison(state, log, victim, r, amount, cause):
    """A venomous hit: points lost next round, whatever the room does; some are guarded against it."""
    left = amount - whole(state.sides[victim].mods[MOD_POISON_GUARD])
    if left > 0:
        _gnaw(state, log, victim, r, left, cause)


@kernel
def _gnaw(state, log, victim, r, amount, cause):
    """Points to be lost next round, unless the victim sheds the debuff. Returns whether they were laid."""
    if sheds(state, log, victim, cause):
        return False
    state.sides[victim].erode[r] += amount
    note(log, events.ERODE_LAID, victim, r, whole(state.sides[victim].erode[r]), NONE, cause)
    return True


@kernel
def drain(tables, state, log, p, dealt, to, seat, found):
    """Drain: damage dealt heals the striker, at most 2."""
    r = to if to >= 0 else weakest_reducer(state, p, UNSET)
    points = min(dealt, whole(tables.rules.drain_cap))
    if heal(tables, state, log, p, r, points, seat, because(causes.DRAIN, found)) > 0:
        fired(log, p, codes.DRAIN, found)


@kernel
def overwhelm(tables, state, log, victim, r, excess, to, found):
    """Overwhelm: what a depleted reducer could not take spills to another one."""
    other = to if to >= 0 and to != r else weakest_reducer(state, victim, r)
    if excess > 0 and other != NOBODY:
        fired(log, 1 - victim, codes.OVERWHELM, found)
        note(log, events.SPILLED, victim, other, excess, NONE, NONE)
        lose(tables, state, log, victim, other, excess, EVERY_SEAT, because(causes.OVERWHELM, found))
