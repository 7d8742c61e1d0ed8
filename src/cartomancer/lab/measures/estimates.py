"""Rates, means and entropies of counted values, each with its 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cartomancer.intervals import Z95, Rate, mean_interval, wilson

Array = np.ndarray[Any, Any]
Counts = Mapping[str, Array]  # columns of equal length; `runs` says how often each row occurred


@dataclass(frozen=True)
class Estimate:
    """A measured value with its 95 % interval; none where there was nothing to measure."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def interval(self) -> list[float] | None:
        """Both ends, where there is a value."""
        return None if self.low is None or self.high is None else [self.low, self.high]

    @property
    def error(self) -> float:
        """The standard error that the interval stands for."""
        return 0.0 if self.low is None or self.high is None else (self.high - self.low) / (2 * Z95)

    def times(self, factor: float) -> Estimate:
        """The same in another unit."""
        return Estimate(*(None if one is None else one * factor for one in (self.value, self.low, self.high)))

    def not_below_zero(self) -> Estimate:
        """The same with an interval that ends where its quantity does."""
        return self if self.low is None else Estimate(self.value, max(self.low, 0.0), self.high)


def percent(rate: Rate) -> Estimate:
    """A rate in percents; of no tries, nothing."""
    if not rate.tries:
        return Estimate(None)
    low, high = rate.interval
    return Estimate(100 * rate.hits / rate.tries, 100 * low, 100 * high)


def mean(values: Array, runs: Array) -> Estimate:
    """The mean of values that occurred so often."""
    count = int(runs.sum())
    if not count:
        return Estimate(None)
    total, squares = float((values * runs).sum()), float((values.astype(np.float64) ** 2 * runs).sum())
    value, (low, high) = mean_interval(total, squares, count)
    return Estimate(value, low, high)


def tally(values: Array, runs: Array, size: int) -> list[int]:
    """How often each of the values 0, 1, … below the size occurred."""
    found = np.zeros(size, np.int64)
    np.add.at(found, values, runs)
    return [int(count) for count in found]


def entropy(counts: Sequence[int], values: int | None = None) -> Estimate:
    """The Shannon entropy in bits of a distribution that was counted; there could be so many values, those that were
    counted or more.

    The interval is the delta method's: the variance of −log2 p over the runs, by the number of runs. That variance is 0
    where only one value occurred; its interval then goes up to the entropy of a second value that is as common as
    the Wilson interval of its absence allows.

    >>> found = entropy([90, 10])
    >>> [round(end, 3) for end in (entropy([50, 50]).value, found.low, found.high)]
    [1.0, 0.283, 0.655]
    """
    total, most = sum(counts), math.log2(values or len(counts))
    shares = [count / total for count in counts if count]
    if not shares:
        return Estimate(None)
    if len(shares) == 1:
        return Estimate(0.0, 0.0, min(most, _two_values(wilson(0, total)[1])))
    bits = -sum(p * math.log2(p) for p in shares)
    variance = max(sum(p * math.log2(p) ** 2 for p in shares) - bits * bits, 0.0) / total
    half = Z95 * math.sqrt(variance)
    return Estimate(bits, max(0.0, bits - half), min(most, bits + half))


def _two_values(p: float) -> float:
    """The largest entropy of two values of which one is no more common than this."""
    p = min(p, 0.5)
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def evenness(counts: Sequence[int]) -> Estimate:
    """The entropy as a share of the most there can be: 0 if one value takes all, 1 if all are alike."""
    return entropy(counts).times(1 / math.log2(len(counts)))
