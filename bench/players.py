"""Computer players: runs a second on one core, the strength ladder with intervals; with --cuda also on a GPU.

    make bench
    python bench/players.py --ladder
    python bench/players.py --cuda

Rates are of this machine at this moment.
"""

from __future__ import annotations

import argparse
import json
import os
import time

import numpy as np

from cartomancer.encounters.packing import pack
from cartomancer.players.ladder import COMBAT, climb, duel
from cartomancer.players.minds import pack_minds, seating
from cartomancer.players.simulation import simulate

RATES = (
    ("boar", "heuristic", 10_000),
    ("boar", "smart", 40),
    ("moth", "heuristic", None),
    ("symbiote", "heuristic", None),
)
PARTIES = (("standard-company", "heuristic", None), ("standard-gauntlet", "heuristic", None))
DEVICE_FLOOR = 2_000_000


def rate(scenario: str, player: str, seconds: float) -> float:
    """The best runs a second on this thread."""
    dungeon, visitor = seating(player, "dungeon"), seating(player, "visitor")
    count = 10 if player.startswith("smart") else 500
    simulate(scenario, 1, 0, dungeon, visitor, threads=1)
    best, spent, batch = 0.0, 0.0, 0
    while spent < seconds:
        before = time.perf_counter()
        simulate(scenario, count, batch, dungeon, visitor, threads=1)
        took = time.perf_counter() - before
        best, spent, batch = max(best, count / took), spent + took, batch + 1
    return best


def on_device(runs: int, compared: int) -> None:
    """Play batches on the GPU, compare the first final states with the CPU's, print the rate."""
    from cartomancer.players.kernel.device import device_matches

    for scenario, player in (("boar", "heuristic"), ("symbiote", "heuristic"), ("standard-company", "heuristic")):
        packed = pack(scenario)
        dungeon, visitor = seating(player, "dungeon"), seating(player, "visitor")
        before = time.perf_counter()
        play = device_matches(packed.tables, pack_minds(packed, dungeon, visitor).table)
        play(0, 0, 1000)
        ready = time.perf_counter() - before
        expected = simulate(packed, compared, 0, dungeon, visitor, threads=os.cpu_count()).rows
        same = np.array_equal(play(0, 0, compared)["state_hash"], expected["state_hash"])
        before = time.perf_counter()
        play(0, 0, runs)
        found = runs / (time.perf_counter() - before)
        floor = f" (floor {DEVICE_FLOOR:,})" if (scenario, player) == ("boar", "heuristic") else ""
        print(
            f"{scenario:20} {player:10} {found:>12,.0f} runs/s on the GPU{floor}, ready after {ready:.0f} s, "
            f"first {compared:,} final states equal to the CPU's: {same}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each case runs")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--ladder", action="store_true", help="also measure the strength ladder (minutes)")
    parser.add_argument("--cuda", action="store_true", help="also measure a GPU")
    asked = parser.parse_args()
    rows = [
        {"scenario": scenario, "player": player, "runs": rate(scenario, player, asked.seconds), "floor": floor}
        for scenario, player, floor in RATES
    ]
    if asked.json:
        print(json.dumps({"per_core": rows}, indent=1))
    else:
        for row in rows:
            floor = f" (floor {row['floor']:,})" if row["floor"] else ""
            print(f"{row['scenario']:20} {row['player']:10} {row['runs']:>10,.0f} runs a second on one core{floor}")
    if asked.ladder:
        for scenario in COMBAT:
            print(duel(scenario, "heuristic", "random", pairs=1000).sentence(), flush=True)
        for scenario in ("boar", "moth", "standard-company"):
            for step in climb(scenario, pairs=200):
                print(step.sentence(), flush=True)
    if asked.cuda:
        on_device(4_000_000, 200_000)


if __name__ == "__main__":
    main()
