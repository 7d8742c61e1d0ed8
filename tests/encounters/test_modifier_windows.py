"""When and where a modifier acts: windows in time, sums, rooms, seats."""

from __future__ import annotations

from typing import Any

import pytest

from tests.encounters.arena import Arena
from tests.encounters.modifier_scenes import (
    CLAW,
    COMPANY,
    dungeon_strikes,
    member_vitality,
    visitor_at_first,
    vitality_by_round,
)


def stronger(**window: int) -> list[dict[str, Any]]:
    return [{"code": "damage", "side": "enemies", "value": 2, **window}]


def test_turns_limit_an_effect_to_the_first_rounds() -> None:
    assert dungeon_strikes(rounds=4, effects=stronger(turns=2)) == [5, 5, 3, 3]


def test_from_turn_lets_an_effect_begin_later() -> None:
    assert dungeon_strikes(rounds=4, effects=stronger(from_turn=3)) == [3, 3, 5, 5]


def test_an_effect_without_a_window_lasts() -> None:
    assert dungeon_strikes(rounds=4, effects=stronger()) == [5, 5, 5, 5]


def test_every_other_round_means_the_rounds_divisible_by_two() -> None:
    swarm = [{"code": "reinforcements", "side": "enemies", "value": 1, "every": 2}]
    assert vitality_by_round(effects=swarm) == [40, 39, 38, 36, 34, 31]


def test_a_window_opens_anew_in_every_room() -> None:
    rooms = [{"room": "one", "round_limit": 2}, {"room": "two"}]
    arena = Arena(dungeon=[CLAW], vitality=(40,), effects=stronger(turns=1), rooms=rooms)
    dealt = []
    for _ in range(4):
        arena.turn("dungeon", hand=["claw"])
        before = arena.reducer("vitality")
        arena.dice("strong")
        arena.act("strike claw")
        dealt.append(before - arena.reducer("vitality"))
        arena.end_round()
        arena.settle()
    assert dealt == [5, 3, 5, 3]


def test_effects_of_one_kind_add_up() -> None:
    assert dungeon_strikes("brute", effects=stronger()) == [3 + 3 + 2]
    assert dungeon_strikes("brute", "calming_incense", "enraged", rounds=2) == [5, 6]


def test_a_strike_keeps_at_least_one_power() -> None:
    weak = [{"code": "damage", "side": "enemies", "value": -9}]
    assert dungeon_strikes(effects=weak) == [1]


def test_reinforcements_are_five_at_most() -> None:
    crowd = [{"code": "reinforcements", "side": "enemies", "value": 4, "every": 1}]
    assert vitality_by_round(rounds=3, effects=crowd) == [36, 31, 26]


# --- where a modifier acts --------------------------------------------------------------------------------------------


def test_a_modifier_of_the_scenario_acts_in_every_room() -> None:
    rooms = [{"room": "one", "round_limit": 1}, {"room": "two"}]
    arena = Arena(modifiers=["ambusher"], rooms=rooms)
    assert arena.reducer("vitality") == 14
    arena.end_round()
    assert arena.reducer("vitality") == 8


@pytest.mark.parametrize(
    ("effect", "points"),
    [
        ({"code": "health", "value": -6}, [14, 20, 20]),
        ({"code": "stress", "value": 6}, [20, 20, 14]),
        ({"code": "injury", "value": 6}, [14, 20, 20]),
    ],
    ids=["health", "stress", "injury"],
)
def test_what_carries_over_by_itself_acts_in_the_first_room_only(effect: dict[str, Any], points: list[int]) -> None:
    rooms = [{"room": "one", "round_limit": 1}, {"room": "two"}]
    arena = Arena(effects=[effect | {"side": "party"}], rooms=rooms)
    for room in ("one", "two"):
        assert arena.encounter.room == room
        assert [arena.reducer(name) for name in ("vitality", "resolve", "nerve")] == points
        arena.end_round()
        arena.settle()


def test_health_is_won_back_up_to_the_start() -> None:
    wound = {"code": "health", "side": "party", "value": -9}
    for value, left in ((8, 19), (12, 20)):
        draught = {"code": "health", "side": "party", "target": "targeted", "value": value}
        assert visitor_at_first(effects=[wound, draught]) == [left, 20, 20]


def test_an_injury_leaves_every_member_at_least_one_vitality() -> None:
    arena = Arena(**COMPANY, effects=[{"code": "injury", "side": "party", "value": 7}])
    assert member_vitality(arena) == [3, 1, 1, 1]


def test_guards_meet_an_opening_strike() -> None:
    assert visitor_at_first("ambusher", "tower_shield") == [16, 20, 20]
    assert visitor_at_first("ambusher", "padded_coat") == [16, 20, 20]
    assert visitor_at_first("ambusher", "boiled_gorget") == [16, 20, 20]


def test_targeted_effects_mean_the_scenarios_seat() -> None:
    for seat in (1, 3):
        arena = Arena(**COMPANY, modifiers=["targeted_weakness"], targeted_seat=seat)
        weak = [int(arena.member(k)["weakness"]) for k in range(4)]
        assert weak == [2 if k == seat - 1 else 0 for k in range(4)]
