"""A map as text for the terminal: the boss on top, one glyph a node, edges as lines between the rows.

>>> from cartomancer import maps
>>> picture = draw_text(maps.generate("contract", "short", seed=7), ascii_only=True).splitlines()
>>> picture[2], picture[-3]
('  5         B        < boss: traits (Swift, Enraged)', '     safe      risk')
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, permutations, product
from typing import Final, NamedTuple

from cartomancer.maps import families
from cartomancer.maps.families.base import guardian_title
from cartomancer.maps.icons import LOOKS
from cartomancer.maps.model import Map
from cartomancer.maps.positions import State, states, text_cells
from cartomancer.maps.stake_words import stake_words

GLYPHS: Final = {kind: look.glyph for kind, look in LOOKS.items()}
ASCII_GLYPHS: Final = {kind: look.letter for kind, look in LOOKS.items()}
MARKS: Final[dict[State, str]] = {"visited": "[]", "current": "{}", "available": "()"}
WAIVED: Final = "*"
_ASCII_LINES: Final = str.maketrans("╱╲│─╭╮╰╯├┤┬┴┼┄·×→←", "/\\|-+++++++++.|x><")
_FAINT, _BOLD = "2", "1"
_STEP = 3  # cells that a slanted line leads aside

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_BOX: Final = "│││││╯╮┤│╰╭├─┴┬┼"  # by the directions a line goes from a cell; one alone is the end of an upright

Line = dict[int, str]  # the signs of a line by their cell


def draw_text(drawn: Map, colour: bool = False, visited: Sequence[int] | None = None, ascii_only: bool = False) -> str:
    """The map as a picture in text, with a title, row numbers, a legend and the marks of a journey.

    Without `visited` the journey is the one marked on the map, if any; an empty one is before its first choice.
    """
    glyphs = ASCII_GLYPHS if ascii_only else GLYPHS
    way = drawn.visited if visited is None else visited
    marks = states(drawn, way)
    cells, family = text_cells(drawn), families.of(drawn.family)
    width = max(cells.values()) + 1
    beginnings = {act.last_row: act for act in family.acts(drawn)}
    seed = "hidden · public: true" if drawn.is_public else drawn.seed
    lines = [_paint(f"{drawn.family} · {drawn.preset} · seed {seed} · {drawn.notation}", _BOLD, colour), ""]
    for row in range(drawn.rows, 0, -1):
        nodes = drawn.row_nodes(row)
        if row in beginnings:
            act = beginnings[row]
            through = {cells[source] for source, target in drawn.edges if drawn.by_id[source].row == row}
            rule = dict.fromkeys(range(-2, width + 2), "┄") | dict.fromkeys(through, "│")
            lines.append(_paint(f"{' ' * 5}{_joined(rule)} {act.heading} · {act.title}", _FAINT, colour))
        line: Line = {}
        for node in nodes:
            x, brackets = cells[node.id], MARKS.get(marks[node.id], "  ")
            shade = _FAINT if marks[node.id] == "missed" else LOOKS[node.type].shade
            line[x] = _paint(glyphs[node.type], shade, colour)
            if brackets.strip():
                line[x - 1], line[x + 1] = (_paint(sign, _BOLD, colour) for sign in brackets)
            elif node.waived:
                line[x + 1] = _paint(WAIVED, _BOLD, colour)
        guardians = [family.guardian_of(drawn, node) for node in nodes]
        note = "".join(f" ← {guardian_title(guardian)}" for guardian in guardians if guardian)
        at_stake = [
            f"{family.lane_of(node) or node.type.replace('_', ' ')}: {', '.join(words)}"
            for node in nodes
            if (words := stake_words(family.stakes(node)))
        ]
        note += f" ← {'; '.join(at_stake)}" if at_stake else ""
        lines.append(f"{row:>3}  " + (_joined(line, width + 2) + note if note else _joined(line)))
        if row > 1:
            pairs = {
                (cells[a], cells[b])
                for a, b in drawn.edges
                if (drawn.by_id[a].row, drawn.by_id[b].row) == (row - 1, row)
            }
            lines += [_paint(f"{' ' * 5}{_joined(gap)}", _FAINT, colour) for gap in _edge_lines(tuple(sorted(pairs)))]
    lines += _footer(drawn, glyphs, way is not None, cells)
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return text.translate(_ASCII_LINES).encode("ascii", "replace").decode() if ascii_only else text


def _footer(drawn: Map, glyphs: dict[str, str], journey: bool, cells: dict[int, int]) -> list[str]:
    """The names of the lanes, what every glyph on the map stands for, in the family's order, and what is not drawn."""
    lines = []
    family, counts = families.of(drawn.family), Counter(node.type for node in drawn.nodes)
    lanes = {lane: cells[node.id] for node in drawn.nodes if (lane := family.lane_of(node))}
    if lanes:
        lines.append(" " * 5 + _joined({x - 2: lane for lane, x in lanes.items()}))
    told = (f"{glyphs[kind]} {kind.replace('_', ' ')} ×{counts[kind]}" for kind in family.kinds if counts[kind])
    lines += ["", "  ".join(told)]
    if journey:
        lines.append("[ ] visited  { } here  ( ) next")
    if waived := [node.place for node in drawn.nodes if node.waived]:
        lines.append(f"{WAIVED} waived, as no other type was possible: {', '.join(waived)}")
    far = [(drawn.by_id[a], drawn.by_id[b]) for a, b in drawn.edges if drawn.by_id[b].row != drawn.by_id[a].row + 1]
    lines += [f"not drawn: {source.place} → {target.place}" for source, target in far]
    return lines


