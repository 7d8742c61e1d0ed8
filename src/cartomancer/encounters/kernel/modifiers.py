"""Modifiers: trials, intrusions, equipment, room items, Insight and traits are one mechanism.

A scenario's modifiers are rows of its table. Standing ones are summed into `mods[side, code]` at the start of each
round, so that limits in time and conditions need no rule of their own; rules read the few codes they honour. Opening
ones act once when a room begins.
"""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import because, by_modifier
from cartomancer.encounters.kernel.codes import DUNGEON, EVERY_SEAT, FIRST, NOBODY, NONE, ONE, VISITOR
from cartomancer.encounters.kernel.conditions import holds
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import hurt, raise_armour
from cartomancer.encounters.kernel.party import resize_member, wound
from cartomancer.encounters.kernel.piles import bit
from cartomancer.encounters.kernel.reducers import heal, lose, resize_reducer
from cartomancer.jit import kernel, whole
from cartomancer.rng import below


@kernel
def sum_modifiers(tables, state, log):
    """Sum the standing modifiers of this round. Insight counts as a bonus to the dungeon's contested rolls."""
    if tables.modifier_count > 0:
        for p in range(2):
            for code in range(codes.MODS):
                state.sides[p].mods[code] = 0
    state.sides[DUNGEON].mods[codes.MOD_CONTEST] = state.insight
    # what forbids consumables must be known before they are counted
    for k in range(tables.modifier_count):
        if tables.modifiers[k].code == codes.MOD_NO_CONSUMABLES:
            _add(tables, state, k)
    for k in range(tables.modifier_count):
        if tables.modifiers[k].code == codes.MOD_REDUCER:
            _fit_reducer(tables, state, log, k)
        elif tables.modifiers[k].code != codes.MOD_NO_CONSUMABLES:
            _add(tables, state, k)


@kernel
def is_in_force(tables, state, k):
    """Whether a modifier acts in this room and this round: its place, its window, its interval, its condition."""
    modifier = tables.modifiers[k]
    p = whole(modifier.side)
    turn = max(ONE, whole(state.round_no))
    if modifier.room >= 0 and modifier.room != state.room:
        return False
    if modifier.consumable and state.sides[VISITOR].mods[codes.MOD_NO_CONSUMABLES] > 0:
        return False
    if modifier.turns > 0 and turn > modifier.turns:
        return False
    if turn < modifier.from_turn:
        return False
    if modifier.every > 0 and turn % modifier.every != 0:
        return False
    return holds(tables, state, p, whole(modifier.when), whole(modifier.when_at), whole(modifier.when_value))


@kernel
def _add(tables, state, k):
    """Add one standing modifier into the sums."""
    modifier = tables.modifiers[k]
    code = whole(modifier.code)
    value = whole(modifier.value)
    mods = state.sides[modifier.side].mods
    if code >= codes.MOD_ARMOUR or not is_in_force(tables, state, k):
        return
    if code == codes.MOD_GRANT_KEYWORD:
        mods[code] |= value
    elif code < codes.MODS:
        mods[code] += value
        if code == codes.MOD_EXECUTE_PERCENT:
            mods[codes.MOD_EXECUTE_BELOW] = max(whole(mods[codes.MOD_EXECUTE_BELOW]), whole(modifier.below))
        elif code == codes.MOD_RESCUE:
            mods[codes.MOD_RESCUE_BELOW] = max(whole(mods[codes.MOD_RESCUE_BELOW]), whole(modifier.below))
    else:
        # with each turn that passes: from its first turn on, or from the second round
        passed = whole(state.round_no) - max(whole(modifier.from_turn) - 1, ONE)
        target = codes.MOD_DAMAGE if code == codes.MOD_DAMAGE_GROWTH else codes.MOD_TEMPO
        mods[target] += value * max(NONE, passed)


@kernel
def open_modifiers(tables, state, log):
    """A room begins: everything that acts once."""
    for k in range(tables.modifier_count):
        if tables.modifiers[k].code >= codes.MOD_ARMOUR and tables.modifiers[k].code < codes.MOD_REDUCER:
            if is_in_force(tables, state, k) and (state.rooms_entered == 1 or not _is_wound(tables.modifiers[k])):
                _open(tables, state, log, k)
    for p in range(2):
        side = state.sides[p]
        side.shed = max(NONE, whole(side.shed))
        side.armour = max(NONE, whole(side.armour))
        if side.armour > 0:
            cause = by_modifier(tables, log, causes.MODIFIER, p, codes.MOD_ARMOUR)
            note(log, events.ARMOUR_CHANGED, whole(p), whole(side.armour), NONE, NONE, cause)
        _stress(tables, state, log, whole(p))
    for p in range(2):
        _strike_first(tables, state, log, whole(p))


@kernel
def _is_wound(modifier):
    """Health and injury (and stress) carry over by themselves: they act in the run's first room only."""
    return modifier.code == codes.MOD_HEALTH or modifier.code == codes.MOD_INJURY


