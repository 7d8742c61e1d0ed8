"""Offers as transactions: benefit, cost, investment; and the Covenant that seals a Bond [Bond 3, 6]."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import because, secretly
from cartomancer.encounters.kernel.codes import DUNGEON, EVERY_SEAT, FIRST, NOBODY, NONE, ONE, UNSET, VISITOR
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import raise_ward
from cartomancer.encounters.kernel.layout import numbered_card
from cartomancer.encounters.kernel.party import resize_member, weakest_member
from cartomancer.encounters.kernel.piles import bit, draw_cards
from cartomancer.encounters.kernel.reducers import heal, heal_fully, lose, resize_reducer, weakest_reducer
from cartomancer.encounters.kernel.resolution import scaled
from cartomancer.encounters.kernel.traps import spring_traps
from cartomancer.encounters.kernel.trust import (
    BINDING_TIER,
    COVENANT_TIER,
    free_slot,
    gain_trust,
    halve_trust,
    trust_tier,
)
from cartomancer.jit import kernel, whole


@kernel
def is_veiled(tables, state, p, card):
    """Whether the other side does not see this Offer's cost: a Familiar dungeon's, never a Covenant's [Bond 3.2]."""
    return p == DUNGEON and not card.covenant and trust_tier(tables, state) >= 1


@kernel
def offer_refusal(tables, state, p, card):
    """A Covenant needs trust 9 [Bond 6.1]; a lasting cost needs a free place in the acceptor's books."""
    acceptor = state.sides[1 - p]
    if card.covenant and trust_tier(tables, state) < COVENANT_TIER:
        return codes.REFUSED_COVENANT_TOO_EARLY
    if card.price_kind == codes.BINDING and free_slot(acceptor.binding) < 0:
        return codes.REFUSED_DEBTS_FULL
    if card.price_kind == codes.DEPENDENCY and free_slot(acceptor.dependency) < 0:
        return codes.REFUSED_DEBTS_FULL
    return codes.REFUSED_NONE


@kernel
def _offer_cause(state, cause):
    """A cause behind the Offer in flight: its card is a secret of its side while it is veiled."""
    flight = state.flight
    found = because(cause, whole(flight.card))
    if state.sides[flight.striker].known & bit(whole(flight.instance)):
        return found
    return secretly(found, whole(flight.striker))


@kernel
def propose(tables, state, log, p, instance, found):
    """Put an Offer to the opponent: it is asked, or a binding Offer is accepted, or a betrayed visitor refuses."""
    card = numbered_card(tables, found)
    flight = state.flight
    flight.striker = p
    flight.instance = instance
    flight.card = found
    note(log, events.OFFERED, p, found, trust_tier(tables, state), NONE, _offer_cause(state, NONE))
    spring_traps(tables, state, log, 1 - p, codes.ON_OFFER)
    if state.sides[1 - p].refuses:
        note(log, events.OFFER_REFUSED, 1 - p, found, ONE, NONE, _offer_cause(state, NONE))
        return
    if card.covenant:
        state.awaiting = codes.AWAIT_COVENANT
        state.actor = 1 - p
    elif p == DUNGEON and trust_tier(tables, state) >= BINDING_TIER:
        state.awaiting = codes.STEP_ACCEPT
    else:
        state.awaiting = codes.AWAIT_OFFER
        state.actor = 1 - p


@kernel
def accept_offer(tables, state, log):
    """The acceptor gains the benefit and pays the cost, trust grows, the offerer's waiting Trap may spring.

    An Offer that nobody could refuse is stronger in both directions [Bond 3.2, 4.1].

    An accepted Covenant ends the room in a Bond [Bond 6.2].
    """
    flight = state.flight
    p = whole(flight.striker)
    card = numbered_card(tables, flight.card)
    unasked = ONE if state.actor == p else NONE
    state.sides[p].known |= bit(whole(flight.instance))
    found = whole(flight.card)
    cause = because(causes.OFFER, found)
    note(log, events.OFFER_ACCEPTED, 1 - p, found, unasked, NONE, NONE)
    percent = binding_percent(tables, state, p, card) if unasked else whole(100)
    healed = _give(tables, state, log, 1 - p, card, percent, cause)
    _charge(tables, state, log, p, found, percent, healed)
    gain_trust(tables, state, log, p, 2 * whole(card.trust), cause)
    if card.weakens > 0:
        _give_up(state, log, p, whole(card.weakens_at), whole(card.weakens), because(causes.COVENANT, found))
    spring_traps(tables, state, log, p, codes.ON_OFFER_ACCEPTED)
    state.actor = p
    state.awaiting = codes.AWAIT_TURN
    if card.covenant:
        state.awaiting = codes.STEP_CLOSE_ROOM
        state.result = codes.BOND


