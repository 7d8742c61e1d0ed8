"""`lab anomalies`, `lab baseline` and `lab regress` from the command line."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartomancer.cli import output
from cartomancer.content.toml_files import DATA
from cartomancer.lab.health import baseline as bl
from tests.cli.conftest import Run

RunJson = Callable[..., Any]
CELLS = ("--parties", "standard_company,iron_column", "--rooms", "root_hollow-veil_breach,veil_breach-root_hollow")


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DATA, tmp_path / "content"))


def weaken_the_boar(content: Path) -> None:
    path = content / "creatures.toml"
    text = path.read_text()
    assert "vitality = 28" in text
    path.write_text(text.replace("vitality = 28", "vitality = 1", 1))


# --- anomalies --------------------------------------------------------------------------------------------------------


def test_anomalies_come_as_json_and_as_sentences(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    """Of parties that only pass, the dungeon beats every one, however its rooms are balanced."""
    asked = ("lab", "anomalies", "--parties", "named", "--rooms", "bell_foundry-root_hollow", "-n", "60")
    asked += (
        "--surveyed",
        "1",
        "--survey-runs",
        "100",
        "--attacked",
        "0",
        "--ai-visitor",
        "pass",
        "--results",
        str(tmp_path),
    )
    found = run_json(*asked)
    assert found["cells"] == 8
    assert found["games"] == 8 * 60
    assert found["counts"]["domination"] == 1
    worst = found["anomalies"][0]
    assert worst["kind"] == "domination"
    assert worst["subject"] == "bell_foundry-root_hollow"
    assert worst["q"] <= 0.05
    assert worst["interval"][0] > worst["bound"]
    shown = run(*asked)
    assert shown.exit_code == output.OK
    assert "Bell foundry, root hollow wins 70 % or more against all 8 opponents" in " ".join(shown.stdout.split())
    replay = run(*shlex.split(worst["replay"])[1:])
    assert replay.exit_code == output.OK


def test_a_stored_matrix_is_read_and_not_played(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    run("lab", "matrix", *CELLS, "-n", "20", "--results", str(tmp_path))
    found = run_json(
        "lab", "anomalies", "--matrix", str(tmp_path), "--surveyed", "0", "--attacked", "1", "--attack-runs", "40"
    )
    assert (found["cells"], found["games"], found["cards"], found["attacked"]) == (4, 80, 0, 1)
    missing = run("lab", "anomalies", "--matrix", str(tmp_path / "nothing"))
    assert missing.exit_code == output.USAGE
    assert "name one matrix" in missing.stderr


# --- baselines and regression -----------------------------------------------------------------------------------------


def test_save_list_show(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    folder = ("--baselines", str(tmp_path / "kept"))
    saved = run_json("lab", "baseline", "save", "before", "boar", "symbiote", "-n", "60", *folder)
    assert (saved["scenarios"], saved["finished"]) == (2, True)
    assert [row["scenario"] for row in saved["rows"]] == ["boar", "symbiote"]
    assert sum(saved["rows"][0]["outcomes"].values()) == pytest.approx(1.0)
    assert run_json("lab", "baseline", "show", "before", *folder) == saved
    listed = run_json("lab", "baseline", "list", *folder)
    assert [one["name"] for one in listed] == ["before"]
    assert "before" in run("lab", "baseline", "list", *folder).stdout
    assert "boar" in run("lab", "baseline", "show", "before", *folder).stdout


def test_a_baseline_is_not_overwritten_by_mistake(run: Run, tmp_path: Path) -> None:
    asked = ("lab", "baseline", "save", "before", "boar", "--baselines", str(tmp_path))
    assert run(*asked, "-n", "20").exit_code == output.OK
    again = run(*asked, "-n", "30")
    assert again.exit_code == output.USAGE
    assert "baseline 'before' exists" in again.stderr
    assert run(*asked, "-n", "30", "--replace").exit_code == output.OK
    assert bl.read_baseline(tmp_path, "before").runs == 30


def test_the_cells_of_a_matrix_can_be_a_baseline(run_json: RunJson, tmp_path: Path) -> None:
    saved = run_json("lab", "baseline", "save", "cells", *CELLS, "-n", "20", "--baselines", str(tmp_path))
    assert saved["scenarios"] == 4
    assert saved["rows"][0]["scenario"].startswith("match:")


def test_regress_names_the_edit_and_what_moved(run: Run, run_json: RunJson, tmp_path: Path, content: Path) -> None:
    folder = ("--baselines", str(tmp_path))
    run("lab", "baseline", "save", "before", "boar", "symbiote", "-n", "300", "--content", str(content), *folder)
    asked = ("lab", "regress", "before", "--content", str(content), *folder)
    same = run_json(*asked, "--strict")
    assert (same["changes"], same["touched"], same["moves"]) == ([], [], [])
    weaken_the_boar(content)
    found = run_json(*asked)
    assert found["changes"][0]["entry"] == "creatures:thornback_boar"
    assert found["changes"][0]["fields"] == [{"field": "vitality", "before": 28, "after": 1}]
    assert found["retested"] == ["boar"]
    assert found["moved"] == ["boar"]
    assert run(*asked, "--strict").exit_code == output.BAD
    shown = run(*asked)
    assert shown.exit_code == output.OK
    assert "edited creatures:thornback_boar: vitality 28 → 1" in shown.stdout
    assert "1 of 2 scenarios are touched" in shown.stdout
    assert "moved beyond noise" in shown.stdout


def test_a_damaged_baseline_does_not_hide_the_others(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    folder = ("--baselines", str(tmp_path))
    assert run("lab", "baseline", "save", "good", "boar", "-n", "20", *folder).exit_code == output.OK
    (tmp_path / "bad.json").write_bytes((tmp_path / "good.json").read_bytes()[:900])
    assert [one["name"] for one in run_json("lab", "baseline", "list", *folder)] == ["good"]
    assert "bad.json: not a baseline, or a damaged one" in run("lab", "baseline", "list", *folder).stderr


def test_long_names_leave_room_for_the_numbers(run: Run, tmp_path: Path) -> None:
    name = "match:battlemage-battlemage-cleric-rogue/living_root_sanctuary-whispering_gallery"
    saved = run("lab", "baseline", "save", "x", name, "-n", "50", "--baselines", str(tmp_path))
    assert saved.exit_code == output.OK
    assert "95 % interval" in saved.stdout
    row = next(line for line in saved.stdout.splitlines() if line.startswith(" match:"))
    assert re.search(r"\d\.\d %.* … .*\d\.\d\d", row), saved.stdout


def test_refusals_are_clear(run: Run, tmp_path: Path) -> None:
    for words, said in (
        (("lab", "regress", "nothing", "--baselines", str(tmp_path)), "unknown baseline 'nothing'"),
        (("lab", "baseline", "save", "a/b", "boar"), "cannot name a baseline"),
        (("lab", "baseline", "save", "x", "nowhere", "--baselines", str(tmp_path)), "unknown scenario 'nowhere'"),
        (("lab", "baseline", "save", "x", "nowhere", "boar", "match:x/y", "--baselines", str(tmp_path)), "2 faults"),
        (("lab", "baseline", "save", "x", "boar", "--content", str(tmp_path / "no")), "not a content folder"),
    ):
        refused = run(*words)
        assert refused.exit_code == output.USAGE
        assert said in refused.stderr
    assert list(tmp_path.iterdir()) == []
