"""What tests of metrics share: runs written by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cartomancer.encounters import names
from cartomancer.lab.columns import COLUMNS, LOSERS, NOTHING
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.run_table import RunTable

HandMade = Callable[..., RunTable]
QUIET = {"fled", "knockouts", "betrayals", "fallen", "lead_changes", "trust_peak", "margin"}  # 0 unless said


def row_of(said: dict[str, Any]) -> dict[str, int]:
    """A run of which only some things are said; outcomes may be words."""
    given = {name: names.OUTCOMES.index(value) if name.startswith("outcome") else value for name, value in said.items()}
    row = {name: 0 if name in QUIET else NOTHING for name in COLUMNS} | {"rooms": 1, "rounds": 10, "decisions": 40}
    row |= given
    return row | {"loser": int(LOSERS[row["outcome"]])}


@pytest.fixture
def hand_made() -> HandMade:
    """A table of runs, each written as (how often, what is said of it)."""

    def table(
        *runs: tuple[int, dict[str, Any]],
        rooms: tuple[str, ...] = ("cellar",),
        members: tuple[str, ...] = ("boar",),
        is_straight: bool = True,
    ) -> RunTable:
        rows = [row_of(said) for times, said in runs for _ in range(times)]
        columns = {name: np.array([row[name] for row in rows], np.int16) for name in COLUMNS}
        columns["run"] = np.arange(len(rows), dtype=np.uint64)
        context = ScenarioContext(
            rooms, members, scenario="by-hand", is_party=len(members) > 1, is_straight=is_straight
        )
        return RunTable.of_columns(columns, context)

    return table
