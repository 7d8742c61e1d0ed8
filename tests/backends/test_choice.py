"""Which backend is meant, and options that make no sense; every backend does the pieces of a task in order."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from cartomancer.backends import cluster
from cartomancer.backends.choice import BACKENDS, backend_of
from cartomancer.backends.local import Device, Threads
from cartomancer.backends.tasks import Backend
from cartomancer.errors import CartomancerError


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("thread",), "did you mean 'threads'"),
        (("threads", 0), "0 threads"),
        (("threads", None, "tcp://here:1"), "not for the backend 'threads'"),
        (("cuda", None, None, 3), "not for the backend 'cuda'"),
        (("cuda", 2), "number of threads"),
        (("cluster", None, "tcp://here:1", 3), "one or the other"),
        (("cluster", None, None, 0), "0 workers"),
        ((None, None, None, 2), "not for the backend 'threads'"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: tuple[Any, ...], told: str) -> None:
    with pytest.raises(CartomancerError, match=told):
        backend_of(*arguments)


def test_without_a_name_an_address_means_a_cluster() -> None:
    assert backend_of() == Threads()
    assert backend_of(address="tcp://here:1") == cluster.Cluster("tcp://here:1")


def squared(number: int) -> int:
    return number * number


@dataclass(frozen=True)
class Squares:
    """A task of numbers; where there is no device, its place is taken by this CPU."""

    device_lanes: int = 1

    def on_cpu(self, piece: int) -> Callable[[], int]:
        return partial(squared, piece)

    def on_device(self) -> Callable[[int], int]:
        return squared


@pytest.mark.parametrize("name", BACKENDS)
def test_every_backend_does_the_pieces_in_order(name: str) -> None:
    options: dict[str, Any] = {}
    if name == "cluster":
        pytest.importorskip("distributed")
        options = {"workers": 2}
    backend: Backend = backend_of(name, **options)
    assert backend.name == name
    pieces = list(range(40))
    assert list(backend.work(Squares(), iter(pieces))) == [(piece, piece * piece) for piece in pieces]
    assert list(backend.work(Squares(device_lanes=2), [])) == []


def test_a_device_compiles_once_and_then_does_several_pieces_at_a_time() -> None:
    """The first piece is done alone; of the others as many at a time as the task allows."""
    under_way, most, lock = [0], [0], threading.Lock()
    seen: list[int] = []

    class Watched(Squares):
        def on_device(self) -> Callable[[int], int]:
            gate = threading.Barrier(2, timeout=10)

            def launch(piece: int) -> int:
                with lock:
                    under_way[0] += 1
                    most[0] = max(most[0], under_way[0])
                    seen.append(piece)
                    first = len(seen) == 1
                if not first:
                    gate.wait()
                with lock:
                    under_way[0] -= 1
                return piece

            return launch

    assert [found for _, found in Device().work(Watched(device_lanes=2), range(5))] == [0, 1, 2, 3, 4]
    assert (seen[0], most[0]) == (0, 2)


def test_without_the_extra_the_device_says_what_is_missing() -> None:
    class NoDevice(Squares):
        def on_device(self) -> Callable[[int], int]:
            raise ImportError("no numba_cuda")

    with pytest.raises(CartomancerError, match=r"needs the extra \[cuda\]: no numba_cuda"):
        list(Device().work(NoDevice(), [1]))
