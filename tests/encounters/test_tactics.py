"""Empower, Disrupt and Counter: what they give, what removes them, when they are used up [GDD 4.1, 4.3], E25, E26."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.errors import IllegalActionError
from tests.encounters.arena import Arena, card, strike

NO_RALLY = {"rally": 0}


def roar(name: str = "roar", side: str = "dungeon", **fields: Any) -> dict[str, Any]:
    return card("empower", name, side, **(fields or {"power": 2}))


def empowered_fields(arena: Arena, side: str) -> list[int]:
    record = arena.side(side)
    return [int(record[f"empower{field}"]) for field in ("ed", "_power", "_keywords", "_advantage")]


# --- Empower ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "hurt"), [("dungeon", "vitality"), ("visitor", "structure")])
def test_empower_adds_power_to_the_next_strike_only(side: str, hurt: str) -> None:
    cards = [roar(side=side, power=2), strike("claw", side, power=3), strike("claw", side, power=3)]
    arena = Arena(rules=NO_RALLY, **{side: cards})  # type: ignore[arg-type]
    arena.turn(side, hand=["roar", "claw", "claw"])
    arena.dice("strong", "strong")
    arena.act("empower roar", "strike claw")
    assert arena.reducer(hurt) == 15
    arena.act("strike claw")
    assert arena.reducer(hurt) == 12


def test_empower_gives_advantage_to_the_next_strike_only() -> None:
    arena = Arena(dungeon=[roar(advantage=True), strike("claw"), strike("claw")])
    arena.turn("dungeon", hand=["roar", "claw", "claw"])
    arena.act("empower roar")
    for dealt in (3, 0):
        arena.set(vitality=20)
        arena.dice_by_mode(plain="stalemate", advantage="strong")
        arena.act("strike claw")
        assert 20 - arena.reducer("vitality") == dealt
        arena.dice_used()


def test_empower_grants_keywords_to_the_next_strike_only() -> None:
    arena = Arena(dungeon=[roar(keywords=["erode", "entangle"]), strike("claw"), strike("claw")])
    arena.turn("dungeon", hand=["roar", "claw", "claw"])
    arena.dice("strong", "strong")
    arena.act("empower roar", "strike claw")
    visitor = arena.side("visitor")
    assert (int(visitor["erode"][0]), int(visitor["entangled"])) == (1, 1)
    visitor["entangled"] = 0
    arena.act("strike claw")
    assert (int(visitor["erode"][0]), int(visitor["entangled"])) == (1, 0)


def test_a_granted_erode_gnaws_at_the_strikes_target() -> None:
    arena = Arena(dungeon=[roar(keywords=["erode"]), strike("dread", target="nerve", power=2)])
    arena.turn("dungeon", hand=["roar", "dread"])
    arena.dice("strong")
    arena.act("empower roar", "strike dread")
    arena.end_round()
    assert arena.reducer("nerve") == 17


def test_empower_may_ward_at_once() -> None:
    arena = Arena(dungeon=[roar(ward=3)])
    arena.turn("dungeon", hand=["roar"])
    arena.act("empower roar")
    assert int(arena.side("dungeon")["ward"]) == 3
    assert empowered_fields(arena, "dungeon") == [0, 0, 0, 0]  # a Ward is no buff on a Strike: nothing to counter


def test_empowers_add_up_until_one_strike_uses_all_of_them() -> None:
    cards = [roar("first", power=1, keywords=["erode"]), roar("second", power=2, keywords=["entangle"])]
    arena = Arena(dungeon=[*cards, strike("claw", power=1)], rules=NO_RALLY)
    arena.turn("dungeon", hand=["first", "second", "claw"])
    arena.dice("strong")
    arena.act("empower first", "empower second", "strike claw")
    visitor = arena.side("visitor")
    assert (arena.reducer("vitality"), int(visitor["erode"][0]), int(visitor["entangled"])) == (16, 1, 1)
    assert empowered_fields(arena, "dungeon") == [0, 0, 0, 0]


def test_empower_persists_over_rounds_until_it_is_used() -> None:
    arena = Arena(dungeon=[roar(power=2), strike("claw", power=3)], rules=NO_RALLY)
    arena.turn("dungeon", hand=["roar"])
    arena.act("empower roar")
    for _ in range(3):
        arena.end_round()
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("vitality") == 15


@pytest.mark.parametrize(
    ("base", "tier", "back"), [(2, "stalemate", 2), (2, "reversal", 3), (0, "stalemate", 4), (0, "reversal", 6)]
)
def test_empower_is_used_up_by_a_strike_that_misses(base: int, tier: str, back: int) -> None:
    arena = Arena(dungeon=[roar(power=2), strike("claw", power=2)], rules={"reversal_base": base})
    arena.turn("dungeon", hand=["roar", "claw"])
    arena.dice(tier)
    arena.act("empower roar", "strike claw")
    assert empowered_fields(arena, "dungeon") == [0, 0, 0, 0]
    assert 20 - arena.reducer("structure") == back  # without a base of the rules' own the power comes back, too


def test_empower_and_disrupt_do_not_carry_over_to_the_next_room() -> None:
    jinx = card("disrupt", "jinx", "visitor", strip=True)
    arena = Arena(
        visitor=[roar(side="visitor", power=2), jinx],
        rooms=[{"room": "one"}, {"room": "two"}],
    )
    arena.turn("visitor", hand=["roar", "jinx"])
    arena.act("empower roar", "disrupt jinx")
    arena.set(structure=0)
    arena.act("end")
    assert arena.encounter.room == "two"
    assert empowered_fields(arena, "visitor") == [0, 0, 0, 0]
    assert int(arena.side("dungeon")["strip"]) == 0


# --- Disrupt ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "laid"),
    [
        ({"disadvantage": True}, {"disadvantage": 1}),
        ({"thorns": {"resource": "presence", "amount": 2}}, {"thorns": [0, 0, 2]}),
        ({"strip": True}, {"strip": 1}),
        ({"randomise": True}, {"randomise": 1}),
        ({"disadvantage": True, "strip": True}, {"disadvantage": 1, "strip": 1}),
    ],
    ids=["disadvantage", "thorns", "strip", "randomise", "two at once"],
)
def test_a_disrupt_lays_its_conditions_on_the_opponent_and_no_other(
    fields: dict[str, Any], laid: dict[str, Any]
) -> None:
    arena = Arena(visitor=[card("disrupt", "jinx", "visitor", **fields)])
    arena.turn("visitor", hand=["jinx"])
    arena.act("disrupt jinx")
    nothing = {"disadvantage": 0, "thorns": [0, 0, 0], "strip": 0, "randomise": 0}
    found = [{name: arena.side(side)[name].tolist() for name in nothing} for side in ("dungeon", "visitor")]
    assert found == [nothing | laid, nothing]


def test_disrupts_add_up_until_one_strike_uses_all_of_them() -> None:
    cards = [
        card("disrupt", "nettle", "visitor", thorns={"resource": "veil", "amount": 1}),
        card("disrupt", "hush", "visitor", strip=True),
    ]
    arena = Arena(dungeon=[strike("roots", keywords=["entangle"])] * 2, visitor=cards, rules=NO_RALLY)
    arena.turn("visitor", hand=["nettle", "hush"])
    arena.act("disrupt nettle", "disrupt hush")
    arena.turn("dungeon", hand=["roots", "roots"])
    arena.dice("strong", "strong")
    arena.act("strike roots")
    assert (arena.reducer("veil"), int(arena.side("visitor")["entangled"])) == (19, 0)
    arena.act("strike roots")
    assert (arena.reducer("veil"), int(arena.side("visitor")["entangled"])) == (19, 1)


def test_advantage_and_disadvantage_from_cards_cancel() -> None:
    jinx = card("disrupt", "jinx", "visitor", disadvantage=True)
    arena = Arena(dungeon=[roar(advantage=True), strike("claw", power=3)], visitor=[jinx])
    arena.turn("visitor", hand=["jinx"])
    arena.act("disrupt jinx")
    arena.turn("dungeon", hand=["roar", "claw"])
    arena.dice_by_mode(plain="partial", advantage="strong", disadvantage="stalemate")
    arena.act("empower roar", "strike claw")
    assert arena.reducer("vitality") == 18


# --- Counter ---------------------------------------------------------------------------------------------------------


def countering(counter: dict[str, Any], **options: Any) -> Arena:
    """The visitor's turn with this Counter in hand; the dungeon is Empowered by 2 and Erode unless told otherwise."""
    arena = Arena(
        dungeon=[roar(power=2, keywords=["erode"])], visitor=[card("counter", "parry", "visitor", **counter)], **options
    )
    arena.turn("dungeon", hand=["roar"])
    arena.act("empower roar")
    arena.turn("visitor", hand=["parry"])
    return arena


