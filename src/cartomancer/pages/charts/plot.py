"""What all charts have in common: labels, series of numbers, the table of them, and the words around."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cartomancer.pages.charts.marks import Mark
from cartomancer.pages.numbers import Estimate

Numbers = tuple[Sequence[str], Sequence[Sequence[str]]]


@dataclass(frozen=True)
class Chart(ABC):
    """A chart; `spoken` says in a sentence what is to be seen."""

    spoken: str

    @property
    @abstractmethod
    def height(self) -> float:
        """How high the drawing is; all are equally wide."""

    @abstractmethod
    def marks(self) -> Iterator[Mark]:
        """The drawing."""

    @abstractmethod
    def numbers(self) -> Numbers:
        """The headers and rows of the table behind the chart."""

    @property
    def legend(self) -> Sequence[tuple[str, str]]:
        """Names, and the looks that stand for them."""
        return ()


@dataclass(frozen=True)
class Series:
    """A number for every label, or none; a series without a shape stands in the table only."""

    name: str
    values: Sequence[Estimate | None]
    look: str | Sequence[str] = "plain"  # a hue, for all or for each
    shape: str = "bar"
    ends: str = "95 % interval"  # what the ends of its values are
    band: Sequence[tuple[float, float] | None] = ()

    def hue(self, at: int) -> str:
        """The hue of one of its values."""
        return self.look if isinstance(self.look, str) else self.look[at]


@dataclass(frozen=True)
class Plot(Chart):
    """A chart of labels and series; `over` is what the labels are."""

    over: str
    labels: Sequence[str]
    series: Sequence[Series]
    drawn: Sequence[Series] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "drawn", [one for one in self.series if one.shape])

    @property
    def legend(self) -> Sequence[tuple[str, str]]:
        """Series of one hue, where there are several."""
        named = [(one.name, f"{one.shape} {one.look}") for one in self.drawn if isinstance(one.look, str)]
        return named if len(self.drawn) > 1 else ()

    def numbers(self) -> Numbers:
        """A row for every label; a series with intervals has a second column."""
        headers, columns = [self.over], [list(self.labels)]
        for one in self.series:
            headers.append(one.name)
            columns.append(["–" if value is None else value.shown for value in one.values])
            if any(value and value.ends for value in one.values):
                headers.append(one.ends)
                columns.append(["" if value is None else value.ends for value in one.values])
        return headers, list(zip(*columns, strict=True))

    def hint(self, at: int, one: Series) -> str:
        """What is said of a value."""
        value, label = one.values[at], self.labels[at]
        place = f"{self.over} {label}" if label[:1].isdigit() else label
        return f"{place}, {one.name}: {value.words if value else '–'}"
