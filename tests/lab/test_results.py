"""Results in plain numbers: fields are keys, unless they are spread in place or hidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cartomancer.intervals import Rate
from cartomancer.lab.results import HIDDEN, IN_PLACE, Result, plain


@dataclass(frozen=True)
class Inner:
    ends: tuple[float, float]
    when: str | None = None


@dataclass(frozen=True)
class Found(Result):
    name: str
    inner: Inner
    spread: Inner = field(metadata=IN_PLACE)
    secret: int = field(metadata=HIDDEN)
    sides: Mapping[str, Rate] = field(metadata=IN_PLACE)
    rows: tuple[Inner, ...] = ()


def test_fields_are_keys_in_their_order_and_inner_objects_are_said_likewise() -> None:
    found = Found("boar", Inner((0, 1)), Inner((2, 3), "late"), 7, {"dungeon": Rate(0, 0)}, (Inner((4, 5)),))
    rate = {"rate": 0.0, "low": 0.0, "high": 1.0}
    said = {
        "name": "boar",
        "inner": {"ends": [0, 1], "when": None},
        "ends": [2, 3],
        "when": "late",
        "dungeon": rate,
        "rows": [{"ends": [4, 5], "when": None}],
    }
    assert found.as_dict() == said
    assert list(found.as_dict()) == list(said)
    assert plain([found, {"of": Rate(0, 0)}, None, 1.5]) == [said, {"of": rate}, None, 1.5]
