"""Numbers as people read them.

>>> percent(0.125), chance(875), points(-1250)
('12.5 %', '88 %', '−1.25')
"""

from __future__ import annotations


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage."""
    return f"{100 * share:.{digits}f} %"


def chance(thousandths: int) -> str:
    """A chance in thousandths, to a whole percent."""
    return f"{thousandths / 10:.0f} %"


def points(thousandths: int) -> str:
    """Thousandths of a point."""
    return f"{thousandths / 1000:.2f}".replace("-", "−")
