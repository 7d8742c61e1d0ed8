"""Swaps: generic cards in flex slots, one for one; the core, the energy and the row of a deck stay [GDD 8.5, 16.5]."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from cartomancer.content.codex import load_codex, scenario_digest
from cartomancer.content.deck_rules import flex_faults
from cartomancer.content.kinds import entry_named
from cartomancer.content.models.encounter import Scenario
from cartomancer.content.swaps import swapped
from cartomancer.content.toml_files import DATA
from cartomancer.encounters.packing import pack
from cartomancer.errors import ContentError, UnknownNameError
from tests.content.conftest import Change

HOLLOW = {"root_hollow": {"shifting_stone": "thick_wall", "deep_root": "loose_masonry"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped content that a test may break."""
    return Path(shutil.copytree(DATA, tmp_path / "content"))


def faults_in(folder: Path) -> list[str]:
    with pytest.raises(ContentError) as caught:
        load_codex(folder)
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


def with_swaps(scenario: str, swaps: dict[str, dict[str, str]]) -> Scenario:
    return load_codex().scenarios[scenario].model_copy(update={"swaps": swaps})


# --- what a swap does -------------------------------------------------------------------------------------------------


def test_one_copy_of_each_card_is_replaced_in_its_place() -> None:
    assert swapped({"a": 3, "b": 1, "c": 1}, {"a": "x", "c": "y"}) == {"a": 2, "x": 1, "b": 1, "y": 1}
    assert list(swapped({"a": 1, "b": 1}, {"a": "x"})) == ["x", "b"]
    assert swapped({"a": 1, "b": 1}, {"a": "x", "b": "x"}) == {"x": 2}
    assert swapped({"a": 1, "x": 1}, {"a": "x"}) == {"x": 2}


def test_a_room_plays_the_swapped_deck() -> None:
    codex = load_codex()
    deck, *others = codex.room_decks(with_swaps("boar", HOLLOW))
    assert deck.cards["deep_root"] == 2
    assert deck.cards["loose_masonry"] == deck.cards["thick_wall"] == 1
    assert "shifting_stone" not in deck.cards
    assert deck.size() == codex.decks["root_hollow"].size()
    plain = [codex.decks[name] for name in ("root_hollow", "whispering_gallery", "veil_breach")]
    assert others == plain[1:]
    assert codex.room_decks(codex.scenarios["boar"]) == plain


def test_a_creature_and_a_class_bring_what_was_swapped_in() -> None:
    codex = load_codex()
    creature = with_swaps("boar", {"thornback_boar": {"mud_wallow": "bandaging"}})
    deck = codex.creature_deck(creature)
    assert deck is not None
    assert deck.cards["bandaging"] == 1
    assert "mud_wallow" not in deck.cards
    pair = Scenario(
        id="pair",
        title="Pair",
        dungeon="verdant_maw",
        rooms=[{"room": "root_hollow"}],
        members=["knight", "knight", "cleric", "rogue"],
        swaps={"knight": {"hold_the_door": "bandaging"}},
    )
    kits = codex.members_of(pair)
    assert [("bandaging" in kit.cards, "hold_the_door" in kit.cards) for kit in kits] == [
        *((True, False), (True, False)),
        *((False, False), (False, False)),
    ]


def test_the_kernel_plays_the_swapped_deck_and_the_digest_tells() -> None:
    plain, other = pack("boar"), pack("boar+shifting_stone=thick_wall")
    names = Counter(other.cards[number].id for number in other.decks[0][0])
    assert names["thick_wall"] == 1
    assert "shifting_stone" not in names
    assert plain.digest != other.digest
    company = pack("standard-company+hold_the_door=bandaging")
    assert "bandaging" in {company.cards[number].id for number in company.decks[1]}


def test_the_digest_follows_swaps_and_not_what_might_be_swapped() -> None:
    codex = load_codex()
    digests = {
        scenario_digest(codex, codex.scenario(name))
        for name in ("boar", "boar+shifting_stone=thick_wall", "boar+buckling_vault=thick_wall")
    }
    assert len(digests) == 3
    stiff = {name: kit.model_copy(update={"flex": []}) for name, kit in codex.classes.items()}
    company = codex.scenarios["standard-company"]
    assert scenario_digest(replace(codex, classes=stiff), company) == scenario_digest(codex, company)


