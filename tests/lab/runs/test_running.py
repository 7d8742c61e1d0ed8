"""Backends: the same rows whoever plays them, and stopping loses nothing that was finished."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cartomancer.backends.local import Device, Threads
from cartomancer.errors import CartomancerError
from cartomancer.jit import records
from cartomancer.lab.runs import jobs, running
from cartomancer.lab.runs.jobs import job_of
from cartomancer.lab.runs.run_store import Results
from cartomancer.lab.runs.running import by_range, consecutive, play_ranges, run_job
from cartomancer.players.kernel.layout import RUN
from cartomancer.players.policies import player_spec
from cartomancer.players.simulation import Simulation, play_runs, simulate

ROOT = Path(__file__).parents[3]
RUNS, SEED = 3_300, 5


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "CHUNK", 1_000)


@pytest.fixture(scope="module")
def played() -> Simulation:
    return simulate("boar", RUNS, SEED)


# --- threads ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 3, None])
def test_any_number_of_threads_gives_the_same_hash(tmp_path: Path, played: Simulation, threads: int | None) -> None:
    told: list[int] = []
    ran = run_job(Results(tmp_path), job_of("boar", SEED), RUNS, Threads(threads), told.append)
    assert ran.result_hash == played.result_hash
    assert sum(told) == RUNS


def test_threads_hand_out_each_range_with_its_own_rows(played: Simulation) -> None:
    job = job_of("boar", SEED)
    ranges = [(2_000, 300), (0, 1), (1_000, 700)]
    found = dict(play_ranges(job, ranges, Threads(2)))
    assert sorted(found) == sorted(ranges)
    for (first, count), rows in found.items():
        assert rows.tobytes() == played.rows[first : first + count].tobytes()
    assert list(play_ranges(job, [], Threads())) == []


def test_players_that_imagine_are_stored_too(tmp_path: Path) -> None:
    job = job_of("symbiote", 2, player_spec("montecarlo@1", "dungeon"), player_spec("random", "visitor"))
    ran = run_job(Results(tmp_path), job, 6, Threads(2))
    assert ran.result_hash == simulate("symbiote", 6, 2, job.policies.dungeon, job.policies.visitor).result_hash


@pytest.fixture
def interrupt_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Somebody presses Ctrl-C when so many runs have been played."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)

    def wanted(runs: int) -> None:
        def play(table: Any, policy: Any, seed: int, first: int, rows: Any) -> int:
            if first <= runs < first + len(rows):
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            return play_runs(table, policy, seed, first, rows)

        monkeypatch.setattr(running, "play_runs", play)

    yield wanted
    signal.signal(signal.SIGINT, handler)


def test_an_interrupt_loses_only_what_is_under_way(
    tmp_path: Path, played: Simulation, interrupt_at: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    job, results = job_of("boar", SEED), Results(tmp_path)
    interrupt_at(2_500)
    stopped = run_job(results, job, RUNS, Threads(1))
    assert stopped.result_hash is None
    assert stopped.stored >= 1_000
    assert stopped.stored % 1_000 == 0
    monkeypatch.setattr(running, "play_runs", play_runs)
    ran = run_job(results, job, RUNS, Threads(1))
    assert (ran.found, ran.result_hash) == (stopped.stored, played.result_hash)


def test_a_trillion_runs_are_begun_at_once(
    tmp_path: Path, interrupt_at: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two hundred million ranges, of which only those under way are ever in memory."""
    monkeypatch.setattr(jobs, "CHUNK", 5_000)
    interrupt_at(7_000)
    tracemalloc.start()
    try:
        stopped = run_job(Results(tmp_path), job_of("boar", SEED), 10**12, Threads(1))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (stopped.runs, stopped.found, stopped.result_hash) == (10**12, 0, None)
    assert 1_000 <= stopped.stored < 20_000
    assert peak < 100_000_000


# --- a CUDA device ----------------------------------------------------------------------------------------------------


def test_a_launch_plays_consecutive_ranges_only() -> None:
    ranges = [(0, 10), (10, 10), (20, 10), (40, 10), (50, 3)]
    assert list(consecutive(ranges, 2)) == [[(0, 10), (10, 10)], [(20, 10)], [(40, 10), (50, 3)]]
    assert list(consecutive([], 2)) == []


def test_a_launch_is_handed_out_range_by_range(
    tmp_path: Path, played: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The device's place is taken by this CPU: it plays the same runs, launch by launch."""
    from cartomancer.players.kernel import device

    launches = []

    def device_matches(tables: Any, policies: Any) -> Callable[[int, int, int], Any]:
        def play(seed: int, first: int, count: int) -> Any:
            launches.append((first, count))
            rows = records(count, RUN)
            play_runs(tables[0], policies[0], seed, first, rows)
            return rows

        return play

    monkeypatch.setattr(device, "device_matches", device_matches)
    monkeypatch.setattr(running, "CHUNKS_OF_A_LAUNCH", 3)
    assert run_job(Results(tmp_path), job_of("boar", SEED), RUNS, Device()).result_hash == played.result_hash
    assert launches == [(0, 3_000), (3_000, 300)]


def test_without_a_device_it_is_refused(tmp_path: Path) -> None:
    cuda = pytest.importorskip("numba.cuda")
    if cuda.is_available():
        pytest.skip("there is a device here")
    with pytest.raises(CartomancerError, match="needs a CUDA device"):
        run_job(Results(tmp_path), job_of("boar"), 10, Device())


ON_SIMULATED_DEVICE = """
import json, sys, warnings
from cartomancer.backends.local import Device
from cartomancer.lab.runs.jobs import job_of
from cartomancer.lab.runs.running import run_job
from cartomancer.lab.runs.run_store import Results

warnings.simplefilter("ignore")  # threads of the simulator see the wrapping of unsigned numbers on purpose
print(json.dumps(run_job(Results(sys.argv[1]), job_of("boar", 5), 3, Device()).result_hash))
"""


@pytest.mark.slow
def test_the_simulated_device_gives_the_same_hash(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", ON_SIMULATED_DEVICE, str(tmp_path)],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout) == simulate("boar", 3, SEED).result_hash


# --- as they are stored -----------------------------------------------------------------------------------------------


def test_pieces_of_any_size_make_the_rows_of_each_range(played: Simulation) -> None:
    ranges = [(0, 5), (5, 5), (20, 7)]
    rows = played.rows[[run for first, count in ranges for run in range(first, first + count)]]
    for sizes in ([17], [1] * 17, [3, 9, 5], [5, 5, 7], [12, 5]):
        ends = np.cumsum(sizes)
        pieces = [rows[end - size : end] for size, end in zip(sizes, ends, strict=True)]
        found = list(by_range(iter(pieces), ranges))
        assert [span for span, _ in found] == ranges
        assert all((some == played.rows[first : first + count]).all() for (first, count), some in found)


def test_rows_of_a_range_are_not_shared_with_another() -> None:
    job = job_of("boar", SEED)
    (_, one), (_, two) = play_ranges(job, [(0, 4), (4, 4)], Threads(1))
    assert not np.shares_memory(one, two)
