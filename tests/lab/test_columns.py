"""A run as a row of the lab's table: what is derived from the record that was kept of it."""

from __future__ import annotations

import numpy as np
import pytest

from cartomancer.encounters import names
from cartomancer.lab.columns import COLUMNS, NOTHING, columns_of
from cartomancer.players.kernel.layout import RUN
from cartomancer.players.simulation import simulate


def row(outcome: str = "kill", **fields: object) -> dict[str, int]:
    """The columns of one hand-made run."""
    made = np.zeros(1, RUN)
    made["outcome"] = names.OUTCOMES.index(outcome)
    made["rooms_entered"], made["fallen"], made["first_down"] = 1, -1, -1
    for name, value in fields.items():
        made[name] = value
    return {name: int(column[0]) for name, column in columns_of(made).items()}


def test_closeness_is_the_losers_lowest_resource_that_is_not_depleted() -> None:
    found = row("kill", ends=[[900, 800, 700], [0, 850, 120]])
    assert (found["loser"], found["closeness"], found["nearest"]) == (1, 12, 2)
    found = row("survive", ends=[[400, 80, 700], [300, 20, 20]])
    assert (found["loser"], found["closeness"], found["nearest"]) == (0, 8, 1)


def test_a_party_is_killed_before_its_vitality_is_gone_and_that_is_no_alternative() -> None:
    found = row("kill", ends=[[900, 800, 700], [50, 850, 120]])
    assert (found["closeness"], found["nearest"]) == (12, 2)


def test_after_a_bond_nobody_has_lost() -> None:
    found = row("bond", ends=[[900, 800, 700], [50, 850, 120]])
    assert (found["loser"], found["closeness"], found["nearest"]) == (NOTHING, NOTHING, NOTHING)


def test_lead_changes_and_leaders_are_told_apart_by_room() -> None:
    found = row(
        "panic", rooms_entered=3, lead_at=[0, 1, 2, 0], changes_at=[0, 1, 2, 0], lead=1, lead_changes=5
    )  # one change in the first room, one in the second, three in the third
    assert [found[f"lead_changes_{k}"] for k in (1, 2, 3, 4)] == [1, 1, 3, NOTHING]
    assert [found[f"leader_{k}"] for k in (1, 2, 3, 4)] == [0, 1, 0, NOTHING]


def test_entries_are_percents_rounded_half_up_and_absent_where_no_room_was_entered() -> None:
    entries = [[1000, 1000, 1000], [555, 554, 5], [0, 0, 0], [0, 0, 0]]
    found = row("break", rooms_entered=2, entries=entries)
    assert [found[f"{name}_2"] for name in names.RESOURCES[1]] == [56, 55, 1]
    assert found["vitality_3"] == NOTHING


@pytest.mark.parametrize(("fallen", "digits"), [([-1, -1, -1, -1], 0), ([2, 0, -1, -1], 31), ([3, 1, 0, 2], 4213)])
def test_the_order_of_falls_is_one_number(fallen: list[int], digits: int) -> None:
    assert row(fallen=fallen)["fallen"] == digits


def test_played_runs_fill_every_column_and_agree_with_their_records() -> None:
    rows = simulate("standard-gauntlet", 400, 3).rows
    found = columns_of(rows, first=1000)
    assert list(found) == list(COLUMNS)
    assert found["run"].tolist() == list(range(1000, 1400))
    per_room = sum(np.maximum(found[f"lead_changes_{k}"], 0).astype(int) for k in (1, 2, 3, 4))
    assert (per_room == rows["lead_changes"]).all()
    assert ((found["first_down"] >= 0) == (found["fallen"] > 0)).all()
    first = found["fallen"].astype(str).astype("U1").astype(int) - 1
    assert (np.where(found["fallen"] > 0, first, -1) == found["first_down"]).all()
