"""A map as a standalone SVG picture: parchment or night, discs with icons, curved ways, a legend.

>>> from cartomancer import maps
>>> picture = draw_svg(maps.generate("voyage", seed=42), visited=[0])
>>> picture.startswith("<svg "), "available" in picture
(True, True)
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final
from xml.sax.saxutils import escape

from cartomancer.codes import STREAM_COSMETIC
from cartomancer.errors import UnknownNameError
from cartomancer.maps import families
from cartomancer.maps.families.base import Act, guardian_title
from cartomancer.maps.icons import COLOURS, LOOKS, SIZE, THEMES, Theme
from cartomancer.maps.model import Map, Node
from cartomancer.maps.positions import ACT_GAP, State, cosmetic_seed, page, positions, row_heights, states
from cartomancer.rng import Stream

RADIUS: Final = 27.0
BOSS_RADIUS: Final = 46.0
FONT: Final = "Georgia, 'Palatino Linotype', 'DejaVu Serif', serif"
LANE_COLOURS: Final = {"safe": COLOURS["rest"], "risk": COLOURS["monster"]}
_LEGEND_ROW: Final = 44.0


def draw_svg(drawn: Map, visited: Sequence[int] = (), theme: str = "parchment") -> str:
    """The map as one SVG document without outside references; a journey marks where the party was and may go."""
    if theme not in THEMES:
        raise UnknownNameError("theme", theme, list(THEMES))
    style = THEMES[theme]
    places = positions(drawn)
    marks = states(drawn, visited)
    width, field = page(drawn)
    key, key_height = _legend(drawn, style, width, field)
    height = field + key_height
    title = f"{drawn.family.title()} map: {drawn.rules.title}, seed {drawn.seed}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" class="cartomancer {style.name}" font-family="{FONT}">',
        f"<title>{xml_text(title)}</title>",
        f"<desc>{xml_text(_description(drawn, marks))}</desc>",
        _definitions(style),
        _ground(drawn, style, width, height),
        _heading(drawn, style, width),
        _scenery(drawn, style, width, places),
        _row_labels(drawn, style),
        *_ways(drawn, places, visited, marks),
        *(_disc(drawn, node, style, places[node.id], marks[node.id]) for node in drawn.nodes),
        key,
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


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
    aside = f" ({guardian_title(guardian)})" if guardian else f" ({lane} lane)" if lane else ""
    return f"{name}{aside}, {family.row_word} {node.row}, column {node.column}"


def _description(drawn: Map, marks: dict[int, State]) -> str:
    counts = Counter(node.type for node in drawn.nodes)
    listed = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in counts.most_common())
    been = sum(mark in ("visited", "current") for mark in marks.values())
    journey = f" {been} visited." if been else ""
    return f"{len(drawn.nodes)} nodes on {drawn.rows} rows, the boss on top: {listed}.{journey} {drawn.notation}"


# --- the page -------------------------------------------------------------------------------------------------------


def _definitions(style: Theme) -> str:
    """Gradients and styles; names carry the theme, so that two pictures on one web page do not disturb each other."""
    own = f"cm-{style.name}"
    discs = "".join(
        f'<radialGradient id="{own}-{kind}" cx=".38" cy=".3" r=".85"><stop offset="0" '
        f'stop-color="{_mixed(colour, "#ffffff", 0.26)}"/>'
        f'<stop offset=".55" stop-color="{colour}"/><stop offset="1" '
        f'stop-color="{_mixed(colour, "#000000", 0.38)}"/></radialGradient>'
        for kind, colour in COLOURS.items()
    )
    rules = (
        f".{style.name} .way{{fill:none;stroke:{style.faded};stroke-width:3.2;stroke-linecap:round}}"
        f".{style.name} .way{{stroke-dasharray:9 8}}"
        f".{style.name} .way.travelled{{stroke:{style.trail};stroke-width:5.5;stroke-dasharray:none}}"
        f".{style.name} .way.open{{stroke:{style.call};stroke-width:4}}"
        f".{style.name} .way.missed{{opacity:.3}}"
        f".{style.name} .node.missed{{opacity:.36}}"
    )
    return (
        f'<defs><radialGradient id="{own}-page" cx=".5" cy=".42" r=".78"><stop offset="0" stop-color="{style.light}"/>'
        f'<stop offset=".58" stop-color="{style.page}"/><stop offset="1" stop-color="{style.dark}"/></radialGradient>'
        f'<radialGradient id="{own}-glow"><stop offset=".35" stop-color="{style.glow}" stop-opacity=".55"/>'
        f'<stop offset="1" stop-color="{style.glow}" stop-opacity="0"/></radialGradient>'
        f'<radialGradient id="{own}-blot"><stop offset="0" stop-color="{style.dark}" stop-opacity=".22"/>'
        f'<stop offset="1" stop-color="{style.dark}" stop-opacity="0"/></radialGradient>{discs}</defs>'
        f"<style>{rules}</style>"
    )


def _ground(drawn: Map, style: Theme, width: float, height: float) -> str:
    """The page itself: its light, stains or stars, and a double frame."""
    stream = Stream(cosmetic_seed(drawn), STREAM_COSMETIC, 1)
    own = f"cm-{style.name}"
    found = [f'<rect width="{width:g}" height="{height:g}" fill="url(#{own}-page)"/>']
    for _ in range(14):
        x, y, size = stream.below(int(width)), stream.below(int(height)), 60 + stream.below(170)
        found.append(f'<ellipse cx="{x}" cy="{y}" rx="{size}" ry="{size * 7 // 10}" fill="url(#{own}-blot)"/>')
    if style.name == "night":
        for _ in range(170):
            # below the title: a star in a letter reads as a stroke
            x, y = 30 + stream.below(int(width) - 60), 125 + stream.below(int(height) - 155)
            size, light = 5 + stream.below(12), 15 + stream.below(55)
            found.append(f'<circle cx="{x}" cy="{y}" r="{size / 10:g}" fill="#fff" opacity="{light / 100:g}"/>')
    for inset, stroke, corner in ((16, 2.4, 10), (24, 0.9, 6)):
        found.append(
            f'<rect x="{inset}" y="{inset}" width="{width - 2 * inset:g}" height="{height - 2 * inset:g}" '
            f'rx="{corner}" fill="none" stroke="{style.faded}" stroke-width="{stroke}" opacity=".75"/>'
        )
    return f'<g class="ground">{"".join(found)}</g>'


def _heading(drawn: Map, style: Theme, width: float) -> str:
    title = f"{drawn.family.title()} · {drawn.rules.title}"
    size = min(38.0, (width - 140) / (0.62 * len(title)))
    small = min(16.0, (width - 140) / (0.6 * len(drawn.notation)))
    return (
        f'<text x="{width / 2:g}" y="78" text-anchor="middle" font-size="{size:.1f}" font-weight="bold" '
        f'letter-spacing="1" fill="{style.ink}">{xml_text(title)}</text>'
        f'<text x="{width / 2:g}" y="106" text-anchor="middle" font-size="{small:.1f}" font-style="italic" '
        f'fill="{style.faded}">{xml_text(drawn.notation)}</text>'
    )


def _scenery(drawn: Map, style: Theme, width: float, places: dict[int, tuple[float, float]]) -> str:
    """What a family's page shows behind its ways: a compass rose, lanes, acts."""
    family, height = families.of(drawn.family), page(drawn)[1]
    found = [_act(drawn, act, style, width) for act in family.acts(drawn)]
    if family.compass:
        found.append(_compass(style, width / 2, height * 0.53, min(width * 0.36, height * 0.3)))
    lanes: dict[str, list[int]] = {}
    for node in drawn.nodes:
        if lane := family.lane_of(node):
            lanes.setdefault(lane, []).append(node.id)
    if lanes:
        found.append(_lanes(drawn, style, places, lanes))
    return "".join(found)


