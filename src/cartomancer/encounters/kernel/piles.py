"""Hands, draw piles, discard piles [GDD 4.2, 8.3, 16.6].

A draw pile is a set: drawing takes one of its cards at random, which is the same as having shuffled it before.
"""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, events
from cartomancer.encounters.kernel.codes import DECK, ENERGY, NONE, ONE, STRIKE, VISITOR
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.layout import card_of, number_of
from cartomancer.jit import kernel, whole
from cartomancer.rng import below


@kernel
def bit(instance):
    """The instance as a bit of a mask."""
    return ONE << whole(instance)


@kernel
def is_out(tables, state, p, instance):
    """Whether an instance may not return to the piles: exhausted, or its owner is knocked out."""
    if state.sides[p].gone & bit(instance):
        return True
    return p == VISITOR and state.members[tables.visitor.owner[instance]].down != 0


@kernel
def take_up_deck(tables, state):
    """The visitor's piles as they lay when it arrived: what is neither held, discarded nor gone can be drawn (C2)."""
    visitor, side = tables.visitor, state.sides[VISITOR]
    side.gone = visitor.gone
    for instance in range(visitor.deck_size):
        mark = bit(instance)
        if visitor.gone & mark:
            continue
        if visitor.held & mark:
            side.hand[side.hand_size] = instance
            side.hand_size += 1
        elif visitor.discarded & mark:
            side.discard[side.discard_size] = instance
            side.discard_size += 1
        else:
            side.draw[side.draw_size] = instance
            side.draw_size += 1


@kernel
def gather_deck(tables, state, p):
    """All cards of side p that are in the run go into its draw pile."""
    side = state.sides[p]
    size = whole(tables.visitor.deck_size) if p == VISITOR else whole(tables.dungeon.rooms[state.room].deck_size)
    side.hand_size = 0
    side.discard_size = 0
    side.trap_count = 0
    side.known = 0
    count = 0
    for instance in range(size):
        if not is_out(tables, state, p, instance):
            side.draw[count] = instance
            count += 1
    side.draw_size = count


@kernel
def draw_one(state, log, p, cause):
    """Move one random card from the draw pile into the hand; an empty draw pile takes the discards first."""
    side = state.sides[p]
    if side.draw_size == 0:
        if side.discard_size == 0:
            return False
        for k in range(side.discard_size):
            side.draw[k] = side.discard[k]
            side.known &= ~bit(whole(side.discard[k]))
        note(log, events.SHUFFLED, p, whole(side.discard_size), NONE, NONE, cause)
        side.draw_size = side.discard_size
        side.discard_size = 0
    last = whole(side.draw_size) - 1
    k = below(state.streams, DECK + p, last + 1)
    side.hand[side.hand_size] = side.draw[k]
    side.hand_size += 1
    side.draw[k] = side.draw[last]
    side.draw_size = last
    return True


@kernel
def draw_cards(tables, state, log, p, count, cause):
    """Draw cards, as far as the hand and the piles allow."""
    drawn = NONE
    while drawn < count and state.sides[p].hand_size < tables.rules.hand_cap and draw_one(state, log, p, cause):
        drawn += 1
    if drawn > 0:
        strikes = strikes_held(tables, state, log, p, whole(state.sides[p].hand_size) - drawn)
        note(log, events.DREW, p, drawn, strikes, NONE, cause)


@kernel
def strikes_held(tables, state, log, p, first):
    """How many Strikes are in hand from a place on; nobody counts them when nobody listens."""
    count = NONE
    if log is None:
        return count
    side = state.sides[p]
    for k in range(first, side.hand_size):
        if card_of(tables, state, p, whole(side.hand[k])).category == STRIKE:
            count += 1
    return count


@kernel
def place_in_hand(state, p, instance):
    """Where in the hand an instance is, or -1."""
    side = state.sides[p]
    for k in range(side.hand_size):
        if side.hand[k] == instance:
            return whole(k)
    return whole(-1)


@kernel
def leave_hand(state, p, instance):
    """Take an instance out of the hand; the order of the others stays."""
    side = state.sides[p]
    size = whole(side.hand_size) - 1
    moved = False
    for k in range(size + 1):
        if moved:
            side.hand[k - 1] = side.hand[k]
        elif side.hand[k] == instance:
            moved = True
    side.hand_size = size


