"""`import cartomancer as cm`: quick, lazy, complete, and documented."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import cartomancer as cm
from cartomancer.lazy import offered

PACKAGES = tuple(
    f"cartomancer{part}" for part in ("", ".backends", ".content", ".maps", ".encounters", ".players", ".lab")
)
WANTED = (
    *("generate_map", "read_map", "check", "Encounter", "Player", "simulate", "quality", "matrix", "tune"),
    "search_maps",
)
TIMED = """
import sys, time
before = time.perf_counter()
import cartomancer
print(time.perf_counter() - before, *(name for name in ("numpy", "numba", "pydantic", "duckdb") if name in sys.modules))
"""


def test_importing_takes_no_time_and_loads_nothing() -> None:
    runs = [
        subprocess.run([sys.executable, "-c", TIMED], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(3)
    ]
    assert [loaded for _, *loaded in runs] == [[], [], []]
    assert min(float(seconds) for seconds, *_ in runs) < 0.15


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_of_a_stub_is_there_and_says_what_it_is(package: str) -> None:
    module = import_module(package)
    names = offered(Path(str(module.__file__)).with_suffix(".pyi"))
    assert sorted(names) == dir(module)
    assert not set(names) & {one.name for one in iter_modules(module.__path__)}  # a module once loaded hides the name
    for name in names:
        found = getattr(module, name)
        assert not callable(found) or found.__doc__, name


def test_the_names_people_look_for_are_offered() -> None:
    assert set(WANTED) <= set(dir(cm))


def test_an_unknown_name_is_refused_by_its_name() -> None:
    with pytest.raises(AttributeError, match="module 'cartomancer' has no attribute 'Dragon'"):
        _ = cm.Dragon  # type: ignore[attr-defined]


def test_everything_can_be_imported_at_once() -> None:
    code = "from cartomancer import *; print(Player, generate_map)"
    assert "Player" in subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