def _compass(style: Theme, x: float, y: float, size: float) -> str:
    """A compass rose with the lines that old sea-maps draw from it."""
    rays = []
    for point in range(32):
        angle = math.tau * point / 32
        rays.append(f"M0 0L{math.sin(angle) * size * 2.1:.1f} {-math.cos(angle) * size * 2.1:.1f}")
    stars = []
    for turn, reach in ((45, 0.62), (0, 1.0)):
        for quarter in range(4):
            tip, side = size * reach, size * 0.12
            stars.append(
                f'<g transform="rotate({turn + 90 * quarter})"><path d="M0 {-tip:.1f}L{side:.1f} {-side:.1f}L0 0Z"/>'
                f'<path d="M0 {-tip:.1f}L{-side:.1f} {-side:.1f}L0 0Z" fill-opacity=".35"/></g>'
            )
    rings = "".join(f'<circle r="{size * share:.1f}" fill="none"/>' for share in (0.78, 0.74, 0.3))
    return (
        f'<g class="scenery" transform="translate({x:.1f} {y:.1f})" fill="{style.faded}" stroke="{style.faded}">'
        f'<path d="{"".join(rays)}" fill="none" opacity=".13"/><g opacity=".13">{rings}{"".join(stars)}</g></g>'
    )


def _lanes(drawn: Map, style: Theme, places: dict[int, tuple[float, float]], lanes: dict[str, list[int]]) -> str:
    found = []
    heights = row_heights(drawn)
    for lane, ids in lanes.items():
        colour = LANE_COLOURS.get(lane, style.faded)
        x = sum(places[node_id][0] for node_id in ids) / len(ids)
        steps = [heights[drawn.by_id[node_id].row] for node_id in ids]
        top, low = min(steps), max(steps)
        found.append(
            f'<rect x="{x - 78:.1f}" y="{top - 58:.1f}" width="156" height="{low - top + 116:.1f}" rx="70" '
            f'fill="{colour}" fill-opacity=".10" stroke="{colour}" stroke-opacity=".35" stroke-width="1.5"/>'
            f'<text x="{x:.1f}" y="{low + 84:.1f}" text-anchor="middle" font-size="19" letter-spacing="3" '
            f'font-weight="bold" fill="{_mixed(colour, style.ink, 0.35)}">{lane.upper()}</text>'
        )
    return f'<g class="scenery">{"".join(found)}</g>'


