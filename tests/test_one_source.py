"""One source, several ways to run: interpreted and compiled kernels give the same bits."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cartomancer.content import load_preset, preset_ids
from cartomancer.encounters.kernel.resolution import contest_roll
from cartomancer.jit import INTERPRETED, attribute_view, wrapping
from cartomancer.maps import families
from cartomancer.maps.graphs import draw_graph
from cartomancer.maps.unknowns import UnknownResolver
from cartomancer.rng import stream_start

ROOT = Path(__file__).parent.parent
SEEDS = [0, 1, 7, 42, 2**32 + 5, 2**64 - 1]
OVERRIDES = [{"rows": 3}, {"rows": 40, "columns": 9, "paths": 8}, {"rows": 4, "columns": 3, "paths": 8}]


def fingerprints() -> dict[str, str]:
    """A hash of every byte of graph and log, for every preset and some seeds."""
    found = {}
    cases = [(family, preset, None) for family in families.names() for preset in preset_ids(family)]
    cases += [("voyage", "spire", overrides) for overrides in OVERRIDES]
    for family, preset, overrides in cases:
        rules = load_preset(family, preset, overrides)
        for seed in SEEDS:
            drawn = draw_graph(rules, seed, logged=True)
            digest = hashlib.sha256(bytes(drawn.graph) + drawn.events.tobytes()).hexdigest()
            found[f"{family}:{preset}:{overrides}:{seed}"] = digest
    streams = np.array([stream_start(np.uint64(9), 0, 0)], np.uint64)
    with wrapping():
        found["contest"] = str([int(contest_roll(streams, 0, k % 3)) for k in range(300)])
    resolver = UnknownResolver(9)
    found["unknown"] = ",".join(resolver.visit().outcome for _ in range(300))
    return found


def test_interpreted_and_compiled_maps_are_bit_identical() -> None:
    assert not INTERPRETED, "this test compares the compiled kernels of this process with interpreted ones"
    environment = {**os.environ, "CARTOMANCER_KERNEL": "interpreted"}
    code = "import json; from tests.test_one_source import fingerprints; print(json.dumps(fingerprints()))"
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == fingerprints()


def test_interpreted_kernels_do_not_import_numba() -> None:
    environment = {**os.environ, "CARTOMANCER_KERNEL": "interpreted"}
    command = [sys.executable, "-c", "import sys, cartomancer.maps; print('numba' in sys.modules)"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_a_field_named_like_a_numpy_attribute_is_refused() -> None:
    with pytest.raises(TypeError, match="flags"):
        attribute_view(np.dtype([("flags", np.int8)]))
