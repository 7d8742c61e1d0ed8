"""Tests: a prisoner's dilemma between giver and opponent; and Restraint [GDD 4.5, 4.8], E3."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import because
from cartomancer.encounters.kernel.codes import AWAIT_TEST, AWAIT_TURN, EVERY_SEAT, NONE, ONE
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.layout import card_of, number_of, numbered_card
from cartomancer.encounters.kernel.piles import bit, leave_hand, put_aside
from cartomancer.encounters.kernel.reducers import lose
from cartomancer.encounters.kernel.tactics import empower
from cartomancer.encounters.kernel.traps import spring_traps
from cartomancer.encounters.kernel.trust import COVENANT_TIER, gain_trust, halve_trust, trust_tier
from cartomancer.jit import kernel, whole


@kernel
def put_test(tables, state, log, p, instance, found):
    """Ask the opponent to cooperate or defect."""
    flight = state.flight
    flight.striker = p
    flight.instance = instance
    flight.card = found
    note(log, events.TEST_PUT, p, found, NONE, NONE, NONE)
    spring_traps(tables, state, log, 1 - p, codes.ON_TEST)
    state.awaiting = AWAIT_TEST
    state.actor = 1 - p


@kernel
def cooperate(tables, state, log):
    """Trust grows by 2, and the giver pays for its openness."""
    p = whole(state.flight.striker)
    card = numbered_card(tables, state.flight.card)
    cause = because(causes.TEST, whole(state.flight.card))
    note(log, events.COOPERATED, 1 - p, NONE, NONE, NONE, NONE)
    gain_trust(tables, state, log, p, 2 * whole(tables.rules.cooperation_trust), cause)
    lose(tables, state, log, p, whole(card.exposure_at), whole(card.exposure), EVERY_SEAT, cause)
    state.awaiting = AWAIT_TURN
    state.actor = p


@kernel
def defect(tables, state, log):
    """Trust halves, and the defector's next Strike gains 2 power."""
    p = whole(state.flight.striker)
    power = whole(tables.rules.defection_power)
    cause = because(causes.DEFECTION, whole(state.flight.card))
    note(log, events.DEFECTED, 1 - p, power, NONE, NONE, NONE)
    halve_trust(tables, state, log, 1 - p, cause)
    empower(state, log, 1 - p, power, NONE, NONE, cause)
    state.awaiting = AWAIT_TURN
    state.actor = p


@kernel
def may_restrain(tables, state, p):
    """Restraint needs some trust, no Strike and no Restraint yet this turn, and no Offer or Test in hand (E41).

    A Covenant that trust does not allow yet is no Offer that one could make instead [GDD 4.8].
    """
    side = state.sides[p]
    if state.trust <= 0 or side.restrained or side.struck or side.refuses:
        return False
    for k in range(side.hand_size):
        card = card_of(tables, state, p, whole(side.hand[k]))
        if card.category == codes.TEST:
            return False
        if card.category == codes.OFFER and not (card.covenant and trust_tier(tables, state) < COVENANT_TIER):
            return False
    return True


@kernel
def restrain(tables, state, log, p, instance):
    """Discard a Strike instead of playing it: one point of trust."""
    side = state.sides[p]
    leave_hand(state, p, instance)
    side.known |= bit(instance)
    put_aside(tables, state, p, instance, NONE)
    side.restrained = ONE
    found = number_of(tables, state, p, instance)
    note(log, events.RESTRAINED, p, found, NONE, NONE, NONE)
    gain_trust(tables, state, log, p, 2 * whole(tables.rules.restraint_trust), because(causes.RESTRAINT, found))
