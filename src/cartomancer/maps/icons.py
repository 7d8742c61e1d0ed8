"""What pictures are painted with: the icon and colour of every node type, and the colours of the page.

Both stand in `looks.toml`. Icons are silhouettes on a field of 24 by 24, drawn for small discs.

>>> from cartomancer.codes import KIND_CODES
>>> set(LOOKS) == set(COLOURS) == set(KIND_CODES)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cartomancer.tables import table_beside


@dataclass(frozen=True, slots=True)
class Look:
    """How a node type looks in pictures and in text."""

    colour: str
    hue: str  # what charts call it
    glyph: str  # one cell wide in every terminal: no sign here has an emoji form
    letter: str  # where there is only ASCII
    shade: str  # the terminal's colour code
    shapes: Sequence[str] = ()  # SVG path data: filled, holes by the even-odd rule,
    lines: str = ""  # and stroked
    width: float = 2.0


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a page."""

    name: str
    light: str  # the page where the light falls
    page: str
    dark: str  # the page at its edges
    ink: str
    faded: str
    icon: str
    rim: str
    trail: str  # the way the party went
    call: str  # where the party may go next
    glow: str  # the light round a boss


_DECLARED: Final = table_beside(__file__, "looks.toml")
LOOKS: Final[dict[str, Look]] = {kind: Look(**look) for kind, look in _DECLARED["types"].items()}
COLOURS: Final = {kind: look.colour for kind, look in LOOKS.items()}
THEMES: Final[dict[str, Theme]] = {name: Theme(name, **colours) for name, colours in _DECLARED["themes"].items()}
