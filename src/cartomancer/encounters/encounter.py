"""An encounter that one plays decision by decision: the readable face of the kernel's protocol.

>>> fight = Encounter("boar", seed=42)
>>> fight.decision.kind, fight.decision.side
('mulligan', 'dungeon')
>>> _ = fight.apply("keep"), fight.apply("keep")
>>> fight.decision.kind, fight.round
('turn', 1)
>>> fight.apply("play nothing_like_this")
Traceback (most recent call last):
...
cartomancer.errors.IllegalActionError: unknown card in hand 'nothing_like_this': known: ...

The encounter stops whenever somebody must choose and never chooses itself. Seed, scenario and the list of actions are
the whole of it: `cartomancer.encounters.replay` keeps them.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.encounters import actions as forms
from cartomancer.encounters import names
from cartomancer.encounters.event import Event
from cartomancer.encounters.events import read
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import Awaiting
from cartomancer.encounters.kernel.events import new_log
from cartomancer.encounters.kernel.layout import STATE
from cartomancer.encounters.kernel.protocol import apply, begin
from cartomancer.encounters.packing import Packed, pack
from cartomancer.jit import records, wrapping

RULESET: Final = 2  # goes up when the same decisions lead to another state


@dataclass(frozen=True)
class Decision:
    """What an encounter is waiting for, and from whom."""

    kind: str  # mulligan, turn, resource, member, react, offer, covenant, test
    side: str  # dungeon, visitor


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    kind: str  # one of the nine
    winner: str  # dungeon, visitor, both, nobody (E17)
    rounds: int
    decisions: int  # by E18
    rooms: tuple[tuple[str, str, int], ...]  # (room, its outcome, its rounds), in the order they were entered


class Encounter:
    """A run through a scenario's rooms."""

    def __init__(self, scenario: str | Packed, seed: int = 0, codex: Codex | None = None) -> None:
        self.packed = scenario if isinstance(scenario, Packed) else pack(scenario, codex)
        self.seed = seed
        self.actions: list[int] = []
        self.trace: list[str] = []  # the state's hash after each of them
        self._states = records(1, STATE)
        self._log = new_log()
        self.opening: list[Event] = self._moved(begin, np.uint64(seed))

    @property
    def state(self) -> Any:
        """The whole fight as one record; for reading."""
        return self._states[0]

    def _moved(self, move: Any, argument: Any) -> list[Event]:
        self._log[0, 0] = 0
        with wrapping():
            move(self.packed.tables, self.state, self._log, argument)
        count = int(self._log[0, 0])
        assert count < len(self._log) - 1, "the log is full: events would be lost"
        return [read(self.packed, row) for row in self._log[1 : count + 1].tolist()]

    @property
    def decision(self) -> Decision | None:
        """What is waited for; nothing once the run is over."""
        awaiting = Awaiting(int(self.state["awaiting"]))
        return Decision(awaiting.word, names.SIDES[int(self.state["actor"])]) if awaiting else None

    @property
    def round(self) -> int:
        """The round of this room, from 1."""
        return int(self.state["round_no"])

    @property
    def room(self) -> str:
        """The room's id."""
        return self.packed.rooms[int(self.state["room"])]

    def legal(self) -> list[int]:
        """The actions the pending side may take."""
        return forms.legal(self.packed, self.state)

    def legal_texts(self) -> list[str]:
        """The same, readable."""
        return [self.text_of(action) for action in self.legal()]

    def text_of(self, action: int) -> str:
        """The readable form of an action of the pending side."""
        return forms.text_of(self.packed, self.state, action)

    def apply(self, action: int | str) -> list[Event]:
        """Take an action; the events it led to. An illegal one is refused with the reason, and nothing changes."""
        if isinstance(action, str):
            number = forms.parse(self.packed, self.state, action)
        else:
            number = int(action)
            forms.check(self.packed, self.state, number, f"action {number}")
        events = self._moved(apply, number)
        self.actions.append(number)
        self.trace.append(self.state_hash())
        return events

    def play(self, actions: Iterable[int | str]) -> Encounter:
        """Take several actions."""
        for action in actions:
            self.apply(action)
        return self

    @property
    def outcome(self) -> Outcome | None:
        """How the run ended; nothing while it goes on."""
        state = self.state
        if int(state["awaiting"]) != Awaiting.OVER:
            return None
        kind = names.OUTCOMES[int(state["outcome"])]
        entered = zip(state["room_path"], state["room_outcomes"], state["room_rounds"], strict=True)
        return Outcome(
            kind=kind,
            winner=winner_of(kind),
            rounds=int(state["rounds"]),
            decisions=int(state["decisions"]),
            rooms=tuple(
                (self.packed.rooms[room], names.OUTCOMES[outcome], int(rounds))
                for room, outcome, rounds in islice(entered, int(state["rooms_entered"]))
            ),
        )

    def state_hash(self) -> str:
        """Sixteen hex digits of the whole state."""
        return hashlib.blake2b(self._states.tobytes(), digest_size=8).hexdigest()

    def copy(self) -> Encounter:
        """An encounter that goes on from here by itself."""
        twin = copy.copy(self)
        twin.actions, twin.trace = list(self.actions), list(self.trace)
        twin._states, twin._log = self._states.copy(), new_log()
        return twin


def winner_of(outcome: str) -> str:
    """Whose win an outcome is (E17)."""
    return codes.Outcome[outcome.upper()].winner
