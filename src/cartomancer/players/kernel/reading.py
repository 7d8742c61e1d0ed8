"""Reading the board as one side may: shares, the chance of winning, the mode, the stance [GDD 7.1, Bond 8]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import FIRST, NONE, ONE, REDUCERS, UNSET, VISITOR
from cartomancer.encounters.kernel.contest import contest_bonus
from cartomancer.encounters.kernel.layout import card_of
from cartomancer.encounters.kernel.legal import can_play
from cartomancer.encounters.kernel.piles import bit
from cartomancer.encounters.kernel.reducers import share_of, weakest_reducer
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.layout import MOST_BONUS
from cartomancer.players.kernel.player_codes import BETRAY, BOND, COURTING, DESPERATE, FIGHTING, HARM, SCHEMING


@kernel
def reducer_share(tables, state, p, r):
    """How much of a reducer is left; of a party's vitality, what separates it from a Kill."""
    side = state.sides[p]
    if p == VISITOR and r == 0 and tables.visitor.member_count > 1:
        return _party_share(tables, state)
    return share_of(side.reducers[r], side.starts[r])


@kernel
def _party_share(tables, state):
    """The mean share of the members whose fall would complete a Kill: the weakest ones standing."""
    needed = max(1, whole(tables.visitor.kill_at) - whole(state.downs))
    total, counted = NONE, NONE
    for _ in range(needed):
        best, found = whole(1001), NONE
        for seat in range(tables.visitor.member_count):
            member = state.members[seat]
            share = share_of(member.vitality, member.start)
            if not member.down and not counted >> seat & 1 and share < best:
                best, found = share, ONE << seat
        if found != 0:
            counted |= found
            total += best
    return total // needed


@kernel
def note_shares(tables, state, shares):
    """Write down what is left of every reducer."""
    for p in range(2):
        for r in range(REDUCERS):
            shares[p, r] = reducer_share(tables, state, whole(p), whole(r))


@kernel
def lowest_share(shares, p):
    """The share of the reducer nearest to depletion."""
    return min(whole(shares[p, 0]), whole(shares[p, 1]), whole(shares[p, 2]))


@kernel
def mean_share(shares, p):
    """The mean share of the three reducers."""
    return (whole(shares[p, 0]) + whole(shares[p, 1]) + whole(shares[p, 2])) // REDUCERS


@kernel
def low_reducers(shares, p, percent):
    """How many reducers are below a share [Bond 3.5]."""
    count = NONE
    for r in range(REDUCERS):
        if shares[p, r] < 10 * percent:
            count += 1
    return count


@kernel
def chance_to_win(tables, state, shares, p):
    """A guess in thousandths: who is nearer to depletion, who is fitter, and what the clock gives the visitor."""
    other = 1 - p
    edge = lowest_share(shares, p) - lowest_share(shares, other)
    edge += mean_share(shares, p) - mean_share(shares, other)
    limit = max(1, whole(tables.dungeon.rooms[state.room].round_limit))
    clock = 250 * whole(state.round_no) // limit
    chance = 500 + edge * 2 // 5 + (clock if p == VISITOR else -clock)
    return max(NONE, min(whole(1000), chance))


@kernel
def mode_at(thinking, chance):
    """Aggressive, balanced, defensive or desperate, by the chance of winning."""
    for mode in range(thinking.mode_from.shape[0]):
        if chance >= thinking.mode_from[mode]:
            return whole(mode)
    return DESPERATE


@kernel
def stance_of(tables, profile, state, p):
    """Courting, which is working towards a Bond or looking as if; scheming, which is more than looking; or fighting.

    A Deceptive dungeon courts until the trust is worth spending and it holds a Strike to spend it with, or until trust
    stalls; entrusted, it schemes (D1). A Tactical one courts while trust has been earned and the visitor has not struck
    more often than it trusted.
    """
    if profile.goal == BOND:
        return COURTING
    if profile.goal == HARM or state.sides[1 - p].refuses:
        return FIGHTING
    trust = points_of_trust(state)
    if profile.goal == BETRAY:
        ripe = is_ripe(tables, profile, state, trust) and holds_strike(tables, state, p)
        if ripe or stalls(tables, profile, state):
            return FIGHTING
        return SCHEMING if trust >= tables.rules.trust_tiers[1] else COURTING
    if trust >= tables.rules.betrayal_min_trust:
        return COURTING  # striking now would be a betrayal, and that is another's trade
    return COURTING if trust >= profile.courts_from and state.sides[1 - p].strikes <= trust else FIGHTING


@kernel
def is_ripe(tables, profile, state, trust):
    """Whether trust is worth spending: it is due, and would decide the run at once or is as much as greed asks for."""
    if trust < profile.betrays_at:
        return False
    return trust >= profile.betrays_at + profile.greed or conversion_decides(tables, state, trust)


@kernel
def conversion_decides(tables, state, trust):
    """Whether so many points of damage to the visitor's weakest reducer would end the run [Bond 7.2, 7.3], E69."""
    r = weakest_reducer(state, VISITOR, UNSET)
    if r != FIRST:
        return trust >= state.sides[VISITOR].reducers[r]
    downs, left, felled = whole(state.downs), trust, NONE
    for _ in range(tables.visitor.member_count):
        found = UNSET
        for seat in range(tables.visitor.member_count):
            member = state.members[seat]
            if not member.down and not felled >> seat & 1:
                if found == UNSET or member.vitality < state.members[found].vitality:
                    found = whole(seat)
        if found == UNSET or state.members[found].vitality > left:
            break
        left -= whole(state.members[found].vitality)
        felled |= ONE << found
        downs += 1
    return downs >= tables.visitor.kill_at


@kernel
def stalls(tables, profile, state):
    """Whether trust has not risen for too long, or the room's limit is too near for it to matter (D1)."""
    left = whole(tables.dungeon.rooms[state.room].round_limit) - whole(state.round_no)
    return whole(state.rounds) - whole(state.trust_risen) >= profile.patience or left < profile.patience


@kernel
def holds_strike(tables, state, p):
    """Whether side p has a Strike in hand that it can play."""
    side = state.sides[p]
    for k in range(side.hand_size):
        instance = whole(side.hand[k])
        if card_of(tables, state, p, instance).category == codes.STRIKE:
            if can_play(tables, state, p, instance):
                return True
    return False


@kernel
def odds_at(tables, state, p, card_type):
    """The column of the odds tables for a contest of side p: the difference of the bonuses."""
    bonus = contest_bonus(tables, state, p, card_type) - contest_bonus(tables, state, 1 - p, card_type)
    return max(-MOST_BONUS, min(MOST_BONUS, bonus)) + MOST_BONUS


@kernel
def reacts_unseen(policies, state, p):
    """How many React cards of side p may still come: its deck list is public, and so is what it has used up."""
    side = state.sides[p]
    count = whole(policies.sides[p].reacts[state.room])
    seen = whole(policies.sides[p].react_cards[state.room]) & whole(side.known)
    if seen == 0:
        return count
    for k in range(side.discard_size):
        if seen & bit(side.discard[k]):
            count -= 1
    return count - count_of(seen & whole(side.gone))


@kernel
def count_of(cards):
    """How many instances a set has."""
    count = NONE
    while cards != 0:
        cards &= cards - 1
        count += 1
    return count
