"""The codex: every entry of the card game fits the others, and whatever does not is named with what would."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cartomancer.content.catalog import load_catalog
from cartomancer.content.codex import load_codex, scenario_digest
from cartomancer.content.deck_rules import COMPOSITION, covenant_faults, deck_faults, kit_faults, party_faults
from cartomancer.content.entries import CODEX_KINDS
from cartomancer.content.models.encounter import Deck
from cartomancer.content.rules_text import card_text
from cartomancer.content.toml_files import DATA
from cartomancer.errors import ContentError, Fault, UnknownNameError
from tests.content.conftest import Change


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped content that a test may break."""
    return Path(shutil.copytree(DATA, tmp_path / "content"))


def faults_in(folder: Path) -> list[str]:
    with pytest.raises(ContentError) as caught:
        load_codex(folder)
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


def said(faults: Iterable[Fault]) -> list[str]:
    return [str(fault) for fault in faults]


# --- what is shipped --------------------------------------------------------------------------------------------------


def test_the_shipped_codex_holds_together_and_is_read_once() -> None:
    codex = load_codex()
    assert codex is load_codex()
    assert all(codex.of_kind(kind) for kind in CODEX_KINDS)
    assert codex.catalog == load_catalog()


def test_a_copy_in_a_folder_is_the_same_codex(folder: Path) -> None:
    assert load_codex(folder) == load_codex()


def test_the_standard_company_has_the_tabled_strength() -> None:
    codex = load_codex()
    stats = {"vitality": 30, "resolve": 14, "nerve": 16}
    kits = [codex.classes[name] for name in codex.parties["standard_company"].members]
    assert {stat: sum(getattr(kit, stat) for kit in kits) for stat in stats} == stats
    assert sum(kit.size() for kit in kits) == 40


def test_the_five_tiers_have_the_tabled_equipment() -> None:
    shown = {piece.title: (piece.tier, piece.slot, piece.text()) for piece in load_codex().equipment.values()}
    assert shown["Iron Shield"] == ("common", "armour", "The wearer gains 1 vitality.")
    assert shown["Sturdy Boots"][2] == "The wearer gains 2 vitality while the party's nerve is above 50 %."
    assert shown["Veil-Touched Blade"][2] == "Physical Strikes of the wearer also deal 1 veil damage when they hit."
    assert shown["Healer's Oath"][0] == "epic"
    assert shown["Crown of Defiance"][2] == "The party shrugs off the first Panic of each encounter."


@pytest.mark.parametrize("slot", ["weapon", "armour", "accessory"])
def test_every_slot_has_a_choice(slot: str) -> None:
    assert sum(piece.slot == slot for piece in load_codex().equipment.values()) >= 2


def test_room_items_come_in_every_tier() -> None:
    items = {item.tier: item.text() for item in load_codex().room_items.values()}
    assert set(items) == {"common", "uncommon", "rare", "epic", "legendary"}
    assert items["common"] == "In this room the dungeon gains 2 structure."
    assert items["legendary"] == "In this room every Strike of the dungeon gains Drain."


# --- entries ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("power = 2", "powr = 2", "powr is not a known field (right would be: power)"),
        ("\ntype = ", "\ntyp = ", "typ is not a known field (right would be: type)"),
        (
            'category = "strike"',
            'category = "strik"',
            "category = 'strik' is not one of the choices (right would be: strike)",
        ),
        ('category = "strike"\n', "", "category is missing (right would be: one of strike, offer"),
        ("power = 2", "power = 10", "power = 10 is too large (right would be: at most 9)"),
        ('target = "vitality"', 'target = "structure"', "must be one of the visitor's"),
        ("trigger = { when", "trigger = { wen", "trigger.wen is not a known field (right would be: when)"),
        (", power = 3 }", ", powr = 3 }", "trigger.powr is not a known field (right would be: power)"),
    ],
)
def test_a_fault_of_a_card_names_its_file_its_id_and_the_field(
    folder: Path, change: Change, old: str, new: str, fault: str
) -> None:
    change("cards/root_hollow.toml", old, new)
    faults = faults_in(folder)
    assert any(line.startswith("cards/root_hollow.toml: ") and fault in line for line in faults), faults


