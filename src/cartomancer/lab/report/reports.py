"""What a report on a scenario says: outcomes, quality, momentum, lead changes, keywords, cards, runs to read.

>>> found = look_at("boar", runs=30, seed=7)
>>> found.surveyed, [run.kind for run in found.notable]
(30, ['longest', 'closest', 'most lopsided', 'median'])
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.narration import Line, Narrator
from cartomancer.encounters.packing import Packed
from cartomancer.intervals import Rate
from cartomancer.lab.columns import columns_of
from cartomancer.lab.measures.agency import AGENCY
from cartomancer.lab.measures.batch import summary_of
from cartomancer.lab.measures.metrics import quality
from cartomancer.lab.measures.registry import one_by_one
from cartomancer.lab.report.card_usage import CardUse
from cartomancer.lab.report.notable import Notable, notable_runs
from cartomancer.lab.report.survey import Survey, survey
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import Progress, Simulation, run_of, simulate

MOST_SURVEYED: Final = 20_000  # runs of a batch that are looked at closely
MOST_CHANGES: Final = 8  # lead changes told apart; more count as this many
CURVE_NEEDS: Final = 0.01  # the share of runs that must reach a round for its mean to be shown


@dataclass(frozen=True)
class Report:
    """A batch of a scenario, part of it surveyed."""

    simulation: Simulation
    survey: Survey

    @property
    def name(self) -> str:
        """The scenario, as it was asked for."""
        return self.simulation.packed.name

    @property
    def surveyed(self) -> int:
        """How many runs were surveyed: the first ones of the batch."""
        return self.survey.runs

    @cached_property
    def facts(self) -> dict[str, Any]:
        """All of it, in plain numbers."""
        return {
            **summary_of(self.simulation).as_dict(),
            "title": self.simulation.packed.scenario.title,
            "quality": quality(self.simulation).as_dict(),
            "lead_changes": lead_changes(self.simulation),
            "survey": self.survey.as_dict(),
            "notable_runs": [run.as_dict() for run in self.notable],
        }

    @cached_property
    def notable(self) -> list[Notable]:
        """The runs worth reading."""
        batch = self.simulation
        players = batch.policies.dungeon, batch.policies.visitor
        return notable_runs(columns_of(batch.rows), batch.packed.name, batch.seed, *players)

    def story(self, run: Notable) -> list[Line]:
        """A run of the batch, told."""
        batch = self.simulation
        played = run_of(batch.packed, batch.policies, batch.seed, run.index)
        again, narrator = Encounter(batch.packed, played.seed), Narrator(batch.packed)
        told = narrator.lines(again.opening)
        for action in played.actions:
            told += narrator.lines(again.apply(action))
        return told

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The rooms of the attrition curve that somebody entered; none where a scenario has one room."""
        curve = self.facts["quality"]["attrition_curve"]
        return [room for room in curve["rooms"] if room["entered"]] if curve else []

    def momentum(self) -> list[dict[str, Any]]:
        """The rounds that enough runs reached for their means to be told."""
        rounds: list[dict[str, Any]] = self.facts["survey"]["momentum"]
        return [row for row in rounds if row["share_of_runs"] >= CURVE_NEEDS]

    def telling_cards(self) -> list[CardUse]:
        """Cards that could be compared, those that go with winning first."""
        found = [use for use in self.survey.card_usage() if use.contribution is not None]
        return sorted(found, key=lambda use: -use.contribution.difference if use.contribution else 0.0)


def look_at(
    scenario: str | Packed,
    runs: int,
    seed: int = 0,
    dungeon: PlayerSpec | None = None,
    visitor: PlayerSpec | None = None,
    progress: Progress = lambda done: None,
) -> Report:
    """Play a batch and survey its first runs. Interrupted, the report is on the runs that were finished."""
    seen = survey(scenario, min(runs, MOST_SURVEYED), seed, dungeon, visitor, progress=progress)
    if seen.runs < min(runs, MOST_SURVEYED) or runs <= MOST_SURVEYED:
        return Report(seen.simulation, seen)
    every = simulate(scenario, runs, seed, dungeon, visitor, progress=lambda done: progress(max(done, seen.runs)))
    return Report(every if every.runs > seen.runs else seen.simulation, seen)


def lead_changes(simulation: Simulation) -> dict[str, Any]:
    """How often the lead changed in a run (E19): the mean, and the share of runs for every number of changes."""
    counts = one_by_one(simulation.rows, AGENCY.columns)
    found = AGENCY.estimate(counts)
    shares = [
        {"changes": f"{number}+" if number == MOST_CHANGES else str(number)} | Rate(hits, simulation.runs).as_dict()
        for number, hits in enumerate(np.bincount(np.minimum(counts["lead_changes"], MOST_CHANGES)).tolist())
    ]
    return {"mean": found.value, "interval": found.interval, "distribution": shares}
