"""Runs of a batch played with open eyes: momentum, cards and keywords, counted while they happen.

The runs are the ones `play_matches` plays: same choices, same final states. Besides, the event log is on; it is read
and emptied after every step. What no event tells is read from the state: which card an action is, which keywords are
in flight, and whether a trigger made a difference.

A run's own numbers are gathered in NOTES and added to the TALLY when it is over and its winner known.
"""

from __future__ import annotations

import numpy as np

from cartomancer.encounters.kernel import codes, events
from cartomancer.encounters.kernel.batch import MOST_STEPS, start_run
from cartomancer.encounters.kernel.codes import DUNGEON, FIRST, NONE, ONE, REDUCERS, VERB_SPAN, VISITOR
from cartomancer.encounters.kernel.fingerprint import state_hash
from cartomancer.encounters.kernel.layout import MOST_CARDS, MOST_ROOMS, card_of
from cartomancer.encounters.kernel.party import standing
from cartomancer.encounters.kernel.protocol import advance, is_moving, take
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.matches import decide, note_run, open_row, seed_of_run, watch_run
from cartomancer.players.kernel.reading import share_of

MOST_ROUNDS = 40  # of a run: later rounds have no curve, and longer runs count as this long
MOST_SPENT = 15  # rounds a dungeon spent in the rooms whose decks hold a card: more count as so many
SHADOW = np.int64(2)  # the place of the state in which a card is played without its trigger
STATES = 3
WINNERS = 3  # dungeon, visitor, both

# --- what is counted --------------------------------------------------------------------------------------------------
ENTANGLE = np.int64(0)
ERODE = np.int64(1)
DRAIN = np.int64(2)
OVERWHELM = np.int64(3)
RESONATE = np.int64(4)
CLEAVE = np.int64(5)
FOCUSED = np.int64(6)
PIERCING = np.int64(7)
ERODE_SUPPRESSED = np.int64(8)
TRIGGER = np.int64(9)
TRAP_LAID = np.int64(10)
TRAP_SPRUNG = np.int64(11)
TRAP_DISARMED = np.int64(12)
REACT = np.int64(13)
OFFER_MADE = np.int64(14)
OFFER_ACCEPTED = np.int64(15)
OFFER_REFUSED = np.int64(16)
COVENANT_REFUSED = np.int64(17)
TEST_PUT = np.int64(18)
TEST_COOPERATED = np.int64(19)
TEST_DEFECTED = np.int64(20)
RESTRAINT = np.int64(21)
ACTIVATION = np.int64(22)
RALLY = np.int64(23)
BETRAYAL = np.int64(24)
SCORN = np.int64(25)
KNOCK_OUT = np.int64(26)
FACTS = 27

_NOTHING = -1
_EVENTS = 96
# (event, what it counts as, whether it names the side that suffers it)
_COUNTED = (
    (events.ENTANGLED, ENTANGLE, True),
    (events.ERODE_LAID, ERODE, True),
    (events.ERODE_SUPPRESSED, ERODE_SUPPRESSED, True),
    (events.SPILLED, OVERWHELM, True),
    (events.TRAP_LAID, TRAP_LAID, False),
    (events.TRAP_SPRUNG, TRAP_SPRUNG, False),
    (events.TRAP_DISARMED, TRAP_DISARMED, True),
    (events.REACTED, REACT, False),
    (events.OFFERED, OFFER_MADE, False),
    (events.OFFER_ACCEPTED, OFFER_ACCEPTED, False),
    (events.OFFER_REFUSED, OFFER_REFUSED, False),
    (events.COVENANT_REFUSED, COVENANT_REFUSED, False),
    (events.TEST_PUT, TEST_PUT, False),
    (events.COOPERATED, TEST_COOPERATED, False),
    (events.DEFECTED, TEST_DEFECTED, False),
    (events.RESTRAINED, RESTRAINT, False),
    (events.CARD_ACTIVATED, ACTIVATION, False),
    (events.RALLIED, RALLY, False),
    (events.BETRAYED, BETRAYAL, True),
    (events.SCORNED, SCORN, True),
    (events.KNOCKED_OUT, KNOCK_OUT, True),
)
FACT_OF = np.full(_EVENTS, _NOTHING, np.int64)
SUFFERED = np.zeros(_EVENTS, np.int64)
for _event, _fact, _suffered in _COUNTED:
    FACT_OF[_event] = _fact
    SUFFERED[_event] = _suffered

