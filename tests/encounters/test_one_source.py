"""One source: interpreted and compiled encounters agree bit by bit, after every decision of thousands of games."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import timeit
from pathlib import Path

import numpy as np
import pytest

from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel.layout import STATE
from cartomancer.jit import is_compiled
from tests.encounters.traces import packed_case, trace, traces

ROOT = Path(__file__).parent.parent.parent
CHUNK = 250


def interpreted(first: int, count: int) -> list[str]:
    """The same games in a process whose kernels run interpreted."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    code = f"import json; from tests.encounters.traces import traces; print(json.dumps(traces({first}, {count})))"
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    found: list[str] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize("first", range(0, 2000, CHUNK))
def test_interpreted_and_compiled_games_agree_after_every_decision(first: int) -> None:
    assert is_compiled(), "this test compares the compiled kernels of this process with interpreted ones"
    assert interpreted(first, CHUNK) == traces(first, CHUNK)


@pytest.mark.parametrize("chunk", range(20))
def test_random_games_over_random_content_end(chunk: int) -> None:
    for number in range(10_000 + 200 * chunk, 10_000 + 200 * chunk + 200):
        assert trace(packed_case(number), number)


SIGNATURES = """
import importlib, json, pathlib
from cartomancer.encounters import Encounter, random_playouts
from cartomancer.encounters.kernel import protocol
from cartomancer.jit import Kernel

random_playouts("boar", 1)
Encounter("boar").legal()
twice = {}
for path in sorted(pathlib.Path(protocol.__file__).parent.glob("*.py")):
    if path.stem in {"__init__", "device"}:
        continue
    module = importlib.import_module(f"cartomancer.encounters.kernel.{path.stem}")
    for name, function in vars(module).items():
        if isinstance(function, Kernel) and function.__module__ == module.__name__:
            found = {tuple(map(str, signature)) for signature in function.compiled.signatures}
            silent = {signature for signature in found if "none" in signature}
            if max(len(silent), len(found - silent)) > 1:
                twice[f"{path.stem}.{name}"] = [signature[-3:] for signature in found]
print(json.dumps(twice))
"""


@pytest.mark.slow
def test_every_kernel_function_is_compiled_for_one_signature(tmp_path: Path) -> None:
    """A second signature is a second compilation: numbers passed between kernels are all 64-bit.

    With a log and without one are two, by design. A cold cache, because functions loaded from it show no signatures.
    """
    environment = {**os.environ, "CARTOMANCER_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", SIGNATURES]
    ran = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == {}


def test_the_state_is_small_and_copied_within_a_microsecond() -> None:
    assert STATE.itemsize < 2048
    state = Encounter("standard-company", 1).state
    array = np.zeros(1, STATE)
    target, source = array.view(np.uint8), np.frombuffer(state.tobytes(), np.uint8)
    fastest = min(timeit.repeat(lambda: np.copyto(target, source), number=1000, repeat=50))
    assert fastest / 1000 < 1e-6


def test_a_copy_goes_on_by_itself() -> None:
    first = Encounter("boar", 3).play(["keep", "keep"])
    twin = first.copy()
    twin.apply(twin.legal()[-1])
    assert len(first.actions) == 2
    assert first.state_hash() != twin.state_hash()
    first.apply(first.legal()[-1])
    assert first.state_hash() == twin.state_hash()
