"""This machine's own backends: its threads, and its CUDA device."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from cartomancer.backends.tasks import Done, Grain, Piece, Result, Task
from cartomancer.batches import in_order, threads_here
from cartomancer.errors import CartomancerError
from cartomancer.jit import prefer_compiled

MOST_THREADS: Final = 1024


@dataclass(frozen=True)
class Threads:
    """This machine's cores."""

    threads: int | None = None
    name: str = "threads"
    grain: Grain = "thread"

    def __post_init__(self) -> None:
        if self.threads is not None and not 1 <= self.threads <= MOST_THREADS:
            raise CartomancerError(f"{self.threads} threads: 1 to {MOST_THREADS:,} are possible")

    @property
    def workers(self) -> int:
        """How many threads there are: all cores, unless a number was given."""
        return self.threads or threads_here()

    def work(self, task: Task[Piece, Result], pieces: Iterable[Piece]) -> Done[Piece, Result]:
        prefer_compiled()
        yield from in_order(lambda piece: task.on_cpu(piece)(), pieces, self.workers)


@dataclass(frozen=True)
class Device:
    """A CUDA device: a piece is one launch, and the next is under way while its result is looked at."""

    name: str = "cuda"
    grain: Grain = "device"

    def work(self, task: Task[Piece, Result], pieces: Iterable[Piece]) -> Done[Piece, Result]:
        left = iter(pieces)
        first = list(islice(left, 1))
        if not first:
            return
        prefer_compiled()  # what becomes of the device's results is reckoned here
        try:
            do = task.on_device()
        except ImportError as error:
            raise CartomancerError(f"the cuda backend needs the extra [cuda]: {error}") from None
        if task.device_lanes > 1:  # the first launch compiles: not twice at once
            yield first[0], do(first.pop())
        yield from in_order(do, chain(first, left), task.device_lanes)