@kernel
def refuse_offer(tables, state, log):
    """An Offer between strangers shows good will even when it is refused: half a point of trust [Bond 4.2], E37."""
    p = whole(state.flight.striker)
    cause = _offer_cause(state, causes.REFUSAL)
    note(log, events.OFFER_REFUSED, 1 - p, whole(state.flight.card), NONE, NONE, cause)
    if trust_tier(tables, state) == 0:
        gain_trust(tables, state, log, p, whole(tables.rules.refused_offer_halves), cause)
    state.awaiting = codes.AWAIT_TURN
    state.actor = p


@kernel
def refuse_covenant(tables, state, log):
    """A refused Covenant is wasted, and trust crashes by half [Bond 6.2]."""
    p = whole(state.flight.striker)
    found = whole(state.flight.card)
    note(log, events.COVENANT_REFUSED, 1 - p, found, NONE, NONE, NONE)
    halve_trust(tables, state, log, 1 - p, because(causes.COVENANT, found))
    state.awaiting = codes.AWAIT_TURN
    state.actor = p


@kernel
def binding_percent(tables, state, p, card):
    """How strong benefit and cost of an Offer are: a dungeon's that binds is stronger, a Covenant is as it is."""
    if p == DUNGEON and not card.covenant and trust_tier(tables, state) >= BINDING_TIER:
        return whole(tables.rules.binding_percent)
    return whole(100)


@kernel
def _give(tables, state, log, acceptor, card, percent, cause):
    """The benefit. Returns the points it really healed."""
    healed = NONE
    r = whole(card.heal_at)
    if r == codes.WEAKEST:
        r = weakest_reducer(state, acceptor, UNSET)
    if card.gives_full:
        healed = heal_fully(tables, state, log, acceptor, r, cause)
    elif card.heal > 0:
        healed = heal(tables, state, log, acceptor, r, scaled(whole(card.heal), percent), EVERY_SEAT, cause)
    if card.ward > 0:
        raise_ward(tables, state, log, acceptor, scaled(whole(card.ward), percent), cause)
    if card.draws > 0:
        draw_cards(tables, state, log, acceptor, whole(card.draws), cause)
    return healed


@kernel
def _charge(tables, state, log, p, found, percent, healed):
    """The cost, of one of five kinds [Bond 3.4]; p made the Offer. A dependency stakes twice what was really healed."""
    card = numbered_card(tables, found)
    acceptor = state.sides[1 - p]
    kind = whole(card.price_kind)
    amount = scaled(whole(card.price), percent)
    r = whole(card.price_at)
    if kind == codes.FLAT:
        lose(tables, state, log, 1 - p, r, amount, EVERY_SEAT, because(causes.FLAT_COST, found))
    elif kind == codes.BINDING:
        k = free_slot(acceptor.binding)
        acceptor.binding[k] = amount
        acceptor.binding_at[k] = r
        acceptor.binding_rounds[k] = card.price_rounds
        cause = because(causes.BINDING_COST, found)
        note(log, events.BINDING_LAID, 1 - p, r, amount, whole(card.price_rounds), cause)
    elif kind == codes.EXPOSURE:
        acceptor.exposure[card.price_type] += amount
        cause = because(causes.EXPOSURE_COST, found)
        note(log, events.EXPOSED, 1 - p, whole(card.price_type), amount, NONE, cause)
    elif kind == codes.EXTRACTION:
        extract(tables, state, log, p, whole(card.price_effect), amount, because(causes.EXTRACTION_COST, found))
    elif kind == codes.DEPENDENCY and healed > 0:
        k = free_slot(acceptor.dependency)
        acceptor.dependency[k] = 2 * healed
        acceptor.dependency_at[k] = card.heal_at
        acceptor.dependency_trust[k] = state.trust
        cause = because(causes.DEPENDENCY_COST, found)
        note(log, events.DEPENDENCY_LAID, 1 - p, whole(card.heal_at), 2 * healed, NONE, cause)


@kernel
def extract(tables, state, log, p, effect, amount, cause):
    """Extraction: the offerer gains for good: energy in the next encounter, Insight, or a larger reducer."""
    side = state.sides[p]
    note(log, events.EXTRACTED, p, effect, amount, NONE, cause)
    if effect == codes.EXTRACT_ENERGY:
        side.energy_next += amount
    elif effect == codes.EXTRACT_INSIGHT:
        gain_insight(state, amount)
    elif p == VISITOR and effect == FIRST:
        seat = weakest_member(tables, state)
        if seat != NOBODY:
            resize_member(state, log, seat, amount, cause)
    else:
        side.given_up[effect] -= amount
        resize_reducer(state, log, p, effect, amount, cause)


@kernel
def gain_insight(state, markers):
    """Insight: each marker adds 1 to the dungeon's contested rolls for the rest of the run [Bond 5.2]."""
    state.insight += markers
    state.sides[DUNGEON].mods[codes.MOD_CONTEST] += markers


@kernel
def _give_up(state, log, p, r, amount, cause):
    """A Covenant weakens one of the dungeon's own reducers for the rest of the run [Bond 6.1]."""
    side = state.sides[p]
    side.given_up[r] += amount
    resize_reducer(state, log, p, r, -amount, cause)
    note(log, events.WEAKENED, p, r, amount, NONE, cause)
