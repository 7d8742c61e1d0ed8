"""The matchup matrix: all parties against all dungeons of two rooms on this machine's cores; with --cuda on a GPU.

    make bench
    python bench/matrix.py --cells 2000
    python bench/matrix.py --cuda --rooms 2-3 --games 1000

Seconds are of this machine at this moment, with everything: putting cells together, playing, counting, storing. On a
GPU some cells are also played on the CPU, and their final states compared.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from cartomancer.backends.choice import backend_of
from cartomancer.lab.matrix.assembly import Cell
from cartomancer.lab.matrix.cell_store import MatrixStore, Settings
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.lab.matrix.matchups import Matrix, run_matrix
from cartomancer.lab.matrix.selection import Selection, select

SETTINGS = Settings(seed=7)
COMPARED = 40  # cells played on both backends


def played(space: Compositions, cells: list[Cell], games: int, backend: str) -> tuple[Matrix, float]:
    """A matrix, stored in a folder that is thrown away, and the seconds it took."""
    before = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        store = MatrixStore(Path(folder), space, SETTINGS)
        found = run_matrix(space, cells, games, SETTINGS, store, backend=backend_of(backend))
    return found, time.perf_counter() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rooms", default="2", help="rooms of the dungeons: 2, 3, 2-3 …")
    parser.add_argument("--games", type=int, default=200, help="of every cell")
    parser.add_argument("--cells", type=int, help="only so many cells, spread evenly")
    parser.add_argument("--cuda", action="store_true", help="on a GPU")
    asked = parser.parse_args()
    backend = "cuda" if asked.cuda else "threads"
    space = Compositions.of()
    cells, _ = select(space, Selection(parties="all", rooms=asked.rooms))
    if asked.cells:
        cells = cells[:: max(1, len(cells) // asked.cells)]
    some = cells[:: max(1, len(cells) // COMPARED)]
    before = time.perf_counter()
    first = run_matrix(space, some, asked.games, SETTINGS, backend=backend_of(backend))  # compiles
    ready = time.perf_counter() - before
    found, took = played(space, cells, asked.games, backend)
    total = int(found.cells["games"].sum())
    print(
        f"{len(found.parties)} parties × {len(found.dungeons)} dungeons, {len(cells):,} cells × {asked.games} games "
        f"on {backend}: {took:.1f} s, {total / took:,.0f} games a second, result hash {found.result_hash}; "
        f"ready after {ready:.0f} s"
    )
    if asked.cuda:
        same = run_matrix(space, some, asked.games, SETTINGS).result_hash == first.result_hash
        print(f"final states of {len(some)} cells equal to the CPU's: {same}")


if __name__ == "__main__":
    main()