def _act(drawn: Map, act: Act, style: Theme, width: float) -> str:
    """An act's name beside its entrance, its guardian's beside the last floor, and a line to the act below."""
    heights = row_heights(drawn)
    entrance, last = heights[act.first_row], heights[act.last_row]
    right = width / 2 + BOSS_RADIUS + 22
    small, large = 'font-size="14" letter-spacing="3"', 'font-size="21" font-weight="bold"'
    found = [
        f'<text x="88" y="{entrance - 6:.1f}" {small} fill="{style.faded}">{act.heading.upper()}</text>',
        f'<text x="88" y="{entrance + 18:.1f}" {large} fill="{style.ink}">{xml_text(act.title)}</text>',
    ]
    if act.guardian:
        name = xml_text(guardian_title(act.guardian))
        found += [
            f'<text x="{right:.1f}" y="{last - 4:.1f}" {small} fill="{style.faded}">GUARDIAN</text>',
            f'<text x="{right:.1f}" y="{last + 20:.1f}" {large} fill="{style.ink}">{name}</text>',
        ]
    if act.first_row > 1:
        y = entrance + (heights[act.first_row - 1] - entrance - BOSS_RADIUS + ACT_GAP * 0.4) / 2
        found.append(
            f'<path d="M56 {y:.1f}H{width / 2 - 34:.1f}M{width / 2 + 34:.1f} {y:.1f}H{width - 56:.1f}" '
            f'stroke="{style.faded}" stroke-width="1.4" opacity=".8"/>'
        )
        for x in (56, width / 2 - 34, width / 2 + 34, width - 56):
            found.append(f'<path d="M{x - 6:.1f} {y:.1f}l6 -6l6 6l-6 6Z" fill="{style.faded}"/>')
    return f'<g class="scenery act">{"".join(found)}</g>'


def _row_labels(drawn: Map, style: Theme) -> str:
    heights = row_heights(drawn)
    found = [f'<text x="52" y="{y + 5:.1f}">{row}</text>' for row, y in heights.items()]
    word = families.of(drawn.family).row_word
    found.append(f'<text x="52" y="{heights[drawn.rows] - 24:.1f}" font-size="12" font-style="italic">{word}</text>')
    return f'<g class="rows" text-anchor="middle" font-size="16" fill="{style.faded}">{"".join(found)}</g>'


# --- ways and nodes -------------------------------------------------------------------------------------------------


def _ways(
    drawn: Map, places: dict[int, tuple[float, float]], visited: Sequence[int], marks: dict[int, State]
) -> list[str]:
    gone = set(pairwise(visited))  # the edges the journey went along
    found = []
    for source, target in sorted(drawn.edges, key=lambda edge: edge in gone):
        names = "way"
        if (source, target) in gone:
            names += " travelled"
        elif marks[source] == "current":
            names += " open"
        elif marks[source] not in ("plain", "ahead", "available"):
            names += " missed"
        curve = _curve(places[source], places[target], _radius(drawn.by_id[source]), _radius(drawn.by_id[target]))
        found.append(f'<path class="{names}" data-from="{source}" data-to="{target}" d="{curve}"/>')
    return found


