"""Reasons: the margin of a roll, the rule behind a change, and nothing hidden."""

from __future__ import annotations

from cartomancer.encounters.event import HIDDEN, Event
from cartomancer.encounters.packing import pack
from cartomancer.encounters.sentences import Titles
from cartomancer.encounters.whys import whys

TITLES = Titles(pack("boar"))


def test_a_roll_is_explained_by_its_margin() -> None:
    rolled = Event("strike_rolled", "visitor", {"attack": 6, "defence": 7, "tier": "partial"})
    assert whys(TITLES, [rolled]) == [
        "6 against 7 is a margin of -1, partial: 50 % of the power hits, 50 % comes back."
    ]


def test_a_change_names_its_rule_and_its_card() -> None:
    healed = Event("healed", "visitor", {"reducer": "nerve", "points": 2, "cause": "drain", "source": "gore"})
    line = "The Thornback Boar's nerve rises by 2: Drain: damage dealt heals the striker (Gore)."
    assert whys(TITLES, [healed]) == [line]


def test_a_hidden_source_is_not_named() -> None:
    healed = Event("healed", "visitor", {"reducer": "nerve", "points": 2, "cause": "offer", "source": HIDDEN})
    line = "The Thornback Boar's nerve rises by 2: an Offer is accepted: its benefit, its trust."
    assert whys(TITLES, [healed]) == [line]
