"""Members: their own vitality, knock-outs with card removal and morale cascade, restoration [GDD 16].

A creature is a party of one: the same rules, a Kill at the first knock-out.
"""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import by_modifier
from cartomancer.encounters.kernel.codes import FIRST, NOBODY, NONE, ONE, VISITOR
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.piles import return_cards_of, take_out_cards_of
from cartomancer.jit import kernel, whole


@kernel
def is_lower_share(now, start, other_now, other_start):
    """Whether now/start is a lower share than other_now/other_start."""
    return whole(now) * whole(other_start) < whole(other_now) * whole(start)


@kernel
def weakest_member(tables, state):
    """The standing member that untargeted harm finds: most threatened, then lowest share, then by seat (E13)."""
    found = NOBODY
    for seat in range(tables.visitor.member_count):
        member = state.members[seat]
        if not member.down:
            if found == NOBODY:
                found = whole(seat)
            else:
                best = state.members[found]
                if member.threat > best.threat:
                    found = whole(seat)
                elif member.threat == best.threat:
                    if is_lower_share(member.vitality, member.start, best.vitality, best.start):
                        found = whole(seat)
    return found


@kernel
def lowest_member(tables, state):
    """The standing member with the least vitality: whom a Focused Strike must hit [GDD 16.9]."""
    found = NOBODY
    for seat in range(tables.visitor.member_count):
        if not state.members[seat].down:
            if found == NOBODY or state.members[seat].vitality < state.members[found].vitality:
                found = whole(seat)
    return found


@kernel
def standing(tables, state):
    """How many members stand."""
    return whole(tables.visitor.member_count) - whole(state.downs)


@kernel
def wound(tables, state, log, seat, points, cause):
    """A member loses vitality; at 0 it is knocked out [GDD 16.6]."""
    member = state.members[seat]
    side = state.sides[VISITOR]
    note(log, events.HURT, VISITOR, FIRST, points, seat, cause)
    member.vitality -= points
    side.reducers[FIRST] -= points
    if member.vitality <= 0:
        knock_out(tables, state, log, seat, cause)
    elif side.mods[codes.MOD_RESCUE] > 0:
        rescue(tables, state, log, seat)


@kernel
def rescue(tables, state, log, seat):
    """A member that drops below a share of its vitality regains some, once an encounter (Healer's Oath) [GDD 17.7]."""
    member = state.members[seat]
    side = state.sides[VISITOR]
    if state.rescued or member.pierced:
        return
    if whole(member.vitality) * 100 < whole(member.start) * whole(side.mods[codes.MOD_RESCUE_BELOW]):
        points = min(whole(side.mods[codes.MOD_RESCUE]), whole(member.start) - whole(member.vitality))
        member.vitality += points
        side.reducers[FIRST] += points
        state.rescued = 1
        cause = by_modifier(tables, log, causes.RESCUE, VISITOR, codes.MOD_RESCUE)
        note(log, events.RESCUED, VISITOR, FIRST, points, seat, cause)


@kernel
def knock_out(tables, state, log, seat, cause):
    """Knocked out: cards leave draw and discard pile, those in hand can still be played this turn; morale falls."""
    member = state.members[seat]
    member.down = 1
    state.downs += 1
    state.knockouts += 1
    if state.first_down < 0:
        state.first_down = seat
    removed = take_out_cards_of(tables, state, seat)
    note(log, events.KNOCKED_OUT, VISITOR, seat, removed, NONE, cause)
    if tables.visitor.member_count > 1:
        morale_cascade(tables, state, log, seat)


@kernel
def morale_cascade(tables, state, log, seat):
    """Each knock-out costs the party resolve and nerve: −3/−3, then −5/−5; a bounty makes it worse each time."""
    side = state.sides[VISITOR]
    points = whole(tables.rules.cascade[0 if state.knockouts == 1 else 1])
    points += whole(state.members[seat].bounty) * whole(state.knockouts)
    note(log, events.MORALE_CASCADE, VISITOR, points, NONE, NONE, NONE)
    for r in (codes.SECOND, codes.THIRD):
        lost = min(points, whole(side.reducers[r]))
        side.reducers[r] -= lost
        note(log, events.HURT, VISITOR, r, lost, NOBODY, causes.CASCADE)


@kernel
def fallen_member(tables, state):
    """The first knocked-out member who can be restored and is not getting up already, or nobody."""
    for seat in range(tables.visitor.member_count):
        member = state.members[seat]
        if member.down and not member.pierced and member.rising == 0:
            return whole(seat)
    return NOBODY


@kernel
def begin_restoration(state, log, seat, vitality, cause):
    """A knocked-out member will be back at its side's next turn, unless that is stopped before [GDD 16.8], E61."""
    state.members[seat].rising = max(ONE, whole(vitality))
    note(log, events.RESTORATION_BEGUN, VISITOR, seat, vitality, NONE, cause)


@kernel
def rising_member(tables, state):
    """The first member who is getting up, or nobody."""
    for seat in range(tables.visitor.member_count):
        if state.members[seat].rising > 0:
            return whole(seat)
    return NOBODY


@kernel
def stop_restoration(tables, state, log, cause):
    """Whoever is getting up falls back: a Counter or a Disrupt came in between. Returns whether anybody was."""
    seat = rising_member(tables, state)
    if seat == NOBODY:
        return False
    state.members[seat].rising = 0
    note(log, events.RESTORATION_STOPPED, VISITOR, seat, NONE, NONE, cause)
    return True


@kernel
def finish_restorations(tables, state, log):
    """At the start of the visitor's turn those who were getting up stand again."""
    for seat in range(tables.visitor.member_count):
        vitality = whole(state.members[seat].rising)
        if vitality > 0:
            restore_member(tables, state, log, whole(seat), vitality, events.RESTORED, causes.RESTORATION)


@kernel
def restore_member(tables, state, log, seat, vitality, event, cause):
    """A knocked-out member returns with some vitality, and its cards with it [GDD 16.8]."""
    member = state.members[seat]
    side = state.sides[VISITOR]
    points = max(ONE, min(whole(vitality), whole(member.start)))
    member.down = 0
    member.rising = 0
    member.vitality = points
    side.reducers[FIRST] += points
    state.downs -= 1
    return_cards_of(tables, state, seat)
    note(log, event, VISITOR, FIRST, points, seat, cause)


@kernel
def resize_member(state, log, seat, value, cause):
    """A member's vitality and its start grow or shrink together; nobody falls by that."""
    member = state.members[seat]
    side = state.sides[VISITOR]
    start = max(ONE, whole(member.start) + value)
    side.starts[FIRST] += start - whole(member.start)
    member.start = start
    grown = NONE
    if not member.down:
        grown = max(ONE, min(whole(member.vitality) + value, start)) - whole(member.vitality)
        side.reducers[FIRST] += grown
        member.vitality += grown
    note(log, events.RESIZED, VISITOR, FIRST, grown, seat, cause)
