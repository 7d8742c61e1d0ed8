"""The census of cards: where they are, how often they are played, whether playing them is a choice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.lab.report.census import CardRecord, census
from cartomancer.lab.report.survey import survey


def test_a_card_is_counted_over_all_scenarios_that_hold_it() -> None:
    found = census(load_codex(), 30, 5, scenarios=["boar", "moth", "symbiote"])
    grasp, seen = found.of("entombing_grasp"), [survey(name, 30, 5) for name in ("boar", "moth")]
    places = [[card.id for card in one.simulation.packed.cards].index("entombing_grasp") for one in seen]
    assert grasp.scenarios == ("boar", "moth")
    assert grasp.chances == sum(int(one.tally["chances"][at]) for one, at in zip(seen, places, strict=True))
    assert grasp.taken == sum(int(one.tally["used"][at]) for one, at in zip(seen, places, strict=True))
    shares = [float((one.watched["plays"][:, at] > 0).mean()) for one, at in zip(seen, places, strict=True)]
    assert grasp.played == pytest.approx(max(shares))
    assert found.of("hammer_fall").scenarios == ()
    assert len(found.cards) == len(load_codex().cards)


def test_a_guardian_s_lair_is_a_scenario_of_its_cards() -> None:
    codex = load_codex()
    found = census(replace(codex, scenarios={"boar": codex.scenarios["boar"]}), 10, 5)
    assert found.of("eight_at_once").scenarios == ("guardian:shadow_kraken",)
    assert found.of("gore").scenarios == ("boar",)


@pytest.mark.parametrize(
    ("record", "unplayed", "always"),
    [
        (CardRecord("a", "strike", 0.03, 100, 95, ("boar",)), False, False),
        (CardRecord("a", "strike", 0.029, 100, 96, ("boar",)), True, True),
        (CardRecord("a", "energy", 1.0, 100, 100, ("boar",)), False, False),  # Energy is meant to be played
        (CardRecord("a", "trap", 0.5, 19, 19, ("boar",)), False, False),  # too few chances to say so
        (CardRecord("a", "trap"), False, False),  # in no scenario, which is a fault of its own
    ],
)
def test_what_a_card_fails_by(record: CardRecord, unplayed: bool, always: bool) -> None:
    assert (record.is_unplayed, record.is_always_played) == (unplayed, always)
