"""Whole runs: how many a second one core walks, between balanced explorers and heuristic fights.

    make bench
    python bench/expeditions.py

Seconds are of this machine at this moment; the best of several tries is taken.
"""

from __future__ import annotations

import argparse
import json
import time

from cartomancer.lab.expeditions import simulate_runs

FLOOR = 120
PRESETS = ("voyage:guide", "contract:standard", "guardian:three_acts")
TRIES = 3


def rate(preset: str, runs: int) -> float:
    """Runs a second."""
    best = float("inf")
    for _ in range(TRIES):
        started = time.perf_counter()
        simulate_runs(preset, runs, seed=7)
        best = min(best, time.perf_counter() - started)
    return runs / best


def main() -> None:
    """Print the rates, in words or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {preset: rate(preset, given.runs) for preset in PRESETS}
    if given.json:
        print(json.dumps(found))
        return
    for preset, runs in found.items():
        floor = f" (the floor is {FLOOR})" if preset == PRESETS[0] else ""
        print(f"{preset}: {runs:,.0f} runs a second on one core{floor}")


if __name__ == "__main__":
    main()
