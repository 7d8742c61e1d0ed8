"""Guardians one can fight: a dungeon's values, a lair, traits and signature cards; five of them guard an act."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from cartomancer.content import load_preset
from cartomancer.content.catalog import load_catalog
from cartomancer.content.check import check_everything, unknown_entries
from cartomancer.content.codex import load_codex, scenario_digest
from cartomancer.content.models.encounter import Scenario
from cartomancer.content.models.guardian import GuardianRules
from cartomancer.content.toml_files import DATA
from cartomancer.encounters import Encounter, from_notation, notation
from cartomancer.encounters.packing import pack
from cartomancer.errors import ContentError, UnknownNameError
from cartomancer.maps.families import guardian as guardian_family
from cartomancer.maps.generation import ruleset_digest
from tests.content.conftest import Change

GUARDIANS = list(load_catalog().guardians)
STATS = ("structure", "veil", "presence")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped content that a test may break."""
    return Path(shutil.copytree(DATA, tmp_path / "content"))


def faults_in(folder: Path) -> list[str]:
    with pytest.raises(ContentError) as caught:
        load_codex(folder)
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


# --- who they are -----------------------------------------------------------------------------------------------------


def test_there_are_twelve_guardians_and_five_have_an_act() -> None:
    guardians = load_catalog().guardians
    assert len(guardians) == 12
    assert [(entry.id, entry.act) for entry in guardians.values() if entry.act] == [
        *(("beholder", 1), ("house", 2), ("shadow_kraken", 3), ("dealer", 4), ("rng", 5)),
    ]


def test_maps_are_drawn_from_the_guardians_of_acts_as_before() -> None:
    catalog = load_catalog()
    assert catalog.digest() == "69aa71dc"
    stranger = next(entry for entry in catalog.guardians.values() if not entry.act)
    assert catalog.digest([stranger.id]) != catalog.digest()
    assert catalog.digest(["beholder", "nobody"]) == catalog.digest()


def test_a_map_notices_changes_of_every_guardian_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = load_preset("guardian", "three_acts")
    assert isinstance(plain, GuardianRules)
    acts = [plain.acts[0].model_copy(update={"guardian": "hedge_king"}), *plain.acts[1:]]
    other = plain.model_copy(update={"acts": acts})
    before = [ruleset_digest(rules) for rules in (plain, other)]
    catalog = load_catalog()
    grown = catalog.guardians["hedge_king"].model_copy(update={"health": 999})
    changed = replace(catalog, guardians={**catalog.guardians, "hedge_king": grown})
    monkeypatch.setattr(guardian_family, "load_catalog", lambda: changed)
    after = [ruleset_digest(rules) for rules in (plain, other)]
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False]


def test_a_guardian_plays_as_a_profile_of_the_dungeon(folder: Path, change: Change) -> None:
    change("guardians.toml", 'id = "rng"', 'id = "rng"\nprofile = "cooperative"')
    change("guardians.toml", 'id = "house"', 'id = "house"\nprofile = "agressive"')
    faults = faults_in(folder)
    assert "guardians.toml: house: profile = 'agressive' is not a known profile (right would be: aggressive)" in faults
    assert any(
        line.startswith("guardians.toml: rng: profile = 'cooperative' is a profile of the visitor") for line in faults
    )


def test_the_digest_of_maps_ignores_how_a_guardian_fights(folder: Path, change: Change) -> None:
    structure = load_catalog().guardians["beholder"].structure
    change("guardians.toml", f"structure = {structure}", f"structure = {structure + 1}")
    assert load_catalog(folder).digest() == load_catalog().digest()
    change("guardians.toml", "health = 90", "health = 91")
    assert load_catalog(folder).digest() != load_catalog().digest()


@pytest.mark.parametrize("name", GUARDIANS)
def test_a_guardian_is_a_worthy_opponent(name: str) -> None:
    codex, guardian = load_codex(), load_catalog().guardians[name]
    assert all(18 <= getattr(guardian, stat) <= 40 for stat in STATS)
    assert len(set(guardian.traits)) == 2
    assert guardian.room in codex.rooms
    assert 1 <= len(guardian.swaps) <= 3
    assert guardian.summary


def test_signature_cards_belong_to_one_guardian_alone() -> None:
    codex = load_codex()
    signatures = [card for guardian in codex.catalog.guardians.values() for card in guardian.swaps.values()]
    assert len(set(signatures)) == len(signatures)
    held = {card for deck in codex.decks.values() for card in deck.cards}
    assert not held & set(signatures)
    assert not set(codex.generic_cards("dungeon")) & set(signatures)


