"""Every measure there is. Targets, tuner, fidelity, regression, comparison, pages and docs read it from here.

>>> boar = ScenarioContext(("root_hollow", "veil_breach"), ("thornback_boar",))
>>> [name for name in measures_of(boar) if name.startswith("entry")]
['entry.2']
>>> unit_of("agency").step, unit_of("entry.2").name
(0.5, 'percent')
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any, Final

import numpy as np

from cartomancer.lab.columns import columns_of
from cartomancer.lab.measures import (
    agency,
    attrition,
    closeness,
    composition_counts,
    diversity,
    knockouts,
    lengths,
    outcomes,
    trust,
)
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Counts, Estimate
from cartomancer.lab.measures.measure import PERCENT, Family, Measure, RunMeasure, Unit

MODULES: Final = (outcomes, agency, lengths, closeness, diversity, knockouts, attrition, trust, composition_counts)
FAMILIES: Final[tuple[Family, ...]] = tuple(chain.from_iterable(module.FAMILIES for module in MODULES))
_UNITS: Final[dict[str, Unit]] = {name: family.unit for family in FAMILIES for name in family.names}


def measures_of(context: ScenarioContext) -> dict[str, Measure]:
    """Every measure that a batch of a scenario has, by its name."""
    return {measure.name: measure for family in FAMILIES for measure in family.of(context)}


def unit_of(name: str) -> Unit:
    """The unit of a measure by its name: those that are named after something of a scenario are all percentages."""
    return _UNITS.get(name, PERCENT)


def paired_measures(columns: Iterable[str]) -> list[RunMeasure]:
    """The measures of every scenario that can be compared run by run where only these columns are kept of a run."""
    here, plain = set(columns), ScenarioContext(rooms=("room",), members=("visitor",))
    found = (measure for family in FAMILIES if family.names for measure in family.of(plain))
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


def measured(wanted: Iterable[str], rows: Any, context: ScenarioContext) -> dict[str, Estimate]:
    """The values of these measures in a batch, with their intervals."""
    known = measures_of(context)
    measures = [known[name] for name in wanted]
    counts = one_by_one(rows, (column for measure in measures for column in measure.columns))
    return {measure.name: measure.estimate(counts) for measure in measures}
