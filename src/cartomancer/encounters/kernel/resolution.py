"""Contested rolls: 2d6 against 2d6, the margin decides the tier, the tier scales the damage [GDD 4.9].

Rolling is apart from ruling: `contest_roll` is the one place that draws dice, everything else takes them as arguments.
"""

from __future__ import annotations

import numpy as np

from cartomancer.jit import kernel, whole
from cartomancer.rng import below

PLAIN = np.int64(0)
ADVANTAGE = np.int64(1)  # roll three dice, keep the highest two
DISADVANTAGE = np.int64(2)  # roll three dice, keep the lowest two


@kernel
def keep_two(first, second, third, mode):
    """The sum of the two dice that count: the first two, or the best or worst two of three."""
    if mode == ADVANTAGE:
        return first + second + third - min(first, second, third)
    if mode == DISADVANTAGE:
        return first + second + third - max(first, second, third)
    return first + second


@kernel
def contest_roll(streams, k, mode):
    """Roll one side's dice from stream k. Three are always drawn, so that a mode never shifts a later roll."""
    first = 1 + below(streams, k, 6)
    second = 1 + below(streams, k, 6)
    third = 1 + below(streams, k, 6)
    return keep_two(first, second, third, mode)


@kernel
def tier_of(margin, least_margins, count):
    """The tier of a margin: the first of `count` whose least margin it reaches; the last tier takes the rest."""
    for tier in range(count - 1):
        if margin >= least_margins[tier]:
            return whole(tier)
    return whole(count) - 1


@kernel
def scaled(power, percent):
    """Power times a multiplier, rounded half up, at least 1 when both are above 0 (E11)."""
    if power <= 0 or percent <= 0:
        return whole(0)
    return max(whole(1), (whole(power) * whole(percent) + 50) // 100)