def test_guardians_of_later_acts_stand_firmer() -> None:
    acts = [entry for entry in load_catalog().guardians.values() if entry.act]
    totals = [sum(getattr(entry, stat) for stat in STATS) for entry in acts]
    assert totals == sorted(totals)
    assert len(set(totals)) == len(totals)


# --- fighting them ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GUARDIANS)
def test_a_guardian_waits_in_its_lair_for_the_standard_company(name: str) -> None:
    codex = load_codex()
    guardian, scenario = codex.catalog.guardians[name], codex.scenario(f"guardian:{name}")
    assert [stop.room for stop in scenario.rooms] == [guardian.room]
    assert (scenario.dungeon, scenario.party) == (name, "standard_company")
    assert scenario.modifiers == guardian.traits
    assert codex.dungeon_of(scenario) == guardian.dungeon()
    (deck,) = codex.room_decks(scenario)
    assert set(guardian.swaps.values()) <= set(deck.cards)
    packed = pack(f"guardian:{name}")
    assert packed.tables["dungeon"]["start"].tolist() == [getattr(guardian, stat) for stat in STATS]
    assert packed.name == f"guardian:{name}"


def test_a_guardians_fight_is_played_saved_and_found_again() -> None:
    fight = Encounter("guardian:beholder+frenzy", seed=7)
    while fight.decision is not None and len(fight.actions) < 25:
        fight.apply(fight.legal()[0])
    line = notation(fight)
    assert line.startswith("encounter:guardian:beholder+frenzy|")
    assert from_notation(line).state_hash() == fight.state_hash()


def test_a_scenario_may_name_a_guardian_and_any_visitor(tmp_path: Path) -> None:
    codex = load_codex()
    path = tmp_path / "my-hunt.toml"
    path.write_text('id = "my-hunt"\ntitle = "Hunt"\nguardian = "beholder"\ncreature = "thornback_boar"\n')
    found, guardian = codex.scenario(str(path)), codex.catalog.guardians["beholder"]
    assert (found.dungeon, found.creature, found.rooms[0].room) == ("beholder", "thornback_boar", guardian.room)
    assert found.modifiers == guardian.traits
    assert codex.scenario(f"{path}+frenzy").modifiers == [*guardian.traits, "frenzy"]
    assert scenario_digest(codex, found) != scenario_digest(codex, codex.scenario("guardian:beholder"))


def test_a_scenarios_own_swaps_and_modifiers_join_the_guardians(tmp_path: Path) -> None:
    codex = load_codex()
    guardian = codex.catalog.guardians["beholder"]
    path = tmp_path / "my-hunt.toml"
    path.write_text(
        'id = "my-hunt"\ntitle = "Hunt"\nguardian = "beholder"\nparty = "standard_company"\nmodifiers = ["frenzy"]\n'
        'swaps = { knight = { hold_the_door = "bandaging" } }\n'
    )
    found = codex.scenario(str(path))
    assert found.modifiers == [*guardian.traits, "frenzy"]
    assert found.swaps == {guardian.room: guardian.swaps, "knight": {"hold_the_door": "bandaging"}}


def test_scenario_files_with_guardians_are_spelled_out_when_read(folder: Path) -> None:
    text = 'id = "eye"\ntitle = "Eye"\nguardian = "beholder"\nparty = "standard_company"\n'
    (folder / "scenarios" / "eye.toml").write_text(text)
    codex = load_codex(folder)
    assert codex.scenarios["eye"].dungeon == "beholder"
    assert codex.scenario("eye") is codex.scenarios["eye"]


@pytest.mark.parametrize(
    "fields",
    [
        {"guardian": "beholder", "dungeon": "verdant_maw"},
        {"guardian": "beholder", "rooms": [{"room": "root_hollow"}]},
        {"guardian": "beholder", "enemies": ["mourner"]},
        {"enemies": ["mourner"], "dungeon": "verdant_maw"},
        {"dungeon": "verdant_maw"},
        {"rooms": [{"room": "root_hollow"}]},
        {},
    ],
)
def test_a_scenario_has_a_guardian_or_enemies_or_a_dungeon_with_rooms(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="give a guardian, or enemies, or a dungeon with its rooms"):
        Scenario.model_validate({"id": "x", "title": "X", "creature": "thornback_boar", **fields})


