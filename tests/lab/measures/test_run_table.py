"""Runs as a table, in memory and in files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pytest

from cartomancer.encounters import names
from cartomancer.errors import CartomancerError
from cartomancer.lab.columns import columns_of
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.metrics import quality
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.players.simulation import Simulation, simulate

HandMade = Callable[..., RunTable]


def stored(found: Simulation, folder: Path, cut: int) -> list[Path]:
    """The runs of a batch in two Parquet files."""
    paths = [folder / "it's one.parquet", folder / "two.parquet"]
    for path, (first, rows) in zip(paths, [(0, found.rows[:cut]), (cut, found.rows[cut:])], strict=True):
        connection = duckdb.connect()
        connection.register("runs", columns_of(rows, first))
        connection.execute("copy runs to '{}' (format parquet)".format(str(path).replace("'", "''")))
    return paths


@pytest.mark.parametrize("scenario", ["boar", "company-gauntlet", "symbiote"])
def test_stored_runs_measure_like_those_in_memory(scenario: str, tmp_path: Path) -> None:
    found = simulate(scenario, 300, seed=5)
    context = ScenarioContext.of(found.packed)
    table = RunTable.over(stored(found, tmp_path, 120), context)
    assert table.runs == 300
    assert quality(table) == quality(RunTable.of(found))


def test_a_large_batch_may_be_read_in_part(tmp_path: Path) -> None:
    """Every second file of two: the metrics are those of the runs in it, and say of how many they are."""
    found = simulate("boar", 300, seed=5)
    files, context = stored(found, tmp_path, 120), ScenarioContext.of(found.packed)
    part = quality(RunTable.over(files, context, most_runs=299))
    assert part == quality(RunTable.of(replace(found, rows=found.rows[:120])))
    assert part.measured_runs == 120
    assert quality(RunTable.over(files, context, most_runs=300)).measured_runs == 300


def test_only_the_first_runs_of_a_batch_may_be_asked_for(tmp_path: Path) -> None:
    found = simulate("boar", 300, seed=5)
    context = ScenarioContext.of(found.packed)
    first = RunTable.over(stored(found, tmp_path, 120), context, first_runs=200)
    assert quality(first) == quality(RunTable.of(simulate("boar", 200, seed=5)))


def test_metrics_of_a_batch_agree_with_its_rows() -> None:
    """Means taken straight from the records."""
    found = simulate("company-gauntlet", 400, seed=3)
    measured, rows = quality(RunTable.of(found)).as_dict(), found.rows
    assert measured["agency_score"]["value"] == pytest.approx(float(rows["lead_changes"].mean()))
    assert measured["win_rate"]["dungeon"]["rate"] == found.wins("dungeon") / 400
    for name, share in measured["outcome_diversity"]["outcomes"].items():
        assert share["rate"] == found.rate(name)
    fell = rows["first_down"] >= 0
    for seat, share in enumerate(measured["knockout_patterns"]["first"].values()):
        assert share["rate"] == pytest.approx(float((rows["first_down"][fell] == seat).mean()))
    entered = rows["rooms_entered"] > 1
    assert measured["attrition_curve"]["rooms"][1]["entered"] == int(entered.sum())
    assert measured["attrition_curve"]["value"] == pytest.approx(rows["entries"][entered, 1].mean() / 10, abs=0.5)


def test_which_metrics_apply() -> None:
    """Knock-outs are for parties, the curve for several rooms [GDD 18.8]."""
    applying = {
        scenario: [name for name, metric in quality(RunTable.of(simulate(scenario, 20))).metrics.items() if metric][3:]
        for scenario in ("symbiote", "boar", "standard-company", "company-gauntlet")
    }
    assert applying == {
        "symbiote": [],
        "boar": ["attrition_curve"],
        "standard-company": ["knockout_patterns"],
        "company-gauntlet": ["knockout_patterns", "attrition_curve"],
    }


def test_counts_are_of_combinations(hand_made: HandMade) -> None:
    table = hand_made((3, {"outcome": "kill", "rounds": 9}), (2, {"outcome": "bond"}), (1, {"outcome": "kill"}))
    found = table.counts("outcome", "rounds")
    kill, bond = names.OUTCOMES.index("kill"), names.OUTCOMES.index("bond")
    rows = list(zip(*(found[name].tolist() for name in ("outcome", "rounds", "runs")), strict=True))
    assert rows == [(kill, 9, 3), (kill, 10, 1), (bond, 10, 2)]
    assert table.counts("rounds", where="outcome = 4")["runs"].tolist() == [2]


def test_ways_that_part_are_known_from_the_scenario() -> None:
    found = simulate("company-gauntlet", 1)
    context = ScenarioContext.of(found.packed)
    assert (context.is_straight, context.is_party, context.room_at(2)) == (True, True, context.rooms[1])


def test_what_cannot_be_read_is_refused(tmp_path: Path, hand_made: HandMade) -> None:
    context = hand_made((1, {"outcome": "kill"})).context
    with pytest.raises(CartomancerError, match="by-hand: no runs are stored"):
        RunTable.over([], context)
    with pytest.raises(CartomancerError, match="by-hand: these runs cannot be read"):
        quality(RunTable.over([tmp_path / "missing.parquet"], context))
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(CartomancerError, match=r"bad\.parquet"):
        quality(RunTable.over([tmp_path / "bad.parquet"], context))
    with pytest.raises(CartomancerError, match='column "nearest" not found'):
        quality(RunTable.of_columns({"outcome": np.ones(3, np.int8), "lead_changes": np.ones(3, np.int8)}, context))
    with pytest.raises(CartomancerError, match="no runs, so nothing can be measured"):
        quality(RunTable.of_columns(columns_of(simulate("boar", 1).rows[:0]), context))