@kernel
def put_aside(tables, state, p, instance, exhaust):
    """A used card goes to the discard pile, or out of the run when it exhausts; a fallen member's card goes nowhere."""
    side = state.sides[p]
    if exhaust:
        side.gone |= bit(instance)
    elif not is_out(tables, state, p, instance):
        side.discard[side.discard_size] = instance
        side.discard_size += 1


@kernel
def take_out_cards_of(tables, state, seat):
    """A knocked-out member's cards leave draw pile and discard pile [GDD 16.6]. Returns the count."""
    side = state.sides[VISITOR]
    before = whole(side.draw_size) + whole(side.discard_size)
    kept = 0
    for k in range(side.draw_size):
        if tables.visitor.owner[side.draw[k]] != seat:
            side.draw[kept] = side.draw[k]
            kept += 1
    side.draw_size = kept
    kept = 0
    for k in range(side.discard_size):
        if tables.visitor.owner[side.discard[k]] != seat:
            side.discard[kept] = side.discard[k]
            kept += 1
    side.discard_size = kept
    return before - whole(side.draw_size) - whole(side.discard_size)


@kernel
def drop_cards_of_fallen(tables, state, log):
    """At the end of the party's turn the hand loses the cards of knocked-out members."""
    side = state.sides[VISITOR]
    kept = 0
    for k in range(side.hand_size):
        instance = whole(side.hand[k])
        if state.members[tables.visitor.owner[instance]].down:
            found = number_of(tables, state, VISITOR, instance)
            note(log, events.DISCARDED, VISITOR, found, NONE, NONE, causes.KNOCK_OUT)
        else:
            side.hand[kept] = instance
            kept += 1
    side.hand_size = kept


@kernel
def return_cards_of(tables, state, seat):
    """A restored member's cards, unless exhausted or still in hand or laid as Traps, join the discard pile."""
    side = state.sides[VISITOR]
    for instance in range(tables.visitor.deck_size):
        if tables.visitor.owner[instance] == seat and not side.gone & bit(whole(instance)):
            if place_in_hand(state, VISITOR, instance) < 0 and not is_laid(side, instance):
                side.discard[side.discard_size] = instance
                side.discard_size += 1


@kernel
def is_laid(side, instance):
    """Whether an instance lies face-down as a Trap."""
    for k in range(side.trap_count):
        if side.traps[k] == instance:
            return True
    return False


@kernel
def is_opening_hand(tables, state, p):
    """Whether the hand has the Energy and action cards an opening hand must have [GDD 8.3]."""
    energy = energy_held(tables, state, p)
    actions = whole(state.sides[p].hand_size) - energy
    return energy >= tables.rules.opening_energy and actions >= tables.rules.opening_actions


@kernel
def _is_energy(tables, state, p, instance):
    return card_of(tables, state, p, instance).category == ENERGY


@kernel
def energy_held(tables, state, p):
    """How many Energy cards are in hand."""
    side = state.sides[p]
    count = NONE
    for k in range(side.hand_size):
        if _is_energy(tables, state, p, whole(side.hand[k])):
            count += 1
    return count


@kernel
def mend_opening_hand(tables, state, p):
    """Swap cards with the draw pile, then the discards, until the hand is what it must be, as far as they allow."""
    side = state.sides[p]
    for _ in range(side.hand_size):
        if is_opening_hand(tables, state, p):
            return
        wants_energy = energy_held(tables, state, p) < tables.rules.opening_energy
        for k in range(side.hand_size):
            if _is_energy(tables, state, p, whole(side.hand[k])) != wants_energy:
                held = whole(side.hand[k])
                if _swap(tables, state, p, k, side.draw, whole(side.draw_size), wants_energy):
                    side.known &= ~bit(held)
                else:
                    _swap(tables, state, p, k, side.discard, whole(side.discard_size), wants_energy)
                break


@kernel
def _swap(tables, state, p, k, pile, size, wants_energy):
    """Swap the k-th card of the hand for the first Energy or action card of a pile. Returns whether there was one."""
    side = state.sides[p]
    for place in range(size):
        other = whole(pile[place])
        if _is_energy(tables, state, p, other) == wants_energy:
            pile[place] = side.hand[k]
            side.hand[k] = other
            return True
    return False
