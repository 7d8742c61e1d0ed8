"""Computer players at the table: whoever is asked looks at the encounter and names an action.

>>> from cartomancer.encounters import Encounter
>>> fight = Encounter("boar", seed=42)
>>> players = seat(fight.packed)
>>> while fight.decision is not None:
...     _ = fight.apply(players.choose(fight))
>>> fight.outcome.winner in {"dungeon", "visitor", "both"}
True

What a player does depends on the position, the encounter's seed and the number of actions taken before, and on nothing
else; of the position it uses only what its side may know.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel.layout import MOST_OPTIONS, STATE, TABLES
from cartomancer.encounters.packing import Packed
from cartomancer.jit import records, wrapping
from cartomancer.players.kernel.layout import MINDS, THOUGHTS
from cartomancer.players.kernel.matches import decide
from cartomancer.players.minds import Minds, Seating, pack_minds


class Players:
    """Both sides' players; `thoughts` keeps the scratch paper of the last decision."""

    def __init__(self, packed: Packed, minds: Minds) -> None:
        self.packed, self.minds = packed, minds
        self._tables = records(1, TABLES)
        self._tables[0] = packed.tables
        self._minds = records(1, MINDS)
        self._minds[0] = minds.table
        self._states = records(2, STATE)
        self._options = np.zeros(MOST_OPTIONS, np.int16)
        self._thoughts = records(1, THOUGHTS)

    @property
    def thoughts(self) -> Any:
        """The scratch paper of the last decision."""
        return self._thoughts[0]

    def choose(self, encounter: Encounter) -> int:
        """The action of the side that is asked; the encounter stays as it is."""
        self._states[0] = encounter.state
        with wrapping():
            chosen = decide(
                *(self._tables[0], self._minds[0], self._states, 0, 1, self._options, self.thoughts),
                *(np.uint64(encounter.seed), len(encounter.actions)),
            )
        return int(chosen)


def seat(
    packed: Packed, dungeon: Seating | None = None, visitor: Seating | None = None, codex: Codex | None = None
) -> Players:
    """Seat players on both sides: heuristic ones with the scenario's profiles, unless told otherwise."""
    return Players(packed, pack_minds(packed, dungeon, visitor, codex))


def play_out(encounter: Encounter, players: Players) -> Encounter:
    """Let players finish an encounter."""
    while encounter.decision is not None:
        encounter.apply(players.choose(encounter))
    return encounter
