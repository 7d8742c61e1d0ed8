"""The trace of a decision: the player's workspace after it, and the names for what stands in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cartomancer.encounters.actions import split
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.layout import card_of
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import records
from cartomancer.players.kernel.heuristic import read_board, score_hand
from cartomancer.players.kernel.layout import WORKSPACE
from cartomancer.players.kernel.player_codes import Kind, Part, Stance
from cartomancer.players.kernel.sequencer import NO_ACTION, growth
from cartomancer.players.player import Players


@dataclass(frozen=True)
class Trace:
    """The workspace of one decision, with what is needed to read it."""

    players: Players
    encounter: Encounter
    legal: tuple[int, ...]
    chosen: int
    workspace: Any

    @property
    def tables(self) -> Any:
        """The scenario's tables."""
        return self.players.packed.tables

    @property
    def policies(self) -> Any:
        """Both players' policies."""
        return self.players.policies.table

    @property
    def state(self) -> Any:
        """The position."""
        return self.encounter.state

    @property
    def p(self) -> int:
        """The side that is asked."""
        return int(self.state["actor"])

    @property
    def side(self) -> Any:
        """The record of that side."""
        return self.state["sides"][self.p]

    @property
    def thinking(self) -> Any:
        """The weights all players share."""
        return self.policies["thinking"]

    @property
    def profile(self) -> Any:
        """The side's profile in this room."""
        return self.policies["profiles"][self.p][int(self.state["room"])]

    @property
    def stance(self) -> Stance:
        """The stance it takes now."""
        return Stance(int(self.workspace["stance"]))

    @property
    def weights(self) -> Any:
        """Its weights in this stance."""
        return self.profile["weights"][self.stance]

    @property
    def trust(self) -> int:
        """Whole points of trust."""
        return int(points_of_trust(self.state))

    @property
    def courting(self) -> bool:
        """Whether the side works towards a Bond, or must look as if."""
        return self.stance is Stance.COURTING

    @property
    def player(self) -> Kind:
        """The kind of player."""
        return Kind(int(self.policies["kinds"][self.p]))

    @property
    def is_smart(self) -> bool:
        """Whether rollouts score its options."""
        return self.player is Kind.SMART

    @property
    def is_turn(self) -> bool:
        """Whether it is asked for its turn, and not for a reply."""
        return bool(self.state["awaiting"] == codes.AWAIT_TURN)

    @property
    def growth(self) -> int | None:
        """Playing the Energy card that grows the pool: in a turn that goes before everything else."""
        found = int(growth(self.tables, self.state, self.p))
        return None if found == NO_ACTION else found

    @property
    def hand(self) -> list[int]:
        """The instances in hand."""
        return [int(instance) for instance in self.side["hand"][: int(self.side["hand_size"])]]

    def number_of(self, instance: int) -> int:
        """The number of a card of this side."""
        return int(card_of(self.tables, self.state, self.p, instance))

    def card(self, instance: int) -> Any:
        """A card of this side as the kernels see it."""
        return self.tables["cards"][self.number_of(instance)]

    def category(self, instance: int) -> int:
        """The category of a card of this side."""
        return int(self.card(instance)["category"])

    def title(self, instance: int) -> str:
        """What a card of this side is called."""
        return self.players.packed.cards[self.number_of(instance)].title

    def row(self, number: int) -> dict[str, int]:
        """A row of the scores, by the names of its columns."""
        return {part.name.lower(): int(self.workspace["scores"][number][part]) for part in Part}

    def workspace_copy(self) -> Any:
        """A copy of the workspace to work on."""
        copied = records(1, WORKSPACE)
        copied[0] = self.workspace
        return copied[0]


def trace_decision(players: Players, encounter: Encounter) -> Trace:
    """Let the player decide, and keep its workspace; the encounter stays as it is."""
    legal, chosen = tuple(encounter.legal()), players.choose(encounter)
    workspace = records(1, WORKSPACE)
    trace = Trace(players, encounter, legal, chosen, workspace[0])
    if len(legal) == 1 or trace.player is Kind.RANDOM:  # nothing was weighed
        read_board(trace.tables, trace.policies, trace.state, trace.p, trace.workspace)
    else:
        workspace[0] = players.workspace
    if trace.is_turn and (split(chosen)[0] == codes.RETREAT or trace.growth is not None):  # decided before any scores
        score_hand(trace.tables, trace.policies, trace.weights, trace.state, trace.p, trace.workspace, trace.courting)
    return trace
