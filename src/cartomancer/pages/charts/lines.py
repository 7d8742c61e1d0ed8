"""Lines: over an ordered axis, with bands, intervals, expected ranges, and a strip below; or around zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cartomancer.pages.charts.marks as draw
from cartomancer.pages.charts.marks import LETTER, WIDTH, Mark, Scale
from cartomancer.pages.charts.plot import Plot, Series
from cartomancer.pages.numbers import percent

TOP, BOTTOM, STRIP = 10, 200, 36
RIGHT: Final = WIDTH - 14


@dataclass(frozen=True)
class Lines(Plot):
    """A line for every series, told apart by hue, dashes and points; a strip below shows shares of the whole."""

    top: float | None = None  # of the scale; as much as there is
    form: Callable[[float], str] = percent
    ranges: Sequence[tuple[float, float] | None] = ()  # where the values of a label should lie
    strip: Series | None = None

    @property
    def height(self) -> float:
        """The strip needs some more."""
        return BOTTOM + (STRIP if self.strip else 0) + 40

    @property
    def legend(self) -> Sequence[tuple[str, str]]:
        """All series, the strip, and the ranges."""
        drawn = [(one.name, f"line dash{at} {one.hue(0)} {one.shape}") for at, one in enumerate(self.drawn)]
        drawn += [(self.strip.name, "strip")] if self.strip else []
        return [*drawn, ("Healthy", "strip")] if self.ranges else drawn

    def marks(self) -> Iterator[Mark]:
        """The grid, what lies behind, the lines, the labels."""
        highest = max((v.high for one in self.drawn for v in one.values if v), default=1.0)
        steps = draw.ticks(self.top or highest or 1.0)
        left = 12 + LETTER * max(len(self.form(step)) for step in steps)
        y = draw.scale(0, steps[-1], BOTTOM, TOP)
        x = draw.scale(0, max(len(self.labels) - 1, 1), left + 12, RIGHT - 6)
        for step in steps:
            yield draw.line(left, y(step), RIGHT, y(step), "rule")
            yield draw.word(left - 6, y(step) + 4, self.form(step), "quiet", "end")
        for at, ends in enumerate(self.ranges):
            if ends:
                low, high = ends
                hint = f"{self.labels[at]}, healthy: {self.form(low)} to {self.form(high)}"
                yield draw.rect(x(at) - 12, y(high), 24, y(low) - y(high), "strip", hint)
        for one in self.drawn:
            yield from _band(one, x, y)
        for number, one in enumerate(self.drawn):
            yield from self._line(number, one, x, y)
        yield from self._foot(x)

    def _line(self, number: int, one: Series, x: Scale, y: Scale) -> Iterator[Mark]:
        points = [(at, value) for at, value in enumerate(one.values) if value]
        yield draw.path(
            [(x(at), y(value.value)) for at, value in points], f"curve dash{number} {one.hue(0)} {one.shape}"
        )
        for at, value in points:
            if value.low < value.high and not one.band:
                yield draw.whisker(x(at), y(value.low), x(at), y(value.high))
            point, radius = (draw.diamond, 4) if number % 2 else (draw.disc, 3)
            yield point(x(at), y(value.value), radius, one.hue(at), self.hint(at, one))

    def _foot(self, x: Scale) -> Iterator[Mark]:
        foot: float = BOTTOM
        if self.strip:
            foot += STRIP
            reached = [(x(at), foot - (STRIP - 10) * v.value) for at, v in enumerate(self.strip.values) if v]
            yield draw.path([*reached, (reached[-1][0], foot), (reached[0][0], foot)], "strip", True)
            for at, (place, top) in enumerate(reached):
                yield draw.rect(place - 4, top, 8, foot - top, "strip", self.hint(at, self.strip))
        yield draw.line(x(0) - 12, foot, RIGHT, foot, "axis")
        room = (RIGHT - x(0)) / (LETTER * max(map(len, self.labels)) + 6)
        every = max(1, -(-len(self.labels) // max(1, int(room))))
        for at in range(0, len(self.labels), every):
            yield draw.word(x(at), foot + 16, self.labels[at], "quiet", "middle")
        yield draw.word((x(0) + RIGHT) / 2, foot + 33, self.over, "quiet", "middle")


def _band(one: Series, x: Scale, y: Scale) -> Iterator[Mark]:
    """The area between the two ends at every label that has them."""
    found = [(x(at), ends) for at, ends in enumerate(one.band) if ends]
    if found:
        upper = [(place, y(ends[0])) for place, ends in found]
        lower = [(place, y(ends[1])) for place, ends in found]
        yield draw.path([*upper, *reversed(lower)], f"band {one.hue(0)}", True)


@dataclass(frozen=True)
class Interval:
    """A difference between two ends, on a line that reaches as far to both sides of zero: for the cell of a table."""

    value: float
    low: float
    high: float
    most: float

    def marks(self) -> Iterator[Mark]:
        """In a drawing of 130 × 16."""
        look = "plain" if self.low <= 0 <= self.high else "green" if self.value > 0 else "ember"
        x = draw.scale(-self.most, self.most, 4, 126)
        yield draw.line(65, 0, 65, 16, "axis")
        yield draw.line(x(max(self.low, -self.most)), 8, x(min(self.high, self.most)), 8, f"stroke {look}")
        yield draw.disc(x(self.value), 8, 4, look, "")
