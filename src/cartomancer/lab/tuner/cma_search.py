"""Searching whole numbers with CMA-ES: Optuna keeps the study, `cma` proposes, our own streams throw the dice.

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
import optuna
from optuna.distributions import BaseDistribution, IntDistribution
from optuna.samplers import BaseSampler
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from cartomancer import codes
from cartomancer.rng import Stream

Space = Mapping[str, tuple[int, int]]
Objective = Callable[[dict[str, int]], float]
FIRST_SPREAD: Final = 1.0  # in steps
LEAST_SPREAD: Final = 0.3  # a narrower cloud would round to one point for ever
_NORMAL: Final = NormalDist()
_FINE: Final = 2**30


class CmaSampler(BaseSampler):
    """Optuna's sampler on top of the package `cma`; it starts at a given point and repeats itself for a seed."""

    def __init__(self, space: Space, start: Mapping[str, int], seed: int) -> None:
        with warnings.catch_warnings():  # it misses matplotlib, which we do not use
            warnings.simplefilter("ignore")
            import cma
        self._space = space
        self._stream = Stream(seed, codes.STREAM_COSMETIC)
        lows, highs = zip(*space.values(), strict=True)
        options = {
            "bounds": [[low - 0.49 for low in lows], [high + 0.49 for high in highs]],
            "minstd": LEAST_SPREAD,
            "randn": self._normals,
            "seed": math.nan,  # leave NumPy's own generator alone
            "verbose": -9,
        }
        self._strategy = cma.CMAEvolutionStrategy([start[name] for name in space], FIRST_SPREAD, options)
        self._asked: list[Any] = []
        self._of_trial: dict[int, Any] = {}
        self._told: list[tuple[Any, float]] = []

    def _normals(self, *shape: int) -> np.ndarray[Any, Any]:
        count = math.prod(shape)
        drawn = [_NORMAL.inv_cdf((self._stream.below(_FINE) + 0.5) / _FINE) for _ in range(count)]
        return np.array(drawn).reshape(shape)

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """Every lever, known from the start."""
        return {name: IntDistribution(low, high) for name, (low, high) in self._space.items()}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """The next point of the generation, rounded."""
        if not self._asked:
            self._asked = list(self._strategy.ask())
        point = self._of_trial[trial.number] = self._asked.pop(0)
        bounds = zip(self._space.items(), point, strict=True)
        return {name: min(high, max(low, round(float(value)))) for (name, (low, high)), value in bounds}

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """Never asked: all levers are sampled together."""
        raise AssertionError("all levers are sampled together")

    def after_trial(self, study: Study, trial: FrozenTrial, state: TrialState, values: Any) -> None:
        """Learn from a generation once all of it is known."""
        if state != TrialState.COMPLETE:
            return
        self._told.append((self._of_trial.pop(trial.number), values[0]))
        if not self._asked:
            points, worth = zip(*self._told, strict=True)
            self._strategy.tell(list(points), list(worth))
            self._told = []


def cma_search(
    space: Space, start: Mapping[str, int], objective: Objective, trials: int, seed: int, good: float = -math.inf
) -> dict[str, int]:
    """The point with the least value among so many trials; it stops early at a value that is good enough."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)  # a stopped search is no failure
    study = optuna.create_study(sampler=CmaSampler(space, start, seed))

    def value(trial: optuna.Trial) -> float:
        return objective({name: trial.suggest_int(name, low, high) for name, (low, high) in space.items()})

    def enough(study: Study, trial: FrozenTrial) -> None:
        if trial.value is not None and trial.value <= good:
            study.stop()

    study.optimize(value, n_trials=trials, callbacks=[enough])
    return dict(study.best_params)
