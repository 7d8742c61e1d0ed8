"""95 % intervals of what was counted or averaged.

>>> [round(end, 3) for end in wilson(5, 10)]
[0.237, 0.763]
>>> Rate(5, 10).share
0.5
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

ERROR: Final = 0.05
Z95: Final = 1.959963984540054
Numbers = np.ndarray[Any, Any]


def wilson(hits: float, tries: float) -> list[float]:
    """The 95 % Wilson interval of a rate."""
    return [float(end) for end in wilson_bounds(hits, tries)]


def wilson_bounds(hits: Any, tries: Any, error: float = ERROR) -> tuple[Numbers, Numbers]:
    """Wilson's interval of each of many rates, at a two-sided error; 0 and 1 of no tries."""
    z, some = Z95, np.asarray(tries) > 0
    if error != ERROR:
        from scipy.special import ndtri

        z = float(ndtri(1 - error / 2))
    n = np.where(some, tries, 1.0)
    p, z2 = hits / n, z * z
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = z / (1 + z2 / n) * np.sqrt(np.maximum(p * (1 - p), 0) / n + z2 / (4 * n * n))
    return np.where(some, np.maximum(middle - half, 0), 0.0), np.where(some, np.minimum(middle + half, 1), 1.0)


@dataclass(frozen=True)
class Rate:
    """So many hits among so many tries; of no tries nothing is known."""

    hits: float
    tries: float

    @property
    def share(self) -> float:
        """The hits as a share."""
        return self.hits / self.tries if self.tries else 0.0

    @property
    def interval(self) -> list[float]:
        """The share's Wilson interval."""
        return wilson(self.hits, self.tries)

    def as_dict(self) -> dict[str, float]:
        """In plain numbers."""
        low, high = self.interval
        return {"rate": self.share, "low": low, "high": high}


def mean_interval(total: float, squares: float, count: int) -> tuple[float, list[float] | None]:
    """A mean and its 95 % interval, from sums: Student's t with one degree of freedom less than there are values.

    One value has no interval: it does not say how far others lie from it.

    >>> mean, (low, high) = mean_interval(10, 34, 4)  # of 1, 1, 4, 4
    >>> round(low, 3), round(high, 3)  # 2.5 ∓ 3.182 · √(3 / 4)
    (-0.256, 5.256)
    >>> mean_interval(3, 9, 1)
    (3.0, None)
    """
    from scipy.special import stdtrit

    mean = total / count
    if count < 2:
        return mean, None
    deviation = math.sqrt(max(squares / count - mean * mean, 0.0) / (count - 1))
    half = float(stdtrit(count - 1, 0.975)) * deviation
    return mean, [mean - half, mean + half]
