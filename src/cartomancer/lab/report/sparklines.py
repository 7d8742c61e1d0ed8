"""Numbers as one line of text: small bars for the terminal.

>>> sparkline([0, 1, 2, 4, 8])
'▁▁▂▄█'
>>> sparkline([0.5, 0.75, 1.0], high=1.0)
'▄▆█'
>>> sparkline([])
''
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

BARS: Final = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float], high: float | None = None) -> str:
    """A bar for each value on a scale from 0 to `high`, or to the largest value; everything outside the scale is drawn
    at its end."""
    top = max(values, default=0.0) if high is None else high
    shares = (min(max(value / top, 0.0), 1.0) if top > 0 else 0.0 for value in values)
    return "".join(BARS[max(round(share * len(BARS)) - 1, 0)] for share in shares)
