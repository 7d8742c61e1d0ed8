"""A map as a picture, SVG or PNG: parchment or night, discs with icons, curved ways, a legend.

>>> from cartomancer import maps
>>> picture = draw_svg(maps.generate("voyage", seed=42), visited=[0])
>>> picture.startswith("<svg "), "available" in picture
(True, True)
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final
from xml.sax.saxutils import escape

from cartomancer.codes import STREAM_COSMETIC
from cartomancer.errors import UnknownNameError
from cartomancer.maps import families
from cartomancer.maps.families.base import guardian_title
from cartomancer.maps.icons import COLOURS, LOOKS, THEMES, Theme
from cartomancer.maps.model import Map, Node
from cartomancer.maps.positions import ACT_GAP, State, cosmetic_seed, page, positions, row_heights, states
from cartomancer.maps.stake_words import stake_lines, stake_words
from cartomancer.pages import render
from cartomancer.rng import Stream

RADIUS: Final = 27.0
BOSS_RADIUS: Final = 46.0
LANE_COLOURS: Final = {"safe": COLOURS["rest"], "risk": COLOURS["monster"]}
_LEGEND_ROW: Final = 44.0

Place = tuple[float, float]


def draw_svg(drawn: Map, visited: Sequence[int] | None = None, theme: str = "parchment") -> str:
    """The map as one SVG document without outside references; a journey marks where the party was and may go.

    Without `visited` the journey is the one marked on the map, if any; an empty one is before its first choice.
    """
    if theme not in THEMES:
        raise UnknownNameError("theme", theme, list(THEMES))
    way = drawn.visited if visited is None else visited
    style, places, marks = THEMES[theme], positions(drawn), states(drawn, way)
    family, (width, field) = families.of(drawn.family), page(drawn)
    legend, key_height = _legend(drawn, width, field)
    key_height += _LEGEND_ROW * any(node.waived for node in drawn.nodes)
    stream = Stream(cosmetic_seed(drawn), STREAM_COSMETIC, 1)
    across, down = int(width), int(field + key_height)
    stains = [(stream.below(across), stream.below(down), 60 + stream.below(170)) for _ in range(14)]
    # below the title: a star in a letter reads as a stroke
    stars = [
        (30 + stream.below(across - 60), 125 + stream.below(down - 155), 5 + stream.below(12), 15 + stream.below(55))
        for _ in range(170 if style.name == "night" else 0)
    ]
    return render(
        __name__,
        "map.svg",
        drawn=drawn,
        style=style,
        width=width,
        height=field + key_height,
        field=field,
        description=_description(drawn, marks),
        places=places,
        marks=marks,
        heights=row_heights(drawn),
        stains=stains,
        stars=stars,
        acts=family.acts(drawn),
        compass=_compass(width / 2, field * 0.53, min(width * 0.36, field * 0.3)) if family.compass else (),
        lanes=_lanes(drawn, style, places),
        row_word=family.row_word,
        ways=list(_ways(drawn, places, way or (), marks)),
        legend=legend,
        captions=list(_captions(drawn, places, width)),
        looks=LOOKS,
        ACT_GAP=ACT_GAP,
        BOSS_RADIUS=BOSS_RADIUS,
        guardian_title=guardian_title,
        node_title=node_title,
        radius_of=_radius,
        mixed=_mixed,
        xml_text=xml_text,
        tenths="{:.1f}".format,
        short="{:g}".format,
        fitting=lambda most, share, text: min(most, (width - 140) / (share * len(text))),
    )


def draw_png(drawn: Map, visited: Sequence[int] | None = None, theme: str = "parchment", width: int = 1200) -> bytes:
    """The map as the bytes of a PNG file, so many pixels wide and as high as the map asks for: the SVG, rendered."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=draw_svg(drawn, visited, theme), width=width))


def xml_text(text: str) -> str:
    """Text as XML may carry it: escaped, without the control characters XML 1.0 forbids.

    >>> xml_text('<a & "b">')
    '&lt;a &amp; "b"&gt;'
    """
    return escape(re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text))


def node_title(drawn: Map, node: Node) -> str:
    """A node in a few words, for screen readers and tooltips."""
    family, name = families.of(drawn.family), node.type.replace("_", " ")
    guardian, lane = family.guardian_of(drawn, node), family.lane_of(node)
    became = f" ({node.details['resolved']})" if "resolved" in node.details else ""
    aside = f" ({guardian_title(guardian)})" if guardian else f" ({lane} lane)" if lane else became
    more = [*stake_words(family.stakes(node)), *(["waived, as no other type was possible"] if node.waived else [])]
    return ", ".join([f"{name}{aside}", f"{family.row_word} {node.row}", f"column {node.column}", *more])


def _description(drawn: Map, marks: dict[int, State]) -> str:
    counts = Counter(node.type for node in drawn.nodes)
    listed = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in counts.most_common())
    been = sum(mark in ("visited", "current") for mark in marks.values())
    journey = f" {been} visited." if been else ""
    return f"{len(drawn.nodes)} nodes on {drawn.rows} rows, the boss on top: {listed}.{journey} {drawn.notation}"


