"""Ways through a map: which nodes may be entered next [Guardian: core rules, node selection].

>>> from cartomancer import maps
>>> drawn = maps.generate("guardian", seed=7)
>>> [node.type for node in available(drawn, START)]
['combat']
>>> marked(drawn, [0]).visited
(0,)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cartomancer.errors import SelectionError
from cartomancer.maps.model import Map, Node

START: Final = -1


def available(drawn: Map, current: int) -> list[Node]:
    """The nodes that may be entered from here; before the first one (−1) those of the first row."""
    if current == START:
        return drawn.starts
    return [drawn.by_id[target] for target in drawn.onward[drawn.node(current).id]]


def select(drawn: Map, current: int, choice: int) -> Node:
    """Enter a node, if an edge leads there."""
    node = drawn.node(choice)
    ways = available(drawn, current)
    if node not in ways:
        here = "the start" if current == START else drawn.node(current).place
        raise SelectionError(
            f"{node.place} cannot be entered from {here}; from there lead: "
            + (", ".join(way.place for way in ways) or "nothing, the run is over")
        )
    return node


def walked(drawn: Map, visited: Sequence[int]) -> int:
    """Where a way ends: a node id, or −1 before the first choice. A step that no edge allows is refused."""
    here = START
    for choice in visited:
        here = select(drawn, here, choice).id
    return here


def marked(drawn: Map, visited: Sequence[int]) -> Map:
    """The map with a way on it, for pictures and exports."""
    walked(drawn, visited)
    return replace(drawn, details={**drawn.details, "visited": list(visited)})
