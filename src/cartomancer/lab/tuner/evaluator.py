"""The tuner's evaluator: it plays candidates, all of them on the same seeds, and remembers what each showed.

A candidate plays every scenario that is tuned, but a scenario that its turns do not touch is not played again: what was
measured is kept by the digests of the packed scenario and of its players, which say everything that decides a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cartomancer.content.codex import Codex
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import CartomancerError, ContentError
from cartomancer.lab.gathering import Gathered, Gathering
from cartomancer.lab.measures.bands import Target, distance
from cartomancer.lab.measures.estimates import Estimate
from cartomancer.lab.measures.measure import Evidence
from cartomancer.lab.measures.registry import evidence_of
from cartomancer.lab.tuner.levers import Lever, Steps, cost, turned
from cartomancer.lab.tuner.request import ScenarioTargets, TunerSettings
from cartomancer.players.policies import pack_policies

Progress = Callable[[int], None]  # told how many evaluations are done
Turns = tuple[tuple[str, int], ...]  # the levers that are turned, by id, in order
Digests = tuple[str, str]  # of a scenario and of its players
LONGER: Final = 4  # how many times as many runs a promising candidate plays
PENALTY: Final = 0.01  # distance that a unit of cost is worth


@dataclass(frozen=True)
class Candidate:
    """Some levers turned, and what a batch of each scenario showed."""

    turns: Turns
    found: tuple[tuple[Target, Estimate], ...]  # scenario by scenario, in the order of their targets
    distance: float  # from the bands
    careful: float  # from the bands less a margin
    cost: float

    @property
    def worth(self) -> float:
        """What the search minimises."""
        return self.careful + PENALTY * self.cost


class Evaluator:
    """Plays candidates, each once, all on the same seeds."""

    def __init__(
        self,
        codex: Codex,
        wanted: Sequence[ScenarioTargets],
        levers: Sequence[Lever],
        settings: TunerSettings,
        progress: Progress = lambda done: None,
    ) -> None:
        self.codex, self.wanted, self.levers = codex, wanted, levers
        self.runs, self.seed, self._settings, self._progress = settings.runs, settings.seed, settings, progress
        self.evaluations = 0  # candidates
        self.batches = 0  # played for them
        self.tried: dict[Turns, Candidate | None] = {}
        self._longer: dict[Turns, Candidate] = {}
        self._known: dict[tuple[str, Digests, int], Mapping[str, Estimate]] = {}

    def play(self, asked: ScenarioTargets, packed: Packed, codex: Codex, runs: int, seed: int) -> Gathered:
        """A whole batch, and what further evidence its targets' measures need."""
        how, kinds = self._settings, {evidence_of(target.name) for target in asked.targets}
        gathering = Gathering(kinds | {Evidence.RUNS}, runs, seed, threads=how.threads)
        return gathering.of(packed, how.dungeon, how.visitor, codex=codex)

    def read(self, asked: ScenarioTargets, batch: Gathered) -> dict[str, Estimate]:
        """The targets' measures in a batch."""
        return batch.measured(target.name for target in asked.targets)

    def digests(self, packed: Packed, codex: Codex) -> Digests:
        """What decides a batch of a scenario, beside its seed and size."""
        return packed.digest, pack_policies(packed, self._settings.dungeon, self._settings.visitor, codex).digest

    def turned(self, turns: Turns) -> Codex:
        """The content with these turns."""
        return turned(self.codex, self.levers, dict(turns))

    def try_out(self, steps: Steps) -> Candidate | None:
        """What a set of turns does; nothing where it is not valid content."""
        turns = turns_of(steps)
        if turns not in self.tried:
            self.tried[turns] = self._evaluated(turns, self.runs)
        return self.tried[turns]

    def longer(self, turns: Turns) -> Candidate:
        """The same with more runs; only for turns that are known to be valid."""
        if turns not in self._longer:
            found = self._evaluated(turns, LONGER * self.runs)
            if found is None:
                raise CartomancerError("content that was valid is refused")
            self._longer[turns] = found
        return self._longer[turns]

    def _evaluated(self, turns: Turns, runs: int) -> Candidate | None:
        try:
            codex = self.turned(turns)
            packed = [pack(asked.scenario, codex) for asked in self.wanted]
        except ContentError:
            return None
        found: list[tuple[Target, Estimate]] = []
        off = careful = 0.0
        for asked, scenario in zip(self.wanted, packed, strict=True):
            estimates = self._measured(asked, scenario, codex, runs)
            found += [(target, estimates[target.name]) for target in asked.targets]
            off += distance(asked.targets, estimates)
            careful += distance(asked.targets, estimates, careful=True)
        self.evaluations += 1
        self._progress(self.evaluations)
        return Candidate(turns, tuple(found), off, careful, cost(self.levers, dict(turns)))

    def _measured(self, asked: ScenarioTargets, packed: Packed, codex: Codex, runs: int) -> Mapping[str, Estimate]:
        """What a scenario shows; it is played only if nothing like it was."""
        key = (asked.scenario, self.digests(packed, codex), runs)
        if key not in self._known:
            self._known[key] = self.read(asked, self.play(asked, packed, codex, runs, self.seed))
            self.batches += 1
        return self._known[key]

    def by_worth(self) -> list[Candidate]:
        """What was tried and is valid, the best first."""
        found = [candidate for candidate in self.tried.values() if candidate is not None]
        return sorted(found, key=lambda candidate: (candidate.worth, candidate.turns))


def turns_of(steps: Steps) -> Turns:
    """The turned levers in order."""
    return tuple(sorted((name, step) for name, step in steps.items() if step))
