"""Searching whole numbers with CMA-ES: `cma` proposes, our own streams throw the dice.

>>> space = {"x": (-3, 3), "y": (-3, 3)}
>>> cma_search(space, {"x": 0, "y": 0}, lambda at: abs(at["x"] - 2) + abs(at["y"] + 1), trials=60, seed=7)
{'x': 2, 'y': -1}
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from statistics import NormalDist
from typing import Any, Final

import numpy as np

from cartomancer import codes
from cartomancer.rng import Stream

Space = Mapping[str, tuple[int, int]]
Objective = Callable[[dict[str, int]], float]
FIRST_SPREAD: Final = 1.0  # in steps
LEAST_SPREAD: Final = 0.3  # a narrower cloud would round to one point for ever
_NORMAL: Final = NormalDist()
_FINE: Final = 2**30


def cma_search(
    space: Space, start: Mapping[str, int], objective: Objective, trials: int, seed: int, good: float = -math.inf
) -> dict[str, int]:
    """The point with the least value among so many trials, the first of equals; it stops early at a value that is good
    enough, and repeats itself for a seed."""
    strategy = _strategy(space, start, Stream(seed, codes.STREAM_SEARCH))
    best, least, left = dict(start), math.inf, trials
    while left:
        points = strategy.ask()
        worths = []
        for point in points[:left]:
            at = _rounded(space, point)
            worths.append(objective(at))
            if worths[-1] < least:
                best, least = at, worths[-1]
            if worths[-1] <= good:
                return best
        left -= len(worths)
        if len(worths) == len(points):  # it learns from whole generations
            strategy.tell(points, worths)
    return best


def _strategy(space: Space, start: Mapping[str, int], stream: Stream) -> Any:
    with warnings.catch_warnings():  # it misses matplotlib, which we do not use
        warnings.simplefilter("ignore")
        import cma

    def normals(*shape: int) -> np.ndarray[Any, Any]:
        drawn = [_NORMAL.inv_cdf((stream.below(_FINE) + 0.5) / _FINE) for _ in range(math.prod(shape))]
        return np.array(drawn).reshape(shape)

    lows, highs = zip(*space.values(), strict=True)
    options = {
        "bounds": [[low - 0.49 for low in lows], [high + 0.49 for high in highs]],
        "minstd": LEAST_SPREAD,
        "randn": normals,
        "seed": math.nan,  # leave NumPy's own generator alone
        "verbose": -9,
    }
    return cma.CMAEvolutionStrategy([start[name] for name in space], FIRST_SPREAD, options)


def _rounded(space: Space, point: Any) -> dict[str, int]:
    pairs = zip(space.items(), point, strict=True)
    return {name: min(high, max(low, round(float(value)))) for (name, (low, high)), value in pairs}