def test_an_entry_that_is_no_table_is_refused(folder: Path) -> None:
    (folder / "cards" / "odd.toml").write_text("cards = [1]\n")
    assert faults_in(folder) == ["cards/odd.toml: cards[1]: entry = 1 is not a table"]


def test_an_array_that_is_none_is_refused(folder: Path) -> None:
    (folder / "cards" / "odd.toml").write_text("cards = 1\n")
    assert faults_in(folder) == ["cards/odd.toml: cards = 1 is not an array of tables (right would be: [[cards]])"]


def test_missing_files_and_folders_are_faults(folder: Path) -> None:
    (folder / "parties.toml").unlink()
    shutil.rmtree(folder / "scenarios")
    (folder / "tuning" / "resolution.toml").unlink()
    faults = faults_in(folder)
    assert "parties.toml: file does not exist" in faults
    assert "scenarios: folder holds no files (right would be: at least one scenarios/*.toml)" in faults
    assert "tuning/resolution.toml: file does not exist" in faults


def test_a_card_id_is_used_once_over_all_files(folder: Path, change: Change) -> None:
    text = (folder / "cards" / "rogue.toml").read_text()
    first = text[text.index("[[cards]]") :].split("[[cards]]")[1]
    (folder / "cards" / "zz.toml").write_text(f"[[cards]]{first}")
    faults = faults_in(folder)
    assert any(fault.startswith("cards/zz.toml: ") and "is used twice" in fault for fault in faults)


def test_every_fault_is_named_at_once(folder: Path, change: Change) -> None:
    change("decks.toml", "deep_root = 3", "deep_rot = 3")
    change("rooms.toml", 'deck = "living_root_sanctuary"', 'deck = "living_root_sanctuery"')
    change("creatures.toml", 'deck = "drift_symbiote"', 'deck = "drift_symbiot"')
    change("classes.toml", "sundering_blow = 1", "sundering_blo = 1")
    change("parties.toml", '"cleric"', '"clerk"')
    change("equipment.toml", 'slot = "weapon"', 'slot = "hand"')
    change("tuning/card_game.toml", "rally = 1", "rally = 9")
    change("trials.toml", 'code = "healing_percent"', 'code = "healing"')
    change("scenarios/boar.toml", 'dungeon = "verdant_maw"', 'dungeon = "verdant_mow"')
    faults = faults_in(folder)
    for start in (
        "decks.toml: root_hollow: cards = 'deep_rot' is not a known card (right would be: deep_root)",
        "rooms.toml: living_root_sanctuary: deck = 'living_root_sanctuery' is not a known deck (right would be: living",
        "creatures.toml: drift_symbiote: deck = 'drift_symbiot' is not a known deck (right would be: drift_symbiote)",
        "classes.toml: knight: cards = 'sundering_blo' is not a known card (right would be: sundering_blow)",
        "parties.toml: standard_company: members = 'clerk' is not a known class (right would be: cleric)",
        "equipment.toml: veil_touched_blade: slot = 'hand' is not one of the choices",
        "tuning/card_game.toml: rally = 9 is too large (right would be: at most 5)",
        "trials.toml: blood_price: effects[1].code = 'healing' is not one of the choices",
        "scenarios/boar.toml: dungeon = 'verdant_mow' is not a known dungeon (right would be: verdant_maw)",
    ):
        assert any(fault.startswith(start) for fault in faults), (start, faults)
    assert len(faults) == 9


def test_a_faulty_card_is_not_reported_again_by_its_deck(folder: Path, change: Change) -> None:
    change("cards/root_hollow.toml", "cost = ", "cots = ")
    assert {fault.partition(": ")[0] for fault in faults_in(folder)} == {"cards/root_hollow.toml"}


# --- decks, kits, parties ---------------------------------------------------------------------------------------------


def deck_of(identity: str = "tactical", side: str = "dungeon", **counts: int) -> Deck:
    """A deck with so many cards of each category: a playable Tactical one where nothing else is said."""
    usual = {"energy": 4, "strike": 2, "empower": 1, "disrupt": 1, "counter": 1, "react": 2, "trap": 1, "offer": 2}
    amounts: Counter[str] = Counter()
    for category, count in {**usual, "test": 0, "reshape": 1, **counts}.items():
        cards = [card.id for card in load_codex().cards.values() if (card.category, card.side) == (category, side)]
        cards = cards[:2] if category == "offer" else cards
        amounts.update(cards[number % len(cards)] for number in range(count))
    core: list[str] = []
    for name in amounts:
        core += [name] if sum(amounts[held] for held in [*core, name]) <= 10 else []
    return Deck(id="mine", title="Mine", side=side, identity=identity, cards=dict(amounts), core=core)


