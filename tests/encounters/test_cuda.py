"""The device's entry in numba's CUDA simulator: the same final states as on the CPU.

The simulator shows that the entry walks its seeds rightly; that a real GPU computes the same bits is shown by
`python bench/encounters.py --cuda`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cartomancer.encounters import random_playouts

ROOT = Path(__file__).parent.parent.parent
SCENARIOS = ("boar", "standard-company+swarm", "company-gauntlet")
FIRST, COUNT = 5, 100
CODE = f"""
import json, warnings
from cartomancer.encounters.kernel.device import device_runs
from cartomancer.encounters.packing import pack

warnings.simplefilter("ignore")  # threads of the simulator see the wrapping of unsigned numbers on purpose
runs = [device_runs(pack(scenario).tables)({FIRST}, {COUNT}) for scenario in {SCENARIOS!r}]
print(json.dumps([[run["state_hash"].tolist(), run["outcome"].tolist()] for run in runs]))
"""


@pytest.mark.slow
def test_the_simulated_device_ends_in_the_same_states() -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    for scenario, (hashes, outcomes) in zip(SCENARIOS, json.loads(ran.stdout), strict=True):
        expected = random_playouts(scenario, COUNT, FIRST)
        assert hashes == expected.hashes.tolist()
        assert outcomes == expected.outcome_codes.tolist()


def test_without_a_device_it_is_refused() -> None:
    pytest.importorskip("numba.cuda")
    from numba import cuda

    from cartomancer.encounters.kernel.device import device_runs
    from cartomancer.encounters.packing import pack
    from cartomancer.errors import CartomancerError

    if cuda.is_available():
        pytest.skip("there is a device here")
    with pytest.raises(CartomancerError, match="needs a CUDA device"):
        device_runs(pack("boar").tables)
