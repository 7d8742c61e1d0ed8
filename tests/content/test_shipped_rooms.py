"""What the shipped rooms, scenarios and decks are held to by the documents, whatever their numbers."""

from __future__ import annotations

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.content.deck_rules import counted
from cartomancer.content.models.encounter import Scenario
from cartomancer.encounters import names
from tests.encounters.arena import Arena

CODEX = load_codex()
TACTICAL = [deck.id for deck in CODEX.decks.values() if deck.side == "dungeon" and deck.identity == "tactical"]


def limits(scenario: Scenario) -> list[int]:
    """How long each room of a scenario lasts."""
    return [stop.round_limit or CODEX.rooms[stop.room].round_limit for stop in scenario.rooms]


def test_root_hollow_presses_exactly_as_its_document_says() -> None:
    """[GDD 5.2]"""
    effects = {one.resource: (one.change, one.every) for one in CODEX.rooms["root_hollow"].auto_effects}
    assert effects == {"vitality": (-1, 1), "nerve": (-1, 2), "structure": (-1, 2)}
    assert len(CODEX.rooms["root_hollow"].auto_effects) == len(effects)


@pytest.mark.parametrize("room", CODEX.rooms)
def test_no_room_empties_its_own_dungeon_while_both_sides_only_pass(room: str) -> None:
    """Whoever outlasts a room has not won it by waiting: escalation and the room's own pressure leave something."""
    arena = Arena.shipped(room, creature="thornback_boar")
    while arena.encounter.round < CODEX.rooms[room].round_limit:
        arena.set(vitality=20, resolve=14, nerve=14)  # so that nothing else ends it
        arena.end_round()
        assert arena.encounter.decision is not None, (arena.outcome, arena.encounter.round)
    assert all(arena.reducer(name) > 0 for name in names.RESOURCES[0])


@pytest.mark.parametrize("scenario", CODEX.scenarios)
def test_a_room_by_itself_lasts_twelve_to_fifteen_rounds_and_a_gauntlets_rooms_are_equal(scenario: str) -> None:
    """[GDD 5.4]: a clock is no lever."""
    found = limits(CODEX.scenarios[scenario])
    if len(found) == 1:
        assert 12 <= found[0] <= 15
    else:
        assert min(found) >= 6
        assert len(set(found)) == 1


def test_matches_last_as_scenarios_do() -> None:
    alone, *gauntlets = CODEX.rules.match_rounds
    assert 12 <= alone <= 15
    assert min(gauntlets) >= 6


@pytest.mark.parametrize("deck", TACTICAL)
def test_a_tactical_deck_holds_two_or_three_offers(deck: str) -> None:
    """[Bond 8.3, 11 phase 1]: its Covenant is one of them."""
    assert 2 <= counted(CODEX.decks[deck].cards, CODEX.cards)["offer"] <= 3
