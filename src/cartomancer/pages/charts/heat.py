"""Heat maps: rows from the bottom up, columns from the left; what never happens stays blank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cartomancer.pages.charts.marks import LETTER, WIDTH, Mark, diamond, line, rect, word
from cartomancer.pages.charts.plot import Chart, Numbers
from cartomancer.pages.numbers import percent

ROW: Final = 22
FAINTEST, STRONGEST = 0.08, 0.72  # of the hue: words on it stay readable
TURNED: Final = 40  # degrees, of names too long to lie


@dataclass(frozen=True)
class Heat(Chart):
    """Shares by row and column. Coarse maps have their percentages written into the cells; fine ones have not."""

    across: str  # what the columns are
    up: str  # what the rows are
    columns: Sequence[str]
    rows: Sequence[str]
    values: Sequence[Sequence[float]]
    what: str  # that the values are shares of
    top: float | None = None  # the value of the strongest colour; the largest
    fine: bool = False
    beside: tuple[str, Sequence[str]] | None = None  # one more column of the table
    cross: tuple[float, float, str] | None = None  # a point, in columns and rows, and what it is

    @property
    def _row(self) -> float:
        return ROW / 2 if self.fine else ROW

    @property
    def _foot(self) -> float:
        longest = LETTER * max(map(len, self.columns), default=0)
        return 36 if longest <= self._column or self.fine else 24 + 0.65 * longest

    @property
    def _left(self) -> float:
        return 24 + LETTER * max(map(len, self.rows), default=0)

    @property
    def _column(self) -> float:
        return min(64.0, (WIDTH - self._left - 8) / max(len(self.columns), 1))

    @property
    def height(self) -> float:
        """Every row is equally high."""
        return self._row * len(self.rows) + self._foot

    def numbers(self) -> Numbers:
        """The same grid as a table."""
        lines = [[percent(value, 1) if value else "–" for value in found] for found in self.values]
        if self.beside is None:
            return (self.up, *self.columns), [(name, *found) for name, found in zip(self.rows, lines, strict=True)]
        extra, values = self.beside
        rows = zip(self.rows, values, lines, strict=True)
        return (self.up, extra, *self.columns), [(name, value, *found) for name, value, found in rows]

    def marks(self) -> Iterator[Mark]:
        """Cells, names of rows and columns, the cross."""
        left, bottom, wide, high = self._left, self._row * len(self.rows), self._column, self._row
        top = self.top or max((value for found in self.values for value in found), default=0) or 1.0
        for at, (name, found) in enumerate(zip(self.rows, self.values, strict=True)):
            y = bottom - (at + 1) * high
            for k, value in enumerate(found):
                if value:
                    hint = f"{self.up} {name}, {self.columns[k]}: {percent(value, 1)} {self.what}"
                    strength = FAINTEST + (STRONGEST - FAINTEST) * min(value / top, 1.0)
                    yield rect(left + k * wide + 1, y + 1, wide - 2, high - 2, "heat", hint, strength)
                    if not self.fine:
                        shown = "<1%" if value < 0.005 else f"{value:.0%}"
                        yield word(left + (k + 0.5) * wide, y + 15, shown, "small", "middle")
        yield from self._names(left, bottom)
        if self.cross:
            across, up, words = self.cross
            yield diamond(left + across * wide, bottom - up * high, 6, "ink", words)

    def _names(self, left: float, bottom: float) -> Iterator[Mark]:
        every = 4 if self.fine else 1
        yield word(12, bottom / 2, self.up, "quiet", "middle", -90)
        for at in range(0, len(self.rows), every):
            yield word(left - 6, bottom - (at + 0.5) * self._row + 4, self.rows[at], "quiet", "end")
        yield line(left, bottom, left + self._column * len(self.columns), bottom, "axis")
        turned = self._foot > 36
        for at in range(0, len(self.columns), every):
            x, anchor = left + (at + 0.5) * self._column, "end" if turned else "middle"
            yield word(x, bottom + 14, self.columns[at], "quiet", anchor, -TURNED if turned else 0)
        if not turned:
            yield word(left + self._column * len(self.columns) / 2, bottom + 31, self.across, "quiet", "middle")
