"""Random games, hashed after every decision: what interpreted and compiled runs are compared by."""

from __future__ import annotations

import hashlib

import numpy as np

from cartomancer.codes import STREAM_COSMETIC
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.events import new_log
from cartomancer.encounters.kernel.layout import MOST_OPTIONS, STATE
from cartomancer.encounters.kernel.legal import legal_actions
from cartomancer.encounters.kernel.protocol import apply, begin
from cartomancer.encounters.packing import Packed, pack
from cartomancer.jit import records, wrapping
from cartomancer.rng import Stream
from tests.encounters.random_content import random_packed

SCENARIOS = (
    *("boar", "symbiote", "standard-company", "bond-then-betray", "company-gauntlet"),
    *("boar+frenzy+thick_hide+overtime", "standard-company+marked+bounty_tag+split_focus+hexed"),
    *("symbiote+venomous+summoner+cleanse_ward+false_orders", "company-gauntlet+executioner+counterstance+swarm"),
)


def packed_case(number: int) -> Packed:
    """Every other case has random content, the rest are shipped scenarios in turn."""
    return random_packed(number) if number % 2 else pack(SCENARIOS[number // 2 % len(SCENARIOS)])


def trace(packed: Packed, seed: int) -> str:
    """A hash over the state, the legal actions and the events after every decision of one random game."""
    states, log, options = records(1, STATE), new_log(), np.zeros(MOST_OPTIONS, np.int16)
    chooser, digest = Stream(seed, STREAM_COSMETIC, 3), hashlib.blake2b(digest_size=8)
    with wrapping():
        begin(packed.tables, states[0], log, np.uint64(seed))
        while int(states[0]["awaiting"]) != codes.OVER:
            count = int(legal_actions(packed.tables, states[0], options))
            assert 0 < count <= MOST_OPTIONS
            digest.update(options[:count].tobytes() + states.tobytes() + log[: log[0, 0] + 1].tobytes())
            log[0, 0] = 0
            apply(packed.tables, states[0], log, int(options[chooser.below(count)]))
    digest.update(states.tobytes())
    return digest.hexdigest()


def traces(first: int, count: int) -> list[str]:
    """The hashes of games number first … first + count − 1."""
    return [trace(packed_case(number), number) for number in range(first, first + count)]
