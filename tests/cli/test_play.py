"""`encounter play` at the table: keys, taking back, what is told before a choice, what commands answer."""

from __future__ import annotations

import re
from pathlib import Path

from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.replay import load_replay
from tests.cli.conftest import Play

BOAR = ("boar", "--as", "dungeon", "--seed", "809", "--against", "first", "--save", "g.json")
# the dungeon's first turn: 1 end, 2 root_snare, 3 tremor_slam, 4 throttled_spring, 5 entombing_grasp, 6 deadfall,
# 7 deep_root, 8 stone_memory


def actions() -> list[str]:
    """What was decided in the saved game, as it is written."""
    fight, found = Encounter("boar", 809), []
    for action in load_replay(Path("g.json")).actions:
        found.append(fight.text_of(action))
        fight.apply(action)
    return found


def last_menu(said: str) -> list[str]:
    """The choices of the last menu shown."""
    lines = said.rpartition("Your turn.")[2].partition(">")[0].splitlines()
    return [" ".join(line.split()) for line in lines if line.strip()]


# --- keys -------------------------------------------------------------------------------------------------------------


def test_a_key_means_the_same_card_for_the_whole_turn(play: Play) -> None:
    said = play(*BOAR, typed=["keep", "7", "7", "8", "quit"]).stdout
    assert actions() == ["keep", "keep", "energy deep_root", "energy stone_memory"]
    assert "7 is deep_root, which is not to be had now" in said
    assert last_menu(said)[:3] == ["1 end", "2 counter root_snare", "3 strike tremor_slam"]


def test_a_card_that_cannot_be_paid_for_has_its_key_already(play: Play) -> None:
    said = " ".join(play(*BOAR, typed=["keep", "3", "7", "quit"]).stdout.split())
    assert "3 is Tremor Slam: 'play tremor_slam' is not allowed: Tremor Slam costs 2 energy, 1 left" in said
    assert actions()[2:] == ["energy deep_root"]


def test_keys_are_the_same_after_a_game_is_resumed_in_the_middle_of_a_turn(play: Play) -> None:
    before = last_menu(play(*BOAR, typed=["keep", "7", "quit"]).stdout)
    assert last_menu(play("--resume", "g.json", typed=["quit"]).stdout) == before


def test_a_card_is_given_up_by_its_key_and_only_when_confirmed(play: Play) -> None:
    said = play(*BOAR, typed=["keep", "a", "a 3", "no", "activate 5", "yes", "quit"]).stdout
    assert "activate 3  tremor_slam" in said
    assert said.count("activate …: discard a card for 1 energy") == 2  # one entry a menu, whatever the hand
    assert "Discard Tremor Slam for 1 energy?" in said
    assert "Nothing was done." in said
    assert actions()[2:] == ["activate entombing_grasp"]


def test_energy_cannot_be_activated_and_is_told_why(play: Play) -> None:
    said = " ".join(play(*BOAR, typed=["keep", "a 7", "quit"]).stdout.split())
    assert re.search(r"7 is Deep Root: 'activate deep_root' is not allowed: ", said)


# --- taking back ------------------------------------------------------------------------------------------------------


def test_decisions_are_taken_back_until_dice_are_rolled(play: Play) -> None:
    said = play(*BOAR, typed=["keep", "7", "8", "undo", "undo", "undo", "quit"]).stdout
    assert actions() == ["keep", "keep"]
    assert "Nothing can be taken back: the other side has decided since." in " ".join(said.split())
    said = play("--resume", "g.json", typed=["7", "3", "undo", "quit"]).stdout
    assert actions()[2:] == ["energy deep_root", "strike tremor_slam"]
    assert "Nothing can be taken back: dice were rolled or cards drawn." in " ".join(said.split())


def test_what_was_taken_back_can_be_done_otherwise_and_the_save_follows(play: Play) -> None:
    play(*BOAR, typed=["keep", "7", "undo", "8", "quit"])
    assert actions()[2:] == ["energy stone_memory"]
    said = play("--resume", "g.json", typed=["undo", "quit"]).stdout
    assert actions()[2:] == []
    assert last_menu(said)[0] == "1 end"


def test_a_mulligan_cannot_be_taken_back(play: Play) -> None:
    said = play(*BOAR, typed=["mulligan", "undo", "quit"]).stdout
    assert "dice were rolled or cards drawn" in " ".join(said.split())
