"""What is wrong with one entry: strict types, every fault at once, each with its field, in plain words."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from cartomancer.content.check import check_everything
from cartomancer.content.codex import load_codex
from cartomancer.content.kinds import KINDS
from cartomancer.content.models.bestiary import EncounterTuning
from cartomancer.content.models.encounter import EncounterRules, Room, Scenario
from cartomancer.content.models.profile import Profile
from cartomancer.content.presets import MODELS, load_preset
from cartomancer.content.toml_files import DATA, read_toml, validated
from cartomancer.errors import ContentError, Fault
from cartomancer.lab import target_faults
from tests.content.conftest import Change

ROOM = {"id": "cave", "title": "Cave", "deck": "root_hollow"}
PROFILE = load_codex().profiles["deceptive"].model_dump(mode="json")
VALIDATORS_WORDS = (
    "Input should",
    "Value error",
    "valid ",
    "List should",
    "String should",
    "Tuple should",
    "validation",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the content that may be broken."""
    return Path(shutil.copytree(DATA, tmp_path / "data"))


def faults_of(shape: Any, data: Any) -> tuple[Fault, ...]:
    with pytest.raises(ContentError) as caught:
        validated(shape, data, "here")
    return caught.value.faults


def any_faults(shape: Any, data: Any) -> tuple[Fault, ...]:
    try:
        validated(shape, data, "here")
    except ContentError as error:
        return error.faults
    return ()


@pytest.mark.parametrize("value", [True, "3", 3.0, float("nan"), float("inf"), None, [3], {"x": 3}])
def test_only_a_whole_number_is_one(value: Any) -> None:
    (fault,) = faults_of(Room, ROOM | {"round_limit": value})
    assert fault.field == "round_limit"
    assert fault.problem in {"is not a whole number", "is NaN, which is not a number"}


@pytest.mark.parametrize("value", [1, 0, "true", 1.0])
def test_only_true_and_false_are_truths(value: Any) -> None:
    (fault,) = faults_of(Scenario, {"id": "x", "title": "X", "guardian": "rng", "creature": "b", "retreat": value})
    assert (fault.field, fault.problem) == ("retreat", "is neither true nor false")


@pytest.mark.parametrize("overrides", [{"rows": True}, {"rows": "20"}, {"rows": 20.0}, {"treasure_window": [4, 6.0]}])
def test_overrides_are_as_strict_as_files(overrides: dict[str, Any]) -> None:
    with pytest.raises(ContentError, match="is not a whole number"):
        load_preset("voyage", "guide", overrides)


def test_nan_is_named_as_such() -> None:
    for field in ({"unknown": {"base_shop": float("nan")}}, {"rerolls": float("nan")}):
        with pytest.raises(ContentError, match="is NaN, which is not a number"):
            load_preset("voyage", "guide", field)


def test_all_that_does_not_go_together_is_told_with_its_field() -> None:
    numbers = read_toml(DATA / "tuning/card_game.toml")
    faults = faults_of(EncounterRules, numbers | {"trust_tiers": [9, 5, 3], "opening_energy": 5, "opening_actions": 5})
    assert [fault.field for fault in faults] == ["trust_tiers", "opening_hand"]
    assert str(faults[0]).startswith("here: trust_tiers = [9, 5, 3] must rise")


def test_what_does_not_go_together_is_told_beside_a_faulty_field() -> None:
    faults = faults_of(Profile, PROFILE | {"caution": 10**9, "betrays_at": "9", "targets": {}, "colour": 3})
    assert {fault.field for fault in faults} == {"caution", "betrays_at", "colour", "targets"}
    deep = faults_of(Room, ROOM | {"round_limit": 99, "auto_effects": [{"resource": "nerve", "change": 0}]})
    assert {fault.field for fault in deep} == {"round_limit", "auto_effects[1].change"}


def test_a_faulty_field_is_told_once() -> None:
    (fault,) = faults_of(Profile, PROFILE | {"courts_like": 5})
    assert (fault.field, fault.problem) == ("courts_like", "is not a text")


