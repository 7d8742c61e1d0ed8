"""The five quality metrics of a batch, with verdicts and what they mean together [GDD 18.2, 18.3].

>>> from cartomancer.players.simulation import simulate
>>> found = quality(RunTable.of(simulate("symbiote", runs=200, seed=7)))
>>> [name for name in METRICS if found[name] is not None]
['agency_score', 'closeness_at_resolution', 'outcome_diversity']
>>> found["outcome_diversity"]["verdict"]
'low'
"""

from __future__ import annotations

from typing import Final

from cartomancer.content.codex import load_codex
from cartomancer.content.models.quality import QualityTuning
from cartomancer.errors import CartomancerError
from cartomancer.lab.measures.agency import agency_score, lead_counts
from cartomancer.lab.measures.attrition import attrition_curve, entry_counts
from cartomancer.lab.measures.closeness import closeness_at_resolution, ending_counts
from cartomancer.lab.measures.diversity import outcome_diversity
from cartomancer.lab.measures.estimates import Facts
from cartomancer.lab.measures.knockouts import fall_counts, knockout_patterns
from cartomancer.lab.measures.readings import readings, win_rate
from cartomancer.lab.measures.run_table import RunTable

METRICS: Final = (
    "agency_score",
    "closeness_at_resolution",
    "outcome_diversity",
    "knockout_patterns",  # of parties
    "attrition_curve",  # of scenarios with several rooms
)


def quality(table: RunTable, tuning: QualityTuning | None = None) -> Facts:
    """The five metrics by their names (null where one does not apply), win rate, readings, and of how many runs."""
    tuning, facts = tuning or load_codex().quality, table.facts
    leads = lead_counts(table)
    if not leads["runs"].sum():
        raise CartomancerError(f"{facts.scenario}: no runs, so nothing can be measured")
    found: Facts = {
        "agency_score": agency_score(leads, facts.places, tuning.agency),
        "closeness_at_resolution": closeness_at_resolution(ending_counts(table), tuning.closeness),
        "outcome_diversity": outcome_diversity(leads, tuning.diversity.of(facts.is_party)),
        "knockout_patterns": None,
        "attrition_curve": None,
        "win_rate": win_rate(leads, facts.is_party, tuning.dungeon_wins),
    }
    if facts.is_party:
        found["knockout_patterns"] = knockout_patterns(fall_counts(table), facts.seats, tuning.knockouts)
    if len(facts.places) > 1:
        found["attrition_curve"] = attrition_curve(entry_counts(table, leads), facts, tuning.attrition)
    return found | {"readings": readings(found), "measured_runs": int(leads["runs"].sum())}
