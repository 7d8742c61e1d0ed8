"""The matchup matrix: every party against every dungeon, played, stored, continued and read [GDD 18.5].

>>> space = Compositions.of()
>>> party, dungeon = space.parties.find("standard_company"), space.dungeons.find("root_hollow-veil_breach")
>>> found = run_matrix(space, [(party, dungeon)], games=50, settings=Settings(seed=7))
>>> found.name(0), int(found.cells["games"][0])
('match:standard_company/root_hollow-veil_breach', 50)

In a zero-sum reading a Bond is half a win for each (E17 gives it to both): the *share* of the dungeon is its wins and
half the Bonds, out of all games, and the party's share is the rest.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from cartomancer.backends.local import Threads
from cartomancer.backends.tasks import Backend, Grain
from cartomancer.content.codex import Codex
from cartomancer.errors import CartomancerError
from cartomancer.lab.columns import WON_BY
from cartomancer.lab.kernel.cells import CELL
from cartomancer.lab.matrix.adaptive import FIRST_GAMES, STEP, next_games
from cartomancer.lab.matrix.assembly import Assembly, Cell
from cartomancer.lab.matrix.bounds import ERROR, Numbers, sequence_bounds, wilson_bounds
from cartomancer.lab.matrix.cell_store import MatrixStore, Settings
from cartomancer.lab.matrix.cells import Steps, joined, play_cells
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.lab.matrix.selection import Selection, select
from cartomancer.players.simulation import replay_command, run_name

MOST_GAMES: Final = 1_000_000  # of a cell
KEPT_RUNS: Final[dict[Grain, int]] = {
    "thread": 200_000,
    "worker": 200_000,
    "device": 8_000_000,
}  # played between two files

Progress = Callable[[int], None]  # told how many games are there of those wanted


@dataclass(frozen=True)
class Matrix:
    """Cells with their numbers, sorted by party and dungeon."""

    space: Compositions
    settings: Settings
    cells: Any
    peeked: bool = False  # whether games were spent by looking at results: bounds are confidence sequences then
    complete: bool = True  # whether it was played to its end

    @cached_property
    def parties(self) -> Numbers:
        """The parties that have cells."""
        return np.unique(self.cells["party"])

    @cached_property
    def dungeons(self) -> Numbers:
        """The dungeons that have cells."""
        return np.unique(self.cells["dungeon"])

    @cached_property
    def points(self) -> Numbers:
        """The dungeon's wins and half the Bonds, cell by cell."""
        return points_of(self.cells)

    @cached_property
    def share(self) -> Numbers:
        """The dungeon's share of every cell."""
        found: Numbers = self.points / np.maximum(self.cells["games"], 1)
        return found

    def bounds(self, error: float = ERROR) -> tuple[Numbers, Numbers]:
        """Interval of the dungeon's share of every cell."""
        if error == ERROR:
            return self._usual_bounds
        return (sequence_bounds if self.peeked else wilson_bounds)(self.points, self.cells["games"], error)

    @cached_property
    def _usual_bounds(self) -> tuple[Numbers, Numbers]:
        return (sequence_bounds if self.peeked else wilson_bounds)(self.points, self.cells["games"])

    @cached_property
    def agency(self) -> Numbers:
        """Mean lead changes of a run, cell by cell [GDD 18.2.1]."""
        found: Numbers = self.cells["lead_changes"] / np.maximum(self.cells["games"], 1)
        return found

    @property
    def least_agency(self) -> float:
        """Fewer lead changes a run are a fault of the design, the content says."""
        return self.space.codex.quality.agency.floor

    def grid(self, values: Any, missing: float = np.nan) -> Numbers:
        """Values of cells as a table: a row for each dungeon, a column for each party."""
        found = np.full((len(self.dungeons), len(self.parties)), missing)
        rows = np.searchsorted(self.dungeons, self.cells["dungeon"])
        found[rows, np.searchsorted(self.parties, self.cells["party"])] = values
        return found

    def name(self, cell: int) -> str:
        """A cell as the scenario that commands take."""
        record = self.cells[cell]
        return self.space.name(int(record["party"]), int(record["dungeon"]))

    def party_name(self, index: int) -> str:
        """A party as matches write it."""
        return "-".join(self.space.parties.label(index))

    def dungeon_name(self, index: int) -> str:
        """A dungeon as matches write it."""
        return str(self.space.dungeons[index])

    def replay(self, cell: int, run: int = 0) -> str:
        """The command that plays one of a cell's runs again."""
        return replay_command(
            run_name(self.name(cell), self.settings.seed, run), self.settings.dungeon, self.settings.visitor
        )

    @cached_property
    def result_hash(self) -> str:
        """Sixteen hex digits of every final state of every cell: the same however and wherever they were played."""
        digest = hashlib.blake2b(digest_size=8)
        for name in ("party", "dungeon", "games", "block_hash"):
            digest.update(self.cells[name].astype("<u8").tobytes())
        return digest.hexdigest()


def points_of(cells: Any) -> Numbers:
    """The dungeon's wins and half the Bonds of cells."""
    found: Numbers = cells["dungeon_wins"] + cells["outcomes"][:, WON_BY["both"]].sum(axis=1) / 2
    return found


