"""Measuring sets of targets: every batch is played once, however many sets look at it, and studied only as they ask.

>>> from cartomancer.content.codex import load_codex
>>> from cartomancer.lab.fidelity.target_sets import chosen
>>> codex = load_codex()
>>> found = measured(chosen(codex, ["deceptive-character"]), FidelitySettings(runs=200, seed=7), codex)
>>> [(row.name, row.target) for row in found.rows]
[('kill', '95..99')]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cartomancer.backends.local import Threads
from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.targets import TargetSet
from cartomancer.encounters.packing import pack_scenario
from cartomancer.lab.columns import SIDES
from cartomancer.lab.fidelity.rows import Fidelity, Row, Slack, judged, no_slack, sampling_error
from cartomancer.lab.fidelity.target_sets import matrix_cells, read_sets
from cartomancer.lab.fidelity.whole import about_runs, card_rows, census_runs, matrix_rows, profile_rows
from cartomancer.lab.gathering import Gathered, Gathering
from cartomancer.lab.matrix.cell_store import MatrixStore, Settings
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.lab.matrix.matchups import run_matrix
from cartomancer.lab.measures.bands import Target
from cartomancer.lab.measures.estimates import Estimate, difference, percent
from cartomancer.lab.measures.knockouts import DETERMINISTIC
from cartomancer.lab.measures.measure import Evidence
from cartomancer.lab.measures.metrics import METRICS, Quality, quality
from cartomancer.lab.measures.registry import evidence_of
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.lab.measures.verdicts import Metric
from cartomancer.lab.panel.characters import characters
from cartomancer.lab.panel.decisions import STUDIED
from cartomancer.lab.report.census import census
from cartomancer.players.policies import player_spec
from cartomancer.players.simulation import Progress, Simulation

HEURISTIC: Final = "heuristic"
CONTRAST_RUNS: Final = 1_000  # of a player that thinks, unless its set says otherwise [GDD 7.2]


@dataclass(frozen=True)
class Job:
    """A batch: what is played, and by whom."""

    scenario: str
    runs: int
    party: str | None = None  # instead of the scenario's visitor
    profile: str | None = None  # of the dungeon
    player: str = HEURISTIC


def jobs_of(asked: TargetSet, runs: int, codex: Codex) -> list[Job]:
    """The batches that a set looks at; what is about more than a scenario plays its own."""
    if asked.scenario is None:
        return []
    if asked.parties:
        own = codex.scenario(asked.scenario).party
        parties = [None if party == own else party for party in asked.parties]
        return [Job(asked.scenario, runs, party, asked.dungeon_profile) for party in parties]
    plain = Job(asked.scenario, runs, profile=asked.dungeon_profile)
    if asked.contrast is None:
        return [plain]
    fewer = min(runs, asked.runs or CONTRAST_RUNS)
    return [plain, Job(asked.scenario, fewer, profile=asked.dungeon_profile, player=asked.contrast)]


def total_runs(sets: Sequence[TargetSet], settings: FidelitySettings, codex: Codex) -> int:
    """How many runs measuring takes."""
    space = Compositions.of(codex)
    games = (len(matrix_cells(asked, space)) * asked.matrix.games for asked in sets if asked.matrix)
    about = sum(about_runs(asked, settings.runs, codex) for asked in sets)
    return sum(one.total_runs for one in gatherings(sets, settings, codex).values()) + sum(games) + about


def gatherings(sets: Sequence[TargetSet], settings: FidelitySettings, codex: Codex) -> dict[Job, Gathering]:
    """The evidence of every batch that the bands of some set are read off; parties' are all read off runs."""
    asked_for: dict[Job, set[Evidence]] = {}
    for asked in sets:
        for job in jobs_of(asked, settings.runs, codex):
            kinds = {evidence_of(name) for name in asked.targets} or {Evidence.RUNS}
            asked_for.setdefault(job, set()).update(kinds)
    return {
        job: Gathering(kinds, job.runs, settings.seed, settings.decisions, threads=settings.threads)
        for job, kinds in asked_for.items()
    }


@dataclass(frozen=True)
class FidelitySettings:
    """How sets are measured: how often batches are played and on which seeds, and how bands are read."""

    runs: int = 10_000
    seed: int = 0
    threads: int | None = None
    quick: bool = False  # bands are widened by the sampling error
    slack: Slack | None = None  # … or by whatever it says
    results: Path | None = None  # a folder in which the cells of a matrix stay, and are not played again
    decisions: int = STUDIED  # of each batch, where a set asks about them


def measured(
    sets: Sequence[TargetSet],
    settings: FidelitySettings | None = None,
    codex: Codex | None = None,
    progress: Progress = lambda done: None,
) -> Fidelity:
    """Every row of these sets. An interrupt ends it early: the sets that are whole are the result."""
    how = settings or FidelitySettings()
    content = codex or load_codex()
    wanted = read_sets(sets, content)
    evaluator = _Evaluator(content, how, gatherings(sets, how, content), progress)
    rows: list[Row] = []
    finished = 0
    try:
        for asked in sets:
            rows += [*evaluator.rows(asked, wanted[asked.id])]
            finished += 1
    except KeyboardInterrupt:
        pass
    left_out = tuple(asked.id for asked in sets[finished:])
    return Fidelity(tuple(rows), runs=how.runs, seed=how.seed, quick=how.quick, left_out=left_out)


