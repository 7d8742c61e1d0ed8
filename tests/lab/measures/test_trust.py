"""Betrayals of trust that was ripe or bonded, leads of endings, what acting first is worth: by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from cartomancer.encounters.packing import pack
from cartomancer.intervals import wilson
from cartomancer.lab.columns import OUTCOME_CODES, SIDES
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Counts
from cartomancer.lab.measures.initiative import ACTING_FIRST, worth_column
from cartomancer.lab.measures.outcomes import LEAD_MEASURES, LEADS
from cartomancer.lab.measures.registry import measures_of
from cartomancer.lab.measures.trust import AFTER_BOND
from cartomancer.lab.report.survey import survey


def runs(**columns: list[int]) -> Counts:
    found = {name: np.array(values) for name, values in columns.items()}
    return found | {"runs": np.ones(len(next(iter(found.values()))), np.int64)}


def ended(**times: int) -> Counts:
    codes = [OUTCOME_CODES[name] for name, count in times.items() for _ in range(count)]
    return runs(outcome=codes)


# --- betrayals --------------------------------------------------------------------------------------------------------


def test_trust_is_ripe_from_where_the_scenarios_dungeon_betrays() -> None:
    context = ScenarioContext.of(pack("symbiote-deceptive"))
    found = runs(trust_peak=[20, 14, 14, 13, 0], betrayals=[1, 1, 0, 1, 0])  # in half points
    estimate = measures_of(replace(context, betrays_at=7))["betrayal_when_ripe"].estimate(found)
    low, high = wilson(2, 3)
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((200 / 3, 100 * low, 100 * high))


def test_only_a_dungeon_that_means_to_betray_has_ripe_trust() -> None:
    assert ScenarioContext.of(pack("symbiote")).betrays_at == 0
    assert "betrayal_when_ripe" not in measures_of(ScenarioContext.of(pack("symbiote")))
    assert ScenarioContext.of(pack("bond-then-betray")).betrays_at > 0  # of its second room


def test_a_betrayal_after_a_bond_is_counted_among_runs_that_bonded_in_their_first_room() -> None:
    bond, survive = OUTCOME_CODES["bond"], OUTCOME_CODES["survive"]
    found = runs(outcome_1=[bond, bond, bond, survive], betrayals=[1, 0, 1, 1])
    assert AFTER_BOND.estimate(found).value == pytest.approx(200 / 3)


# --- leads ------------------------------------------------------------------------------------------------------------


def test_kill_leads_what_is_commonest_of_the_rest_and_a_bond_is_left_out() -> None:
    kill, _ = LEAD_MEASURES
    found = kill.estimate(ended(bond=50, kill=20, survive=25, panic=5))
    half = 196 * math.sqrt((0.20 + 0.25 - 0.05**2) / 100)
    assert found.value == pytest.approx(-5)
    assert (found.low, found.high) == pytest.approx((-5 - half, -5 + half), abs=0.01)
    assert LEADS["kill"] == tuple(name for name in OUTCOME_CODES if name not in {"kill", "bond"})


def test_a_bond_leads_the_dungeons_other_aims() -> None:
    _, bond = LEAD_MEASURES
    assert bond.estimate(ended(bond=10, kill=4, panic=7, survive=79)).value == pytest.approx(3)
    assert bond.estimate(ended(survive=10)).value == 0


# --- acting first -----------------------------------------------------------------------------------------------------


def test_acting_first_is_worth_what_the_runs_one_begins_are_worth_more() -> None:
    counts = runs(
        began=[0, 0, 0, 1, 1],
        **{worth_column("dungeon"): [1000, 500, 900, 300, 500], worth_column("visitor"): [0, 0, 300, 1000, 800]},
    )
    dungeon, visitor = (measure.estimate(counts) for measure in ACTING_FIRST)
    assert dungeon.value == pytest.approx(80 - 40)
    assert visitor.value == pytest.approx(90 - 10)
    assert dungeon.low is not None
    assert dungeon.low < 40


def test_worths_are_those_of_the_runs() -> None:
    found = survey("symbiote", 20, 3)
    for side in SIDES:
        assert found.columns[worth_column(side)].tolist() == [
            round(1000 * worth) for worth in found.simulation.worths(side)
        ]
