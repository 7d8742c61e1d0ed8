"""A difference with its interval on a line around zero: for the cell of a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cartomancer.pages.charts.marks import Mark, disc, line, scale


@dataclass(frozen=True)
class Interval:
    """A dot between two ends, on a scale that reaches as far to both sides."""

    value: float
    low: float
    high: float
    most: float

    def marks(self) -> Iterator[Mark]:
        """In a drawing of 130 × 16."""
        look = "plain" if self.low <= 0 <= self.high else "green" if self.value > 0 else "ember"
        x = scale(-self.most, self.most, 4, 126)
        yield line(65, 0, 65, 16, "axis")
        yield line(x(max(self.low, -self.most)), 8, x(min(self.high, self.most)), 8, f"stroke {look}")
        yield disc(x(self.value), 8, 4, look, "")
