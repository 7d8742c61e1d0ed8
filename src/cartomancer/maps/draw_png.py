"""A map as a PNG picture: the SVG, rendered."""

from __future__ import annotations

from collections.abc import Sequence

import resvg_py

from cartomancer.maps.draw_svg import draw_svg
from cartomancer.maps.model import Map


def draw_png(drawn: Map, visited: Sequence[int] = (), theme: str = "parchment", width: int = 1200) -> bytes:
    """The map as the bytes of a PNG file, so many pixels wide and as high as the map asks for."""
    return bytes(resvg_py.svg_to_bytes(svg_string=draw_svg(drawn, visited, theme), width=width))