def faults_of(deck: Deck, changes: dict[str, Any] | None = None, **rules: int) -> str:
    codex = load_codex()
    changed = deck.model_copy(update=changes or {})
    return "\n".join(said(deck_faults(changed, codex.cards, codex.rules.model_copy(update=rules))))


def test_a_deck_holds_15_to_18_cards() -> None:
    assert not faults_of(deck_of())
    assert "cards = 14 is too few (right would be: 15 to 18 cards)" in faults_of(deck_of(strike=1))
    assert "cards = 19 is too many" in faults_of(deck_of(strike=6))


def test_a_deck_needs_cards_for_the_opening_hand() -> None:
    assert "energy = 2 is too few (right would be: at least 3 Energy cards)" in faults_of(deck_of(energy=2, strike=4))
    assert "energy = 4 is too few (right would be: at least 5 Energy cards)" in faults_of(deck_of(), opening_energy=5)
    assert "actions = 11 is too few (right would be: at least 12 action cards)" in faults_of(
        deck_of(), opening_actions=12
    )


def test_a_fifth_to_two_fifths_of_a_deck_is_energy() -> None:
    assert "energy = '50 %' is not a share" in faults_of(
        deck_of(energy=8, strike=1, react=1, reshape=1, counter=1, trap=1, offer=1)
    )
    assert "energy = '17 %' is not a share" in faults_of(deck_of(energy=3, strike=6))
    assert "share" not in faults_of(deck_of(energy=6))


def test_the_composition_table_is_kept_unless_waived() -> None:
    deck = deck_of(strike=4)
    assert faults_of(deck) == (
        "strike = 4 does not fit the tactical row of the composition table "
        "(right would be: 2 to 3, or strike in waived)"
    )
    assert not faults_of(deck, {"waived": ["strike"]})
    nurturing = faults_of(deck_of("nurturing"))
    assert "trap = 1 does not fit the nurturing row of the composition table (right would be: 0, or trap" in nurturing
    assert not faults_of(deck_of("visitor", side="visitor", strike=5, reshape=1))


def test_a_waiver_that_is_not_needed_is_refused() -> None:
    assert faults_of(deck_of(), {"waived": ["offer"]}).startswith("waived = 'offer' is not needed")


@pytest.mark.parametrize("identity", list(COMPOSITION))
def test_every_row_of_the_composition_table_can_be_met(identity: str) -> None:
    row = COMPOSITION[identity]
    assert len(row) == 10
    assert sum(least for least, _ in row.values()) <= 15 <= sum(most for _, most in row.values())


def test_the_identity_of_visitors_is_not_for_dungeons() -> None:
    assert "identity = 'visitor' is not for a dungeon's deck" in faults_of(deck_of("visitor"))


def test_eight_to_ten_cards_of_a_room_are_locked() -> None:
    deck = deck_of()
    names = list(deck.cards)
    for core, fault in (
        (deck.core[:2], "is too few (right would be: 8 to 10 locked cards)"),
        ([], "core = 0 is too few"),
        (names, "core = 15 is too many"),
        ([*deck.core, "gore"], "core = 'gore' is not a card of this deck"),
        ([*deck.core, deck.core[0]], f"core = '{deck.core[0]}' is listed twice"),
    ):
        assert fault in faults_of(deck, {"core": core})
    assert not faults_of(deck_of("visitor", side="visitor"), {"core": []})


def test_a_rooms_deck_has_one_covenant() -> None:
    codex = load_codex()
    deck = codex.decks["root_hollow"]
    covenant = next(name for name in deck.cards if getattr(codex.cards[name], "covenant", False))
    assert not said(covenant_faults(deck, codex.cards))
    for copies, shown in ((0, "covenant must be"), (2, f"covenant = '{covenant}, {covenant}' must be")):
        cards = {name: count for name, count in {**deck.cards, covenant: copies}.items() if count}
        (fault,) = said(covenant_faults(deck.model_copy(update={"cards": cards}), codex.cards))
        assert fault.startswith(f"{shown} in a room's deck exactly once")


