"""Maps per second on one core, compiled against interpreted; with --cuda also on a GPU.

    make bench
    python bench/maps.py --cuda

Each family is generated in one compiled loop on one thread. Rates are of this machine at this moment; the ratio
compiled : interpreted is the number to compare. The interpreted rate comes from the same functions in a fresh process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time

import numpy as np

from cartomancer.content import load_preset
from cartomancer.jit import is_compiled, kernel, prefer_compiled, records, whole, wrapping
from cartomancer.maps import families
from cartomancer.maps.kernel.features import FEATURES, SCRATCH
from cartomancer.maps.kernel.generate import generate
from cartomancer.maps.kernel.graph import GRAPH, new_log
from cartomancer.maps.kernel.query import STACK_DEPTH, scan
from cartomancer.maps.queries import compile_query

CASES = [
    ("voyage", "guide", 150_000),
    ("voyage", "spire", None),
    ("contract", "standard", 300_000),
    ("contract", "rival_extended", None),
    ("guardian", "three_acts", 300_000),
    ("guardian", "slice", None),
]
QUERY = "max_path(elite) >= 4 and first_row(shop) <= 4"


@kernel
def draw_many(graphs, rules, first_seed, count, log):
    """Generate consecutive seeds and nothing else; returns a checksum of what was drawn."""
    graph = graphs[0]
    checksum = 0
    for k in range(count):
        generate(graph, rules, np.uint64(first_seed) + np.uint64(k), log)
        for row in range(graph.rows):
            for slot in range(graph.slots):
                drawn = whole(graph.kind[row, slot]) * 512 + whole(graph.out[row, slot])
                checksum = (checksum * 31 + drawn) % 1_000_000_007
    return checksum


def rate(family: str, preset: str, seconds: float) -> tuple[float, int]:
    """Maps a second on this thread, and a checksum of the first hundred maps."""
    prefer_compiled()
    packed, graphs, log = families.of(family).pack(load_preset(family, preset)), records(1, GRAPH), new_log(0)
    with wrapping():
        checksum = int(draw_many(graphs, packed, np.uint64(0), 100, log))
        best, done, start = 0.0, 0, time.perf_counter()
        count = 20_000 if is_compiled() else 50
        while time.perf_counter() - start < seconds:
            before = time.perf_counter()
            draw_many(graphs, packed, np.uint64(done), count, log)
            best = max(best, count / (time.perf_counter() - before))
            done += count
    return best, checksum


def scan_rate(seconds: float) -> float:
    """Seeds a second that one core generates, measures and compares with a query."""
    rules, query = load_preset("voyage", "guide"), compile_query(QUERY, "voyage")
    packed = families.of("voyage").pack(rules)
    memory = (np.zeros((1, FEATURES), np.int64), np.zeros((1, STACK_DEPTH + 1), np.int64), new_log(0))
    distances = np.zeros(20_000, np.int32)

    def run(first: int, found: np.ndarray) -> None:
        graphs, scratches = records(1, GRAPH), records(1, SCRATCH)
        scan(graphs, scratches, packed, np.uint64(first), query.program, query.wanted, *memory, found)

    run(0, distances[:1])  # compiled, or loaded, before the clock runs
    best, done, start = 0.0, 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        before = time.perf_counter()
        run(done, distances)
        best = max(best, distances.size / (time.perf_counter() - before))
        done += distances.size
    return best


def interpreted_rates(seconds: float) -> dict[str, tuple[float, int]]:
    """The same cases, interpreted, in a process of their own."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, __file__, "--rates", str(seconds)]
    found = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return {key: tuple(value) for key, value in json.loads(found.stdout).items()}


def on_device(seeds: int) -> None:
    """Scan seeds on the GPU, compare the distances with the CPU's, print the rate."""
    from cartomancer.maps.kernel.device import device_scan

    for family, preset, where in (
        ("voyage", "guide", QUERY),
        ("contract", "standard", "max_path(elite) >= 1 and count(shop) >= 3"),
        ("guardian", "three_acts", "count(elite) >= 2 and routes >= 8"),
    ):
        rules, query = load_preset(family, preset), compile_query(where, family)
        run = device_scan(families.of(family).pack(rules), query.program, query.wanted)
        run(0, 1000)
        same = np.array_equal(run(0, 200_000), families.of(family).scan(rules, query.program, query.wanted)(0, 200_000))
        before = time.perf_counter()
        distances = run(0, seeds)
        spent = time.perf_counter() - before
        hits = int((distances == 0).sum())
        print(
            f"{family + ':' + preset:26} {seeds / spent:>14,.0f} seeds/s on the GPU, {hits:,} hits in {seeds:,}, "
            f"first 200,000 equal to the CPU's: {same}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each case runs")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--cuda", action="store_true", help="also measure a GPU")
    parser.add_argument("--rates", type=float, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.rates is not None:
        print(json.dumps({f"{family}:{preset}": rate(family, preset, asked.rates) for family, preset, _ in CASES}))
        return
    slow = interpreted_rates(min(asked.seconds, 1.0))
    rows = []
    for family, preset, floor in CASES:
        name = f"{family}:{preset}"
        fast, checksum = rate(family, preset, asked.seconds)
        assert checksum == slow[name][1], f"{name}: interpreted and compiled maps differ"
        rows.append({"case": name, "compiled": fast, "interpreted": slow[name][0], "floor": floor})
    searched = scan_rate(asked.seconds)
    if asked.json:
        print(json.dumps({"maps_per_second_per_core": rows, "search_seeds_per_second_per_core": searched}, indent=1))
    else:
        print(f"{'maps a second, one core':26} {'compiled':>12} {'interpreted':>12} {'ratio':>8} {'floor':>9}")
        for row in rows:
            floor = f"{row['floor']:,}" if row["floor"] else ""
            ratio = row["compiled"] / row["interpreted"]
            print(f"{row['case']:26} {row['compiled']:>12,.0f} {row['interpreted']:>12,.0f} {ratio:>7,.0f}× {floor:>9}")
        print(f"{'search voyage:guide':26} {searched:>12,.0f} seeds a second, one core, where {QUERY}")
    if asked.cuda:
        on_device(20_000_000)


if __name__ == "__main__":
    main()
