"""React: the last-resort defence against a Strike that hits [GDD 4.1, 4.3]."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import because
from cartomancer.encounters.kernel.codes import FIRST, NONE
from cartomancer.encounters.kernel.conditions import is_triggered
from cartomancer.encounters.kernel.contest import contest_total, seat_of
from cartomancer.encounters.kernel.energy import can_pay, pay
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import built, hurt, raise_fortify
from cartomancer.encounters.kernel.layout import card_of, number_of, numbered_card
from cartomancer.encounters.kernel.piles import bit, leave_hand, put_aside
from cartomancer.encounters.kernel.resolution import PLAIN, scaled, tier_of
from cartomancer.jit import kernel, whole


@kernel
def answer_refusal(tables, state, p, instance):
    """Why side p may not answer a hit with this card of its hand."""
    card = card_of(tables, state, p, instance)
    if state.sides[p].locked & bit(instance):
        return codes.REFUSED_LOCKED
    if card.category != codes.REACT:
        return codes.REFUSED_NOT_A_REACT
    return codes.REFUSED_NONE if can_pay(state, p, card) else codes.REFUSED_TOO_DEAR


@kernel
def has_answer(tables, state, p):
    """Whether side p holds a React it can pay for."""
    side = state.sides[p]
    for k in range(side.hand_size):
        if answer_refusal(tables, state, p, whole(side.hand[k])) == codes.REFUSED_NONE:
            return True
    return False


@kernel
def answer(tables, state, log, p, instance):
    """Play a React against the Strike in flight: the defender's contested roll decides how much it prevents."""
    found = number_of(tables, state, p, instance)
    card = numbered_card(tables, found)
    flight = state.flight
    rules = tables.rules
    pay(state, log, p, card, because(causes.PLAY, found))
    leave_hand(state, p, instance)
    state.sides[p].known |= bit(instance)
    put_aside(tables, state, p, instance, whole(card.exhaust))
    power = whole(card.power)
    plain = built(state, p, power)
    if is_triggered(tables, state, p, card):
        power += whole(card.bonus)
    kind = whole(card.card_type)
    mine = contest_total(tables, state, p, kind, PLAIN)
    theirs = contest_total(tables, state, 1 - p, kind, PLAIN)
    tier = tier_of(mine - theirs, rules.tier_margin, whole(rules.tier_count))
    percent = whole(rules.tier_attacker[tier])
    prevented = min(whole(flight.damage), scaled(built(state, p, power), percent))
    if prevented > scaled(plain, percent):
        note(log, events.TRIGGERED, p, found, NONE, NONE, NONE)
    flight.damage -= prevented
    note(log, events.REACTED, p, found, prevented, tier, NONE)
    if card.fortify > 0:
        rounds = whole(card.fortify_rounds)
        cause = because(causes.REACT, found)
        raise_fortify(state, log, p, whole(card.fortify_at), whole(card.fortify), rounds, cause)
    if card.reflect and tier == 0 and prevented > 0:
        note(log, events.REFLECTED, p, prevented, NONE, NONE, NONE)
        striker = whole(flight.striker)
        seat = seat_of(tables, striker, whole(flight.instance))
        hurt(tables, state, log, striker, FIRST, prevented, seat, NONE, because(causes.REFLECT, found))
