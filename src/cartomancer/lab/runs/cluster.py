"""Runs on many machines, with dask.distributed: one here for the asking, or one that stands somewhere.

Workers are sent the packed scenario and players as bytes, so that they need no content of their own. They must run the
same rules: a worker with other kernel sources is refused. This process writes what they send back, so that they need no
common disk either. A worker that dies is no matter: its ranges are played elsewhere.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.errors import CartomancerError
from cartomancer.jit import kernel_digest, records
from cartomancer.lab.runs.backends import BrokenBackendError, Played
from cartomancer.lab.runs.jobs import Job, Range
from cartomancer.players.simulation import Progress

KERNELS: Final = kernel_digest()  # as they were when this process began
MOST_WORKERS: Final = 1024
PATIENCE: Final = 10  # seconds to find a scheduler, and again its first worker
RANGES_AHEAD: Final = 2  # for each of the workers' threads
LOOK_EVERY: Final = 0.5  # seconds between looks at whether the scheduler is still there


@dataclass(frozen=True)
class Cluster:
    """The cluster at an address; without one, so many worker processes on this machine."""

    address: str | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.address is not None and self.workers is not None:
            raise CartomancerError("a cluster at an address has its own workers: give one or the other")
        if self.workers is not None and not 1 <= self.workers <= MOST_WORKERS:
            raise CartomancerError(f"{self.workers} workers: 1 to {MOST_WORKERS:,} are possible")

    def play(self, job: Job, ranges: Sequence[Range], progress: Progress) -> Played:
        """Play ranges on the workers."""
        if not ranges:
            return
        with _quietly(), self._client() as client:
            for span, rows in _played(client, job, ranges):
                progress(len(rows))
                yield span, rows

    @contextmanager
    def _client(self) -> Iterator[Any]:
        distributed = _distributed()
        if self.address is None:
            from cartomancer.batches import threads_here

            with _deaf_to_interrupts():
                local = distributed.LocalCluster(
                    n_workers=self.workers or threads_here(),
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
            with local, distributed.Client(local) as client:
                yield client
            return
        try:
            client = distributed.Client(self.address, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            raise CartomancerError(f"no cluster at '{self.address}': {error}") from None
        with client:
            try:
                client.wait_for_workers(1, timeout=PATIENCE)
            except TimeoutError:
                told = f"the cluster at '{self.address}' has no workers: start some with `dask worker {self.address}`"
                raise CartomancerError(told) from None
            yield client


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started now ignore Ctrl-C, which a terminal sends to all of them: this one hears it and ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _quietly() -> Iterator[None]:
    """Dask tells of every lost connection at length; what matters is told here."""
    _distributed()
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        told = "the cluster backend needs dask.distributed: pip install cartomancer[cluster]"
        raise CartomancerError(told) from None
    return distributed


def _played(client: Any, job: Job, ranges: Sequence[Range]) -> Iterator[tuple[Range, Any]]:
    """Keep every worker busy, with a little more than it can do at once; hand out what comes back."""
    from cartomancer.players.kernel.layout import RUN

    distributed = _distributed()
    packed = (KERNELS, job.packed.tables.tobytes(), job.policies.table.tobytes(), job.seed)
    left = list(reversed(ranges))
    under_way: dict[Any, Range] = {}
    try:
        while left or under_way:
            threads = sum(client.nthreads().values())
            while left and len(under_way) < max(1, RANGES_AHEAD * threads):
                span = left.pop()
                under_way[client.submit(play_there, *packed, *span, pure=False)] = span
            for future in _finished(client, list(under_way)):
                rows = np.frombuffer(future.result(), RUN)
                yield under_way.pop(future), rows
    except CartomancerError:
        raise
    except distributed.KilledWorker as error:
        raise BrokenBackendError(f"the cluster gave up a range of runs: {error}") from None
    except (ImportError, AttributeError) as error:
        raise CartomancerError(f"a worker cannot play: {error} (it needs the same cartomancer)") from None
    except (OSError, RuntimeError, TimeoutError) as error:
        raise BrokenBackendError(f"the cluster's scheduler is gone ({type(error).__name__})") from None


def _finished(client: Any, futures: list[Any]) -> list[Any]:
    """The next futures that are done; an error when the scheduler is gone."""
    distributed = _distributed()
    while True:
        if client.status != "running":
            raise OSError("connection lost")
        try:
            return list(distributed.wait(futures, timeout=LOOK_EVERY, return_when="FIRST_COMPLETED").done)
        except TimeoutError:
            continue


def play_there(kernels: str, tables: bytes, policies: bytes, seed: int, first: int, count: int) -> bytes:
    """A range of runs on a worker: the bytes of their rows."""
    if kernels != KERNELS:
        import socket

        told = f"refused: the worker on {socket.gethostname()} plays by other rules (kernels {KERNELS}, here {kernels})"
        raise CartomancerError(told)
    from cartomancer.encounters.kernel.layout import TABLES
    from cartomancer.players.kernel.layout import POLICIES, RUN
    from cartomancer.players.simulation import play_runs

    rows = records(count, RUN)
    play_runs(np.frombuffer(tables, TABLES)[0], np.frombuffer(policies, POLICIES)[0], seed, first, rows)
    return rows.tobytes()
