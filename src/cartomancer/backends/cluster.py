"""Work on many machines, with dask.distributed: a cluster here for the asking, or one that stands somewhere.

Workers are sent what a piece needs as packed bytes, so that they need no content of their own. They must run the same
rules: a worker with other kernel sources is refused. Whoever asked keeps the results, so that they need no common disk
either. A worker that dies is no matter: its pieces are done elsewhere.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final

from cartomancer.backends.tasks import BrokenBackendError, Done, Grain, Piece, Result, Task
from cartomancer.batches import threads_here
from cartomancer.errors import CartomancerError
from cartomancer.jit import kernel_digest, prefer_compiled

KERNELS: Final = kernel_digest()  # as they were when this process began
MOST_WORKERS: Final = 1024
PATIENCE: Final = 10  # seconds to find a scheduler, and again its first worker
PIECES_AHEAD: Final = 4  # for each of the workers' threads: some wait until it is their turn to be handed out
LOOK_EVERY: Final = 0.5  # seconds between looks at whether the scheduler is still there


@dataclass(frozen=True)
class Cluster:
    """The cluster at an address; without one, so many worker processes on this machine."""

    address: str | None = None
    workers: int | None = None
    name: str = "cluster"
    grain: Grain = "worker"

    def __post_init__(self) -> None:
        if self.address is not None and self.workers is not None:
            raise CartomancerError("a cluster at an address has its own workers: give one or the other")
        if self.workers is not None and not 1 <= self.workers <= MOST_WORKERS:
            raise CartomancerError(f"{self.workers} workers: 1 to {MOST_WORKERS:,} are possible")

    def work(self, task: Task[Piece, Result], pieces: Iterable[Piece]) -> Done[Piece, Result]:
        left = iter(pieces)
        first = list(islice(left, 1))
        if first:  # nothing to do needs no cluster
            with _quietly(), self._client() as client:
                yield from _worked(client, task, chain(first, left))

    @contextmanager
    def _client(self) -> Iterator[Any]:
        distributed = _distributed()
        if self.address is None:
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
        except (OSError, ValueError, AssertionError) as error:  # dask asserts that its own thread started within 10 s
            told = str(error) or "dask could not start here, this machine is too busy"
            raise CartomancerError(f"no cluster at '{self.address}': {told}") from None
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
    with ExitStack() as afterwards:
        if threading.current_thread() is threading.main_thread():
            before = signal.signal(signal.SIGINT, signal.SIG_IGN)
            afterwards.callback(signal.signal, signal.SIGINT, before)
        yield


@contextmanager
def _quietly() -> Iterator[None]:
    """Dask tells of every lost connection at length; what matters is told here."""
    _distributed()
    with ExitStack() as afterwards:
        for name in list(logging.root.manager.loggerDict):
            if name.startswith("distributed"):
                logger = logging.getLogger(name)
                afterwards.callback(logger.setLevel, logger.level)
                logger.setLevel(logging.CRITICAL)
        yield


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        told = "the cluster backend needs dask.distributed: pip install cartomancer[cluster]"
        raise CartomancerError(told) from None
    return distributed


def _worked(client: Any, task: Task[Piece, Result], pieces: Iterator[Piece]) -> Done[Piece, Result]:
    """Keep every worker busy, with a little more than it can do at once; hand out what comes back, in order."""
    distributed = _distributed()
    under_way: deque[tuple[Piece, Any]] = deque()
    try:
        while True:
            most = max(1, PIECES_AHEAD * sum(client.nthreads().values()))
            for piece in islice(pieces, max(0, most - len(under_way))):
                under_way.append((piece, client.submit(do_there, KERNELS, task.on_cpu(piece), pure=False)))
            if not under_way:
                return
            _wait(client, under_way[0][1])
            piece, future = under_way.popleft()
            yield piece, future.result()
    except CartomancerError:
        raise
    except distributed.KilledWorker as error:
        raise BrokenBackendError(f"the cluster gave up a piece of work: {error}") from None
    except (ImportError, AttributeError) as error:
        raise CartomancerError(f"a worker cannot play: {error} (it needs the same cartomancer)") from None
    except (OSError, RuntimeError, TimeoutError) as error:
        raise BrokenBackendError(f"the cluster's scheduler is gone ({type(error).__name__})") from None


def _wait(client: Any, future: Any) -> None:
    """Until a piece is done; an error when the scheduler is gone."""
    distributed = _distributed()
    while True:
        if client.status != "running":
            raise OSError("connection lost")
        with suppress(TimeoutError):
            distributed.wait([future], timeout=LOOK_EVERY)
            return


def do_there(kernels: str, call: Callable[[], Result]) -> Result:
    """A piece on a worker, if it runs the same rules."""
    if kernels != KERNELS:
        import socket

        told = f"refused: the worker on {socket.gethostname()} plays by other rules (kernels {KERNELS}, here {kernels})"
        raise CartomancerError(told)
    prefer_compiled()
    return call()
