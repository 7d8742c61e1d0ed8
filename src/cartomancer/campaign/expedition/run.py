"""The state of a run: where the party is, what it carries, what waits to be answered [Guardian, RunData]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

from cartomancer.campaign.expedition.happenings import Happening
from cartomancer.campaign.expedition.party import Party
from cartomancer.codes import STREAM_RUN
from cartomancer.content.codex import Codex
from cartomancer.content.models.expedition import HOOK_STEPS
from cartomancer.encounters import Encounter, Packed
from cartomancer.maps import Journey
from cartomancer.maps.model import Node
from cartomancer.players.simulation import run_seed
from cartomancer.rng import Stream

SPAN: Final = 16  # streams of one node: at least one for each purpose
MOST_NODES: Final = 1_000


class Purpose(IntEnum):
    """What is rolled at a node: each has a stream of its own."""

    PACK = 0
    GUARDIAN = 1
    FIGHT = 2
    TRAP = 3
    EVENT = 4
    OUTCOME = 5
    STOCK = 6
    TREASURE = 7
    TRIAL = 9
    TRAINING = 10
    QUARREL = 11
    CHANGE = 12
    INTRUSION = 13


@dataclass
class Stop:
    """Something that waits for a choice: what it is, and what it needs to remember."""

    kind: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass
class Rival:
    """Who else is on the road (C6)."""

    state: str = "wary"
    heat: int = 0


@dataclass
class Run:
    """Everything that a run is; the rest follows from the content."""

    codex: Codex
    journey: Journey
    party: Party
    gold: int = 0
    supplies: int = 0
    low_supplies: int = 0  # steps of the hook (C5)
    items: list[str] = field(default_factory=list)
    gear: dict[str, int] = field(default_factory=dict)  # equipment and the seat that wears it, from 0
    tokens: dict[str, int] = field(default_factory=dict)
    modifiers: list[list[Any]] = field(default_factory=list)  # [id, fights left]
    fragments: list[int] = field(default_factory=list)
    rival: Rival = field(default_factory=Rival)
    intrusion: str | None = None  # what the rival has prepared for the next fight (C6) …
    targeted: int = 0  # … and for whom
    stops: list[Stop] = field(default_factory=list)  # the last is asked first
    happened: list[Happening] = field(default_factory=list)
    ending: str = ""  # how it ended; nothing while it goes on
    defied: bool = False
    encounter: Encounter | None = None  # the fight that is being fought

    # --- where it is --------------------------------------------------------------------------------------------------

    @property
    def node(self) -> Node:
        """The node the party stands on; what Unknowns turned out to be, they are."""
        return self.journey.map.node(self.journey.current)

    @property
    def kind(self) -> str:
        """What the node is, now that it has been entered."""
        became = {"battle": "monster"}
        found = self.journey.resolved.get(self.node.id, self.node.type)
        return became.get(found, found)

    def stream(self, purpose: Purpose) -> Stream:
        """The random stream of a purpose at this node: the same whatever else was rolled, as good as rolled before."""
        index = ((self.journey.act * MOST_NODES) + self.journey.current + 1) * SPAN + purpose
        return Stream(self.journey.ways[0].map.seed, STREAM_RUN, index)

    # --- what happens -------------------------------------------------------------------------------------------------

    def note(self, kind: str, /, **fields: Any) -> None:
        """Write down what happened."""
        self.happened.append(Happening(kind, fields))

    def title(self, kind: str, name: str) -> str:
        """What an entry is called."""
        return str(self.codex.of_kind(kind)[name].title)

    def name_of(self, seat: int) -> str:
        """What a member is called; with its seat where its class is there twice."""
        kinds = [member.kind for member in self.party.members]
        title = self.title("classes", kinds[seat])
        return title if kinds.count(kinds[seat]) == 1 else f"{title} ({seat + 1})"

    def earn(self, points: int, cause: str) -> None:
        """Gold comes or goes, never below nothing."""
        change = max(points, -self.gold)
        self.gold += change
        if change:
            self.note("gold", points=change, cause=cause)

    def supply(self, points: int, cause: str) -> None:
        """Supplies come or go; who runs out of them by a loss is low on them (C5)."""
        before = self.supplies
        self.supplies = max(0, min(self.codex.expedition.most_supplies, before + points))
        if self.supplies != before:
            self.note("supplies", points=self.supplies - before, cause=cause)
        if points < 0 and before + points < 0:
            self.worsen("low_supplies", cause)
        elif points > 0 and self.low_supplies:
            self.ease("low_supplies", cause)

    # --- hooks (C5) ---------------------------------------------------------------------------------------------------

    def hooks(self) -> dict[str, int]:
        """The hooks the party carries, with the highest step of each."""
        found = {
            "injury": max(member.injury for member in self.party.members),
            "stress": self.party.stress,
            "conflict": self.party.conflict,
            "low_supplies": self.low_supplies,
            "bounty": max(member.bounty for member in self.party.members),
        }
        return {hook: step for hook, step in found.items() if step}

    def worsen(self, hook: str, cause: str, seat: int | None = None, steps: int = 1) -> None:
        """A hook is gained, or is worse than it was; it has three steps."""
        for _ in range(steps):
            self._step(hook, 1, cause, seat)

    def ease(self, hook: str, cause: str, steps: int = 1) -> None:
        """A hook is treated: whoever has it worst profits."""
        for _ in range(steps):
            if hook in self.hooks():
                self._step(hook, -1, cause, None)

    def _step(self, hook: str, change: int, cause: str, seat: int | None) -> None:
        party, whose = self.party, ""
        if hook in {"injury", "bounty"}:
            worst = max(range(len(party.members)), key=lambda one: (getattr(party.members[one], hook), -one))
            at = worst if seat is None or change < 0 else seat
            owner: Any = party.members[at]
            whose = f" for {self.name_of(at)}"
        else:
            owner = self if hook == "low_supplies" else party
        step = max(0, min(HOOK_STEPS, getattr(owner, hook) + change))
        if step == getattr(owner, hook):
            return
        setattr(owner, hook, step)
        if hook == "conflict" and not party.quarrel and len(party.members) > 1:
            party.quarrel = sorted(self.stream(Purpose.QUARREL).sample(range(len(party.members)), 2))
        if hook == "conflict" and not step:
            party.quarrel = []
        for place, member in enumerate(party.members):
            member.vitality = min(member.vitality, party.most_vitality(self.codex, place))
        self.note("hook", hook=hook.replace("_", " "), step=step, whose=whose, cause=cause)

    # --- members ------------------------------------------------------------------------------------------------------

    def hurt(self, points: int, seats: Sequence[int], cause: str) -> None:
        """Members lose vitality on the way, but nobody dies of it: 1 is left at least."""
        for seat in seats:
            member = self.party.members[seat]
            lost = min(points, member.vitality - 1)
            if lost > 0:
                member.vitality -= lost
                self.note("vitality", who=self.name_of(seat), change="loses", points=lost, cause=cause)

    def heal(self, percent: int, cause: str, seats: Sequence[int] | None = None) -> None:
        """Members regain a share of their maximum."""
        for seat, won in enumerate(self.party.heal(self.codex, percent, seats)):
            if won:
                self.note("vitality", who=self.name_of(seat), change="regains", points=won, cause=cause)

    def mend(self, points: int, cause: str) -> None:
        """Whoever is hurt most regains some vitality."""
        share = self.party.shares(self.codex)
        seat = share.index(min(share))
        member = self.party.members[seat]
        won = min(points, self.party.most_vitality(self.codex, seat) - member.vitality)
        if won > 0:
            member.vitality += won
            self.note("vitality", who=self.name_of(seat), change="regains", points=won, cause=cause)

    def put_in_force(self, modifier: str, fights: int, cause: str) -> None:
        """A modifier acts in the coming fights."""
        self.modifiers.append([modifier, fights])
        lasting = "the next fight" if fights == 1 else f"the next {fights} fights"
        self.note("modifier", title=self.codex.modifiers[modifier].title, fights=lasting, cause=cause)

    def finish(self, ending: str) -> None:
        """The run is over: nothing waits any more."""
        self.ending, self.stops, self.encounter = ending, [], None
        self.note("over", outcome=ending)

    def begin_fight(self, packed: Packed) -> None:
        """The fight begins, decision by decision; its dice are those it would have between computer players."""
        self.encounter = Encounter(packed, run_seed(self.fight_seed(), 0), self.codex)

    def fight_seed(self) -> int:
        """The seed of the batch whose first run is the fight on this node."""
        stream = self.stream(Purpose.FIGHT)
        return stream.below(1 << 30) << 30 | stream.below(1 << 30)

    def push(self, kind: str, /, **data: Any) -> None:
        """Something more to be answered, before all else."""
        self.stops.append(Stop(kind, data))
