"""What is at stake in decisions, reckoned by hand from studied ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cartomancer.jit import records
from cartomancer.lab.kernel.decisions import DECISION
from cartomancer.lab.measures.estimates import Estimate, share
from cartomancer.lab.measures.measure import Evidence
from cartomancer.lab.measures.registry import read_off
from cartomancer.lab.panel.decisions import decision_columns


def shown(*rows: dict[str, int]) -> dict[str, Estimate]:
    """The measures of some decisions, each of a run of its own."""
    found: Any = records(len(rows), DECISION)
    for k, row in enumerate(rows):
        for name, value in row.items():
            found[k][name] = value
    return read_off(Evidence.DECISIONS, decision_columns(found))


def test_a_run_with_more_decisions_counts_for_more_of_them() -> None:
    found = shown(
        {"side": 1, "decisions": 10, "lead": 31, "spread": 40, "regret": 0},
        {"side": 1, "decisions": 30, "lead": 30, "spread": 30, "regret": 20},
        {"side": 0, "decisions": 20, "lead": 500, "spread": 500, "regret": 100},
    )
    assert found["decision_spread.visitor"].value == pytest.approx(25)  # a lead of three points is not more than three
    assert found["decision_spread.dungeon"].value == pytest.approx(100)
    assert found["decision_spread"].value == pytest.approx(50)
    assert found["regret.visitor"].value == pytest.approx(1.5)  # points
    assert found["regret"].value == pytest.approx((30 * 2 + 20 * 10) / 60)
    error = np.sqrt((10 * (0 - 1.5)) ** 2 + (30 * (2 - 1.5)) ** 2) / 40
    ends = [1.5 - 1.959964 * error, 1.5 + 1.959964 * error]
    assert found["regret.visitor"].interval == pytest.approx(ends)


def test_nothing_matters_where_less_than_a_point_lies_between_best_and_worst() -> None:
    found = shown(
        *({"side": 0, "decisions": 5, "spread": spread} for spread in (9, 0, -3)),
        {"side": 0, "decisions": 5, "spread": 10},
    )
    assert found["decided_early.dungeon"].value == pytest.approx(75)
    assert found["decided_early.visitor"] == Estimate(None)


def test_a_run_without_a_decision_says_nothing() -> None:
    with_one = {"side": 0, "decisions": 5, "lead": 50, "spread": 90, "regret": 10}
    assert shown(with_one, {"decisions": 0}) == shown(with_one)


def test_a_share_that_no_run_differs_in_has_the_interval_of_so_many_runs() -> None:
    """And one in which runs differ, that of as many tries as have the error of the ratio."""
    same = share(np.array([3, 3]), np.array([3, 3]), np.array([4, 6]))
    assert (same.value, same.high) == pytest.approx((100, 100))
    assert same.low == pytest.approx(100 * 10 / (10 + 1.959964**2))
    mixed = share(np.array([1, 0]), np.array([1, 1]), np.array([5, 5]))
    assert mixed == share(np.array([2, 0]), np.array([2, 2]), np.array([5, 5]))
    assert mixed.interval == pytest.approx([23.66, 76.34], abs=0.01)  # Wilson's of 5 in 10
