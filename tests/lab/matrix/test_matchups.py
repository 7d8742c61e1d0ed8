"""The matchup matrix: tables from pieces, cells from rows, storing, continuing, interrupting."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cartomancer.backends.local import Device, Threads
from cartomancer.encounters import names
from cartomancer.errors import CartomancerError, KeptFileError
from cartomancer.jit import records
from cartomancer.lab.columns import columns_of
from cartomancer.lab.kernel.cells import CELL
from cartomancer.lab.matrix.assembly import Assembly, Cell
from cartomancer.lab.matrix.cell_store import MatrixStore, Settings, content_digest, matrices, stored_matrix
from cartomancer.lab.matrix.cells import (
    SUMS,
    cells_of_columns,
    columns_of_cells,
    joined,
    play_cells,
    reduced,
)
from cartomancer.lab.matrix.compositions import Compositions, sampled_cells
from cartomancer.lab.matrix.matchups import Matrix, matrix, run_matrix
from cartomancer.lab.matrix.selection import Selection, cell_of, select
from cartomancer.lab.matrix.summary import compositions, diversity, summary
from cartomancer.players.kernel.layout import RUN
from cartomancer.players.policies import player_spec
from cartomancer.players.simulation import play_runs, simulate
from cartomancer.seals import digest_of

SPACE = Compositions.of()
SETTINGS = Settings(seed=11)
PARTIES = ("standard_company", "iron_column", "knight-knight-cleric-rogue")
DUNGEONS = (
    "veil_breach-honeyed_hollow",
    "root_hollow-lamp_orchard-veil_breach",
    "honeyed_hollow-veil_breach/nurturing",
)
CELLS: list[Cell] = sorted(
    (SPACE.parties.find(party), SPACE.dungeons.find(dungeon)) for party in PARTIES for dungeon in DUNGEONS
)


def rows_of(cells: list[Cell], count: int) -> Any:
    """The rows of some cells' first runs, cell after cell."""
    tables, policies = Assembly(SPACE).tables(cells)
    rows = records(len(cells) * count, RUN)
    for k in range(len(cells)):
        play_runs(tables[k], policies[k], 11, 0, rows[k * count : (k + 1) * count])
    return rows


def slowly(cell: Cell, seed: int, first: int, count: int) -> Any:
    """A cell's numbers the long way: the match is packed, simulated, and every number taken from its columns."""
    rows = simulate(SPACE.name(*cell), first + count, seed).rows[first:]
    columns = {name: values.astype(np.int64) for name, values in columns_of(rows, first).items()}
    found = np.zeros(1, CELL)
    record = found[0]
    record["party"], record["dungeon"], record["first"], record["games"] = *cell, first, count
    record["outcomes"] = np.bincount(columns["outcome"], minlength=len(names.OUTCOMES))
    record["dungeon_wins"] = sum(
        (columns["outcome"] == names.OUTCOMES.index(o)).sum() for o in ("kill", "break", "panic")
    )
    won = ("overcome", "inert", "dominate", "survive")
    record["visitor_wins"] = sum((columns["outcome"] == names.OUTCOMES.index(o)).sum() for o in won)
    changes = columns["lead_changes"]
    record["lead_changes"], record["lead_changes_squared"] = changes.sum(), (changes**2).sum()
    record["lead_bins"] = np.bincount(np.minimum(changes, 3), minlength=4)
    record["rounds"], record["decisions"] = columns["rounds"].sum(), columns["decisions"].sum()
    fell = columns["first_down"][columns["first_down"] >= 0]
    record["first_down"], record["knockout_runs"] = np.bincount(fell, minlength=4), len(fell)
    close = columns["closeness"][columns["closeness"] >= 0]
    record["closeness"], record["closeness_runs"] = close.sum(), len(close)
    for k in range(4):
        here = columns["rooms"] > k
        record["reached"][k] = here.sum()
        for r, resource in enumerate(names.RESOURCES[1]):
            share = 100 if k == 0 else columns[f"{resource}_{k + 1}"][here]
            record["entries"][k, r] = np.sum(share * np.ones(here.sum(), np.int64))
    return found


# --- tables from pieces -----------------------------------------------------------------------------------------------


