"""Hidden cards dealt anew: a position as it may be, for all a side can tell [GDD 7.2]."""

from __future__ import annotations

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import NONE, STREAMS
from cartomancer.encounters.kernel.layout import MOST_INSTANCES, card_of, number_of
from cartomancer.encounters.kernel.piles import bit
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.reading import count_of
from cartomancer.rng import below, draw64


@kernel
def determinize(tables, state, p, dice):
    """Everything side p cannot see becomes something it could be: hands, Traps, piles, dice.

    The opponent's hidden cards are gathered and dealt to its hidden places afresh, Traps to the places of Traps.
    Nothing of how they lay before is left, so two positions that look alike to side p have the same rollouts. That
    holds for a veiled Offer too, which becomes one with the same benefit.
    """
    for k in range(STREAMS):
        state.streams[k] = draw64(dice, 0)
    them = state.sides[1 - p]
    veiled = _redraw_offer(tables, state, p, dice)
    them.locked = 0
    them.last_type = codes.UNSET
    hidden = _hidden_cards(them)
    unseen_gone = count_of(whole(them.gone) & ~whole(them.known))
    seen_in_draw = _cards_of(them.draw, whole(them.draw_size)) & whole(them.known)
    traps = _traps_among(tables, state, 1 - p, hidden)
    hidden &= ~_deal(them, them.traps, whole(them.trap_count), traps, dice)
    hidden &= ~_deal(them, them.hand, whole(them.hand_size), hidden, dice)
    hidden &= ~_deal(them, them.discard, whole(them.discard_size), hidden, dice)
    gone = whole(them.gone) & whole(them.known)
    for _ in range(unseen_gone):
        drawn = _pick(hidden, dice)
        gone |= bit(drawn)
        hidden &= ~bit(drawn)
    them.gone = gone
    _lay_out(them, hidden | seen_in_draw)
    them.known = whole(them.known) & ~veiled
    me = state.sides[p]
    _lay_out(me, _cards_of(me.draw, whole(me.draw_size)))


@kernel
def _cards_of(pile, size):
    """A pile as a set of instances."""
    found = NONE
    for k in range(size):
        found |= bit(pile[k])
    return found


@kernel
def _deal(side, pile, size, among, dice):
    """Put some of the instances of a set into the unseen places of a pile. Returns those."""
    dealt = NONE
    for k in range(size):
        if not whole(side.known) & bit(pile[k]):
            pile[k] = _pick(among & ~dealt, dice)
            dealt |= bit(pile[k])
    return dealt


@kernel
def _hidden_cards(side):
    """The instances of a side that its opponent has not seen, wherever they are."""
    found = _cards_of(side.hand, whole(side.hand_size)) | _cards_of(side.draw, whole(side.draw_size))
    found |= _cards_of(side.discard, whole(side.discard_size)) | _cards_of(side.traps, whole(side.trap_count))
    found |= whole(side.gone)
    return found & ~whole(side.known)


@kernel
def _traps_among(tables, state, p, cards):
    """The Traps of a set of instances."""
    found = NONE
    for instance in range(MOST_INSTANCES):
        if cards & bit(instance) and card_of(tables, state, p, whole(instance)).category == codes.TRAP:
            found |= bit(instance)
    return found


@kernel
def _pick(among, dice):
    """A random instance of a set."""
    rest = below(dice, 0, count_of(among))
    for instance in range(MOST_INSTANCES):
        if among & bit(instance):
            if rest == 0:
                return whole(instance)
            rest -= 1
    return NONE


@kernel
def _lay_out(side, cards):
    """A draw pile with these instances, in the order of the deck list."""
    size = 0
    for instance in range(MOST_INSTANCES):
        if cards & bit(instance):
            side.draw[size] = instance
            size += 1


@kernel
def _redraw_offer(tables, state, p, dice):
    """A veiled Offer put to side p becomes any hidden one that looks the same to it [Bond 3.2].

    Returns its instance as a set, which counts as known until everything else is dealt; nothing where no Offer waits.
    """
    flight = state.flight
    them = state.sides[1 - p]
    shown = whole(flight.instance)
    if state.awaiting != codes.AWAIT_OFFER or flight.striker == p or whole(them.known) & bit(shown):
        return NONE
    card = card_of(tables, state, 1 - p, shown)
    hidden = _hidden_cards(them)
    alike = NONE
    for instance in range(MOST_INSTANCES):
        if hidden & bit(instance) and _look_alike(card, card_of(tables, state, 1 - p, whole(instance))):
            alike |= bit(instance)
    drawn = _pick(alike, dice)
    _exchange(them.hand, whole(them.hand_size), shown, drawn)
    _exchange(them.draw, whole(them.draw_size), shown, drawn)
    _exchange(them.discard, whole(them.discard_size), shown, drawn)
    gone = whole(them.gone)
    if (gone & bit(shown) != 0) != (gone & bit(drawn) != 0):
        them.gone = gone ^ (bit(shown) | bit(drawn))
    them.known = whole(them.known) | bit(drawn)
    flight.instance = drawn
    flight.card = number_of(tables, state, 1 - p, drawn)
    return bit(drawn)


@kernel
def _exchange(pile, size, one, two):
    """Two instances of a side change places, as far as they are in this pile."""
    for k in range(size):
        if pile[k] == one:
            pile[k] = two
        elif pile[k] == two:
            pile[k] = one


@kernel
def _look_alike(one, two):
    """Whether two veiled Offers show their acceptor the same benefit and the same investment."""
    if two.category != codes.OFFER or two.covenant:
        return False
    heals = one.heal == two.heal and one.heal_at == two.heal_at and one.gives_full == two.gives_full
    return heals and one.ward == two.ward and one.draws == two.draws and one.trust == two.trust
