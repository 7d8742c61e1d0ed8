"""Running a job: what is stored already is left alone, the rest is played, and written while more is played."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from cartomancer.backends.local import Threads
from cartomancer.backends.tasks import Backend, BrokenBackendError
from cartomancer.batches import threads_here
from cartomancer.errors import CartomancerError
from cartomancer.lab.runs.jobs import Job
from cartomancer.lab.runs.playing import PlayRuns, play_ranges
from cartomancer.lab.runs.run_store import Chunk, Results, StoredJob, missing
from cartomancer.players.simulation import BLOCK, BLOCK_BYTES, Progress, block_digests, hash_of_blocks


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
    wanted = job.ranges(runs)
    stored = results.prepare(job)
    old = stored.names()
    before = stored.chunks()
    lacking = missing(before, wanted)
    found = runs - sum(count for _, count in lacking)
    progress(found)
    stopped = False
    try:
        _fill(stored, job, lacking, backend or Threads(), progress)
    except KeyboardInterrupt:
        stopped = True
    except BrokenBackendError as error:
        safe = Ran(job, stored.folder, _within(stored.chunks(), runs), runs, found, None).stored
        told = (
            f"{error}; {safe:,} of {runs:,} runs are safe in {stored.folder}, and the same command goes on from there"
        )
        raise BrokenBackendError(told) from None
    stored.tidy(old)
    chunks = _within(stored.chunks() if lacking else before, runs)
    complete = not missing(chunks, wanted)
    if not complete and not stopped:
        raise CartomancerError(f"{stored.folder}: what was just written cannot be read again; is the disk sound?")
    return Ran(job, stored.folder, chunks, runs, found, result_hash(job, chunks, runs) if complete else None)


def _fill(
    stored: StoredJob, job: Job, lacking: Sequence[tuple[int, int]], backend: Backend, progress: Progress
) -> None:
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


def _within(chunks: Sequence[Chunk], runs: int) -> tuple[Chunk, ...]:
    return tuple(chunk for chunk in chunks if chunk.first < runs)


def result_hash(job: Job, chunks: Sequence[Chunk], runs: int) -> str:
    """The result hash of a job's first runs, from the digests in their chunks.

    Where these runs end in the middle of a block that goes on, the part of it is played again.
    """
    digests = b"".join(chunk.digests for chunk in chunks)
    if chunks[-1].end == runs:
        return hash_of_blocks(digests)
    whole, rest = divmod(runs, BLOCK)
    digests = digests[: whole * BLOCK_BYTES]
    if rest:
        digests += block_digests(PlayRuns(job).on_cpu((whole * BLOCK, rest))())
    return hash_of_blocks(digests)
