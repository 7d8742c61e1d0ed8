"""What a page is made of. Every block names the template that writes it.

Hues and looks are classes of the style sheet, which gives them their colours by day, by night and on paper.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from cartomancer.pages.charts.interval import Interval
from cartomancer.pages.charts.plot import Chart


class Block(Protocol):
    """Anything a template can write."""

    template: ClassVar[str]


@dataclass(frozen=True)
class Span:
    """Words that look or lead somewhere: a link to an id of the page, code, strong, quiet, or with a dot of a hue."""

    text: str
    look: str = ""
    target: str = ""
    dot: str = ""


Words = str | Span | Sequence[str | Span]


@dataclass(frozen=True)
class Cell:
    """A cell of a table: what it says, and what it is sorted by; what is sorted by words stands on the left."""

    words: Words
    order: float | str | None = None
    mark: Interval | None = None  # drawn in the place of its words

    @property
    def left(self) -> bool:
        """Whether it holds words rather than a number."""
        return isinstance(self.order, str)


def column(value: str, look: str = "") -> Cell:
    """A cell of words."""
    return Cell(Span(value, look) if look else value, value)


def ordered(shown: str, value: float, more: str = "") -> Cell:
    """A cell of a number, with something quiet behind it."""
    return Cell([f"{shown} ", Span(more, "quiet")] if more else shown, value)


@dataclass(frozen=True)
class Table:
    """A table whose first column names its rows. Sortable, its headings are buttons; marked rows stand out."""

    caption: str
    headers: Sequence[str]
    rows: Sequence[Sequence[Cell | str]]
    sortable: bool = False
    marked: Sequence[bool] = ()

    template: ClassVar[str] = "table.html"

    @property
    def cells(self) -> list[list[Cell]]:
        """The rows, every cell a `Cell`."""
        return [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in self.rows]

    @property
    def heads(self) -> list[tuple[str, bool]]:
        """The headings, and whether their column holds words."""
        first = self.cells[0] if self.rows else [Cell("")] * len(self.headers)
        return [(name, not at or cell.left) for at, (name, cell) in enumerate(zip(self.headers, first, strict=True))]


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    words: Words
    look: str = ""

    template: ClassVar[str] = "text.html"


@dataclass(frozen=True)
class Heading:
    """A heading inside a section."""

    text: str

    template: ClassVar[str] = "heading.html"


@dataclass(frozen=True)
class Items:
    """A list."""

    items: Sequence[Words]

    template: ClassVar[str] = "items.html"


@dataclass(frozen=True)
class Note:
    """A verdict, and what speaks for it; its tone is good, open or bad."""

    words: Words
    tone: str
    blocks: Sequence[Block] = ()

    template: ClassVar[str] = "note.html"


@dataclass(frozen=True)
class Tile:
    """A number that matters."""

    name: str
    value: str
    more: str
    look: str = ""


@dataclass(frozen=True)
class Tiles:
    """Numbers that matter, side by side."""

    tiles: Sequence[Tile]

    template: ClassVar[str] = "tiles.html"


@dataclass(frozen=True)
class Card:
    """Blocks on a ground of their own."""

    blocks: Sequence[Block]

    template: ClassVar[str] = "card.html"


@dataclass(frozen=True)
class Grid:
    """Blocks side by side where there is room."""

    blocks: Sequence[Block]

    template: ClassVar[str] = "grid.html"


@dataclass(frozen=True)
class Figure:
    """A chart with its words and the numbers behind it; of several charts, the reader chooses one by name."""

    title: str
    caption: str
    charts: Chart | Sequence[tuple[str, Chart]]
    table: Table | None = None  # the first chart's own, unless another is given
    wide: bool = False

    template: ClassVar[str] = "figure.html"

    @property
    def choices(self) -> Sequence[tuple[str, Chart]]:
        """All charts with their names."""
        return [("", self.charts)] if isinstance(self.charts, Chart) else self.charts

    @property
    def numbers(self) -> Table:
        """The table behind the figure."""
        return self.table or Table(self.title, *self.choices[0][1].numbers())


@dataclass(frozen=True)
class Picture:
    """An SVG picture as an image: its ids stay its own, and nothing inside it can run or load."""

    svg: str
    alt: str
    caption: str

    template: ClassVar[str] = "picture.html"

    @property
    def source(self) -> str:
        """The picture as the address of an image."""
        named = 'xmlns="http://www.w3.org/2000/svg"'
        svg = self.svg if "xmlns=" in self.svg else self.svg.replace("<svg", f"<svg {named}", 1)
        return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


@dataclass(frozen=True)
class Details:
    """Blocks that open when asked for; a link to its id opens it."""

    summary: str
    blocks: Sequence[Block]
    id: str = ""

    template: ClassVar[str] = "details.html"


@dataclass(frozen=True)
class Section:
    """A part of the page that links lead to; its tag is nav where it holds links itself."""

    id: str
    title: str
    blocks: Sequence[Block]
    tag: str = "section"

    template: ClassVar[str] = "section.html"


@dataclass(frozen=True)
class Page:
    """A whole page."""

    title: str
    lead: str
    blocks: Sequence[Block]


def spans(words: Words) -> Iterable[Span]:
    """Words, span by span."""
    parts = [words] if isinstance(words, str | Span) else words
    return [part if isinstance(part, Span) else Span(part) for part in parts]
