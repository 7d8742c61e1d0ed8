"""The trace of a decision: the player's workspace after it, and the names for what stands in it."""

from __future__ import annotations

from typing import Any

from cartomancer.encounters.actions import split
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.layout import card_of, number_of
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import records
from cartomancer.players.kernel.heuristic import read_board, score_hand
from cartomancer.players.kernel.layout import WORKSPACE
from cartomancer.players.kernel.player_codes import Kind, Part, Stance
from cartomancer.players.kernel.sequencer import NO_ACTION, growth
from cartomancer.players.player import Players


class Trace:
    """The workspace of one decision, with what is needed to read it."""

    def __init__(
        self, players: Players, encounter: Encounter, legal: tuple[int, ...], chosen: int, workspace: Any
    ) -> None:
        self.players, self.encounter, self.legal, self.chosen = players, encounter, legal, chosen
        self.workspace = workspace
        self.tables, self.policies = players.packed.tables, players.policies.table
        self.thinking = self.policies["thinking"]  # the weights all players share
        self.state = encounter.state
        self.p = int(self.state["actor"])  # the side that is asked
        self.side = self.state["sides"][self.p]
        self.hand = [int(instance) for instance in self.side["hand"][: int(self.side["hand_size"])]]
        self.trust = int(points_of_trust(self.state))
        self.player = Kind(int(self.policies["sides"][self.p]["kind"]))
        self.is_smart = self.player is Kind.SMART  # whether rollouts score its options
        self.is_turn = bool(self.state["awaiting"] == codes.AWAIT_TURN)  # and not a reply
        self.growth = growth_in(players, encounter)

    @property
    def stance(self) -> Stance:
        """The stance it takes now."""
        return Stance(int(self.workspace["stance"]))

    @property
    def courting(self) -> bool:
        """Whether the side works towards a Bond, or must look as if."""
        return self.stance is Stance.COURTING

    @property
    def weights(self) -> Any:
        """The weights of its profile in this room and stance."""
        return self.policies["sides"][self.p]["profiles"][int(self.state["room"])]["weights"][self.stance]

    def number_of(self, instance: int) -> int:
        """The number of a card of this side."""
        return int(number_of(self.tables, self.state, self.p, instance))

    def card(self, instance: int) -> Any:
        """A card of this side as the kernels see it."""
        return card_of(self.tables, self.state, self.p, instance)

    def category(self, instance: int) -> int:
        """The category of a card of this side."""
        return int(self.card(instance)["category"])

    def title(self, instance: int) -> str:
        """What a card of this side is called."""
        return self.players.packed.cards[self.number_of(instance)].title

    def row(self, number: int) -> dict[str, int]:
        """A row of the scores, by the names of its columns."""
        return {part.name.lower(): int(self.workspace["scores"][number][part]) for part in Part}

    def rows(self) -> list[tuple[int, dict[str, int]]]:
        """The options of a reply with their rows."""
        return [(action, self.row(number)) for number, action in enumerate(self.legal)]

    def workspace_copy(self) -> Any:
        """A copy of the workspace to work on."""
        copied = records(1, WORKSPACE)
        copied[0] = self.workspace
        return copied[0]


def growth_in(players: Players, encounter: Encounter) -> int | None:
    """Playing the Energy card that grows the pool: in a turn that goes before everything else."""
    found = int(growth(players.packed.tables, encounter.state, int(encounter.state["actor"])))
    return None if found == NO_ACTION else found


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
