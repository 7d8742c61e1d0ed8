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
from cartomancer.encounters import names
from cartomancer.jit import records, wrapping
from cartomancer.lab.columns import LOSERS, ROOMS, SPENT, WON_BY
from cartomancer.lab.matrix.assembly import Assembly, Cell
from cartomancer.players.kernel.layout import RUN
from cartomancer.players.simulation import play_runs
from cartomancer.rng import scramble

SEATS: Final = 4
RESOURCES: Final = len(names.RESOURCES[1])
LEAD_BINS: Final = 4  # 0, 1, 2, 3 or more lead changes [GDD 18.2.1]
CELL: Final = np.dtype(
    [
        ("party", np.int64),
        ("dungeon", np.int64),
        ("first", np.int64),  # the index of the first run
        ("games", np.int64),
        ("dungeon_wins", np.int64),
        ("visitor_wins", np.int64),
        ("outcomes", np.int64, len(names.OUTCOMES)),
        ("lead_changes", np.int64),
        ("lead_changes_squared", np.int64),
        ("lead_bins", np.int64, LEAD_BINS),
        ("rounds", np.int64),
        ("decisions", np.int64),
        ("first_down", np.int64, SEATS),  # by seat
        ("knockout_runs", np.int64),
        ("closeness", np.int64),  # % of the loser's nearest resource, summed …
        ("closeness_runs", np.int64),  # … over the runs with a loser that has one
        ("reached", np.int64, ROOMS),  # runs that entered their k-th room
        ("entries", np.int64, (ROOMS, RESOURCES)),  # % of its starting values a visitor entered it with, summed
        ("block_hash", np.uint64),
    ]
)
KEYS: Final = ("party", "dungeon", "first")
SUMS: Final = tuple(name for name in CELL.names or () if name not in KEYS)
WORD: Final = np.dtype("<i2")
HIGH_BYTE: Final = 1
CACHED_ROWS: Final = 16_384  # rows that are reduced at once stay in the processor's cache
BUNCH: Final[dict[Grain, int]] = {
    "thread": 2_000,
    "worker": 20_000,
    "device": 8_000_000,
}  # runs reduced at once

_places: Final = {name: (RUN.fields[name][1], RUN[name].base.itemsize) for name in RUN.names or () if RUN.fields}
_scrambled: Final[Callable[[Any], Any]] = getattr(scramble, "py_func", scramble)  # of whole arrays
_nothing: Final = np.iinfo(np.int16).max

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
            return reduced(play(self.seed, piece.first, piece.count), piece.cells, piece.first, piece.count)

        return launch


def _play(tables: Any, policies: Any, seed: int, piece: Bunch) -> Any:
    """The runs of each cell on this thread, cell after cell."""
    rows = records(len(tables) * piece.count, RUN)
    for k in range(len(tables)):
        play_runs(tables[k], policies[k], seed, piece.first, rows[k * piece.count : (k + 1) * piece.count])
    return reduced(rows, piece.cells, piece.first, piece.count)


