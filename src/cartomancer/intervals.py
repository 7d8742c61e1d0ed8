"""95 % intervals of what was counted or averaged.

>>> [round(end, 3) for end in wilson(5, 10)]
[0.237, 0.763]
>>> Rate(5, 10).share
0.5
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

Z95: Final = 1.959963984540054


def wilson(hits: float, tries: float) -> list[float]:
    """The 95 % Wilson interval of a rate."""
    if not tries:
        return [0.0, 1.0]
    p, z2 = hits / tries, Z95 * Z95
    middle = (p + z2 / (2 * tries)) / (1 + z2 / tries)
    half = Z95 / (1 + z2 / tries) * math.sqrt(max(p * (1 - p), 0) / tries + z2 / (4 * tries * tries))
    return [max(0.0, middle - half), min(1.0, middle + half)]


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
