"""Random runs in bulk: how fast the engine is, and whether two machines agree.

>>> len(random_playouts("boar", 3).outcomes)
3
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cartomancer.encounters import names
from cartomancer.encounters.kernel.batch import random_runs
from cartomancer.encounters.kernel.layout import MOST_OPTIONS, STATE, TABLES
from cartomancer.encounters.packing import Packed, pack
from cartomancer.jit import prefer_compiled, records, wrapping


@dataclass(frozen=True)
class Playouts:
    """Random runs from consecutive seeds."""

    hashes: np.ndarray[Any, np.dtype[np.uint64]]  # of the final states
    outcome_codes: np.ndarray[Any, np.dtype[np.int8]]
    choices: np.ndarray[Any, np.dtype[np.int32]]  # stops with more than one option

    @property
    def outcomes(self) -> list[str]:
        """How each run ended."""
        return [names.OUTCOMES[int(code)] for code in self.outcome_codes]


def random_playouts(scenario: str | Packed, count: int, first_seed: int = 0) -> Playouts:
    """Play `count` runs on this thread, both sides choosing at random among their legal actions."""
    prefer_compiled()
    packed = scenario if isinstance(scenario, Packed) else pack(scenario)
    tables = records(1, TABLES)
    tables[0] = packed.tables
    found = Playouts(np.zeros(count, np.uint64), np.zeros(count, np.int8), np.zeros(count, np.int32))
    memory = (records(1, STATE), records(1, STATE), np.zeros(MOST_OPTIONS, np.int16))
    with wrapping():
        random_runs(tables, *memory, np.uint64(first_seed), found.hashes, found.outcome_codes, found.choices)
    return found
