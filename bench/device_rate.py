"""How fast a GPU plays, and whether it plays what the CPU plays: the benchmarks of encounters and players share it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

Play = Callable[[int], Any]  # so many runs from the first on; their rows have a state_hash


def report_device(
    label: str,
    prepare: Callable[[], Play],
    expected: Callable[[], Any],
    runs: int,
    unit: str,
    each: float = 1.0,
    floor: int | None = None,
) -> None:
    """Compile, compare the first final states with the CPU's, time `runs` runs of `each` units, print it all."""
    before = time.perf_counter()
    play = prepare()
    play(1000)
    ready = time.perf_counter() - before
    hashes = expected()
    same = np.array_equal(play(len(hashes))["state_hash"], hashes)
    before = time.perf_counter()
    play(runs)
    found = runs * each / (time.perf_counter() - before)
    bar = f" (floor {floor:,})" if floor else ""
    print(
        f"{label:30} {found:>12,.0f} {unit} on the GPU{bar}, ready after {ready:.0f} s, "
        f"first {len(hashes):,} final states equal to the CPU's: {same}",
        flush=True,
    )