NOTES = np.dtype(  # of the run that is being played
    [
        ("rounds_noted", np.int32),
        ("shares", np.int32, (MOST_ROUNDS, 2, REDUCERS)),  # at each round's end, in thousandths
        ("plays", np.int32, (2, MOST_CARDS)),
        ("fired", np.int32, (FACTS, 2)),
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
        ("fired", np.int64, (FACTS, 2)),
        ("fired_runs", np.int64, (FACTS, 2)),
        ("overflows", np.int64),  # steps whose events did not fit the log: none, if the log is large enough
    ],
    align=True,
)


@kernel
def survey_runs(
    tables, plain, policies, held, blank, states, options, workspace, logs, batch_seed, first, rows, notes, tally
):
    """Consecutive runs of a batch on one CPU core.

    In the `plain` table triggers give nothing. `held` says which cards each room's deck has, and in its last row which
    the visitor's has. The second of the `logs` is for what never happened.
    """
    for k in range(rows.shape[0]):
        seed = seed_of_run(batch_seed, first + k)
        start_run(tables[0], blank, states, NONE, seed)
        notes[0] = notes[1]
        _play(tables[0], plain[0], policies[0], states, options, workspace[0], logs, seed, rows[k], notes[0], tally[0])
        note_run(tables[0], states[0], rows[k])
        _add_up(states[0], held, notes[0], tally[0])


@kernel
def _play(tables, plain, policies, states, options, workspace, logs, seed, row, notes, tally):
    """The run in the first state, to its end, as `play_match` plays it."""
    state = states[0]
    log, idle_log = logs
    taken = NONE
    open_row(row)
    for _ in range(MOST_STEPS):
        if state.awaiting == codes.OVER:
            break
        log[0, 0] = 0
        if is_moving(state):
            watched_advance(tables, state, log, notes)
        else:
            chosen = decide(tables, policies, states, NONE, ONE, options, workspace, seed, taken)
            watched_take(tables, plain, states, log, idle_log, chosen, notes)
            taken += 1
        if log[0, 0] + 1 >= log.shape[0]:
            tally.overflows += 1
        watch_run(tables, state, row)
        _watch_round(state, notes)


@kernel
def watched_take(tables, plain, states, log, idle_log, chosen, notes):
    """An action, and what it counts as."""
    state = states[0]
    verb = whole(chosen) // VERB_SPAN
    p = whole(state.actor)
    if verb != codes.PLAY and verb != codes.ANSWER:
        take(tables, state, log, chosen)
        _count_events(log, notes)
        return
    found = card_of(tables, state, p, whole(chosen) % VERB_SPAN)
    card = tables.cards[found]
    last_type = whole(state.sides[p].last_type)
    notes.plays[p, found] += 1
    triggers = card.bonus != 0 or card.bonus_keywords != 0 or card.bonus_advantage != 0
    if triggers:
        states[SHADOW] = states[0]
        take(plain, states[SHADOW], idle_log, chosen)
    take(tables, state, log, chosen)
    if triggers and state_hash(states[SHADOW]) != state_hash(state):
        notes.fired[TRIGGER, p] += 1
    if verb == codes.PLAY and card.category == codes.STRIKE:
        if state.flight.keywords & codes.RESONATE and last_type == card.card_type:
            notes.fired[RESONATE, p] += 1
    _count_events(log, notes)