class _Evaluator:
    """Plays batches and reads sets' rows off them."""

    def __init__(
        self, codex: Codex, settings: FidelitySettings, wanted: Mapping[Job, Gathering], progress: Progress
    ) -> None:
        self.codex, self.settings, self._wanted, self._progress = codex, settings, wanted, progress
        self.slack = settings.slack or (sampling_error if settings.quick else no_slack)
        self._gathered: dict[Job, Gathered] = {}
        self._done = 0  # runs

    def _tell(self, played: int) -> None:
        self._progress(self._done + played)

    def rows(self, asked: TargetSet, targets: Sequence[Target]) -> Iterator[Row]:
        """All rows of a set."""
        if asked.matrix is not None:
            yield from self._matrix(asked, targets)
            return
        if asked.about is not None:
            yield from self._about(asked, targets)
            return
        batches = [self._batch(job) for job in jobs_of(asked, self.settings.runs, self.codex)]
        if asked.parties:
            for party, batch in zip(asked.parties, batches, strict=True):
                yield from self._matchup(asked, party, batch.simulation)
            return
        names = [target.name for target in targets]
        found = [batch.measured(names) for batch in batches]
        for target in targets:
            one, *others = [estimates[target.name] for estimates in found]
            value, note = (difference(others[0], one), _both(asked, one, others[0])) if others else (one, "")
            yield judged(asked, target.name, target, value, self.slack, note=note)

    def _batch(self, job: Job) -> Gathered:
        """The evidence of a batch that any set asks for."""
        if job not in self._gathered:
            scenario = self.codex.scenario(job.scenario)
            if job.party is not None:
                scenario = scenario.model_copy(update={"party": job.party, "creature": None, "members": []})
            packed = pack_scenario(self.codex, scenario, job.scenario)
            dungeon, visitor = (player_spec(job.player, side, self.codex) for side in SIDES)
            dungeon = replace(dungeon, profile=job.profile or dungeon.profile)
            self._gathered[job] = self._wanted[job].of(packed, dungeon, visitor, self._tell, self.codex)
            self._done += self._wanted[job].total_runs
        return self._gathered[job]

    # --- matchups of parties ------------------------------------------------------------------------------------------

    def _matchup(self, asked: TargetSet, party: str, batch: Simulation) -> Iterator[Row]:
        """The five quality metrics of a party, each with its healthy range [GDD 18.2]."""
        found = quality(RunTable.of(batch, self.codex))
        for name in self.codex.quality.party_measures(len(batch.packed.rooms)):
            target, estimate, spoilt, note = _metric(name, found)
            yield judged(asked, f"{party}.{name}", target, estimate, self.slack, spoilt, note)

    # --- what is about more than a scenario ---------------------------------------------------------------------------

    def _matrix(self, asked: TargetSet, targets: Sequence[Target]) -> Iterator[Row]:
        """Rows of a matrix [GDD 18.5]."""
        space = Compositions.of(self.codex)
        cells, games = matrix_cells(asked, space), asked.matrix.games if asked.matrix else 0
        settings, results = Settings(self.settings.seed), self.settings.results
        store = MatrixStore(results, space, settings) if results else None
        backend = Threads(self.settings.threads)
        found = run_matrix(space, cells, games, settings, store, backend=backend, progress=self._tell)
        if not found.complete:
            raise KeyboardInterrupt
        self._done += len(cells) * games
        yield from matrix_rows(asked, targets, found)

    def _about(self, asked: TargetSet, targets: Sequence[Target]) -> Iterator[Row]:
        """Rows of all cards, or of all profiles."""
        how, told = self.settings, self._tell
        if asked.about == "cards":
            cards = census(self.codex, census_runs(how.runs), seed=how.seed, threads=how.threads, progress=told)
            yield from card_rows(asked, targets, cards)
        else:
            profiles = characters(self.codex, seed=how.seed, threads=how.threads, progress=told)
            yield from profile_rows(asked, targets, profiles, self.slack)
        self._done += about_runs(asked, how.runs, self.codex)


def _both(asked: TargetSet, one: Estimate, other: Estimate) -> str:
    """Both values of a contrast."""
    if one.value is None or other.value is None:
        return ""
    return f"{HEURISTIC} {one.value:.1f}, {asked.contrast} {other.value:.1f}"


def _metric(name: str, found: Quality) -> tuple[Target, Estimate, bool, str]:
    """A quality metric as a target: its range, its value, whether something spoils it, and how it reads."""
    for key, metric in found.metrics.items():
        if METRICS[key].measure == name and isinstance(metric, Metric) and metric is not found.attrition:
            return Target(name, *metric.healthy), metric.estimate, metric.severe == DETERMINISTIC, metric.reading
    head, _, place = name.partition(".")
    assert found.attrition is not None, "measures of later rooms are asked of scenarios that have some"
    room = found.attrition.rooms[int(place) - 1]
    if head == "entry" and room.judgement is not None:
        return Target(name, *room.judgement.healthy), room.judgement.estimate, False, ""
    effective = room.effective
    estimate = percent(effective.rate) if effective.holds is not None else Estimate(None)
    return Target(name, 100 * effective.threshold, None), estimate, False, ""
