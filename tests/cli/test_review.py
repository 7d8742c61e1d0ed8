"""`encounter review`: games as other commands take them, a person's own side, and the look back after a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cartomancer.cli import review_view
from cartomancer.encounters import Encounter, notation, record
from cartomancer.encounters.packing import pack
from cartomancer.players import make_players, play_out
from tests.cli.conftest import Play, Run

FEW = ("--rollouts", "4")


def finished(seed: int = 1) -> Encounter:
    packed = pack("boar")
    return play_out(Encounter(packed, seed), make_players(packed))


def saved(path: Path, run: Encounter, dungeon: str = "person") -> str:
    path.write_bytes(record(run, {"dungeon": dungeon, "visitor": "heuristic:feral_aggressive"}).to_json().encode())
    return str(path)


def before_the_end(side: str) -> Encounter:
    """A run that is over when this side ends its turn."""
    for seed in range(50):
        run = finished(seed)
        last = Encounter(run.packed, seed).play(run.actions[:-1])
        if last.decision is not None and last.decision.side == side and last.text_of(run.actions[-1]) == "end":
            return last
    raise AssertionError(f"no run ends with a turn of the {side}")


def test_a_run_of_a_batch_is_looked_back_upon(run: Run) -> None:
    said = " ".join(run("encounter", "review", "boar@7:123", *FEW).stdout.split())
    assert "What the ending was worth, in hundredths, as each round began dungeon: Root Hollow " in said
    assert "turned" in said
    assert "The Verdant Maw decided" in said
    assert "The Thornback Boar decided" in said
    assert "encounter:boar|" in said


def test_a_notation_and_a_file_are_the_same_game(run_json: Any, tmp_path: Path) -> None:
    fight = finished()
    told = run_json("encounter", "review", notation(fight), *FEW)
    again = run_json("encounter", "review", saved(tmp_path / "g.json", fight, "heuristic"), *FEW)
    assert told == again
    assert told["seed"] == "1"
    assert [judged["side"] for judged in told["judged"]] == ["dungeon", "visitor"]
    assert len(told["course"]) == len(fight.actions) + 1
    for turn in told["turning_points"]:
        assert turn["change"]["dungeon"] == pytest.approx(turn["after"]["dungeon"] - turn["before"]["dungeon"])


def test_a_persons_game_is_looked_at_from_the_persons_side(run_json: Any, tmp_path: Path) -> None:
    file = saved(tmp_path / "g.json", finished())
    assert [judged["side"] for judged in run_json("encounter", "review", file, *FEW)["judged"]] == ["dungeon"]
    asked = run_json("encounter", "review", file, *FEW, "--side", "visitor")
    assert [judged["side"] for judged in asked["judged"]] == ["visitor"]


def test_what_is_no_game_is_refused(run: Run) -> None:
    result = run("encounter", "review", "boar")
    assert result.exit_code == 2
    assert "no game: 'boar'" in result.stderr


@pytest.mark.parametrize(("answers", "looks"), [(["yes"], True), (["no"], False), ([], False)])
def test_after_a_game_the_person_may_look_back(
    play: Play, monkeypatch: pytest.MonkeyPatch, answers: list[str], looks: bool
) -> None:
    """Cards are laid open only to who says yes; an input that ends is a no."""
    monkeypatch.setattr(review_view, "ROLLOUTS", 2)
    file = saved(Path("g.json"), before_the_end("dungeon"))
    said = " ".join(play("--resume", file, typed=["end", *answers]).stdout.split())
    assert "The run ends: " in said
    assert ("What the ending was worth" in said) is looks
    assert ("The Verdant Maw decided" in said) is looks
    assert "The Thornback Boar decided" not in said
