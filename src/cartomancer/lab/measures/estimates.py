"""Rates, means and entropies of counted values, each with its 95 % interval."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cartomancer.encounters import names
from cartomancer.encounters.encounter import winner_of
from cartomancer.intervals import Z95, mean_interval, wilson
from cartomancer.lab.measures.run_table import Counts

Facts = dict[str, Any]
Array = np.ndarray[Any, Any]


def mean(values: Array, runs: Array) -> tuple[float, list[float]]:
    """The mean of values that occurred so often, none of them negative, and its interval."""
    total, squares = float((values * runs).sum()), float((values.astype(np.float64) ** 2 * runs).sum())
    value, (low, high) = mean_interval(total, squares, int(runs.sum()))
    return value, [max(low, 0.0), high]


def tally(values: Array, runs: Array, size: int) -> list[int]:
    """How often each of the values 0, 1, … below the size occurred."""
    found = np.zeros(size, np.int64)
    np.add.at(found, values, runs)
    return [int(count) for count in found]


def entropy(counts: list[int], values: int | None = None) -> tuple[float, list[float]]:
    """The Shannon entropy in bits of a distribution that was counted, and its interval; there could be so many values,
    those that were counted or more.

    The interval is the delta method's: the variance of −log2 p over the runs, by the number of runs. That variance is 0
    where only one value occurred; its interval then goes up to the entropy of a second value that is as common as
    the Wilson interval of its absence allows.

    >>> [round(end, 3) for end in (entropy([50, 50])[0], *entropy([90, 10])[1])]
    [1.0, 0.283, 0.655]
    """
    total, most = sum(counts), math.log2(values or len(counts))
    shares = [count / total for count in counts if count]
    if len(shares) == 1:
        return 0.0, [0.0, min(most, _two_values(wilson(0, total)[1]))]
    bits = -sum(p * math.log2(p) for p in shares)
    variance = max(sum(p * math.log2(p) ** 2 for p in shares) - bits * bits, 0.0) / total
    half = Z95 * math.sqrt(variance)
    return bits, [max(0.0, bits - half), min(most, bits + half)]


def _two_values(p: float) -> float:
    """The largest entropy of two values of which one is no more common than this."""
    p = min(p, 0.5)
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def scaled(pair: tuple[float, list[float]], factor: float) -> tuple[float, list[float]]:
    """A value and its interval, both times a factor."""
    value, interval = pair
    return value * factor, [end * factor for end in interval]


def outcome_counts(counts: Counts, column: str = "outcome") -> dict[str, int]:
    """How often each of the eight outcomes occurred."""
    found = tally(counts[column], counts["runs"], len(names.OUTCOMES))
    return {name: found[code] for code, name in enumerate(names.OUTCOMES) if name != "undecided"}


def wins(counts: Counts) -> dict[str, int]:
    """How many of these runs each side won alone, and how many both by a Bond (E17)."""
    found = {"dungeon": 0, "visitor": 0, "both": 0}
    for outcome, count in outcome_counts(counts).items():
        found[winner_of(outcome)] += count
    return found
