"""Keywords and what they leave on the board [GDD 9]."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import because, source_of
from cartomancer.encounters.kernel.codes import (
    DUNGEON,
    EVERY_SEAT,
    MOD_POISON_GUARD,
    NOBODY,
    NONE,
    ONE,
    UNSET,
    VISITOR,
)
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
def acts_in(tables, state, effect, round_no):
    """Whether an auto-effect of the room acts in a round, unless its victim is calmed [GDD 5.2].

    Where the rules say so, pressure on a visitor follows its source: it pauses while the dungeon's reducer of the same
    place is below a share of its start.
    """
    if round_no % effect.every != 0:
        return False
    percent = whole(tables.rules.source_percent)
    if percent == 0 or effect.side != VISITOR or effect.change >= 0:
        return True
    dungeon = state.sides[DUNGEON]
    return whole(dungeon.reducers[effect.resource]) * 100 >= whole(dungeon.starts[effect.resource]) * percent


@kernel
def will_press(tables, state, p, r, round_no):
    """Whether the room takes from this reducer in a round, as far as one can see."""
    room = tables.dungeon.rooms[state.room]
    for k in range(room.auto_count):
        effect = room.auto[k]
        if effect.side == p and effect.resource == r and effect.change < 0:
            if acts_in(tables, state, effect, round_no):
                return True
    return False


@kernel
def lay_erode(state, log, victim, r, amount, cause):
    """Erode: the victim loses points of a reducer next round, unless it sheds the debuff or the room is faster."""
    if not sheds(state, log, victim, cause):
        side = state.sides[victim]
        side.erode[r] += amount
        note(log, events.ERODE_LAID, victim, r, whole(side.erode[r]) + whole(side.venom[r]), NONE, cause)
        fired(log, 1 - victim, codes.ERODE, source_of(cause))


@kernel
def poison(state, log, victim, r, amount, cause):
    """A venomous hit: points lost next round, whatever the room does; some are guarded against it."""
    side = state.sides[victim]
    left = amount - whole(side.mods[MOD_POISON_GUARD])
    if left > 0 and not sheds(state, log, victim, cause):
        side.venom[r] += left
        note(log, events.ERODE_LAID, victim, r, whole(side.erode[r]) + whole(side.venom[r]), NONE, cause)


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
