"""Who falls first, and in which order."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.lab.measures.knockouts import fall_counts, knockout_patterns
from cartomancer.lab.measures.run_table import RunTable

HandMade = Callable[..., RunTable]
SPAN = load_codex().quality.knockout_spread
COMPANY = ("knight", "battlemage", "cleric", "rogue")


def measured(table: RunTable) -> dict[str, Any]:
    return knockout_patterns(fall_counts(table), table.context.seats, SPAN).as_dict()


def fell(*seats: int) -> dict[str, object]:
    """A run in which these seats fell, counted from 0."""
    order = int("".join(str(seat + 1) for seat in seats)) if seats else 0
    return {"outcome": "kill", "fallen": order, "first_down": seats[0] if seats else -1, "knockouts": len(seats)}


def test_first_knockouts_by_hand(hand_made: HandMade) -> None:
    """Cleric half, rogue a quarter, the others an eighth each: 1.75 bits of at most log2 4 = 2."""
    table = hand_made((4, fell(2)), (2, fell(3, 2)), (1, fell(0)), (1, fell(1)), (8, fell()), members=COMPANY)
    found = measured(table)
    assert found["value"] == pytest.approx(1.75 / 2)
    assert (found["runs"], found["with_knockout"]["rate"]) == (8, 0.5)
    assert {name: share["rate"] for name, share in found["first"].items()} == {
        "knight": 0.125,
        "battlemage": 0.125,
        "cleric": 0.5,
        "rogue": 0.25,
    }
    assert (found["verdict"], found["severe"], found["healthy"]) == ("healthy", None, [0.5, 0.9])
    assert "cleric, 50 %" in found["reading"]


def test_orders_by_hand(hand_made: HandMade) -> None:
    """Three orders of 1/2, 1/4, 1/4: 1.5 bits. The third then the first is not the first then the third."""
    table = hand_made((2, fell(2, 0, 1)), (1, fell(2, 0)), (1, fell(0, 2)), (5, fell()), members=COMPANY)
    order = measured(table)["order"]
    assert (order["bits"], order["different"]) == (1.5, 3)
    assert [(one["members"], one["rate"]) for one in order["commonest"]] == [
        (["cleric", "knight", "battlemage"], 0.5),
        (["knight", "cleric"], 0.25),
        (["cleric", "knight"], 0.25),
    ]


def test_only_the_five_commonest_orders_are_named(hand_made: HandMade) -> None:
    orders = [(1, fell(0)), (2, fell(1)), (3, fell(2)), (4, fell(3)), (5, fell(0, 1)), (6, fell(0, 2)), (7, fell(0, 3))]
    order = measured(hand_made(*orders, members=COMPANY))["order"]
    assert order["different"] == 7
    assert [one["rate"] for one in order["commonest"]] == [pytest.approx(hits / 28) for hits in (7, 6, 5, 4, 3)]


def test_doubled_classes_are_told_apart_by_seat(hand_made: HandMade) -> None:
    table = hand_made((3, fell(0)), (1, fell(2)), members=("knight", "cleric", "knight", "rogue"))
    first = measured(table)["first"]
    assert list(first) == ["knight 1", "cleric", "knight 2", "rogue"]
    assert (first["knight 1"]["rate"], first["knight 2"]["rate"]) == (0.75, 0.25)


def test_one_member_in_four_of_five_is_too_deterministic_whatever_the_entropy(hand_made: HandMade) -> None:
    """80 %, and the rest evenly: the entropy of 0.52 alone would be healthy [GDD 18.2.4]."""
    rest = [(50, fell(seat)) for seat in (0, 1, 3)]
    found = measured(hand_made((600, fell(2)), *rest, members=COMPANY))
    assert found["value"] == pytest.approx((-0.8 * math.log2(0.8) - 0.2 * math.log2(0.2 / 3)) / 2)
    assert found["value"] > 0.5
    assert (found["verdict"], found["severe"]) == ("low", "deterministic")
    found = measured(hand_made((599, fell(2)), (1, fell(0)), *rest, members=COMPANY))
    assert (found["verdict"], found["severe"]) == ("healthy", None)


def test_even_falls_show_no_preference(hand_made: HandMade) -> None:
    found = measured(hand_made(*((10, fell(seat)) for seat in range(4)), members=COMPANY))
    assert (found["value"], found["verdict"]) == (1, "high")


def test_nobody_fell(hand_made: HandMade) -> None:
    found = measured(hand_made((9, fell()), members=COMPANY))
    assert (found["value"], found["verdict"], found["order"], found["runs"]) == (None, None, None, 0)
    assert found["with_knockout"]["rate"] == 0
    assert found["reading"]


def test_one_knockout_is_no_proof(hand_made: HandMade) -> None:
    found = measured(hand_made((1, fell(1)), members=COMPANY))
    assert (found["severe"], found["certain"]) == ("deterministic", False)
    assert found["order"]["interval"][1] > 0
