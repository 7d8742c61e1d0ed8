"""What the board says about a Strike."""

from __future__ import annotations

from cartomancer.cli.board_view import strike_words
from cartomancer.content.codex import load_codex
from cartomancer.encounters.actions import seat_names
from cartomancer.encounters.packing import pack_scenario
from cartomancer.encounters.sentences import Titles


def test_a_strike_names_the_right_one_of_two_knights() -> None:
    codex = load_codex()
    doubled = codex.scenario("standard-company").model_copy(
        update={"party": None, "members": ["knight", "cleric", "rogue", "knight"]}
    )
    packed = pack_scenario(codex, doubled)
    titles = Titles(packed)
    words = [
        strike_words(
            {"card": "entombing_grasp", "damage": 2, "target": "vitality", "member": name, "keywords": ["entangle"]},
            titles,
        )
        for name in seat_names(packed)
    ]
    assert len(set(words)) == 4
    assert all(text.startswith("Entombing Grasp will take 2 vitality from the ") for text in words)