def test_a_swap_after_a_plus_sign_finds_its_deck() -> None:
    codex = load_codex()
    assert codex.scenario("boar+shifting_stone=thick_wall").swaps == {"root_hollow": {"shifting_stone": "thick_wall"}}
    assert codex.scenario("boar+mud_wallow=bandaging").swaps == {"thornback_boar": {"mud_wallow": "bandaging"}}
    both = codex.scenario("company-gauntlet+deep_root=deep_draught+frenzy")
    assert both.swaps == {name: {"deep_root": "deep_draught"} for name in ("living_root_sanctuary", "root_hollow")}
    assert both.modifiers == ["frenzy"]
    found = entry_named(codex, "boar+shifting_stone=thick_wall").entry
    assert found == codex.scenario("boar+shifting_stone=thick_wall")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("boar+nothing=thick_wall", "unknown card in these decks 'nothing'"),
        ("boar+shifting_ston=thick_wall", "did you mean 'shifting_stone'"),
    ],
)
def test_a_card_that_nobody_holds_is_refused_with_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(UnknownNameError, match=hint):
        load_codex().scenario(name)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("boar+deadfall=tripwire", "swaps.root_hollow = 'deadfall' is locked"),
        ("boar+shifting_stone=crushing_grip", "swaps.root_hollow.shifting_stone = 'crushing_grip' is not in a pool"),
        ("boar+shifting_stone=thik_wall", r"not in a pool of the dungeon \(right would be: thick_wall\)"),
        ("boar+mud_wallow=thick_wall", "is not in a pool of the visitor"),
        ("boar+shifting_stone=loose_masonry", r"swaps.root_hollow\[react\] = 1 does not fit the tactical row"),
        ("standard-company+sundering_blow=bandaging", "swaps.knight = 'sundering_blow' is locked"),
        ("boar+deep_root=loose_masonry+deep_root=thick_wall", "swaps = 'deep_root' is swapped twice"),
    ],
)
def test_a_swap_that_breaks_a_deck_is_refused(name: str, fault: str) -> None:
    with pytest.raises(ContentError, match=fault):
        load_codex().scenario(name)


# --- what a scenario's swaps may do -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("swaps", "fault"),
    [
        ("root_holow = { deep_root = 'loose_masonry' }", "swaps = 'root_holow' has no cards in this scenario"),
        ("whispering_gallery = { deep_root = 'loose_masonry' }", "swaps = 'whispering_gallery' has no cards in this"),
        ("root_hollow = { deep_rot = 'loose_masonry' }", "swaps.root_hollow = 'deep_rot' is not one of its cards"),
        ("root_hollow = { deadfall = 'tripwire' }", "swaps.root_hollow = 'deadfall' is locked (right would be: deep_"),
        (
            "root_hollow = { deep_root = 'lose_masonry' }",
            "swaps.root_hollow.deep_root = 'lose_masonry' is not in a pool",
        ),
        (
            "root_hollow = { deep_root = 'bandaging' }",
            "swaps.root_hollow.deep_root = 'bandaging' is not in a pool of the",
        ),
        ("root_hollow = { deep_root = 'open_hand' }", "swaps.root_hollow[test] = 1 does not fit the tactical row"),
        ("cleric = { parley = 'shared_rations' }", "swaps.cleric = 'parley' is locked (right would be: "),
        ("thornback_boar = { gore = 'bandaging' }", "swaps = 'thornback_boar' has no cards in this scenario"),
    ],
)
def test_every_constraint_of_a_swap_is_named_with_what_would_be_right(
    folder: Path, change: Change, swaps: str, fault: str
) -> None:
    change("scenarios/standard-company.toml", "\n[[rooms]]", f"\n[swaps]\n{swaps}\n\n[[rooms]]")
    faults = faults_in(folder)
    assert any(line.startswith(f"scenarios/standard-company.toml: {fault}") for line in faults), faults


def test_all_faults_of_the_swaps_are_named_at_once(folder: Path, change: Change) -> None:
    swaps = (
        "nobody = { deep_root = 'loose_masonry' }\n"
        "root_hollow = { deadfall = 'tripwire', nothing = 'thick_wall', deep_root = 'gore' }\n"
        "knight = { sundering_blow = 'bandaging' }\n"
    )
    change("scenarios/standard-company.toml", "\n[[rooms]]", f"\n[swaps]\n{swaps}\n[[rooms]]")
    assert len(faults_in(folder)) == 5


