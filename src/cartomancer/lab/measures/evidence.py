"""What chance alone would do: p values of counts and means, paired changes, and the correction for many questions.

>>> [round(q, 4) for q in false_discovery([0.001, 0.4, 0.03])]
[0.0055, 0.7333, 0.0825]

All p values are one-sided where a bound is crossed and two-sided where something moved. Counts are judged exactly,
means by the normal approximation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy import special

from cartomancer.intervals import Z95, mean_interval

Numbers = Any  # a NumPy array, or anything it can be made of
FALSE_DISCOVERIES: Final = 0.05  # the share of findings that may be false, on average


def false_discovery(p_values: Sequence[float] | Numbers) -> list[float]:
    """Benjamini–Yekutieli q values: reporting all with q ≤ 5 % makes on average at most 5 % false reports.

    Benjamini–Hochberg is the sharper rule but wants independent or positively dependent questions, and ours are
    neither: the cells of a matrix share their seeds, one outcome grows at another's cost, a member who falls first
    keeps another from it, a card that is played keeps another in hand. Benjamini–Yekutieli holds under any dependence;
    the price is a factor of 1 + 1/2 + … + 1/m.
    """
    p = np.asarray(p_values, np.float64)
    if not len(p):
        return []
    count, order = len(p), np.argsort(p, kind="stable")
    factor = count * (1.0 / np.arange(1, count + 1)).sum()
    steps = p[order] * factor / np.arange(1, count + 1)
    q = np.empty(count)
    q[order] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1.0)
    return [float(value) for value in q]


def rate_beyond(hits: Numbers, tries: Numbers, share: float) -> Numbers:
    """How likely so many hits or more are if the true rate is at most `share`: the exact binomial tail."""
    k, n = np.asarray(hits, np.float64), np.asarray(tries, np.float64)
    tail = special.betainc(np.maximum(k, 1), np.maximum(n - k + 1, 1), share)
    return np.where(k > 0, tail, 1.0)


def none_by_chance(tries: Numbers, others_hits: Numbers, others_tries: Numbers, less: float = 1.0) -> float:
    """How likely no hit at all is in `tries`, given the hits of the others, if everybody's rate is the same.

    Stratum by stratum (a party is one), all hits must fall to the others: C(N, K) / C(N + n, K). It is Fisher's exact
    test where the count is zero. Strata that are not independent tell `less` times as little.
    """
    n, hits, others = (np.asarray(values, np.float64) for values in (tries, others_hits, others_tries))
    chosen = special.gammaln(others + 1) - special.gammaln(others - hits + 1)
    possible = special.gammaln(others + n + 1) - special.gammaln(others + n - hits + 1)
    return float(np.exp(np.minimum((chosen - possible).sum() / less, 0.0)))


def mean_below(total: Numbers, squares: Numbers, count: Numbers, bound: float) -> Numbers:
    """How likely a mean so far below `bound` is if the true mean is not below it.

    The scatter is taken around the bound, not around the mean found (a score test): cells where every run gave the same
    number have no scatter of their own and would otherwise be judged with certainty.
    """
    n = np.asarray(count, np.float64)
    mean = np.asarray(total, np.float64) / n
    around = np.asarray(squares, np.float64) / n - 2 * bound * mean + bound * bound
    missing = np.maximum(bound - mean, 0.0)
    z = np.where(missing > 0, missing * np.sqrt(n / np.maximum(around, 1e-12)), 0.0)
    return np.where(missing > 0, special.ndtr(-z), 1.0)


@dataclass(frozen=True)
class Change:
    """A number before and after on the same seeds, how much it moved, and how likely chance moves it as far."""

    before: float
    after: float
    difference: float
    interval: tuple[float, float] | None  # none of the mean of a single run
    p: float


def paired_rate(before: Numbers, after: Numbers) -> Change:
    """A rate on the same seeds: only runs that changed sides tell (McNemar's exact test).

    The interval is Agresti and Min's: half a run is added to every one of the four counts, so that a rate that did not
    move has an interval too.
    """
    was, now = np.asarray(before, bool), np.asarray(after, bool)
    count = len(was)
    gained, lost = int((now & ~was).sum()), int((was & ~now).sum())
    changed = gained + lost
    p = min(1.0, 2.0 * float(special.bdtr(min(gained, lost), changed, 0.5))) if changed else 1.0
    n, up, down = count + 2.0, gained + 0.5, lost + 0.5
    middle = (up - down) / n
    half = Z95 * math.sqrt(max(up + down - (up - down) ** 2 / n, 0.0)) / n
    interval = max(-1.0, middle - half), min(1.0, middle + half)
    return Change(float(was.mean()), float(now.mean()), (gained - lost) / count, interval, p)


def paired_mean(before: Numbers, after: Numbers) -> Change:
    """A mean on the same seeds, from the differences run by run; the scatter is taken around no change, as above."""
    was, now = np.asarray(before, np.float64), np.asarray(after, np.float64)
    count, moved = len(was), now - was
    mean = float(moved.mean())
    around = float((moved * moved).mean())
    p = float(2.0 * special.ndtr(-abs(mean) * math.sqrt(count / around))) if around else 1.0
    _, interval = mean_interval(0.0, float(((moved - mean) ** 2).sum()), count)
    ends = (mean + interval[0], mean + interval[1]) if interval else None
    return Change(float(was.mean()), float(now.mean()), mean, ends, p)
