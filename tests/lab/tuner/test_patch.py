"""Patches: the changed entries as files, comments and all; read again they are what was meant."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cartomancer.content.check import check_files
from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.toml_files import DATA
from cartomancer.encounters.packing import pack
from cartomancer.errors import CartomancerError, ContentError
from cartomancer.lab.tuner.levers import GROUPS, Lever, levers_of, turned
from cartomancer.lab.tuner.patch import (
    DIFF,
    ENTRIES,
    changed_between,
    edited_text,
    find_source,
    patch_files,
    patched_codex,
    refuse_taken,
    write_patch,
    written_text,
)
from cartomancer.players.simulation import simulate

MANY = {
    "root_hollow.nerve": -3,
    "whispering_gallery.resolve": 2,
    "boar.veil_breach.round_limit": 1,
    "soul_leech.power": 1,
    "mud_wallow.heal": 1,
    "thornback_boar.vitality": -2,
    "tactical.weights.strike": 1,
    "feral_aggressive.targets.veil": -2,
}


@pytest.fixture(scope="module")
def levers(codex: Codex) -> list[Lever]:
    return levers_of(codex, "boar", GROUPS)


@pytest.fixture(scope="module")
def after(codex: Codex, levers: list[Lever]) -> Codex:
    return turned(codex, levers, MANY)


def test_a_patch_holds_the_changed_entries_alone(codex: Codex, after: Codex) -> None:
    files = patch_files(codex, after)
    assert set(files) == {ENTRIES, DIFF, "boar.toml", "tactical.toml", "feral_aggressive.toml"}
    ids = [line for line in files[ENTRIES].splitlines() if line.startswith("id = ")]
    wanted = {"soul_leech", "mud_wallow", "root_hollow", "whispering_gallery", "thornback_boar"}
    assert set(ids) == {f'id = "{name}"' for name in wanted}


def test_a_patch_laid_over_the_shipped_content_is_what_was_meant(codex: Codex, after: Codex, tmp_path: Path) -> None:
    paths = write_patch(tmp_path / "mine", patch_files(codex, after))
    read = patched_codex(tmp_path / "mine")
    assert changed_between(after, read) == {}
    assert set(changed_between(codex, read)) == set(changed_between(codex, after))
    checked, faults = check_files([path for path in paths if path.suffix == ".toml"])
    assert (len(checked), faults) == (4, [])


def test_playing_the_patched_content_gives_the_same_runs(codex: Codex, after: Codex, tmp_path: Path) -> None:
    write_patch(tmp_path / "mine", patch_files(codex, after))
    read = patched_codex(tmp_path / "mine")
    assert pack("boar", read).digest == pack("boar", after).digest != pack("boar", codex).digest
    runs = [simulate("boar", 200, 4, codex=one) for one in (after, read, codex)]
    assert runs[0].result_hash == runs[1].result_hash != runs[2].result_hash
    assert runs[0].policies.digest == runs[1].policies.digest


def test_the_difference_applies_to_the_content_folder(codex: Codex, after: Codex, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    (tmp_path / DIFF).write_text(patch_files(codex, after)[DIFF], encoding="utf-8")
    subprocess.run(["git", "apply", "-p1", str(tmp_path / DIFF)], cwd=folder, check=True)
    assert changed_between(after, load_codex(folder)) == {}


def test_comments_and_everything_unchanged_stay(codex: Codex, levers: list[Lever]) -> None:
    """The Whispering Gallery says why it does not press nerve; its copy in the patch still does."""
    changed = turned(codex, levers, {"whispering_gallery.resolve": 1})
    source = find_source("rooms", "whispering_gallery")
    assert source is not None
    lines, edited = source.text().splitlines(), patch_files(codex, changed)[ENTRIES].splitlines()
    assert any(line.startswith("#") for line in lines)
    assert [line for line in lines if "resolve" not in line] == [line for line in edited if "resolve" not in line]
    turn = next(lever for lever in levers if lever.id == "whispering_gallery.resolve")
    before, now = (
        f'  {{ resource = "resolve", change = {value["change"]}, every = {value["every"]} }},'
        for value in (turn.value(0), turn.value(1))
    )
    assert (before in lines, now in lines) == (True, False)
    assert (before in edited, now in edited) == (False, True)


@pytest.mark.parametrize("scenario", ["boar", "standard-company"])
def test_every_lever_can_be_written_into_its_source(codex: Codex, scenario: str) -> None:
    all_levers = levers_of(codex, scenario, GROUPS)
    for lever in all_levers:
        try:
            changed = turned(codex, all_levers, {lever.id: lever.steps[0]})
        except ContentError:
            continue
        (entry,) = changed_between(codex, changed)[lever.kind]
        source = find_source(lever.kind, lever.entry)
        assert source is not None
        assert edited_text(lever.kind, entry, source.text()), lever.id


def test_an_entry_that_cannot_be_edited_is_written_anew(codex: Codex, after: Codex, tmp_path: Path) -> None:
    for kind, entries in changed_between(codex, after).items():
        for entry in entries:
            assert edited_text(kind, entry, "id = 3\n") is None
            write_patch(tmp_path / entry.id / kind, {f"{entry.id}.toml": written_text(kind, entry)})
            read = patched_codex(tmp_path / entry.id / kind).of_kind(kind)[entry.id]
            assert read.model_dump() == entry.model_dump()


def test_tuning_a_folder_of_ones_own_is_laid_over_that_folder(levers: list[Lever], tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    rooms = folder / "rooms.toml"
    rooms.write_text(rooms.read_text().replace("round_limit = 10", "round_limit = 11"))
    own = load_codex(folder)
    changed = turned(own, levers_of(own, "boar", ["auto_effects"]), {"root_hollow.nerve": 1})
    write_patch(tmp_path / "mine", patch_files(own, changed, folder))
    assert changed_between(changed, patched_codex(tmp_path / "mine", folder)) == {}


SECTIONS = """round_limit = 12
attributes = { physical = 2, environmental = 2 }
[[rooms.auto_effects]]
resource = "vitality"
change = -1
"""


def test_an_entry_in_another_style_of_writing_is_in_the_difference_too(tmp_path: Path) -> None:
    """Effects as sections cannot be edited in place when one is added; an id may stand behind two spaces."""
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    hollow = find_source("rooms", "root_hollow")
    assert hollow is not None
    effects = re.search(
        r"^auto_effects = \[\n.*?^\]\nround_limit = \d+\nattributes = .*?\n", hollow.text(), re.DOTALL | re.MULTILINE
    )
    assert effects is not None
    for name, old, new in (
        ("rooms", effects[0], SECTIONS),
        ("creatures", 'id = "thornback_boar"', "id  = 'thornback_boar'  # the Boar"),
    ):
        path = folder / f"{name}.toml"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))
    own = load_codex(folder)
    steps = {"root_hollow.nerve": 1, "thornback_boar.vitality": -2}
    changed = turned(own, levers_of(own, "boar", GROUPS), steps)
    (tmp_path / DIFF).write_text(patch_files(own, changed, folder)[DIFF], encoding="utf-8")
    subprocess.run(["git", "apply", "-p1", str(tmp_path / DIFF)], cwd=folder, check=True)
    assert changed_between(changed, load_codex(folder)) == {}


def test_a_difference_is_whole_or_not_there(codex: Codex, levers: list[Lever], tmp_path: Path) -> None:
    (tmp_path / "rooms.toml").write_bytes((DATA / "rooms.toml").read_bytes())  # and no creatures
    changed = turned(codex, levers, {"root_hollow.nerve": 1, "thornback_boar.vitality": -2})
    assert set(patch_files(codex, changed, tmp_path)) == {ENTRIES}


def test_nothing_changed_is_no_file(codex: Codex) -> None:
    assert patch_files(codex, codex) == {}


def test_a_folder_that_is_taken_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    write_patch(tmp_path / "mine", {"a.toml": ""})  # empty folders are free
    with pytest.raises(CartomancerError, match="is there already"):
        write_patch(tmp_path / "mine", {"b.toml": ""})
    with pytest.raises(CartomancerError, match=r"without \.toml"):
        write_patch(tmp_path / "patch.toml", {})
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["a.toml"]
    with pytest.raises(CartomancerError, match=r"a\.toml is no folder"):
        refuse_taken(tmp_path / "mine" / "a.toml" / "deeper" / "patch")


def test_a_patch_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(CartomancerError, match="cannot be written"):
        write_patch(tmp_path / "mine", {"a.toml": "", "no/such/folder.toml": ""})
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_patch_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CartomancerError, match="no such folder"):
        patched_codex(tmp_path / "nowhere")
    write_patch(tmp_path / "mine", {ENTRIES: '[[rooms]]\nid = "root_hollow"\ntitle = "x"\ndeck = "none"\n'})
    with pytest.raises(ContentError, match="not a known deck"):
        patched_codex(tmp_path / "mine")