def test_three_energy_cards_stay_in_a_deck(folder: Path, change: Change) -> None:
    change("decks.toml", "deep_root = 2\npatient_spring = 1\nshared_warmth = 1\n", "deep_root = 2\nshared_warmth = 1\n")
    change("decks.toml", "slow_regrowth = 1\n", "slow_regrowth = 1\nsoul_leech = 1\n")
    swaps = "swaps = { living_root_sanctuary = { deep_root = 'bread_and_salt' } }"
    change("scenarios/symbiote.toml", "dungeon = ", f"{swaps}\ndungeon = ")
    faults = faults_in(folder)
    assert any("swaps.living_root_sanctuary[energy] = 2 is too few (right would be: at least 3" in f for f in faults)


def test_a_kit_keeps_an_energy_card(folder: Path, change: Change) -> None:
    change("classes.toml", "steady_breath = 1\ndrilled_footing = 1\n", "steady_breath = 1\nsappers_swing = 1\n")
    change("classes.toml", "sundering_blow = 1\nsappers_swing = 1\n", "sundering_blow = 2\n")
    text = (folder / "classes.toml").read_text()
    head, _, tail = text.partition("flex = [")
    (folder / "classes.toml").write_text(f'{head}flex = ["steady_breath", {tail.split(", ", 1)[1]}')
    change(
        "scenarios/standard-company.toml",
        "dungeon =",
        "swaps = { knight = { steady_breath = 'bandaging' } }\ndungeon =",
    )
    (fault,) = faults_in(folder)
    assert "swaps.knight[energy] = 0 is too few (right would be: at least 1 Energy card)" in fault


def test_a_card_comes_at_most_four_times(folder: Path, change: Change) -> None:
    outs = ("territorial_bellow", "shake_it_off", "mud_wallow", "pawed_ground", "steady_breath")
    swaps = ", ".join(f"{name} = 'bandaging'" for name in outs)
    change("scenarios/boar.toml", "dungeon =", f"swaps = {{ thornback_boar = {{ {swaps} }} }}\ndungeon =")
    faults = faults_in(folder)
    assert any("swaps.thornback_boar[bandaging] = 5 is too many (right would be: at most 4" in f for f in faults)


def test_a_waived_category_may_be_left_and_come_back_into_its_row() -> None:
    swapped_energy = load_codex().scenario("standard-company+deep_root=loose_masonry")
    assert swapped_energy.swaps == {"root_hollow": {"deep_root": "loose_masonry"}}


def test_the_covenant_of_a_room_stays(folder: Path, change: Change) -> None:
    change("decks.toml", '"root_snare", "truce_of_the_hollow", ', '"root_snare", ')
    swaps = "swaps = { root_hollow = { truce_of_the_hollow = 'bread_and_salt' } }"
    change("scenarios/boar.toml", "dungeon =", f"{swaps}\ndungeon =")
    (fault,) = faults_in(folder)
    assert "swaps.root_hollow[covenant] must be in a room's deck exactly once" in fault


# --- flex slots of classes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["knight", "battlemage", "cleric", "rogue"])
def test_the_four_classes_have_two_or_three_flex_slots(name: str) -> None:
    kit = load_codex().classes[name]
    assert len(kit.flex) in {2, 3}
    assert set(kit.flex) <= set(kit.cards)


@pytest.mark.parametrize(
    ("flex", "fault"),
    [
        (["hold_the_dor", "vanguards_shout"], "flex = 'hold_the_dor' is not one of its cards"),
        (["hold_the_door", "hold_the_door"], "flex = 'hold_the_door' is listed twice"),
        (["hold_the_door"], "flex = 1 is too few (right would be: 2 to 3 flex slots, or none)"),
        (["hold_the_door", "vanguards_shout", "brace_the_line", "sundering_blow"], "flex = 4 is too many"),
    ],
)
def test_flex_slots_are_checked(flex: list[str], fault: str) -> None:
    kit = load_codex().classes["knight"].model_copy(update={"flex": flex})
    assert any(str(found).startswith(fault) for found in flex_faults(kit))
    assert not list(flex_faults(kit.model_copy(update={"flex": []})))
