"""What a position is worth to both sides: rollouts to the end of the run, with every card where it lies.

>>> from cartomancer.encounters import Encounter
>>> from cartomancer.players.policies import pack_policies
>>> start = Encounter("boar", seed=42)
>>> found = Prospects(start.packed, pack_policies(start.packed)).of(start, None, range(20))
>>> dungeon, visitor = found.mean(axis=0).tolist()
>>> 0 <= visitor <= 1 and 0 <= dungeon <= 1
True

Hands and face-down Traps stay as they are, dice and draws are anew: a look back, when nothing is hidden any more. So
worth is moved by decisions and by chance alone, not by what somebody learns. Rollout n has the same luck wherever it
begins, so that two positions, or two options, are compared under the same luck.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from cartomancer.codes import STREAM_STUDY
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.protocol import take
from cartomancer.encounters.packing import Packed
from cartomancer.jit import prefer_compiled, records, wrapping
from cartomancer.players.kernel.layout import RUN
from cartomancer.players.kernel.matches import play_match
from cartomancer.players.policies import Policies
from cartomancer.players.simulation import Array, thread_memory
from cartomancer.rng import Stream


class Prospects:
    """Rollouts of one scenario between two players."""

    def __init__(self, packed: Packed, policies: Policies) -> None:
        prefer_compiled()
        tables, table, _, self._states, self._options, minds = thread_memory(packed.tables, policies.table)
        self._tables, self._policies, self._mind = tables[0], table[0], minds[0]
        self._row = records(1, RUN)[0]

    def of(self, position: Encounter, action: int | None, luck: Iterable[int]) -> Array:
        """What each rollout is worth to dungeon and visitor, from 0 to 1; after an action, if there is one."""
        found = [self._once(position.state, int(position.seed), number, action) for number in luck]
        return np.array(found, dtype=np.float64) / 1000

    def _once(self, start: Any, seed: int, number: int, action: int | None) -> list[int]:
        """One rollout: thousandths for each side."""
        self._states[0] = start
        state = self._states[0]
        if int(state["awaiting"]) != codes.OVER:
            own, *streams = luck_of(seed, number)
            state["streams"] = streams
            with wrapping():
                if action is not None:
                    take(self._tables, state, None, action)
                play_match(self._tables, self._policies, self._states, self._options, self._mind, None, own, self._row)
        room, outcome = int(state["room"]), int(state["outcome"])
        return [int(side["profiles"][room]["endings"][outcome]) for side in self._policies["sides"]]


@lru_cache(maxsize=20_000)
def luck_of(seed: int, number: int) -> tuple[np.uint64, ...]:
    """The luck of a rollout: the players' own, and every random stream of the fight."""
    start = Stream(seed, STREAM_STUDY, number).state
    return tuple(np.uint64(Stream(start, STREAM_STUDY, k).state) for k in range(1 + codes.STREAMS))
