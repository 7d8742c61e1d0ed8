"""Lead changes, in a run and room by room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.intervals import wilson
from cartomancer.lab.measures.agency import agency_score, lead_counts
from cartomancer.lab.measures.run_table import RunTable

HandMade = Callable[..., RunTable]
SPAN = load_codex().quality.agency
DUNGEON, VISITOR = 0, 1


def measured(table: RunTable) -> dict[str, Any]:
    return agency_score(lead_counts(table), table.context.places, SPAN).as_dict()


def test_the_mean_and_its_interval_by_hand(hand_made: HandMade) -> None:
    """0, 1, 2 and 5 changes, five times each: mean 2, variance 5 (4 + 1 + 0 + 9) / 19."""
    found = measured(hand_made(*((1, {"outcome": "kill", "lead_changes": changes}) for changes in (0, 1, 2, 5) * 5)))
    half = 2.093024 * (70 / 19 / 20) ** 0.5  # Student's t with 19 degrees of freedom
    assert found["value"] == 2
    assert found["interval"] == pytest.approx([2 - half, 2 + half])
    assert {number: share["rate"] for number, share in found["distribution"].items()} == {
        "0": 0.25,
        "1": 0.25,
        "2": 0.25,
        "3+": 0.25,
    }
    assert [found["distribution"]["0"][end] for end in ("low", "high")] == wilson(5, 20)
    assert (found["verdict"], found["severe"], found["certain"]) == ("healthy", None, False)
    assert found["run"] is None


@pytest.mark.parametrize(
    ("changes", "verdict", "severe"),
    [
        (0, "low", "dominated"),
        (1, "low", None),
        (2, "healthy", None),
        (4, "healthy", None),
        (5, "high", None),
        (6, "high", "random"),
    ],
)
def test_the_bounds_of_the_document(hand_made: HandMade, changes: int, verdict: str, severe: str | None) -> None:
    """Healthy from 1.5 to 4, dominated below 1, random above 5 [GDD 18.2.1]: a bound itself is not beyond it."""
    found = measured(hand_made((50, {"outcome": "kill", "lead_changes": changes})))
    assert (found["verdict"], found["severe"], found["certain"]) == (verdict, severe, True)
    assert (found["healthy"], found["severe_bounds"]) == ([1.5, 4.0], {"dominated": 1.0, "random": 5.0})
    assert found["reading"]


def test_one_run_is_a_batch(hand_made: HandMade) -> None:
    found = measured(hand_made((1, {"outcome": "bond", "lead_changes": 3})))
    assert (found["value"], found["distribution"]["3+"]["rate"]) == (3, 1)


def two_rooms(
    first: int, leader: int, outcome: str, second: int | None = None, first_outcome: str = "survive"
) -> dict[str, object]:
    """A run that led so in its first room and perhaps went on to a second one."""
    said = {"outcome": outcome, "lead_changes_1": first, "leader_1": leader, "lead_changes": first + (second or 0)}
    if second is None:
        return said | {"outcome_1": outcome}
    return said | {"outcome_1": first_outcome, "outcome_2": outcome, "lead_changes_2": second, "rooms": 2}


@pytest.mark.parametrize(("runs", "certain"), [(2, False), (29, False), (30, True)])
def test_equal_values_of_few_runs_are_not_certain(hand_made: HandMade, runs: int, certain: bool) -> None:
    """Their interval has no width, however few they are."""
    found = measured(hand_made((runs, {"outcome": "kill", "lead_changes": 0})))
    assert (found["interval"], found["verdict"], found["certain"]) == ([0, 0], "low", certain)


def test_one_run_has_a_verdict_and_no_interval(hand_made: HandMade) -> None:
    found = measured(hand_made((1, {"outcome": "kill", "lead_changes": 0})))
    assert (found["interval"], found["verdict"], found["certain"]) == (None, "low", False)


def test_no_interval_goes_below_zero(hand_made: HandMade) -> None:
    runs = ((2, {"outcome": "kill", "lead_changes": 0}), (1, {"outcome": "kill", "lead_changes": 1}))
    assert measured(hand_made(*runs))["interval"][0] == 0


def test_lead_changes_by_room(hand_made: HandMade) -> None:
    """Two runs end in room 1 with 2 changes each; of four that go on, two change the lead in room 2."""
    table = hand_made(
        (2, two_rooms(2, VISITOR, "kill")),
        (2, two_rooms(0, DUNGEON, "kill", second=0)),
        (2, two_rooms(1, DUNGEON, "survive", second=3)),
        rooms=("cellar", "attic"),
    )
    found = measured(table)
    first, second = found["run"]["rooms"]
    assert (first["entered"], first["mean"], first["changed"]["rate"]) == (6, 1, pytest.approx(4 / 6))
    assert (second["entered"], second["mean"], second["changed"]["rate"]) == (4, 1.5, 0.5)
    assert found["value"] == pytest.approx((2 * 2 + 0 + 2 * 4) / 6)
    assert found["run"]["mean_per_room"] == pytest.approx(12 / 10)
    assert found["run"]["rooms_with_change_mean"] == pytest.approx((2 * 1 + 0 + 2 * 2) / 6)


def test_a_run_is_decided_in_its_first_room_if_it_ends_there_or_the_leader_wins(hand_made: HandMade) -> None:
    table = hand_made(
        (1, two_rooms(0, VISITOR, "kill")),  # ended there, though the visitor led
        (2, two_rooms(0, DUNGEON, "kill", second=0)),  # the leader won
        (3, two_rooms(0, DUNGEON, "survive", second=1)),  # turned
        (4, two_rooms(0, VISITOR, "bond", second=0)),  # nobody's alone
        (5, two_rooms(0, VISITOR, "overcome", second=0)),  # the leader won
        (6, two_rooms(0, -1, "kill", second=0)),  # nobody led
        rooms=("cellar", "attic"),
    )
    run = measured(table)["run"]
    assert run["ended_in_first_room"]["rate"] == pytest.approx(1 / 21)
    assert run["first_leader_won"]["rate"] == pytest.approx(7 / 20)
    assert run["decided_in_first_room"]["rate"] == pytest.approx(8 / 21)


def test_no_run_went_on(hand_made: HandMade) -> None:
    run = measured(hand_made((3, two_rooms(1, DUNGEON, "kill")), rooms=("cellar", "attic")))["run"]
    assert run["rooms"][1] == {
        "place": 2,
        "entered": 0,
        "mean": None,
        "interval": None,
        "changed": {"rate": 0.0, "low": 0.0, "high": 1.0},
    }
    assert run["decided_in_first_room"]["rate"] == 1
