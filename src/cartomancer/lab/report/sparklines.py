"""Numbers as one line of text: small bars for the terminal.

>>> sparkline([0, 1, 2, 4, 8])
'▁▁▂▄█'
>>> sparkline([0.5, 0.75, 1.0], low=0.0, high=1.0)
'▄▆█'
>>> sparkline([])
''
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

BARS: Final = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float], low: float = 0.0, high: float | None = None) -> str:
    """A bar for each value on a scale from `low` to `high`, or to the largest value."""
    top = max(values, default=0.0) if high is None else high
    return "".join(BARS[_height(value, low, top)] for value in values)


def _height(value: float, low: float, high: float) -> int:
    """Which bar; everything outside the scale is drawn at its end."""
    if high <= low:
        return 0
    share = min(max((value - low) / (high - low), 0.0), 1.0)
    return max(0, min(len(BARS) - 1, round(share * len(BARS)) - 1))