def _compass(x: float, y: float, size: float) -> tuple[float, float, float, str]:
    """Where a compass rose lies, how large it is, and the lines that lead from it."""
    angles = [math.tau * point / 32 for point in range(32)]
    rays = [f"M0 0L{math.sin(angle) * size * 2.1:.1f} {-math.cos(angle) * size * 2.1:.1f}" for angle in angles]
    return x, y, size, "".join(rays)


def _lanes(drawn: Map, style: Theme, places: dict[int, Place]) -> dict[str, tuple[str, float, float, float]]:
    """The colour, the middle, the top and the foot of every lane."""
    family, heights = families.of(drawn.family), row_heights(drawn)
    lanes: dict[str, list[Node]] = {}
    for node in drawn.nodes:
        if lane := family.lane_of(node):
            lanes.setdefault(lane, []).append(node)
    found = {}
    for lane, nodes in lanes.items():
        x = sum(places[node.id][0] for node in nodes) / len(nodes)
        steps = [heights[node.row] for node in nodes]
        found[lane] = (LANE_COLOURS.get(lane, style.faded), x, min(steps), max(steps))
    return found


def _captions(
    drawn: Map, places: dict[int, Place], width: float
) -> Iterator[tuple[float, float, str, float, list[str]]]:
    """What is at stake at nodes, beside them and away from the ways between lanes: place, side, size of type, lines."""
    family = families.of(drawn.family)
    for node in drawn.nodes:
        if lines := stake_lines(family.stakes(node)):
            x, y = places[node.id]
            left, reach = x < width / 2 - 1, _radius(node) + 10
            room = (x - reach - 72) if left else (width - 40 - x - reach)
            size = min(14.0, room / (0.54 * max(1, *map(len, lines))))
            yield x - reach if left else x + reach, y, "end" if left else "start", size, lines


def _ways(
    drawn: Map, places: dict[int, Place], visited: Sequence[int], marks: dict[int, State]
) -> Iterator[tuple[int, int, str, str]]:
    """Every edge, how the journey marks it, and its curve; the ways that were gone lie on top."""
    gone = set(pairwise(visited))  # the edges the journey went along
    for source, target in sorted(drawn.edges, key=lambda edge: edge in gone):
        mark = ""
        if (source, target) in gone:
            mark = " travelled"
        elif marks[source] == "current":
            mark = " open"
        elif marks[source] not in ("plain", "ahead", "available"):
            mark = " missed"
        radii = _radius(drawn.by_id[source]), _radius(drawn.by_id[target])
        yield source, target, mark, _curve(places[source], places[target], *radii)


def _curve(start: Place, end: Place, start_radius: float, end_radius: float) -> str:
    """A way from rim to rim. It leaves and arrives halfway between upright and straight at the other node."""
    across, along = end[0] - start[0], end[1] - start[1]
    angle = math.atan2(across, -along)
    lean = angle * (0.55 + 0.42 * min(1.0, abs(angle) / 1.35))  # flat ways run nearly straight, or they would tangle
    x1, y1 = start[0] + math.sin(lean) * (start_radius + 7), start[1] - math.cos(lean) * (start_radius + 7)
    x2, y2 = end[0] - math.sin(lean) * (end_radius + 7), end[1] + math.cos(lean) * (end_radius + 7)
    pull = math.hypot(x2 - x1, y2 - y1) * 0.36
    bend_x, bend_y = math.sin(lean) * pull, math.cos(lean) * pull
    return (
        f"M{x1:.1f} {y1:.1f}C{x1 + bend_x:.1f} {y1 - bend_y:.1f} {x2 - bend_x:.1f} {y2 + bend_y:.1f} {x2:.1f} {y2:.1f}"
    )


def _radius(node: Node) -> float:
    return BOSS_RADIUS if node.type == "boss" else RADIUS


def _legend(drawn: Map, width: float, top: float) -> tuple[list[tuple[str, int, float, float]], float]:
    """The types on the map with their counts and places, under the first row of nodes; and the height this takes."""
    counts = Counter(node.type for node in drawn.nodes)
    kinds = [kind for kind in families.of(drawn.family).kinds if counts[kind]]
    step = 68.0 + 8.8 * max(len(f"{kind} ×{counts[kind]}") for kind in kinds)
    per_row = max(1, min(len(kinds), int((width - 90) // step)))
    rows = math.ceil(len(kinds) / per_row)
    per_row = math.ceil(len(kinds) / rows)
    left, first = (width - per_row * step) / 2 + 24, top + 52
    entries = [
        (kind, counts[kind], left + (index % per_row) * step, first + (index // per_row) * _LEGEND_ROW)
        for index, kind in enumerate(kinds)
    ]
    return entries, 52 + rows * _LEGEND_ROW + 22


def _mixed(colour: str, other: str, share: float) -> str:
    """A colour with a share of another in it."""
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)