def test_only_decks_of_rooms_are_asked_for_a_covenant(folder: Path, change: Change) -> None:
    change("cards/root_hollow.toml", "covenant = true", "covenant = false")
    change("cards/root_hollow.toml", "cost = 4", "cost = 3")
    change("cards/root_hollow.toml", "\nweakens", "\n# weakens")
    (fault,) = faults_in(folder)
    assert fault.startswith("decks.toml: root_hollow: covenant must be in a room's deck exactly once")


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "decks.toml",
            "gore = 1",
            "crushing_grip = 1",
            "thornback_boar: cards = 'crushing_grip' is a card of the dungeon",
        ),
        (
            "classes.toml",
            "sundering_blow = 1",
            "soul_leech = 1",
            "knight: cards = 'soul_leech' is a card of the dungeon",
        ),
        (
            "rooms.toml",
            'deck = "root_hollow"',
            'deck = "thornback_boar"',
            "root_hollow: deck = 'thornback_boar' is not a deck of the dungeon",
        ),
        (
            "creatures.toml",
            'deck = "thornback_boar"',
            'deck = "root_hollow"',
            "thornback_boar: deck = 'root_hollow' is not a deck of the visitor",
        ),
        (
            "classes.toml",
            "sundering_blow = 1\nsappers_swing = 1\nopen_challenge = 1\n",
            "",
            "knight: cards = 7 is too few (right would be: 8 to 12",
        ),
        (
            "classes.toml",
            "steady_breath = 1\ndrilled_footing = 1\n",
            "",
            "knight: energy = 0 is too few (right would be: at least 1",
        ),
    ],
)
def test_cards_stay_on_their_side_and_kits_in_their_bounds(
    folder: Path, change: Change, name: str, old: str, new: str, fault: str
) -> None:
    change(name, old, new)
    faults = faults_in(folder)
    assert any(line.startswith(f"{name}: {fault}") for line in faults), faults


def test_four_kits_make_a_deck_of_32_to_48_cards_with_four_energy() -> None:
    codex = load_codex()
    knight = codex.classes["knight"]
    bare = knight.model_copy(update={"cards": {"sundering_blow": 4, "open_challenge": 3}})
    assert said(kit_faults(bare, codex.cards)) == [
        "cards = 7 is too few (right would be: 8 to 12 cards)",
        "energy = 0 is too few (right would be: at least 1 Energy card)",
    ]
    assert said(party_faults([bare] * 4, codex.cards)) == [
        "members = 28 is too few (right would be: 32 to 48 cards together)",
        "members = 0 is too few (right would be: at least 4 Energy cards together)",
    ]
    assert not said(party_faults([knight] * 4, codex.cards))


# --- the Description Test and names -----------------------------------------------------------------------------------


def test_no_two_cards_of_a_category_read_alike() -> None:
    cards = load_codex().cards.values()
    texts = [(card.category, card_text(card)) for card in cards]
    assert len(set(texts)) == len(texts)


def test_cards_that_read_alike_are_refused_across_files(folder: Path) -> None:
    blocks = (folder / "cards" / "root_hollow.toml").read_text().split("[[cards]]")
    (block,) = (block for block in blocks if 'id = "crushing_grip"' in block)
    copy = block.replace("crushing_grip", "crushing_grasp").replace("cost = ", "cost = 0 # ")
    (folder / "cards" / "zz.toml").write_text(f"[[cards]]{copy}")
    (fault,) = faults_in(folder)
    assert fault.startswith("cards/zz.toml: crushing_grasp: text = ")
    assert "reads exactly like 'crushing_grip'" in fault


def test_equipment_that_reads_alike_is_refused(folder: Path, change: Change) -> None:
    change("equipment.toml", 'type = "environmental", resource = "structure"', 'type = "physical", resource = "veil"')
    (fault,) = faults_in(folder)
    assert fault.startswith("equipment.toml: quarrymans_pick: text = ")
    assert "reads exactly like 'veil_touched_blade'" in fault


