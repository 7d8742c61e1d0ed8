"""What lies ahead: the room's terms, the next round's pressure, escalation."""

from __future__ import annotations

import pytest

from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.outlook import outlook, trust_struck
from tests.encounters.arena import Arena, strike


@pytest.mark.parametrize("scenario", ["boar", "symbiote", "standard-company", "company-gauntlet"])
def test_the_next_round_takes_what_was_foreseen(scenario: str) -> None:
    """Nobody plays a card: what changes between two rounds is the room's doing."""
    fight = Encounter(scenario, 3).play(["keep", "keep"])
    for _ in range(outlook(fight).round_limit):
        ahead, coming = outlook(fight), fight.round + 1
        happened = [event for _ in range(2) for event in fight.apply("end")]
        if fight.decision is None or fight.round != coming:
            return
        pressed = [(e.side, e.reducer, e.points) for e in happened if e.kind == "auto_effect"]
        assert sorted(pressed) == sorted(ahead.pressure)
        escalated = [event.points for event in happened if event.kind == "escalated"]
        assert sum(escalated) == ahead.escalation
    pytest.fail("the room has no end")


def test_a_side_that_is_spared_is_not_pressed() -> None:
    arena = Arena(auto=[{"resource": "nerve", "change": -1, "every": 1}])
    arena.turn("dungeon", hand=[], energy=0)
    assert outlook(arena.encounter).pressure == (("visitor", "nerve", -1),)
    arena.state["sides"][1]["calm"] = 2
    assert outlook(arena.encounter).pressure == ()


@pytest.mark.parametrize("presence", [9, 10])
def test_pressure_whose_source_is_low_is_not_foreseen(presence: int) -> None:
    arena = Arena(auto=[{"resource": "nerve", "change": -1}], rules={"source_percent": 50})
    arena.set(presence=presence, nerve=20)
    ahead = outlook(arena.encounter)
    arena.end_round()
    assert ahead.pressure == ((("visitor", "nerve", -1),) if presence == 10 else ())
    assert 20 - arena.reducer("nerve") == len(ahead.pressure)


@pytest.mark.parametrize(("number", "bites"), [(1, False), (2, True)])
def test_erode_that_the_room_will_suppress_is_not_foreseen(number: int, bites: bool) -> None:
    arena = Arena(auto=[{"resource": "nerve", "change": -1, "every": 2}])
    arena.state["round_no"] = number
    arena.side("visitor")["erode"][2] = 1
    assert outlook(arena.encounter).eroding == ((("visitor", "nerve", -1),) if bites else ())
    arena.end_round()
    assert bool(arena.happened("eroded")) is bites


def test_venom_is_foreseen_whatever_the_room_does() -> None:
    arena = Arena(auto=[{"resource": "nerve", "change": -1}])
    arena.side("visitor")["venom"][2] = 2
    assert outlook(arena.encounter).eroding == (("visitor", "nerve", -2),)


def test_erode_and_a_partys_fallen_are_counted() -> None:
    fight = Encounter("standard-company", 1).play(["keep", "keep"])
    assert (outlook(fight).members, outlook(fight).kill_at, outlook(fight).down) == (4, 2, 0)
    fight.state["sides"][0]["erode"][1] = 2
    fight.state["members"][2]["down"] = 1
    assert outlook(fight).eroding == (("dungeon", "veil", -2),)
    assert outlook(fight).down == 1


@pytest.mark.parametrize(
    ("side", "trust", "told"),
    [
        ("dungeon", 0, ("", 0)),
        ("dungeon", 3, ("", 1)),
        ("dungeon", 4, ("betrayal", 4)),
        ("visitor", 3, ("", 0)),
        ("visitor", 5, ("scorn", 5)),
    ],
)
def test_what_a_strike_would_do_to_trust_is_what_it_does(side: str, trust: int, told: tuple[str, float]) -> None:
    arena = Arena(**{side: [strike("claw", side=side)]})  # type: ignore[arg-type]
    arena.set(trust=trust)
    arena.turn(side, hand=["claw"])
    assert trust_struck(arena.encounter, side) == told
    arena.act("strike claw")
    assert int(arena.state["trust"]) == 2 * (trust - told[1])
