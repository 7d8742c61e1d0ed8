"""What a preset forces or leaves out is noted where a designer first meets it: new, rules, content check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

THIN = """
id = "thin"
family = "voyage"
extends = "guide"
title = "Thin"

[[bands]]
name = "all"
until_percent = 100
odds = { monster = 3, unknown = 1 }
"""


@pytest.fixture
def thin(tmp_path: Path) -> str:
    path = tmp_path / "thin.toml"
    path.write_text(THIN)
    return str(path)


def test_a_new_map_of_odds_that_force_waivers_has_a_note_beside_it(run: Run, thin: str) -> None:
    result = run("map", "new", "voyage", "--preset", thin, "--seed", "3", "--json")
    assert result.exit_code == 0
    assert "note: The odds force waivers on rows 2 to 8" in result.stderr
    assert json.loads(result.stdout)["nodes"][6]["waived"] is True
    assert not run("map", "new", "voyage", "--seed", "3").stderr


def test_the_rules_say_that_odds_force_waivers(run: Run, thin: str) -> None:
    assert "note: The odds force waivers" in run("map", "rules", "voyage", "--preset", thin).stdout
    (note,) = json.loads(run("map", "rules", "voyage", "--preset", thin, "--json").stdout)["notes"]
    assert "force waivers" in note


def test_a_check_of_content_notes_it_and_finds_no_fault(run: Run, thin: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(THIN + "rows = 3")
    result = run("content", "check", thin)
    assert result.exit_code == 0
    assert f"note: {thin}: The odds force waivers" in result.stdout
    both = json.loads(run("content", "check", thin, str(wrong), "--json").stdout)
    assert not both["ok"]
    assert [note.startswith(f"{thin}: ") for note in both["notes"]] == [True]
    assert not json.loads(run("content", "check", "--json").stdout)["notes"]
