"""What a side brings to a contested roll besides its dice [GDD 4.9], E10."""

from __future__ import annotations

from cartomancer.encounters.kernel.codes import DICE, MOD_CONTEST, NOBODY, VISITOR
from cartomancer.encounters.kernel.resolution import contest_roll
from cartomancer.jit import kernel, whole


@kernel
def seat_of(tables, p, instance):
    """The member whose card this is; nobody for the dungeon."""
    return whole(tables.visitor.owner[instance]) if p == VISITOR else NOBODY


@kernel
def contest_bonus(tables, state, p, card_type):
    """The attribute of the type (a party's best standing member), Scorned, and modifiers such as Insight."""
    side = state.sides[p]
    bonus = whole(side.mods[MOD_CONTEST])
    if side.scorned > 0:
        bonus += whole(tables.rules.scorned_bonus)
    if p != VISITOR:
        return bonus + whole(tables.dungeon.rooms[state.room].attributes[card_type])
    best = whole(-99)
    for seat in range(tables.visitor.member_count):
        if not state.members[seat].down:
            best = max(best, whole(tables.visitor.member_attributes[seat, card_type]))
    return bonus + (best if best > -99 else whole(0))


@kernel
def contest_total(tables, state, p, card_type, mode):
    """Two dice (or the best or worst two of three) and the bonus."""
    return contest_roll(state.streams, DICE, mode) + contest_bonus(tables, state, p, card_type)
