"""Computer players: runs a second on one core, the strength ladder with intervals; with --cuda also on a GPU.

    make bench
    python bench/players.py --ladder
    python bench/players.py --cuda

Rates are of this machine at this moment.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from cartomancer.encounters.names import SIDES
from cartomancer.encounters.packing import Packed, pack
from cartomancer.intervals import Z95
from cartomancer.players.duels import COMBAT, duel
from cartomancer.players.policies import pack_policies, player_spec
from cartomancer.players.simulation import simulate
from device_rate import Play, report_device

RATES = (
    ("boar", "heuristic", 10_000),
    ("boar", "montecarlo", 40),
    ("boar", "smart", None),
    ("moth", "heuristic", None),
    ("symbiote", "heuristic", None),
)
PARTIES = (("standard-company", "heuristic", None), ("standard-gauntlet", "heuristic", None))
DEVICE_FLOOR = 2_000_000


def rate(scenario: str, player: str, seconds: float) -> float:
    """The best runs a second on this thread."""
    dungeon, visitor = player_spec(player, "dungeon"), player_spec(player, "visitor")
    count = 10 if dungeon.rollouts else 500
    simulate(scenario, 1, 0, dungeon, visitor, threads=1)
    best, spent, batch = 0.0, 0.0, 0
    while spent < seconds:
        before = time.perf_counter()
        simulate(scenario, count, batch, dungeon, visitor, threads=1)
        took = time.perf_counter() - before
        best, spent, batch = max(best, count / took), spent + took, batch + 1
    return best


def gains(scenario: str, players: tuple[str, ...], runs: int) -> None:
    """What players gain on the heuristic in either seat, run by run on the same seeds."""
    for side in SIDES:
        standard = simulate(scenario, runs).worths(side)
        shown = [f"heuristic {100 * standard.mean():.1f}"]
        for player in players:
            gain = simulate(scenario, runs, **{side: player}).worths(side) - standard
            half = Z95 * gain.std(ddof=1) / runs**0.5
            shown.append(f"{player} {100 * gain.mean():+.1f} ± {100 * half:.1f}")
        print(f"{scenario}, {side}: {', '.join(shown)}", flush=True)


def on_device(runs: int, compared: int) -> None:
    """Heuristic batches on the GPU."""
    from cartomancer.players.kernel.device import device_matches

    for scenario, floor in (("boar", DEVICE_FLOOR), ("symbiote", None), ("standard-company", None)):
        packed = pack(scenario)

        def prepare(packed: Packed = packed) -> Play:
            play = device_matches([packed.tables], [pack_policies(packed).table])
            return lambda count: play(0, 0, count)

        def expected(packed: Packed = packed) -> Any:
            return simulate(packed, compared).rows["state_hash"]

        report_device(f"{scenario}, heuristic", prepare, expected, runs, "runs/s", floor=floor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each case runs")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--ladder", action="store_true", help="also measure the strength ladder (minutes)")
    parser.add_argument("--smart", action="store_true", help="also measure what smart players gain (minutes)")
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
            for rollouts in (3, 12, 48):
                print(duel(scenario, f"montecarlo@{rollouts}", "heuristic", pairs=200).sentence(), flush=True)
    if asked.smart:
        for scenario in ("boar", "moth", "symbiote", "standard-company", "standard-gauntlet", "arcane-gauntlet"):
            gains(scenario, ("smart@25", "smart@100", "smart@400"), runs=200)
    if asked.cuda:
        on_device(8_000_000, 200_000)


if __name__ == "__main__":
    main()
