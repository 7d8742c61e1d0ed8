"""Numbers and names as people read them on a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
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


def label(name: str) -> str:
    """A name of the content or the rules as people write it.

    >>> label("memory_shrine")
    'Memory shrine'
    """
    return name.replace("_", " ").capitalize()


def counted(count: int, noun: str, plural: str = "s") -> str:
    """A number with its noun.

    >>> counted(1, "map"), counted(2, "search", "es")
    ('1 map', '2 searches')
    """
    return f"{number(count)} {noun}{'' if count == 1 else plural}"


@dataclass(frozen=True)
class Estimate:
    """A number as a chart draws it and as people read it, with the ends of its interval if it has one."""

    value: float
    shown: str
    low: float
    high: float
    ends: str = ""
    more: str = ""  # said of it besides

    @property
    def words(self) -> str:
        """All that is said of it."""
        ends = f" ({self.ends})" if self.ends else ""
        return f"{self.shown}{ends}{'; ' if self.more else ''}{self.more}"


def exact(value: float, shown: str, more: str = "") -> Estimate:
    """A number without an interval."""
    return Estimate(value, shown, value, value, "", more)


def mean(
    value: float, interval: Sequence[float] | None, digits: int | None = None, more: str = "", as_percent: bool = False
) -> Estimate:
    """A mean and its interval, to the digits the interval supports unless told; a dash where there is none."""
    form = percent if as_percent else number
    if interval is None:
        return Estimate(value, form(value, digits), value, value, "–", more)
    low, high = interval
    scale, unit = (100, f"{THIN}%") if as_percent else (1, "")
    if digits is not None:  # halves as the terminal rounds them
        shown, start, end = (f"{number(scale * v, digits)}{unit}" for v in (value, low, high))
    elif (digits := digits_for(interval, scale)) is None:
        return Estimate(value, form(value), low, high, "exact", more)
    else:  # the ends of the scale are exact: 0 and 100 %, not 0.0000 and 100.0000 %
        whole = (0.0, 1.0) if as_percent else (0.0,)
        shown, start, end = (form(v, None if round(v, 9) in whole else digits) for v in (value, low, high))
    return Estimate(value, shown, low, high, f"{start.removesuffix(unit)} – {end}", more)


def share(value: float, interval: Sequence[float] | None, digits: int | None = None, more: str = "") -> Estimate:
    """A share and its interval as percentages, to the digits the interval supports unless told.

    >>> found = share(0.5, [0.40, 0.60])
    >>> found.shown, found.ends
    ('50\\u202f%', '40 – 60\\u202f%')
    """
    return mean(value, interval, digits, more, as_percent=True)


def digits_for(interval: Sequence[float], scale: float = 1.0) -> int | None:
    """Decimals that show an interval's half-width to two digits; none when the interval is a point."""
    half = (interval[1] - interval[0]) / 2 * scale
    return min(max(1 - math.floor(math.log10(half) + 1e-9), 0), 4) if half > 1e-9 else None
