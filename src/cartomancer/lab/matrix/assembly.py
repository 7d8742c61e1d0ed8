"""A cell's tables put together: the visitor's record of a party, and all the rest of a dungeon.

Packing a match reads all its content; a matrix has hundreds of thousands of cells between a few hundred parties and a
few thousand dungeons. So each party is packed once (against any dungeon) and each dungeon once (against any party). The
result is what packing the match itself gives, bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cartomancer.encounters.kernel.codes import VISITOR
from cartomancer.encounters.kernel.layout import TABLES
from cartomancer.encounters.packing import Packed, pack
from cartomancer.jit import records
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.players.kernel.layout import POLICIES
from cartomancer.players.policies import PlayerSpec, Policies, pack_policies

Cell = tuple[int, int]  # a party's number, a dungeon's number
Records = tuple[Any, Any]  # of tables, of policies


class Assembly:
    """Tables and policies for the cells of a codex's compositions."""

    def __init__(
        self, space: Compositions, dungeon: PlayerSpec | None = None, visitor: PlayerSpec | None = None
    ) -> None:
        self.space, self.specs = space, (dungeon or PlayerSpec(), visitor or PlayerSpec())
        self._parties: dict[int, Records] = {}
        self._dungeons: dict[int, Records] = {}

    def packed(self, party: int, dungeon: int) -> tuple[Packed, Policies]:
        """A cell packed from its content."""
        packed = pack(self.space.name(party, dungeon), self.space.codex)
        return packed, pack_policies(packed, *self.specs, self.space.codex)

    def tables(self, cells: Sequence[Cell]) -> Records:
        """The tables and policies of some cells."""
        tables, policies = records(len(cells), TABLES), records(len(cells), POLICIES)
        for k, (party, dungeon) in enumerate(cells):
            tables[k], policies[k] = self._dungeon(dungeon)
            tables[k]["visitor"], policies[k]["sides"][VISITOR] = self._party(party)
        return tables, policies

    def _party(self, index: int) -> Records:
        if index not in self._parties:
            packed, policies = self.packed(index, 0)
            self._parties[index] = packed.tables["visitor"], policies.table["sides"][VISITOR]
        return self._parties[index]

    def _dungeon(self, index: int) -> Records:
        if index not in self._dungeons:
            packed, policies = self.packed(0, index)
            self._dungeons[index] = packed.tables, policies.table
        return self._dungeons[index]
