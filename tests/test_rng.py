"""Named streams: SplitMix64, independent of each other, the same everywhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from cartomancer import codes
from cartomancer.errors import NotationError
from cartomancer.jit import wrapping
from cartomancer.rng import MAX_SEED, Stream, draw64, seed_from

SEEDS = st.integers(0, MAX_SEED)


def test_draws_are_splitmix64() -> None:
    """The published first outputs of SplitMix64 started at 1234567."""
    state = np.array([1234567], np.uint64)
    with wrapping():
        drawn = [int(draw64(state, 0)) for _ in range(5)]
    assert drawn == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(SEEDS, st.integers(1, 2**31 - 1))
def test_bounded_draws_stay_below_their_bound(seed: int, bound: int) -> None:
    stream = Stream(seed, codes.STREAM_COSMETIC)
    assert all(0 <= stream.below(bound) < bound for _ in range(20))


@given(SEEDS)
def test_streams_of_one_seed_share_nothing(seed: int) -> None:
    starts = {Stream(seed, stream, index).state for stream in range(8) for index in range(8)}
    assert len(starts) == 64


def test_bounded_draws_are_even() -> None:
    """60,000 draws of a die: a fair one fails once in a million."""
    stream = Stream(7, codes.STREAM_WALK)
    counts = np.bincount([stream.below(6) for _ in range(60_000)], minlength=6)
    assert chisquare(counts).pvalue > 1e-6


def test_weighted_picks_follow_their_weights() -> None:
    stream = Stream(7, codes.STREAM_WALK)
    counts = np.bincount([stream.weighted([1, 0, 3, 6]) for _ in range(40_000)], minlength=4)
    assert counts[1] == 0
    assert chisquare(counts[[0, 2, 3]], [4_000, 12_000, 24_000]).pvalue > 1e-6


def test_a_sample_holds_different_items() -> None:
    assert sorted(Stream(3, 0).sample(range(10), 10)) == list(range(10))


def test_numbers_are_seeds_and_texts_are_hashed() -> None:
    assert seed_from("42") == 42
    assert seed_from(str(MAX_SEED)) == MAX_SEED
    assert seed_from("storm") == seed_from("storm") != seed_from("Storm")


@pytest.mark.parametrize("text", ["-1", str(MAX_SEED + 1), "", "  "])
def test_what_is_no_seed_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        seed_from(text)


def test_half_a_character_is_no_seed() -> None:
    with pytest.raises(NotationError, match="half a character"):
        seed_from("\ud800")
