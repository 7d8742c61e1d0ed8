"""What a backend is asked to do.

A task says how a piece of work is done, on a CPU and on a device; a backend says where pieces go. Runs of a job, cells
of a matrix and seeds of a search are such tasks, so whatever backend there is does all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Literal, Protocol, TypeVar

from cartomancer.errors import CartomancerError

Piece = TypeVar("Piece")
Piece_contra = TypeVar("Piece_contra", contravariant=True)
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


Done = Generator[tuple[Piece, Result], None, None]  # each piece with its result
Grain = Literal["thread", "worker", "device"]  # small; worth sending away; worth a launch


class BrokenBackendError(CartomancerError):
    """A backend that fell away in the middle: what it handed out before is good."""


class Task(Protocol[Piece_contra, Result_co]):
    """How pieces of some work are done."""

    @property
    def device_lanes(self) -> int:
        """How many pieces a device may be given at the same time."""

    def on_cpu(self, piece: Piece_contra) -> Callable[[], Result_co]:
        """A piece as a call that needs nothing else: a thread makes it here, a cluster sends it away, so it pickles."""

    def on_device(self) -> Callable[[Piece_contra], Result_co]:
        """A function that does a piece on a CUDA device."""


class Backend(Protocol):
    """Does the pieces of a task and hands out each with its result, in the pieces' order.

    Whoever stops listening loses the pieces under way and nothing else.
    """

    @property
    def name(self) -> str:
        """What commands call it."""

    @property
    def grain(self) -> Grain:
        """How large it likes its pieces: whoever has work cuts it so."""

    def work(self, task: Task[Piece, Result], pieces: Iterable[Piece]) -> Done[Piece, Result]: ...