def _joined(line: Line, length: int = 0) -> str:
    """A line from its signs; longer entries cover the cells after them, escapes cover none."""
    text, x = "", -2
    for cell, sign in sorted(line.items()):
        text += " " * (cell - x) + sign
        x = cell + len(re.sub(r"\x1b\[[0-9;]*m", "", sign))
    return text + " " * (length - x)


def _paint(text: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour and text.strip() else text


# --- edges between two rows, as pairs of cells: (below, above) ------------------------------------------------------


class _Bundle(NamedTuple):
    """Edges that may share one track, since each of its sources leads to each of its targets."""

    sources: tuple[int, ...]
    targets: tuple[int, ...]

    @property
    def straight(self) -> bool:
        return len(self.sources) == 1 and self.sources == self.targets


Ports = dict[tuple[int, int], int]  # (bundle, target) → the cell in which the bundle reaches the target


class _Plan(NamedTuple):
    """Which track every bundle runs on (from the bottom; none for straight ones) and where it arrives."""

    tracks: dict[int, int]
    ports: Ports
    height: int


@lru_cache(maxsize=4096)
def _edge_lines(edges: tuple[tuple[int, int], ...]) -> list[Line]:
    """The lines between two rows, top first."""
    if not edges:
        return [{}]
    if all(abs(target - source) in (0, _STEP) for source, target in edges):
        return _diagonals(edges)
    return _tracks(edges)


def _diagonals(edges: tuple[tuple[int, int], ...]) -> list[Line]:
    """Straight and slanted lines, for edges that go at most one step aside: these never share a cell."""
    height = _STEP - 1 if any(source != target for source, target in edges) else 1
    lines: list[Line] = [{} for _ in range(height)]
    for source, target in edges:
        slope = (target > source) - (target < source)
        for line in range(height):
            lines[height - 1 - line][source + slope * (line + 1)] = "╲│╱"[slope + 1]
    return lines


def _tracks(edges: tuple[tuple[int, int], ...]) -> list[Line]:
    """Lines that run along horizontal tracks, one a bundle; a line that passes over another breaks it."""
    onward: dict[int, list[int]] = {}
    for source, target in edges:
        onward.setdefault(source, []).append(target)
    shared: dict[tuple[int, ...], list[int]] = {}
    for source, targets in onward.items():
        shared.setdefault(tuple(sorted(targets)), []).append(source)
    bundles = [_Bundle(tuple(sorted(sources)), targets) for targets, sources in shared.items()]
    # 3,000 plans settle every floor of four nodes; a hand-made tangle beyond that gets the best plan so far
    plan = min(islice(_plans(bundles), 3000), key=lambda plan: _clutter(bundles, plan))
    return _drawn(bundles, plan)


def _plans(bundles: list[_Bundle]) -> Iterator[_Plan]:
    """Every order of the tracks with every way to share the cells under the targets."""
    arriving: dict[int, list[int]] = {}
    for index, bundle in sorted(enumerate(bundles), key=lambda pair: sum(pair[1].sources) / len(pair[1].sources)):
        for target in bundle.targets:
            arriving.setdefault(target, []).append(index)
    for choice in product(*(_port_choices(target, indices, bundles) for target, indices in arriving.items())):
        ports = {key: cell for shared in choice for key, cell in shared.items()}
        bent = [at for at, one in enumerate(bundles) if not (one.straight and ports[at, one.targets[0]] in one.targets)]
        slanted = any(cell != target for (_, target), cell in ports.items())
        for order in permutations(bent):
            yield _Plan({bundle: track for track, bundle in enumerate(order)}, ports, len(bent) + slanted)


def _port_choices(target: int, arriving: list[int], bundles: list[_Bundle]) -> list[Ports]:
    """The ways to share out the three cells under a target among the bundles that arrive there, left to right.

    A straight bundle keeps the middle cell, unless the others leave it only a side.
    """
    crowded: list[tuple[int, ...]] = [(-1, *[0] * (len(arriving) - 2), 1)]
    roomy: dict[int, list[tuple[int, ...]]] = {1: [(0,), (-1,), (1,)], 2: [(-1, 1), (-1, 0), (0, 1)]}
    shifts = roomy.get(len(arriving), crowded)
    found = [{(b, target): target + by for b, by in zip(arriving, shift, strict=True)} for shift in shifts]
    kept = [
        ports for ports in found if all(cell == target or not bundles[b].straight for (b, _), cell in ports.items())
    ]
    return kept or found


class _Upright(NamedTuple):
    """A vertical piece of a bundle's lines, from its first to its last line counted from the bottom."""

    bundle: int
    cell: int
    first: int
    last: int
    joint: int  # which way it leaves its track


def _uprights(bundles: list[_Bundle], plan: _Plan) -> list[_Upright]:
    found = []
    top = plan.height - 1
    for index, bundle in enumerate(bundles):
        if index not in plan.tracks:
            found.append(_Upright(index, bundle.sources[0], 0, top, 0))
            continue
        track = plan.tracks[index]
        found += [_Upright(index, source, 0, track, _DOWN) for source in bundle.sources]
        found += [_Upright(index, plan.ports[index, target], track, top, _UP) for target in bundle.targets]
    return found


def _span(bundle: _Bundle, index: int, plan: _Plan) -> tuple[int, int]:
    ends = [*bundle.sources, *(plan.ports[index, target] for target in bundle.targets)]
    return min(ends), max(ends)


def _clutter(bundles: list[_Bundle], plan: _Plan) -> int:
    """How hard a plan is to read: lines that overlap count most, then crossings at a bend, crossings, height."""
    uprights = _uprights(bundles, plan)
    score = plan.height
    for number, one in enumerate(uprights):
        for other in uprights[:number]:
            if one.bundle != other.bundle and one.cell == other.cell:
                score += 1000 * (one.first <= other.last and other.first <= one.last)
        for index, track in plan.tracks.items():
            left, right = _span(bundles[index], index, plan)
            if index != one.bundle and one.first <= track <= one.last and left <= one.cell <= right:
                score += 300 if one.cell in (left, right) else 3
    return score


def _drawn(bundles: list[_Bundle], plan: _Plan) -> list[Line]:
    """The lines of a plan, top first."""
    ways: dict[tuple[int, int, int], int] = {}  # (bundle, line, cell) → the directions its line goes from there
    for index, track in plan.tracks.items():
        left, right = _span(bundles[index], index, plan)
        for cell in range(left, right + 1):
            ways[index, track, cell] = _LEFT * (cell > left) | _RIGHT * (cell < right)
    for piece in _uprights(bundles, plan):
        for line in range(piece.first, piece.last + 1):
            way = piece.joint if line == plan.tracks.get(piece.bundle) else _UP | _DOWN
            ways[piece.bundle, line, piece.cell] = ways.get((piece.bundle, line, piece.cell), 0) | way
    lines: list[Line] = [{} for _ in range(plan.height)]
    # uprights last: where two bundles cross, the upright passes over
    for (_, line, cell), way in sorted(ways.items(), key=lambda item: bool(item[1] & (_UP | _DOWN))):
        lines[line][cell] = _BOX[way]
    for (_, target), cell in plan.ports.items():
        if cell != target:
            lines[-1][cell] = "╲" if cell > target else "╱"
    return lines[::-1]
