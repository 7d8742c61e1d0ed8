"""`cartomancer run`: a run from the shell and in the terminal, saved at every choice."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cartomancer.cli.main import app
from tests.cli.conftest import Run

RunJson = Callable[..., Any]


def refused(run: Run, *arguments: str, code: int = 2) -> str:
    """What a command that is refused says."""
    result = run(*arguments)
    assert result.exit_code == code, result.output
    return " ".join(result.output.split())


def played(*arguments: str, typed: str) -> str:
    """What a run in the terminal shows to somebody who types this."""
    return CliRunner().invoke(app, ["run", "play", *arguments], input=typed).output


@pytest.fixture
def mine(run: Run, tmp_path: Path) -> str:
    """A run that has just begun."""
    place = tmp_path / "mine.run.json"
    run("run", "new", "voyage", "--seed", "42", "--out", str(place))
    return str(place)


def test_a_new_run_shows_the_party_and_where_it_can_go(run: Run, tmp_path: Path) -> None:
    said = run("run", "new", "contract:short", "--seed", "7", "--out", str(tmp_path / "a.run.json")).stdout
    assert "Knight         ██████████ 10/10" in said
    assert "Where to?" in said
    assert "Gold 40   Supplies 4" in said


def test_a_run_is_not_overwritten_unasked(run: Run, mine: str) -> None:
    assert "is there already: --force replaces it" in refused(
        run, "run", "new", "voyage", "--seed", "42", "--out", mine
    )
    run("run", "new", "voyage", "--seed", "42", "--out", mine, "--force")


def test_choices_are_taken_told_and_saved(run: Run, mine: str) -> None:
    said = run("run", "choose", mine, "go 0", "settle").stdout
    assert "bars the way." in said
    assert "The fight ends:" in said
    assert len(json.loads(Path(mine).read_text())["actions"]) == 2


def test_an_illegal_choice_names_the_legal_ones_and_those_before_it_stand(run: Run, mine: str) -> None:
    said = refused(run, "run", "choose", mine, "go 0", "go 99")
    assert "'go 99' cannot be chosen now (fight): fight, settle" in said
    assert json.loads(Path(mine).read_text())["actions"] == ["go 0"]


def test_only_the_host_may_choose(run: Run, mine: str) -> None:
    assert "only the host 'host' chooses, not 'guest'" in refused(
        run, "run", "choose", mine, "go 0", "--player", "guest"
    )


def test_show_gives_everything_a_party_may_know(run_json: RunJson, mine: str) -> None:
    seen = run_json("run", "show", mine)
    assert seen["decision"]["kind"] == "way"
    assert [member["class"] for member in seen["party"]["members"]] == ["knight", "battlemage", "cleric", "rogue"]
    assert "seed" not in seen["map"]


def test_explain_says_what_each_way_promised(run: Run, mine: str) -> None:
    lines = run("run", "explain", mine, "--explorer", "careful").stdout.splitlines()
    promises = [float(line.split()[0]) for line in lines]
    assert promises == sorted(promises, reverse=True)
    assert "go " in lines[0]


def test_a_run_is_explored_to_its_end_and_replays_the_same(run: Run, mine: str) -> None:
    assert "over: " in run("run", "explore", mine, "--explorer", "balanced").stdout
    assert "the same:" in run("run", "replay", mine).stdout
    assert "The run is over:" in run("run", "log", mine).stdout


def test_a_damaged_save_is_refused_with_the_field(run: Run, mine: str) -> None:
    data = json.loads(Path(mine).read_text()) | {"gold": 7_000}
    Path(mine).write_text(json.dumps(data))
    assert "does not fit the file: it was damaged or edited" in refused(run, "run", "show", mine, code=1)


def test_a_run_is_played_by_its_keys_and_goes_on_where_it_was_left(run: Run, mine: str) -> None:
    first = played(mine, typed="1\nhint\nmap\nparty\ndeck\n?\n? 1\n2\nquit\n")
    assert "Steady Breath" in first
    assert "→" in first
    assert "The fight ends:" in first
    again = played(mine, typed="log\nquit\n")
    assert "row 1" in again


def test_a_fight_is_played_card_by_card_inside_a_run(run: Run, mine: str) -> None:
    played(mine, typed="1\n1\n1\n1\n1\n1\nquit\n")
    saved = json.loads(Path(mine).read_text())
    assert saved["fight"] is not None
    assert saved["fight"]["actions"]
    again = played(mine, typed="quit\n")
    assert "Party (you)" in again


def test_whole_runs_are_simulated(run_json: RunJson) -> None:
    found = run_json("simulate", "contract:short", "-n", "12", "--seed", "3")
    again = run_json("simulate", "contract:short", "-n", "12", "--seed", "3")
    assert found["result_hash"] == again["result_hash"]
    assert sum(one["runs"] for one in found["endings"].values()) == 12
    assert found["reached_row"]["1"] == 1.0
    greedy = run_json("simulate", "contract:short", "-n", "12", "--seed", "3", "--explorer", "random")
    assert greedy["result_hash"] != found["result_hash"]
