"""Descending from the best that was found: a few levers turned at random, kept whenever that is better.

It is for many levers, where CMA-ES would need more candidates than there is time for: every candidate is one that may
be kept, and what helped lately is turned more often.

>>> space = {"x": (-3, 3), "y": (-3, 3), "z": (-3, 3)}
>>> descend(space, {"x": 0, "y": 0, "z": 0}, lambda at: abs(at["x"] - 2) + abs(at["y"] + 1), trials=80, seed=7)
{'x': 2, 'y': -1, 'z': 0}
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from cartomancer import codes
from cartomancer.lab.tuner.cma_search import Objective, Space
from cartomancer.rng import Stream

TURNED: Final = (1, 1, 2, 2, 3)  # levers at a time
LIKED: Final = 4  # a lever that helped is as likely as so many others
IDLE: Final = 20  # proposals in a row that were known already, for each trial: then all there is was tried


def descend(
    space: Space, start: Mapping[str, int], objective: Objective, trials: int, seed: int, good: float = -math.inf
) -> dict[str, int]:
    """The best point that so many trials lead to; it stops early at a value that is good enough, and repeats itself
    for a seed."""
    stream = Stream(seed, codes.STREAM_SEARCH)
    names = [name for name, (low, high) in space.items() if low < high]
    best, least, seen = dict(start), objective(dict(start)), {_key(start)}
    urn, idle = list(names), 0
    while trials > 0 and names and least > good and idle < IDLE * len(names):
        turned = {urn[stream.below(len(urn))] for _ in range(TURNED[stream.below(len(TURNED))])}
        at = dict(best)
        for name in sorted(turned):
            low, high = space[name]
            at[name] = _other(low, high, best[name], stream)
        if _key(at) in seen:
            idle += 1
            continue
        idle, trials = 0, trials - 1
        seen.add(_key(at))
        found = objective(at)
        if found < least:
            best, least = at, found
            urn = names + [name for name in sorted(turned) for _ in range(LIKED)] + urn[len(names) :][: LIKED * 8]
    return best


def _key(at: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(at.items()))


def _other(low: int, high: int, now: int, stream: Stream) -> int:
    """Another value, a neighbour two times of three, and back to no change now and then."""
    kind = stream.below(3)
    near = [value for value in (now - 1, now + 1) if low <= value <= high]
    if kind < 2 or now == 0:
        return near[stream.below(len(near))]
    return 0