def _curve(start: tuple[float, float], end: tuple[float, float], start_radius: float, end_radius: float) -> str:
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


def _ring(radius: float, colour: str, width: float, dashes: str = "none") -> str:
    return (
        f'<circle r="{radius:.1f}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dashes}"/>'
    )


def _disc(drawn: Map, node: Node, style: Theme, place: tuple[float, float], mark: State) -> str:
    radius = _radius(node)
    own = f"cm-{style.name}"
    under, over = "", ""
    rim, rim_width = style.rim, 2.6
    if node.type == "boss":
        under += f'<circle r="{radius * 1.75:.1f}" fill="url(#{own}-glow)"/>'
        over += _ring(radius + 6, COLOURS["boss"], 1.6, "2 5")
    if mark in ("visited", "current"):
        rim, rim_width = style.trail, 5.0
    if mark == "current":
        over += _ring(radius + 8, style.trail, 2.6)
        under += f'<circle r="{radius + 15:.1f}" fill="{style.trail}" opacity=".25"/>'
    if mark == "available":
        under += f'<circle r="{radius + 13:.1f}" fill="{style.call}" opacity=".28"/>'
        over += _ring(radius + 7, style.call, 3.4, "7 5")
    if mark == "visited":
        over += (
            f'<g transform="translate({radius * 0.78:.1f} {radius * 0.72:.1f})"><circle r="10" fill="{style.trail}" '
            f'stroke="{style.rim}" stroke-width="1.6"/><path d="M-4.4 .2L-1.2 3.6L4.8 -3.4" fill="none" '
            f'stroke="{style.icon}" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></g>'
        )
    scale = radius * (1.28 if node.type == "boss" else 1.22) / SIZE
    name = node_title(drawn, node) + ("" if mark == "plain" else f", {mark}")
    return (
        f'<g class="node {node.type} {mark}" data-node="{node.id}" data-type="{node.type}" '
        f'transform="translate({place[0]:.1f} {place[1]:.1f})"><title>{xml_text(name)}</title>{under}'
        f'<ellipse cx="2" cy="5" rx="{radius + 1:.1f}" ry="{radius:.1f}" fill="#000" opacity=".24"/>'
        f'<circle r="{radius:.1f}" fill="url(#{own}-{node.type})" stroke="{rim}" stroke-width="{rim_width}"/>'
        f'<g class="icon" transform="scale({scale:.3f}) translate(-12 '
        f'-12)">{LOOKS[node.type].icon(style.icon)}</g>{over}</g>'
    )


def _legend(drawn: Map, style: Theme, width: float, top: float) -> tuple[str, float]:
    """The types on the map with their counts, in rows under the first row of nodes; and the height this takes."""
    counts = Counter(node.type for node in drawn.nodes)
    kinds = [kind for kind in families.of(drawn.family).kinds if counts[kind]]
    step = 68.0 + 8.8 * max(len(f"{kind} ×{counts[kind]}") for kind in kinds)
    per_row = max(1, min(len(kinds), int((width - 90) // step)))
    rows = math.ceil(len(kinds) / per_row)
    per_row = math.ceil(len(kinds) / rows)
    left = (width - per_row * step) / 2 + 24
    y = top + 52
    found = [f'<path d="M56 {top + 14:.1f}H{width - 56:.1f}" stroke="{style.faded}" stroke-width="1.2" opacity=".7"/>']
    for index, kind in enumerate(kinds):
        x, line = left + (index % per_row) * step, y + (index // per_row) * _LEGEND_ROW
        found.append(
            f'<g data-legend="{kind}" transform="translate({x:.1f} {line:.1f})"><circle r="15" '
            f'fill="url(#cm-{style.name}-{kind})" stroke="{style.rim}" stroke-width="1.6"/><g transform="scale(.76) '
            f'translate(-12 -12)">{LOOKS[kind].icon(style.icon)}</g><text x="24" y="5.5" font-size="16" '
            f'fill="{style.ink}">{kind.replace("_", " ")} <tspan fill="{style.faded}">×{counts[kind]}</tspan>'
            "</text></g>"
        )
    return f'<g class="legend">{"".join(found)}</g>', 52 + rows * _LEGEND_ROW + 22


def _mixed(colour: str, other: str, share: float) -> str:
    """A colour with a share of another in it."""
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)
