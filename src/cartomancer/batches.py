"""Running a long job in chunks: computed ahead on several threads, handed out in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def threads_here() -> int:
    """How many threads a batch uses."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def chunks(start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """(first, count) of each chunk from start to end."""
    return ((at, min(size, end - at)) for at in range(start, end, size))


def in_order(run: Callable[[Job], Result], jobs: Iterable[Job], workers: int) -> Iterator[tuple[Job, Result]]:
    """Each job with its result, in the jobs' order; only a few jobs are ever under way, however many there are."""
    with ThreadPoolExecutor(workers) as pool:
        ahead: list[tuple[Job, Future[Result]]] = []
        try:
            for job in jobs:
                ahead.append((job, pool.submit(run, job)))
                if len(ahead) > workers:
                    first, future = ahead.pop(0)
                    yield first, future.result()
            for first, future in ahead:
                yield first, future.result()
        finally:
            for _, future in ahead:
                future.cancel()
