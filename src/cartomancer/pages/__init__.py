"""Offline HTML pages: a document of blocks, charts and tables, one style, one script, one promise to load nothing.

A report says what it shows in the blocks of `document` and the charts of `charts`; `html` writes the page. Nothing here
knows what the numbers are about, and nobody else writes markup.

>>> page = html(Page("Sums & more", "Two and two.", [Text("a < b")]))
>>> page.startswith("<!doctype html>"), "Sums &amp; more" in page, "a &lt; b" in page
(True, True, True)
"""

from cartomancer.pages.document import (
    Block,
    Card,
    Cell,
    Details,
    Figure,
    Grid,
    Heading,
    Items,
    Note,
    Page,
    Picture,
    Section,
    Span,
    Table,
    Text,
    Tile,
    Tiles,
    Words,
    column,
    ordered,
)
from cartomancer.pages.rendering import html

__all__ = [
    "Block",
    "Card",
    "Cell",
    "Details",
    "Figure",
    "Grid",
    "Heading",
    "Items",
    "Note",
    "Page",
    "Picture",
    "Section",
    "Span",
    "Table",
    "Text",
    "Tile",
    "Tiles",
    "Words",
    "column",
    "html",
    "ordered",
]