def test_assembled_tables_are_those_of_the_packed_match_bit_for_bit() -> None:
    everybody, everywhere = range(len(SPACE.parties) + len(SPACE.parties.named)), range(len(SPACE.dungeons))
    cells = [*CELLS, *sampled_cells(everybody, everywhere, 60, seed=4)]
    assembly = Assembly(SPACE, player_spec("montecarlo@3:deceptive", "dungeon"), player_spec("random", "visitor"))
    for made_by in (Assembly(SPACE), assembly):
        tables, policies = made_by.tables(cells)
        for k, cell in enumerate(cells):
            packed, seated = made_by.packed(*cell)
            assert tables[k].tobytes() == packed.tables.tobytes(), SPACE.name(*cell)
            assert policies[k].tobytes() == seated.table.tobytes(), SPACE.name(*cell)


# --- cells from rows --------------------------------------------------------------------------------------------------


def test_every_number_of_a_cell_is_that_of_its_rows() -> None:
    found = np.concatenate(list(play_cells(Assembly(SPACE), {(30, 70): CELLS}, 11, Threads(2))))
    for k, cell in enumerate(CELLS):
        expected = slowly(cell, 11, 30, 70)[0]
        for name in CELL.names or ():
            if name != "block_hash":
                assert np.array_equal(found[k][name], expected[name]), (name, SPACE.name(*cell))


def test_cells_are_reduced_alike_in_whatever_company() -> None:
    rows = rows_of(CELLS, 40)
    together = reduced(rows, CELLS, 0)
    alone = [reduced(rows[40 * k : 40 * k + 40], [cell], 0) for k, cell in enumerate(CELLS)]
    assert np.array_equal(together, np.concatenate(alone))


def test_numbers_and_hash_of_parts_add_up() -> None:
    rows = rows_of(CELLS[:1], 60)
    whole = reduced(rows, CELLS[:1], 0)
    parts = [reduced(rows[at:end], CELLS[:1], at) for at, end in ((45, 60), (0, 25), (25, 45))]
    assert np.array_equal(joined(np.concatenate(parts)), whole)


def test_the_hash_notices_a_changed_and_a_misplaced_run() -> None:
    rows = rows_of(CELLS[:1], 30)
    usual = reduced(rows, CELLS[:1], 0)["block_hash"]
    assert reduced(rows[::-1].copy(), CELLS[:1], 0)["block_hash"] != usual
    assert reduced(rows, CELLS[:1], 1)["block_hash"] != usual
    rows["state_hash"][7] ^= np.uint64(1)
    assert reduced(rows, CELLS[:1], 0)["block_hash"] != usual


def test_runs_that_are_there_twice_count_once_and_none_after_a_gap() -> None:
    def part(first: int, games: int, party: int = 0) -> Any:
        found = np.zeros(1, CELL)
        found["party"], found["first"] = party, first
        for name in SUMS:
            found[name] = games
        return found

    twice = joined(np.concatenate([part(0, 100), part(0, 40), part(100, 50), part(40, 60), part(200, 10)]))
    assert twice["games"].tolist() == [150]
    assert joined(part(50, 10)).tolist() == []
    assert joined(np.concatenate([part(0, 5, 3), part(0, 7, 1)]))["party"].tolist() == [1, 3]
    assert len(joined(np.zeros(0, CELL))) == 0


def test_cells_survive_as_columns() -> None:
    found = np.concatenate(list(play_cells(Assembly(SPACE), {(0, 20): CELLS}, 3, Threads())))
    assert np.array_equal(cells_of_columns(columns_of_cells(found)), found)


# --- matrices ---------------------------------------------------------------------------------------------------------


def test_threads_do_not_change_the_result() -> None:
    one, two = (run_matrix(SPACE, CELLS, 50, SETTINGS, backend=Threads(threads)) for threads in (1, 2))
    assert one.result_hash == two.result_hash
    assert np.array_equal(one.cells, two.cells)
    assert run_matrix(SPACE, CELLS, 50, Settings(12)).result_hash != one.result_hash


def test_players_are_part_of_the_matrix() -> None:
    other = Settings(11, player_spec("aggressive", "dungeon"), player_spec("random", "visitor"))
    found = run_matrix(SPACE, CELLS[:1], 30, other)
    batch = simulate(SPACE.name(*CELLS[0]), 30, 11, other.dungeon, other.visitor)
    assert found.cells["dungeon_wins"][0] == batch.wins("dungeon")
    assert found.replay(0, 3).endswith("@11:3 --ai-dungeon heuristic:aggressive --ai-visitor random")


