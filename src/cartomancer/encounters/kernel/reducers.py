"""Reducers: points lost and won back, and which of them is weakest [GDD 3]. Vitality belongs to members (`party`)."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes, events
from cartomancer.encounters.kernel.codes import EVERY_SEAT, FIRST, NOBODY, NONE, ONE, REDUCERS, UNSET, VISITOR
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.party import is_lower_share, weakest_member, wound
from cartomancer.encounters.kernel.resolution import scaled
from cartomancer.jit import kernel, whole


@kernel
def share_of(now, start):
    """Thousandths of a starting value."""
    return max(NONE, whole(now)) * 1000 // max(1, whole(start))


@kernel
def weakest_reducer(state, p, but):
    """The reducer of side p with the lowest share of its starting value, ties by order; `but` is left out (E5)."""
    side = state.sides[p]
    found = UNSET
    for r in range(REDUCERS):
        if r != but:
            if found == UNSET or is_lower_share(
                side.reducers[r], side.starts[r], side.reducers[found], side.starts[found]
            ):
                found = whole(r)
    return found


@kernel
def lose(tables, state, log, p, r, amount, seat, cause):
    """Side p loses points of reducer r, whatever guards it; a party's vitality is the seat's, or the weakest member's.

    Gives back the points that were there to lose.
    """
    if amount <= 0:
        return NONE
    side = state.sides[p]
    if p == VISITOR and r == FIRST:
        chosen = seat
        if chosen < 0 or state.members[chosen].down:
            chosen = weakest_member(tables, state)
        if chosen == NOBODY:
            return NONE
        lost = min(whole(amount), whole(state.members[chosen].vitality))
        wound(tables, state, log, chosen, lost, cause)
        return lost
    lost = min(whole(amount), whole(side.reducers[r]))
    side.reducers[r] -= lost
    note(log, events.HURT, p, r, lost, NOBODY, cause)
    return lost


@kernel
def heal(tables, state, log, p, r, amount, seat, cause):
    """Side p regains points of reducer r, never beyond its start; modifiers may make healing better or worse.

    A party's vitality goes to the seat if it stands and can be healed, else to the weakest member that can, and what
    that one does not need to the next (E68). Gives back the points that were regained.
    """
    side = state.sides[p]
    points = scaled(amount, 100 + whole(side.mods[codes.MOD_HEALING_PERCENT]))
    if p == VISITOR and r == FIRST:
        if seat != EVERY_SEAT and not state.members[seat].down and not state.members[seat].pierced:
            return _heal_member(state, log, seat, points, cause)
        healed = NONE
        chosen = _weakest_healable(tables, state)
        while chosen != NOBODY and healed < points:
            healed += _heal_member(state, log, chosen, points - healed, cause)
            chosen = _weakest_healable(tables, state)
        return healed
    points = max(NONE, min(points, whole(side.starts[r]) - whole(side.reducers[r])))
    side.reducers[r] += points
    if points > 0:
        note(log, events.HEALED, p, r, points, NOBODY, cause)
    return points


@kernel
def _heal_member(state, log, seat, points, cause):
    """A member regains vitality, no more than it lacks. Gives back how much."""
    member = state.members[seat]
    healed = max(NONE, min(points, whole(member.start) - whole(member.vitality)))
    member.vitality += healed
    state.sides[VISITOR].reducers[FIRST] += healed
    if healed > 0:
        note(log, events.HEALED, VISITOR, FIRST, healed, seat, cause)
    return healed


@kernel
def _weakest_healable(tables, state):
    """The standing, wounded member with the lowest share of vitality whom no Piercing Strike has marked."""
    found = NOBODY
    for seat in range(tables.visitor.member_count):
        member = state.members[seat]
        if not member.down and not member.pierced and member.vitality < member.start:
            if found == NOBODY or is_lower_share(
                member.vitality, member.start, state.members[found].vitality, state.members[found].start
            ):
                found = whole(seat)
    return found


@kernel
def heal_fully(tables, state, log, p, r, cause):
    """Side p regains reducer r up to its start; a party, the vitality of all who stand."""
    side = state.sides[p]
    return heal(tables, state, log, p, r, whole(side.starts[r]), EVERY_SEAT, cause)


@kernel
def resize_reducer(state, log, p, r, value, cause):
    """A reducer and its start grow or shrink together, never below 1; a visitor's vitality belongs to members."""
    side = state.sides[p]
    side.starts[r] = max(ONE, whole(side.starts[r]) + value)
    grown = NONE
    if side.reducers[r] > 0:
        grown = max(ONE, min(whole(side.reducers[r]) + value, whole(side.starts[r]))) - whole(side.reducers[r])
        side.reducers[r] += grown
    note(log, events.RESIZED, p, r, grown, NOBODY, cause)
