"""Every measure is declared once, reads columns that there are, and shows the same however runs are counted."""

from __future__ import annotations

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.lab.columns import COLUMNS
from cartomancer.lab.health.baseline import FACTS
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.measure import PERCENT, Evidence, RunMeasure
from cartomancer.lab.measures.metrics import METRICS, quality
from cartomancer.lab.measures.registry import (
    FAMILIES,
    evidence_of,
    measured,
    measures_of,
    one_by_one,
    paired_measures,
    unit_of,
)
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.lab.panel import contests
from cartomancer.lab.panel.contests import LADDER, profile_gains, thinking_gains
from cartomancer.lab.panel.decisions import study
from cartomancer.lab.panel.panel import gains
from cartomancer.lab.report.survey import survey
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import simulate

SCENARIOS = ["boar", "symbiote", "standard-gauntlet", "nurturing-arcane"]


def test_no_name_is_declared_twice() -> None:
    context = ScenarioContext.of(simulate("standard-gauntlet", 1).packed)
    names = [measure.name for family in FAMILIES for measure in family.of(context)]
    assert len(names) == len(set(names))
    assert not set(names) & set(COLUMNS) - {"closeness", "rounds", "decisions"}  # means of the column of that name


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_measure_has_the_unit_of_its_family_and_reads_columns_of_its_evidence(
    scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contests, "LADDER", [PlayerSpec(one.kind, rollouts=2 if one.rollouts else 0) for one in LADDER])
    seen, looked = survey(scenario, 1), study(scenario, 1, rollouts=1)
    columns = {
        Evidence.RUNS: set(COLUMNS),
        Evidence.SURVEY: set(seen.columns),
        Evidence.DECISIONS: set(looked.columns),
        Evidence.PANEL: set(gains(seen.simulation.packed, 1)),
        Evidence.PROFILES: set(profile_gains(seen.simulation.packed, 1)),
        Evidence.THINKING: set(thinking_gains(seen.simulation.packed, 1)),
    }
    context = ScenarioContext.of(seen.simulation.packed)
    for family in FAMILIES:
        for measure in family.of(context):
            assert set(measure.columns) <= columns[measure.evidence], measure.name
            assert measure.evidence == family.evidence == evidence_of(measure.name), measure.name
            assert measure.unit == family.unit == unit_of(measure.name), measure.name
        if not family.names:
            assert family.unit == PERCENT, family.pattern  # so that a name alone tells the unit
            assert family.head or family.evidence == Evidence.RUNS, family.pattern  # … and what it is read off


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_counts_of_equal_rows_show_what_single_runs_show(scenario: str) -> None:
    """In SQL and in memory: the same code reads both, and both give the same numbers."""
    batch = simulate(scenario, 500, seed=3)
    table, known = RunTable.of(batch), measures_of(ScenarioContext.of(batch.packed), Evidence.RUNS)
    alone = measured(known, batch.rows, table.context)
    for name, measure in known.items():
        counted, single = measure.estimate(table.counts(*measure.columns)), alone[name]
        assert counted.value == pytest.approx(single.value), name
        assert [counted.low, counted.high] == pytest.approx([single.low, single.high]), name


@pytest.mark.parametrize("scenario", ["boar", "standard-gauntlet"])
def test_the_value_of_a_quality_metric_is_that_of_its_measure(scenario: str) -> None:
    batch = simulate(scenario, 400, seed=3)
    found = quality(RunTable.of(batch)).metrics
    context = ScenarioContext.of(batch.packed)
    alone = measured(measures_of(context, Evidence.RUNS), batch.rows, context)
    for key, metric in found.items():
        if metric is not None:
            assert metric.value == pytest.approx(alone[METRICS[key].measure].value), key


def test_every_range_of_the_content_belongs_to_a_measure() -> None:
    spans, fields = load_codex().quality, {family.healthy for family in FAMILIES if family.healthy}
    assert fields == {"agency", "closeness", "diversity", "knockout_spread", "attrition.entry", "attrition.effective"}
    context = ScenarioContext(rooms=("a", "b", "c"), members=("knight", "cleric"))
    assert set(spans.party_measures(3)) <= set(measures_of(context))


def test_what_is_compared_run_by_run_is_of_every_run_and_kept_by_baselines() -> None:
    found = paired_measures(FACTS)
    ends = ["kill", "break", "panic", "bond", "overcome", "inert", "dominate", "survive", "fled"]
    assert [measure.name for measure in found] == ["dungeon_win", "visitor_win", *ends, "agency", "rounds"]
    batch = simulate("boar", 50, seed=1)
    for measure in found:
        assert isinstance(measure, RunMeasure)
        counts = one_by_one(batch.rows, FACTS)
        scale = 100 if measure.unit == PERCENT else 1
        assert measure.estimate(counts).value == pytest.approx(scale * float(measure.each(counts).mean()))
