"""Bounds of many rates at once for peeking; `intervals.wilson_bounds` is for a number of games fixed beforehand.

A *confidence sequence* is an interval for every number of games that holds for all of them together: with probability
95 % the true rate is in the interval after every game, however often one looks and whenever one stops. So a matrix may
stop playing a cell as soon as its verdict is clear, and the verdict is as honest as a planned one.

The sequence used is the Beta mixture of Robbins (1970), with Ville's inequality. After n games with s points, for a
true rate p,

    M(p) = B(a + s, b + n − s) / (B(a, b) · p^s · (1 − p)^(n − s))

is the mean likelihood ratio over rates drawn from Beta(a, b). It starts at 1 and, if p is the true rate, it never rises
on average; so it ever reaches 1/α with probability at most α. The interval is every p with M(p) < 1/α. Points may be
halves: for x in [0, 1] the ratio (q/p)^x · ((1 − q)/(1 − p))^(1 − x) is convex in x, so its mean is at most that of a
coin with the same rate, and the inequality holds all the same.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from cartomancer.intervals import ERROR, Numbers

PRIOR: Final = 0.5  # Beta(½, ½): Jeffreys
STEPS: Final = 50  # of bisection: bounds to 15 digits


def log_mixture(points: Numbers, games: Numbers, rate: Numbers) -> Numbers:
    """The logarithm of M(p) above."""
    return _log_mean(points, games) - _log_likelihood(points, games, rate)


def _log_mean(points: Numbers, games: Numbers) -> Numbers:
    """The logarithm of the mean likelihood over the rates that are mixed."""
    from scipy.special import betaln

    return np.asarray(betaln(PRIOR + points, PRIOR + games - points) - betaln(PRIOR, PRIOR))


def _log_likelihood(points: Numbers, games: Numbers, rate: Numbers) -> Numbers:
    from scipy.special import xlog1py, xlogy

    return np.asarray(xlogy(points, rate) + xlog1py(games - points, -rate))


def sequence_bounds(points: Numbers, games: Numbers, error: float = ERROR) -> tuple[Numbers, Numbers]:
    """The confidence sequence's interval of every rate: valid at all times together."""
    wins, tries = np.asarray(points, float), np.asarray(games, float)
    least, rate = _log_mean(wins, tries) + np.log(error), wins / np.maximum(tries, 1)
    found = []
    for end in (0.0, 1.0):
        outside, inside = np.full(rate.shape, end), rate.copy()
        for _ in range(STEPS):
            middle = (outside + inside) / 2
            beyond = _log_likelihood(wins, tries, middle) <= least  # M(p) ≥ 1/α
            outside, inside = np.where(beyond, middle, outside), np.where(beyond, inside, middle)
        found.append(np.where(tries > 0, inside, end))
    return found[0], found[1]
