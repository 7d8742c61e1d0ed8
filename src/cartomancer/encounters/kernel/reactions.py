"""React: the last-resort defence against a Strike that hits [GDD 4.1, 4.3]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes, events
from cartomancer.encounters.kernel.codes import FIRST, NONE
from cartomancer.encounters.kernel.conditions import is_triggered
from cartomancer.encounters.kernel.contest import contest_total, seat_of
from cartomancer.encounters.kernel.energy import can_pay, pay
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import built, hurt, raise_fortify
from cartomancer.encounters.kernel.layout import card_of
from cartomancer.encounters.kernel.piles import bit, leave_hand, put_aside
from cartomancer.encounters.kernel.resolution import PLAIN, scaled, tier_of
from cartomancer.jit import kernel, whole


@kernel
def is_answer(tables, state, p, instance):
    """Whether side p may answer a hit with this card of its hand."""
    card = tables.cards[card_of(tables, state, p, instance)]
    if card.category != codes.REACT or state.sides[p].locked & bit(instance):
        return False
    return can_pay(state, p, card)


@kernel
def has_answer(tables, state, p):
    """Whether side p holds a React it can pay for."""
    side = state.sides[p]
    for k in range(side.hand_size):
        if is_answer(tables, state, p, whole(side.hand[k])):
            return True
    return False


@kernel
def answer(tables, state, log, p, instance):
    """Play a React against the Strike in flight: the defender's contested roll decides how much it prevents."""
    found = card_of(tables, state, p, instance)
    card = tables.cards[found]
    flight = state.flight
    rules = tables.rules
    pay(state, p, card)
    leave_hand(state, p, instance)
    state.sides[p].known |= bit(instance)
    put_aside(tables, state, p, instance, whole(card.exhaust))
    power = whole(card.power)
    if is_triggered(tables, state, p, card):
        power += whole(card.bonus)
    kind = whole(card.card_type)
    mine = contest_total(tables, state, p, kind, PLAIN)
    theirs = contest_total(tables, state, 1 - p, kind, PLAIN)
    tier = tier_of(mine - theirs, rules.tier_margin, whole(rules.tier_count))
    prevented = min(whole(flight.damage), scaled(built(state, p, power), whole(rules.tier_attacker[tier])))
    flight.damage -= prevented
    note(log, events.REACTED, p, found, prevented, tier)
    if card.fortify > 0:
        raise_fortify(state, log, p, whole(card.fortify_at), whole(card.fortify), whole(card.fortify_rounds))
    if card.reflect and tier == 0 and prevented > 0:
        note(log, events.REFLECTED, p, prevented, NONE, NONE)
        striker = whole(flight.striker)
        hurt(tables, state, log, striker, FIRST, prevented, seat_of(tables, striker, whole(flight.instance)), NONE)
