"""Where the nodes of a map stand on a page, and how a journey so far marks them. Every picture and export uses it.

>>> from cartomancer import maps
>>> drawn = maps.generate("contract", "short", seed=7)
>>> places = positions(drawn)
>>> places[drawn.boss.id][1] == min(y for _, y in places.values())
True
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from cartomancer.codes import STREAM_COSMETIC
from cartomancer.maps import families
from cartomancer.maps.model import Map, Node
from cartomancer.maps.ways import available, walked
from cartomancer.rng import Stream
from cartomancer.seals import digest_of

State = Literal["plain", "visited", "current", "available", "ahead", "missed"]

TOP: Final = 196.0  # room for the title and the boss's glow above the last row
BOTTOM: Final = 84.0  # room under the first row, for what stands below it
SIDE: Final = 170.0
BELOW_BOSS: Final = 34.0  # a boss is larger than other nodes
ABOVE_BOSS: Final = 20.0
ACT_GAP: Final = 46.0  # room for the line between two acts
LEAST_WIDTH: Final = 780.0


def states(drawn: Map, visited: Sequence[int] | None) -> dict[int, State]:
    """How a journey marks every node: where the party was and is, where it may go next, and what it can still reach.

    Without a journey every node is plain; before its first choice (nothing visited) the first row is available. A way
    that no edges allow is refused.
    """
    if visited is None:
        return {node.id: "plain" for node in drawn.nodes}
    current = walked(drawn, visited)
    onward = [node.id for node in available(drawn, current)]
    reach, found = list(onward), set(onward)
    while reach:
        fresh = [target for target in drawn.onward[reach.pop()] if target not in found]
        found.update(fresh)
        reach.extend(fresh)
    marks: dict[int, State] = {node.id: "ahead" if node.id in found else "missed" for node in drawn.nodes}
    marks.update(dict.fromkeys(onward, "available"))
    marks.update(dict.fromkeys(visited, "visited"))
    if visited:
        marks[current] = "current"
    return marks


def row_heights(drawn: Map) -> dict[int, float]:
    """The height of every row on the page: the boss's row on top."""
    family = families.of(drawn.family)
    starts = {act.first_row for act in family.acts(drawn)}
    bosses = {node.row for node in drawn.nodes if node.type == "boss"}
    heights: dict[int, float] = {}
    y = TOP
    for row in range(drawn.rows, 0, -1):
        heights[row] = y
        y += (
            family.spacing.row
            + BELOW_BOSS * (row in bosses)
            + ABOVE_BOSS * (row - 1 in bosses)
            + ACT_GAP * (row in starts)
        )
    return heights


def page(drawn: Map) -> tuple[float, float]:
    """Width and height of the page that holds the nodes, with its margins and without a legend."""
    offsets = [_offset(drawn, node) * families.of(drawn.family).spacing.column for node in drawn.nodes]
    return max(LEAST_WIDTH, max(offsets) - min(offsets) + 2 * SIDE), row_heights(drawn)[1] + BOTTOM


def positions(drawn: Map) -> dict[int, tuple[float, float]]:
    """The place of every node, x to the right and y down; each drifts a little from its grid."""
    middle = page(drawn)[0] / 2
    heights = row_heights(drawn)
    stream = Stream(cosmetic_seed(drawn), STREAM_COSMETIC)
    spacing = families.of(drawn.family).spacing
    reach_x, reach_y = spacing.drift
    places: dict[int, tuple[float, float]] = {}
    for node in drawn.nodes:
        # drawn for every node, so that a retyped node does not move its neighbours
        drift_x, drift_y = stream.below(2 * reach_x + 1) - reach_x, stream.below(2 * reach_y + 1) - reach_y
        if stands_alone(drawn, node):
            places[node.id] = (middle, heights[node.row])
        else:
            across = _offset(drawn, node) * spacing.column
            places[node.id] = (middle + across + drift_x, heights[node.row] + drift_y)
    return places


def cosmetic_seed(drawn: Map) -> int:
    """A seed from what everybody may see of a map, so that its public half is drawn exactly like the whole (M14)."""
    cells = [[node.row, node.column] for node in drawn.nodes]
    return int(digest_of([cells, [list(edge) for edge in drawn.edges]]), 16)


def stands_alone(drawn: Map, node: Node) -> bool:
    """Whether a node stands in the middle: a boss, or the only node where lanes or ways meet."""
    lone = families.of(drawn.family).spacing.align != "grid" and len(drawn.row_nodes(node.row)) == 1
    return lone or node.type == "boss"


def _offset(drawn: Map, node: Node) -> float:
    """How many columns a node stands right of the middle."""
    if families.of(drawn.family).spacing.align == "centred":
        row = sorted(other.column for other in drawn.row_nodes(node.row))
        return row.index(node.column) - (len(row) - 1) / 2
    used = [other.column for other in drawn.nodes]
    return node.column - (min(used) + max(used)) / 2


def text_cells(drawn: Map) -> dict[int, int]:
    """The cell of every node in a picture of text, counted from the leftmost column."""
    spacing = families.of(drawn.family).spacing
    left = min(_offset(drawn, node) for node in drawn.nodes)
    cells = {}
    for node in drawn.nodes:
        lone = spacing.align == "lanes" and stands_alone(drawn, node)
        cells[node.id] = int(((0.0 if lone else _offset(drawn, node)) - left) * spacing.cells)
    return cells
