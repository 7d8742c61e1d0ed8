"""The trace of a decision: the player's workspace after it, the names for what stands in it, the plan of a turn.

The sequencer plans anew at every stop, so a plan holds as far as its player can tell: rolls, answers and face-down
Traps may change it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cartomancer.encounters.actions import SPAN, split
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.layout import card_of, number_of
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import records
from cartomancer.players.kernel.habits import habitual
from cartomancer.players.kernel.heuristic import end_of_turn, read_board, score_hand
from cartomancer.players.kernel.layout import WORKSPACE
from cartomancer.players.kernel.player_codes import Kind, Part, Stance
from cartomancer.players.kernel.sequencer import NO_ACTION, first_of, growth, is_saving
from cartomancer.players.player import Players, asked
from cartomancer.players.policies import KINDS

GROWS: Final = "grows the pool"
PLAYED: Final = "played"
KEPT: Final = "kept to answer with"
EMPTIES: Final = "empties the hand"


@dataclass(frozen=True)
class Arm:
    """An option of a smart player: its rollouts, what they were worth, what they were worth more than the default's."""

    rollouts: int
    total: int
    gain: int

    @property
    def worth(self) -> int:
        """The mean worth, in thousandths."""
        return round(self.total / self.rollouts)

    @property
    def lead(self) -> int:
        """The mean gain on the default, in thousandths."""
        return round(self.gain / self.rollouts)


class Trace:
    """A decision that the player makes, and its workspace afterwards; the encounter stays as it is."""

    def __init__(self, players: Players, encounter: Encounter) -> None:
        self.players, self.encounter, self.decision = players, encounter, asked(encounter)
        self.legal, self.chosen = tuple(encounter.legal()), players.choose(encounter)
        self.tables, self.policies = players.packed.tables, players.policies.table
        self.thinking = self.policies["thinking"]  # the weights all players share
        self.state = encounter.state
        self.p = int(self.state["actor"])  # the side that is asked
        self.side = self.state["sides"][self.p]
        self.hand = [int(instance) for instance in self.side["hand"][: int(self.side["hand_size"])]]
        self.trust = int(points_of_trust(self.state))
        self.player = Kind(int(self.policies["sides"][self.p]["kind"]))
        self.has_rollouts = self.player in {Kind.MONTECARLO, Kind.SMART}
        self.habit = self._habit()
        self.growth = growth_in(players, encounter) if self.decision.kind == "turn" else None
        workspaces = records(1, WORKSPACE)
        self.workspace = workspaces[0]
        if len(self.legal) == 1 or self.player is Kind.RANDOM or self.habit or self.growth is not None:
            # nothing was weighed: in the players' workspace stands an earlier decision
            read_board(self.tables, self.policies, self.state, self.p, self.workspace)
        else:
            workspaces[0] = players.mind["decision"]
        if self.flees or self.growth is not None:  # decided before any scores
            self._score_hand()

    def _habit(self) -> str:
        """What a simple player does here without thinking; empty where it has to think."""
        kind = KINDS[self.players.policies.of(self.decision.side).kind]
        acts = kind.is_simple and int(habitual(self.tables, self.policies, self.state)) != NO_ACTION
        return kind.summary if acts else ""

    def _score_hand(self) -> None:
        """Score the hand as the player would have."""
        played = int(self.policies["sides"][self.p]["played"])
        context = (self.tables, self.policies, self.weights, self.state, self.p, self.workspace, self.courting)
        score_hand(*context, played)

    @property
    def arms(self) -> dict[int, Arm]:
        """What rollouts said of each option of a smart player that they tried, by action."""
        found = self.players.mind["arms"][: int(self.players.mind["arm_count"])]
        return {int(arm["action"]): Arm(int(arm["rollouts"]), int(arm["total"]), int(arm["gain"])) for arm in found}

    @property
    def flees(self) -> bool:
        """Whether the side retreats."""
        return split(self.chosen)[0] == codes.RETREAT

    @property
    def stance(self) -> Stance:
        """The stance it takes now."""
        return Stance(int(self.workspace["stance"]))

    @property
    def courting(self) -> bool:
        """Whether the side works towards a Bond, or must look as if."""
        return self.stance is not Stance.FIGHTING

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