def test_a_counter_removes_the_opponents_empower() -> None:
    arena = countering({})
    arena.act("counter parry")
    assert empowered_fields(arena, "dungeon") == [0, 0, 0, 0]


def test_a_counter_removes_the_empower_before_the_disrupt_on_its_player() -> None:
    arena = countering({})
    arena.side("visitor")["strip"] = 1
    arena.act("counter parry")
    assert empowered_fields(arena, "dungeon") == [0, 0, 0, 0]
    assert int(arena.side("visitor")["strip"]) == 1


@pytest.mark.parametrize("field", ["disadvantage", "thorns", "strip", "randomise"])
def test_without_an_empower_a_counter_sheds_the_disrupt_on_its_player(field: str) -> None:
    arena = Arena(visitor=[card("counter", "parry", "visitor")])
    arena.turn("visitor", hand=["parry"])
    arena.side("visitor")[field] = 1
    arena.side("dungeon")["strip"] = 1  # what we laid on the dungeon stays
    arena.act("counter parry")
    assert not arena.side("visitor")[field].any()
    assert int(arena.side("dungeon")["strip"]) == 1


@pytest.mark.parametrize("removes", [True, False])
def test_a_counters_chip_is_dealt_either_way(removes: bool) -> None:
    arena = countering({"chip": {"resource": "veil", "amount": 2}})
    if not removes:
        arena.side("dungeon")["empowered"] = 0
    arena.act("counter parry")
    assert arena.reducer("veil") == 18


