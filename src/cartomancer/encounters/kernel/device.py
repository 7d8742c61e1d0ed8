"""The encounter kernels on a CUDA device: one thread plays through its seeds with the same functions as the CPU.

A thread's state lies in its local memory; 64 registers let 32 warps share a multiprocessor. Measured on an H200, in
runs of `boar` a second: 2.1 million so; 1.8 with the registers it asks for; 1.5 with the state in shared memory, which
holds too few; 0.9 with functions kept from being inlined. Threads part at every decision, and fetching instructions is
what they wait for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # some numba-cuda releases still ask for it
from numba import config, cuda, from_dtype, int16, uint64

from cartomancer.encounters.kernel.batch import random_run
from cartomancer.encounters.kernel.layout import MOST_OPTIONS, STATE, TABLES
from cartomancer.errors import CartomancerError
from cartomancer.jit import attribute_view, records

BLOCK = 64
BLOCKS_IN_FLIGHT = 8192
if config.ENABLE_CUDASIM:  # numba's simulator runs the kernels interpreted and knows no registers
    STATE_TYPE, LIMITS = attribute_view(STATE), {}
else:
    STATE_TYPE, LIMITS = from_dtype(STATE), {"max_registers": 64}


@cuda.jit(**LIMITS)
def random_entry(tables, blank, first_seed, hashes, outcomes, choices):
    """The device's entry: each thread walks over its seeds."""
    states = cuda.local.array(1, STATE_TYPE)
    options = cuda.local.array(MOST_OPTIONS, int16)
    chooser = cuda.local.array(1, uint64)
    for k in range(cuda.grid(1), hashes.shape[0], cuda.gridsize(1)):
        seed = first_seed + np.uint64(k)
        random_run(tables, blank, states, options, chooser, seed, k, hashes, outcomes, choices)


def device_runs(packed: Any, blocks: int = BLOCKS_IN_FLIGHT) -> Callable[[int, int], tuple[np.ndarray, ...]]:
    """A function that plays consecutive seeds at random on the device: their hashes, outcomes and choices."""
    if not cuda.is_available():
        raise CartomancerError("the cuda backend needs a CUDA device, and none is here")
    tables = records(1, TABLES)
    tables[0] = packed
    fixed = (cuda.to_device(tables), cuda.to_device(records(1, STATE)))

    def run(first, count):
        found = tuple(cuda.device_array(count, dtype) for dtype in (np.uint64, np.int8, np.int32))
        random_entry[blocks, BLOCK](*fixed, np.uint64(first), *found)
        cuda.synchronize()
        return tuple(array.copy_to_host() for array in found)

    return run
