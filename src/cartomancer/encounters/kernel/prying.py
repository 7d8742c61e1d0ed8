"""Looking at and taking away what is hidden: reveal, peek, discard [GDD 13 #6, #8], E62."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes, events
from cartomancer.encounters.kernel.codes import NONE
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.layout import number_of
from cartomancer.encounters.kernel.piles import bit, leave_hand, put_aside
from cartomancer.jit import kernel, whole
from cartomancer.rng import below


@kernel
def pries(card):
    """Whether a card looks at the opponent's hidden cards or takes some away."""
    return card.reveal > 0 or card.peek or card.discard > 0


@kernel
def pry(tables, state, log, p, card, cause):
    """A card's look at the other side: its face-down Traps, random cards of its hand, random cards it must discard."""
    side = state.sides[1 - p]
    if card.peek:
        for k in range(side.trap_count):
            _show(tables, state, log, 1 - p, whole(side.traps[k]), cause)
    for _ in range(card.reveal):
        unseen = NONE
        for k in range(side.hand_size):
            if not side.known & bit(whole(side.hand[k])):
                unseen += 1
        if unseen > 0:
            _show(tables, state, log, 1 - p, _unseen_card(state, 1 - p, unseen), cause)
    for _ in range(card.discard):
        if side.hand_size > 0:
            instance = whole(side.hand[below(state.streams, codes.CHANCE, whole(side.hand_size))])
            leave_hand(state, 1 - p, instance)
            side.known |= bit(instance)
            put_aside(tables, state, 1 - p, instance, NONE)
            note(log, events.CARD_LOST, 1 - p, number_of(tables, state, 1 - p, instance), NONE, NONE, cause)


@kernel
def _show(tables, state, log, p, instance, cause):
    """A hidden card of side p becomes known to the other side, until it is shuffled away."""
    state.sides[p].known |= bit(instance)
    note(log, events.REVEALED, p, number_of(tables, state, p, instance), NONE, NONE, cause)


@kernel
def _unseen_card(state, p, unseen):
    """A random one of the cards in a hand that the other side has not seen."""
    side = state.sides[p]
    rest = below(state.streams, codes.CHANCE, unseen)
    for k in range(side.hand_size):
        if not side.known & bit(whole(side.hand[k])):
            if rest == 0:
                return whole(side.hand[k])
            rest -= 1
    return whole(side.hand[0])