@pytest.mark.parametrize("wrong", [None, True, 3, 3.5, "three", [], ["x"], {}, {"x": 1}, float("nan"), 10**30, -1])
def test_no_fault_speaks_in_the_validators_words(wrong: Any) -> None:
    codex = load_codex()
    entries = [next(iter(kind.of(codex).values())) for kind in KINDS if kind.of(codex)]
    entries += [load_preset(family) for family in MODELS]
    entries += [codex.rules, codex.quality, codex.thinking, codex.resolution, codex.catalog.stakes]
    for entry in entries:
        data = entry.model_dump(mode="json")
        for field in data:
            for fault in any_faults(type(entry), data | {field: wrong}):
                assert not any(word in fault.problem for word in VALIDATORS_WORDS), str(fault)
                assert re.split(r"[.\[:]", fault.field)[0] in {*data, "entry"}, str(fault)


def test_encounter_tuning_tells_both_of_its_faults() -> None:
    data = load_codex().catalog.encounters.model_dump(mode="json")
    faults = faults_of(EncounterTuning, data | {"elite_count": [0] * 4, "combat_enemies_least": [0] * 4})
    assert [fault.field for fault in faults] == ["combat_enemies_least", "elite_count"]


@pytest.mark.parametrize("hidden", ["\n", "\x1b[31m", "\u202e", "\t"])
def test_titles_that_cannot_be_shown_are_faults_beside_the_others(hidden: str) -> None:
    faults = faults_of(Room, ROOM | {"title": f"Ca{hidden}ve", "round_limit": 99})
    assert {fault.field for fault in faults} == {"title", "round_limit"}


# --- settings that cannot be meant ------------------------------------------------------------------------------------


def test_profiles_that_court_like_each_other_in_a_circle_are_refused(folder: Path, change: Change) -> None:
    profiles = load_codex(folder).profiles.values()
    first, *others = [one for one in profiles if one.courts_like]
    second = next((one for one in others if one.side == first.side), None)
    if second is None:
        change(f"profiles/{first.id}.toml", f'courts_like = "{first.courts_like}"', f'courts_like = "{first.id}"')
        wanted = f"{first.id} → {first.id}"
    else:
        for one, other in ((first, second), (second, first)):
            change(f"profiles/{one.id}.toml", f'courts_like = "{one.courts_like}"', f'courts_like = "{other.id}"')
        wanted = f"{first.id} → {second.id} → {first.id}"
    with pytest.raises(ContentError) as caught:
        load_codex(folder)
    assert any(fault.field == "courts_like" and wanted in fault.problem for fault in caught.value.faults)


def test_targets_that_cannot_be_are_faults_of_the_content(folder: Path) -> None:
    name = folder / "targets" / "mine.toml"
    name.write_text('id = "mine"\ntitle = "M"\nsource = "me"\nscenario = "boar"\n[targets]\nkill = "500..600"\n')
    assert not check_everything(folder)[1]
    _, faults = check_everything(folder, target_faults)
    assert {fault.where for fault in faults} == {"targets/mine.toml"}
    assert any(fault.field == "kill" and "outside" in fault.problem for fault in faults)


@pytest.mark.parametrize("name", ["nope", "spire"])
def test_what_a_preset_extends_cannot_be_overridden(name: str) -> None:
    with pytest.raises(ContentError, match=r"extends = .* cannot be overridden"):
        load_preset("voyage", "guide", {"extends": name})


@pytest.mark.parametrize(
    ("family", "preset", "overrides", "field"),
    [
        ("guardian", "three_acts", {"layer_count": 10}, "layer_count"),
        ("voyage", "guide", {"treasure_window": [3, 4]}, "treasure_window"),
        ("voyage", "guide", {"treasure": "none", "treasure_percent": 50}, "treasure_percent"),
    ],
)
def test_settings_without_effect_are_refused(family: str, preset: str, overrides: dict[str, Any], field: str) -> None:
    with pytest.raises(ContentError, match=f"{field} = .* has no effect"):
        load_preset(family, preset, overrides)


def test_a_file_that_sets_what_has_no_effect_is_refused_and_one_that_inherits_it_is_not(tmp_path: Path) -> None:
    head = 'id = "mine"\ntitle = "Mine"\nfamily = "voyage"\nextends = "guide"\ntreasure = "none"\n'
    path = tmp_path / "mine.toml"
    path.write_text(head)
    assert load_preset("voyage", str(path)).treasure == "none"
    path.write_text(head + "treasure_percent = 50\n")
    with pytest.raises(ContentError, match="treasure_percent = 50 has no effect"):
        load_preset("voyage", str(path))
