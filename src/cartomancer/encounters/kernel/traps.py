"""Traps: laid face-down, sprung by what the opponent does [GDD 4.1]."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, events
from cartomancer.encounters.kernel.causes import because
from cartomancer.encounters.kernel.codes import ENTANGLE, EVERY_SEAT, NONE
from cartomancer.encounters.kernel.energy import lose_energy
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import hurt
from cartomancer.encounters.kernel.handicaps import handicap, hinders
from cartomancer.encounters.kernel.keywords import entangle, lay_erode
from cartomancer.encounters.kernel.layout import number_of, numbered_card
from cartomancer.encounters.kernel.piles import bit, put_aside
from cartomancer.jit import kernel, whole


@kernel
def lay_trap(state, log, p, instance, found):
    """A Trap goes face-down onto the table."""
    side = state.sides[p]
    side.traps[side.trap_count] = instance
    side.trap_count += 1
    note(log, events.TRAP_LAID, p, found, NONE, NONE, NONE)


@kernel
def _take_trap(state, p, k):
    """Take the k-th Trap off the table; the others keep their order."""
    side = state.sides[p]
    instance = whole(side.traps[k])
    side.trap_count -= 1
    for i in range(k, side.trap_count):
        side.traps[i] = side.traps[i + 1]
    return instance


@kernel
def spring_traps(tables, state, log, layer, occasion):
    """The layer's oldest Trap that waits for this occasion springs on its opponent: one at a time."""
    side = state.sides[layer]
    for k in range(side.trap_count):
        found = number_of(tables, state, layer, whole(side.traps[k]))
        card = numbered_card(tables, found)
        if card.springs == occasion:
            instance = _take_trap(state, layer, whole(k))
            side.known |= bit(instance)
            put_aside(tables, state, layer, instance, whole(card.exhaust))
            note(log, events.TRAP_SPRUNG, layer, found, NONE, NONE, NONE)
            _bite(tables, state, log, 1 - layer, card, because(causes.TRAP, found))
            return


@kernel
def _bite(tables, state, log, victim, card, cause):
    """What a sprung Trap does."""
    hurt(tables, state, log, victim, whole(card.target), whole(card.power), EVERY_SEAT, NONE, cause)
    if card.keywords & ENTANGLE:
        entangle(state, log, victim, cause)
    if card.erode_at >= 0:
        lay_erode(state, log, victim, whole(card.erode_at), whole(tables.rules.erode), cause)
    if hinders(card):
        handicap(state, log, victim, card, cause)
    if card.energy_loss > 0:
        lose_energy(state, log, victim, whole(card.energy_loss), cause)


@kernel
def disarm(tables, state, log, layer, cause):
    """The layer's oldest Trap, if there is one, is removed without springing."""
    side = state.sides[layer]
    if side.trap_count == 0:
        return
    instance = _take_trap(state, layer, NONE)
    side.known |= bit(instance)
    found = number_of(tables, state, layer, instance)
    put_aside(tables, state, layer, instance, NONE)
    note(log, events.TRAP_DISARMED, layer, found, NONE, NONE, cause)
