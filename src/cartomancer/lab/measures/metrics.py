"""The five quality metrics of a batch, with verdicts and what they mean together [GDD 18.2, 18.3].

>>> from cartomancer.players.simulation import simulate
>>> found = quality(simulate("symbiote", runs=200, seed=7))
>>> [name for name, metric in found.metrics.items() if metric is not None]
['agency_score', 'closeness_at_resolution', 'outcome_diversity']
>>> found.diversity.verdict
'low'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cartomancer.content.models.quality import QualityTuning
from cartomancer.errors import CartomancerError
from cartomancer.lab.measures.agency import AgencyScore, agency_score, lead_counts
from cartomancer.lab.measures.attrition import AttritionCurve, attrition_curve, entry_counts
from cartomancer.lab.measures.closeness import Closeness, closeness_at_resolution, ending_counts
from cartomancer.lab.measures.diversity import Diversity, outcome_diversity
from cartomancer.lab.measures.knockouts import KnockoutPatterns, fall_counts, knockout_patterns
from cartomancer.lab.measures.readings import Reading, WinRate, readings, win_rate
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.lab.measures.verdicts import Metric
from cartomancer.lab.results import plain
from cartomancer.players.simulation import Simulation


@dataclass(frozen=True)
class Shown:
    """A metric as people read it: which measure its value is, in a word and in a few, and how that is written."""

    measure: str
    word: str
    what: str
    digits: int
    sign: str = ""
    applies: str = ""

    @property
    def title(self) -> str:
        """Word and meaning in one line."""
        return f"{self.word.capitalize()}: {f'{self.sign} {self.what}'.strip()}"


METRICS: Final = {
    "agency_score": Shown("agency", "agency", "lead changes a run", 2),
    "closeness_at_resolution": Shown("closeness", "closeness", "left of the loser's nearest resource", 1, " %"),
    "outcome_diversity": Shown("diversity", "diversity", "entropy of the outcomes, at most 1", 3),
    "knockout_patterns": Shown(
        "knockout_spread", "knock-outs", "entropy of who falls first, at most 1", 3, applies="parties only"
    ),
    "attrition_curve": Shown(
        "entry.2", "attrition", "left of the visitor on entering room 2", 1, " %", applies="several rooms only"
    ),
}


@dataclass(frozen=True)
class Quality:
    """The metrics of a batch; nothing where one does not apply."""

    agency: AgencyScore
    closeness: Closeness
    diversity: Diversity
    knockouts: KnockoutPatterns | None  # of parties
    attrition: AttritionCurve | None  # of scenarios with several rooms
    win_rate: WinRate
    readings: tuple[Reading, ...]
    measured_runs: int

    @property
    def metrics(self) -> dict[str, Metric | None]:
        """The five by their names in reports."""
        found = (self.agency, self.closeness, self.diversity, self.knockouts, self.attrition)
        return dict(zip(METRICS, found, strict=True))

    def as_dict(self) -> dict[str, Any]:
        """In plain numbers."""
        others = {name: getattr(self, name) for name in ("win_rate", "readings", "measured_runs")}
        return {name: plain(value) for name, value in (self.metrics | others).items()}


def quality(runs: Simulation | RunTable, tuning: QualityTuning | None = None) -> Quality:
    """The five metrics of a batch, win rate, readings, and of how many runs; the healthy ranges are the content's."""
    table = RunTable.of(runs) if isinstance(runs, Simulation) else runs
    context, spans = table.context, tuning or table.context.quality
    leads = lead_counts(table)
    total = int(leads["runs"].sum())
    if not total:
        raise CartomancerError(f"{context.scenario}: no runs, so nothing can be measured")
    agency = agency_score(leads, context.places, spans.agency)
    closeness = closeness_at_resolution(ending_counts(table), spans.closeness)
    diversity = outcome_diversity(leads, spans.diversity.of(context.is_party))
    party, several = context.is_party, len(context.places) > 1
    return Quality(
        agency=agency,
        closeness=closeness,
        diversity=diversity,
        knockouts=knockout_patterns(fall_counts(table), context.seats, spans.knockout_spread) if party else None,
        attrition=attrition_curve(entry_counts(table, leads), context, spans.attrition) if several else None,
        win_rate=win_rate(leads, context.is_party, spans.dungeon_wins),
        readings=readings(agency.verdict, closeness.verdict, diversity.verdict),
        measured_runs=total,
    )
