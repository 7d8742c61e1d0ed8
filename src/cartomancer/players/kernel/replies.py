"""Answers to what the other side does: react, aim, accept, cooperate, keep a hand [GDD 7.1, 7.3; Bond 3.5, 6.2]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes as rules
from cartomancer.encounters.kernel.codes import NONE, VERB_SPAN, VISITOR
from cartomancer.encounters.kernel.conditions import is_triggered
from cartomancer.encounters.kernel.layout import card_of
from cartomancer.encounters.kernel.piles import energy_held
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.bargains import accepts_offer, cooperation_chance, covenant_chance
from cartomancer.players.kernel.codes import CHANCE, COST, DAMAGE, GUARD, LETHAL, VALUE
from cartomancer.players.kernel.strikes import damage_worth, member_worth, remaining, study_board
from cartomancer.players.kernel.support import react_worth
from cartomancer.players.kernel.worth import blank_row, settle_row
from cartomancer.rng import below

MOST_ENERGY_KEPT = 4  # of an opening hand of seven


@kernel
def choose_react(tables, minds, face, state, p, options, count, thoughts):
    """The React that saves most, if that is worth its card and its energy; a lethal hit is always answered."""
    thinking = minds.thinking
    desk = thoughts.desk
    study_board(tables, minds, face, state, p, thoughts)
    damage = whole(state.flight.damage)
    r = whole(state.flight.target)
    left = remaining(tables, state, p, r)
    if p == VISITOR and r == 0 and state.flight.seat >= 0:
        left = whole(state.members[state.flight.seat].vitality)
    blank_row(desk, NONE)
    found, best = NONE, NONE
    for k in range(1, count):
        card = tables.cards[card_of(tables, state, p, whole(options[k]) % VERB_SPAN)]
        blank_row(desk, k)
        desk[k, GUARD] = react_worth(minds, thoughts, p, card, damage, r, is_triggered(tables, state, p, card))
        if damage >= left:
            desk[k, LETHAL] = thinking.lethal
        settle_row(thinking, face, whole(thoughts.mode), rules.REACT, desk, k)
        desk[k, COST] = thinking.activation
        if state.first != p:  # its own turn is still to come this round
            desk[k, COST] += 500 * whole(card.cost)
        desk[k, VALUE] -= desk[k, COST]
        if desk[k, VALUE] > best:
            best = whole(desk[k, VALUE])
            found = whole(k)
    return found


@kernel
def choose_resource(tables, minds, face, state, p, count, thoughts):
    """The reducer where the Strike in flight is worth most."""
    flight = state.flight
    desk = thoughts.desk
    study_board(tables, minds, face, state, p, thoughts)
    dealt = whole(flight.power) * whole(minds.dealt[flight.mode, thoughts.odds[tables.cards[flight.card].card_type]])
    found, best = NONE, whole(-1)
    for r in range(count):
        blank_row(desk, r)
        keywords = whole(flight.keywords)
        desk[r, DAMAGE] = damage_worth(tables, minds, state, thoughts, p, dealt, whole(r), keywords)
        if flight.power >= thoughts.left[r]:
            desk[r, LETHAL] = minds.thinking.lethal
        desk[r, VALUE] = desk[r, DAMAGE] + desk[r, LETHAL]
        if desk[r, VALUE] > best:
            best = whole(desk[r, VALUE])
            found = whole(r)
    return found


@kernel
def choose_member(minds, face, state, options, count, desk, luck):
    """A member by chance, weighted: priorities, not certainties [GDD 18.2.4]."""
    total = NONE
    for k in range(count):
        blank_row(desk, k)
        weight = member_worth(minds, face, state, whole(options[k]) % VERB_SPAN)
        desk[k, CHANCE] = weight
        desk[k, VALUE] = weight
        total += weight
    rest = below(luck, 0, total)
    for k in range(count):
        rest -= whole(desk[k, CHANCE])
        if rest < 0:
            return whole(k)
    return NONE


@kernel
def choose_by_chance(desk, likely, luck):
    """The first of two options with a probability in thousandths, else the second."""
    blank_row(desk, NONE)
    blank_row(desk, 1)
    desk[0, CHANCE] = likely
    desk[1, CHANCE] = 1000 - likely
    desk[0, VALUE] = likely
    desk[1, VALUE] = 1000 - likely
    return NONE if below(luck, 0, 1000) < likely else whole(1)


@kernel
def choose_offer(tables, minds, face, state, thoughts):
    """Accept or refuse, by the formulas."""
    desk = thoughts.desk
    blank_row(desk, NONE)
    blank_row(desk, 1)
    if accepts_offer(tables, minds, face, state, thoughts.shares):
        desk[0, VALUE] = 1
        return NONE
    desk[1, VALUE] = 1
    return whole(1)


@kernel
def choose_covenant(minds, state, thoughts):
    """Accept with the chance that trust, need and memory give."""
    likely = covenant_chance(minds.thinking, state, thoughts.shares, whole(state.actor))
    return choose_by_chance(thoughts.desk, likely, thoughts.luck)


@kernel
def choose_test(minds, state, thoughts):
    """Cooperate with the chance that trust gives."""
    return choose_by_chance(thoughts.desk, cooperation_chance(minds.thinking, state), thoughts.luck)


@kernel
def choose_mulligan(tables, state, p, count):
    """Deal again when the hand is mostly Energy."""
    return whole(1) if count > 1 and energy_held(tables, state, p) > MOST_ENERGY_KEPT else NONE
