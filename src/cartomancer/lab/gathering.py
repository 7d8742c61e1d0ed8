"""The evidence that measures are read off: runs, a survey of them, a study of their decisions; only what is asked for.

>>> from cartomancer.encounters.packing import pack
>>> found = Gathering({Evidence.SURVEY}, runs=20, seed=7).of(pack("boar"))
>>> found.measured(["cards_per_turn.visitor"])["cards_per_turn.visitor"].value > 1
True
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from cartomancer.content.codex import Codex
from cartomancer.encounters.packing import Packed
from cartomancer.lab.measures import registry
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Counts, Estimate
from cartomancer.lab.measures.measure import Evidence
from cartomancer.lab.panel.contests import profile_gains, thinking_gains, thinking_runs
from cartomancer.lab.panel.decisions import ROLLOUTS, STUDIED, study
from cartomancer.lab.panel.panel import gains, gains_runs
from cartomancer.lab.report.reports import MOST_SURVEYED
from cartomancer.lab.report.survey import survey
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import Progress, Simulation, going_on, simulate


class Contest(NamedTuple):
    """Evidence of others in a seat."""

    gather: Callable[..., Counts]
    most: int  # runs of each player
    all_runs: Callable[[int], int]  # that are counted while they are played


CONTESTS: Final = {
    Evidence.PANEL: Contest(gains, 2000, gains_runs),
    Evidence.THINKING: Contest(thinking_gains, 100, thinking_runs),
    Evidence.PROFILES: Contest(profile_gains, 2000, lambda runs: 0),  # seconds
}


@dataclass(frozen=True)
class Gathered:
    """What was gathered of a scenario between two players."""

    context: ScenarioContext
    batch: Simulation | None  # where runs were asked for
    further: Mapping[Evidence, Counts]

    @property
    def simulation(self) -> Simulation:
        """The runs."""
        assert self.batch is not None, "runs were not asked for"
        return self.batch

    def measured(self, wanted: Iterable[str]) -> dict[str, Estimate]:
        """The values of these measures."""
        return registry.measured(wanted, self.batch.rows if self.batch else None, self.context, self.further)


@dataclass(frozen=True)
class Gathering:
    """Which evidence of a batch is gathered, and how much of it."""

    evidence: Collection[Evidence]
    runs: int
    seed: int = 0
    decisions: int = STUDIED  # at most, one of each run
    rollouts: int = ROLLOUTS
    threads: int | None = field(default=None, kw_only=True)

    def _most(self, kind: Evidence, most: int) -> int:
        """Runs that such evidence is gathered from."""
        return min(self.runs, most) if kind in self.evidence else 0

    @property
    def _counts(self) -> tuple[int, int, int]:
        """Runs that are surveyed, played for themselves, and studied."""
        surveyed = self._most(Evidence.SURVEY, MOST_SURVEYED)
        # a survey of all runs plays them too
        simulated = self.runs if Evidence.RUNS in self.evidence and surveyed < self.runs else 0
        return surveyed, simulated, self._most(Evidence.DECISIONS, self.decisions)

    @property
    def total_runs(self) -> int:
        """How many runs gathering takes; options that are played to their ends are none, and profiles' are quick."""
        contests = sum(contest.all_runs(self._most(kind, contest.most)) for kind, contest in CONTESTS.items())
        return sum(self._counts) + contests

    def of(
        self,
        packed: Packed,
        dungeon: PlayerSpec | None = None,
        visitor: PlayerSpec | None = None,
        progress: Progress = lambda done: None,
        codex: Codex | None = None,
    ) -> Gathered:
        """The evidence, whole: an interrupt is not half of it but the end."""
        batch, further, done = None, dict[Evidence, Counts](), 0
        surveyed, simulated, studied = self._counts
        if count := surveyed:
            seen = survey(packed, count, self.seed, dungeon, visitor, self.threads, progress, codex)
            _whole(seen.runs, count)
            batch, further[Evidence.SURVEY], done = seen.simulation, seen.columns, count
        if count := simulated:
            told = going_on(progress, done)
            batch = simulate(packed, count, self.seed, dungeon, visitor, self.threads, told, codex)
            _whole(batch.runs, count)
            done += count
        if count := studied:
            told = going_on(progress, done)
            looked = study(packed, count, self.rollouts, self.seed, dungeon, visitor, self.threads, told, codex)
            _whole(looked.runs, count)
            further[Evidence.DECISIONS] = looked.columns
            done += count
        for kind, contest in CONTESTS.items():
            if count := self._most(kind, contest.most):
                told = going_on(progress, done)
                further[kind] = contest.gather(packed, count, self.seed, self.threads, told, codex)
                done += contest.all_runs(count)
        return Gathered(ScenarioContext.of(packed, codex), batch, further)


def _whole(played: int, wanted: int) -> None:
    if played < wanted:
        raise KeyboardInterrupt