def run_matrix(
    space: Compositions,
    cells: Sequence[Cell],
    games: int,
    settings: Settings | None = None,
    store: MatrixStore | None = None,
    adaptive: bool = False,
    backend: Backend | None = None,
    progress: Progress = lambda done: None,
) -> Matrix:
    """Play `games` runs of every cell, or as many in all where that tells most; go on from what the store has.

    An interrupt ends it early: what is finished is kept, and is the result.
    """
    if not 1 <= games <= MOST_GAMES:
        raise CartomancerError(f"{games} games: a cell has 1 to {MOST_GAMES:,}")
    chosen = settings or Settings()
    table = _Table(cells, store)
    play = _Player(Assembly(space, chosen.dungeon, chosen.visitor), chosen, backend or Threads(), store)
    complete = True

    def carry_out(steps: Steps) -> None:
        with closing(play(steps)) as played:
            for found in played:
                table.add(found)
                progress(table.games(MOST_GAMES if adaptive else games))

    try:
        progress(table.games(MOST_GAMES if adaptive else games))
        carry_out(table.missing(min(FIRST_GAMES, games) if adaptive else games))
        while adaptive and (steps := table.next_round(games * len(table.cells))):
            carry_out(steps)
    except KeyboardInterrupt:
        complete = False
        if not len(table.found()):
            raise
    found = table.found()
    return Matrix(space, chosen, found, adaptive or bool((found["games"] > games).any()), complete)


def matrix(
    parties: str = "named",
    rooms: str = "2",
    games: int = 200,
    settings: Settings | None = None,
    codex: Codex | None = None,
    backend: Backend | None = None,
    **selected: Any,
) -> Matrix:
    """The matchups of these parties with dungeons of so many rooms, as `lab matrix` takes them [GDD 18.5].

    >>> found = matrix("standard_company,iron_column", "root_hollow-veil_breach", games=4)
    >>> len(found.cells)
    2
    """
    space, chosen = Compositions.of(codex), settings or Settings()
    cells, _ = select(space, Selection(parties, rooms, seed=chosen.seed, **selected))
    return run_matrix(space, cells, games, chosen, backend=backend)


class _Table:
    """The cells that are wanted, with what there is of each."""

    def __init__(self, cells: Sequence[Cell], store: MatrixStore | None) -> None:
        self.cells = sorted(set(cells))
        self._places = {cell: place for place, cell in enumerate(self.cells)}
        self._records = np.zeros(len(self.cells), CELL)
        if self.cells:
            self._records["party"], self._records["dungeon"] = np.array(self.cells, np.int64).T
        if store is not None:
            store.prepare()
            self.add(store.cells())

    def add(self, found: Any) -> None:
        """Take in more runs of some cells; those of other cells are left out."""
        pairs = zip(found["party"].tolist(), found["dungeon"].tolist(), strict=True)
        places = np.array([self._places.get(pair, -1) for pair in pairs], np.int64)
        known = places >= 0
        mine = self._records[places[known]]
        self._records[places[known]] = joined(np.concatenate([mine[mine["games"] > 0], found[known]]))

    def games(self, most: int) -> int:
        """How many games there are, of each cell at most so many."""
        return int(np.minimum(self._records["games"], most).sum())

    def missing(self, games: int) -> Steps:
        """What has to be played until every cell has so many games."""
        return self._steps(np.maximum(games - self._records["games"], 0))

    def next_round(self, budget: int) -> Steps:
        """What to play next where verdicts are open."""
        points, games = points_of(self._records), self._records["games"]
        wanted = next_games(points, games, max(budget - int(games.sum()), 0))
        return self._steps(np.minimum(wanted, MOST_GAMES - games))

    def _steps(self, more: Numbers) -> Steps:
        """Cells by (first run, how many): a step is at most `STEP` games long."""
        found: dict[tuple[int, int], list[Cell]] = defaultdict(list)
        for place in np.flatnonzero(more):
            first, left = int(self._records["games"][place]), int(more[place])
            for at in range(first, first + left, STEP):
                found[at, min(STEP, first + left - at)].append(self.cells[place])
        return dict(sorted(found.items()))

    def found(self) -> Any:
        """The cells that have games."""
        return self._records[self._records["games"] > 0]


@dataclass(frozen=True)
class _Player:
    """Plays steps and keeps what is finished."""

    assembly: Assembly
    settings: Settings
    backend: Backend
    store: MatrixStore | None

    def __call__(self, steps: Steps) -> Generator[Any, None, None]:
        waiting: list[Any] = []
        try:
            played = play_cells(self.assembly, steps, self.settings.seed, self.backend)
            for found in played:
                waiting.append(found)
                if sum(int(some["games"].sum()) for some in waiting) >= KEPT_RUNS[self.backend.grain]:
                    self._keep(waiting)
                    waiting.clear()
                yield found
        finally:  # also when somebody stops it: what is finished stays
            self._keep(waiting)

    def _keep(self, waiting: Iterable[Any]) -> None:
        parts = list(waiting)
        if self.store is not None and parts:
            self.store.keep(np.concatenate(parts))
