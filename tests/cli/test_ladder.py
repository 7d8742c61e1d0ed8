"""`ladder`: computer players against each other in mirrored games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartomancer.players.duels import COMBAT, duel, ladder
from tests.cli.conftest import Run

RunJson = Callable[..., Any]


def test_the_ladder_has_what_python_counts(run_json: RunJson) -> None:
    found = run_json("ladder", "heuristic", "random", "--scenario", "boar", "-n", "20", "--seed", "7")
    assert found == ladder(["heuristic", "random"], ["boar"], 20, 7).as_dict()
    assert found["duels"] == [duel("boar", "heuristic", "random", 20, 7).as_dict()]
    first, last = found["standings"]
    assert (first["player"], last["player"]) == ("heuristic", "random")
    assert first["share"] + last["share"] == pytest.approx(1)
    assert first["interval"][0] < first["share"] <= first["interval"][1]
    assert sum(found["duels"][0]["runs_won"].values()) <= 40


def test_threads_change_no_result(run_json: RunJson) -> None:
    asked = ("ladder", "heuristic", "random", "--scenario", "moth", "-n", "12")
    assert run_json(*asked, "--threads", "1") == run_json(*asked, "--threads", "3")


def test_scenarios_may_be_several_or_left_out(run_json: RunJson) -> None:
    asked = ("ladder", "heuristic", "random", "-n", "1")
    named = run_json(*asked, "--scenario", "moth", "--scenario", "boar+frenzy")
    assert [one["scenario"] for one in named["duels"]] == ["moth", "boar+frenzy"]
    assert [one["scenario"] for one in run_json(*asked)["duels"]] == list(COMBAT)


def test_tables_show_the_strongest_first_and_every_duel(run: Run) -> None:
    result = run("ladder", "random", "heuristic", "--scenario", "boar", "-n", "30")
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines() if line.strip()]
    standings = [line[0] for line in lines if line[0] in {"heuristic", "random"}]
    assert standings == ["heuristic", "random"]
    found = duel("boar", "random", "heuristic", 30)
    shown = next(line for line in lines if line[:3] == ["boar", "random", "heuristic"])
    assert shown[3] == f"{100 * found.share:.1f}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["random"], "two or more different players"),
        (["random", "random"], "two or more different players"),
        (["random", "clever"], "unknown player 'clever'"),
        (["random", "aggressive"], "profile of the visitor 'aggressive'"),
        (["random", "heuristic", "--scenario", "nowhere"], "unknown scenario 'nowhere'"),
    ],
)
def test_what_cannot_be_compared_is_refused(run: Run, arguments: list[str], said: str) -> None:
    result = run("ladder", *arguments, "-n", "1")
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())