@kernel
def watched_advance(tables, state, log, notes):
    """A step the encounter takes by itself, and what it counts as."""
    step = whole(state.awaiting)
    if step == codes.STEP_FINISH_STRIKE:
        p = whole(state.flight.striker)
        advance(tables, state, log)
        _count_strike(tables, state.flight, log, p, notes)
        return
    if step == codes.STEP_AIM and state.flight.keywords & codes.FOCUSED:
        if state.flight.striker == DUNGEON and state.flight.target == FIRST and standing(tables, state) > 1:
            notes.fired[FOCUSED, DUNGEON] += 1
    advance(tables, state, log)
    _count_events(log, notes)


@kernel
def _count_events(log, notes):
    """Count the events of a step that is not the end of a Strike."""
    for k in range(1, log[0, 0] + 1):
        _count(log, k, notes)


@kernel
def _count(log, k, notes):
    """Count one event for the side whose doing it is."""
    event = whole(log[k, 0])
    fact = whole(FACT_OF[event])
    if fact >= 0:
        side = whole(log[k, 1])
        notes.fired[fact, 1 - side if SUFFERED[event] else side] += 1


@kernel
def _count_strike(tables, flight, log, p, notes):
    """Count what the end of a Strike of side p did: its events, and the keywords that have no event of their own.

    Drain's healing is all that the striker regains but for the rally. Points that a venomous hit lays look like Erode
    and are told apart: Erode comes first, and only from a Strike that has it.
    """
    victim = 1 - p
    keywords = whole(flight.keywords)
    landed = False
    over = False
    eroded = keywords & codes.ERODE == 0
    healed = NONE
    for k in range(1, log[0, 0] + 1):
        event = whole(log[k, 0])
        side = whole(log[k, 1])
        if event == events.ERODE_LAID or event == events.ERODE_SUPPRESSED:
            if eroded:
                continue
            eroded = True
        elif event == events.BETRAYED:
            over = True  # what follows is the price of trust, not the Strike's damage
        elif event == events.HURT and side == victim and log[k, 2] == flight.target and not over:
            landed = True
        elif event == events.HEALED and side == p:
            healed += 1
        elif event == events.RALLIED:
            healed -= 1
        _count(log, k, notes)
    if healed > 0:
        notes.fired[DRAIN, p] += 1
    if landed and victim == VISITOR and flight.target == FIRST:
        cleaves = keywords & codes.CLEAVE != 0 and tables.member_count > 1
        if cleaves:
            notes.fired[CLEAVE, p] += 1
        if keywords & codes.PIERCING and (cleaves or flight.seat >= 0):
            notes.fired[PIERCING, p] += 1


@kernel
def _watch_round(state, notes):
    """At a round's end write down both sides' shares, as the lead is reckoned (E19). A room's end ends its round."""
    if state.rounds <= notes.rounds_noted:
        return
    awaiting = whole(state.awaiting)
    if awaiting == codes.STEP_BEGIN_ROUND or awaiting == codes.STEP_CLOSE_ROOM or awaiting == codes.OVER:
        at = whole(notes.rounds_noted)
        notes.rounds_noted = state.rounds
        if at < MOST_ROUNDS:
            for p in range(2):
                for r in range(REDUCERS):
                    notes.shares[at, p, r] = share_of(state.sides[p].reducers[r], state.sides[p].starts[r])


@kernel
def winner_code(outcome):
    """Whose win an outcome is: 0 the dungeon's, 1 the visitor's, 2 both sides' (E17)."""
    if outcome == codes.BOND:
        return VISITOR + 1
    return DUNGEON if outcome <= codes.PANIC else VISITOR


@kernel
def _add_up(state, held, notes, tally):
    """Add a finished run to the tally."""
    winner = winner_code(whole(state.outcome))
    tally.runs[winner] += 1
    for at in range(min(whole(notes.rounds_noted), whole(MOST_ROUNDS))):
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
        for fact in range(FACTS):
            if notes.fired[fact, p] > 0:
                tally.fired[fact, p] += notes.fired[fact, p]
                tally.fired_runs[fact, p] += 1


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
