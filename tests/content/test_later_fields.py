"""Rules fields that came later: no digest, notation or file changes until somebody uses them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import pytest

from cartomancer import content, maps
from cartomancer.content.models.base import LATER, Preset, Strict, setting


class Tide(Strict):
    """A table of the rules."""

    height: int = 3
    spring: Annotated[bool, LATER] = setting(False, "Whether it is a spring tide.")


class SeaRules(Preset):
    """Rules that grew: three of their fields came later."""

    default_preset: ClassVar = "calm"

    family: Literal["sea"] = "sea"
    ebb: Tide = Tide()
    tides: list[Tide] = setting([Tide()], "High and low ones.")
    depth: Annotated[int, LATER] = setting(5, "Fathoms.", ge=1)
    reefs: Annotated[list[int], LATER] = setting(list, "Where they lie.")


FIRST = {"family": "sea", "ebb": {"height": 3}, "tides": [{"height": 3}]}  # as files had it before anything came later


def written(**fields: Any) -> dict[str, Any]:
    return SeaRules.model_validate({"id": "calm", "title": "Calm", **fields}).written_fields()


def test_later_fields_at_their_default_are_not_written() -> None:
    assert written() == FIRST
    assert written(depth=5, reefs=[], ebb={"spring": False}) == FIRST


@pytest.mark.parametrize(
    ("given", "differing"),
    [
        ({"depth": 6}, {"depth": 6}),
        ({"reefs": [0]}, {"reefs": [0]}),
        ({"ebb": {"spring": True}}, {"ebb": {"height": 3, "spring": True}}),
        ({"tides": [{}, {"spring": True}]}, {"tides": [{"height": 3}, {"height": 3, "spring": True}]}),
    ],
)
def test_later_fields_in_use_are_written(given: dict[str, Any], differing: dict[str, Any]) -> None:
    assert written(**given) == FIRST | differing


def test_every_field_is_shown_and_old_ones_are_always_written() -> None:
    rules = SeaRules.model_validate({"id": "calm", "title": "Calm"})
    assert rules.rule_fields() == FIRST | {
        "ebb": {"height": 3, "spring": False},
        "tides": [{"height": 3, "spring": False}],
        "depth": 5,
        "reefs": [],
    }
    assert SeaRules.model_validate({"id": "calm", "title": "Calm", **rules.written_fields()}) == rules


# Digests of the shipped presets as they were when their notations were written.
DIGESTS = {
    "voyage:guide": "37d0b58c",
    "voyage:brutal": "69219aaf",
    "voyage:gentle": "d92d19ab",
    "voyage:sparse": "d0deb3e3",
    "voyage:spire": "a891d049",
    "contract:standard": "3ffc047a",
    "contract:power": "39121258",
    "contract:recovery_short": "618b4508",
    "contract:recovery_standard": "8228d801",
    "contract:rival_extended": "63ee2c6b",
    "contract:rival_standard": "22cc8949",
    "contract:short": "2075c039",
    "guardian:three_acts": "840402a2",
    "guardian:five_acts": "81ed00e6",
    "guardian:slice": "c90f2654",
}


def test_shipped_presets_keep_their_digests() -> None:
    found = {
        f"{family}:{name}": maps.ruleset_digest(content.load_preset(family, name))
        for family in ("voyage", "contract", "guardian")
        for name in content.preset_ids(family)
    }
    assert found.items() >= DIGESTS.items()
