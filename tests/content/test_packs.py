"""The bestiary: enemies with kits of their own, and packs of them for every theme, danger and party size (C1, C12)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cartomancer.content.catalog import load_catalog
from cartomancer.content.codex import load_codex
from cartomancer.content.models.bestiary import KIT_SIZE, MOST_PLAYERS, Enemy
from cartomancer.content.packs import OWN_DECK, as_deck, read_pack
from cartomancer.content.toml_files import DATA
from cartomancer.errors import ContentError, NotationError
from tests.content.conftest import Change

CODEX = load_codex()
ENEMIES = load_catalog().enemies
GENERIC = set(CODEX.generic_cards("dungeon"))
DANGERS = {"basic": {1, 2, 3, 4, 5}, "elite": {2, 3, 4, 5}}
ROAMED = ("sea", "roads")  # by the packs of voyages and contracts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped content that a test may break."""
    return Path(shutil.copytree(DATA, tmp_path / "content"))


def dangers(theme: str, tier: str, players: int) -> set[int]:
    """How dangerous packs are that so many players meet."""
    packs = CODEX.packs.values()
    return {pack.danger for pack in packs if (pack.theme, pack.tier) == (theme, tier) and pack.players <= players}


# --- what is shipped --------------------------------------------------------------------------------------------------


def test_there_are_enemies_and_packs_enough() -> None:
    assert len(ENEMIES) >= 44
    assert len(CODEX.packs) >= 40
    assert {len(pack.enemies) for pack in CODEX.packs.values()} == {1, 2, 3, 4}


@pytest.mark.parametrize("theme", CODEX.themes)
def test_every_theme_has_enemies_of_both_tiers(theme: str) -> None:
    assert len(load_catalog().enemies_of(theme, "basic")) >= 4
    assert len(load_catalog().enemies_of(theme, "elite")) >= 2


@pytest.mark.parametrize("enemy", ENEMIES.values(), ids=list(ENEMIES))
def test_a_kit_is_an_enemys_own(enemy: Enemy) -> None:
    kit = [CODEX.cards[name] for name in enemy.kit]
    assert KIT_SIZE[0] <= sum(enemy.kit.values()) <= KIT_SIZE[1]
    assert "energy" not in {card.category for card in kit}
    assert sum(enemy.kit[name] for name in GENERIC & set(enemy.kit)) <= 1
    assert enemy.summary
    assert [name for name, other in ENEMIES.items() if other.kit == enemy.kit] == [enemy.id]


@pytest.mark.parametrize("theme", CODEX.themes)
def test_the_cards_of_a_theme_do_all_that_cards_do(theme: str) -> None:
    kits = {name for enemy in ENEMIES.values() if enemy.theme == theme for name in enemy.kit}
    used = {CODEX.cards[name].category for name in kits}
    assert used >= {"strike", "empower", "disrupt", "counter", "react", "trap", "reshape"}


@pytest.mark.parametrize("theme", CODEX.themes)
@pytest.mark.parametrize("tier", DANGERS)
def test_four_players_meet_packs_of_every_danger_in_every_theme(theme: str, tier: str) -> None:
    assert dangers(theme, tier, MOST_PLAYERS) == DANGERS[tier]


@pytest.mark.parametrize("theme", ROAMED)
@pytest.mark.parametrize("tier", DANGERS)
@pytest.mark.parametrize("players", range(1, MOST_PLAYERS + 1))
def test_at_sea_and_on_the_roads_so_does_any_number(theme: str, tier: str, players: int) -> None:
    assert dangers(theme, tier, players) == DANGERS[tier]


def test_every_enemy_is_met() -> None:
    assert {name for pack in CODEX.packs.values() for name in pack.enemies} == set(ENEMIES)


def test_a_packs_enemies_are_of_its_theme() -> None:
    for pack in CODEX.packs.values():
        assert {ENEMIES[name].theme for name in pack.enemies} == {pack.theme}


# --- what a pack is ---------------------------------------------------------------------------------------------------


def test_a_pack_has_the_sum_of_values_and_the_best_attributes() -> None:
    pack = [ENEMIES["crypt_warden"], ENEMIES["bone_choir"]]
    fight = CODEX.scenario("pack:crypt_warden-bone_choir")
    dungeon = CODEX.dungeon_of(fight)
    for name in ("structure", "veil", "presence"):
        assert getattr(dungeon, name) == sum(getattr(enemy, name) for enemy in pack)
    assert (dungeon.attributes.physical, dungeon.attributes.social) == (1, 1)
    weaker = CODEX.dungeon_of(fight.model_copy(update={"vigour_percent": 50}))
    assert weaker.structure == (dungeon.structure + 1) // 2


def test_a_packs_deck_is_its_kits_and_energy() -> None:
    pack = [ENEMIES["gravehound"], ENEMIES["gravehound"]]
    deck = as_deck(pack, CODEX.pack_decks)
    assert deck.id == OWN_DECK
    assert {name: deck.cards[name] for name in pack[0].kit} == {name: 2 * n for name, n in pack[0].kit.items()}
    energy = deck.cards[CODEX.pack_decks.energy_card]
    assert energy / deck.size() >= CODEX.pack_decks.energy_percent / 100


def test_the_traits_of_elites_are_in_force_and_the_first_leads() -> None:
    fight = CODEX.scenario("pack:management")
    assert fight.modifiers == ["hexer", "ambusher"]
    assert fight.rooms[0].room == "dicing_hall"
    assert [profile.id for profile in CODEX.dungeon_profiles(fight)] == [ENEMIES["croupier"].profile]


@pytest.mark.parametrize("text", ["pack:", "pack:/iron_column", "pack:gravehound/"])
def test_what_is_no_pack_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_pack(text)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('["toll_keeper"]', '["toll_goose"]', "lone_toll: tier = 'elite' does not fit its enemies"),
        ('["bouncer", "bouncer", "bouncer"]', '["bouncer", "pit_boss"]', "door_staff: tier = 'basic' does not fit"),
        ('["toll_keeper"]', '["toll_keepr"]', "lone_toll: enemies = 'toll_keepr' is not a known enemy"),
        ('id = "lone_toll"', 'id = "toll_goose"', "toll_goose: id = 'toll_goose' is already the id of an enemy"),
    ],
)
def test_a_pack_that_does_not_fit_is_refused(folder: Path, change: Change, old: str, new: str, fault: str) -> None:
    change("packs.toml", old, new)
    with pytest.raises(ContentError) as caught:
        load_codex(folder)
    assert any(fault in str(found) for found in caught.value.faults), caught.value.faults
