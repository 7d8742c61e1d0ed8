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


def mean_interval(total: float, squares: float, count: int) -> tuple[float, list[float]]:
    """A mean and its 95 % interval, from sums."""
    mean = total / count
    deviation = math.sqrt(max(squares / count - mean * mean, 0.0) / count)
    return mean, [mean - Z95 * deviation, mean + Z95 * deviation]
