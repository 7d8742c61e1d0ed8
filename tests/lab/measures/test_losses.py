"""Losses by their causes: every cause in one group, and shares that are a whole."""

from __future__ import annotations

from itertools import chain

import pytest

from cartomancer.encounters.kernel.causes import Cause
from cartomancer.lab.measures.losses import GROUP_OF, GROUPS
from cartomancer.lab.report.survey import survey


def test_every_cause_belongs_to_one_group() -> None:
    grouped = list(chain.from_iterable(GROUPS.values()))
    assert sorted(grouped) == sorted(Cause)
    for place, causes in enumerate(GROUPS.values()):
        assert {int(GROUP_OF[cause]) for cause in causes} == {place}


def test_what_a_card_does_is_its_own_but_for_what_it_costs_its_own_side() -> None:
    """What has a card for its source is in the group of cards, with Erode, thorns and what a hit sets off."""
    from_cards = {cause for cause in Cause if cause.source == "card"}
    assert set(GROUPS["cards"]) == (from_cards - {Cause.SELF_COST}) | {
        *(Cause.ERODE, Cause.THORNS, Cause.SPLASH, Cause.POISON)
    }


@pytest.mark.parametrize("scenario", ["boar", "company-gauntlet"])
def test_groups_share_what_a_side_loses_and_its_last_points(scenario: str) -> None:
    seen = survey(scenario, 30, 3)
    found, causes = seen.measures(), seen.causes()
    for side in ("", ".dungeon", ".visitor"):
        for head in ("loss_by", "last_point_by"):
            values = [found[f"{head}_{group}{side}"].value for group in GROUPS]
            assert values[0] is None or sum(value or 0 for value in values) == pytest.approx(100)
    if scenario != "boar":
        return  # a party's cascades go to what set them off: `tests/lab/report/test_counting.py`
    mine = [share for share in causes if share.side == "visitor"]
    by_rooms = sum(share.lost for share in mine if share.cause == "room")
    assert found["loss_by_room.visitor"].value == pytest.approx(100 * by_rooms / sum(share.lost for share in mine))
    ended = [share for share in mine if share.last_points]
    by_room = sum(share.last_points for share in ended if share.cause == "room")
    assert found["last_point_by_room.visitor"].value == pytest.approx(
        100 * by_room / sum(share.last_points for share in ended)
    )