@kernel
def _fit_reducer(tables, state, log, k):
    """A reducer is larger exactly while the modifier is in force; it is looked at when a round or a room begins."""
    modifier = tables.modifiers[k]
    wanted = is_in_force(tables, state, k)
    if wanted == ((state.applied & bit(whole(k))) != 0):
        return
    state.applied ^= bit(whole(k))
    p = whole(modifier.side)
    r = whole(modifier.resource)
    value = whole(modifier.value) if wanted else -whole(modifier.value)
    cause = because(causes.MODIFIER, whole(k))
    if p == VISITOR and r == FIRST:
        for seat in range(tables.visitor.member_count):
            if modifier.seat < 0 or modifier.seat == seat:
                resize_member(state, log, whole(seat), value, cause)
    else:
        resize_reducer(state, log, p, r, value, cause)


@kernel
def forget_room_reducers(tables, state):
    """The dungeon starts every room anew: what made its reducers larger has to be laid on again."""
    for k in range(tables.modifier_count):
        if tables.modifiers[k].side == DUNGEON:
            state.applied &= ~bit(whole(k))


@kernel
def _seat_meant(tables, state, seat):
    """The member a modifier means: a fixed seat, or one standing member at random."""
    if seat != codes.RANDOM_SEAT:
        return whole(seat)
    chosen = below(state.streams, codes.CHANCE, whole(tables.visitor.member_count))
    for step in range(tables.visitor.member_count):
        found = (chosen + step) % whole(tables.visitor.member_count)
        if not state.members[found].down:
            return found
    return NOBODY


@kernel
def _open(tables, state, log, k):
    """One modifier that acts when a room begins."""
    modifier = tables.modifiers[k]
    code = whole(modifier.code)
    p = whole(modifier.side)
    value = whole(modifier.value)
    side = state.sides[p]
    if code == codes.MOD_ARMOUR:
        raise_armour(state, p, value)
    elif code == codes.MOD_SHED_DEBUFF:
        side.shed += value
    elif code == codes.MOD_STRIP_WARD:
        side.shed -= value
    elif code == codes.MOD_HEX_GUARD:
        side.hex_guard += value
    elif code == codes.MOD_BANISH:
        side.banish += value
    elif code == codes.MOD_BACKLINE_ADDS:
        side.back_adds += value
    elif code == codes.MOD_PANIC_IMMUNITY:
        side.panic_immunity += value
    elif code != codes.MOD_OPENING_STRIKE and code != codes.MOD_ALERTNESS and code != codes.MOD_STRESS:
        seat = _seat_meant(tables, state, whole(modifier.seat))
        cause = because(causes.MODIFIER, whole(k))
        if code == codes.MOD_HEALTH:
            if value > 0:
                heal(tables, state, log, p, FIRST, value, seat, cause)
            else:
                lose(tables, state, log, p, FIRST, -value, seat, cause)
        elif p == VISITOR:
            _burden(tables, state, log, code, seat, value, cause)


@kernel
def _stress(tables, state, log, p):
    """Stress and relief from it, all taken together, cost or restore nerve before the run's first fight."""
    total = NONE
    for k in range(tables.modifier_count):
        modifier = tables.modifiers[k]
        if modifier.code == codes.MOD_STRESS and modifier.side == p and is_in_force(tables, state, k):
            total += whole(modifier.value)
    cause = by_modifier(tables, log, causes.MODIFIER, p, codes.MOD_STRESS)
    if state.rooms_entered == 1 and total > 0:
        lose(tables, state, log, p, codes.THIRD, total, EVERY_SEAT, cause)
    elif state.rooms_entered == 1 and total < 0:
        heal(tables, state, log, p, codes.THIRD, -total, EVERY_SEAT, cause)


@kernel
def _burden(tables, state, log, code, seat, value, cause):
    """What a member starts with: injury, weakness, threat, a bounty; without a seat, every member."""
    for k in range(tables.visitor.member_count):
        if seat == EVERY_SEAT or seat == k:
            member = state.members[k]
            note(log, events.BURDENED, VISITOR, code, whole(k), value, cause)
            if code == codes.MOD_WEAKNESS:
                member.weakness = max(NONE, whole(member.weakness) + value)
            elif code == codes.MOD_THREAT:
                member.threat += value
            elif code == codes.MOD_BOUNTY:
                member.bounty += value
            elif code == codes.MOD_INJURY and value > 0 and not member.down:
                wound(tables, state, log, whole(k), min(value, whole(member.vitality) - 1), cause)


@kernel
def _strike_first(tables, state, log, p):
    """Free strikes of side p when the room begins, except the first ones that its victim is alert to."""
    seen = NONE
    for k in range(tables.modifier_count):
        watch = tables.modifiers[k]
        if watch.code == codes.MOD_ALERTNESS and watch.side != p and is_in_force(tables, state, k):
            seen += whole(watch.value)
    for k in range(tables.modifier_count):
        strike = tables.modifiers[k]
        if strike.code == codes.MOD_OPENING_STRIKE and strike.side == p and is_in_force(tables, state, k):
            if seen > 0:
                seen -= 1
            else:
                cause = because(causes.OPENING_STRIKE, whole(k))
                note(log, events.OPENING_STRIKE, p, whole(strike.value), NONE, NONE, NONE)
                hurt(tables, state, log, 1 - p, FIRST, whole(strike.value), EVERY_SEAT, NONE, cause)
