"""What pictures are painted with: the icon and colour of every node type, and the colours of the page.

Icons are silhouettes on a field of 24 by 24, drawn for small discs.

>>> from cartomancer.codes import KIND_CODES
>>> set(ICONS) == set(COLOURS) == set(KIND_CODES)
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SIZE: Final = 24


@dataclass(frozen=True, slots=True)
class Icon:
    """SVG path data: shapes that are filled (holes by the even-odd rule) and lines that are stroked."""

    shapes: tuple[str, ...] = ()
    lines: str = ""
    width: float = 2.0

    def markup(self, colour: str) -> str:
        """The icon as SVG elements in one colour."""
        found = [f'<path d="{shape}" fill="{colour}" fill-rule="evenodd"/>' for shape in self.shapes]
        if self.lines:
            found.append(
                f'<path d="{self.lines}" fill="none" stroke="{colour}" stroke-width="{self.width}" '
                'stroke-linecap="round" stroke-linejoin="round"/>'
            )
        return "".join(found)


def _disc(x: float, y: float, radius: float) -> str:
    """A circle as path data."""
    half = f"a{radius:g} {radius:g} 0 1 0"
    return f"M{x - radius:g} {y:g}{half} {2 * radius:g} 0{half} {-2 * radius:g} 0Z"


ICONS: Final[dict[str, Icon]] = {
    # three claw marks
    "monster": Icon(
        (
            "M8.2 1.8C8.2 9 6 15 .8 20.2C8.4 17.4 12.4 9.6 8.2 1.8Z",
            "M14.2 2.4C14.4 10.2 12 16.6 6.4 22.4C14.8 19.2 19 10.6 14.2 2.4Z",
            "M20.2 3.4C20.2 10.4 18 16.2 13 21.4C20.6 18.6 24.4 11 20.2 3.4Z",
        )
    ),
    # crossed swords
    "combat": Icon(
        (
            "M1.6 1.6L5.4 2.8L15.4 12.8L12.8 15.4L2.8 5.4Z",
            "M22.4 1.6L18.6 2.8L8.6 12.8L11.2 15.4L21.2 5.4Z",
        ),
        "M13.4 18L18 13.4M16.2 16.2L20.4 20.4M10.6 18L6 13.4M7.8 16.2L3.6 20.4",
        2.2,
    ),
    # a skull with horns
    "elite": Icon(
        (
            "M12 6.2C8 6.2 5.6 8.8 5.6 12.4C5.6 14.9 6.8 16.4 8.2 17.1V21.4H15.8V17.1C17.2 16.4 18.4 14.9 18.4 12.4"
            "C18.4 8.8 16 6.2 12 6.2Z"
            + _disc(9.2, 12.6, 1.9)
            + _disc(14.8, 12.6, 1.9)
            + "M12 15.2L11 17.4H13ZM10.4 19.2V21.4H11.2V19.2ZM12.8 19.2V21.4H13.6V19.2Z",
            "M5.2 9.6C2.4 8.2 1.2 5.2 2.2 1.4C3.6 4.4 5.6 5.4 8.4 5.4C6.8 6.4 5.8 7.8 5.2 9.6Z",
            "M18.8 9.6C21.6 8.2 22.8 5.2 21.8 1.4C20.4 4.4 18.4 5.4 15.6 5.4C17.2 6.4 18.2 7.8 18.8 9.6Z",
        )
    ),
    # a purse with a coin on it
    "shop": Icon(
        (
            "M8.2 2.4C10 3.6 10.6 3 12 2.2C13.4 3 14 3.6 15.8 2.4L14.2 6.2H9.8Z",
            "M9.6 8H14.4C18 10.4 20.4 13.8 20.4 17.2C20.4 20.4 17.8 22 12 22C6.2 22 3.6 20.4 3.6 17.2"
            "C3.6 13.8 6 10.4 9.6 8Z" + _disc(12, 15.4, 4) + _disc(12, 15.4, 2.3),
        ),
        "M9.4 7.1H14.6",
        1.5,
    ),
    # an anchor
    "port": Icon(
        ("M1.8 16.4L3.4 11.4L7.4 14.8Z", "M22.2 16.4L20.6 11.4L16.6 14.8Z"),
        "M12 6.8V21M7.4 9.8H16.6M3.8 14C4.6 18.6 8 21.2 12 21.2C16 21.2 19.4 18.6 20.2 14" + _disc(12, 4.4, 2.2),
        2.2,
    ),
    # a campfire
    "rest": Icon(
        (
            "M12.4 1.6C13 5.2 17.4 7.6 17.4 12.2C17.4 15.4 15 17.2 12 17.2C9 17.2 6.6 15.4 6.6 12.2"
            "C6.6 10 7.8 8.6 8.8 7.2"
            "C9.2 8.8 9.8 9.6 10.8 9.8C10.2 6.8 10.8 3.8 12.4 1.6Z"
            "M12.2 11C13.4 12.2 14.2 13 14.2 14.2C14.2 15.4 13.2 16 12 16C10.8 16 9.8 15.4 9.8 14.2"
            "C9.8 13 11.4 12.4 12.2 11Z",
        ),
        "M4.4 21.8L19.6 18.4M4.4 18.4L19.6 21.8",
        2.2,
    ),
    # a chest with a lock
    "treasure": Icon(
        (
            (
                "M2.6 11V9.4C2.6 6 4.6 4 7.6 4H16.4C19.4 4 21.4 6 21.4 9.4V11H14.6V9.8H9.4V11ZM6.4 5.6V11H7.4V5.6Z"
                "M16.6 5.6V11H17.6V5.6Z"
            ),
            "M2.6 12.4H9.4V15.6H14.6V12.4H21.4V20.6H2.6ZM6.4 12.4V20.6H7.4V12.4ZM16.6 12.4V20.6H17.6V12.4Z",
            "M10.8 11.2H13.2V14.2H10.8Z",
        )
    ),
    # a crate
    "cache": Icon(
        (
            (
                "M2.6 2.8H21.4V21.2H2.6ZM7.6 5.4H16.4L12 9.8ZM7.6 18.6H16.4L12 14.2ZM5.2 7.6V16.4L9.6 12Z"
                "M18.8 7.6V16.4L14.4 12Z"
            ),
        )
    ),
    # a question mark
    "unknown": Icon(
        (_disc(12, 20, 2),),
        "M7.6 8C7.6 4.8 9.6 3 12.2 3C15 3 16.8 4.9 16.8 7.4C16.8 11 12 11.2 12 15",
        3.2,
    ),
    # a scroll
    "event": Icon(
        (
            "M6 5.8C6 4 7.2 2.6 9 2.6H19C20.8 2.6 22 4 22 5.6V8.2H18V18.2C18 20.2 16.8 21.4 15 21.4H5"
            "C3.2 21.4 2 20.2 2 18.4V16H6Z"
            "M8.8 7.2H15.2V8.9H8.8ZM8.8 11.1H15.2V12.8H8.8ZM8.8 15H13V16.7H8.8Z",
        )
    ),
    # a skull under a crown
    "boss": Icon(
        (
            "M5.4 2.2L8.8 4.8L12 1L15.2 4.8L18.6 2.2L17.6 8.2H6.4Z",
            "M12 9.4C8 9.4 5.6 11.6 5.6 14.8C5.6 17 6.8 18.3 8.2 18.9V22.6H10.2V20.8H11.2V22.6"
            "H12.8V20.8H13.8V22.6H15.8V18.9"
            "C17.2 18.3 18.4 17 18.4 14.8C18.4 11.6 16 9.4 12 9.4Z"
            "M7.6 13.4L11 14.8C11 16.4 10.2 17 9.2 17C8.2 17 7.4 16 7.6 13.4Z"
            "M16.4 13.4L13 14.8C13 16.4 13.8 17 14.8 17C15.8 17 16.6 16 16.4 13.4Z"
            "M12 16.8L11.2 18.6H12.8Z",
        )
    ),
    # a mask over a dagger
    "rival_intrusion": Icon(
        (
            "M1.6 6.6C5 5 9 5.4 12 7C15 5.4 19 5 22.4 6.6C22.8 11.8 20 15 16.6 15C14.2 15 13.4 13.2 12 13.2"
            "C10.6 13.2 9.8 15 7.4 15"
            "C4 15 1.2 11.8 1.6 6.6ZM4.8 9.4C6.6 8.6 8.6 9 9.8 10.6C8.4 12.2 5.6 12 4.8 9.4Z"
            "M19.2 9.4C17.4 8.6 15.4 9 14.2 10.6C15.6 12.2 18.4 12 19.2 9.4Z",
            "M12 23.4L10.4 18.8V15.8C11.2 15 12.8 15 13.6 15.8V18.8Z",
        ),
        "M12 2V4.4M9.8 4.4H14.2",
        1.8,
    ),
    # candles on an altar
    "shrine": Icon(
        (
            "M3.2 16.6H20.8V19H18.4V22.4H5.6V19H3.2Z",
            "M10.4 8.8H13.6V15.6H10.4Z",
            "M5.2 12H7.6V15.6H5.2Z",
            "M16.4 12H18.8V15.6H16.4Z",
            (
                "M12 1.4C13.3 3.3 14.3 4.5 14.3 5.8C14.3 7.1 13.2 7.8 12 7.8C10.8 7.8 9.7 7.1 9.7 5.8"
                "C9.7 4.5 10.7 3.3 12 1.4Z"
            ),
            (
                "M6.4 6.8C7.3 8.1 7.9 8.9 7.9 9.8C7.9 10.7 7.2 11.2 6.4 11.2C5.6 11.2 4.9 10.7 4.9 9.8"
                "C4.9 8.9 5.5 8.1 6.4 6.8Z"
            ),
            (
                "M17.6 6.8C18.5 8.1 19.1 8.9 19.1 9.8C19.1 10.7 18.4 11.2 17.6 11.2C16.8 11.2 16.1 10.7 16.1 9.8"
                "C16.1 8.9 16.7 8.1 17.6 6.8Z"
            ),
        )
    ),
    # an eye with a crystal for a pupil
    "memory_shrine": Icon(
        (
            "M0.8 12C4.4 6.6 8.2 4.6 12 4.6C15.8 4.6 19.6 6.6 23.2 12C19.6 17.4 15.8 19.4 12 19.4"
            "C8.2 19.4 4.4 17.4 0.8 12Z" + _disc(12, 12, 5.6),
            "M12 7L15 12L12 17L9 12Z",
        )
    ),
    # spikes that come out of the floor
    "trap": Icon(
        (
            "M2.4 17.4L5 8L7.6 17.4Z",
            "M8.8 17.4L12 3L15.2 17.4Z",
            "M16.4 17.4L19 8L21.6 17.4Z",
            "M1.4 18.6H22.6V21.4H1.4Z",
        )
    ),
}


@dataclass(frozen=True, slots=True)
class Look:
    """How a node type looks in pictures and in text."""

    colour: str
    glyph: str  # one cell wide in every terminal: no sign here has an emoji form
    letter: str  # where there is only ASCII
    shade: str  # the terminal's colour code


LOOKS: Final[dict[str, Look]] = {
    "monster": Look("#a63d2f", "♞", "M", "31"),
    "combat": Look("#a63d2f", "†", "C", "31"),
    "elite": Look("#7b2a6b", "‡", "E", "1;35"),
    "shop": Look("#a9741a", "$", "$", "33"),
    "port": Look("#25688f", "⌂", "P", "34"),
    "rest": Look("#3f7d4b", "☾", "R", "32"),
    "treasure": Look("#c8951a", "◆", "T", "1;33"),
    "cache": Look("#7d5a38", "▣", "#", "33"),
    "unknown": Look("#5c6475", "?", "?", "37"),
    "event": Look("#1f8078", "!", "!", "36"),
    "boss": Look("#86121f", "♛", "B", "1;31"),
    "rival_intrusion": Look("#3d2f63", "☍", "X", "35"),
    "shrine": Look("#4d6fb0", "☼", "S", "94"),
    "memory_shrine": Look("#7a55b8", "◉", "@", "1;34"),
    "trap": Look("#59453d", "^", "^", "91"),
}
COLOURS: Final = {kind: look.colour for kind, look in LOOKS.items()}


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


THEMES: Final[dict[str, Theme]] = {
    "parchment": Theme(
        name="parchment",
        light="#fbf1d9",
        page="#efdcb2",
        dark="#c99f62",
        ink="#46301a",
        faded="#80603a",
        icon="#fff8e6",
        rim="#fdf3d8",
        trail="#9c2f1c",
        call="#d98a12",
        glow="#b3201f",
    ),
    "night": Theme(
        name="night",
        light="#2b3a5e",
        page="#18223d",
        dark="#080c1a",
        ink="#e9e2cc",
        faded="#8e9abb",
        icon="#fdf8e8",
        rim="#c9d2ea",
        trail="#f2c14e",
        call="#7fe3d4",
        glow="#ff5a48",
    ),
}
