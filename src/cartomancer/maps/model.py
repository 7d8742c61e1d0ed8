"""A map as people and programs read it: nodes with names, edges by node id.

>>> from cartomancer import maps
>>> drawn = maps.generate("voyage", seed=42)
>>> drawn.node(0).type, drawn.boss.type
('monster', 'boss')
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from cartomancer.content.models.base import Preset
from cartomancer.errors import PublicMapError, SelectionError
from cartomancer.seals import with_check

HIDDEN: Final = "hidden"  # stands for the seed in the notation of a public half


@dataclass(frozen=True, slots=True)
class Node:
    """One node. Rows and columns count from 1; `details` holds what only one family knows."""

    id: int
    row: int
    column: int
    type: str
    locked: bool = False
    forced: str | None = None
    waived: bool = False
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Where it stands, as messages name it."""
        return f"node {self.id} (row {self.row}, column {self.column})"


@dataclass(frozen=True)
class Map:
    """A map of any family: a graph that leads forward, row by row, to one boss."""

    family: str
    preset: str
    seed: int
    ruleset: str  # the digest of its rules: equal maps have equal ones
    nodes: tuple[Node, ...]
    edges: tuple[tuple[int, int], ...]
    rules: Preset = field(compare=False, repr=False)
    paths: tuple[tuple[int, ...], ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    catalog: str = field(default="", compare=False)  # the digest of the catalog its details were rolled from

    @cached_property
    def rows(self) -> int:
        return max((node.row for node in self.nodes), default=0)

    @cached_property
    def columns(self) -> int:
        return max((node.column for node in self.nodes), default=0)

    @cached_property
    def by_id(self) -> dict[int, Node]:
        return {node.id: node for node in self.nodes}

    @cached_property
    def onward(self) -> dict[int, list[int]]:
        """Where each node leads."""
        found: dict[int, list[int]] = {node.id: [] for node in self.nodes}
        for source, target in self.edges:
            found[source].append(target)
        return found

    @cached_property
    def back(self) -> dict[int, list[int]]:
        """What leads to each node."""
        found: dict[int, list[int]] = {node.id: [] for node in self.nodes}
        for source, target in self.edges:
            found[target].append(source)
        return found

    @property
    def starts(self) -> list[Node]:
        """The nodes of the first row."""
        return [node for node in self.nodes if node.row == 1]

    @cached_property
    def boss(self) -> Node:
        """The node where every route ends."""
        return next(node for node in self.nodes if node.row == self.rows)

    def node(self, node_id: int) -> Node:
        """The node with this id."""
        if node_id not in self.by_id:
            raise SelectionError(f"there is no node {node_id}: ids go from {min(self.by_id)} to {max(self.by_id)}")
        return self.by_id[node_id]

    def row_nodes(self, row: int) -> list[Node]:
        """The nodes of one row, left to right."""
        return [node for node in self.nodes if node.row == row]

    @property
    def is_public(self) -> bool:
        """Whether this is only the public half of a map."""
        return self.details.get("public") is True

    def refuse_public(self, what: str) -> None:
        """Raises for the public half of a map: without the seed it cannot be what is asked (M14)."""
        if self.is_public:
            raise PublicMapError(
                f"{self.notation} is the public half of a map, which hides its seed: it cannot be {what}"
            )

    @property
    def visited(self) -> tuple[int, ...] | None:
        """The way that is marked on the map, node by node; none where no journey is shown."""
        way = self.details.get("visited")
        return None if way is None else tuple(way)

    @property
    def notation(self) -> str:
        """What the map is called: family:preset:seed:digest~check. The public half of a map hides its seed.

        It regenerates a map that nobody has edited; `maps.notation_of` is for those who must know.
        """
        if self.is_public:
            return f"{self.family}:{self.preset}:{HIDDEN}"
        return with_check(f"{self.family}:{self.preset}:{self.seed}:{self.ruleset}")


def same(one: Any, other: Any) -> bool:
    """Whether two plain values are the same in a file, where true is not 1.

    >>> same([1], [1]), same([1], [True])
    (True, False)
    """
    return json.dumps(one, sort_keys=True, default=repr) == json.dumps(other, sort_keys=True, default=repr)
