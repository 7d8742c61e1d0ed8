"""The map kernels on a CUDA device: one thread plays through its seeds with the same functions as the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # some numba-cuda releases still ask for it
from numba import cuda

from cartomancer.errors import CartomancerError
from cartomancer.jit import records
from cartomancer.maps.kernel.chart import CHART, new_log
from cartomancer.maps.kernel.measure import FEATURES, SCRATCH
from cartomancer.maps.kernel.rules import RULES
from cartomancer.maps.kernel.wish import STACK_DEPTH, wish_distance

BLOCK = 64
BLOCKS_IN_FLIGHT = 2048


@cuda.jit
def scan_entry(charts, scratches, rules, first_seed, program, wanted, features, stacks, log, distances):
    """The device's entry: each thread walks over its seeds with working memory of its own."""
    thread = cuda.grid(1)
    for k in range(thread, distances.shape[0], cuda.gridsize(1)):
        distances[k] = wish_distance(
            charts[thread],
            scratches[thread],
            rules[0],
            first_seed + np.uint64(k),
            program,
            wanted,
            features[thread],
            stacks[thread],
            log,
        )


def device_scan(
    packed: Any, program: np.ndarray, wanted: np.ndarray, block: int = BLOCK, blocks: int = BLOCKS_IN_FLIGHT
) -> Callable[[int, int], np.ndarray]:
    """A function that scans consecutive seeds on the device and returns their distances from the wish."""
    if not cuda.is_available():
        raise CartomancerError("the cuda backend needs a CUDA device, and none is here: use --backend threads")
    threads = block * blocks
    rules = records(1, RULES)
    rules[0] = packed
    fixed = (
        cuda.to_device(records(threads, CHART)),
        cuda.to_device(records(threads, SCRATCH)),
        cuda.to_device(rules),
    )
    wish = (
        cuda.to_device(program),
        cuda.to_device(wanted),
        cuda.to_device(np.zeros((threads, FEATURES), np.int64)),
        cuda.to_device(np.zeros((threads, STACK_DEPTH + 1), np.int64)),
        cuda.to_device(new_log(1))[:0],  # nobody listens; a device array cannot be made empty, only sliced so
    )

    def run(first, count):
        distances = cuda.device_array(count, np.int32)
        scan_entry[blocks, block](*fixed, np.uint64(first), *wish, distances)
        return distances.copy_to_host()

    return run
