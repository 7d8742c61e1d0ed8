"""Players on a device, in numba's CUDA simulator: the same runs as on the CPU."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cartomancer.errors import CartomancerError
from cartomancer.players.policies import pack_policies, player_spec
from cartomancer.players.simulation import simulate

ROOT = Path(__file__).parent.parent.parent
SEED, FIRST = 9, 2
CASES = (  # scenario, dungeon, visitor, runs
    ("boar", "heuristic", "heuristic", 2),
    ("symbiote-deceptive", "heuristic", "heuristic", 2),
    ("standard-company", "aggressive", "random", 1),
    ("symbiote", "montecarlo@1", "heuristic", 1),
)
FIELDS = ("state_hash", "outcome", "rounds", "decisions", "betrayals", "margin")
CODE = f"""
import json, warnings
from cartomancer.encounters.packing import pack
from cartomancer.players.kernel.device import device_matches
from cartomancer.players.policies import pack_policies, player_spec

warnings.simplefilter("ignore")  # threads of the simulator see the wrapping of unsigned numbers on purpose
found = []
for scenario, dungeon, visitor, runs in {CASES!r}:
    packed = pack(scenario)
    policies = pack_policies(packed, player_spec(dungeon, "dungeon"), player_spec(visitor, "visitor"))
    rows = device_matches([packed.tables], [policies.table])({SEED}, {FIRST}, runs)
    found.append([rows[field].tolist() for field in {FIELDS!r}])
print(json.dumps(found))
"""


@pytest.mark.slow
def test_the_simulated_device_plays_the_same_runs() -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    for (scenario, dungeon, visitor, runs), found in zip(CASES, json.loads(ran.stdout), strict=True):
        specs = player_spec(dungeon, "dungeon"), player_spec(visitor, "visitor")
        rows = simulate(scenario, FIRST + runs, SEED, *specs).rows[FIRST:]
        assert found == [rows[field].tolist() for field in FIELDS]


def test_without_a_device_it_is_refused() -> None:
    pytest.importorskip("numba.cuda")
    from numba import cuda

    from cartomancer.encounters.packing import pack
    from cartomancer.players.kernel.device import device_matches

    if cuda.is_available():
        pytest.skip("there is a device here")
    packed = pack("boar")
    with pytest.raises(CartomancerError, match="needs a CUDA device"):
        device_matches([packed.tables], [pack_policies(packed).table])
