"""What verdicts mean together [GDD 18.3]; and the healthy ranges as content."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.content.toml_files import DATA
from cartomancer.errors import ContentError
from cartomancer.lab.measures.metrics import quality
from cartomancer.lab.measures.readings import readings, win_rate
from cartomancer.lab.measures.run_table import RunTable

HandMade = Callable[..., RunTable]


def fitting(agency: str | None, closeness: str | None, diversity: str | None) -> list[str]:
    return [found.id for found in readings(agency, closeness, diversity)]


@pytest.mark.parametrize(
    ("agency", "closeness", "diversity", "found"),
    [
        ("healthy", "healthy", "low", ["same_ending"]),
        ("high", "low", "low", ["same_ending"]),
        ("low", "high", "healthy", ["decided_early"]),
        ("low", "high", "high", ["decided_early"]),
        ("low", "low", "low", ["grind"]),
        ("low", "healthy", "low", ["grind"]),
        ("healthy", "high", "healthy", ["first_target_decides"]),
        ("low", "healthy", "healthy", ["decided_early", "grind"]),
        ("high", "high", "low", ["same_ending", "first_target_decides"]),
        ("healthy", "healthy", "healthy", ["healthy"]),
        ("low", "high", "low", ["no_pattern"]),
        ("high", "healthy", "healthy", ["no_pattern"]),
        ("low", None, "low", ["no_pattern"]),
        ("healthy", None, "low", ["same_ending"]),
    ],
)
def test_patterns(agency: str, closeness: str | None, diversity: str, found: list[str]) -> None:
    assert fitting(agency, closeness, diversity) == found


@pytest.mark.parametrize(
    ("dungeon", "visitor", "bond", "is_party", "says"),
    [
        (
            85,
            15,
            0,
            False,
            "the dungeon wins 85.0 % alone: a creature is content, and is expected to lose 80 % or more; so",
        ),
        (70, 20, 10, False, "the dungeon wins 70.0 % alone, and in 10.0 % a Bond is both sides' win: a creature"),
        (50, 50, 0, True, "40 to 60 % is usual; so it is here"),
        (39, 61, 0, True, "40 to 60 % is usual; it is less here"),
        (61, 39, 0, True, "40 to 60 % is usual; it is more here"),
    ],
)
def test_the_win_rate_is_described(
    hand_made: HandMade, dungeon: int, visitor: int, bond: int, is_party: bool, says: str
) -> None:
    shares = {"break": dungeon, "survive": visitor, "bond": bond}
    table = hand_made(*((times, {"outcome": outcome}) for outcome, times in shares.items()))
    found = win_rate(table.counts("outcome"), is_party, load_codex().quality.dungeon_wins)
    assert says in found.reading
    assert [rate.share for rate in (found.dungeon, found.visitor, found.bond)] == [
        dungeon / 100,
        visitor / 100,
        bond / 100,
    ]


def test_a_good_matchup_is_said_to_be_good(hand_made: HandMade) -> None:
    """Everything at once: 2 lead changes, 30 % left, half Kill and the rest spread."""
    outcomes = {"kill": 50, "break": 20, "panic": 10, "survive": 20}
    said = {"lead_changes": 2, "closeness": 30, "nearest": 1}
    table = hand_made(*((times, {"outcome": outcome, **said}) for outcome, times in outcomes.items()))
    found = quality(table)
    assert [metric and metric.verdict for metric in found.metrics.values()] == ["healthy"] * 3 + [None, None]
    assert [reading.id for reading in found.readings] == ["healthy"]


# --- healthy ranges are content ---------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of shipped content."""
    return Path(shutil.copytree(DATA, tmp_path / "data"))


def test_a_designer_may_turn_the_ranges(folder: Path, hand_made: HandMade) -> None:
    path = folder / "tuning" / "quality.toml"
    path.write_text(path.read_text().replace("healthy = [1.5, 4.0]", "healthy = [1.0, 1.2]"))
    table = hand_made((10, {"outcome": "kill", "lead_changes": 2}))
    assert quality(table).agency.verdict == "healthy"
    assert quality(table, load_codex(folder).quality).agency.verdict == "high"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("healthy = [1.5, 4.0]", "healthy = [4.0, 1.5]", "agency.healthy = [4.0, 1.5] must rise, not go from 4 to 1.5"),
        ("healthy = [1.5, 4.0]", "healthy = [-1, 4.0]", "agency.healthy[1] = -1 is too small"),
        ("severe_below = 1.0", "severe_below = 2.0", "agency.severe_below = 2.0 must be at most 1.5, not 2"),
        ("severe_above = 5.0", "severe_above = 3.5", "agency.severe_above = 3.5 must be at least 4, not 3.5"),
        ("severe_above = 5.0", "severe_above = nan", "agency.severe_above"),
        ("one_member = 0.80", "one_member = 80", "knockout_spread.one_member = 80 is too large"),
        ("band_runs = 30", "band_runs = 0", "attrition.band_runs = 0 is too small"),
        ("room = 3", "room = 2", "every room once and in order, not [2, 2]"),
        ("[closeness]", "[closness]", "closness is not a known field (right would be: closeness)"),
    ],
)
def test_bad_ranges_are_refused(folder: Path, old: str, new: str, fault: str) -> None:
    path = folder / "tuning" / "quality.toml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(ContentError) as refused:
        load_codex(folder)
    assert any(fault in str(found) and "tuning/quality.toml" in str(found) for found in refused.value.faults), [
        str(found) for found in refused.value.faults
    ]
