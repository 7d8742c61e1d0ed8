"""Matches: scenarios written in one line."""

from __future__ import annotations

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.content.matches import Match, read_match
from cartomancer.encounters import Encounter, from_notation, notation
from cartomancer.encounters.kernel.fingerprint import state_hash
from cartomancer.encounters.packing import pack
from cartomancer.errors import ContentError, NotationError, UnknownNameError
from cartomancer.jit import wrapping
from cartomancer.players.policies import pack_policies
from cartomancer.players.simulation import read_run_name, run_of, simulate

FULL = "match:knight-knight-cleric-rogue/root_hollow-veil_breach/nurturing"


def test_four_classes_meet_rooms_in_their_order_under_one_profile() -> None:
    codex = load_codex()
    scenario = codex.scenario(FULL)
    assert scenario.members == ["knight", "knight", "cleric", "rogue"]
    assert [stop.room for stop in scenario.rooms] == ["root_hollow", "veil_breach"]
    assert scenario.dungeon == "verdant_maw"
    assert [profile.id for profile in codex.dungeon_profiles(scenario)] == ["nurturing", "nurturing"]


def test_without_a_profile_the_dungeon_plays_as_it_does() -> None:
    codex = load_codex()
    scenario = codex.scenario("match:standard_company/root_hollow")
    assert scenario.dungeon_profile is None
    assert [profile.id for profile in codex.dungeon_profiles(scenario)] == [codex.dungeons["verdant_maw"].profile]


def test_one_name_is_a_party_or_a_creature() -> None:
    codex = load_codex()
    assert codex.scenario("match:standard_company/veil_breach").party == "standard_company"
    assert codex.scenario("match:veil_moth/veil_breach").creature == "veil_moth"


def test_it_is_the_scenario_that_a_file_would_describe() -> None:
    written = pack("match:thornback_boar/root_hollow-whispering_gallery-veil_breach")
    boar = load_codex().scenario("boar")
    assert written.scenario.creature == boar.creature
    assert written.rooms == tuple(stop.room for stop in boar.rooms)
    assert written.digest != pack("boar").digest  # the file shortens the rooms


def test_modifiers_follow_as_after_any_scenario() -> None:
    scenario = load_codex().scenario(f"{FULL}+frenzy+iron_shield@2")
    assert scenario.modifiers == ["frenzy"]
    assert scenario.equipment == {"iron_shield": 2}


def test_runs_of_a_batch_open_again_by_name() -> None:
    found = simulate(FULL, 20, seed=7)
    named = read_run_name(f"{FULL}@7:13")
    assert named == (FULL, 7, 13)
    again = run_of(pack(FULL), pack_policies(pack(FULL)), 7, 13)
    with wrapping():
        assert int(state_hash(again.state)) == int(found.rows["state_hash"][13])


def test_positions_of_a_match_have_a_notation() -> None:
    fight = Encounter(FULL, seed=3).play(["keep", "keep"])
    assert from_notation(notation(fight)).state_hash() == fight.state_hash()


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(ContentError) as caught:
        load_codex().scenario("match:knigt-cleric-rogue/root_hollow-root_hollow-veil_beach/tacticle")
    shown = [str(fault).split(": ", 1)[1].removeprefix("knigt-cleric-rogue/") for fault in caught.value.faults]
    text = "\n".join(shown)
    assert len(shown) == 5
    assert "members = 'knigt' is not a known class (right would be: knight)" in text
    assert "members = 3 is not the size of a party (right would be: 4 classes)" in text
    assert "rooms = 'veil_beach' is not a known room (right would be: veil_breach)" in text
    assert "rooms = 'root_hollow' is there more than once" in text
    assert "profile = 'tacticle' is not a known profile (right would be: tactical)" in text


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("match:standard_compny/root_hollow", "visitor = 'standard_compny' is not a known party or creature"),
        (
            "match:veil_moth/root_hollow-veil_breach-lamp_orchard-bell_foundry-tidal_cradle",
            "rooms = 5 is too many (right would be: 1 to 4 rooms)",
        ),
        ("match:veil_moth/root_hollow/cooperative", "profile = 'cooperative' is a profile of the visitor"),
    ],
)
def test_faults_say_what_would_be_right(name: str, fault: str) -> None:
    with pytest.raises(ContentError) as caught:
        load_codex().scenario(name)
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    "name", ["match:", "match:veil_moth", "match:veil_moth/", "match:a--b/c", "match:a/b/c/d", "match:/b"]
)
def test_other_forms_are_no_matches(name: str) -> None:
    with pytest.raises(NotationError, match="not a match"):
        load_codex().scenario(name)


def test_a_match_is_written_as_it_was_read() -> None:
    assert str(read_match(FULL)) == FULL
    assert str(Match(("veil_moth",), ("root_hollow",))) == "match:veil_moth/root_hollow"


def test_unknown_modifiers_are_refused_as_usual() -> None:
    with pytest.raises(UnknownNameError, match="unknown modifier 'frenzzy'"):
        load_codex().scenario(f"{FULL}+frenzzy")
