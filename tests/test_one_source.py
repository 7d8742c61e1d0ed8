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
from cartomancer.jit import attribute_view, is_compiled, wrapping
from cartomancer.maps import families
from cartomancer.maps.graphs import draw_graph
from cartomancer.maps.unknowns import UnknownResolver
from cartomancer.rng import below, draw64, stream_start

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
    assert is_compiled(), "this test compares the compiled kernels of this process with interpreted ones"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    code = "import json; from tests.test_one_source import fingerprints; print(json.dumps(fingerprints()))"
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == fingerprints()


def test_a_process_begins_without_numba_and_compiles_from_its_first_batch_on() -> None:
    code = """
import sys
from cartomancer.encounters import Encounter
from cartomancer import maps
fight = Encounter("boar", seed=42).play(["keep", "keep"])
maps.generate("voyage", seed=7)
before = "numba" in sys.modules, fight.legal()
from cartomancer.jit import is_compiled
from cartomancer.players.simulation import simulate
simulate("boar", 2)
assert is_compiled() and "numba" in sys.modules
again = Encounter("boar", seed=42).play(["keep", "keep"])
assert fight.state.tobytes() == again.state.tobytes()
print(before[0], before[1] == fight.legal() == again.legal(), fight.apply("end")[0] == again.apply("end")[0])
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "True", "True"]


def test_what_compiles_in_the_background_is_used_when_it_is_ready() -> None:
    code = """
import threading
import numpy as np
from cartomancer import jit
from cartomancer.rng import scramble

go, seen = threading.Event(), []
def warm_up():
    seen.append(jit.is_compiled())
    go.wait()
    scramble(np.uint64(7))
thread = jit.compile_in_background(warm_up)
seen.append(jit.is_compiled())
go.set()
thread.join()
print(sorted(seen), jit.is_compiled(), jit.compile_in_background(warm_up))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[False, True] True None"


@pytest.mark.parametrize("way", ["interpreted", "compiled"])
def test_a_kernel_has_one_copy_for_each_way(way: str) -> None:
    """A second one would be compiled a second time."""
    assert below.copy(way) is getattr(below, way)
    names = getattr(below.copy(way), "py_func", below.copy(way)).__globals__
    assert names["below"] is getattr(below, way)
    assert names["draw64"] is getattr(draw64, way)


def test_numba_can_be_told_not_to_compile() -> None:
    code = "import sys; from cartomancer.players import simulation as s; s.simulate('boar', 2); print(*sys.modules)"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "numba" not in ran.stdout.split()


def test_a_field_named_like_a_numpy_attribute_is_refused() -> None:
    with pytest.raises(TypeError, match="flags"):
        attribute_view(np.dtype([("flags", np.int8)]))
