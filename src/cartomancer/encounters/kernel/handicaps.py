"""What hinders a side's next Strike: disadvantage, thorns, lost keywords, a random target [GDD 9]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes, events
from cartomancer.encounters.kernel.codes import NONE, ONE, REDUCERS
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import sheds
from cartomancer.jit import kernel, whole


@kernel
def hinders(card):
    """Whether a card lays anything on the opponent's next Strike."""
    return card.disadvantage or card.thorns > 0 or card.strip or card.randomise


@kernel
def handicap(state, log, victim, card, cause):
    """A card's handicaps fall on the victim's next Strike; they add up until a Strike uses them."""
    if sheds(state, log, victim, cause):
        return
    handicaps = NONE
    side = state.sides[victim]
    if card.disadvantage:
        side.disadvantage = ONE
        handicaps |= codes.HANDICAP_DISADVANTAGE
    if card.thorns > 0:
        side.thorns[card.thorns_at] += card.thorns
    if card.strip:
        side.strip = ONE
        handicaps |= codes.HANDICAP_STRIP
    if card.randomise:
        side.randomise = ONE
        handicaps |= codes.HANDICAP_RANDOMISE
    note(log, events.DISRUPTED, victim, handicaps, whole(card.thorns), NONE, cause)


@kernel
def clear_disrupt(side):
    """No handicap is left."""
    side.disadvantage = 0
    for r in range(REDUCERS):
        side.thorns[r] = 0
    side.strip = 0
    side.randomise = 0
