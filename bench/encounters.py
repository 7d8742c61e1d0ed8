"""Random encounters on one core, compiled against interpreted; with --cuda also on a GPU.

    make bench
    python bench/encounters.py --cuda

A decision is a stop of the protocol with more than one option; an encounter is a room played. Rates are of this machine
at this moment; the ratio compiled : interpreted is the number to compare. The interpreted rate comes from the same
functions in a fresh process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from typing import Any

import numpy as np

from cartomancer.encounters import Encounter, random_playouts
from cartomancer.encounters.packing import Packed, pack
from cartomancer.jit import is_compiled
from cartomancer.players.policies import player_spec
from cartomancer.players.simulation import simulate
from device_rate import Play, report_device

SCENARIOS = ("boar", "symbiote", "standard-company", "company-gauntlet")
FLOOR = 2_000_000
DEVICE_FLOOR = 5_000_000


def rate(scenario: str, seconds: float) -> dict[str, float]:
    """Decisions and runs a second on this thread, and a checksum of the first twenty final states."""
    checksum = int(np.bitwise_xor.reduce(random_playouts(scenario, 20).hashes))
    count = 2000 if is_compiled() else 5
    best, done, spent, choices = 0.0, 0, 0.0, 0
    while spent < seconds:
        before = time.perf_counter()
        made = int(random_playouts(scenario, count, done).choices.sum())
        took = time.perf_counter() - before
        best = max(best, made / took)
        done, spent, choices = done + count, spent + took, choices + made
    return {"decisions": best, "runs": best * done / choices, "each": choices / done, "checksum": checksum}


def rooms_a_run(scenario: str) -> float:
    """How many rooms a random run enters, on average over the first thousand."""
    random = player_spec("random", "dungeon"), player_spec("random", "visitor")
    return float(simulate(scenario, 1000, 0, *random).rows["rooms_entered"].mean())


def interpreted_rates(seconds: float) -> dict[str, dict[str, float]]:
    """The same scenarios, interpreted, in a process of their own."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, __file__, "--rates", str(seconds)]
    found = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    rates: dict[str, dict[str, float]] = json.loads(found.stdout)
    return rates


def copy_seconds() -> float:
    """How long a copy of a whole state takes."""
    state = Encounter("standard-company").state
    source = np.frombuffer(state.tobytes(), np.uint8)
    target, best = np.zeros_like(source), 1.0
    for _ in range(50):
        before = time.perf_counter()
        for _ in range(1000):
            target[:] = source
        best = min(best, (time.perf_counter() - before) / 1000)
    return best


def on_device(runs: int, compared: int) -> None:
    """Seeds played at random on the GPU."""
    from cartomancer.encounters.kernel.device import device_runs

    part = 20_000
    for scenario in SCENARIOS:
        packed = pack(scenario)

        def prepare(packed: Packed = packed) -> Play:
            play = device_runs(packed.tables)
            return lambda count: play(0, count)

        def expected(packed: Packed = packed) -> Any:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                firsts = range(0, compared, part)
                parts = list(pool.map(random_playouts, repeat(packed), repeat(part), firsts))
            return np.concatenate([found.hashes for found in parts])

        report_device(scenario, prepare, expected, runs, "encounters/s", each=rooms_a_run(scenario), floor=DEVICE_FLOOR)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each case runs")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--cuda", action="store_true", help="also measure a GPU")
    parser.add_argument("--rates", type=float, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.rates is not None:
        print(json.dumps({scenario: rate(scenario, asked.rates) for scenario in SCENARIOS}))
        return
    before = time.perf_counter()
    random_playouts("boar", 1)
    ready = time.perf_counter() - before
    slow = interpreted_rates(min(asked.seconds, 1.0))
    rows = []
    for scenario in SCENARIOS:
        fast = rate(scenario, asked.seconds)
        assert fast["checksum"] == slow[scenario]["checksum"], f"{scenario}: interpreted and compiled runs differ"
        fast["encounters"] = fast["runs"] * rooms_a_run(scenario)
        rows.append({"scenario": scenario, "compiled": fast, "interpreted": slow[scenario], "floor": FLOOR})
    copied = copy_seconds()
    if asked.json:
        print(json.dumps({"per_core": rows, "state_copy_seconds": copied, "ready_seconds": ready}, indent=1))
    else:
        heads = ("decisions", "encounters", "interpreted", "ratio", "floor")
        print(f"{'a second, one core':26} " + " ".join(f"{head:>12}" for head in heads))
        for row in rows:
            fast, plain = row["compiled"], row["interpreted"]["decisions"]
            print(
                f"{row['scenario']:26} {fast['decisions']:>12,.0f} {fast['encounters']:>12,.0f} {plain:>12,.0f} "
                f"{fast['decisions'] / plain:>11,.0f}× {FLOOR:>12,}"
            )
        print(f"a state is copied in {copied * 1e9:.0f} ns; kernels were ready after {ready:.1f} s")
    if asked.cuda:
        on_device(8_000_000, 1_000_000)


if __name__ == "__main__":
    main()