def test_guards_meet_a_counters_chip() -> None:
    arena = countering({"chip": {"resource": "veil", "amount": 2}})
    arena.side("dungeon")["ward"] = 1
    arena.act("counter parry")
    assert (arena.reducer("veil"), int(arena.side("dungeon")["ward"])) == (19, 0)


@pytest.mark.parametrize(("board", "lost"), [("empowered", 4), ("disrupted", 1), ("nothing", 1)], ids=str)
def test_a_punishing_counter_chips_more_when_an_empower_was_removed(board: str, lost: int) -> None:
    arena = countering({"chip": {"resource": "veil", "amount": 1}, "punish": 3})
    if board != "empowered":
        arena.side("dungeon")["empowered"] = 0
    if board == "disrupted":
        arena.side("visitor")["strip"] = 1
    arena.act("counter parry")
    assert 20 - arena.reducer("veil") == lost


def test_a_stolen_empower_strengthens_the_thiefs_next_strike() -> None:
    arena = Arena(
        dungeon=[roar(power=2, keywords=["erode"], advantage=True)],
        visitor=[card("counter", "mimic", "visitor", steal=True), strike("tusk", "visitor", target="veil", power=1)],
        rules=NO_RALLY,
    )
    arena.turn("dungeon", hand=["roar"])
    arena.act("empower roar")
    arena.turn("visitor", hand=["mimic", "tusk"])
    arena.act("counter mimic")
    assert empowered_fields(arena, "dungeon") == [0, 0, 0, 0]
    assert empowered_fields(arena, "visitor") == [1, 2, 2, 1]
    arena.dice_by_mode(plain="stalemate", advantage="strong")
    arena.act("strike tusk")
    assert (arena.reducer("veil"), list(arena.side("dungeon")["erode"])) == (17, [0, 1, 0])


