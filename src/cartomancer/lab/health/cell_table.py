"""A matchup matrix as plain columns: what the search for anomalies reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cartomancer.content.matches import Match
from cartomancer.lab.matrix.matchups import Matrix

Array = np.ndarray[Any, Any]
COUNTED = ("games", "outcomes", "lead_changes", "lead_changes_squared", "first_down")  # of a cell's record, as it is


@dataclass(frozen=True)
class CellTable:
    """One row a cell; parties and dungeons by their numbers in the lists. All runs of all cells have one batch seed."""

    parties: Sequence[tuple[str, ...]]  # classes, seat by seat
    labels: Sequence[tuple[str, ...]]  # how a match writes each party: its classes or its name
    dungeons: Sequence[tuple[str, ...]]  # rooms in order
    profiles: Sequence[str | None]  # of each dungeon; nothing where it plays its own way
    seed: int
    party: Array
    dungeon: Array
    games: Array
    points: Array  # the dungeon's wins and half the Bonds
    outcomes: Array  # by cell and outcome code
    lead_changes: Array  # sums over a cell's games
    lead_changes_squared: Array
    first_down: Array  # games by cell and seat
    one_member: float  # from this share of first knock-outs on, one member is always the victim [GDD 18.2.4]
    least_agency: float  # lead changes a run, below which a matchup has none [GDD 18.2.1]
    peeked: bool = False  # whether games were spent by looking at results

    @staticmethod
    def of(matrix: Matrix) -> CellTable:
        """The cells of a matrix."""
        cells, space = matrix.cells, matrix.space
        dungeons = [space.dungeons[int(number)] for number in matrix.dungeons]
        return CellTable(
            parties=[space.parties.members(int(number)) for number in matrix.parties],
            labels=[space.parties.label(int(number)) for number in matrix.parties],
            dungeons=[dungeon.rooms for dungeon in dungeons],
            profiles=[dungeon.profile for dungeon in dungeons],
            seed=matrix.settings.seed,
            party=np.searchsorted(matrix.parties, cells["party"]),
            dungeon=np.searchsorted(matrix.dungeons, cells["dungeon"]),
            points=matrix.points,
            **{name: cells[name] for name in COUNTED},
            one_member=space.codex.quality.knockout_spread.one_member,
            least_agency=matrix.least_agency,
            peeked=matrix.peeked,
        )

    def scenario(self, cell: int) -> str:
        """The cell's name, under which it can be simulated, played and replayed."""
        dungeon = int(self.dungeon[cell])
        return str(Match(self.labels[self.party[cell]], self.dungeons[dungeon], self.profiles[dungeon]))

    @cached_property
    def knockouts(self) -> Array:
        """Games of each cell in which somebody fell."""
        return np.asarray(self.first_down.sum(axis=1))