def test_more_games_go_on_from_those_that_are_stored(tmp_path: Path) -> None:
    store = MatrixStore(tmp_path, SPACE, SETTINGS)
    told: list[int] = []
    run_matrix(SPACE, CELLS[:4], 20, SETTINGS, store)
    found = run_matrix(SPACE, CELLS, 50, SETTINGS, store, progress=told.append)
    assert told[0] == 4 * 20
    assert told[-1] == 50 * len(CELLS)
    assert np.array_equal(found.cells, run_matrix(SPACE, CELLS, 50, SETTINGS).cells)
    again: list[int] = []
    assert run_matrix(SPACE, CELLS, 50, SETTINGS, store, progress=again.append).result_hash == found.result_hash
    assert again == [50 * len(CELLS)]


def test_an_interrupt_keeps_what_is_finished(tmp_path: Path) -> None:
    store = MatrixStore(tmp_path, SPACE, SETTINGS)

    def stop(done: int) -> None:
        if done > 900:
            raise KeyboardInterrupt

    stopped = run_matrix(SPACE, CELLS, 300, SETTINGS, store, backend=Threads(1), progress=stop)
    assert not stopped.complete
    kept = store.cells()
    assert 900 < int(kept["games"].sum()) < 300 * len(CELLS)
    assert np.array_equal(stopped.cells, kept)
    assert (
        run_matrix(SPACE, CELLS, 300, SETTINGS, store).result_hash
        == run_matrix(SPACE, CELLS, 300, SETTINGS).result_hash
    )


