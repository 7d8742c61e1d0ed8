"""Board states that triggers, Siphons and conditional modifiers ask about [GDD 9, Trigger System]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import NONE, ONE, REDUCERS, VISITOR
from cartomancer.jit import kernel, whole


@kernel
def is_disrupted(side):
    """Whether a Disrupt waits for this side's next Strike."""
    thorns = side.thorns[0] or side.thorns[1] or side.thorns[2]
    return side.disadvantage or thorns or side.strip or side.randomise


@kernel
def _is_eroded(side):
    venom = side.venom[0] or side.venom[1] or side.venom[2]
    return side.erode[0] or side.erode[1] or side.erode[2] or venom


@kernel
def _is_guarded(side):
    return side.ward > 0 or side.armour > 0 or side.fortify[0] > 0 or side.fortify[1] > 0 or side.fortify[2] > 0


@kernel
def _is_exposed(side):
    return side.exposure[0] or side.exposure[1] or side.exposure[2] or side.exposure[3]


@kernel
def _has_share(side, r, percent, above):
    """Whether a reducer (or any, r = -1) is below, or above, a share of its starting value."""
    for k in range(REDUCERS):
        if r < 0 or r == k:
            excess = whole(side.reducers[k]) * 100 - whole(side.starts[k]) * percent
            if (above == ONE and excess > 0) or (above == NONE and excess < 0):
                return True
    return False


@kernel
def holds(tables, state, p, when, at, value):
    """Whether a condition holds for side p."""
    me = state.sides[p]
    them = state.sides[1 - p]
    if when == codes.ALWAYS:
        return True
    if when == codes.SELF_BELOW:
        return _has_share(me, at, value, NONE)
    if when == codes.SELF_ABOVE:
        return _has_share(me, at, value, ONE)
    if when == codes.OPPONENT_BELOW:
        return _has_share(them, at, value, NONE)
    if when == codes.OPPONENT_ABOVE:
        return _has_share(them, at, value, ONE)
    found = False
    if when == codes.OPPONENT_ENTANGLED:
        found = them.entangled != 0
    elif when == codes.OPPONENT_ERODED:
        found = _is_eroded(them) != 0
    elif when == codes.OPPONENT_DISRUPTED:
        found = is_disrupted(them) != 0
    elif when == codes.OPPONENT_EMPOWERED:
        found = them.empowered != 0
    elif when == codes.OPPONENT_GUARDED:
        found = _is_guarded(them)
    elif when == codes.OPPONENT_EXPOSED:
        found = _is_exposed(them) != 0
    elif when == codes.SELF_ENTANGLED:
        found = me.entangled != 0 or me.held != 0
    elif when == codes.SELF_DISRUPTED:
        found = is_disrupted(me) != 0
    elif when == codes.SELF_EMPOWERED:
        found = me.empowered != 0
    elif when == codes.SELF_GUARDED:
        found = _is_guarded(me)
    elif when == codes.SELF_BETRAYED:
        found = me.betrayed > 0
    elif when == codes.DISCARD_AT_LEAST:
        found = me.discard_size >= value
    elif when == codes.HAND_AT_LEAST:
        found = me.hand_size >= value
    elif when == codes.HAND_AT_MOST:
        found = me.hand_size <= value
    elif when == codes.OPPONENT_HAND_AT_LEAST:
        found = them.hand_size >= value
    elif when == codes.OPPONENT_HAND_AT_MOST:
        found = them.hand_size <= value
    elif when == codes.TRUST_AT_LEAST:
        found = state.trust // 2 >= value
    elif when == codes.TRUST_AT_MOST:
        found = state.trust // 2 <= value
    elif when == codes.ROUND_AT_LEAST:
        found = state.round_no >= value
    elif when == codes.TRAP_SET:
        found = me.trap_count > 0
    elif when == codes.MEMBER_DOWN:
        found = state.downs > 0 and tables.visitor.member_count > 1 and p == VISITOR
    return found


@kernel
def is_triggered(tables, state, p, card):
    """Whether a card has a trigger and its condition holds."""
    return card.when != codes.ALWAYS and holds(
        tables, state, p, whole(card.when), whole(card.when_at), whole(card.when_value)
    )
