"""`encounter play` at the table: keys, taking back, what is told before a choice, what commands answer."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from cartomancer.cli import glossary, play_command
from cartomancer.content.codex import load_codex
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.names import SIDES
from cartomancer.encounters.replay import load_replay
from cartomancer.rng import Stream
from tests.cli.conftest import Play
from tests.players.positions import at_random, redealt, told

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
    said = " ".join(play(*BOAR, typed=["keep", "3", "5", "quit"]).stdout.split())
    assert "5 is Entombing Grasp: 'play entombing_grasp' is not allowed: Entombing Grasp costs 1 energy, 0 left" in said
    assert actions()[2:] == ["strike tremor_slam"]


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


# --- what is told before a choice -------------------------------------------------------------------------------------


def test_the_goal_stands_under_the_board(play: Play) -> None:
    said = " ".join(play(*BOAR, typed=["keep", "quit"]).stdout.split())
    assert "You win: the Thornback Boar's vitality, resolve or nerve at 0." in said
    cleared = "The room is cleared and the run goes on: your structure, veil or presence at 0, or the Thornback Boar"
    assert f"{cleared} still there when round 8 is over." in said
    brings = "you −1 structure; the Thornback Boar −1 vitality, −1 nerve; escalation from round 9 on."
    assert f"Round 2 brings: {brings}" in said
    assert "members down" not in said


def test_a_partys_kill_rule_is_on_the_screen(play: Play) -> None:
    said = play("standard-company", "--as", "visitor", "--seed", "1", typed=["quit"]).stdout
    assert "a Kill of the party, and so are 2 of 4 members down at the same time; none are down now" in " ".join(
        said.split()
    )


def test_a_strike_is_announced_with_its_odds(play: Play) -> None:
    said = " ".join(play(*BOAR, typed=["keep", "7", "quit"]).stdout.split())
    hurts = r"power \d, hurts in \d+ %, takes \d\.\d vitality on average; backlash \d\.\d structure"
    assert re.search(f"3 strike tremor_slam: {hurts}", said)


def asked(scenario: str, kind: str) -> Encounter:
    """A position of a random game in which somebody is asked this."""
    for seed in range(40):
        for fight in at_random(scenario, seed):
            if fight.decision is not None and fight.decision.kind == kind:
                return fight
    raise AssertionError(f"nobody is ever asked: {kind}")


def screen(fight: Encounter, *commands: str) -> str:
    """What a person in the seat that is asked sees, and what commands answer."""
    assert fight.decision is not None
    game = play_command.Game(Encounter(fight.packed, fight.seed), fight.decision.side, "first")
    game.encounter, game.console = fight, Console(file=io.StringIO(), width=120)
    game.show()
    for command in commands:
        game.obey(command, "")
    assert isinstance(game.console.file, io.StringIO)
    return game.console.file.getvalue()


def test_a_strike_says_what_it_costs_before_the_roll() -> None:
    """The thorns that wait for it are no matter of dice."""
    fight = Encounter("boar", seed=809).play(["keep", "keep"])
    fight.state["sides"][0]["thorns"][0] = 4
    assert re.search(r"tremor_slam: .*; backlash \d\.\d structure, 4 points before the roll", screen(fight))


def test_a_strike_that_would_cost_trust_says_so() -> None:
    fight = asked("symbiote", "turn")
    assert fight.decision is not None
    said = {trust: " ".join(screen(at_trust(fight, trust)).split()) for trust in (3, 4)}
    assert "A Strike now lowers trust by 4: scorn." in said[4]
    assert "A Strike now lowers trust" not in said[3]


def at_trust(fight: Encounter, trust: int) -> Encounter:
    """A visitor's turn with a Strike to be had, at some trust."""
    for seed in range(40):
        for found in at_random(fight.packed.name, seed):
            if found.decision is not None and (found.decision.kind, found.decision.side) == ("turn", "visitor"):
                if any(text.startswith("strike ") for text in found.legal_texts()):
                    twin = found.copy()
                    twin.state["trust"] = 2 * trust
                    return twin
    raise AssertionError("no visitor can strike")


def test_a_hand_shows_costs_as_they_are_now(play: Play) -> None:
    """An Attune makes the next Physical card cheaper: Entombing Grasp costs 1, and 0 then."""
    said = play(*BOAR, typed=["keep", "8", "quit"]).stdout
    shown = re.findall(r" 5  (\d)  Entombing Grasp ", said)
    assert shown == ["1", "0"]


def test_a_party_sees_whose_cards_it_holds(play: Play) -> None:
    said = play("standard-company", "--as", "visitor", "--seed", "3", typed=["keep", "quit"]).stdout
    assert re.search(r"Sundering Blow .*\n +Knight ", said)
    assert re.search(r"Steady Breath ×2 .*\n +(Cleric, Knight|Knight, Cleric) ", said)


