"""The content guide's examples: each is read from the page, checked, moved into a content folder, and played."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import cartomancer.jit  # noqa: F401  before anything else of the package: this process decides how its kernels run
from cartomancer.content.check import ARRAYS, by_kind, check_files
from cartomancer.content.codex import Codex, load_codex, read_codex
from cartomancer.content.models.cards import Strike
from cartomancer.content.reader import Reader
from cartomancer.content.toml_files import DATA, read_toml
from cartomancer.encounters import Encounter
from cartomancer.players.player import make_players
from cartomancer.players.policies import PlayerSpec, player_spec
from tests.test_docs import DOCS, write_examples

PAGE = DOCS / "content-guide.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = ["salt_crust", "salt_cistern", "chandler", "dry_ferry", "grudging", "long-way-down", "lost_glove"]
SEEDS = range(6)
TRIAL = """
id = "trial"
title = "Trial"
dungeon = "verdant_maw"
{visitor}

[[rooms]]
room = "{room}"
"""


@pytest.fixture
def examples(tmp_path: Path) -> dict[str, Path]:
    """The page's examples as files, by their names."""
    folder = tmp_path / "mine"
    folder.mkdir()
    return {path.stem: path for path, faulty in write_examples(PAGE, folder).items() if not faulty}


def laid_over(*paths: Path) -> Codex:
    """The shipped content with these files on top, as `content check` reads them."""
    tables = {path: read_toml(path) for path in paths}
    reader = Reader(DATA, {path: by_kind(found) for path, found in tables.items()})
    codex = read_codex(reader)
    assert not reader.faults, [str(fault) for fault in reader.faults]
    assert codex is not None
    return codex


def trial(folder: Path, visitor: str, room: str) -> Path:
    """A scenario to try an example in."""
    path = folder / "trial.toml"
    path.write_text(TRIAL.format(visitor=visitor, room=room), encoding="utf-8")
    return path


def offered(codex: Codex, scenario: str, seed: int, dungeon: PlayerSpec | None = None) -> Iterator[str]:
    """Play a whole run and yield every legal action on the way."""
    fight = Encounter(scenario, seed=seed, codex=codex)
    players = make_players(fight.packed, dungeon, codex=codex)
    while fight.decision is not None:
        yield from fight.legal_texts()
        fight.apply(players.choose(fight))
    assert fight.outcome is not None


def was_in_hand(card: str, codex: Codex, scenario: str) -> bool:
    """Whether some run came to where the card could be played or activated."""
    return any(card in text.split() for seed in SEEDS for text in offered(codex, scenario, seed))


def test_the_page_has_these_examples(examples: dict[str, Path]) -> None:
    assert list(examples) == EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_has_no_fault(examples: dict[str, Path], name: str) -> None:
    assert check_files([examples[name]]) == ([str(examples[name])], [])


def test_all_examples_together_have_no_fault(examples: dict[str, Path]) -> None:
    assert check_files(examples.values())[1] == []


# --- played -----------------------------------------------------------------------------------------------------------


def test_the_card_is_played_from_its_pool(examples: dict[str, Path]) -> None:
    codex = laid_over(examples["salt_crust"])
    assert was_in_hand("salt_crust", codex, "boar+knitting_roots=salt_crust")


def test_the_room_is_played(examples: dict[str, Path], tmp_path: Path) -> None:
    codex = laid_over(examples["salt_cistern"], trial(tmp_path, 'creature = "thornback_boar"', "salt_cistern"))
    assert codex.room_decks(codex.scenario("trial"))[0].cards["cistern_accord"] == 1
    assert was_in_hand("rising_brine", codex, "trial")


def test_the_rooms_own_strike_erodes_what_the_room_leaves_alone(examples: dict[str, Path]) -> None:
    codex = laid_over(examples["salt_cistern"])
    pressed = {effect.resource for effect in codex.rooms["salt_cistern"].auto_effects}
    strike = codex.cards["rising_brine"]
    assert isinstance(strike, Strike)
    assert strike.erode is not None
    assert strike.erode not in pressed


def test_the_class_is_played_in_its_party(examples: dict[str, Path], tmp_path: Path) -> None:
    codex = laid_over(examples["chandler"], trial(tmp_path, 'party = "night_market"', "root_hollow"))
    assert [member.id for member in codex.members_of(codex.scenario("trial"))].count("chandler") == 2
    assert was_in_hand("trimmed_wick", codex, "trial")


def test_the_enemy_is_fought_in_its_pack(examples: dict[str, Path]) -> None:
    codex = laid_over(examples["dry_ferry"])
    assert codex.pack_of(codex.scenario("pack:ferry_stage"))[0].id == "dry_ferryman"
    assert was_in_hand("paid_passage", codex, "pack:ferry_stage")


def test_the_profile_plays(examples: dict[str, Path]) -> None:
    codex = laid_over(examples["grudging"])
    assert list(offered(codex, "boar", 1, player_spec("grudging", "dungeon", codex)))