@pytest.mark.parametrize(
    ("name", "old", "new", "kind"),
    [
        ("equipment.toml", 'id = "iron_shield"', 'id = "frenzy"', "trials"),
        ("room_items.toml", 'id = "shored_pillars"', 'id = "healers_oath"', "equipment"),
        ("traits.toml", 'id = "swift"', 'id = "bounty_tag"', "intrusions"),
    ],
)
def test_no_two_modifiers_share_an_id(folder: Path, change: Change, name: str, old: str, new: str, kind: str) -> None:
    change(name, old, new)
    assert any(
        fault.startswith(f"{name}: ") and f"is already the id of one of the {kind}" in fault
        for fault in faults_in(folder)
    )


# --- scenarios --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            'id = "company-gauntlet"',
            'id = "gauntlet"',
            "id = 'gauntlet' is not the name of its file (right would be: company-gauntlet)",
        ),
        ('id = "company-gauntlet"', 'id = "Company"', "lower-case letters, digits, _ and -"),
        (
            'room = "root_hollow"',
            'room = "root_holow"',
            "rooms[2].room = 'root_holow' is not a known room (right would be: root_hollow)",
        ),
        (
            'party = "standard_company"',
            'party = "standard"',
            "party = 'standard' is not a known party (right would be: standard_company)",
        ),
        (
            'party = "standard_company"',
            'members = ["knight", "knight", "cleric", "rouge"]',
            "members = 'rouge' is not a known class (right would be: rogue)",
        ),
        (
            'party = "standard_company"',
            'creature = "thornback"',
            "creature = 'thornback' is not a known creature (right would be: thornback_boar)",
        ),
        (
            "retreat = true",
            'modifiers = ["frenzi"]',
            "modifiers = 'frenzi' is not a known modifier (right would be: frenzy)",
        ),
        ("retreat = true", 'modifiers = ["iron_shield"]', "modifiers = 'iron_shield' is not a known modifier"),
        ("retreat = true", 'modifiers = ["frenzy", "frenzy"]', "modifiers = 'frenzy' is listed twice"),
        (
            "iron_shield = 1",
            "iron_shild = 1",
            "equipment = 'iron_shild' is not a known equipment (right would be: iron_shield)",
        ),
        ("iron_shield = 1", "iron_shield = 5", "equipment.iron_shield = 5 is not a seat (right would be: 1 to 4)"),
        (
            "iron_shield = 1",
            "iron_shield = 4",
            "equipment.sturdy_boots = 4 is where 'iron_shield' is worn already (armour)",
        ),
        (
            'items = ["shored_pillars"]',
            'items = ["shored_pilars"]',
            "rooms[2].items = 'shored_pilars' is not a known room item (right would be: shored_pillars)",
        ),
        (
            'items = ["shored_pillars"]',
            'items = ["last_lantern", "last_lantern"]',
            "rooms[2].items = 'last_lantern' is listed twice",
        ),
        ('room = "root_hollow"', 'rom = "root_hollow"', "rooms[2].rom is not a known field (right would be: room)"),
    ],
)
def test_what_a_scenario_names_exists(folder: Path, change: Change, old: str, new: str, fault: str) -> None:
    change("scenarios/company-gauntlet.toml", old, new)
    faults = faults_in(folder)
    assert any(line.startswith("scenarios/company-gauntlet.toml: ") and fault in line for line in faults), faults


@pytest.mark.parametrize("line", ["targeted_seat = 2", "equipment = { iron_shield = 2 }"])
def test_a_creature_has_one_seat(folder: Path, change: Change, line: str) -> None:
    change("scenarios/boar.toml", 'dungeon = "verdant_maw"', f'dungeon = "verdant_maw"\n{line}')
    (fault,) = faults_in(folder)
    assert "= 2 is not a seat (right would be: 1: a creature has one seat)" in fault


def test_a_scenario_is_found_by_name_with_modifiers() -> None:
    codex = load_codex()
    boar = codex.scenario("boar")
    assert boar is codex.scenarios["boar"]
    more = codex.scenario("boar+frenzy+hexed+iron_shield+shored_pillars")
    assert more.modifiers == ["frenzy", "hexed"]
    assert more.equipment == {"iron_shield": 1}
    assert [(stop.room, stop.items) for stop in more.rooms] == [(stop.room, ["shored_pillars"]) for stop in boar.rooms]
    assert (more.dungeon, more.creature) == (boar.dungeon, boar.creature)


