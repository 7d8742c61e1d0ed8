"""Whole runs played by computer players: who decides is looked up in the policies [GDD 7].

What a player does depends on the position, the seed and the number of actions taken before, and on nothing else: a
saved game goes on as it would have gone.
"""

from __future__ import annotations

from cartomancer.codes import STREAM_BATCH, STREAM_PLAYER
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.batch import MOST_STEPS, start_run
from cartomancer.encounters.kernel.codes import DUNGEON, NONE, REDUCERS, VISITOR
from cartomancer.encounters.kernel.fingerprint import state_hash
from cartomancer.encounters.kernel.legal import legal_actions
from cartomancer.encounters.kernel.protocol import advance, is_moving, take
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.habits import habitual
from cartomancer.players.kernel.heuristic import heuristic_reply, heuristic_turn
from cartomancer.players.kernel.montecarlo import montecarlo_reply, montecarlo_turn
from cartomancer.players.kernel.player_codes import MONTECARLO, RANDOM, SMART
from cartomancer.players.kernel.reading import reducer_share, share_of
from cartomancer.players.kernel.sequencer import NO_ACTION
from cartomancer.players.kernel.smart import smart_choice
from cartomancer.rng import below, stream_start


@kernel
def seed_of_run(batch_seed, index):
    """The seed of one run of a batch."""
    return stream_start(batch_seed, STREAM_BATCH, index)


@kernel
def quick_reply(tables, policies, states, place, spare, options, workspace, seed, taken):
    """The pending side's action where neither plan nor rollouts are needed; else NO_ACTION."""
    state = states[place]
    policy = policies.sides[state.actor]
    if policy.kind == RANDOM:
        workspace.luck[0] = stream_start(seed, STREAM_PLAYER, taken)
        count = legal_actions(tables, state, options)
        return whole(options[below(workspace.luck, 0, count)])
    chosen = habitual(tables, policies, state)
    if chosen != NO_ACTION:
        return chosen
    return heuristic_reply(tables, policies, state, options, workspace, seed, taken)


@kernel
def quick_turn(tables, policies, states, place, spare, options, workspace, seed, taken):
    """The first step of a turn that was planned without rollouts."""
    state = states[place]
    return heuristic_turn(tables, policies, state, workspace, whole(policies.sides[state.actor].played))


@kernel
def reply(tables, policies, states, place, spare, options, mind, seed, taken):
    """The pending side's action where it needs no plan of a turn; else NO_ACTION."""
    kind = policies.sides[states[place].actor].kind
    if kind == SMART:
        return smart_choice(tables, policies, states, place, spare, options, mind, seed, taken)
    if kind == MONTECARLO:
        return montecarlo_reply(tables, policies, states, place, spare, options, mind.decision, seed, taken)
    return quick_reply(tables, policies, states, place, spare, options, mind.decision, seed, taken)


@kernel
def plan_turn(tables, policies, states, place, spare, options, mind, seed, taken):
    """The first step of a turn that was planned."""
    if policies.sides[states[place].actor].kind == MONTECARLO:
        return montecarlo_turn(tables, policies, states, place, spare, mind.decision, seed, taken)
    return quick_turn(tables, policies, states, place, spare, options, mind.decision, seed, taken)


@kernel
def decide(tables, policies, states, place, spare, options, mind, seed, taken):
    """The pending side's action."""
    chosen = reply(tables, policies, states, place, spare, options, mind, seed, taken)
    if chosen != NO_ACTION:
        return chosen
    return plan_turn(tables, policies, states, place, spare, options, mind, seed, taken)


@kernel
def play_match(tables, policies, states, options, mind, log, seed, row):
    """The run in the first state, to its end; the second is for rollouts. A log of None keeps no events."""
    state = states[0]
    taken = NONE
    open_row(row)
    for _ in range(MOST_STEPS):
        if state.awaiting == codes.OVER:
            break
        if is_moving(state):
            advance(tables, state, log)
        else:
            take(tables, state, log, decide(tables, policies, states, NONE, codes.ONE, options, mind, seed, taken))
            taken += 1
        watch_run(tables, state, row)


@kernel
def open_row(row):
    """Nothing has been watched yet."""
    row.rooms_entered = 0
    row.knockouts = 0
    row.betrayed_at = -1
    for seat in range(row.fallen.shape[0]):
        row.fallen[seat] = -1
    for k in range(row.lead_at.shape[0]):
        row.lead_at[k] = 0
        row.changes_at[k] = 0
        for r in range(REDUCERS):
            row.entries[k, r] = 0


@kernel
def watch_run(tables, state, row):
    """Note what a run's final state does not tell: how rooms were entered, who fell in which order, when trust was
    betrayed."""
    if state.betrayals > 0 and row.betrayed_at < 0:
        row.betrayed_at = state.rounds
    if state.rooms_entered > row.rooms_entered:
        at = whole(row.rooms_entered)
        row.rooms_entered = state.rooms_entered
        row.lead_at[at] = state.lead
        row.changes_at[at] = state.lead_changes
        for r in range(REDUCERS):
            row.entries[at, r] = share_of(state.sides[VISITOR].reducers[r], tables.visitor.start[r])
    if state.knockouts > row.knockouts:
        row.knockouts = state.knockouts
        note_fall(row, state.first_down)  # of several who fall at once, the rules know which was first
        for seat in range(tables.visitor.member_count):
            if state.members[seat].down:
                note_fall(row, seat)


@kernel
def note_fall(row, seat):
    """Append a member to those that fell, if it is not among them."""
    for k in range(row.fallen.shape[0]):
        if row.fallen[k] == seat:
            return
        if row.fallen[k] < 0:
            row.fallen[k] = seat
            return


@kernel
def note_run(tables, state, row):
    """What is kept of a run, besides what was watched."""
    row.state_hash = state_hash(state)
    row.outcome = state.outcome
    row.rounds = state.rounds
    row.decisions = state.decisions
    for k in range(row.room_path.shape[0]):
        row.room_path[k] = state.room_path[k]
        row.room_outcomes[k] = state.room_outcomes[k]
        row.room_rounds[k] = state.room_rounds[k]
    row.trust_peak = state.trust_peak
    row.betrayals = state.betrayals
    row.first_down = state.first_down
    row.lead = state.lead
    row.lead_changes = state.lead_changes
    margin = NONE
    for r in range(REDUCERS):
        row.ends[DUNGEON, r] = reducer_share(tables, state, DUNGEON, whole(r))
        row.ends[VISITOR, r] = reducer_share(tables, state, VISITOR, whole(r))
        margin += whole(row.ends[DUNGEON, r]) - whole(row.ends[VISITOR, r])
    row.margin = margin // REDUCERS


@kernel
def play_matches(tables, policies, blank, states, options, mind, batch_seed, first, rows):
    """Consecutive runs of a batch on one CPU core."""
    for k in range(rows.shape[0]):
        seed = seed_of_run(batch_seed, first + k)
        start_run(tables[0], blank, states, codes.NONE, seed)
        play_match(tables[0], policies[0], states, options, mind[0], None, seed, rows[k])
        note_run(tables[0], states[0], rows[k])
