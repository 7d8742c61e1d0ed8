"""Modifier and response cards on one's own turn: Empower, Disrupt, Counter [GDD 4.1, 4.3]."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import because
from cartomancer.encounters.kernel.codes import DUNGEON, EVERY_SEAT, NOBODY, NONE, ONE
from cartomancer.encounters.kernel.conditions import is_disrupted, is_triggered
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import hurt, raise_fortify, raise_ward
from cartomancer.encounters.kernel.handicaps import clear_disrupt, handicap
from cartomancer.encounters.kernel.keywords import entangle
from cartomancer.encounters.kernel.layout import numbered_card
from cartomancer.encounters.kernel.party import rising_member, stop_restoration
from cartomancer.encounters.kernel.prying import pries, pry
from cartomancer.encounters.kernel.traps import disarm
from cartomancer.jit import kernel, whole


@kernel
def merged(mask, more):
    """Keywords together; Overwhelm on Overwhelm counts twice [GDD 4.4]."""
    if mask & more & codes.OVERWHELM:
        return mask | more | codes.OVERWHELM_TWICE
    return mask | more


@kernel
def empower(state, log, p, power, keywords, advantage, cause):
    """Side p's next Strike gains power, keywords, advantage; Empowers add up until a Strike uses them."""
    side = state.sides[p]
    side.empowered = ONE
    side.empower_power += power
    side.empower_keywords = merged(whole(side.empower_keywords), keywords)
    if advantage > 0:
        side.empower_advantage = ONE
    note(log, events.EMPOWERED, p, power, keywords, advantage, cause)


@kernel
def shares_empower(side, card):
    """Whether a Strike may use the Empower that waits: not between two members at odds (C5)."""
    return card.at_odds == 0 or side.empowered <= 1 or side.empowered == 1 + whole(card.at_odds)


@kernel
def clear_empower(side):
    """No Empower is left."""
    side.empowered = 0
    side.empower_power = 0
    side.empower_keywords = 0
    side.empower_advantage = 0


@kernel
def play_empower(tables, state, log, p, found):
    """An Empower card: its gifts, more of them while its trigger holds, and perhaps a Ward at once."""
    card = numbered_card(tables, found)
    side = state.sides[p]
    cause = because(causes.EMPOWER, found)
    power = whole(card.power)
    keywords = whole(card.keywords)
    advantage = whole(card.advantage)
    if is_triggered(tables, state, p, card):
        power += whole(card.bonus)
        waiting = whole(side.empower_keywords)
        more = merged(keywords, whole(card.bonus_keywords))
        gains = merged(waiting, more) != merged(waiting, keywords)
        keywords = more
        if card.bonus_advantage > advantage and not side.empower_advantage:
            gains = True
        advantage = max(advantage, whole(card.bonus_advantage))
        if gains or card.bonus > 0:
            note(log, events.TRIGGERED, p, found, NONE, NONE, NONE)
    if power > 0 or keywords != 0 or advantage > 0:
        empower(state, log, p, power, keywords, advantage, cause)
        side.empowered = ONE + whole(card.at_odds)
    if card.ward > 0:
        raise_ward(tables, state, log, p, whole(card.ward), cause)


@kernel
def play_disrupt(tables, state, log, p, found):
    """A Disrupt card: the opponent's next Strike suffers, and whoever of its members was getting up falls back."""
    card = numbered_card(tables, found)
    cause = because(causes.DISRUPT, found)
    if p == DUNGEON:
        stop_restoration(tables, state, log, cause)
    handicap(state, log, 1 - p, card, cause)
    pry(tables, state, log, p, card, cause)


@kernel
def counters_something(tables, state, p, card):
    """Whether playing this Counter would do anything."""
    them = state.sides[1 - p]
    if card.chip > 0 or them.empowered or pries(card):
        return True
    if p == DUNGEON and rising_member(tables, state) != NOBODY:
        return True
    return is_disrupted(state.sides[p]) or (card.disarm and them.trap_count > 0)


@kernel
def play_counter(tables, state, log, p, found):
    """A Counter stops a restoration, or removes the opponent's Empower, or else the Disrupt on oneself; then its
    secondary effect."""
    card = numbered_card(tables, found)
    cause = because(causes.COUNTER, found)
    me = state.sides[p]
    them = state.sides[1 - p]
    removed = NONE
    if p == DUNGEON and stop_restoration(tables, state, log, cause):
        removed = ONE + ONE
    elif them.empowered:
        removed = ONE
        note(log, events.BUFF_REMOVED, p, codes.EMPOWER, whole(card.steal), NONE, cause)
        if card.steal:
            keywords = whole(them.empower_keywords)
            empower(state, log, p, whole(them.empower_power), keywords, whole(them.empower_advantage), cause)
        clear_empower(them)
    elif is_disrupted(me):
        removed = ONE + ONE
        note(log, events.BUFF_REMOVED, p, codes.DISRUPT, NONE, NONE, cause)
        clear_disrupt(me)
    chip = whole(card.chip) + (whole(card.punish) if removed == ONE else NONE)
    if card.chip > 0:
        hurt(tables, state, log, 1 - p, whole(card.chip_at), chip, EVERY_SEAT, NONE, cause)
    if removed != NONE:
        if card.keywords & codes.ENTANGLE:
            entangle(state, log, 1 - p, cause)
        if card.fortify > 0:
            rounds = whole(card.fortify_rounds)
            raise_fortify(state, log, p, whole(card.fortify_at), whole(card.fortify), rounds, cause)
    if card.disarm:
        disarm(tables, state, log, 1 - p, cause)
    pry(tables, state, log, p, card, cause)
