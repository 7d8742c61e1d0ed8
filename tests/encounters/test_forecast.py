"""Odds before the dice: power, guards, what comes back; Reacts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cartomancer.encounters.forecast import Forecast, forecast
from cartomancer.encounters.odds import contest_odds
from tests.encounters.arena import Arena, card, strike


def told(arena: Arena, action: str) -> Forecast:
    found = forecast(arena.encounter, action)
    assert found is not None
    return found


def ready(base: int = 2, **changes: int) -> Arena:
    arena = Arena(dungeon=[strike("claw", power=4)], rules={"reversal_base": base})
    arena.turn("dungeon", hand=["claw"], energy=3)
    for name, value in changes.items():
        arena.state["sides"][1][name] = value
    return arena


def test_a_strike_has_the_odds_of_its_power() -> None:
    found, exact = told(ready(), "strike claw"), contest_odds(power=4)
    assert (found.power, found.tiers, found.mean) == (4, exact.tiers, exact.dealt)
    assert found.points == {"devastating": 6, "strong": 4, "partial": 2, "stalemate": 0, "reversal": 0}


@pytest.mark.parametrize(("base", "back"), [(2, (1, 2, 3)), (0, (2, 4, 6)), (4, (2, 4, 6))])
def test_what_comes_back_is_reckoned_from_the_rules_base(base: int, back: tuple[int, int, int]) -> None:
    found = told(ready(base), "strike claw")
    tiers = ("partial", "stalemate", "reversal")
    assert found.back == sum(found.tiers[tier] * points for tier, points in zip(tiers, back, strict=True))


def test_an_exposure_adds_to_the_damage_of_every_tier_that_hurts_and_to_nothing_else() -> None:
    arena, plain = ready(), told(ready(), "strike claw")
    arena.side("visitor")["exposure"][0] = 3
    found = told(arena, "strike claw")
    assert found.points == {"devastating": 9, "strong": 7, "partial": 5, "stalemate": 0, "reversal": 0}
    assert (found.power, found.back) == (plain.power, plain.back)


def test_guards_take_their_part() -> None:
    found = told(ready(ward=3), "strike claw")
    assert list(found.points.values()) == [3, 1, 0, 0, 0]
    assert found.lands == sum(list(found.tiers.values())[:2])


def test_a_forecast_changes_nothing_and_rolls_nothing() -> None:
    arena = ready()
    before = arena.encounter.state_hash()
    told(arena, "strike claw")
    assert arena.encounter.state_hash() == before


def test_face_down_traps_are_in_no_forecast() -> None:
    pit = card("trap", "pit", "visitor", springs="strike", target="structure", power=9)
    arena = Arena(dungeon=[strike("claw", power=4)], visitor=[pit])
    arena.turn("visitor", hand=["pit"], energy=3)
    arena.encounter.apply("trap pit")
    arena.turn("dungeon", hand=["claw"], energy=3)
    assert told(arena, "strike claw") == told(ready(), "strike claw")


def test_a_strike_names_what_it_hits_and_what_it_costs_before_the_roll() -> None:
    arena = ready()
    assert (told(arena, "strike claw").target, told(arena, "strike claw").price) == ("vitality", 0)
    arena.side("dungeon")["thorns"][1] = 2
    assert told(arena, "strike claw").price == 2
    arena.side("dungeon")["randomise"] = 1
    assert told(arena, "strike claw").target == ""


def test_what_rolls_no_dice_has_no_odds() -> None:
    assert forecast(ready().encounter, "end") is None


@pytest.mark.parametrize(("tier", "through"), [("devastating", 0), ("strong", 1), ("partial", 2), ("reversal", 3)])
def test_a_react_prevents_what_its_forecast_says(tier: str, through: int) -> None:
    shell = card("react", "shell", "visitor", power=2)
    arena = Arena(dungeon=[strike("claw", power=3)], visitor=[shell])
    arena.turn("dungeon", hand=["claw"], other_hand=["shell"])
    arena.dice("strong", tier)
    arena.act("strike claw")
    found = told(arena, "react shell")
    assert found.points[tier] == 3 - through
    assert found.whole == Fraction(7, 72)  # 3 of 3 by a devastating defence alone
    before = arena.reducer("vitality")
    arena.act("react shell")
    assert arena.reducer("vitality") == before - through
