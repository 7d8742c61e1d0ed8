"""What makes a decision final: chance, hidden cards, the other side."""

from __future__ import annotations

from cartomancer.encounters.takeback import why_final
from tests.encounters.arena import Arena, card, strike


def final(arena: Arena, action: str) -> str:
    before = arena.encounter.copy()
    return why_final(before, arena.encounter.copy().play([action]))


def test_energy_is_loose_and_a_strike_is_not() -> None:
    arena = Arena(dungeon=[strike("claw"), card("energy", "spring", "dungeon", kind="standard")])
    arena.turn("dungeon", hand=["claw", "spring"], energy=3)
    assert final(arena, "energy spring") == ""
    assert "dice" in final(arena, "strike claw")
    assert final(arena, "end")


def test_a_strike_with_a_chosen_target_is_loose_until_it_is_aimed() -> None:
    arena = Arena(dungeon=[strike("claw", target="chosen")])
    arena.turn("dungeon", hand=["claw"], energy=3)
    assert final(arena, "strike claw") == ""
    arena.encounter.apply("strike claw")
    assert "dice" in final(arena, "→ nerve")


def test_a_card_played_past_a_face_down_trap_is_final_even_if_nothing_springs() -> None:
    waits = card("trap", "pit", "visitor", springs="offer", target="structure", power=1)
    arena = Arena(dungeon=[card("energy", "spring", "dungeon", kind="standard")], visitor=[waits])
    arena.turn("visitor", hand=["pit"], energy=3)
    arena.encounter.play(["trap pit", "end"])
    arena.turn("dungeon", hand=["spring"], energy=3)
    assert int(arena.state["sides"][1]["trap_count"]) == 1
    assert "face-down Trap" in final(arena, "energy spring")
