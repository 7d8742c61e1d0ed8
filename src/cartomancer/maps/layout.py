"""Where the nodes of a map stand on a page, and how a journey so far marks them. Every picture and export uses it.

>>> from cartomancer import maps
>>> drawn = maps.generate("contract", "short", seed=7)
>>> places = layout(drawn)
>>> places[drawn.boss.id][1] == min(y for _, y in places.values())
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from cartomancer.codes import STREAM_COSMETIC
from cartomancer.content.catalog import load_catalog
from cartomancer.content.models.base import digest_of
from cartomancer.content.models.guardian import GuardianRules
from cartomancer.maps.model import Map, Node
from cartomancer.rng import Stream

State = Literal["plain", "visited", "current", "available", "ahead", "missed"]

TOP: Final = 196.0  # room for the title and the boss's glow above the last row
BOTTOM: Final = 84.0  # room under the first row, for what stands below it
SIDE: Final = 170.0
ROW_GAP: Final[dict[str, float]] = {"voyage": 100.0, "contract": 122.0, "guardian": 104.0}
BELOW_BOSS: Final = 34.0  # a boss is larger than other nodes
ABOVE_BOSS: Final = 20.0
ACT_GAP: Final = 46.0  # room for the line between two acts
LEAST_WIDTH: Final = 780.0
COLUMN_GAP: Final[dict[str, float]] = {"voyage": 108.0, "contract": 270.0, "guardian": 150.0}
DRIFT: Final[dict[str, tuple[int, int]]] = {"voyage": (17, 12), "contract": (14, 8), "guardian": (16, 9)}


@dataclass(frozen=True, slots=True)
class Act:
    """The rows of one act of a guardian map, from its entrance to its guardian."""

    number: int
    title: str
    guardian: str
    first_row: int
    last_row: int
    portal: bool = False

    @property
    def heading(self) -> str:
        """What stands before its title."""
        return "Beyond" if self.portal else f"Act {self.number}"


def acts(drawn: Map) -> list[Act]:
    """The acts of a guardian map in order, the portal to RNG as one more; no acts in other families."""
    if not isinstance(drawn.rules, GuardianRules):
        return []
    found: list[Act] = []
    row = 1
    for number, act in enumerate(drawn.rules.acts, 1):
        last = min(row + len(drawn.rules.floors_of(act)) - 1, drawn.rows)
        if row <= last:
            found.append(Act(number, act.title, act.guardian, row, last))
        row = last + 1
    if row <= drawn.rows:
        found.append(
            Act(len(found) + 1, "The Portal", load_catalog().encounters.portal_guardian, row, drawn.rows, portal=True)
        )
    return found


def act_of(drawn: Map, node: Node) -> int:
    """The number of the act a node belongs to; a map without acts is one."""
    known = node.details.get("act")
    if isinstance(known, int):
        return known
    return next((act.number for act in acts(drawn) if act.first_row <= node.row <= act.last_row), 1)


def guardian_of(drawn: Map, node: Node) -> str:
    """The id of the guardian who waits at this node, or nothing."""
    if node.type != "boss":
        return ""
    known = node.details.get("guardian_id")
    if known:
        return str(known)
    return next((act.guardian for act in acts(drawn) if act.last_row == node.row), "")


def guardian_title(guardian: str) -> str:
    """A guardian's name as people read it; one that nobody described is called by its id.

    >>> guardian_title("house"), guardian_title("grey_abbot")
    ('The House', 'Grey Abbot')
    """
    entry = load_catalog().guardians.get(guardian)
    return entry.title if entry is not None else guardian.replace("_", " ").title()


def states(drawn: Map, visited: Sequence[int]) -> dict[int, State]:
    """How a journey marks every node: where the party was and is, where it may go next, and what it can still reach.

    Without a journey every node is plain.
    """
    if not visited:
        return {node.id: "plain" for node in drawn.nodes}
    current = drawn.node(visited[-1]).id
    reach, found = [current], {current}
    while reach:
        fresh = [target for target in drawn.onward[reach.pop()] if target not in found]
        found.update(fresh)
        reach.extend(fresh)
    marks: dict[int, State] = {node.id: "ahead" if node.id in found else "missed" for node in drawn.nodes}
    marks.update(dict.fromkeys(drawn.onward[current], "available"))
    marks.update({drawn.node(node_id).id: "visited" for node_id in visited})
    marks[current] = "current"
    return marks


def travelled(visited: Sequence[int]) -> set[tuple[int, int]]:
    """The edges a journey went along."""
    return set(pairwise(visited))


def row_heights(drawn: Map) -> dict[int, float]:
    """The height of every row on the page: the boss's row on top."""
    starts = {act.first_row for act in acts(drawn)}
    bosses = {node.row for node in drawn.nodes if node.type == "boss"}
    heights: dict[int, float] = {}
    y = TOP
    for row in range(drawn.rows, 0, -1):
        heights[row] = y
        y += (
            ROW_GAP[drawn.family]
            + BELOW_BOSS * (row in bosses)
            + ABOVE_BOSS * (row - 1 in bosses)
            + ACT_GAP * (row in starts)
        )
    return heights


def page(drawn: Map) -> tuple[float, float]:
    """Width and height of the page that holds the nodes, with its margins and without a legend."""
    offsets = [_offset(drawn, node) for node in drawn.nodes]
    return max(LEAST_WIDTH, max(offsets) - min(offsets) + 2 * SIDE), row_heights(drawn)[1] + BOTTOM


def layout(drawn: Map) -> dict[int, tuple[float, float]]:
    """The place of every node, x to the right and y down; each drifts a little from its grid."""
    middle = page(drawn)[0] / 2
    heights = row_heights(drawn)
    stream = Stream(cosmetic_seed(drawn), STREAM_COSMETIC)
    reach_x, reach_y = DRIFT[drawn.family]
    places: dict[int, tuple[float, float]] = {}
    for node in drawn.nodes:
        # drawn for every node, so that a retyped node does not move its neighbours
        drift_x, drift_y = stream.below(2 * reach_x + 1) - reach_x, stream.below(2 * reach_y + 1) - reach_y
        if stands_alone(drawn, node):
            places[node.id] = (middle, heights[node.row])
        else:
            places[node.id] = (middle + _offset(drawn, node) + drift_x, heights[node.row] + drift_y)
    return places


def cosmetic_seed(drawn: Map) -> int:
    """A seed from what everybody may see of a map, so that its public half is drawn exactly like the whole (M14)."""
    cells = [[node.row, node.column] for node in drawn.nodes]
    return int(digest_of([cells, [list(edge) for edge in drawn.edges]]), 16)


def stands_alone(drawn: Map, node: Node) -> bool:
    """Whether a node stands in the middle: a boss, or the only node where lanes or ways meet."""
    if node.type == "boss" or node.details.get("lane") == "both":
        return True
    return drawn.family != "voyage" and len(drawn.row_nodes(node.row)) == 1


def _offset(drawn: Map, node: Node) -> float:
    """How far from the middle a node's column lies."""
    gap = COLUMN_GAP[drawn.family]
    if drawn.family == "guardian":
        row = sorted(other.column for other in drawn.row_nodes(node.row))
        return (row.index(node.column) - (len(row) - 1) / 2) * gap
    used = [other.column for other in drawn.nodes]
    return (node.column - (min(used) + max(used)) / 2) * gap
