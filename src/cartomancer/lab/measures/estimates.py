"""Rates, means and entropies of counted values, each with its 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy import special

from cartomancer.intervals import Z95, Rate, mean_interval

Array = np.ndarray[Any, Any]
TAIL: Final = 0.025  # beyond each end of an interval
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


def difference(one: Estimate, other: Estimate) -> Estimate:
    """One less the other, of independent batches: the distances of both intervals' ends are squared and added.

    >>> difference(Estimate(50.0, 47.0, 53.0), Estimate(40.0, 36.0, 44.0))
    Estimate(value=10.0, low=5.0, high=15.0)
    """
    if one.value is None or other.value is None:
        return Estimate(None)
    value = one.value - other.value
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Estimate(value)
    down = math.hypot(one.value - one.low, other.high - other.value)
    up = math.hypot(one.high - one.value, other.value - other.low)
    return Estimate(value, value - down, value + up)


def mean(values: Array, runs: Array) -> Estimate:
    """The mean of values that occurred so often."""
    count = int(runs.sum())
    if not count:
        return Estimate(None)
    total, squares = float((values * runs).sum()), float((values.astype(np.float64) ** 2 * runs).sum())
    value, interval = mean_interval(total, squares, count)
    return Estimate(value, *(interval or (None, None)))


def ratio(parts: Array, wholes: Array, runs: Array) -> Estimate:
    """So much of one thing for each of another, both added over runs that occurred so often; runs differ as they will,
    and one that has more of the other counts for more (the delta method)."""
    value, error = _ratio(parts, wholes, runs)
    if value is None or int(runs[wholes > 0].sum()) < 2:
        return Estimate(value)
    return Estimate(value, value - Z95 * error, value + Z95 * error)


def share(parts: Array, wholes: Array, runs: Array) -> Estimate:
    """The same in percents, where one thing is part of the other: Wilson's interval of as many tries as would have the
    same error; where no run differs from another, as many as there are runs, each counted by its whole.

    >>> found = share(np.array([0, 0]), np.array([3, 3]), np.array([10, 10]))
    >>> [round(end, 1) for end in (found.value, found.low, found.high)]
    [0.0, 0.0, 16.1]
    """
    value, error = _ratio(parts, wholes, runs)
    if value is None:
        return Estimate(None)
    whole = wholes.astype(np.float64)
    tries = value * (1 - value) / error**2 if error else float((whole * runs).sum() ** 2 / (whole**2 * runs).sum())
    return percent(Rate(value * tries, tries))


def _ratio(parts: Array, wholes: Array, runs: Array) -> tuple[float | None, float]:
    """The ratio and its standard error."""
    total = float((wholes * runs).sum())
    if not total:
        return None, 0.0
    value = float((parts * runs).sum()) / total
    return value, math.sqrt(float((runs * (parts - value * wholes) ** 2).sum())) / total


def tally(values: Array, runs: Array, size: int) -> list[int]:
    """How often each of the values 0, 1, … below the size occurred."""
    found = np.zeros(size, np.int64)
    np.add.at(found, values, runs)
    return [int(count) for count in found]


def bits(counts: Sequence[int]) -> float | None:
    """The Shannon entropy in bits of a distribution that was counted; of no counts, nothing."""
    total = sum(counts)
    return 0.0 - sum(n / total * math.log2(n / total) for n in counts if n) if total else None


def entropy(counts: Sequence[int], values: int | None = None) -> Estimate:
    """The Shannon entropy in bits with its interval; there could be so many values, those that were counted or more.

    >>> found = entropy([90, 10])
    >>> [round(end, 3) for end in (entropy([50, 50]).value, found.low, found.high)]
    [1.0, 0.3, 0.664]
    """
    value = bits(counts)
    if value is None:
        return Estimate(None)
    low, high = entropy_interval(np.array(counts), values or len(counts))
    return Estimate(value, min(value, float(low)), max(value, float(high)))


def entropy_interval(counts: Array, values: int) -> tuple[Array, Array]:
    """The 95 % interval of the entropy in bits, of counts along the last axis (ruling L3).

    Counts are taken for independent, each with Jeffreys' interval of a Poisson mean. How far the entropy goes up or
    down while one of them moves within its interval is the distance that this count adds; distances are squared and
    added (Newcombe's way, as for differences of rates). So the interval is as lopsided as rare values make it, and has
    a width where all shares are alike. Where a value may have been missed, one count of 0 is among those that may grow,
    up to its exact limit. The middle is moved by what the entropy of a sample falls short of the truth on average,
    (m − 1) / 2n nats for m values that occurred (Miller and Madow); the variance of that, 2 (m − 1) / (2n)², is added.
    """
    c = np.concatenate([counts, np.zeros((*counts.shape[:-1], 1))], axis=-1)  # the last is a value that was missed
    n, seen = c.sum(-1), c > 0
    excess = seen.sum(-1) - 1
    weights = special.xlogy(c, c)  # the entropy in nats is log n − Σ weights / n
    others, weight_of_others = n[..., None] - c, weights.sum(-1, keepdims=True) - weights
    found = np.log(n) - weights.sum(-1) / n

    def gained(count: Array) -> Array:
        """By how much the entropy is larger where one count is another, the others as they are."""
        total = others + count
        return np.asarray(np.log(total) - (weight_of_others + special.xlogy(count, count)) / total - found[..., None])

    least, most = (special.gammaincinv(c + 0.5, tail) for tail in (TAIL, 1 - TAIL))
    most = np.where(seen, most, -math.log(TAIL))
    best = np.exp(weight_of_others / np.maximum(others, 1))  # with this count, the entropy is largest
    up, down = gained(np.clip(best, least, most)), np.minimum(gained(least), gained(most))
    may_grow = seen.copy()
    may_grow[..., -1] = excess + 1 < values
    middle, wobble = found + excess / (2 * n), Z95**2 * excess / (2 * n * n)
    low = middle - np.sqrt((np.where(seen, np.minimum(down, 0), 0) ** 2).sum(-1) + wobble)
    high = middle + np.sqrt((np.where(may_grow, np.maximum(up, 0), 0) ** 2).sum(-1) + wobble)
    limit = math.log(values)
    return np.clip(low, 0, limit) / math.log(2), np.clip(high, 0, limit) / math.log(2)


def evenness(counts: Sequence[int]) -> Estimate:
    """The entropy as a share of the most there can be: 0 if one value takes all, 1 if all are alike."""
    return entropy(counts).times(1 / math.log2(len(counts)))
