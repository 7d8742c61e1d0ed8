"""Every measure there is. Targets, tuner, fidelity, regression, comparison, pages and docs read it from here.

>>> boar = ScenarioContext(("root_hollow", "veil_breach"), ("thornback_boar",))
>>> [name for name in measures_of(boar) if name.startswith("entry")]
['entry.2']
>>> unit_of("agency").step, unit_of("entry.2").name
(0.5, 'percent')
>>> evidence_of("kill"), evidence_of("regret.visitor")
(<Evidence.RUNS: 'runs'>, <Evidence.DECISIONS: 'decisions'>)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, Final

import numpy as np

from cartomancer.lab.columns import columns_of
from cartomancer.lab.measures import (
    activity,
    agency,
    attrition,
    cards,
    closeness,
    composition_counts,
    content_counts,
    courting,
    diversity,
    effects,
    exploits,
    initiative,
    knockouts,
    lengths,
    losses,
    outcomes,
    stakes,
    trust,
)
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Counts, Estimate
from cartomancer.lab.measures.measure import PERCENT, Evidence, Family, Measure, RunMeasure, Unit

MODULES: Final = (
    *(outcomes, agency, lengths, closeness, diversity, knockouts, attrition, trust),
    *(activity, cards, effects, courting, losses, initiative, stakes, exploits),
    *(composition_counts, content_counts),
)
FAMILIES: Final[tuple[Family, ...]] = tuple(chain.from_iterable(module.FAMILIES for module in MODULES))
_FAMILY_OF: Final[dict[str, Family]] = {name: family for family in FAMILIES for name in family.names}
_FAMILY_AT: Final[dict[str, Family]] = {family.head: family for family in FAMILIES if family.head}


def measures_of(context: ScenarioContext, *evidence: Evidence) -> dict[str, Measure]:
    """Every measure that a batch of a scenario has, by its name, or only those that are read off such evidence."""
    families = (family for family in FAMILIES if family.evidence in (evidence or Evidence))
    return {measure.name: measure for family in families for measure in family.of(context)}


def _plain() -> ScenarioContext:
    """A scenario without rooms, members or tiers of its own."""
    return ScenarioContext(rooms=("room",), members=("visitor",))


def _family_of(name: str) -> Family | None:
    return _FAMILY_OF.get(name) or _FAMILY_AT.get(name.partition(".")[0])


def unit_of(name: str) -> Unit:
    """The unit of a measure by its name: those that are named after something of a scenario are all percentages …"""
    family = _family_of(name)
    return family.unit if family else PERCENT


def evidence_of(name: str) -> Evidence:
    """… and most are read off the runs."""
    family = _family_of(name)
    return family.evidence if family else Evidence.RUNS


def read_off(evidence: Evidence, counts: Counts) -> dict[str, Estimate]:
    """Every measure that such evidence of any scenario shows."""
    return {name: measure.estimate(counts) for name, measure in measures_of(_plain(), evidence).items()}


def paired_measures(columns: Iterable[str]) -> list[RunMeasure]:
    """The measures of every scenario that can be compared run by run where only these columns are kept of a run."""
    here = set(columns)
    found = (measure for family in FAMILIES if family.names for measure in family.of(_plain()))
    return [
        measure
        for measure in found
        if isinstance(measure, RunMeasure) and measure.among is None and here.issuperset(measure.columns)
    ]


def one_by_one(rows: Any, needed: Iterable[str]) -> Counts:
    """Some columns of a batch's records, every run a row of its own."""
    columns = columns_of(rows)
    found = {name: columns[name].astype(np.int64) for name in dict.fromkeys(needed)}
    return found | {"runs": np.ones(len(rows), np.int64)}


def measured(
    wanted: Iterable[str], rows: Any, context: ScenarioContext, further: Mapping[Evidence, Counts] | None = None
) -> dict[str, Estimate]:
    """The values of these measures in a batch, with their intervals: off its rows and what further evidence they need
    (`lab/gathering.py` gathers it)."""
    known = measures_of(context)
    measures = [known[name] for name in wanted]
    counts = dict(further or {})
    if needed := [column for one in measures if one.evidence == Evidence.RUNS for column in one.columns]:
        counts[Evidence.RUNS] = one_by_one(rows, needed)
    return {measure.name: measure.estimate(counts[measure.evidence]) for measure in measures}
