"""The marks a chart is drawn with, and the scales that place them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 400
LETTER: Final = 7.3  # the width of one, on average, in the words of a chart
Scale = Callable[[float], float]
Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Mark:
    """An element of a drawing; a mark with a hint can be pointed at and reached by keys."""

    tag: str
    look: str
    attributes: Mapping[str, str]
    text: str = ""
    hint: str = ""


def _mark(tag: str, look: str, text: str = "", hint: str = "", **places: float | str) -> Mark:
    placed = {name.replace("_", "-"): v if isinstance(v, str) else f"{v:.1f}" for name, v in places.items()}
    return Mark(tag, look, placed, text, hint)


def line(x1: float, y1: float, x2: float, y2: float, look: str) -> Mark:
    """A straight line."""
    return _mark("line", look, x1=x1, y1=y1, x2=x2, y2=y2)


def rect(x: float, y: float, width: float, height: float, look: str, hint: str = "", strength: float = 1.0) -> Mark:
    """A rectangle; its strength is how much of its colour it shows."""
    some = {} if strength >= 1 else {"fill-opacity": f"{strength:.2f}"}
    return _mark("rect", look, "", hint, x=x, y=y, width=max(width, 0), height=max(height, 0), **some)


def word(x: float, y: float, text: str, look: str = "", anchor: str = "start", turn: int = 0) -> Mark:
    """A word, turned by some degrees around its place."""
    turned = {"transform": f"rotate({turn} {x:.1f} {y:.1f})"} if turn else {}
    return _mark("text", look, text, x=x, y=y, text_anchor=anchor, **turned)


def path(points: Points, look: str, closed: bool = False, hint: str = "") -> Mark:
    """A line through points, or the area inside it."""
    steps = " ".join(f"{'L' if k else 'M'}{x:.1f} {y:.1f}" for k, (x, y) in enumerate(points))
    return _mark("path", look, "", hint, d=f"{steps}{'Z' if closed else ''}")


def disc(x: float, y: float, radius: float, look: str, hint: str) -> Mark:
    """A point."""
    return _mark("circle", look, "", hint, cx=x, cy=y, r=radius)


def diamond(x: float, y: float, radius: float, look: str, hint: str) -> Mark:
    """A point of another shape."""
    return path([(x - radius, y), (x, y - radius), (x + radius, y), (x, y + radius)], look, True, hint)


def whisker(x1: float, y1: float, x2: float, y2: float) -> Mark:
    """An interval with its ends, lying or upright."""
    across, up = (0.0, 3.0) if y1 == y2 else (3.0, 0.0)
    ends = " ".join(f"M{x - across:.1f} {y - up:.1f}L{x + across:.1f} {y + up:.1f}" for x, y in ((x1, y1), (x2, y2)))
    return _mark("path", "whisker", d=f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f} {ends}")


def scale(low: float, high: float, start: float, end: float) -> Scale:
    """From values to places."""
    span = (high - low) or 1.0
    return lambda value: start + (end - start) * (value - low) / span


def ticks(high: float) -> list[float]:
    """Round values from 0 on, the last at or beyond `high`.

    >>> ticks(1.0), ticks(7.3)
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 2.0, 4.0, 6.0, 8.0])
    """
    rough = high / 4 or 1.0
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * by for by in (1, 2, 2.5, 5, 10) if size * by >= rough * (1 - 1e-9))
    return [round(step * k, 9) for k in range(math.ceil(high / step - 1e-9) + 1)]
