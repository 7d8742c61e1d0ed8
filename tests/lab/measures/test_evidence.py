"""P values against hand-made counts and against SciPy's own tests; the correction keeps its promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from cartomancer.lab.measures import evidence


def test_q_values_by_hand() -> None:
    """Three questions: the factor is 3 · (1 + 1/2 + 1/3) = 5.5; the largest p is divided by 3, the middle one by 2."""
    assert evidence.false_discovery([0.03, 0.001, 0.4]) == pytest.approx([0.0825, 0.0055, 2.2 / 3])


def test_q_values_agree_with_scipy_and_never_pass_one() -> None:
    p = (np.arange(1, 41) / 41.0) ** 3
    assert evidence.false_discovery(p) == pytest.approx(list(stats.false_discovery_control(p, method="by")))
    assert max(evidence.false_discovery([0.9, 0.99, 1.0])) == 1.0
    assert evidence.false_discovery([]) == []


def test_a_rate_beyond_its_bound_by_hand() -> None:
    """Two heads of two with a fair coin: 1/4; no hit is never surprising."""
    assert evidence.rate_beyond(2, 2, 0.5) == pytest.approx(0.25)
    assert evidence.rate_beyond(0, 10, 0.5) == 1.0
    assert evidence.rate_beyond(0, 0, 0.5) == 1.0


def test_a_rate_beyond_its_bound_is_the_binomial_tail() -> None:
    hits, tries = np.array([1, 80, 95, 100]), np.array([1, 100, 100, 100])
    wanted = [
        stats.binomtest(int(k), int(n), 0.8, alternative="greater").pvalue for k, n in zip(hits, tries, strict=True)
    ]
    assert list(evidence.rate_beyond(hits, tries, 0.8)) == pytest.approx(wanted)


def test_no_hit_by_chance_by_hand() -> None:
    """Two hits among four runs, ours are two of them: of the six ways to place the hits one leaves ours empty."""
    assert evidence.none_by_chance([2], [2], [2]) == pytest.approx(1 / 6)
    assert evidence.none_by_chance([2, 2], [2, 2], [2, 2]) == pytest.approx(1 / 36)
    assert evidence.none_by_chance([50], [0], [50]) == 1.0


def test_no_hit_by_chance_is_fishers_test() -> None:
    wanted = stats.fisher_exact([[0, 40], [7, 73]], alternative="less").pvalue
    assert evidence.none_by_chance([40], [7], [80]) == pytest.approx(wanted)


def test_a_mean_below_its_bound_by_hand() -> None:
    """100 runs, half with 0 and half with 1 lead change: scatter around 1 is 0.5, so z = 0.5 · √(100 / 0.5)."""
    assert evidence.mean_below(50, 50, 100, 1.0) == pytest.approx(stats.norm.sf(0.5 * math.sqrt(200)))
    assert evidence.mean_below(100, 100, 100, 1.0) == 1.0
    assert evidence.mean_below(150, 400, 100, 1.0) == 1.0


def test_a_mean_without_any_scatter_is_not_certain() -> None:
    """Nine runs without a lead change: z = √9."""
    assert evidence.mean_below(0, 0, 9, 1.0) == pytest.approx(stats.norm.sf(3))


def test_a_paired_rate_counts_only_runs_that_changed() -> None:
    """Six of ten runs stay, four turn from loss to win: p = 2 · (1/2)⁴."""
    before = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0], bool)
    after = before | (np.arange(10) >= 6)
    found = evidence.paired_rate(before, after)
    assert (found.before, found.after, found.difference) == (0.3, 0.7, 0.4)
    assert found.p == pytest.approx(0.125)
    assert found.interval[0] < 0.4 < found.interval[1]
    same = evidence.paired_rate(before, before)
    assert (same.difference, same.p) == (0.0, 1.0)
    assert same.interval[0] < 0 < same.interval[1]


def test_a_paired_mean_by_hand() -> None:
    """Differences 2, 0, 0, 0: mean 0.5, scatter around zero 1, z = 0.5 · √4; a common shift has its z too."""
    found = evidence.paired_mean([1, 1, 1, 1], [3, 1, 1, 1])
    assert (found.before, found.after, found.difference) == (1.0, 1.5, 0.5)
    assert found.p == pytest.approx(2 * stats.norm.sf(1))
    assert evidence.paired_mean([1] * 25, [2] * 25).p == pytest.approx(2 * stats.norm.sf(5))
    assert evidence.paired_mean([1, 2], [1, 2]).p == 1.0