def test_a_damaged_file_is_named_set_aside_and_played_again(tmp_path: Path) -> None:
    notices: list[str] = []
    store = MatrixStore(tmp_path, SPACE, SETTINGS, notices.append)
    usual = run_matrix(SPACE, CELLS, 20, SETTINGS, store).result_hash
    path = next(store.folder.glob("cells-*.parquet"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    assert run_matrix(SPACE, CELLS, 20, SETTINGS, store).result_hash == usual
    assert len(notices) == 1
    assert path.name in notices[0]
    assert path.with_name(path.name + ".damaged").is_file()


def test_cells_of_another_matrix_are_refused(tmp_path: Path) -> None:
    other, store = MatrixStore(tmp_path, SPACE, Settings(99)), MatrixStore(tmp_path, SPACE, SETTINGS)
    run_matrix(SPACE, CELLS[:1], 10, Settings(99), other)
    store.prepare()
    path = next(other.folder.glob("cells-*.parquet"))
    (store.folder / path.name).write_bytes(path.read_bytes())
    with pytest.raises(CartomancerError, match="1 cells there are of another matrix"):
        store.cells()


def test_a_matrix_of_other_content_is_named_and_not_mixed(tmp_path: Path) -> None:
    store = MatrixStore(tmp_path, SPACE, SETTINGS)
    found = run_matrix(SPACE, CELLS[:2], 10, SETTINGS, store)
    assert matrices(tmp_path) == [store.folder] == matrices(store.folder)
    reopened = stored_matrix(store.folder, SPACE)
    assert np.array_equal(reopened.cells(), found.cells)
    facts = json.loads((store.folder / "matrix.json").read_text())
    digest = digest_of(["123456789abc", SETTINGS.as_dict()], digits=12)
    other = {**facts, "content_digest": "123456789abc", "digest": digest}
    (store.folder / "matrix.json").write_text(json.dumps(other))
    with pytest.raises(CartomancerError, match="made with other content \\(123456789abc"):
        stored_matrix(store.folder, SPACE)
    (store.folder / "matrix.json").write_text(json.dumps({**facts, "seed": 7, "format": "x"}))
    with pytest.raises(KeptFileError, match="not the description of a matrix") as caught:
        stored_matrix(store.folder, SPACE)
    assert [fault.field for fault in caught.value.faults] == ["format", "seed", "digest"]


def test_the_content_digest_notices_what_decides_and_nothing_else() -> None:
    codex, usual = SPACE.codex, content_digest(SPACE)

    def digest(kind: str, name: str, **changes: Any) -> str:
        entries = codex.of_kind(kind)
        changed = {**entries, name: entries[name].model_copy(update=changes)}
        return content_digest(Compositions.of(replace(codex, **{kind: changed})))

    assert digest("classes", "knight", vitality=3) != usual
    assert digest("rooms", "veil_breach", round_limit=3) != usual
    assert digest("dungeons", "verdant_maw", profile="aggressive") != usual
    assert digest("parties", "iron_column", profile="cooperative") != usual
    assert digest("profiles", "tactical", betrays_at=3) != usual
    assert digest("classes", "knight", title="Sir") == usual
    assert digest("creatures", "veil_moth", vitality=3) == usual


@pytest.mark.parametrize("games", [0, 1_000_001])
def test_numbers_of_games_out_of_reach_are_refused(games: int) -> None:
    with pytest.raises(CartomancerError, match="a cell has 1 to 1,000,000"):
        run_matrix(SPACE, CELLS, games)


def test_parties_that_may_not_play_are_told_and_the_rest_is_kept_where_results_are(tmp_path: Path) -> None:
    codex = SPACE.codex
    more = codex.classes["knight"].cards | codex.classes["druid"].cards
    bard = codex.classes["bard"].model_copy(update={"cards": {**codex.classes["bard"].cards, **more}})
    heavy = replace(codex, classes={**codex.classes, "bard": bard})
    asked = ("bard-bard-cleric-rogue,knight-knight-cleric-rogue", "root_hollow-veil_breach", 4, SETTINGS, heavy)
    notices: list[str] = []
    found = matrix(*asked, results=tmp_path, notice=notices.append)
    (told,) = notices
    assert told.startswith("left out: cleric-rogue-bard-bard: ")
    assert [found.name(k) for k in range(len(found.cells))] == [
        "match:knight-knight-cleric-rogue/root_hollow-veil_breach"
    ]
    assert found.folder is not None
    assert matrices(tmp_path) == [found.folder]
    with pytest.warns(UserWarning, match="left out: cleric-rogue-bard-bard"):
        assert matrix(*asked).folder is None


# --- reading it -------------------------------------------------------------------------------------------------------


def test_a_bond_is_half_a_win_for_each() -> None:
    cells = np.zeros(1, CELL)
    cells["games"], cells["dungeon_wins"], cells["visitor_wins"] = 10, 3, 3
    cells["outcomes"][0, names.OUTCOMES.index("bond")] = 4
    found = Matrix(SPACE, SETTINGS, cells)
    assert found.share.tolist() == [0.5]


def test_compositions_are_summed_up_with_their_best_and_worst_opponents() -> None:
    cells = np.zeros(6, CELL)
    cells["party"], cells["dungeon"] = [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]
    cells["games"], cells["dungeon_wins"] = 100, [90, 50, 10, 70, 60, 50]
    cells["outcomes"][:, 1], cells["outcomes"][:, 8] = cells["dungeon_wins"], 100 - cells["dungeon_wins"]
    cells["lead_changes"] = [100, 200, 300, 0, 0, 0]
    found = Matrix(SPACE, SETTINGS, cells)
    first, second = compositions(found, "party")
    assert (first.name, first.share.mean) == ("knight-knight-knight-knight", pytest.approx(0.5))
    assert (first.best.opponent, first.best.share) == (found.dungeon_name(2), pytest.approx(0.9))
    assert (first.worst.opponent, first.worst.share) == (found.dungeon_name(0), pytest.approx(0.1))
    assert first.agency == pytest.approx(2.0)
    assert second.share.mean == pytest.approx(0.4)
    strongest = compositions(found, "dungeon")[0]
    assert strongest.share.mean == pytest.approx(0.8)
    low, high = strongest.share.interval
    assert low < 0.8 < high
    assert found.grid(found.share).tolist() == [[0.9, 0.7], [0.5, 0.6], [0.1, 0.5]]
    assert summary(found).bands.counts["dungeon 70 % or more"] == 2


def test_diversity_is_one_for_eight_equal_outcomes_and_a_third_for_two() -> None:
    assert diversity(np.array([0, *[5] * 8])) == pytest.approx(1)
    assert diversity(np.array([0, 5, 5, *[0] * 6])) == pytest.approx(1 / 3)
    assert diversity(np.array([0, 9, *[0] * 7])) == 0


# --- what to play -----------------------------------------------------------------------------------------------------


def test_cells_are_chosen_as_people_write_it(tmp_path: Path) -> None:
    count = {
        "all": len(select(SPACE, Selection("all", "2"))[0]),
        "named": len(select(SPACE, Selection("named", "2-3"))[0]),
        "sample": len(select(SPACE, Selection("sample:7", "2", "all"))[0]),
        "cells": len(select(SPACE, Selection("all", "2-4", sample=50))[0]),
    }
    assert count == {"all": 330 * 72, "named": 8 * 576, "sample": 7 * 72 * 4, "cells": 50}
    path = tmp_path / "parties.txt"
    path.write_text("# two\nrogue-knight-cleric-knight\n\nstandard_company\n")
    cells, left_out = select(SPACE, Selection(str(path), "root_hollow-veil_breach"))
    assert [SPACE.parties.label(party) for party, _ in cells] == [
        ("knight", "knight", "cleric", "rogue"),
        ("standard_company",),
    ]
    assert left_out == []
    around = cell_of(SPACE, "match:standard_company/root_hollow-veil_breach")
    assert around in select(SPACE, Selection(around="standard_company/root_hollow-veil_breach"))[0]


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        (Selection("sample:many"), "right would be: sample:20"),
        (Selection("sample:331"), "a sample cannot be larger"),
        (Selection("nobody"), "unknown party 'nobody'"),
        (Selection("missing.txt"), "missing.txt: cannot be read"),
        (Selection(rooms="1"), "right would be: 2, 3, 4"),
        (Selection(rooms="4-2"), "right would be: 2, 3, 4"),
        (Selection(rooms="cellar-attic"), "unknown room 'cellar'"),
        (Selection(profiles="kind"), "unknown profile of the dungeon 'kind'"),
        (Selection(around="match:nobody/root_hollow-cellar"), "2 fault"),
    ],
)
def test_what_cannot_be_chosen_is_refused_with_what_would_be_right(asked: Selection, problem: str) -> None:
    with pytest.raises(CartomancerError, match=problem):
        select(SPACE, asked)


