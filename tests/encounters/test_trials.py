"""Trials: a fight with and without [Contracts]. That the table of probes is complete is a test too."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.content.codex import load_codex
from tests.encounters.arena import Arena, card, strike
from tests.encounters.modifier_scenes import (
    BITE,
    CLAW,
    COMPANY,
    Probe,
    debuffs_that_stick,
    dungeon_strikes,
    energy_at_turn_start,
    first_to_act,
    healed,
    may_retreat,
    skill_costs,
    struck_back,
    structure_at_first,
    visitor_draws,
    visitor_strikes,
    vitality_by_round,
    warded,
    whoever_the_room_hurts,
)

TRIALS: dict[str, tuple[Probe, Any, Any]] = {
    "reinforced": (visitor_strikes, [3, 3], [0, 2]),
    "frenzy": (energy_at_turn_start, [1, 1, 1], [2, 2, 1]),
    "thick_hide": (lambda *used: visitor_strikes(*used, rounds=2), [3, 3, 3, 3], [1, 3, 1, 3]),
    "blood_price": (healed, 4, 2),
    "attrition": (visitor_draws, [2, 2, 2, 2], [1, 1, 1, 2]),
    "overtime": (lambda *used: dungeon_strikes(*used, rounds=8), [3] * 8, [3, 3, 3, 3, 3, 4, 5, 6]),
    "marked": (whoever_the_room_hurts, {1}, {0, 1, 2, 3}),
    "sunder": (warded, (5, 3), (4, 2)),
    "swarm": (vitality_by_round, [40] * 6, [40, 40, 39, 38, 37, 35]),
    "counterstance": (struck_back, 0, 1),
    "hexed": (skill_costs, [0, 0, 0, 0], [0, 1, 0, 1]),
    "cleanse_ward": (debuffs_that_stick, [1, 1, 1], [0, 1, 1]),
    "no_retreat": (may_retreat, True, False),
    "shattered_supplies": (lambda *used: structure_at_first("throwing_knives", *used), 17, 20),
    "executioner": (lambda *used: dungeon_strikes(*used, power=4, low=11), [4], [6]),
}


@pytest.mark.parametrize("trial", TRIALS)
def test_a_trial_shows_in_a_fight_and_only_when_it_is_in_force(trial: str) -> None:
    probe, without, with_it = TRIALS[trial]
    assert probe() == without
    assert probe(trial) == with_it


def test_every_shipped_trial_is_tried() -> None:
    assert set(TRIALS) == set(load_codex().catalog.trials)
    assert len(TRIALS) == 15


def test_frenzy_lets_the_dungeon_act_first_for_two_turns() -> None:
    assert first_to_act(ahead=0) == "vvv"
    assert first_to_act("frenzy", ahead=0) == "dvv"


def test_overtime_also_speeds_the_dungeon_up() -> None:
    assert energy_at_turn_start("overtime", rounds=8) == [1, 1, 1, 1, 1, 2, 3, 4]


def test_a_marked_member_is_struck_harder_until_it_is_cleansed() -> None:
    dealt = []
    balm = card("reshape", "balm", "visitor", cleanse=True)
    for cleansed in (False, True):
        arena = Arena(dungeon=[CLAW], party=[[balm], [], [], []], vitality=(10, 10, 10, 10), modifiers=["marked"])
        marked = [seat for seat in range(4) if arena.member(seat)["threat"]]
        assert len(marked) == 1
        if cleansed:
            arena.turn("visitor", hand=["balm"])
            arena.act("reshape balm")
        arena.turn("dungeon", hand=["claw"])
        arena.dice("strong")
        arena.act("strike claw", f"→ {'abcd'[marked[0]]}")
        dealt.append(10 - int(arena.member(marked[0])["vitality"]))
    assert dealt == [4, 3]


def test_who_is_marked_is_left_to_chance() -> None:
    seats = set()
    for seed in range(12):
        arena = Arena(**COMPANY, modifiers=["marked"], seed=seed)
        seats |= {seat for seat in range(4) if arena.member(seat)["threat"]}
    assert seats == {0, 1, 2, 3}


def test_a_devastating_hit_drives_a_swarmer_off() -> None:
    arena = Arena(visitor=[BITE], vitality=(40,), modifiers=["swarm"])
    arena.end_round()
    arena.end_round()
    arena.turn("visitor", hand=["bite"])
    assert arena.side("dungeon")["adds"] == 1
    arena.dice("devastating")
    arena.act("strike bite")
    assert arena.side("dungeon")["adds"] == 0


def test_the_executioner_spares_whoever_has_thirty_percent() -> None:
    assert dungeon_strikes("executioner", power=4, low=12) == [4]


def test_the_executioner_looks_at_the_struck_member() -> None:
    dealt = []
    for member, seat in (("a", 0), ("b", 1)):
        arena = Arena(
            dungeon=[strike("claw", power=4)], party=[[], [], [], []], vitality=(20,) * 4, modifiers=["executioner"]
        )
        arena.members(20, 5, 20, 20)
        arena.turn("dungeon", hand=["claw"])
        before = int(arena.member(seat)["vitality"])
        arena.dice("strong")
        arena.act("strike claw", f"→ {member}")
        dealt.append(before - int(arena.member(seat)["vitality"]))
    assert dealt == [4, 5]  # 6 at a member that has only 5 left


def test_sunder_thins_armour_and_reacts_as_well() -> None:
    parry = card("react", "parry", "visitor", power=4)
    left = []
    for used in ([], ["sunder"]):
        arena = Arena(dungeon=[strike("claw", power=9)], visitor=[parry], modifiers=["padded_coat", *used])
        left.append(int(arena.side("visitor")["armour"]))
        arena.turn("dungeon", hand=["claw"], other_hand=["parry"])
        arena.dice("strong", "strong")
        arena.act("strike claw", "react parry")
        left.append(arena.happened("reacted")[-1].points)
    assert left == [2, 4, 1, 3]
