"""What the loser had left of what it was next to lose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.encounters import names
from cartomancer.lab.columns import DEPLETED
from cartomancer.lab.measures.closeness import closeness_at_resolution, ending_counts
from cartomancer.lab.measures.run_table import RunTable

HandMade = Callable[..., RunTable]
SPAN = load_codex().quality.closeness


def measured(table: RunTable) -> dict[str, Any]:
    return closeness_at_resolution(ending_counts(table), SPAN).as_dict()


def ended(outcome: str, nearest: int = -1, closeness: int = -1) -> dict[str, object]:
    return {"outcome": outcome, "nearest": nearest, "closeness": closeness}


def test_the_documents_example(hand_made: HandMade) -> None:
    """A Kill with resolve at 85 % was not close to a Break; one with resolve at 8 % was [GDD 18.2.2]."""
    found = measured(hand_made((1, ended("kill", 1, 85)), (1, ended("kill", 1, 8))))
    assert found["value"] == 46.5
    half = 12.706205 * 38.5  # both are 38.5 from the mean; Student's t with 1 degree of freedom
    assert found["interval"] == pytest.approx([0, 46.5 + half])  # 46.5 − half is below it
    assert found["distribution"]["0–9"]["rate"] == found["distribution"]["80–89"]["rate"] == 0.5
    assert found["nearest_alternative"] == "break"
    assert found["alternatives"]["break"]["rate"] == 1


def test_every_resource_has_its_outcome() -> None:
    """The order of the resources is that of the outcomes that their depletion brings [GDD 3.4]."""
    assert names.RESOURCES == (("structure", "veil", "presence"), ("vitality", "resolve", "nerve"))
    assert DEPLETED == {0: ("overcome", "inert", "dominate"), 1: ("kill", "break", "panic")}


def test_alternatives_are_told_by_who_lost(hand_made: HandMade) -> None:
    """The same place among the resources means another outcome for each side; a Survive is lost by the dungeon."""
    table = hand_made(
        (3, ended("break", 0, 20)),
        (2, ended("kill", 2, 30)),
        (4, ended("survive", 0, 20)),
        (1, ended("overcome", 1, 50)),
    )
    found = measured(table)
    rates = {name: share["rate"] for name, share in found["alternatives"].items()}
    assert rates == {"kill": 0.3, "break": 0, "panic": 0.2, "overcome": 0.4, "inert": 0.1, "dominate": 0}
    assert found["nearest_alternative"] == "overcome"
    assert found["value"] == pytest.approx((60 + 60 + 80 + 50) / 10)
    assert found["runs"] == 10


def test_bonds_have_no_loser_and_are_left_out(hand_made: HandMade) -> None:
    found = measured(hand_made((7, ended("bond")), (1, ended("panic", 1, 20)), (2, ended("overcome"))))
    assert (found["value"], found["runs"], found["bonds_left_out"], found["nothing_left"]) == (20, 1, 7, 2)
    assert "7 Bonds left out" in found["reading"]


def test_all_bonds_leave_nothing_to_judge(hand_made: HandMade) -> None:
    found = measured(hand_made((5, ended("bond"))))
    assert (found["value"], found["interval"], found["verdict"], found["severe"]) == (None, None, None, None)
    assert (found["runs"], found["bonds_left_out"], found["nearest_alternative"]) == (0, 5, None)
    assert found["reading"]


@pytest.mark.parametrize(
    ("left", "verdict", "severe"),
    [
        (9, "low", "knife edge"),
        (10, "low", None),
        (15, "healthy", None),
        (40, "healthy", None),
        (60, "high", None),
        (61, "high", "one condition"),
    ],
)
def test_the_bounds_of_the_document(hand_made: HandMade, left: int, verdict: str, severe: str | None) -> None:
    found = measured(hand_made((20, ended("kill", 1, left))))
    assert (found["verdict"], found["severe"]) == (verdict, severe)


def test_the_last_ten_is_open(hand_made: HandMade) -> None:
    found = measured(
        hand_made((1, ended("survive", 1, 127)), (1, ended("survive", 1, 90)), (2, ended("survive", 1, 89)))
    )
    assert (found["distribution"]["90+"]["rate"], found["distribution"]["80–89"]["rate"]) == (0.5, 0.5)
    assert len(found["distribution"]) == 10
