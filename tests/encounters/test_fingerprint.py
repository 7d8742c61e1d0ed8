"""The fingerprint that CPU and GPU compute alike: no field of a state escapes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel.fingerprint import state_hash
from cartomancer.encounters.kernel.layout import STATE
from cartomancer.jit import records, wrapping

PILES = ("hand", "draw", "discard", "traps")


def places(dtype: np.dtype[Any], path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every number of a record, padding left out."""
    if dtype.names is not None and dtype.fields is not None:
        for name in dtype.names:
            if name != "spare":
                yield from places(dtype.fields[name][0], (*path, name))
    elif dtype.subdtype is not None:
        base, shape = dtype.subdtype
        for index in np.ndindex(shape):
            yield from places(base, (*path, index))
    else:
        yield path


def changed(path: tuple[Any, ...]) -> tuple[int, int]:
    """The fingerprints of a state and of one that differs in one number."""
    twin = records(2, STATE)
    twin[0] = Encounter("standard-company", 3).state
    for side in range(2):  # piles are hashed as far as they reach: let all reach far
        for name in PILES[:3]:
            twin[0]["sides"][side][f"{name}_size"] = STATE["sides"].base[name].shape[0]
        twin[0]["sides"][side]["trap_count"] = STATE["sides"].base["traps"].shape[0]
    twin[1] = twin[0]
    inner = twin[1]
    for step in path[:-1]:
        inner = inner[step]
    shorter = str(path[-1]).endswith("_size") or path[-1] == "trap_count"
    inner[path[-1]] += -1 if shorter else 1
    with wrapping():
        return int(state_hash(twin[0])), int(state_hash(twin[1]))


@pytest.mark.parametrize("field", STATE.names)
def test_every_number_of_a_state_changes_its_fingerprint(field: str) -> None:
    found = [path for path in places(STATE) if path[0] == field]
    assert found or field == "spare"
    blind = [path for path in found if len(set(changed(path))) == 1]
    assert not blind
