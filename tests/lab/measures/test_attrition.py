"""In what shape rooms are entered, and whether they are still open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cartomancer.content.codex import load_codex
from cartomancer.lab.measures.agency import lead_counts
from cartomancer.lab.measures.attrition import Band, attrition_curve, bands, entry_counts, large_enough
from cartomancer.lab.measures.run_table import RunTable

HandMade = Callable[..., RunTable]
TUNING = load_codex().quality.attrition
ROOMS = ("cellar", "attic", "roof")
RESOURCES = ("vitality", "resolve", "nerve")


def measured(table: RunTable) -> dict[str, Any]:
    return attrition_curve(entry_counts(table, lead_counts(table)), table.context, TUNING).as_dict()


def went(outcome: str, *entries: tuple[int, int, int]) -> dict[str, object]:
    """A run that survived its rooms until the last, each later one entered with these percents."""
    said: dict[str, object] = {"outcome": outcome, "rooms": 1 + len(entries), "lead_changes_1": 0}
    for place in range(1, 2 + len(entries)):
        said |= {f"outcome_{place}": outcome if place == 1 + len(entries) else "survive", f"lead_changes_{place}": 0}
    for place, entry in enumerate(entries, 2):
        said |= {f"{resource}_{place}": left for resource, left in zip(RESOURCES, entry, strict=True)}
    return said


def test_entries_by_hand(hand_made: HandMade) -> None:
    """One run ends in the first room; two enter the second with means of 60 and 70."""
    table = hand_made(
        (1, went("kill")),
        (1, went("kill", (50, 60, 70))),
        (1, went("survive", (70, 60, 80))),
        rooms=("cellar", "attic"),
    )
    found = measured(table)
    first, second = found["rooms"]
    assert (first["room"], first["entered"], first["entry"]["mean"]) == ("cellar", 3, 100)
    assert first["outcomes"]["kill"]["rate"] == pytest.approx(1 / 3)
    assert first["outcomes"]["survive"]["rate"] == pytest.approx(2 / 3)
    assert (second["room"], second["entered"], second["outcomes"]["kill"]["rate"]) == ("attic", 2, 0.5)
    entry = second["entry"]
    assert [entry[resource]["mean"] for resource in RESOURCES] == [60, 60, 75]
    half = 12.706205 * 5  # Student's t with 1 degree of freedom
    assert (entry["mean"], entry["interval"]) == (65, pytest.approx([65 - half, 65 + half]))
    assert (found["value"], found["healthy"]) == (65, [55, 75])
    assert (second["verdict"], second["effective"]["holds"]) == ("healthy", None)  # two runs say nothing


@pytest.mark.parametrize(
    ("left", "verdict", "severe"),
    [
        (39, "low", "formality"),
        (40, "low", None),
        (55, "healthy", None),
        (75, "healthy", None),
        (80, "high", None),
        (81, "high", "too easy before"),
    ],
)
def test_the_bounds_of_the_second_room(hand_made: HandMade, left: int, verdict: str, severe: str | None) -> None:
    entry = (left, left, left)
    table = hand_made((20, went("kill", entry)), (20, went("survive", entry)), rooms=("cellar", "attic"))
    found = measured(table)
    assert (found["verdict"], found["severe"]) == (verdict, severe)
    assert found["rooms"][1]["effective"]["holds"] is True


def test_the_third_room_has_a_range_of_its_own(hand_made: HandMade) -> None:
    """Room 2 is entered in good shape, room 3 too fresh: that is the verdict, and the reading says where."""
    table = hand_made(
        (20, went("kill", (60,) * 3, (58,) * 3)), (20, went("overcome", (60,) * 3, (58,) * 3)), rooms=ROOMS
    )
    found = measured(table)
    assert [room["verdict"] for room in found["rooms"]] == [None, "healthy", "high"]
    assert (found["verdict"], found["value"], found["rooms"][2]["healthy"]) == ("high", 60, [30, 55])
    assert "room 3" in found["reading"]


def test_a_room_is_open_to_runs_from_whose_shape_both_sides_win(hand_made: HandMade) -> None:
    """Above 60 both sides win 10 % or more, below it the dungeon wins all: 40 of 100 runs find the room open."""
    fresh, worn = (65, 65, 65), (52, 52, 52)
    table = hand_made(
        (36, went("kill", fresh)), (4, went("survive", fresh)), (60, went("panic", worn)), rooms=("cellar", "attic")
    )
    effective = measured(table)["rooms"][1]["effective"]
    assert (effective["rate"], effective["threshold"], effective["holds"]) == (0.4, 0.25, True)
    assert [(band["from"], band["to"], band["runs"], band["open"]) for band in effective["bands"]] == [
        (60, 69, 40, True),
        (50, 59, 60, False),
    ]
    table = hand_made(
        (37, went("kill", fresh)), (3, went("survive", fresh)), (60, went("panic", worn)), rooms=("cellar", "attic")
    )
    found = measured(table)
    assert found["rooms"][1]["effective"]["rate"] == 0  # 3 of 40 is no realistic path
    assert (found["verdict"], found["severe"], found["not_effective"]) == ("low", "not effective", [2])
    assert found["certain"]


def test_a_bond_is_both_sides_way_out(hand_made: HandMade) -> None:
    entry = (60, 60, 60)
    table = hand_made((27, went("kill", entry)), (3, went("bond", entry)), rooms=("cellar", "attic"))
    (band,) = measured(table)["rooms"][1]["effective"]["bands"]
    assert (band["dungeon"]["rate"], band["visitor"]["rate"], band["open"]) == (1, 0.1, True)


def band(low: int, runs: int, dungeon: int = 0, visitor: int = 0) -> Band:
    return Band(low, low + 9, runs, dungeon, visitor)


def test_thin_bands_join_the_next_lower_and_the_last_the_next_higher() -> None:
    found = large_enough([band(90, 10, 1, 9), band(80, 10), band(70, 15, 5, 5), band(50, 40), band(40, 29, 29, 0)], 30)
    assert found == [Band(70, 99, 35, 6, 14), Band(40, 59, 69, 29, 0)]
    assert large_enough([band(60, 3), band(50, 4)], 30) == [Band(50, 69, 7, 0, 0)]
    assert large_enough([band(60, 30), band(50, 30)], 30) == [band(60, 30), band(50, 30)]
    assert large_enough([], 30) == []


def test_bands_are_tens_of_the_mean() -> None:
    """A sum of 179 is a mean of 59.7; above 100 there is one band."""
    counts = {"outcome": np.array([1, 1, 8, 4]), "runs": np.array([1, 2, 4, 8])}
    found = bands(np.array([180, 179, 300, 381]), counts)
    assert found == [Band(100, 100, 12, 8, 12), Band(60, 69, 1, 1, 0), Band(50, 59, 2, 2, 0)]


def test_no_run_went_on(hand_made: HandMade) -> None:
    found = measured(hand_made((40, went("kill")), rooms=ROOMS))
    assert (found["value"], found["verdict"]) == (None, None)
    assert [room["entered"] for room in found["rooms"]] == [40, 0, 0]
    assert found["rooms"][1]["entry"]["vitality"] is None
    assert found["rooms"][1]["effective"]["holds"] is None
    assert found["reading"] == "too few runs went on"


def test_where_ways_part_no_room_is_named(hand_made: HandMade) -> None:
    table = hand_made((1, went("kill", (60, 60, 60))), rooms=ROOMS, is_straight=False)
    assert [room["room"] for room in measured(table)["rooms"]] == ["cellar", None, None]
