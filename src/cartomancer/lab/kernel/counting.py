"""Runs of a batch with the event log on: momentum, cards, keywords and causes, counted from what the log says.

The runs are the ones `play_matches` plays: same choices, same final states. A run's own numbers are gathered in NOTES
and added to the TALLY when it is over and its winner known.

What a cascade takes was taken by what knocked the member out: a run's losses go by the cause that is behind them (L26),
the TALLY's by the cause that the event names.
"""

from __future__ import annotations

import numpy as np

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.batch import MOST_STEPS, start_run
from cartomancer.encounters.kernel.causes import CAUSES
from cartomancer.encounters.kernel.codes import DUNGEON, FIRST, NOBODY, NONE, ONE, REDUCERS, VISITOR
from cartomancer.encounters.kernel.events import CHANGE_OF
from cartomancer.encounters.kernel.layout import MOST_CARDS, MOST_ROOMS, numbered_card
from cartomancer.encounters.kernel.protocol import advance, is_moving, take
from cartomancer.jit import kernel, whole
from cartomancer.lab.kernel.deeds import MARKS
from cartomancer.lab.kernel.facts import FACT_OF, FACT_OF_KEYWORD, FACTS, SUFFERED
from cartomancer.lab.kernel.lines import MOST_LINES, follow
from cartomancer.lab.kernel.occasions import look
from cartomancer.players.kernel.matches import decide, note_run, open_row, seed_of_run, watch_run

MOST_ROUNDS = 40  # of a run: later rounds have no curve, and longer runs count as this long
MOST_SPENT = 15  # rounds a dungeon spent in the rooms whose decks hold a card: more count as so many
MOST_RUN_EVENTS = 32_768
WINNERS = len(codes.WINNERS)

NOTES = np.dtype(  # of the run that is being counted
    [
        ("rounds_noted", np.int32, 2),
        ("shares", np.int32, (MOST_ROUNDS, 2, REDUCERS)),  # at each round's end, in thousandths
        ("plays", np.int32, (2, MOST_CARDS)),
        ("fired", np.int32, (len(FACTS), 2)),
        ("last_cause", np.int32, (2, REDUCERS)),  # what a reducer lost points to last …
        ("last_behind", np.int32, (2, REDUCERS)),  # … and what is behind that
        ("fall_cause", np.int32),  # of the last knock-out
        ("lost", np.int32, (2, CAUSES)),  # points of all reducers, by what is behind it
        ("drained", np.int32, (2, REDUCERS)),
        ("leader", np.int32),  # 1 more than the side that was ahead last; 0 before anybody was
        ("led", np.int32, 2),  # rounds at whose end the side was ahead
        ("began", np.int32),  # 1 more than the side that acted first; 0 before anybody does
        ("decisions", np.int32, 2),
        ("turns", np.int32, 2),
        ("cards", np.int32, 2),  # played in the side's own turns: all but Reacts
        ("strikes_drawn", np.int32, 2),
        ("strikes_dealt", np.int32, 2),  # of those, in the room's opening hand: a mulligan takes them back
        ("asked", np.int32, 2),  # Offers put to the side; no Covenants
        ("agreed", np.int32, 2),
        # what could be played (`occasions`)
        *((name, np.int32, MOST_CARDS) for name in ("chances", "open_at", "used", "used_at")),
        ("trusted_strikes", np.int32, 2),  # played while there was trust
        ("turns_betrayed", np.int32),  # of the dungeon, after it has betrayed …
        ("turns_spared", np.int32),  # … that end with a Strike it could have played
        # what cards did (`lines`)
        ("steps", np.int32, MOST_LINES),
        ("marks", np.int32, (2, MARKS)),  # 1 more than the card that waits on a side; 0 where none does
        ("eroding", np.int32, (2, REDUCERS)),
        ("erode_laid", np.int32, 2),  # by the side on the other
        ("erode_acted", np.int32, 2),
        ("empowers", np.int32, 2),  # that wait for the side's next Strike …
        ("granted", np.int32, 2),  # … with these keywords
        *((name, np.int32) for name in ("swung", "carried", "gifts")),  # the last Strike, its Empowers, their keywords
        ("tested", np.int32),  # the Test that is put
    ],
    align=True,
)

