"""`cartomancer lab fidelity`: tables for people, rows for programs, exit codes for scripts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartomancer.content.toml_files import DATA
from cartomancer.players import simulation
from tests.cli.conftest import Run

RunJson = Callable[..., Any]

EASY = """
id = "easy"
title = "Easily Met"
source = "GDD 10.2"
scenario = "boar"

[targets]
kill = "0..100"
rounds = "1.."
"""
HARD = """
id = "hard"
title = "Hardly Met"
source = "GDD 10.3"
scenario = "moth"

[targets]
kill = "99.."
bond = "..100"
"""
REASON = '\n[exceptions]\nkill = "A moth is hard to catch."\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the content with two sets of targets."""
    made = Path(shutil.copytree(DATA, tmp_path / "content", ignore=shutil.ignore_patterns("targets")))
    (made / "targets").mkdir()
    (made / "targets" / "easy.toml").write_text(EASY)
    (made / "targets" / "hard.toml").write_text(HARD)
    return made


def test_rows_for_programs_have_everything(run_json: RunJson, folder: Path) -> None:
    facts = run_json("lab", "fidelity", "--content", str(folder), "-n", "100", "--seed", "7", code=1)
    assert {key: facts[key] for key in ("runs", "seed", "quick", "complete", "left_out")} == {
        "runs": 100,
        "seed": 7,
        "quick": False,
        "complete": True,
        "left_out": [],
    }
    assert facts["counts"] == {"met": 3, "explained": 0, "missed": 1, "unknown": 0}
    rounds, kill = facts["rows"][1], facts["rows"][2]
    assert rounds["low"] < rounds["value"] < rounds["high"]
    assert {key: rounds[key] for key in ("set", "name", "target", "unit", "verdict", "reason", "source")} == {
        "set": "easy",
        "name": "rounds",
        "target": "1..",
        "unit": "number",
        "verdict": "met",
        "reason": "",
        "source": "GDD 10.2",
    }
    assert (kill["name"], kill["target"], kill["unit"], kill["verdict"]) == ("kill", "99..", "percent", "missed")


def test_a_missed_row_is_exit_code_one_and_an_explained_one_is_not(run: Run, folder: Path) -> None:
    options = ("--content", str(folder), "-n", "100")
    missed = run("lab", "fidelity", "hard", *options)
    assert missed.exit_code == 1
    assert "1 of 2 met, 0 explained, 1 missed (batches of 100 runs, seed 0)" in missed.stdout
    (folder / "targets" / "hard.toml").write_text(HARD + REASON)
    explained = run("lab", "fidelity", "hard", *options)
    assert explained.exit_code == 0
    assert "1 of 2 met, 1 explained, 0 missed" in explained.stdout
    assert "kill: A moth is hard to catch." in explained.stdout
    assert run("lab", "fidelity", "boar", *options).exit_code == 0


def test_a_table_names_its_set_and_its_source(run: Run, folder: Path) -> None:
    shown = run("lab", "fidelity", "easy", "--content", str(folder), "--quick").stdout
    assert "Easily Met (easy) [GDD 10.2]" in shown
    assert "(batches of 2,000 runs, seed 0; bands are widened by the sampling error)" in shown


def test_parties_and_contrasts_are_shown(run: Run, folder: Path) -> None:
    (folder / "targets" / "easy.toml").write_text(
        EASY.replace("[targets]", 'contrast = "random"\n[targets]')
        .replace("0..100", "-100..100")
        .replace("1..", "-50..")
    )
    (folder / "targets" / "hard.toml").write_text(
        'id = "hard"\ntitle = "Two Parties"\nsource = "GDD 18.2"\nscenario = "standard-gauntlet"\n'
        'parties = ["two_gates", "long_hunt"]\n'
    )
    shown = run("lab", "fidelity", "--content", str(folder), "-n", "60").stdout
    assert "two_gates.agency" in shown
    assert "kill: heuristic " in shown


def test_unknown_sets_are_refused_at_once(run: Run) -> None:
    result = run("lab", "fidelity", "boar-charakter", "moht")
    assert (result.exit_code, result.stdout) == (2, "")
    said = " ".join(result.stderr.split())
    assert "did you mean 'boar-character'" in said
    assert "did you mean 'moth'" in said


def test_a_stopped_run_shows_what_is_whole(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = simulation.play_runs
    batches = set()

    def stopped_in_the_second(table: Any, policy: Any, seed: int, first: int, rows: Any) -> int:
        batches.add(table.tobytes())
        if len(batches) > 1:
            raise KeyboardInterrupt
        return play(table, policy, seed, first, rows)

    monkeypatch.setattr(simulation, "play_runs", stopped_in_the_second)
    result = run("lab", "fidelity", "--content", str(folder), "-n", "100", "--threads", "1")
    assert result.exit_code == 130
    assert "2 of 2 met" in result.stdout
    assert "not measured: hard" in result.stderr


def test_the_help_teaches(run: Run) -> None:
    said = run("lab", "fidelity", "--help").stdout
    assert "explained" in said
    assert "cartomancer lab fidelity boar moth" in said
