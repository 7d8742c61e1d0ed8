"""Whole encounters by the thousand: random legal play, the same on a CPU core and on a GPU thread."""

from __future__ import annotations

import numpy as np

from cartomancer.codes import STREAM_PLAYOUT
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.fingerprint import state_hash
from cartomancer.encounters.kernel.legal import legal_actions
from cartomancer.encounters.kernel.protocol import advance, is_moving, set_up, take
from cartomancer.jit import kernel, whole
from cartomancer.rng import bounded, stream_start

MOST_STEPS = 20_000  # a bound no run comes near: rooms have round limits, and hands are finite


@kernel
def start_run(tables, blank, states, place, seed):
    """A new run in one of many places."""
    states[place] = blank[0]
    set_up(tables, states[place], seed)


@kernel
def choose_at_random(seed, taken, count):
    """One of the legal options; what is chosen depends on the seed and on how many actions were taken before."""
    return bounded(stream_start(seed, STREAM_PLAYOUT, taken), count)


@kernel
def play_at_random(tables, state, log, options, seed):
    """A run in which both sides choose among their legal actions at random; the number of real choices made."""
    choices = 0
    taken = codes.NONE
    for _ in range(MOST_STEPS):
        if state.awaiting == codes.OVER:
            break
        if is_moving(state):
            advance(tables, state, log)
        else:
            count = legal_actions(tables, state, options)
            chosen = codes.NONE
            if count > 1:
                choices += 1
                chosen = choose_at_random(seed, taken, count)
            take(tables, state, log, whole(options[chosen]))
            taken += 1
    return whole(choices)


@kernel
def random_runs(tables, blank, states, options, first_seed, hashes, outcomes, choices):
    """Random runs from consecutive seeds on one CPU core."""
    for k in range(hashes.shape[0]):
        seed = first_seed + np.uint64(k)
        start_run(tables[0], blank, states, codes.NONE, seed)
        choices[k] = play_at_random(tables[0], states[0], None, options, seed)
        hashes[k] = state_hash(states[0])
        outcomes[k] = states[0].outcome
