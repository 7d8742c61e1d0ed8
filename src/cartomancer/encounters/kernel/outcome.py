"""Eight ways a room ends, and the order in which they are looked for [GDD 3.4], E16."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import by_modifier
from cartomancer.encounters.kernel.codes import DUNGEON, FIRST, NOBODY, ONE, SECOND, THIRD, UNDECIDED, VISITOR
from cartomancer.encounters.kernel.events import note
from cartomancer.jit import kernel


@kernel
def visitor_falls(tables, state, log):
    """Kill, Break, Panic, in this order. Some visitors shrug the first Panic off."""
    side = state.sides[VISITOR]
    if state.downs >= tables.visitor.kill_at:
        return codes.KILL
    if side.reducers[SECOND] <= 0:
        return codes.BREAK
    if side.reducers[THIRD] <= 0:
        if side.panic_immunity <= 0:
            return codes.PANIC
        side.panic_immunity -= 1
        side.reducers[THIRD] = 1
        cause = by_modifier(tables, log, causes.COMPOSURE, VISITOR, codes.MOD_PANIC_IMMUNITY)
        note(log, events.PANIC_SHRUGGED, VISITOR, THIRD, ONE, NOBODY, cause)
    return UNDECIDED


@kernel
def dungeon_falls(state):
    """Overcome, Inert, Dominate, in this order."""
    side = state.sides[DUNGEON]
    if side.reducers[FIRST] <= 0:
        return codes.OVERCOME
    if side.reducers[SECOND] <= 0:
        return codes.INERT
    if side.reducers[THIRD] <= 0:
        return codes.DOMINATE
    return UNDECIDED


@kernel
def room_outcome(tables, state, log, culprit):
    """The win check: after the visitor's turn the dungeon's fall counts first, otherwise the visitor's (E16)."""
    if culprit == VISITOR:
        found = dungeon_falls(state)
        if found != UNDECIDED:
            return found
    found = visitor_falls(tables, state, log)
    if found != UNDECIDED:
        return found
    return dungeon_falls(state)
