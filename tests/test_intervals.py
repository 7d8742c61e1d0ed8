"""Intervals of means."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from cartomancer.intervals import mean_interval
from cartomancer.lab.measures.estimates import Estimate, mean
from cartomancer.lab.measures.evidence import paired_mean
from cartomancer.pages import numbers

BATCHES = 20_000  # one deviation of the coverage is 0.15 points


def test_a_mean_has_students_interval() -> None:
    """1, 1, 4, 4: mean 2.5, variance 9 / 3; t with 3 degrees of freedom is 3.182."""
    found, interval = mean_interval(10, 34, 4)
    assert found == 2.5
    assert interval == pytest.approx(stats.ttest_1samp([1, 1, 4, 4], 0).confidence_interval(0.95))


@pytest.mark.parametrize("count", [2, 3, 4, 5, 10, 30, 100, 300, 1_000])
def test_the_interval_of_a_mean_holds_the_truth_95_times_in_100(count: int) -> None:
    batches = BATCHES if count <= 100 else 5_000
    values = stats.norm(7.0, 2.0).rvs((batches, count), random_state=1)
    found = (mean_interval(*sums, count) for sums in zip(values.sum(1), (values**2).sum(1), strict=True))
    held = sum(low <= 7.0 <= high for _, (low, high) in found)  # type: ignore[misc]
    assert 100 * held / batches == pytest.approx(95, abs=1)


def test_one_value_has_no_interval() -> None:
    assert mean_interval(3, 9, 1) == (3.0, None)
    assert mean(np.array([3]), np.array([1])) == Estimate(3.0)
    assert paired_mean([3.0], [5.0]).interval is None
    assert numbers.mean(3.0, None, 2).words == "3.00 (–)"


def test_a_paired_mean_has_students_interval_of_its_differences() -> None:
    before, after = [1.0, 2.0, 3.0, 7.0], [2.0, 2.0, 5.0, 12.0]
    expected = stats.ttest_rel(after, before).confidence_interval(0.95)
    assert paired_mean(before, after).interval == pytest.approx(expected)
