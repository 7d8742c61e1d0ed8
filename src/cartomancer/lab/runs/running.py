"""Running a job: its runs on any backend, put together as they are stored; what is stored already is left alone, and
the rest is written while more is played."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import tee
from pathlib import Path
from typing import Any, Final

import numpy as np

from cartomancer.backends.local import Threads
from cartomancer.backends.tasks import Backend, BrokenBackendError
from cartomancer.batches import chunks, threads_here
from cartomancer.encounters.kernel.layout import TABLES
from cartomancer.errors import CartomancerError
from cartomancer.jit import records
from cartomancer.lab.runs.jobs import Job, Range
from cartomancer.lab.runs.run_store import Chunk, Results, StoredJob, held, missing
from cartomancer.players.kernel.layout import POLICIES, RUN
from cartomancer.players.simulation import (
    BLOCK,
    BLOCK_BYTES,
    Progress,
    block_digests,
    hash_of_blocks,
    piece_size,
    play_runs,
)

CHUNKS_OF_A_LAUNCH: Final = 40  # two million runs fill a device for about a second
Played = Generator[tuple[Range, Any], None, None]  # ranges with their rows


# --- on a backend -----------------------------------------------------------------------------------------------------


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
    job: Job, ranges: Iterable[Range], backend: Backend, progress: Progress = lambda played: None
) -> Played:
    """Ranges of a job's runs with their rows, in order; `progress` is told of newly played runs."""

    def told() -> Iterator[Any]:
        for _, rows in played:
            progress(len(rows))
            yield rows

    ahead, behind = tee(ranges)  # never far from each other: there may be too many ranges to keep
    with closing(backend.work(PlayRuns(job), pieces_for(backend, job, ahead))) as played:
        yield from by_range(told(), behind)


def pieces_for(backend: Backend, job: Job, ranges: Iterable[Range]) -> Iterator[Range]:
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


# --- and stored -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ran:
    """A job whose runs are stored, at least as far as they were asked for."""

    job: Job
    folder: Path
    chunks: tuple[Chunk, ...]
    runs: int  # asked for
    found: int  # of them, stored before
    result_hash: str | None  # none if it was stopped before all were there

    @property
    def files(self) -> list[Path]:
        """The files with the runs asked for; the last may hold more."""
        return [chunk.path for chunk in self.chunks]

    @property
    def stored(self) -> int:
        """How many of the runs asked for are stored now."""
        return sum(min(chunk.end, self.runs) - chunk.first for chunk in self.chunks)


def run_job(
    results: Results, job: Job, runs: int, backend: Backend | None = None, progress: Progress = lambda played: None
) -> Ran:
    """Play and store what is missing of a job's first runs.

    An interrupt ends it early, and nothing that was finished is lost. `progress` is told of runs as they are found or
    played.
    """
    job.ranges(runs)  # refuses before anything is prepared
    stored = results.prepare(job)
    old = stored.names()
    before = stored.chunks()
    found = held(before, runs, job.chunk)
    progress(found)
    stopped = False
    try:
        _fill(stored, job, missing(before, job.ranges(runs)), backend or Threads(), progress)
    except KeyboardInterrupt:
        stopped = True
    except BrokenBackendError as error:
        safe = Ran(job, stored.folder, _within(stored.chunks(), runs), runs, found, None).stored
        told = (
            f"{error}; {safe:,} of {runs:,} runs are safe in {stored.folder}, and the same command goes on from there"
        )
        raise BrokenBackendError(told) from None
    stored.tidy(old)
    now = _within(stored.chunks() if found < runs else before, runs)
    complete = held(now, runs, job.chunk) == runs
    if not complete and not stopped:
        raise CartomancerError(f"{stored.folder}: what was just written cannot be read again; is the disk sound?")
    return Ran(job, stored.folder, now, runs, found, result_hash(job, now, runs) if complete else None)


def _fill(stored: StoredJob, job: Job, lacking: Iterable[Range], backend: Backend, progress: Progress) -> None:
    """Play ranges and store them; a few may wait to be written, so that no memory fills up."""
    writers = threads_here()
    with ThreadPoolExecutor(writers) as pool, closing(play_ranges(job, lacking, backend, progress)) as played:
        waiting: deque[Future[Chunk]] = deque()
        for (first, _), rows in played:
            waiting.append(pool.submit(stored.store, first, rows))
            while len(waiting) > writers or (waiting and waiting[0].done()):
                waiting.popleft().result()
        for future in waiting:
            future.result()


def _within(stored: Sequence[Chunk], runs: int) -> tuple[Chunk, ...]:
    return tuple(chunk for chunk in stored if chunk.first < runs)


def result_hash(job: Job, stored: Sequence[Chunk], runs: int) -> str:
    """The result hash of a job's first runs, from the digests in their chunks.

    Where these runs end in the middle of a block that goes on, the part of it is played again.
    """
    digests = b"".join(chunk.digests for chunk in stored)
    if stored[-1].end == runs:
        return hash_of_blocks(digests)
    whole, rest = divmod(runs, BLOCK)
    digests = digests[: whole * BLOCK_BYTES]
    if rest:
        digests += block_digests(PlayRuns(job).on_cpu((whole * BLOCK, rest))())
    return hash_of_blocks(digests)
