"""The map kernels on a CUDA device: one thread plays through its seeds with the same functions as the CPU."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from cartomancer.errors import CartomancerError
from cartomancer.jit import cuda_target, device_entry, records
from cartomancer.maps.kernel.features import FEATURES, SCRATCH
from cartomancer.maps.kernel.graph import GRAPH, new_log
from cartomancer.maps.kernel.query import STACK_DEPTH, query_distance
from cartomancer.maps.kernel.rules import RULES

cuda = cuda_target()

BLOCK = 64
BLOCKS_IN_FLIGHT = 2048


def scan_entry(graphs, scratches, rules, first_seed, program, wanted, features, stacks, log, distances):
    """The device's entry: each thread walks over its seeds with working memory of its own."""
    thread = cuda.grid(1)
    graph, scratch, found, stack = graphs[thread], scratches[thread], features[thread], stacks[thread]
    for k in range(thread, distances.shape[0], cuda.gridsize(1)):
        seed = first_seed + np.uint64(k)
        distances[k] = query_distance(graph, scratch, rules[0], seed, program, wanted, found, stack, log)


@cache
def compiled_entry() -> Any:
    """The entry, compiled once."""
    return device_entry(scan_entry)


def device_scan(
    packed: Any, program: np.ndarray, wanted: np.ndarray, block: int = BLOCK, blocks: int = BLOCKS_IN_FLIGHT
) -> Callable[[int, int], np.ndarray]:
    """A function that scans consecutive seeds on the device and returns their distances from the query."""
    if not cuda.is_available():
        raise CartomancerError("the cuda backend needs a CUDA device, and none is here: use --backend threads")
    threads = block * blocks
    rules = records(1, RULES)
    rules[0] = packed
    fixed = (
        cuda.to_device(records(threads, GRAPH)),
        cuda.to_device(records(threads, SCRATCH)),
        cuda.to_device(rules),
    )
    query = (
        cuda.to_device(program),
        cuda.to_device(wanted),
        cuda.to_device(np.zeros((threads, FEATURES), np.int64)),
        cuda.to_device(np.zeros((threads, STACK_DEPTH + 1), np.int64)),
        cuda.to_device(new_log(1))[:0],  # nobody listens; a device array cannot be made empty, only sliced so
    )

    def run(first, count):
        distances = cuda.device_array(count, np.int32)
        compiled_entry()[blocks, block](*fixed, np.uint64(first), *query, distances)
        return distances.copy_to_host()

    return run
