"""Numbers and names as people read them in a report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

THIN: Final = "\u202f"  # narrow, and no line breaks at it


def number(value: float, digits: int | None = None) -> str:
    """A number with thin thousands separators; without `digits`, whole or to three significant digits.

    >>> number(20000), number(329.50435), number(0.04321), number(21.5, 3)
    ('20\\u202f000', '330', '0.0432', '21.500')
    """
    if digits is None:
        whole = float(value).is_integer()
        digits = 0 if whole or not value else max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{digits}f}".replace(",", THIN).replace("-", "−")


def percent(share: float, digits: int | None = None) -> str:
    """A share as a percentage.

    >>> percent(0.375), percent(1.0), percent(0.0987, 3)
    ('37.5\\u202f%', '100\\u202f%', '9.870\\u202f%')
    """
    return f"{number(round(share * 100, 9), digits)}{THIN}%"


def digits_for(interval: Sequence[float], scale: float = 1.0) -> int | None:
    """Decimals that show an interval's half-width to two digits; none when the interval is a point."""
    half = (interval[1] - interval[0]) / 2 * scale
    return min(max(1 - math.floor(math.log10(half) + 1e-9), 0), 4) if half > 1e-9 else None


def with_interval(value: float, interval: Sequence[float], as_percent: bool = False) -> tuple[str, str]:
    """A value and its interval, both to the digits the interval supports."""
    digits = digits_for(interval, 100 if as_percent else 1)
    form = percent if as_percent else number
    if digits is None:
        return form(value), "exact"
    # the ends of the scale are exact: 0 and 100 %, not 0.0000 and 100.0000 %
    ends = (0.0, 1.0) if as_percent else (0.0,)
    shown = [form(v, None if round(v, 9) in ends else digits) for v in (value, *interval)]
    return shown[0], f"{shown[1].removesuffix(f'{THIN}%')} – {shown[2]}"


def label(name: str) -> str:
    """A type's or outcome's name as people write it.

    >>> label("memory_shrine")
    'Memory shrine'
    """
    return name.replace("_", " ").capitalize()