def test_a_stealing_counter_steals_no_disrupt() -> None:
    arena = Arena(visitor=[card("counter", "mimic", "visitor", steal=True)])
    arena.turn("visitor", hand=["mimic"])
    arena.side("visitor")["strip"] = 1
    arena.act("counter mimic")
    assert empowered_fields(arena, "visitor") == [0, 0, 0, 0]


@pytest.mark.parametrize(("board", "entangled"), [("empowered", 1), ("disrupted", 1), ("nothing", 0)])
def test_an_entangling_counter_needs_a_removal(board: str, entangled: int) -> None:
    arena = countering({"chip": {"resource": "veil", "amount": 1}, "entangle": True})
    if board != "empowered":
        arena.side("dungeon")["empowered"] = 0
    if board == "disrupted":
        arena.side("visitor")["strip"] = 1
    arena.act("counter parry")
    assert int(arena.side("dungeon")["entangled"]) == entangled


@pytest.mark.parametrize(("board", "fortify"), [("empowered", 2), ("disrupted", 2), ("nothing", 0)])
def test_a_fortifying_counter_needs_a_removal(board: str, fortify: int) -> None:
    setup = {"resource": "nerve", "amount": 2, "rounds": 2}
    arena = countering({"chip": {"resource": "veil", "amount": 1}, "fortify": setup})
    if board != "empowered":
        arena.side("dungeon")["empowered"] = 0
    if board == "disrupted":
        arena.side("visitor")["strip"] = 1
    arena.act("counter parry")
    assert list(arena.side("visitor")["fortify"]) == [0, 0, fortify]


def test_a_disarming_counter_removes_the_oldest_trap_unsprung() -> None:
    traps = [
        card("trap", name, "dungeon", springs="test", target="nerve", power=5) for name in ("old_snare", "new_snare")
    ]
    arena = Arena(dungeon=traps, visitor=[card("counter", "probe", "visitor", disarm=True)])
    arena.turn("dungeon", hand=["old_snare", "new_snare"])
    arena.act("trap old_snare", "trap new_snare")
    arena.turn("visitor", hand=["probe"])
    arena.act("counter probe")
    dungeon = arena.side("dungeon")
    assert (int(dungeon["trap_count"]), arena._card(0, int(dungeon["traps"][0]))) == (1, "new_snare")
    assert (arena.reducer("nerve"), arena.happened("trap_sprung")) == (20, [])


@pytest.mark.parametrize(
    ("counter", "board", "playable"),
    [
        ({}, "nothing", False),
        ({}, "own empower", False),
        ({}, "their disrupt", False),
        ({}, "empower", True),
        ({}, "disrupt", True),
        ({}, "trap", False),
        ({"disarm": True}, "trap", True),
        ({"disarm": True}, "own trap", False),
        ({"disarm": True}, "nothing", False),
        ({"entangle": True, "steal": True}, "nothing", False),
        ({"chip": {"resource": "veil", "amount": 1}}, "nothing", True),
    ],
)
def test_a_counter_that_would_do_nothing_cannot_be_played(counter: dict[str, Any], board: str, playable: bool) -> None:
    arena = Arena(visitor=[card("counter", "parry", "visitor", **counter)])
    arena.turn("visitor", hand=["parry"])
    boards = {
        "empower": ("dungeon", "empowered"),
        "own empower": ("visitor", "empowered"),
        "disrupt": ("visitor", "strip"),
        "their disrupt": ("dungeon", "strip"),
        "trap": ("dungeon", "trap_count"),
        "own trap": ("visitor", "trap_count"),
    }
    if board != "nothing":
        side, field = boards[board]
        arena.side(side)[field] = 1
    assert ("counter parry" in arena.legal()) == playable
    if not playable:
        with pytest.raises(IllegalActionError, match="there is nothing to counter"):
            arena.act("counter parry")
    assert "activate parry" in arena.legal()
