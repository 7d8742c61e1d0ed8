"""The runs of a job on any backend, put together or cut as they are stored."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from cartomancer.backends.local import Threads
from cartomancer.backends.tasks import Backend
from cartomancer.batches import chunks
from cartomancer.encounters.kernel.layout import TABLES
from cartomancer.jit import records
from cartomancer.lab.runs.jobs import Job, Range
from cartomancer.players.kernel.layout import POLICIES, RUN
from cartomancer.players.simulation import Progress, piece_size, play_runs

CHUNKS_OF_A_LAUNCH: Final = 40  # two million runs fill a device for about a second
Played = Generator[tuple[Range, Any], None, None]  # ranges with their rows


@dataclass(frozen=True)
class PlayRuns:
    """A job's runs as a task: a piece is a range of them, its result their rows."""

    job: Job
    device_lanes: int = 1

    def on_cpu(self, piece: Range) -> Callable[[], Any]:
        job = self.job
        return partial(_play, job.packed.tables.tobytes(), job.policies.table.tobytes(), job.seed, *piece)

    def on_device(self) -> Callable[[Range], Any]:
        from cartomancer.players.kernel.device import device_matches

        play = device_matches([self.job.packed.tables], [self.job.policies.table])
        return lambda piece: play(self.job.seed, *piece)


def _play(tables: bytes, policies: bytes, seed: int, first: int, count: int) -> Any:
    rows = records(count, RUN)
    play_runs(np.frombuffer(tables, TABLES)[0], np.frombuffer(policies, POLICIES)[0], seed, first, rows)
    return rows


def play_ranges(
    job: Job, ranges: Sequence[Range], backend: Backend, progress: Progress = lambda played: None
) -> Played:
    """Ranges of a job's runs with their rows, in order; `progress` is told of newly played runs."""

    def told() -> Iterator[Any]:
        for _, rows in played:
            progress(len(rows))
            yield rows

    with closing(backend.work(PlayRuns(job), pieces_for(backend, job, ranges))) as played:
        yield from by_range(told(), ranges)


def pieces_for(backend: Backend, job: Job, ranges: Sequence[Range]) -> Iterator[Range]:
    """Ranges as a backend likes its pieces: small for threads, so that every one has some and stopping is quick; many
    together for a device; as they are for others."""
    if isinstance(backend, Threads):
        for first, count in ranges:
            yield from chunks(first, first + count, piece_size(count, backend.workers, job.policies))
    elif backend.grain == "device":
        yield from ((some[0][0], sum(count for _, count in some)) for some in consecutive(ranges, CHUNKS_OF_A_LAUNCH))
    else:
        yield from ranges


def consecutive(ranges: Iterable[Range], most: int) -> Iterator[list[Range]]:
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


def by_range(played: Iterable[Any], ranges: Iterable[Range]) -> Iterator[tuple[Range, Any]]:
    """Rows that come piece by piece, in the order of the ranges, as the rows of each range."""
    left = iter(ranges)
    wanted, have, rows = next(left, None), 0, None
    for piece in played:
        at = 0
        while wanted is not None and at < len(piece):
            count = wanted[1]
            some = piece[at : at + count - have]
            if rows is None:
                rows = some if len(some) == count else records(count, RUN)
            if rows is not some:
                rows[have : have + len(some)] = some
            at, have = at + len(some), have + len(some)
            if have == count:
                yield wanted, rows
                wanted, have, rows = next(left, None), 0, None