def test_an_unknown_guardian_is_refused_with_the_nearest(folder: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'beholder'"):
        load_codex().scenario("guardian:beholdr")
    text = 'id = "eye"\ntitle = "Eye"\nguardian = "beholdr"\nparty = "standard_company"\n'
    (folder / "scenarios" / "eye.toml").write_text(text)
    (fault,) = faults_in(folder)
    assert fault == "scenarios/eye.toml: guardian = 'beholdr' is not a known guardian (right would be: beholder)"


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "new", "fault"),
    [
        ("room", 'room = "root_holow"', "room = 'root_holow' is not a known room (right would be: root_hollow)"),
        (
            "traits",
            'traits = ["swift", "armored"]',
            "traits = 'armored' is not a known trait (right would be: armoured)",
        ),
        ("traits", 'traits = ["swift", "swift"]', "a trait is listed twice"),
        ("swaps", 'swaps = { nothing = "loose_masonry" }', "swaps = 'nothing' is not one of its cards"),
        ("swaps", 'swaps = { deadfall = "tripwire" }', "swaps = 'deadfall' is locked"),
        ("swaps", 'swaps = { shifting_stone = "gore" }', "swaps.shifting_stone = 'gore' is a card of the visitor"),
        ("swaps", 'swaps = { shifting_stone = "gaze" }', "swaps.shifting_stone = 'gaze' is not a known card"),
        ("swaps", 'swaps = { deep_root = "open_hand" }', "swaps[test] = 1 does not fit the tactical row"),
        ("act", "act = 2", "act = 2 is not its place"),
    ],
)
def test_a_guardian_that_cannot_be_fought_is_refused(folder: Path, field: str, new: str, fault: str) -> None:
    head, _, rest = (folder / "guardians.toml").read_text().partition('id = "beholder"')
    entry, _, others = rest.partition("[[guardians]]")
    lines = [line for line in entry.splitlines() if line.partition(" = ")[0] not in {field, "room"}]
    lair = [] if field == "room" else ['room = "root_hollow"']
    if field not in {"swaps", "room"}:
        lines = ['swaps = { shifting_stone = "thick_wall" }' if line.startswith("swaps") else line for line in lines]
    text = "\n".join([f'{head}id = "beholder"', *lines, *lair, new, "", f"[[guardians]]{others}"])
    (folder / "guardians.toml").write_text(text)
    faults = faults_in(folder)
    assert any(line.startswith("guardians.toml: beholder: ") and fault in line for line in faults), faults


def test_a_guardian_waits_in_a_theme_that_exists(folder: Path) -> None:
    head, _, rest = (folder / "guardians.toml").read_text().partition('id = "hedge_king"')
    text = head + 'id = "hedge_king"' + rest.replace('theme = "graveyard"', 'theme = "graveyrd"', 1)
    (folder / "guardians.toml").write_text(text)
    (fault,) = faults_in(folder)
    assert fault == "guardians.toml: hedge_king: theme = 'graveyrd' is not a known theme (right would be: graveyard)"


def test_a_guardian_is_no_dungeons_namesake(folder: Path) -> None:
    text = '\n[[dungeons]]\nid = "beholder"\ntitle = "Beholder"\nstructure = 9\nveil = 9\npresence = 9\n'
    (folder / "dungeons.toml").write_text((folder / "dungeons.toml").read_text() + text)
    (fault,) = faults_in(folder)
    assert fault.startswith("guardians.toml: beholder: id = 'beholder' is already the id of a dungeon")


def test_every_theme_has_its_guardian(folder: Path, change: Change) -> None:
    change("tuning/encounters.toml", '"seed"]', '"seed", "attic"]')
    assert any("themes = 'attic' has no guardian" in fault for fault in faults_in(folder))


def test_every_guardian_that_a_shipped_map_names_is_described() -> None:
    checked, faults = check_everything()
    assert not faults
    assert {f"guardians:{name}" for name in GUARDIANS} <= set(checked)
    assert not list(unknown_entries("guardian", "five_acts", {"guardians": GUARDIANS}))
    (fault,) = unknown_entries("guardian", "five_acts", {"guardians": [name for name in GUARDIANS if name != "house"]})
    assert str(fault).startswith("maps/guardian/five_acts.toml: acts[2].guardian = 'house' is not a known guardian")
