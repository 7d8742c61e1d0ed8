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
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from warnings import warn

import numpy as np

from cartomancer.backends.local import Threads
from cartomancer.backends.tasks import Backend, Grain
from cartomancer.content.codex import Codex
from cartomancer.errors import CartomancerError
from cartomancer.intervals import ERROR, Numbers, wilson_bounds
from cartomancer.lab.columns import WON_BY
from cartomancer.lab.kernel.cells import CELL
from cartomancer.lab.matrix.adaptive import FIRST_GAMES, STEP, next_games
from cartomancer.lab.matrix.assembly import Assembly, Cell
from cartomancer.lab.matrix.bounds import sequence_bounds
from cartomancer.lab.matrix.cell_store import MatrixStore, Settings
from cartomancer.lab.matrix.cells import Steps, joined, play_cells
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.lab.matrix.selection import Selection, chosen_cells
from cartomancer.lab.results import Notice
from cartomancer.players.simulation import replay_command, run_name

MOST_GAMES: Final = 1_000_000  # of a cell
KEPT_RUNS: Final[dict[Grain, int]] = {"thread": 200_000, "worker": 200_000, "device": 8_000_000}  # between two files

Progress = Callable[[int], None]  # told how many games are there of those wanted
Bar = Callable[[int], AbstractContextManager[Progress]]  # made for so many games


@dataclass(frozen=True)
class Side:
    """One side of a matrix: the compositions that have cells, and shares as this side sees them."""

    name: str  # dungeon, party
    numbers: Numbers
    names: Sequence[str]  # as matches write them
    cells: Sequence[Numbers]  # of each composition, in their order

    def own(self, share: Any) -> Any:
        """A share of the dungeon's as this side's."""
        return 1 - share if self.name == "party" else share

    def own_bounds(self, bounds: tuple[Numbers, Numbers]) -> tuple[Numbers, Numbers]:
        """Bounds of the dungeon's shares as those of this side's."""
        low, high = map(self.own, bounds)
        return (high, low) if self.name == "party" else (low, high)


@dataclass(frozen=True)
class Matrix:
    """Cells with their numbers, sorted by party and dungeon."""

    space: Compositions
    settings: Settings
    cells: Any
    peeked: bool = False  # whether games were spent by looking at results: bounds are confidence sequences then
    complete: bool = True  # whether it was played to its end
    folder: Path | None = None  # where its cells are kept

    @cached_property
    def parties(self) -> Numbers:
        """The parties that have cells."""
        return np.unique(self.cells["party"])

    @cached_property
    def dungeons(self) -> Numbers:
        """The dungeons that have cells."""
        return np.unique(self.cells["dungeon"])

    @cached_property
    def sides(self) -> Mapping[str, Side]:
        """Both sides by name, the dungeon's first."""
        return {
            "dungeon": Side("dungeon", self.dungeons, [*map(self.dungeon_name, self.dungeons)], self._by("dungeon")),
            "party": Side("party", self.parties, [*map(self.party_name, self.parties)], self._by("party")),
        }

    def _by(self, side: str) -> list[Numbers]:
        """The cells of each composition of a side."""
        _, inverse, counts = np.unique(self.cells[side], return_inverse=True, return_counts=True)
        return np.split(np.argsort(inverse, kind="stable"), np.cumsum(counts)[:-1])

    @cached_property
    def points(self) -> Numbers:
        """The dungeon's wins and half the Bonds, cell by cell."""
        return points_of(self.cells)

    @cached_property
    def share(self) -> Numbers:
        """The dungeon's share of every cell."""
        return np.asarray(self.points / np.maximum(self.cells["games"], 1))

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
        return np.asarray(self.cells["lead_changes"] / np.maximum(self.cells["games"], 1))

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
        return self.space.name(*(int(self.cells[side][cell]) for side in ("party", "dungeon")))

    def party_name(self, index: int) -> str:
        """A party as matches write it."""
        return "-".join(self.space.parties.label(int(index)))

    def dungeon_name(self, index: int) -> str:
        """A dungeon as matches write it."""
        return str(self.space.dungeons[int(index)])

    def replay(self, cell: int, run: int = 0) -> str:
        """The command that plays one of a cell's runs again."""
        how = self.settings
        return replay_command(run_name(self.name(cell), how.seed, run), how.dungeon, how.visitor)

    @cached_property
    def result_hash(self) -> str:
        """Sixteen hex digits of every final state of every cell: the same however and wherever they were played."""
        digest = hashlib.blake2b(digest_size=8)
        for name in ("party", "dungeon", "games", "block_hash"):
            digest.update(self.cells[name].astype("<u8").tobytes())
        return digest.hexdigest()


def points_of(cells: Any) -> Numbers:
    """The dungeon's wins and half the Bonds of cells."""
    return np.asarray(cells["dungeon_wins"] + cells["outcomes"][:, WON_BY["both"]].sum(axis=1) / 2)


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
    chosen, hands, complete = settings or Settings(), backend or Threads(), True
    table, assembly = _Table(cells, store), Assembly(space, chosen.dungeon, chosen.visitor)
    most = MOST_GAMES if adaptive else games

    def carry_out(steps: Steps) -> None:
        played = play_cells(assembly, steps, chosen.seed, hands)
        with closing(_kept(played, KEPT_RUNS[hands.grain], store)) as finished:
            for found in finished:
                table.add(found)
                progress(table.games(most))

    try:
        progress(table.games(most))
        carry_out(table.missing(min(FIRST_GAMES, games) if adaptive else games))
        while adaptive and (steps := table.next_round(games * len(table.cells))):
            carry_out(steps)
    except KeyboardInterrupt:
        complete = False
        if not len(table.found()):
            raise
    found = table.found()
    peeked = adaptive or bool((found["games"] > games).any())
    return Matrix(space, chosen, found, peeked, complete, store.folder if store else None)


def _kept(played: Iterable[Any], runs: int, store: MatrixStore | None) -> Generator[Any, None, None]:
    """Cells as they are played; every so many runs are kept in a file, the last ones also when somebody stops it."""
    waiting: list[Any] = []
    keep = store.keep if store is not None else lambda cells: None
    try:
        for found in played:
            waiting.append(found)
            if sum(int(some["games"].sum()) for some in waiting) >= runs:
                keep(np.concatenate(waiting))
                waiting.clear()
            yield found
    finally:
        if waiting:
            keep(np.concatenate(waiting))


def matrix(
    parties: str = "named",
    rooms: str = "2",
    games: int = 200,
    settings: Settings | None = None,
    codex: Codex | None = None,
    backend: Backend | None = None,
    results: Path | None = None,
    adaptive: bool = False,
    notice: Notice = warn,
    progress: Bar = lambda games: nullcontext(lambda done: None),
    **selected: Any,
) -> Matrix:
    """The matchups of these parties with dungeons of so many rooms, as `lab matrix` takes them [GDD 18.5].

    Parties that may not play are left out and told: as a warning, unless somebody listens to notices. With a folder of
    results what is there is not played again.

    >>> found = matrix("standard_company,iron_column", "root_hollow-veil_breach", games=4)
    >>> len(found.cells)
    2
    """
    space, chosen = Compositions.of(codex), settings or Settings()
    cells = chosen_cells(space, Selection(parties, rooms, seed=chosen.seed, **selected), notice)
    store = MatrixStore(results, space, chosen, notice) if results is not None else None
    with progress(games * len(cells)) as done:
        return run_matrix(space, cells, games, chosen, store, adaptive, backend, done)


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