def play_cells(assembly: Assembly, steps: Steps, seed: int, backend: Backend) -> Iterator[Any]:
    """The runs of every step, handed out in bunches of cells, in their order."""
    runs = BUNCH[backend.grain]
    bunches = [
        Bunch(first, count, tuple(cells[at : at + max(1, runs // count)]))
        for (first, count), cells in steps.items()
        for at in range(0, len(cells), max(1, runs // count))
    ]
    yield from (found for _, found in backend.work(PlayCells(assembly, seed), bunches))


# --- counting ---------------------------------------------------------------------------------------------------------


def reduced(rows: Rows, cells: Sequence[Cell], first: int, count: int) -> Any:
    """The numbers of each cell: its `count` rows stand together, cell after cell."""
    found = np.zeros(len(cells), CELL)
    if cells:
        found["party"], found["dungeon"] = np.array(cells, np.int64).T
    found["first"], found["games"] = first, count
    step = max(1, CACHED_ROWS // count)
    for at in range(0, len(found), step):
        _reduce(rows[at * count : (at + step) * count], first, found[at : at + step])
    return found


def _reduce(rows: Rows, first: int, found: Any) -> None:
    shape = (len(found), len(rows) // len(found))
    words = np.ascontiguousarray(rows.view(WORD).reshape(len(rows), -1).T)  # a row of words for each field

    def column(name: str, place: int = 0) -> Any:
        offset, size = _places[name]
        word, byte = divmod(offset + place * size, WORD.itemsize)
        found = words[word].reshape(shape)
        if size == WORD.itemsize:
            return found
        return found >> 8 if byte == HIGH_BYTE else (found << 8) >> 8  # shifts keep the sign

    def count(mask: Any) -> Any:
        return np.count_nonzero(mask, axis=1)

    def total(values: Any) -> Any:
        return values.sum(axis=1, dtype=np.int64)

    outcome = column("outcome")
    for code in range(len(names.OUTCOMES)):
        found["outcomes"][:, code] = count(outcome == code)
    for side in ("dungeon", "visitor"):
        found[f"{side}_wins"] = found["outcomes"][:, WON_BY[side]].sum(axis=1)
    changes = column("lead_changes")
    found["lead_changes"] = total(changes)
    found["lead_changes_squared"] = total(changes * changes)
    for times in range(LEAD_BINS):
        found["lead_bins"][:, times] = count(changes == times if times + 1 < LEAD_BINS else changes >= times)
    for name in ("rounds", "decisions"):
        found[name] = total(column(name))
    down = column("first_down")
    for seat in range(SEATS):
        found["first_down"][:, seat] = count(down == seat)
    found["knockout_runs"] = found["first_down"].sum(axis=1)
    entered = column("rooms_entered")
    for k in range(int(entered.max())):
        here = entered > k
        found["reached"][:, k] = count(here)
        for r in range(RESOURCES):
            found["entries"][:, k, r] = total(_percent(column("entries", k * RESOURCES + r)) * here)
    nearest, known = _closeness(
        outcome, [[column("ends", p * RESOURCES + r) for r in range(RESOURCES)] for p in (0, 1)]
    )
    found["closeness"], found["closeness_runs"] = total(nearest), count(known)
    index = np.arange(first + 1, first + 1 + shape[1], dtype=np.uint64)
    with wrapping():
        hashes = rows["state_hash"].reshape(shape) ^ _scrambled(index)
        found["block_hash"] = _scrambled(hashes).sum(axis=1, dtype=np.uint64)


def _closeness(outcome: Any, ends: list[list[Any]]) -> tuple[Any, Any]:
    """% of the loser's lowest resource that is not depleted, and where there is one [GDD 18.2.2]."""
    loser = LOSERS.astype(np.int16)[outcome]
    lowest = np.full(outcome.shape, _nothing, np.int16)
    spent = SPENT.astype(np.int16)[outcome]
    for r, (dungeons, visitors) in enumerate(zip(*ends, strict=True)):
        left = np.where(loser == 1, visitors, dungeons)
        lowest = np.where((left > 0) & (left < lowest) & (spent != r), left, lowest)
    known = (loser >= 0) & (lowest < _nothing)
    return _percent(np.where(known, lowest, 0)), known


def _percent(thousandths: Any) -> Any:
    """As `columns` rounds: half up, as far as a byte goes."""
    return np.clip((thousandths + np.int16(5)) // np.int16(10), -100, 127)


# --- putting together -------------------------------------------------------------------------------------------------


def joined(found: Any) -> Any:
    """One record for each cell, from records of consecutive runs in any order: cells sorted by party and dungeon.

    A cell's runs begin with run 0. Runs that are there twice count once; what comes after a gap does not count.
    """
    order = np.lexsort((-found["games"], found["first"], found["dungeon"], found["party"]))
    ordered = found[order]
    same = np.zeros(len(ordered), bool)
    same[1:] = (ordered["party"][1:] == ordered["party"][:-1]) & (ordered["dungeon"][1:] == ordered["dungeon"][:-1])
    starts = ~same & (ordered["first"] == 0)
    if bool((starts | same).all()) and not same.any():
        return ordered
    kept, owner, games = [], [], 0
    heads = np.flatnonzero(~same)
    for number, at in enumerate(heads):
        end = heads[number + 1] if number + 1 < len(heads) else len(ordered)
        games = 0
        for k in range(at, end):
            if ordered["first"][k] == games:
                kept.append(k)
                owner.append(number)
                games += int(ordered["games"][k])
    chosen, owners = ordered[kept], np.array(owner, np.int64)
    cells, places = np.unique(owners, return_inverse=True)
    result = np.zeros(len(cells), CELL)
    for name in SUMS:
        np.add.at(result[name], places, chosen[name])
    for name in ("party", "dungeon"):
        result[name][places] = chosen[name]
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
