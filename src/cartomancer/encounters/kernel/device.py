"""The encounter kernels on a CUDA device: the same functions as on the CPU, thousands of encounters at a time.

Encounters part ways at every decision, and what their threads would wait for is the fetching of instructions: one warp
to a multiprocessor already reaches half the speed of thirty-two. So a block keeps many more encounters than threads,
and in every turn does the one kind of work that most of them have before them: a step of the rules, a decision, a verb.
Its threads then run the same code at the same time. Measured on an H200, in rooms played at random a second, one room
against the standard company: 1.6 million when every thread plays its own encounter to the end, 1.2 when each warp does
its commonest work, 4.1 when each block does it but its threads keep their encounters, 5.7 so. Thinking players gain
from a block of their own on each multiprocessor, from more encounters to choose from, and from scores that share what
they read off the board: 1.2 million runs of the boar a second before, 2.1 since.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, int8, int16, int32

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.batch import choose_at_random, start_run
from cartomancer.encounters.kernel.codes import FIRST_STEP, OVER, PLAY, VERB_SPAN
from cartomancer.encounters.kernel.fingerprint import state_hash
from cartomancer.encounters.kernel.layout import MOST_OPTIONS, STATE, TABLES, card_of
from cartomancer.encounters.kernel.legal import legal_actions
from cartomancer.encounters.kernel.protocol import advance, take
from cartomancer.errors import CartomancerError
from cartomancer.jit import attribute_view, cuda_target, device_entry, is_simulated, kernel, records, whole

cuda = cuda_target()

KINDS = 64  # of work: what an encounter awaits, a verb to be taken, a card of some category to be played
COUNTERS = KINDS + 1  # one for each kind, and one for the most common
IDLE = np.int32(-1)
EMPTY = np.int32(KINDS - 1)  # nothing was played here yet
PLANNING = np.int32(15)  # a decision that takes more thought
VERB = np.int32(32)
CARD_PLAYED = np.int32(48)
assert codes.AWAIT_TEST < PLANNING < codes.FIRST_STEP
assert codes.STEP_ACCEPT < VERB
assert codes.VERBS <= CARD_PLAYED - VERB
assert codes.ENERGY < EMPTY - CARD_PLAYED

if is_simulated():  # numba's simulator runs a Python thread for each of these, and knows no registers
    SLOTS, THREADS, LIMITS = 8, 4, {}
else:
    SLOTS, THREADS, LIMITS = 2048, 512, {"max_registers": 128}


@cuda.jit(device=True)
def commonest(counts):
    """The kind of work most encounters of the block have before them; IDLE when there is none."""
    me = cuda.threadIdx.x
    if me == 0:
        counts[KINDS] = 0
    cuda.syncthreads()
    for kind in range(me, KINDS, THREADS):
        if counts[kind] > 0:
            cuda.atomic.max(counts, KINDS, counts[kind] * KINDS + kind)
    cuda.syncthreads()
    best = counts[KINDS]
    cuda.syncthreads()
    return best % KINDS if best > 0 else IDLE


@cuda.jit(device=True)
def gather(kinds, kind, queue, size):
    """Line up the slots that have this work before them. Returns the count.

    A last round of few would cost as much as a full one: they wait until they are more.
    """
    me = cuda.threadIdx.x
    if me == 0:
        size[0] = 0
    cuda.syncthreads()
    for slot in range(me, SLOTS, THREADS):
        if kinds[slot] == kind:
            queue[cuda.atomic.add(size, 0, 1)] = slot
    cuda.syncthreads()
    return size[0] if size[0] < THREADS else size[0] // THREADS * THREADS


# --- random play: an entry for other players gives these names another meaning ----------------------------------------

RESULT = np.dtype([("state_hash", np.uint64), ("outcome", np.int64)], align=True)
workspace_type = None  # of a thread's own memory: given by `compiled_entry`


@kernel
def seed_of(first_seed, k):
    """The seed of run k is the k-th after the first."""
    return first_seed + np.uint64(k)


@kernel
def reply(tables, policies, states, place, spare, options, workspace, seed, taken):
    """Any legal action."""
    count = legal_actions(tables, states[place], options)
    return whole(options[choose_at_random(seed, taken, count) if count > 1 else 0])


@kernel
def plan_turn(tables, policies, states, place, spare, options, workspace, seed, taken):
    """Random play never asks for a plan."""
    return whole(0)


@kernel
def open_row(row):
    """A random run's row needs no opening."""


@kernel
def watch_run(tables, state, row):
    """Of a random run only the end is kept."""


@kernel
def note_run(tables, state, row):
    """What is kept of a random run."""
    row.state_hash = state_hash(state)
    row.outcome = state.outcome


