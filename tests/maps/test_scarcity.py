"""Odds that leave a row too few types force waivers, and every command that reads a preset says so (M6)."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer import maps
from cartomancer.content import load_preset, preset_ids
from cartomancer.maps.families.voyage import VOYAGE

NO_UNKNOWN = {"types": ["unknown"], "first": 4, "last": 4}


@pytest.mark.parametrize(
    ("odds", "fields", "words"),
    [
        ({"monster": 1, "unknown": 1}, {}, "where three ways part"),
        ({"monster": 1}, {}, "where two ways part"),
        ({"monster": 1, "unknown": 1}, {"paths": 2}, ""),
        ({"monster": 1, "unknown": 1}, {"split_unique": False}, ""),
        ({"shop": 1}, {"split_unique": False}, "every node"),
        ({"monster": 1, "unknown": 1, "event": 1}, {}, ""),
        ({"monster": 5, "unknown": 1, "event": 1}, {"row_bans": [NO_UNKNOWN]}, "on row 4,"),
    ],
)
def test_odds_that_force_waivers_are_noted(odds: dict[str, int], fields: dict[str, Any], words: str) -> None:
    """Where nothing is noted 40 maps have no waiver, where something is they have some."""
    overrides = {"bands": [{"name": "all", "until_percent": 100, "odds": odds}], **fields}
    notes = " ".join(VOYAGE.notes(load_preset("voyage", "guide", overrides)))
    assert ("force waivers" in notes) is bool(words)
    assert words in notes
    drawn = (maps.generate("voyage", "guide", seed, overrides) for seed in range(40))
    assert any(node.waived for one in drawn for node in one.nodes) is bool(words)


def test_shipped_odds_force_no_waivers() -> None:
    for preset in preset_ids("voyage"):
        assert not VOYAGE.notes(load_preset("voyage", preset))