def test_equipment_goes_to_the_seat_after_the_at_and_room_items_into_every_room() -> None:
    codex = load_codex()
    more = codex.scenario("company-gauntlet+duellists_foil@3+last_lantern")
    assert more.equipment["duellists_foil"] == 3
    assert [stop.items for stop in more.rooms] == [["last_lantern"], ["shored_pillars", "last_lantern"]]
    assert codex.scenario("company-gauntlet+iron_shield@2").equipment["iron_shield"] == 2


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("bore", "did you mean 'boar'"),
        ("boar+frenzi", "did you mean 'frenzy'"),
        ("boar+iron_sheild", "did you mean 'iron_shield'"),
        ("boar+", "unknown modifier ''"),
        ("boar+frenzy@2", "unknown modifier 'frenzy@2'"),
        ("standard-company+iron_shield@x", "unknown seat 'x'"),
        ("", "unknown scenario ''"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(UnknownNameError, match=hint.replace("+", r"\+")):
        load_codex().scenario(name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("boar+frenzy+frenzy", "is listed twice"),
        ("boar+iron_shield@2", "a creature has one seat"),
        ("company-gauntlet+quarrymans_pick@2", "is where 'veil_touched_blade' is worn already"),
        ("boar+" + "+".join(list(load_catalog().trials)[:13]), "modifiers"),
    ],
)
def test_modifiers_that_do_not_go_together_are_refused(name: str, reason: str) -> None:
    with pytest.raises(ContentError, match=reason):
        load_codex().scenario(name)


def test_a_scenario_file_is_read_and_refused_with_every_fault(tmp_path: Path) -> None:
    path = tmp_path / "my-hunt.toml"
    head = 'id = "my-hunt"\ntitle = "Hunt"\ndungeon = "{}"\ncreature = "{}"\n[[rooms]]\nroom = "root_hollow"\n'
    path.write_text(head.format("verdant_maw", "thornback_boar"))
    codex = load_codex()
    assert codex.scenario(str(path)).title == "Hunt"
    assert codex.scenario(f"{path}+frenzy").modifiers == ["frenzy"]
    path.write_text(head.format("verdant_mow", "boar"))
    with pytest.raises(ContentError) as caught:
        codex.scenario(str(path))
    assert len(caught.value.faults) == 2
    assert all(str(fault).startswith(f"{path}: ") for fault in caught.value.faults)
    with pytest.raises(ContentError, match="does not exist"):
        codex.scenario(str(tmp_path / "none.toml"))
    other = path.rename(tmp_path / "other.toml")
    with pytest.raises(ContentError, match="is not the name of its file"):
        codex.scenario(str(other))


def test_the_digest_follows_what_decides_and_nothing_else(folder: Path, change: Change) -> None:
    def digest(name: str = "boar") -> str:
        codex = load_codex(folder)
        return scenario_digest(codex, codex.scenario(name))

    first = digest()
    assert len(first) == 12
    assert int(first, 16)
    change("scenarios/boar.toml", 'title = "', 'title = "The Other ')
    change("decks.toml", 'title = "Root Hollow"', 'title = "Hollow"')
    change("classes.toml", 'role = "tank"', 'role = "flex"')
    change("cards/rogue.toml", "cost = 1", "cost = 2")
    assert digest() == first
    seen = {first, digest("boar+frenzy"), digest("boar+iron_shield"), digest("boar+shored_pillars"), digest("symbiote")}
    assert len(seen) == 5
    for name, pattern in (
        ("cards/root_hollow.toml", r"(?<=cost = )1"),
        ("creatures.toml", r"(?<=vitality = )\d+"),
        ("dungeons.toml", r"(?<=veil = )\d+"),
        ("rooms.toml", r"(?<=round_limit = )\d+"),
        ("tuning/card_game.toml", r"(?<=trust_cap_per_round = )\d+"),
        ("tuning/resolution.toml", r"(?<=attacker_percent = )\d+"),
    ):
        text = (folder / name).read_text()
        (folder / name).write_text(re.sub(pattern, lambda found: str(int(found[0]) + 1), text, count=1))
        assert digest() not in seen, name
        seen.add(digest())
