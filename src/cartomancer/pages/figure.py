"""Charts with the words around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cartomancer.pages.charts.plot import Chart, Numbers


@dataclass(frozen=True)
class Figure:
    """A chart with its words and the numbers behind it; of several charts, the reader chooses one by name."""

    title: str
    caption: str
    charts: Chart | Sequence[tuple[str, Chart]]
    table: Numbers | None = None  # the first chart's own, unless another is given

    @property
    def choices(self) -> Sequence[tuple[str, Chart]]:
        """All charts with their names."""
        return [("", self.charts)] if isinstance(self.charts, Chart) else self.charts

    @property
    def numbers(self) -> Numbers:
        """The headers and rows of the table behind the figure."""
        return self.table or self.choices[0][1].numbers()
