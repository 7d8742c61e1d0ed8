"""Runs of a batch with the event log on: momentum, cards, keywords and causes, counted from what the log says.

The runs are the ones `play_matches` plays, by the same loop: same choices, same final states. A run's own numbers are
gathered in NOTES and added to the TALLY when it is over and its winner known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.batch import start_run
from cartomancer.encounters.kernel.causes import CAUSES
from cartomancer.encounters.kernel.codes import FIRST, NOBODY, NONE, ONE, REDUCERS, VISITOR
from cartomancer.encounters.kernel.events import CHANGE_OF, EVENTS, Happening
from cartomancer.encounters.kernel.layout import MOST_CARDS, MOST_ROOMS, numbered_card
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.matches import note_run, play_match, seed_of_run

MOST_ROUNDS = 40  # of a run: later rounds have no curve, and longer runs count as this long
MOST_SPENT = 15  # rounds a dungeon spent in the rooms whose decks hold a card: more count as so many
MOST_RUN_EVENTS = 32_768
WINNERS = len(codes.WINNERS)


class Fact(NamedTuple):
    """What is counted besides cards and causes: an event, or a keyword that did something."""

    name: str
    meaning: str
    event: Happening = Happening.KEYWORD_FIRED
    keyword: int = 0
    suffered: bool = False  # whether the event names the side that suffers it, not the one whose doing it is


FACTS = (
    Fact("entangle", "the opponent was entangled", keyword=codes.Keyword.ENTANGLE),
    Fact("erode", "points were laid that the opponent loses next round", keyword=codes.Keyword.ERODE),
    Fact("drain", "damage healed the striker", keyword=codes.Keyword.DRAIN),
    Fact("overwhelm", "excess damage spilled to another resource", keyword=codes.Keyword.OVERWHELM),
    Fact("resonate", "power gained from the same type twice in a row", keyword=codes.Keyword.RESONATE),
    Fact("cleave", "a hit shared among all standing members", keyword=codes.Keyword.CLEAVE),
    Fact("focused", "a Strike drawn to the weakest of several members", keyword=codes.Keyword.FOCUSED),
    Fact("piercing", "a wound that cannot be healed in its room", keyword=codes.Keyword.PIERCING),
    Fact(
        "erode_suppressed",
        "Erode without effect: the room presses that resource already",
        Happening.ERODE_SUPPRESSED,
        suffered=True,
    ),
    Fact("trigger", "a card's trigger changed what it did", Happening.TRIGGERED),
    Fact("trap_laid", "Traps laid", Happening.TRAP_LAID),
    Fact("trap_sprung", "Traps that sprang", Happening.TRAP_SPRUNG),
    Fact("trap_disarmed", "the opponent's Traps removed", Happening.TRAP_DISARMED, suffered=True),
    Fact("react", "Reacts played", Happening.REACTED),
    Fact("offer_made", "Offers and Covenants made", Happening.OFFERED),
    Fact("offer_accepted", "Offers and Covenants this side accepted", Happening.OFFER_ACCEPTED),
    Fact("offer_refused", "Offers this side refused", Happening.OFFER_REFUSED),
    Fact("covenant_refused", "Covenants this side refused", Happening.COVENANT_REFUSED),
    Fact("test_put", "Tests put to the opponent", Happening.TEST_PUT),
    Fact("test_cooperated", "Tests in which this side cooperated", Happening.COOPERATED),
    Fact("test_defected", "Tests in which this side defected", Happening.DEFECTED),
    Fact("restraint", "Strikes held back", Happening.RESTRAINED),
    Fact("activation", "cards discarded for energy", Happening.CARD_ACTIVATED),
    Fact("rally", "clean hits that gave heart", Happening.RALLIED),
    Fact("betrayal", "trust betrayed by a Strike", Happening.BETRAYED, suffered=True),
    Fact("scorn", "a cooperating dungeon struck", Happening.SCORNED, suffered=True),
    Fact("knock_out", "members of the party knocked out", Happening.KNOCKED_OUT, suffered=True),
)
_NO_FACT = -1
_FACT_OF = np.full(EVENTS, _NO_FACT, np.int64)
_FACT_OF_KEYWORD = np.full(int(max(codes.Keyword)) + 1, _NO_FACT, np.int64)
_SUFFERED = np.zeros(EVENTS, np.int64)
for _place, _fact in enumerate(FACTS):
    if _fact.keyword:
        _FACT_OF_KEYWORD[_fact.keyword] = _place
    else:
        _FACT_OF[_fact.event] = _place
        _SUFFERED[_fact.event] = _fact.suffered

NOTES = np.dtype(  # of the run that is being counted
    [
        ("rounds_noted", np.int32, 2),
        ("shares", np.int32, (MOST_ROUNDS, 2, REDUCERS)),  # at each round's end, in thousandths
        ("plays", np.int32, (2, MOST_CARDS)),
        ("fired", np.int32, (len(FACTS), 2)),
        ("last_cause", np.int32, (2, REDUCERS)),  # what a reducer lost points to last
        ("lost", np.int32, (2, CAUSES)),  # points of all reducers
        ("turns", np.int32, 2),
        ("cards", np.int32, 2),  # played in the side's own turns: all but Reacts
        ("strikes_drawn", np.int32, 2),
        ("strikes_dealt", np.int32, 2),  # of those, in the room's opening hand: a mulligan takes them back
    ],
    align=True,
)

WATCHED = np.dtype(  # what is kept of every run that was counted
    [
        ("lost", np.int16, (2, CAUSES)),
        ("turns", np.int16, 2),
        ("cards", np.int16, 2),
        ("strikes", np.int16, 2),  # played
        ("strikes_drawn", np.int16, 2),
        ("depleted", np.int16),  # the side that lost its last point, or nobody …
        ("last_cause", np.int16),  # … and to what
    ],
    align=True,
)

STRATA = (2, MOST_ROUNDS, MOST_SPENT + 1, 2, MOST_CARDS)

TALLY = np.dtype(  # of many runs; the first index of a split is the winner
    [
        ("runs", np.int64, WINNERS),
        ("reached", np.int64, (WINNERS, MOST_ROUNDS)),
        ("shares", np.int64, (WINNERS, MOST_ROUNDS, 2, REDUCERS)),
        ("squares", np.int64, (WINNERS, MOST_ROUNDS, 2)),  # of the sum of a side's three shares
        ("plays", np.int64, (WINNERS, 2, MOST_CARDS)),
        ("runs_with", np.int64, (WINNERS, 2, MOST_CARDS)),
        # for every card: runs by whether its owner won (a Bond counts), rounds played, chances to play it
        ("alike", np.int32, STRATA),  # all of them
        ("alike_with", np.int32, STRATA),  # those in which it was played
        ("fired", np.int64, (len(FACTS), 2)),
        ("fired_runs", np.int64, (len(FACTS), 2)),
        # by side, reducer and cause
        ("lost", np.int64, (2, REDUCERS, CAUSES)),
        ("gained", np.int64, (2, REDUCERS, CAUSES)),
        ("last_points", np.int64, (2, REDUCERS, CAUSES)),  # of runs that ended by depletion: who took the last one
        ("overflows", np.int64),  # runs whose events did not fit the log: none, if the log is large enough
    ],
    align=True,
)


@kernel
def survey_runs(
    tables, policies, held, blank, states, options, mind, log, batch_seed, first, rows, watched, notes, tally
):
    """Consecutive runs of a batch on one CPU core.

    `held` says which cards each room's deck has, and in its last row which the visitor's has.
    """
    for k in range(rows.shape[0]):
        seed = seed_of_run(batch_seed, first + k)
        start_run(tables[0], blank, states, NONE, seed)
        log[0, 0] = 0
        play_match(tables[0], policies[0], states, options, mind[0], log, seed, rows[k])
        note_run(tables[0], states[0], rows[k])
        notes[0] = notes[1]
        count_events(log, notes[0], tally[0])
        if log[0, 0] + 1 >= log.shape[0]:
            tally[0].overflows += 1
        _add_up(states[0], held, notes[0], tally[0])
        _keep(tables[0], states[0], notes[0], watched[k])


@kernel
def count_events(log, notes, tally):
    """Count everything in a log."""
    for k in range(1, log[0, 0] + 1):
        event = whole(log[k, 0])
        side = whole(log[k, 1])
        fact = whole(_FACT_OF[event])
        if event == events.KEYWORD_FIRED:
            fact = whole(_FACT_OF_KEYWORD[log[k, 2]])
        if fact >= 0:
            notes.fired[fact, 1 - side if _SUFFERED[event] else side] += 1
        if CHANGE_OF[event] != 0:
            _count_points(log, k, whole(CHANGE_OF[event]) * whole(log[k, 3]), notes, tally)
        elif event == events.KNOCKED_OUT:
            notes.last_cause[VISITOR, FIRST] = log[k, 5]
        elif event == events.ROUND_ENDED:
            _count_round(log, k, notes)
        elif event == events.TURN_BEGAN:
            notes.turns[side] += 1
        elif event == events.HAND_DEALT or event == events.DREW:
            _count_drawn_strikes(log, k, notes)
        if _is_play(event):
            notes.plays[side, log[k, 2]] += 1
            if event != events.REACTED:
                notes.cards[side] += 1


@kernel
def _is_play(event):
    """Whether an event is the playing of a card."""
    if event == events.CARD_PLAYED or event == events.TRAP_LAID:
        return True
    return event == events.OFFERED or event == events.REACTED


@kernel
def _count_drawn_strikes(log, k, notes):
    """Strikes that came into a hand. An opening hand counts as it is at last: not the draws it is dealt by, and not
    what a mulligan takes back."""
    side = whole(log[k, 1])
    cause = whole(log[k, 5])
    if log[k, 0] == events.HAND_DEALT:
        if cause == causes.MULLIGAN:
            notes.strikes_drawn[side] -= notes.strikes_dealt[side]
        notes.strikes_dealt[side] = log[k, 4]
        notes.strikes_drawn[side] += log[k, 4]
    elif cause != causes.DEAL and cause != causes.MULLIGAN:
        notes.strikes_drawn[side] += log[k, 3]


@kernel
def _count_points(log, k, points, notes, tally):
    """Points that a reducer lost or gained, by their cause."""
    side = whole(log[k, 1])
    r = whole(log[k, 2])
    cause = whole(log[k, 5])
    if points > 0:
        tally.gained[side, r, cause] += points
    elif points < 0:
        tally.lost[side, r, cause] -= points
        notes.lost[side, cause] -= points
        if side != VISITOR or r != FIRST:  # vitality is depleted member by member: whoever was knocked out last
            notes.last_cause[side, r] = cause


@kernel
def _count_round(log, k, notes):
    """A side's shares at a round's end, as the lead is reckoned (E19)."""
    side = whole(log[k, 1])
    at = whole(notes.rounds_noted[side])
    notes.rounds_noted[side] += 1
    if at < MOST_ROUNDS:
        notes.shares[at, side, FIRST] = log[k, 2]
        notes.shares[at, side, codes.SECOND] = log[k, 3]
        notes.shares[at, side, codes.THIRD] = log[k, 4]


@kernel
def _add_up(state, held, notes, tally):
    """Add a finished run to the tally."""
    loser = whole(codes.LOSER_OF[state.outcome])
    winner = whole(codes.WINNER_OF[state.outcome])
    tally.runs[winner] += 1
    for at in range(min(whole(notes.rounds_noted[VISITOR]), whole(MOST_ROUNDS))):
        tally.reached[winner, at] += 1
        for p in range(2):
            total = NONE
            for r in range(REDUCERS):
                share = whole(notes.shares[at, p, r])
                total += share
                tally.shares[winner, at, p, r] += share
            tally.squares[winner, at, p] += total * total
    for p in range(2):
        _add_cards(state, held, notes, tally, winner, whole(p))
        for fact in range(notes.fired.shape[0]):
            if notes.fired[fact, p] > 0:
                tally.fired[fact, p] += notes.fired[fact, p]
                tally.fired_runs[fact, p] += 1
    depleted = whole(codes.DEPLETED_OF[state.outcome])
    if depleted != NOBODY:
        tally.last_points[loser, depleted, notes.last_cause[loser, depleted]] += 1


@kernel
def _keep(tables, state, notes, watched):
    """Keep what was counted of a finished run."""
    for p in range(2):
        watched.turns[p] = notes.turns[p]
        watched.cards[p] = notes.cards[p]
        watched.strikes_drawn[p] = notes.strikes_drawn[p]
        for cause in range(CAUSES):
            watched.lost[p, cause] = notes.lost[p, cause]
        for card in range(MOST_CARDS):
            if notes.plays[p, card] > 0 and numbered_card(tables, whole(card)).category == codes.STRIKE:
                watched.strikes[p] += notes.plays[p, card]
    depleted = whole(codes.DEPLETED_OF[state.outcome])
    watched.depleted = NOBODY
    if depleted != NOBODY:
        loser = whole(codes.LOSER_OF[state.outcome])
        watched.depleted = loser
        watched.last_cause = notes.last_cause[loser, depleted]


@kernel
def _add_cards(state, held, notes, tally, winner, p):
    """Add the cards of a side: played or not, among runs that are alike."""
    won = NONE if winner == 1 - p else ONE
    rounds = max(ONE, min(whole(state.rounds), whole(MOST_ROUNDS))) - 1
    for card in range(MOST_CARDS):
        chances = _chances(state, held, p, card)
        if chances > 0:
            tally.alike[won, rounds, chances, p, card] += 1
            if notes.plays[p, card] > 0:
                tally.alike_with[won, rounds, chances, p, card] += 1
                tally.runs_with[winner, p, card] += 1
                tally.plays[winner, p, card] += notes.plays[p, card]


@kernel
def _chances(state, held, p, card):
    """What makes two runs of equal rounds give a card equal chances; 0 if there were none.

    A dungeon's card can be played only in the rooms whose decks have it: the rounds spent there. A visitor takes its
    deck through all rooms and begins each with a new hand: the rooms entered.
    """
    if p == VISITOR:
        return whole(state.rooms_entered) if held[MOST_ROOMS, card] else NONE
    spent = NONE
    for k in range(state.rooms_entered):
        if held[state.room_path[k], card]:
            spent += whole(state.room_rounds[k])
    return min(spent, whole(MOST_SPENT))
