"""Generic pools: cards that fit anywhere, cover every category and set nothing up for others [GDD 8.5, 15.5]."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import get_args

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.content.models.cards import Cost, Counter, Empower, Energy, Offer, Strike, Trap
from cartomancer.content.models.vocabulary import Category
from cartomancer.content.toml_files import DATA
from cartomancer.errors import ContentError
from tests.content.conftest import Change

SIDES = ("dungeon", "visitor")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped content that a test may break."""
    return Path(shutil.copytree(DATA, tmp_path / "content"))


def faults_in(folder: Path) -> list[str]:
    with pytest.raises(ContentError) as caught:
        load_codex(folder)
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


@pytest.mark.parametrize("side", SIDES)
def test_each_side_has_a_pool_that_covers_every_category(side: str) -> None:
    codex = load_codex()
    (pool,) = (pool for pool in codex.pools.values() if pool.side == side)
    assert 12 <= len(pool.cards) <= 16
    assert {codex.cards[name].category for name in pool.cards} == set(get_args(Category))


@pytest.mark.parametrize("side", SIDES)
def test_a_pool_strikes_every_resource_of_the_other_side(side: str) -> None:
    codex = load_codex()
    strikes = [card for card in map(codex.cards.__getitem__, codex.generic_cards(side)) if isinstance(card, Strike)]
    wanted = {"dungeon": {"vitality", "resolve", "nerve"}, "visitor": {"structure", "veil", "presence"}}[side]
    assert {card.target for card in strikes} >= wanted


@pytest.mark.parametrize("side", SIDES)
def test_generic_cards_set_nothing_up_for_others(side: str) -> None:
    codex = load_codex()
    for card in map(codex.cards.__getitem__, codex.generic_cards(side)):
        assert getattr(card, "trigger", None) is None, card.id
        match card:
            case Strike():
                assert not {"entangle", "erode"} & set(card.keywords), card.id
            case Empower():
                assert not card.keywords, card.id
            case Counter() | Trap():
                assert not card.entangle, card.id
            case Offer():
                assert isinstance(card.price, Cost)
                assert card.price.type == "flat", card.id
            case Energy():
                assert card.kind != "siphon", card.id


@pytest.mark.parametrize("side", SIDES)
def test_generic_cards_are_modest(side: str) -> None:
    codex = load_codex()
    for card in map(codex.cards.__getitem__, codex.generic_cards(side)):
        assert getattr(card, "cost", 0) <= 2, card.id
        assert getattr(card, "power", 0) <= 3, card.id


def test_the_plain_energy_card_of_a_side_is_generic() -> None:
    codex = load_codex()
    assert "deep_root" in codex.generic_cards("dungeon")
    assert "steady_breath" in codex.generic_cards("visitor")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            '"deep_root"',
            '"deep_rot"',
            "dungeon_pool: cards = 'deep_rot' is not a known card (right would be: deep_root)",
        ),
        ('"deep_root"', '"steady_breath"', "dungeon_pool: cards = 'steady_breath' is a card of the visitor"),
        ('"deep_root"', '"truce_of_the_hollow"', "dungeon_pool: cards = 'truce_of_the_hollow' is a Covenant"),
        ('"deep_root"', '"crushing_grip"', "dungeon_pool: cards = 'crushing_grip' has a trigger"),
        ('"deep_root"', '"whetted_roots"', "dungeon_pool: cards = 'whetted_roots' grants keywords"),
        ('"deep_root"', '"deep_root", "deep_root"', "dungeon_pool: cards = 'deep_root' is listed twice"),
        ('side = "dungeon"', 'side = "dungeons"', "dungeon_pool: side = 'dungeons' is not one of the choices"),
    ],
)
def test_what_does_not_belong_into_a_pool_is_named(
    folder: Path, change: Change, old: str, new: str, fault: str
) -> None:
    change("pools.toml", old, new)
    faults = faults_in(folder)
    assert any(line.startswith(f"pools.toml: {fault}") for line in faults), faults
