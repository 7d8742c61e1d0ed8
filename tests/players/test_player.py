"""Players in Python: one by its text for any side, one's own beside it, names that load when they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import cartomancer.players as face
from cartomancer.encounters.encounter import Encounter
from cartomancer.errors import CartomancerError, IllegalActionError, UnknownNameError
from cartomancer.players import Chooser, Player, Players, explain, make_players, play_out, player_spec


class First:
    """A player of one's own: the first legal action, as a number."""

    def choose(self, encounter: Encounter) -> int:
        return encounter.legal()[0]


class FirstInWords:
    """The same, in words."""

    def choose(self, encounter: Encounter) -> str:
        return encounter.legal_texts()[0]


# --- computer players -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["heuristic", "random", "montecarlo@1", "smart@4", "turtle"])
def test_a_player_plays_either_side_as_both_players_of_a_scenario_do(text: str) -> None:
    fight, player = Encounter("boar", 11), Player(text)
    both = make_players(fight.packed, player_spec(text, "dungeon"), player_spec(text, "visitor"))
    asked = set()
    while (decision := fight.decision) is not None and len(fight.actions) < 30:
        asked.add(decision.side)
        action = player.choose(fight)
        assert action == both.choose(fight)
        fight.apply(action)
    assert asked == {"dungeon", "visitor"}


def test_a_player_goes_from_one_scenario_to_another() -> None:
    player, boar, moth = Player("heuristic"), Encounter("boar", 3), Encounter("moth", 3)
    choices = [player.choose(boar), player.choose(moth), player.choose(boar)]
    assert choices == [Player("heuristic").choose(fight) for fight in (boar, moth, boar)]


def test_a_player_is_written_as_it_plays() -> None:
    assert (str(Player("smart@48:aggressive")), repr(Player("smart"))) == ("smart@48:aggressive", "Player('smart@400')")


@pytest.mark.parametrize("text", ["clever", "heuristic:nobody", "smart@0", "smart@10001", "random@3", "turtle@3"])
def test_a_player_that_does_not_exist_is_refused_at_once(text: str) -> None:
    with pytest.raises(CartomancerError):
        Player(text)


def test_a_profile_plays_its_own_side_only() -> None:
    fight, player = Encounter("boar", 3), Player("aggressive")
    fight.apply(player.choose(fight))
    assert fight.decision is not None
    assert fight.decision.side == "visitor"
    with pytest.raises(UnknownNameError, match="profile of the visitor 'aggressive'"):
        player.choose(fight)


def test_nobody_is_asked_after_the_end() -> None:
    fight = play_out(Encounter("boar", 3), Player("random"))
    with pytest.raises(CartomancerError, match="nobody is asked"):
        Player("random").choose(fight)


def test_a_player_explains_itself_as_the_players_of_a_scenario_do() -> None:
    fight = Encounter("boar", seed=42).play(["keep", "keep"])
    assert explain(Player("heuristic"), fight) == explain(make_players(fight.packed), fight)


# --- one's own --------------------------------------------------------------------------------------------------------


def test_own_players_play_beside_computer_players() -> None:
    fight = play_out(Encounter("boar", 5), dungeon=First(), visitor=Player("heuristic"))
    again, player = Encounter("boar", 5), Player("heuristic")
    while (decision := again.decision) is not None:
        again.apply(again.legal()[0] if decision.side == "dungeon" else player.choose(again))
    assert fight.outcome is not None
    assert fight.actions == again.actions


def test_an_own_player_may_play_both_sides_and_name_its_actions_in_words() -> None:
    one, two = play_out(Encounter("boar", 5), First()), play_out(Encounter("boar", 5), FirstInWords())
    assert one.outcome is not None
    assert one.outcome == two.outcome


def test_an_illegal_action_of_an_own_player_is_refused() -> None:
    class Dreamer:
        def choose(self, encounter: Encounter) -> str:
            return "win"

    with pytest.raises(IllegalActionError):
        play_out(Encounter("boar", 5), Dreamer())


def test_everybody_who_plays_is_a_chooser() -> None:
    choosers: list[Chooser] = [First(), FirstInWords(), Player("random"), make_players(Encounter("boar").packed)]
    assert all(callable(chooser.choose) for chooser in choosers)


# --- names ------------------------------------------------------------------------------------------------------------


def test_every_name_of_the_package_can_be_had() -> None:
    assert dir(face) == sorted(face.__all__)
    for name in face.__all__:
        assert getattr(getattr(face, name), "__name__", name) == name  # a constant has none
    assert face.Players is Players
    with pytest.raises(AttributeError, match="no attribute 'nobody'"):
        face.nobody  # noqa: B018


def test_importing_the_package_loads_nothing() -> None:
    code = "import sys, cartomancer.players; print([m for m in ('numba', 'numpy', 'pydantic') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
