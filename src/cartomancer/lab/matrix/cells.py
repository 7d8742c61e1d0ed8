"""Cells of the matchup matrix: what is kept of the runs between one party and one dungeon [GDD 18.5].

Run `index` has the same seed in every cell of a matrix (common random numbers), so cells differ by who meets whom and
not by luck in drawing seeds. A cell's numbers are counts and sums: the numbers of runs 0 … 199 and of runs 200 … 399
add up to those of runs 0 … 399, and so does the hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from cartomancer.backends.tasks import Backend, Grain
from cartomancer.jit import records, wrapping
from cartomancer.lab.kernel.cells import CELL, reduce_cells
from cartomancer.lab.matrix.assembly import Assembly, Cell
from cartomancer.players.kernel.layout import RUN
from cartomancer.players.simulation import play_runs

KEYS: Final = ("party", "dungeon", "first")
SUMS: Final = tuple(name for name in CELL.names or () if name not in KEYS)
BUNCH: Final[dict[Grain, int]] = {"thread": 2_000, "worker": 20_000, "device": 8_000_000}  # runs reduced at once

Steps = Mapping[tuple[int, int], Sequence[Cell]]  # cells by their first run and number of runs
Rows = Any


@dataclass(frozen=True)
class Bunch:
    """Cells that play the same runs: from the first one on, so many each."""

    first: int
    count: int
    cells: tuple[Cell, ...]


# --- playing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlayCells:
    """Cells as a task: a piece is some cells that all play the same runs, its result their numbers."""

    assembly: Assembly
    seed: int
    device_lanes: int = 2  # one bunch is played while the other is reduced

    def on_cpu(self, piece: Bunch) -> Callable[[], Any]:
        return partial(_play, *self.assembly.tables(piece.cells), self.seed, piece)

    def on_device(self) -> Callable[[Bunch], Any]:
        from cartomancer.players.kernel.device import device_matches

        def launch(piece: Bunch) -> Any:
            play = device_matches(*self.assembly.tables(piece.cells))
            return reduced(play(self.seed, piece.first, piece.count), piece.cells, piece.first)

        return launch


def _play(tables: Any, policies: Any, seed: int, piece: Bunch) -> Any:
    """The runs of each cell on this thread, cell after cell."""
    rows = records(len(tables) * piece.count, RUN)
    for k in range(len(tables)):
        play_runs(tables[k], policies[k], seed, piece.first, rows[k * piece.count : (k + 1) * piece.count])
    return reduced(rows, piece.cells, piece.first)


def play_cells(assembly: Assembly, steps: Steps, seed: int, backend: Backend) -> Iterator[Any]:
    """The runs of every step, handed out in bunches of cells, in their order."""
    bunches = []
    for (first, count), cells in steps.items():
        size = max(1, BUNCH[backend.grain] // count)
        bunches += [Bunch(first, count, tuple(cells[at : at + size])) for at in range(0, len(cells), size)]
    yield from (found for _, found in backend.work(PlayCells(assembly, seed), bunches))


# --- counting ---------------------------------------------------------------------------------------------------------


def reduced(rows: Rows, cells: Sequence[Cell], first: int) -> Any:
    """The numbers of each cell: as many rows for each stand together, cell after cell."""
    found = records(len(cells), CELL)
    if cells:
        found["party"], found["dungeon"] = np.array(cells, np.int64).T
    found["first"] = first
    with wrapping():
        reduce_cells(rows, first, found)
    return found


# --- putting together -------------------------------------------------------------------------------------------------


def joined(found: Any) -> Any:
    """One record for each cell, from records of consecutive runs in any order: cells sorted by party and dungeon.

    A cell's runs begin with run 0. Runs that are there twice count once; what comes after a gap does not count.
    """
    order = np.lexsort((-found["games"], found["first"], found["dungeon"], found["party"]))
    ordered = found[order]
    same = np.zeros(len(ordered), bool)
    same[1:] = (ordered["party"][1:] == ordered["party"][:-1]) & (ordered["dungeon"][1:] == ordered["dungeon"][:-1])
    if not same.any() and not ordered["first"].any():
        return ordered
    kept, games = [], 0
    for k, goes_on in enumerate(same):
        games = games if goes_on else 0
        if ordered["first"][k] == games:
            kept.append(k)
            games += int(ordered["games"][k])
    chosen = ordered[kept]
    heads = np.flatnonzero(chosen["first"] == 0)
    result = chosen[heads]
    for name in SUMS:
        result[name] = np.add.reduceat(chosen[name], heads)
    return result


# --- as columns -------------------------------------------------------------------------------------------------------


def columns_of_cells(cells: Any) -> dict[str, Any]:
    """Cell records as plain columns: `outcomes_1`, `entries_2_0` are the elements of fields that are arrays."""
    return {name: np.ascontiguousarray(cells[field][(..., *at)]) for name, field, at in _flat()}


def cells_of_columns(columns: dict[str, Any]) -> Any:
    """Cell records from such columns."""
    found = np.zeros(len(columns["party"]), CELL)
    for name, field, at in _flat():
        found[field][(..., *at)] = columns[name]
    return found


def _flat() -> list[tuple[str, str, Any]]:
    fields = [(name, CELL[name].shape) for name in CELL.names or ()]
    places = [(name, at) for name, shape in fields for at in np.ndindex(shape)]
    return [("_".join([name, *map(str, at)]), name, at) for name, at in places]
