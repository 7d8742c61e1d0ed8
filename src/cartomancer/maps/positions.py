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
from cartomancer.maps.crossings import by_columns, fewest_crossings
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
    offsets = _offsets(drawn).values()
    across = (max(offsets) - min(offsets)) * families.of(drawn.family).spacing.column
    return max(LEAST_WIDTH, across + 2 * SIDE), row_heights(drawn)[1] + BOTTOM


def positions(drawn: Map, by_column: bool = False) -> dict[int, tuple[float, float]]:
    """The place of every node, x to the right and y down; each drifts a little from its grid.

    Pictures order siblings so that the fewest edges cross. Map files have them by column, since what a seed writes into
    its file never changes.
    """
    middle = page(drawn)[0] / 2
    heights = row_heights(drawn)
    stream = Stream(cosmetic_seed(drawn), STREAM_COSMETIC)
    spacing, offsets = families.of(drawn.family).spacing, _offsets(drawn, by_column)
    reach_x, reach_y = spacing.drift
    places: dict[int, tuple[float, float]] = {}
    for node in drawn.nodes:
        # drawn for every node, so that a retyped node does not move its neighbours
        drift_x, drift_y = stream.below(2 * reach_x + 1) - reach_x, stream.below(2 * reach_y + 1) - reach_y
        if stands_alone(drawn, node):
            places[node.id] = (middle, heights[node.row])
        else:
            across = offsets[node.id] * spacing.column
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


def as_drawn(drawn: Map) -> list[Node]:
    """The nodes row by row, each row from left to right as pictures have it."""
    if families.of(drawn.family).spacing.align == "centred":
        return [drawn.by_id[node] for row in fewest_crossings(drawn) for node in row]
    return sorted(drawn.nodes, key=lambda node: (node.row, node.column))


def _offsets(drawn: Map, by_column: bool = False) -> dict[int, float]:
    """How many columns every node stands right of the middle.

    On a grid and in lanes the columns mean something and are kept; on centred rows nodes stand in the order in which
    the fewest edges cross.
    """
    if families.of(drawn.family).spacing.align == "centred":
        rows = by_columns(drawn) if by_column else fewest_crossings(drawn)
        return {node: place - (len(row) - 1) / 2 for row in rows for place, node in enumerate(row)}
    used = [node.column for node in drawn.nodes]
    return {node.id: node.column - (min(used) + max(used)) / 2 for node in drawn.nodes}


def text_cells(drawn: Map) -> dict[int, int]:
    """The cell of every node in a picture of text, counted from the leftmost column."""
    spacing = families.of(drawn.family).spacing
    offsets = _offsets(drawn)
    left = min(offsets.values())
    cells = {}
    for node in drawn.nodes:
        lone = spacing.align == "lanes" and stands_alone(drawn, node)
        cells[node.id] = int(((0.0 if lone else offsets[node.id]) - left) * spacing.cells)
    return cells
