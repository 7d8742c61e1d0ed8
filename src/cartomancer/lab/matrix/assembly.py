"""A cell's tables put together: the visitor's record of a party, and all the rest of a dungeon.

Packing a match reads all its content; a matrix has hundreds of thousands of cells between a few hundred parties and a
few thousand dungeons. So a party is packed with the first dungeon it meets and a dungeon with its first party. The
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
            if party not in self._parties or dungeon not in self._dungeons:
                packed, policy = self.packed(party, dungeon)
                self._parties[party] = packed.tables["visitor"], policy.table["sides"][VISITOR]
                self._dungeons[dungeon] = packed.tables, policy.table
            tables[k], policies[k] = self._dungeons[dungeon]
            tables[k]["visitor"], policies[k]["sides"][VISITOR] = self._parties[party]
        return tables, policies