def test_the_scenario_is_played_as_it_is_written(examples: dict[str, Path]) -> None:
    codex = laid_over(examples["long-way-down"])
    scenario = codex.scenario("long-way-down")
    assert [profile.id for profile in codex.dungeon_profiles(scenario)] == ["nurturing", "tactical"]
    assert codex.room_decks(scenario)[1].cards["thick_wall"] == 1
    assert "raised_shield" in codex.members_of(scenario)[0].cards
    assert list(offered(codex, "long-way-down", 1))
    assert list(offered(load_codex(), str(examples["long-way-down"]), 1))  # from where it lies


# --- moved in ---------------------------------------------------------------------------------------------------------


def entries_in(path: Path) -> Iterator[tuple[str, str]]:
    """The entries of a file, each with its kind, as text."""
    parts = re.split(r"^\[\[(\w+)\]\]\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for kind, text in zip(parts[1::2], parts[2::2], strict=True):
        assert kind in ARRAYS
        yield kind, f"\n[[{kind}]]\n{text}"


def move_in(path: Path, folder: Path) -> None:
    """Put an example where the page's table says."""
    (kind, *_) = by_kind(read_toml(path))
    if kind in {"scenarios", "profiles"}:
        shutil.copy(path, folder / kind / path.name)
        return
    for kind, text in entries_in(path):
        home = folder / "cards" / path.name if kind == "cards" else folder / f"{kind}.toml"
        with home.open("a", encoding="utf-8") as file:
            file.write(text)


def test_a_content_folder_with_all_examples_loads_and_plays(examples: dict[str, Path], tmp_path: Path) -> None:
    folder = Path(shutil.copytree(DATA, tmp_path / "content"))
    for path in examples.values():
        move_in(path, folder)
    codex = load_codex(folder)
    over = laid_over(*examples.values())
    for kind in ("cards", "decks", "pools", "rooms", "profiles", "classes", "parties", "enemies", "packs", "scenarios"):
        assert codex.of_kind(kind) == over.of_kind(kind)
    assert list(offered(codex, "long-way-down+knitting_roots=salt_crust", 2))


# --- refused ----------------------------------------------------------------------------------------------------------

MISTAKES = [
    ("salt_cistern", 'target = "nerve"', 'target = "veil"', "target = 'veil' must be one of the visitor's"),
    ("salt_cistern", "keywords = [", "keyword = [", "keyword is not a known field (right would be: keywords)"),
    ("salt_cistern", '"round_at_least", value = 4', '"self_below"', "value is needed with when = self_below"),
    ("salt_cistern", "deep_root = 2", "deep_root = 1", "cards = 14 is too few (right would be: 15 to 18 cards)"),
    (
        *("salt_cistern", "soul_leech = 1", "soul_leech = 2"),
        "strike = 4 does not fit the tactical row of the composition table",
    ),
    (
        *("salt_cistern", 'identity = "tactical"', 'identity = "tactical"\nwaived = ["trap"]'),
        "waived = 'trap' is not needed: 1 is what the table allows",
    ),
    ("salt_cistern", "cistern_accord = 1", "mossy_rest = 1", "covenant must be in a room's deck exactly once"),
    ("salt_cistern", "deep_root = 2", "steady_breath = 2", "cards = 'steady_breath' is a card of the visitor"),
    (
        *("salt_cistern", 'deck = "salt_cistern"', 'deck = "salt_cisten"'),
        "deck = 'salt_cisten' is not a known deck (right would be: salt_cistern)",
    ),
    (
        *("chandler", '["lit_torch", "braced_spike"]', '["lit_torch"]'),
        "flex = 1 is too few (right would be: 2 to 3 flex slots, or none)",
    ),
    ("dry_ferry", "paid_passage = 2, stone_in_the_boot = 1", "paid_passage = 1", "a kit has 4 to 6 cards, not 3 (C1)"),
    ("dry_ferry", '"walking_milestone"]', '"toll_keeper"]', "tier = 'basic' does not fit its enemies"),
    (
        *("grudging", 'courts_like = "nurturing"\n', ""),
        "courts_like belongs to the goals betray and adapt, and they need it",
    ),
    (
        *("grudging", "vitality = 800", "structure = 800"),
        "must weigh exactly the opponent's reducers: vitality, resolve, nerve",
    ),
    ("long-way-down", "shifting_stone", "deadfall", "swaps.root_hollow = 'deadfall' is locked"),
    ("long-way-down", 'id = "long-way-down"', 'id = "down"', "is not the name of its file"),
]


@pytest.mark.parametrize(("name", "right", "wrong", "message"), MISTAKES, ids=[message for *_, message in MISTAKES])
def test_a_common_mistake_reads_as_the_page_says(
    examples: dict[str, Path], name: str, right: str, wrong: str, message: str
) -> None:
    path = examples[name]
    text = path.read_text(encoding="utf-8")
    assert right in text
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    _, faults = check_files([path])
    assert any(message in str(fault) for fault in faults), [str(fault) for fault in faults]
    assert f"| `{message}" in TEXT
