"""Who plays a job's runs: this machine's threads, a CUDA device, or a cluster. The rows are the same bits."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from cartomancer.batches import chunks, in_order, threads_here
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.jit import records
from cartomancer.lab.runs.jobs import Job, Range
from cartomancer.players.kernel.layout import RUN
from cartomancer.players.simulation import MOST_THREADS, Progress, piece_size, play_runs

BACKENDS: Final = ("threads", "cuda", "cluster")
CHUNKS_OF_A_LAUNCH: Final = 40  # two million runs fill a device for about a second


Played = Generator[tuple[Range, Any], None, None]  # ranges with their rows


class Backend(Protocol):
    """Plays ranges of a job's runs and hands out each with its rows, in any order.

    Whoever stops listening loses the ranges under way and nothing else. `progress` is told of newly played runs.
    """

    def play(self, job: Job, ranges: Sequence[Range], progress: Progress) -> Played: ...


class BrokenBackendError(CartomancerError):
    """A backend that fell away in the middle: what it handed out before is good."""


@dataclass(frozen=True)
class Threads:
    """This machine's cores. Ranges are played in small pieces, so that every thread has some and stopping is quick."""

    threads: int | None = None

    def __post_init__(self) -> None:
        if self.threads is not None and not 1 <= self.threads <= MOST_THREADS:
            raise CartomancerError(f"{self.threads} threads: 1 to {MOST_THREADS:,} are possible")

    def play(self, job: Job, ranges: Sequence[Range], progress: Progress) -> Played:
        workers = self.threads or threads_here()

        def play(piece: tuple[int, Any]) -> int:
            first, rows = piece
            return play_runs(job.packed.tables, job.policies.table, job.seed, first, rows)

        def pieces() -> Iterator[tuple[int, Any]]:
            for first, count in ranges:
                rows = records(count, RUN)
                for at, size in chunks(0, count, piece_size(count, workers, job.policies)):
                    yield first + at, rows[at : at + size]

        left = iter(ranges)
        first, count = next(left, (0, 0))
        for (start, rows), played in in_order(play, pieces(), workers):
            progress(played)
            if start + played == first + count:
                yield (first, count), rows.base
                first, count = next(left, (0, 0))


@dataclass(frozen=True)
class Device:
    """A CUDA device. One launch plays many ranges; the next one is under way while they are handed out."""

    def play(self, job: Job, ranges: Sequence[Range], progress: Progress) -> Played:
        from cartomancer.players.kernel.device import device_matches

        play = device_matches([job.packed.tables], [job.policies.table])

        def launch(together: Sequence[Range]) -> Any:
            return play(job.seed, together[0][0], sum(count for _, count in together))

        for together, rows in in_order(launch, consecutive(ranges, CHUNKS_OF_A_LAUNCH), workers=1):
            progress(len(rows))
            start = together[0][0]
            for first, count in together:
                yield (first, count), rows[first - start : first - start + count]


def consecutive(ranges: Sequence[Range], most: int) -> Iterator[list[Range]]:
    """Ranges that follow each other, put together, so many at most.

    >>> list(consecutive([(0, 5), (5, 5), (15, 5), (20, 5), (25, 1)], most=2))
    [[(0, 5), (5, 5)], [(15, 5), (20, 5)], [(25, 1)]]
    """
    together: list[Range] = []
    for first, count in ranges:
        if together and (len(together) == most or sum(together[-1]) != first):
            yield together
            together = []
        together.append((first, count))
    if together:
        yield together


def backend_of(
    name: str, threads: int | None = None, address: str | None = None, workers: int | None = None
) -> Backend:
    """A backend by its name; an address or a number of workers is only for a cluster."""
    if name not in BACKENDS:
        raise UnknownNameError("backend", name, BACKENDS)
    if name != "cluster" and (address is not None or workers is not None):
        raise CartomancerError(f"a cluster's address and workers are not for the backend '{name}'")
    if name != "threads" and threads is not None:
        raise CartomancerError(f"a number of threads is not for the backend '{name}'")
    if name == "cluster":
        from cartomancer.lab.runs.cluster import Cluster

        return Cluster(address, workers)
    return Threads(threads) if name == "threads" else Device()
