"""The long proofs, marked slow: `make proofs`."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from cartomancer import maps
from cartomancer.codes import FAMILY_NAMES
from cartomancer.content import load_preset, preset_ids

pytestmark = pytest.mark.slow

MILLION = 1_000_000


@pytest.mark.parametrize(("family", "preset"), [(f, p) for f in FAMILY_NAMES for p in preset_ids(f)])
def test_a_million_maps_break_no_rule_and_need_no_waiver(family: str, preset: str) -> None:
    facts = maps.audit(load_preset(family, preset), preset, MILLION)
    assert facts["maps"] == MILLION
    assert facts["violations"]["total"] == 0
    assert facts["typing"]["waivers"] == 0
    for entry in facts["rolled"].values():
        assert entry["observed"] == pytest.approx(entry["implied"], abs=0.01)


def test_the_cuda_kernel_gives_the_same_distances_in_the_simulator() -> None:
    """The device entry, run thread by thread by numba's CUDA simulator over interpreted kernels."""
    code = """
import numpy as np
from cartomancer.content import load_preset
from cartomancer.maps.kernel.device import device_scan
from cartomancer.maps.packing import pack
from cartomancer.maps.searching import ScanSeeds
from cartomancer.maps.wishes import compile_wish
wishes = {"voyage": "max_path(elite) >= 3", "contract": "count(shop) >= 1", "guardian": "routes >= 4"}
for family, where in wishes.items():
    packed, wish = pack(load_preset(family)), compile_wish(where, family)
    device = device_scan(packed, wish.program, wish.wanted, block=2, blocks=2)(0, 12)
    assert np.array_equal(device, ScanSeeds(packed, wish).on_cpu((0, 12))()), family
print("equal")
"""
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "CARTOMANCER_KERNEL": "interpreted"}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert ran.stdout.strip() == "equal", ran.stderr
