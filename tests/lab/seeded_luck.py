"""Luck for statistical tests, from the project's generator: the same on every run."""

from __future__ import annotations

from typing import Any

import numpy as np

from cartomancer.jit import wrapping
from cartomancer.rng import GOLDEN, scramble

_scrambled = getattr(scramble, "py_func", scramble)


def uniform(seed: int, *shape: int) -> Any:
    """Numbers in [0, 1)."""
    with wrapping():
        index = np.arange(1, 1 + int(np.prod(shape)), dtype=np.uint64)
        bits = _scrambled(_scrambled(np.uint64(seed) + GOLDEN) + index * GOLDEN)
    return ((bits >> np.uint64(11)) / 2.0**53).reshape(shape)
