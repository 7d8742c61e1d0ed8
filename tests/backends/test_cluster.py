"""The cluster: the same hash with any number of workers, though workers and the scheduler are killed."""

from __future__ import annotations

import builtins
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cartomancer.backends import cluster
from cartomancer.backends.cluster import Cluster
from cartomancer.backends.local import Threads
from cartomancer.backends.tasks import BrokenBackendError
from cartomancer.content import load_preset
from cartomancer.errors import CartomancerError
from cartomancer.lab.matrix.cell_store import Settings
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.lab.matrix.matchups import run_matrix
from cartomancer.lab.runs import jobs
from cartomancer.lab.runs.jobs import job_of
from cartomancer.lab.runs.run_store import Results
from cartomancer.lab.runs.running import run_job
from cartomancer.maps import search
from cartomancer.players.simulation import Simulation, simulate

distributed = pytest.importorskip("distributed")

RUNS, SEED, CHUNK = 10_000, 7, 1_000


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "CHUNK", CHUNK)


@pytest.fixture(scope="module")
def played() -> Simulation:
    return simulate("boar", RUNS, SEED)


def test_one_worker_gives_the_hash_of_threads(tmp_path: Path, played: Simulation) -> None:
    ran = run_job(Results(tmp_path), job_of("boar", SEED), RUNS, Cluster(workers=1))
    assert (ran.stored, ran.result_hash) == (RUNS, played.result_hash)


def processes_below(parent: int) -> list[tuple[int, str]]:
    """All descendants of a process and their commands."""
    found: dict[int, list[tuple[int, str]]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                above = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                command = (entry / "cmdline").read_text().replace("\0", " ")
            except OSError:
                continue
            found.setdefault(above, []).append((int(entry.name), command))
    below, todo = [], [parent]
    while todo:
        children = found.get(todo.pop(), [])
        below += children
        todo += [process for process, _ in children]
    return below


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for the workers in /proc")
def test_a_killed_worker_of_three_changes_nothing(tmp_path: Path, played: Simulation) -> None:
    killed: list[int] = []
    done = 0

    def kill_a_worker(newly: int) -> None:
        nonlocal done
        done += newly
        if done >= 2 * CHUNK and not killed:
            spawned = [process for process, command in processes_below(os.getpid()) if "spawn_main" in command]
            assert len(spawned) == 3
            killed.append(spawned[1])
            os.kill(spawned[1], signal.SIGKILL)

    ran = run_job(Results(tmp_path), job_of("boar", SEED), RUNS, Cluster(workers=3), kill_a_worker)
    assert killed
    assert (ran.stored, ran.result_hash) == (RUNS, played.result_hash)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="a terminal's Ctrl-C goes to a group of processes")
def test_ctrl_c_reaches_this_process_and_not_its_workers(tmp_path: Path) -> None:
    """Workers that heard it too would each print a traceback."""
    command = [
        sys.executable,
        "-m",
        "cartomancer.cli",
        "lab",
        "run",
        "boar",
        "-n",
        "50000000",
        "--results",
        str(tmp_path),
    ]
    process = subprocess.Popen(
        [*command, "--backend", "cluster", "--workers", "1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        for _ in range(600):
            if list(tmp_path.glob("*/runs-*.parquet")):
                break
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "Traceback" not in told
    assert "are safe; the same command goes on" in told


SCHEDULER = """
import asyncio, distributed

async def serve():
    async with distributed.Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()

asyncio.run(serve())
"""
WORKER = """
import asyncio, sys, distributed
from cartomancer.backends import cluster

cluster.KERNELS = sys.argv[2] or cluster.KERNELS

async def serve():
    async with distributed.Worker(sys.argv[1], nthreads=1) as worker:
        await worker.finished()

asyncio.run(serve())
"""


@pytest.fixture
def scheduler() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A scheduler that stands by itself, and its address."""
    process = start(SCHEDULER)
    assert process.stdout is not None
    yield process, process.stdout.readline().strip()
    end(process)


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_a_killed_scheduler_costs_what_is_under_way(
    tmp_path: Path, played: Simulation, scheduler: tuple[subprocess.Popen[str], str]
) -> None:
    process, address = scheduler
    worker = start(WORKER, address, "")
    job, results, done = job_of("boar", SEED), Results(tmp_path), 0

    def kill_the_scheduler(newly: int) -> None:
        nonlocal done
        done += newly
        if done >= 2 * CHUNK:
            process.kill()

    try:
        with pytest.raises(BrokenBackendError, match="scheduler is gone") as caught:
            run_job(results, job, RUNS, Cluster(address), kill_the_scheduler)
    finally:
        end(worker)
    safe = sum(chunk.runs for chunk in results.stored(job).chunks())
    assert 2 * CHUNK <= safe < RUNS
    assert f"{safe:,} of {RUNS:,} runs are safe" in str(caught.value)
    assert "the same command goes on" in str(caught.value)
    ran = run_job(results, job, RUNS, Threads())
    assert (ran.found, ran.result_hash) == (safe, played.result_hash)


def test_a_worker_with_other_rules_is_refused(tmp_path: Path, scheduler: tuple[subprocess.Popen[str], str]) -> None:
    worker = start(WORKER, scheduler[1], "0123456789abcdef")
    try:
        with pytest.raises(CartomancerError, match=r"plays by other rules \(kernels 0123456789abcdef"):
            run_job(Results(tmp_path), job_of("boar", SEED), 10, Cluster(scheduler[1]))
    finally:
        end(worker)


def test_a_cluster_without_workers_is_told(
    tmp_path: Path, scheduler: tuple[subprocess.Popen[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with pytest.raises(CartomancerError, match=f"has no workers: start some with `dask worker {scheduler[1]}`"):
        run_job(Results(tmp_path), job_of("boar"), 10, Cluster(scheduler[1]))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere", ""])
def test_an_address_where_nobody_is_is_told(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with pytest.raises(CartomancerError, match=f"no cluster at '{address}'"):
        run_job(Results(tmp_path), job_of("boar"), 10, Cluster(address))


def test_without_dask_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "distributed":
            raise ModuleNotFoundError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(CartomancerError, match=r"pip install cartomancer\[cluster\]"):
        run_job(Results(tmp_path), job_of("boar"), 10, Cluster(workers=1))


def test_a_job_that_is_done_needs_no_cluster(tmp_path: Path) -> None:
    job, results = job_of("boar", SEED), Results(tmp_path)
    before = run_job(results, job, 100)
    assert run_job(results, job, 100, Cluster("tcp://127.0.0.1:9")).result_hash == before.result_hash


# --- not only runs ----------------------------------------------------------------------------------------------------


def test_a_matrix_on_a_cluster_has_the_hash_of_threads() -> None:
    space = Compositions.of()
    party = space.parties.find("standard_company")
    cells = [(party, dungeon) for dungeon in range(3)]
    found = run_matrix(space, cells, 30, Settings(seed=7), backend=Cluster(workers=2))
    alone = run_matrix(space, cells, 30, Settings(seed=7))
    assert found.cells.tobytes() == alone.cells.tobytes()
    assert found.result_hash == alone.result_hash


def test_a_search_on_a_cluster_finds_what_threads_find() -> None:
    rules = load_preset("voyage")
    asked = (rules, "guide", "max_path(elite) >= 3", 3_000)
    alone, found = search(*asked), search(*asked, backend=Cluster(workers=2))
    assert alone.state.hits
    assert found.state.hits == alone.state.hits