def growth_in(players: Players, encounter: Encounter) -> int | None:
    """Playing the Energy card that grows the pool: in a turn that goes before everything else."""
    found = int(growth(players.packed.tables, encounter.state, int(encounter.state["actor"])))
    return None if found == NO_ACTION else found


# --- the plan of a turn -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One step of a plan."""

    action: int
    text: str
    role: str  # grows the pool, gives n energy, played, kept to answer with


def gives(energy: int) -> str:
    """The role of a source of energy."""
    return f"gives {energy} energy"


def plan_of(trace: Trace) -> tuple[Step, ...]:
    """The turn as the sequencer means to play it: growth, sources of energy, cards, and the Reacts it keeps."""
    steps, twin, after = list[Step](), trace.encounter.copy(), trace
    while (grown := growth_in(trace.players, twin)) is not None:
        steps.append(Step(grown, twin.text_of(grown), GROWS))
        _play_unharmed(twin, grown)
    if steps:
        after = Trace(trace.players, twin)
    if len(after.legal) == 1 or after.flees:
        return tuple(steps)
    steps += _set_in_order(after)
    return tuple(steps or _last_energy(after))


def _last_energy(trace: Trace) -> list[Step]:
    """The Energy that is played for an empty hand, where nothing is planned and nothing held back for trust."""
    verb, instance = split(int(end_of_turn(trace.tables, trace.weights, trace.state, trace.p, trace.courting)))
    return [_step(trace, verb, instance, EMPTIES)] if verb == codes.PLAY else []


def saves_for_covenant(trace: Trace) -> bool:
    """Whether a Surge is kept for a Covenant in hand."""
    return trace.courting and bool(is_saving(trace.tables, trace.state, trace.p))


def _play_unharmed(twin: Encounter, action: int) -> None:
    """Play Energy in an encounter of one's own; face-down Traps are in nobody's plan."""
    theirs = twin.state["sides"][1 - int(twin.state["actor"])]
    laid = int(theirs["trap_count"])
    theirs["trap_count"] = 0
    twin.apply(action)
    theirs["trap_count"] = laid


def _set_in_order(trace: Trace) -> list[Step]:
    """Sources and cards of the chosen set, read off the workspace."""
    workspace = trace.workspace
    candidates, mask = int(workspace["candidates"]), int(workspace["chosen_mask"])
    places = {trace.hand[int(workspace["places"][k])]: k for k in range(candidates)}
    reacts = [card for card, k in places.items() if mask >> k & 1 and trace.category(card) == codes.REACT]
    played = []
    while (found := int(first_of(trace.tables, trace.state, trace.p, workspace, candidates, mask))) != NO_ACTION:
        played.append(_step(trace, codes.PLAY, split(found)[1], PLAYED))
        mask &= ~(1 << places[split(found)[1]])
    used = int(workspace["chosen_sources"]) if played else 0
    sources = [_source(trace, source) for k, source in enumerate(workspace["sources"]) if used >> k & 1]
    return [*sources, *played, *(_step(trace, codes.ANSWER, card, KEPT) for card in reacts)]


def _step(trace: Trace, verb: Any, instance: int, role: str) -> Step:
    action = int(verb) * SPAN + instance
    return Step(action, trace.encounter.text_of(action), role)


def _source(trace: Trace, source: Any) -> Step:
    """Something that pays for the set beyond the energy at hand."""
    instance = trace.hand[int(source["place"])]
    verb = codes.PLAY if trace.category(instance) == codes.ENERGY else codes.ACTIVATE
    return _step(trace, verb, instance, gives(int(source["gain"])))
