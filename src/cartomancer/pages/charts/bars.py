"""Bars that lie: labels on the left, values at their ends, so that both can be read on a narrow screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cartomancer.pages.charts.marks import LETTER, WIDTH, Mark, Scale, diamond, disc, line, rect, scale, whisker, word
from cartomancer.pages.charts.plot import Plot

LANE: Final = 17  # for one bar
GAP: Final = 7  # between labels
WIDEST: Final = 150  # labels
ROUND: Final = {"disc": disc, "diamond": diamond}


@dataclass(frozen=True)
class Bars(Plot):
    """A lane for every series: a bar, a disc or a diamond with its interval; a tick lies on the lane before it.

    Stacked, all series share one lane and lie end to end; what is shown at the end is then given as `totals`.
    """

    stacked: bool = False
    totals: tuple[str, ...] = ()

    @property
    def _row(self) -> int:
        lanes = 1 if self.stacked else sum(one.shape != "tick" for one in self.drawn)
        return LANE * lanes + GAP

    @property
    def height(self) -> float:
        """Every label has as many lanes as there are series."""
        return self._row * len(self.labels) + 4

    def marks(self) -> Iterator[Mark]:
        """Row by row."""
        left = min(WIDEST, LETTER * max(map(len, self.labels), default=0)) + 14
        written = [v.shown for one in self.drawn for v in one.values if v] if not self.stacked else self.totals
        right = WIDTH - 10 - LETTER * max(map(len, written), default=0)
        x = scale(0, self._most(), left, right)
        for at, label in enumerate(self.labels):
            top = 2 + at * self._row
            yield word(left - 8, top + (self._row - GAP) / 2 + 5, label, anchor="end")
            yield from self._stack(at, top, x) if self.stacked else self._lane_marks(at, top, x)
        yield line(left, 0, left, self.height, "axis")

    def _most(self) -> float:
        if self.stacked:
            values = zip(*(one.values for one in self.drawn), strict=True)
            return max((sum(v.value for v in row if v) for row in values), default=0)
        return max((v.high for one in self.drawn for v in one.values if v), default=0)

    def _lane_marks(self, at: int, top: float, x: Scale) -> Iterator[Mark]:
        y = top - LANE
        for one in self.drawn:
            value, hint = one.values[at], self.hint(at, one)
            y += 0 if one.shape == "tick" else LANE
            if value is None:
                continue
            if one.shape == "tick":
                yield rect(x(value.value) - 1.5, y, 3, LANE - 2, "ink", hint)
                continue
            middle, end = y + LANE / 2 - 1, max(x(value.value), x(value.high))
            if one.shape in ROUND:
                yield ROUND[one.shape](x(value.value), middle, 5, f"{one.shape} {one.hue(at)}", hint)
            else:
                yield rect(x(0), y + 1, x(value.value) - x(0), LANE - 4, one.hue(at), hint)
            if value.low < value.high:
                yield whisker(x(value.low), middle, x(value.high), middle)
            yield word(end + 7, middle + 4.5, value.shown, "quiet")

    def _stack(self, at: int, top: float, x: Scale) -> Iterator[Mark]:
        done = 0.0
        for one in self.drawn:
            value = one.values[at]
            if value and value.value:
                width = x(done + value.value) - x(done)
                yield rect(x(done), top + 1, width, LANE - 3, f"part {one.hue(at)}", self.hint(at, one))
                done += value.value
        yield word(x(done) + 7, top + LANE / 2 + 4, self.totals[at], "quiet")
