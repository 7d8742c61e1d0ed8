"""Named SplitMix64 streams: one uint64 each, started from (seed, stream, index).

>>> stream = Stream(42, codes.STREAM_COSMETIC)
>>> [stream.below(6) + 1 for _ in range(5)] == [Stream(42, codes.STREAM_COSMETIC).below(6) + 1] * 5
False
>>> seed_from("42"), seed_from("a rainy night") == seed_from("a rainy night")
(42, True)

Bounded draws multiply the high 32 bits by the bound: no outcome's probability is off by more than 2**-32.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import numpy as np

from cartomancer import codes
from cartomancer.errors import NotationError
from cartomancer.jit import kernel, whole, wrapping

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_S27: Final = np.uint64(27)
_S30: Final = np.uint64(30)
_S31: Final = np.uint64(31)
_S32: Final = np.uint64(32)
MAX_SEED: Final = 2**64 - 1

Item = TypeVar("Item")


@kernel
def scramble(z):  # type: ignore[no-untyped-def]
    """SplitMix64's finaliser: a bijection of 64 bits."""
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@kernel
def stream_start(seed, stream, index):  # type: ignore[no-untyped-def]
    """Where the stream (seed, stream, index) begins: three scrambles, so that neighbours share nothing."""
    z = scramble(seed + GOLDEN)
    z = scramble(z + GOLDEN * np.uint64(stream + 1))
    return scramble(z + GOLDEN * np.uint64(index + 1))


@kernel
def draw64(streams, k):  # type: ignore[no-untyped-def]
    """The next 64 bits of stream k."""
    state = streams[k] + GOLDEN
    streams[k] = state
    return scramble(state)


@kernel
def bounded(bits, n):  # type: ignore[no-untyped-def]
    """A number in 0 … n−1 from 64 random bits; n is positive and below 2**31."""
    return whole(((bits >> _S32) * np.uint64(n)) >> _S32)


@kernel
def below(streams, k, n):  # type: ignore[no-untyped-def]
    """A number in 0 … n−1 from stream k."""
    return bounded(draw64(streams, k), n)


class Stream:
    """One named stream, for the Python side of the house; it calls the same kernel functions."""

    def __init__(self, seed: int, stream: int, index: int = 0) -> None:
        self._state: np.ndarray[Any, np.dtype[np.uint64]] = np.zeros(1, np.uint64)
        with wrapping():
            self._state[0] = stream_start(np.uint64(seed), stream, index)

    @property
    def state(self) -> int:
        """The stream's whole state, for saves."""
        return int(self._state[0])

    def below(self, n: int) -> int:
        """A number in 0 … n−1."""
        with wrapping():
            return int(below(self._state, 0, n))

    def chance(self, share: int, out_of: int = 1000) -> bool:
        """True in `share` of `out_of` cases."""
        return self.below(out_of) < share

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items, each as likely."""
        return items[self.below(len(items))]

    def weighted(self, weights: Sequence[int]) -> int:
        """An index, as likely as its weight."""
        rest = self.below(sum(weights))
        for index, weight in enumerate(weights):
            if rest < weight:
                return index
            rest -= weight
        raise AssertionError("unreachable: below(total) is smaller than the total")

    def sample(self, items: Sequence[Item], count: int) -> list[Item]:
        """`count` different items, in random order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]


def seed_from(text: str | int) -> int:
    """A seed from what a person typed: an unsigned 64-bit number as it is, any other text by its hash."""
    try:
        number = int(text)
    except ValueError:
        if not str(text).strip():
            raise NotationError("a seed must not be empty") from None
        try:
            data = str(text).encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            raise NotationError(f"seed {text!a} holds half a character (right would be: a number or a text)") from None
        return int.from_bytes(hashlib.sha256(data).digest()[:8], "big")
    if not 0 <= number <= MAX_SEED:
        raise NotationError(f"seed {number} is outside 0 … {MAX_SEED}")
    return number


__all__ = ["GOLDEN", "MAX_SEED", "Stream", "below", "codes", "draw64", "scramble", "seed_from", "stream_start"]
