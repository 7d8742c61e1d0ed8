"""What came of a tuning: every target before and after, the changes, what was tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cartomancer.content.codex import Codex
from cartomancer.lab.measures.bands import Target
from cartomancer.lab.measures.estimates import Estimate
from cartomancer.lab.results import plain
from cartomancer.lab.tuner.levers import Lever
from cartomancer.lab.tuner.request import ScenarioTargets
from cartomancer.players.simulation import Simulation


@dataclass(frozen=True)
class Reading:
    """One target of a scenario before and after, on seeds the search has not seen."""

    scenario: str
    target: Target
    before: Estimate
    after: Estimate

    @property
    def holds(self) -> bool:
        """Whether the estimate afterwards lies in the band."""
        return self.target.holds(self.after.value)

    def as_dict(self) -> dict[str, Any]:
        """In plain numbers."""
        return {
            "target": self.target.name,
            "band": [self.target.low, self.target.high],
            "before": plain(self.before),
            "after": plain(self.after),
            "held_before": self.target.holds(self.before.value),
            "holds": self.holds,
            "off_by": self.target.shortfall(self.after.value),
        }


@dataclass
class Stage:
    """What was tried with one more group of levers."""

    group: str
    levers: int
    singles: int = 0
    sets: int = 0
    descent: int = 0
    refused: int = 0  # turns that are not valid content
    best: float | None = None  # the least distance so far
    verified: int = 0


@dataclass(frozen=True)
class Tuning:
    """What came of it."""

    wanted: tuple[ScenarioTargets, ...]
    seed: int
    runs: int
    held_out_seed: int
    held_out_runs: int
    readings: tuple[Reading, ...]
    changes: tuple[tuple[Lever, int], ...]
    before: Mapping[str, Simulation] = field(repr=False)  # by scenario, on the held-out seeds
    after: Mapping[str, Simulation] = field(repr=False)
    codex: Codex = field(repr=False)  # with the changes
    base: Codex = field(repr=False)
    groups: tuple[str, ...] = ()
    stages: tuple[Stage, ...] = ()
    evaluations: int = 0
    batches: int = 0  # that the evaluations needed: a scenario that a candidate leaves as it is is not played again
    stopped: bool = False  # by an interrupt, before the search was over

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The scenarios that were tuned together."""
        return tuple(asked.scenario for asked in self.wanted)

    @property
    def reached(self) -> bool:
        """Whether every target holds on held-out seeds."""
        return all(reading.holds for reading in self.readings)

    @property
    def steps(self) -> dict[str, int]:
        """How far each changed lever is turned."""
        return {lever.id: step for lever, step in self.changes}