KEPT = ("led", "decisions", "asked", "agreed", "trusted_strikes", "erode_laid", "erode_acted")  # as they were noted

WATCHED = np.dtype(  # what is kept of every run that was counted
    [
        ("lost", np.int16, (2, CAUSES)),
        ("turns", np.int16, 2),
        ("cards", np.int16, 2),
        ("strikes", np.int16, 2),  # played
        ("strikes_drawn", np.int16, 2),
        ("depleted", np.int16),  # the side that lost its last point, or nobody …
        ("last_cause", np.int16),  # … and to what, by what is behind it
        ("began", np.int16),  # the side that acted first
        ("drained", np.int16, (2, REDUCERS)),
        *((name, np.int16, 2) for name in KEPT),
        ("turns_betrayed", np.int16),
        ("turns_spared", np.int16),
        ("plays", np.int8, MOST_CARDS),
        ("steps", np.int8, MOST_LINES),  # of every line, how many were done
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
        ("chances", np.int64, MOST_CARDS),  # turns in which a card could be played …
        ("used", np.int64, MOST_CARDS),  # … and in which it was
        ("overflows", np.int64),  # runs whose events did not fit the log: none, if the log is large enough
    ],
    align=True,
)


@kernel
def survey_runs(
    tables, policies, held, lines, blank, states, options, mind, log, batch_seed, first, rows, watched, notes, tally
):
    """Consecutive runs of a batch on one CPU core.

    `held` says which cards each room's deck has, and in its last row which the visitor's has; `lines` are the combo
    lines of all of them, each with the deed of every card that counts in each of its steps.
    """
    for k in range(rows.shape[0]):
        seed = seed_of_run(batch_seed, first + k)
        start_run(tables[0], blank, states, NONE, seed)
        log[0, 0] = 0
        notes[0] = notes[1]
        _play(tables[0], policies[0], states, options, mind[0], log, seed, rows[k], notes[0])
        note_run(tables[0], states[0], rows[k])
        count_events(tables[0], lines, log, notes[0], tally[0])
        if log[0, 0] + 1 >= log.shape[0]:
            tally[0].overflows += 1
        _add_up(states[0], held, notes[0], tally[0])
        _keep(tables[0], states[0], notes[0], watched[k])


@kernel
def _play(tables, policies, states, options, mind, log, seed, row, notes):
    """The run in the first state, to its end, as `play_match` plays it, with a look at every decision."""
    state = states[0]
    taken = NONE
    open_row(row)
    for _ in range(MOST_STEPS):
        if state.awaiting == codes.OVER:
            break
        if is_moving(state):
            advance(tables, state, log)
        else:
            chosen = decide(tables, policies, states, NONE, ONE, options, mind, seed, taken)
            look(tables, state, chosen, taken, notes)
            p = whole(state.actor)
            before = whole(state.decisions)
            take(tables, state, log, chosen)
            notes.decisions[p] += state.decisions - before
            taken += 1
        watch_run(tables, state, row)


