"""Computer players at the table: whoever is asked looks at the encounter and names an action.

>>> from cartomancer.encounters import Encounter
>>> fight = Encounter("boar", seed=42)
>>> players = make_players(fight.packed)
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
from cartomancer.players.kernel.layout import POLICIES, WORKSPACE
from cartomancer.players.kernel.matches import decide
from cartomancer.players.policies import PlayerSpec, Policies, pack_policies


class Players:
    """Both sides' players; `workspace` keeps the workspace of the last decision."""

    def __init__(self, packed: Packed, policies: Policies) -> None:
        self.packed, self.policies = packed, policies
        self._tables = records(1, TABLES)
        self._tables[0] = packed.tables
        self._minds = records(1, POLICIES)
        self._minds[0] = policies.table
        self._states = records(2, STATE)
        self._options = np.zeros(MOST_OPTIONS, np.int16)
        self._thoughts = records(1, WORKSPACE)

    @property
    def workspace(self) -> Any:
        """The workspace of the last decision."""
        return self._thoughts[0]

    def choose(self, encounter: Encounter) -> int:
        """The action of the side that is asked; the encounter stays as it is."""
        self._states[0] = encounter.state
        with wrapping():
            chosen = decide(
                *(self._tables[0], self._minds[0], self._states, 0, 1, self._options, self.workspace),
                *(np.uint64(encounter.seed), len(encounter.actions)),
            )
        return int(chosen)


def make_players(
    packed: Packed, dungeon: PlayerSpec | None = None, visitor: PlayerSpec | None = None, codex: Codex | None = None
) -> Players:
    """Seat players on both sides: heuristic ones with the scenario's profiles, unless told otherwise."""
    return Players(packed, pack_policies(packed, dungeon, visitor, codex))


def play_out(encounter: Encounter, players: Players) -> Encounter:
    """Let players finish an encounter."""
    while encounter.decision is not None:
        encounter.apply(players.choose(encounter))
    return encounter