def test_profiles_are_those_of_dungeons_that_are_written_without_one() -> None:
    asked = Selection("standard_company", "root_hollow-veil_breach,lamp_orchard-bell_foundry/nurturing", "own,tactical")
    assert [SPACE.name(*cell) for cell in select(SPACE, asked)[0]] == [
        "match:standard_company/root_hollow-veil_breach",
        "match:standard_company/root_hollow-veil_breach/tactical",
        "match:standard_company/lamp_orchard-bell_foundry/nurturing",
    ]
    every_way = select(SPACE, Selection("standard_company", "root_hollow-veil_breach", "tactical, all, own"))[0]
    assert len(every_way) == 1 + len(SPACE.dungeons.profiles)


@pytest.mark.parametrize(
    "asked",
    [
        Selection("nobody,somebody"),
        Selection(rooms="nobody-veil_breach,root_hollow-somebody"),
        Selection(profiles="nobody,own,somebody"),
    ],
)
def test_every_unknown_name_of_a_list_is_named(asked: Selection) -> None:
    with pytest.raises(CartomancerError, match=r"(?s)2 faults.*'nobody'.*'somebody'"):
        select(SPACE, asked)


def test_every_bad_line_of_a_list_is_named(tmp_path: Path) -> None:
    path = tmp_path / "parties.txt"
    path.write_text("knight-knight\nstandard_company\nnobody\n")
    with pytest.raises(CartomancerError, match=r"(?s)line 1: .* not 2.*line 3: unknown party 'nobody'"):
        select(SPACE, Selection(str(path)))


# --- on a device ------------------------------------------------------------------------------------------------------

CODE = f"""
import json, warnings
import numpy as np
from cartomancer.lab.matrix.assembly import Assembly
from cartomancer.backends.local import Device
from cartomancer.lab.matrix.cells import play_cells
from cartomancer.lab.matrix.compositions import Compositions

warnings.simplefilter("ignore")  # threads of the simulator see the wrapping of unsigned numbers on purpose
found = np.concatenate(list(play_cells(Assembly(Compositions.of()), {{(2, 1): {CELLS[:2]!r}}}, 11, Device())))
print(json.dumps([found[name].tolist() for name in found.dtype.names]))
"""


@pytest.mark.slow
def test_the_simulated_device_counts_the_same_cells() -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True)
    expected = np.concatenate(list(play_cells(Assembly(SPACE), {(2, 1): CELLS[:2]}, 11, Threads())))
    assert json.loads(ran.stdout) == [expected[name].tolist() for name in CELL.names or ()]


def test_without_a_device_the_cuda_backend_is_refused() -> None:
    cuda = pytest.importorskip("numba.cuda")
    if cuda.is_available():
        pytest.skip("there is a device here")
    with pytest.raises(CartomancerError, match="needs a CUDA device"):
        run_matrix(SPACE, CELLS, 10, backend=Device())


def test_what_a_device_played_is_counted_compiled_in_a_process_that_begins_with_it() -> None:
    """A device's rows are plain records, which only compiled kernels read by their names."""
    code = """
import numpy as np
from cartomancer.backends.local import Device
from cartomancer.jit import is_compiled
from cartomancer.lab.matrix.cells import reduced
from cartomancer.players.kernel.layout import RUN

class Played:
    device_lanes = 1
    def on_device(self):
        return lambda piece: reduced(np.zeros(piece, RUN), [(0, 0)], 0)

before = is_compiled()
((_, found),) = Device().work(Played(), [3])
print(before, is_compiled(), int(found["games"][0]))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["False", "True", "3"], ran.stderr
