"""Files that commands read and write: folders of content, folders that are not there, texts that cannot be shown."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cartomancer.content.toml_files import DATA
from tests.cli.conftest import Run

WRITERS = [
    ["map", "new", "voyage", "--seed", "1", "--output"],
    ["map", "show", "voyage:guide:1", "--output"],
    ["map", "repair", "voyage:guide:1", "--output"],
    ["encounter", "record", "boar", "--seed", "1", "--players", "random", "--out"],
    ["content", "new", "deck", "mine", "--out"],
]


@pytest.mark.parametrize("command", WRITERS, ids=lambda command: "-".join(command[:2]))
def test_a_folder_is_only_made_where_that_is_wanted(run: Run, tmp_path: Path, command: list[str]) -> None:
    path = tmp_path / "no" / "such" / "file.json"
    refused = run(*command, str(path))
    assert refused.exit_code == 2
    assert "there is no folder" in refused.stderr
    assert "--parents" in refused.stderr
    assert not (tmp_path / "no").exists()
    assert run(*command, str(path), "--parents").exit_code == 0
    assert path.is_file()


def test_a_folder_of_content_is_checked_with_its_own_presets(run: Run, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(DATA, tmp_path / "mine"))
    assert run("content", "check", "--content", str(folder)).exit_code == 0
    (folder / "maps" / "voyage" / "guide.toml").unlink()
    (folder / "rooms.toml").write_text("rooms = 3\n")
    checked = run("content", "check", "--content", str(folder))
    assert checked.exit_code == 1
    assert "extends = 'guide' is not a preset of the family" in checked.stdout
    assert f"{folder}/rooms.toml: rooms = 3 is not an array of tables" in checked.stdout


def test_files_are_checked_on_top_of_a_folder_of_content(run: Run, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(DATA, tmp_path / "mine"))
    preset = tmp_path / "own.toml"
    preset.write_text('id = "own"\ntitle = "Own"\nfamily = "voyage"\nextends = "calm"\n')
    (folder / "maps" / "voyage" / "guide.toml").rename(folder / "maps" / "voyage" / "calm.toml")
    assert run("content", "check", str(preset)).exit_code == 1
    assert run("content", "check", str(preset), "--content", str(folder)).exit_code == 0


def test_a_folder_of_content_that_is_not_there_is_refused(run: Run, tmp_path: Path) -> None:
    result = run("content", "check", "--content", str(tmp_path / "none"))
    assert result.exit_code == 2
    assert "no folder of content" in result.stderr


def test_a_title_that_steers_the_terminal_is_refused_and_not_printed(run: Run, preset_file: Callable[..., str]) -> None:
    path = preset_file('summary = "red\\u001b[31m\\u202eder"')
    for command in (["content", "check", path], ["map", "new", "voyage", "--preset", path], ["map", "rules", "voyage"]):
        result = run(*command)
        assert "\x1b" not in result.output
        assert "\u202e" not in result.output
    assert run("content", "check", path).exit_code == 1


def test_targets_that_cannot_be_are_found_by_the_check(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('id = "mine"\ntitle = "M"\nsource = "me"\nscenario = "boar"\n[targets]\nkill = "500..600"\n')
    checked = run("content", "check", str(path))
    assert checked.exit_code == 1
    assert "kill = '500' is outside the measure's range (right would be: 0 to 100)" in checked.stdout


@pytest.mark.parametrize("value", ["true", '"20"', "20.0", "NaN"])
def test_an_override_of_another_type_is_refused(run: Run, value: str) -> None:
    refused = run("map", "new", "voyage", "--set", f"rows={value}")
    assert refused.exit_code == 2
    assert "rows = " in refused.stderr
    assert "number" in refused.stderr