@kernel
def count_events(tables, lines, log, notes, tally):
    """Count everything in a log."""
    for k in range(1, log[0, 0] + 1):
        event = whole(log[k, 0])
        side = whole(log[k, 1])
        fact = whole(FACT_OF[event])
        if event == events.KEYWORD_FIRED:
            fact = whole(FACT_OF_KEYWORD[log[k, 2]])
        if fact >= 0:
            notes.fired[fact, 1 - side if SUFFERED[event] else side] += 1
        if CHANGE_OF[event] != 0:
            _count_points(log, k, whole(CHANGE_OF[event]) * whole(log[k, 3]), notes, tally)
        elif event == events.KNOCKED_OUT:
            notes.fall_cause = log[k, 5]
            notes.last_cause[VISITOR, FIRST] = log[k, 5]
            notes.last_behind[VISITOR, FIRST] = log[k, 5]
        elif event == events.ROUND_ENDED:
            _count_round(log, k, notes)
        elif event == events.TURN_BEGAN:
            notes.turns[side] += 1
            if notes.began == 0:
                notes.began = side + 1
        elif event == events.OFFER_ACCEPTED or event == events.OFFER_REFUSED:
            _count_answer(tables, log, k, notes)
        elif event == events.HAND_DEALT or event == events.DREW:
            _count_drawn_strikes(log, k, notes)
        if _is_play(event):
            notes.plays[side, log[k, 2]] += 1
            if event != events.REACTED:
                notes.cards[side] += 1
        follow(tables, lines, log, k, notes)


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
def _count_answer(tables, log, k, notes):
    """An Offer that is no Covenant is accepted or refused, with or without being asked."""
    side = whole(log[k, 1])
    if not numbered_card(tables, whole(log[k, 2])).covenant:
        notes.asked[side] += 1
        if log[k, 0] == events.OFFER_ACCEPTED:
            notes.agreed[side] += 1


@kernel
def _count_points(log, k, points, notes, tally):
    """Points that a reducer lost or gained, by their cause."""
    side = whole(log[k, 1])
    r = whole(log[k, 2])
    cause = whole(log[k, 5])
    if points > 0:
        tally.gained[side, r, cause] += points
        if cause == causes.DRAIN:
            notes.drained[side, r] += points
    elif points < 0:
        behind = whole(notes.fall_cause) if cause == causes.CASCADE else cause
        tally.lost[side, r, cause] -= points
        notes.lost[side, behind] -= points
        if side != VISITOR or r != FIRST:  # vitality is depleted member by member: whoever was knocked out last
            notes.last_cause[side, r] = cause
            notes.last_behind[side, r] = behind


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
    if side == VISITOR:  # the dungeon's row came before
        ahead = whole(log[k, 2]) + whole(log[k, 3]) + whole(log[k, 4])
        ahead -= whole(log[k - 1, 2]) + whole(log[k - 1, 3]) + whole(log[k - 1, 4])
        if ahead != 0:
            notes.leader = (VISITOR if ahead > 0 else DUNGEON) + ONE
        if notes.leader > 0:  # a tie keeps the last leader
            notes.led[notes.leader - 1] += 1


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
    for card in range(MOST_CARDS):
        tally.chances[card] += notes.chances[card]
        tally.used[card] += notes.used[card]
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
        watched.led[p] = notes.led[p]
        watched.decisions[p] = notes.decisions[p]
        watched.asked[p] = notes.asked[p]
        watched.agreed[p] = notes.agreed[p]
        watched.trusted_strikes[p] = notes.trusted_strikes[p]
        watched.erode_laid[p] = notes.erode_laid[p]
        watched.erode_acted[p] = notes.erode_acted[p]
        for r in range(REDUCERS):
            watched.drained[p, r] = notes.drained[p, r]
        for cause in range(CAUSES):
            watched.lost[p, cause] = notes.lost[p, cause]
        for card in range(MOST_CARDS):
            if notes.plays[p, card] > 0:
                watched.plays[card] = min(whole(notes.plays[p, card]), whole(127))
                if numbered_card(tables, whole(card)).category == codes.STRIKE:
                    watched.strikes[p] += notes.plays[p, card]
    depleted = whole(codes.DEPLETED_OF[state.outcome])
    watched.depleted = NOBODY
    if depleted != NOBODY:
        loser = whole(codes.LOSER_OF[state.outcome])
        watched.depleted = loser
        watched.last_cause = notes.last_behind[loser, depleted]
    watched.began = notes.began - 1
    watched.turns_betrayed = notes.turns_betrayed
    watched.turns_spared = notes.turns_spared
    for line in range(MOST_LINES):
        watched.steps[line] = notes.steps[line]


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
