"""The folder of results: whole files or none, every run once, and nothing is trusted that was damaged."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from cartomancer import files
from cartomancer.errors import CartomancerError, KeptFileError
from cartomancer.files import draft, publish
from cartomancer.lab.columns import COLUMNS, columns_of
from cartomancer.lab.parquet import Columns, write_columns
from cartomancer.lab.runs import jobs
from cartomancer.lab.runs.jobs import Job, job_of
from cartomancer.lab.runs.run_store import Chunk, Results, held, missing
from cartomancer.lab.runs.running import run_job
from cartomancer.players.simulation import Simulation, simulate

RUNS, SEED = 3_500, 7


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "CHUNK", 1_000)


@pytest.fixture(scope="module")
def played() -> Simulation:
    return simulate("boar", RUNS, SEED)


@pytest.fixture(scope="module")
def job() -> Job:
    return job_of("boar", SEED)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def results(tmp_path: Path, told: list[str]) -> Results:
    return Results(tmp_path / "results", told.append)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- chunks -----------------------------------------------------------------------------------------------------------


def test_a_job_is_cut_into_files_that_hold_its_columns(results: Results, job: Job, played: Simulation) -> None:
    ran = run_job(results, job, RUNS)
    assert (ran.found, ran.stored, ran.result_hash) == (0, RUNS, played.result_hash)
    assert [(chunk.first, chunk.end) for chunk in ran.chunks] == [(0, 1000), (1000, 2000), (2000, 3000), (3000, 3500)]
    assert ran.folder == results.folder / f"{job.packed.digest}-{job.digest}"
    table = duckdb.execute("select * from read_parquet(?) order by run", [[str(path) for path in ran.files]])
    stored = table.fetchnumpy()
    expected = columns_of(played.rows)
    assert list(stored) == list(COLUMNS)
    for name, column in expected.items():
        assert stored[name].dtype == column.dtype, name
        assert np.array_equal(stored[name], column), name


def test_what_is_stored_is_not_played_again(results: Results, job: Job, told: list[str]) -> None:
    run_job(results, job, RUNS)
    before = {chunk.path: chunk.path.stat().st_mtime_ns for chunk in results.stored(job).chunks()}
    again = run_job(results, job, RUNS)
    assert again.found == RUNS
    assert {path: path.stat().st_mtime_ns for path in again.files} == before
    assert told == []


@pytest.mark.parametrize(("runs", "found"), [(3_400, 3_400), (3_000, 3_000), (1_500, 1_500), (1, 1), (4_200, 3_000)])
def test_more_or_fewer_runs_have_the_hash_of_a_batch_of_that_size(
    results: Results, job: Job, runs: int, found: int
) -> None:
    run_job(results, job, RUNS)
    ran = run_job(results, job, runs)
    assert ran.result_hash == simulate("boar", runs, SEED).result_hash
    assert (ran.found, ran.stored) == (found, runs)


def test_a_longer_chunk_supersedes_a_shorter_one(results: Results, job: Job, played: Simulation) -> None:
    stored = results.prepare(job)
    short = stored.store(0, played.rows[:600])
    long = stored.store(0, played.rows[:1000])
    assert short.path.exists()
    assert stored.chunks() == [long]
    assert sum(chunk.runs for chunk in stored.chunks()) == 1000
    stored.tidy(stored.names())
    assert [chunk.path for chunk in stored.chunks()] == [long.path]
    assert not short.path.exists()


def test_what_another_process_wrote_meanwhile_stays_for_it_to_read(
    results: Results, job: Job, played: Simulation
) -> None:
    stored = results.prepare(job)
    long = stored.store(0, played.rows[:1000])
    old = stored.names()
    late = stored.store(0, played.rows[:600])  # of another process that was asked for fewer
    stored.tidy(old)
    assert late.path.exists()
    assert stored.chunks() == [long]
    run_job(results, job, 600)
    assert not late.path.exists()


def test_missing_ranges_are_those_that_no_chunk_holds_whole() -> None:
    chunks = [Chunk(Path(), 0, 1000), Chunk(Path(), 2000, 2600)]
    wanted = [(0, 1000), (0, 400), (1000, 1000), (2000, 600), (2000, 601), (3000, 1)]
    assert list(missing(chunks, wanted)) == [(1000, 1000), (2000, 601), (3000, 1)]
    assert list(missing([], [(0, 5)])) == [(0, 5)]


def test_held_runs_are_those_that_are_not_missing() -> None:
    chunks = [Chunk(Path(), 0, 3000), Chunk(Path(), 3500, 5000), Chunk(Path(), 6000, 6200), Chunk(Path(), 8000, 9000)]
    for runs in (1, 999, 1000, 3500, 5000, 5001, 6100, 6200, 6300, 8500, 9000, 20_000):
        wanted = [(at, min(1000, runs - at)) for at in range(0, runs, 1000)]
        assert held(chunks, runs, 1000) == runs - sum(count for _, count in missing(chunks, wanted))


# --- damage -----------------------------------------------------------------------------------------------------------


def flipped(at: float) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[int(at * (len(data) - 1))] ^= 0x10
        path.write_bytes(data)

    return damage


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def not_parquet(path: Path) -> None:
    """Its checksum is right: only the Parquet reader finds out."""
    path.write_bytes(b"seven boars")
    path.replace(path.with_name(f"{path.name.rpartition('-')[0]}-{zlib.crc32(b'seven boars'):08x}.parquet"))


@pytest.mark.parametrize("damage", [flipped(0.0), flipped(0.3), flipped(0.7), flipped(1.0), cut, emptied, not_parquet])
def test_a_damaged_file_is_named_set_aside_and_its_runs_are_played_again(
    results: Results, job: Job, played: Simulation, told: list[str], damage: Callable[[Path], None]
) -> None:
    damage(run_job(results, job, RUNS).files[1])
    ran = run_job(results, job, RUNS)
    assert (ran.found, ran.stored, ran.result_hash) == (RUNS - 1_000, RUNS, played.result_hash)
    (message,) = told
    assert "runs-000000001000-000000002000" in message
    assert "damaged" in message
    assert len(list(ran.folder.glob("*.damaged"))) == 1


def test_a_file_of_another_job_is_not_mixed_in(results: Results, job: Job, played: Simulation, told: list[str]) -> None:
    """Its bytes are sound and its name is right: only its footer tells."""
    other = run_job(results, job_of("boar", SEED + 1), RUNS)
    folder = results.prepare(job).folder
    for path in other.files:
        (folder / path.name).write_bytes(path.read_bytes())
    ran = run_job(results, job, RUNS)
    assert (ran.found, ran.result_hash) == (0, played.result_hash)
    assert len(told) == len(other.files)


def test_a_renamed_chunk_is_not_taken_for_another(results: Results, job: Job, played: Simulation) -> None:
    first, second, *_ = run_job(results, job, RUNS).files
    second.unlink()
    first.replace(first.with_name(first.name.replace("000000000000-000000001000", "000000001000-000000002000")))
    ran = run_job(results, job, RUNS)
    assert (ran.found, ran.result_hash) == (RUNS - 2_000, played.result_hash)


def test_a_damaged_description_is_written_again(results: Results, job: Job) -> None:
    stored = results.prepare(job)
    (stored.folder / "job.json").write_text("{", encoding="utf-8")
    with pytest.raises(KeptFileError, match="is not valid JSON"):
        stored.facts()
    assert results.prepare(job).facts() == job.describe()
    (stored.folder / "job.json").write_text(json.dumps(job.describe() | {"seed": "9", "rooms": 1}), encoding="utf-8")
    with pytest.raises(KeptFileError, match=f"not the description of job {job.digest}") as caught:
        stored.facts()
    assert [fault.field for fault in caught.value.faults] == ["rooms", "seed", "job"]


# --- full disks and dead processes ------------------------------------------------------------------------------------


def test_duckdbs_full_disk_is_told_as_one() -> None:
    with pytest.raises(OSError, match="No space left") as caught:
        write_columns(Path("/dev/full"), {"run": np.arange(100_000)})
    assert caught.value.errno == errno.ENOSPC


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real disk of 128 kB, where this machine lets one be mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(place)]
    mounted = subprocess.run(command, check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_is_a_clear_error_and_nothing_is_half_written(
    small_disk: Path, job: Job, played: Simulation
) -> None:
    results = Results(small_disk)
    with pytest.raises(CartomancerError, match="cannot be written: No space left on device"):
        run_job(results, job, 30_000)
    stored = results.stored(job)
    left = stored.chunks()
    assert left
    assert len(names_in(stored.folder)) == len(left) + 1  # and its description
    run_job(results, job, left[0].end)  # what was finished is good
    assert left[0].digests == results.stored(job).chunks()[0].digests


def test_a_disk_that_fills_at_the_last_moment_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.parquet"

    def write_parquet(columns: Columns, says: str) -> None:
        with draft(tmp_path) as temporary:
            write_columns(temporary, columns, {"says": says})
            publish(temporary, path)

    write_parquet({"a": np.arange(5)}, "it's old")
    before = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CartomancerError, match="No space left"):
        write_parquet({"a": np.arange(9)}, "it's new")
    assert names_in(tmp_path) == ["kept.parquet"]
    assert path.read_bytes() == before
    words = duckdb.execute("select key, value from parquet_kv_metadata(?)", [str(path)]).fetchall()
    assert words == [(b"says", b"it's old")]


TWO_AT_ONCE = """
import sys
from cartomancer.lab.runs import jobs
from cartomancer.lab.runs.running import run_job
from cartomancer.lab.runs.run_store import Results

jobs.CHUNK = 1_000
print(run_job(Results(sys.argv[1]), jobs.job_of("boar", 7), int(sys.argv[2])).result_hash)
"""


def test_two_processes_on_one_folder_do_not_harm_each_other(results: Results, job: Job) -> None:
    sizes = (5_500, 8_000)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", TWO_AT_ONCE, str(results.folder), str(runs)], stdout=subprocess.PIPE, text=True
        )
        for runs in sizes
    ]
    for runs, process in zip(sizes, processes, strict=True):
        said, _ = process.communicate(timeout=120)
        assert said.strip() == simulate("boar", runs, SEED).result_hash
    stored = results.prepare(job)
    assert [(chunk.first, chunk.end) for chunk in stored.chunks()] == [(at, at + 1000) for at in range(0, 8_000, 1000)]
    assert not list(stored.folder.glob(".*"))
    assert not list(stored.folder.glob("*.damaged"))
    assert files._drafts == set()