def play_entry(tables, policies, blank, states, batch_seed, first, batch, rows):
    """A device's entry that plays runs to their ends.

    `reply` names an action, or a negative number when it takes more thought: `plan_turn` is asked then. Quick choices
    and long ones are different kinds of work, so that nobody waits for the other.

    Rows come in batches of equal length, one for each scenario in the tables. A block plays neighbouring rows, so that
    its encounters share a scenario as far as can be.
    """
    workspace = cuda.local.array(1, workspace_type)
    options = cuda.local.array(MOST_OPTIONS, int16)
    counts = cuda.shared.array(COUNTERS, int32)
    size = cuda.shared.array(1, int32)
    queue = cuda.shared.array(SLOTS, int16)
    kinds = cuda.shared.array(SLOTS, int8)
    chosen = cuda.shared.array(SLOTS, int16)
    taken = cuda.shared.array(SLOTS, int16)
    run = cuda.shared.array(SLOTS, int32)
    table = cuda.shared.array(SLOTS, int16)
    upcoming = cuda.shared.array(1, int32)
    me = cuda.threadIdx.x
    first_slot = cuda.blockIdx.x * SLOTS
    spare = whole(cuda.gridDim.x * SLOTS + cuda.grid(1))  # a thread's state for rollouts
    runs = whole(rows.shape[0])
    share = (runs + cuda.gridDim.x - 1) // cuda.gridDim.x
    end = min(runs, (cuda.blockIdx.x + 1) * share)
    if me == 0:
        upcoming[0] = cuda.blockIdx.x * share
    for slot in range(me, SLOTS, THREADS):
        kinds[slot] = EMPTY
    for kind in range(me, COUNTERS, THREADS):
        counts[kind] = SLOTS if kind == EMPTY else 0
    cuda.syncthreads()
    while True:
        kind = commonest(counts)
        if kind == IDLE:
            break
        waiting = gather(kinds, kind, queue, size)
        for place in range(me, waiting, THREADS):
            slot = whole(queue[place])
            mine = whole(first_slot + slot)
            state = states[mine]
            k = whole(run[slot])
            t = whole(table[slot])
            if VERB <= kind < EMPTY:
                take(tables[t], state, None, whole(chosen[slot]))
                watch_run(tables[t], state, rows[k])
                taken[slot] += 1
                kinds[slot] = state.awaiting
            elif FIRST_STEP <= kind < EMPTY:
                advance(tables[t], state, None)
                watch_run(tables[t], state, rows[k])
                kinds[slot] = state.awaiting
            elif kind != OVER and kind != EMPTY:
                seed = seed_of(batch_seed, whole(first + k % batch))
                before = whole(taken[slot])
                action = whole(-1)
                if kind != PLANNING:
                    action = reply(tables[t], policies[t], states, mine, spare, options, workspace[0], seed, before)
                else:
                    action = plan_turn(tables[t], policies[t], states, mine, spare, options, workspace[0], seed, before)
                chosen[slot] = action
                kinds[slot] = PLANNING
                if action >= 0:
                    kinds[slot] = VERB + action // VERB_SPAN
                    if action // VERB_SPAN == PLAY:
                        card = card_of(tables[t], state, whole(state.actor), action % VERB_SPAN)
                        kinds[slot] = CARD_PLAYED + card.category
            else:
                if kind == OVER:
                    note_run(tables[t], state, rows[k])
                k = whole(cuda.atomic.add(upcoming, 0, 1))
                kinds[slot] = IDLE
                if k < end:
                    run[slot], table[slot], taken[slot] = k, k // batch, 0
                    start_run(tables[k // batch], blank, states, mine, seed_of(batch_seed, whole(first + k % batch)))
                    open_row(rows[k])
                    kinds[slot] = state.awaiting
            if kinds[slot] != IDLE:
                cuda.atomic.add(counts, kinds[slot], 1)
        cuda.syncthreads()
        if me == 0:
            counts[kind] -= waiting
        cuda.syncthreads()


def compiled_entry(title: str, workspace: Any, **names: Any) -> Any:
    """The entry for players of some kind, under a title of its own."""
    return device_entry(play_entry, title, LIMITS, workspace_type=local_type(workspace), **names)


@cache
def random_entry() -> Any:
    """The entry for random play."""
    return compiled_entry("random_entry", RESULT)


def device_runner(tables: Any, policies: Any, entry: Any, row: Any) -> Callable[[int, int, int], Any]:
    """A function (batch seed, first run, count) that plays runs on the device and returns what is kept of them.

    It plays `count` runs of every scenario in the tables, scenario by scenario.
    """
    blocks = blocks_to_fill()
    fixed = (cuda.to_device(tables), cuda.to_device(policies), cuda.to_device(records(1, STATE)))
    states = cuda.device_array(blocks * (SLOTS + THREADS), local_dtype(STATE))  # every run begins with a blank one

    def run(batch_seed: int, first: int, count: int) -> Any:
        rows = cuda.device_array(count * len(tables), local_dtype(row))
        entry[blocks, THREADS](*fixed, states, np.uint64(batch_seed), first, count, rows)
        cuda.synchronize()
        return rows.copy_to_host()

    return run


def require_device() -> None:
    """Refuse to go on without a CUDA device."""
    if not cuda.is_available():
        raise CartomancerError("the cuda backend needs a CUDA device, and none is here")


def blocks_to_fill() -> int:
    """One block for each multiprocessor: a second one makes its caches too small for either."""
    return 1 if is_simulated() else int(cuda.get_current_device().MULTIPROCESSOR_COUNT)


def local_dtype(dtype: Any) -> Any:
    """A record's dtype as the device reads it; the simulator is interpreted."""
    return attribute_view(dtype) if is_simulated() else dtype


def local_type(dtype: Any) -> Any:
    """A record type for a thread's own memory."""
    return attribute_view(dtype) if is_simulated() else from_dtype(dtype)


def device_runs(packed: Any) -> Callable[[int, int], Any]:
    """A function that plays consecutive seeds at random on the device: hashes and outcomes of their final states."""
    require_device()
    tables = records(1, TABLES)
    tables[0] = packed
    runner = device_runner(tables, np.zeros(1, np.int8), random_entry(), RESULT)
    return lambda first_seed, count: runner(first_seed, 0, count)
