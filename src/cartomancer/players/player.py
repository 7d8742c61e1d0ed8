"""Who chooses in an encounter: computer players, and whatever else has a `choose`.

>>> from cartomancer.encounters import Encounter
>>> fight = play_out(Encounter("boar", seed=42), Player("heuristic"), Player("random"))
>>> fight.outcome.winner in {"dungeon", "visitor", "both"}
True

What a computer player does depends on the position, the encounter's seed and the number of actions taken before, and on
nothing else; of the position it uses only what its side may know.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.encounters.encounter import Decision, Encounter
from cartomancer.encounters.kernel.layout import MOST_OPTIONS, STATE
from cartomancer.encounters.packing import Packed
from cartomancer.errors import CartomancerError
from cartomancer.jit import prefer_compiled, records, wrapping
from cartomancer.players.kernel.layout import MIND
from cartomancer.players.kernel.matches import decide
from cartomancer.players.kernel.player_codes import Kind
from cartomancer.players.policies import PlayerSpec, Policies, pack_policies, player_spec


class Chooser(Protocol):
    """What plays: one's own players implement this and are accepted wherever computer players are.

    It is asked about an encounter that waits for one of its sides, must not change it, and names a legal action: its
    number, or its readable form. What its side may know is what `observe` shows; nothing stops it from looking further.
    """

    def choose(self, encounter: Encounter) -> int | str:
        """The action of the side that is asked."""


def asked(encounter: Encounter) -> Decision:
    """The decision an encounter waits for; refuses a run that is over."""
    if encounter.decision is None:
        raise CartomancerError("the run is over: nobody is asked")
    return encounter.decision


class Players:
    """Both sides' computer players in one scenario; `mind` holds what they worked out for the last decision."""

    def __init__(self, packed: Packed, policies: Policies) -> None:
        self.packed, self.policies = packed, policies
        self._states = records(2, STATE)
        self._options = np.zeros(MOST_OPTIONS, np.int16)
        self.mind: Any = records(1, MIND)[0]
        if Kind.SMART in policies.table["sides"]["kind"]:
            prefer_compiled()  # each of its decisions is a batch of runs

    def choose(self, encounter: Encounter) -> int:
        """The action of the side that is asked; the encounter stays as it is."""
        self._states[0] = encounter.state
        seed, taken = np.uint64(encounter.seed), len(encounter.actions)
        tables, policies = self.packed.tables, self.policies.table
        with wrapping():
            return int(decide(tables, policies, self._states, 0, 1, self._options, self.mind, seed, taken))


def make_players(
    packed: Packed, dungeon: PlayerSpec | None = None, visitor: PlayerSpec | None = None, codex: Codex | None = None
) -> Players:
    """Players for both sides of a scenario: heuristic ones with the scenario's profiles, unless told otherwise."""
    return Players(packed, pack_policies(packed, dungeon, visitor, codex))


class Player:
    """A computer player as `player_spec` writes it, for any scenario and whichever side is asked.

    >>> fight = Encounter("symbiote", seed=7)
    >>> fight.text_of(Player("smart@8:nurturing").choose(fight))
    'keep'
    """

    def __init__(self, text: str = "heuristic", codex: Codex | None = None) -> None:
        self.spec, self.codex = player_spec(text, codex=codex), codex
        self._made: dict[str, Players] = {}  # by side, for the scenario it was last asked about

    def __str__(self) -> str:
        return str(self.spec)

    def __repr__(self) -> str:
        return f"Player('{self}')"

    def at(self, encounter: Encounter) -> Players:
        """The player in this encounter, on the side that is asked."""
        side = asked(encounter).side
        if side not in self._made or self._made[side].packed is not encounter.packed:
            spec = player_spec(str(self), side, self.codex)  # refuses a profile of the other side
            dungeon, visitor = (spec, None) if side == "dungeon" else (None, spec)
            self._made[side] = make_players(encounter.packed, dungeon, visitor, self.codex)
        return self._made[side]

    def choose(self, encounter: Encounter) -> int:
        """The action of the side that is asked; the encounter stays as it is."""
        return self.at(encounter).choose(encounter)


def play_out(encounter: Encounter, dungeon: Chooser, visitor: Chooser | None = None) -> Encounter:
    """Let players finish an encounter; the first plays both sides if there is no second."""
    choosers = {"dungeon": dungeon, "visitor": visitor or dungeon}
    while (decision := encounter.decision) is not None:
        encounter.apply(choosers[decision.side].choose(encounter))
    return encounter
