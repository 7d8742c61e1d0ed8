"""Whole encounters by the thousand: random legal play, the same on a CPU core and on a GPU thread."""

from __future__ import annotations

import numpy as np

from cartomancer.codes import STREAM_PLAYOUT
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.fingerprint import state_hash
from cartomancer.encounters.kernel.legal import legal_actions
from cartomancer.encounters.kernel.protocol import advance, is_moving, set_up, take
from cartomancer.jit import kernel, whole
from cartomancer.rng import below, stream_start

MOST_STEPS = 20_000  # a bound no run comes near: rooms have round limits, and hands are finite


@kernel
def play_at_random(tables, state, log, options, chooser, seed):
    """One run in which both sides choose among their legal actions at random; the number of real choices made."""
    set_up(tables, state, seed)
    chooser[0] = stream_start(seed, STREAM_PLAYOUT, 0)
    choices = 0
    for _ in range(MOST_STEPS):
        if state.awaiting == codes.OVER:
            break
        if is_moving(state):
            advance(tables, state, log)
        else:
            count = legal_actions(tables, state, options)
            chosen = 0
            if count > 1:
                choices += 1
                chosen = below(chooser, 0, count)
            take(tables, state, log, whole(options[chosen]))
    return whole(choices)


@kernel
def random_run(tables, blank, states, options, chooser, seed, k, hashes, outcomes, choices):
    """One random run in the caller's own memory, and what is kept of it."""
    states[0] = blank[0]
    choices[k] = play_at_random(tables[0], states[0], None, options, chooser, seed)
    hashes[k] = state_hash(states[0])
    outcomes[k] = states[0].outcome


@kernel
def random_runs(tables, blank, states, options, chooser, first_seed, hashes, outcomes, choices):
    """Random runs from consecutive seeds on one CPU core."""
    for k in range(hashes.shape[0]):
        seed = first_seed + np.uint64(k)
        random_run(tables, blank, states, options, chooser, seed, k, hashes, outcomes, choices)