def test_a_test_is_put_with_its_text() -> None:
    assert "cooperates or defects. Cooperation raises trust" in " ".join(screen(asked("symbiote", "test")).split())


def test_a_react_is_offered_with_its_odds() -> None:
    assert re.search(r"react \w+: prevents \d\.\d \w+ on average, something in \d+ %", screen(asked("boar", "react")))


# --- commands ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("hint", "would take 7, energy deep_root: it grows the pool"),
        ("odds", "before the roll 0"),
        ("why", "The Thornback Boar's vitality falls by 1: the room's auto-effects (Root Hollow)."),
        ("discard", "Your discards: nothing."),
        ("deck", "The opponent holds, of 7 hidden cards: energy"),
        ("room", "The dungeon loses 1 structure every 2 rounds."),
        ("rules", "both draw 2, at least up to 3"),
        ("glossary drain", "drain: a hit gives the striker back what it dealt, at most 2."),
        ("glossary drian", "unknown word 'drian': did you mean 'drain'?"),
        ("glossary", "ward: stops so much of the next hit."),
    ],
)
def test_commands_answer_and_decide_nothing(play: Play, command: str, answer: str) -> None:
    said = play(*BOAR, typed=["keep", command, "quit"]).stdout
    assert answer in " ".join(said.split())
    assert actions() == ["keep", "keep"]


def test_why_says_what_the_other_side_could_have_done(play: Play) -> None:
    said = " ".join(play(*BOAR, typed=["keep", "end", "why", "quit"]).stdout.split())
    assert "What the other side could have done, as far as you may know:" in said
    having = "having 1 energy and 7 cards in hand. Otherwise: end its turn or discard a card"
    assert re.search(rf"The Thornback Boar [^.]*, {having}", said)
    assert re.search(r"play what it may have held, strike \d+ %, ", said)


def test_why_does_not_say_whether_a_strike_could_have_been_answered(play: Play) -> None:
    said = " ".join(play(*BOAR, typed=["keep", "7", "3", "why", "quit"]).stdout.split())
    assert re.search(r"Your Strike met no React. Whether it could have is hidden: one was held in \d+ %.", said)


@pytest.mark.parametrize("scenario", ["boar", "symbiote", "standard-company", "company-gauntlet"])
def test_why_knows_nothing_of_what_is_hidden(scenario: str) -> None:
    """Hidden cards are dealt anew before the other side decides: where it shows the same, the answer is the same."""
    chance, met = Stream(8, 52, 0), 0
    for number, fight in enumerate(at_random(scenario, 9)):
        assert fight.decision is not None
        viewer = SIDES[1 - SIDES.index(fight.decision.side)]
        twin = redealt(fight, SIDES.index(viewer), chance)
        action = chance.pick(fight.legal())
        if number % 3 or action not in twin.legal():
            continue
        games = [watched(position, viewer, action) for position in (fight, twin)]
        if games[0].happened == games[1].happened:
            met += 1
            assert explained(games[0]) == explained(games[1])
    assert met > 2


def watched(position: Encounter, viewer: str, action: int) -> play_command.Game:
    """The game of a person who sees the other side decide."""
    game = play_command.Game(Encounter(position.packed, position.seed), viewer, "first")
    game.encounter, game.console, game.happened = position.copy(), Console(file=io.StringIO(), width=120), []
    game.asked = game.encounter.copy()
    game.advance(action)
    return game


def explained(game: play_command.Game) -> str:
    game.explain()
    assert isinstance(game.console.file, io.StringIO)
    return game.console.file.getvalue()


def test_the_help_names_every_command() -> None:
    for command in play_command.COMMANDS:
        assert command in play_command.HELP


def test_every_word_of_the_glossary_can_be_told() -> None:
    for word in glossary.WORDS:
        assert not set("{}") & set(glossary.meaning(word, load_codex()))


@pytest.mark.parametrize("scenario", ["boar", "symbiote", "standard-company"])
def test_no_screen_and_no_command_knows_what_its_side_does_not(scenario: str) -> None:
    """Hidden cards are dealt anew: everything a person can see stays as it was."""
    chance = Stream(5, 52, 0)
    for number, fight in enumerate(at_random(scenario, 4)):
        if number % 6:
            continue
        assert fight.decision is not None
        side = SIDES.index(fight.decision.side)
        twin = redealt(fight, side, chance)
        assert told(twin, side) == told(fight, side)
        commands = [name for name in play_command.COMMANDS if name not in {"undo", "card"}]
        assert screen(twin, *commands) == screen(fight.copy(), *commands)
