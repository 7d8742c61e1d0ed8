"""Damaged notations are refused in words; what is read is what it says."""

from __future__ import annotations

from functools import cache

from hypothesis import given

from cartomancer import maps
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.replay import from_notation, notation
from tests.fuzz.mutations import damaged_texts, fuzzed, refused_in_words, typos

MAPS = [
    maps.read_notation(text).notation
    for text in (
        "voyage:guide:42",
        "voyage:guide[rows=20,treasure=single]:7",
        "contract:standard[heat=high,hooks=injury]:42",
        "guardian:slice:18446744073709551615",
    )
]


@cache
def positions() -> list[str]:
    fights = [Encounter("boar", 42), Encounter("symbiote", 2**64 - 1).play(["keep", "keep"])]
    fights.append(Encounter("boar", 7))
    while len(fights[-1].actions) < 10:
        fights[-1].apply(fights[-1].legal()[0])
    return [notation(fight) for fight in fights]


@fuzzed
@given(damaged_texts([*MAPS, *(text.partition("~")[0] for text in MAPS), "voyage:guide:42"]))
def test_a_damaged_notation_of_a_map_is_refused_or_is_that_of_a_map(text: str) -> None:
    drawn = refused_in_words(lambda: maps.read_notation(text))
    assert drawn is None or maps.read_notation(drawn.notation) == drawn


@fuzzed
@given(typos(MAPS))
def test_a_typo_in_the_notation_of_a_map_is_found(texts: tuple[str, str]) -> None:
    right, wrong = texts
    assert wrong.strip() == right or refused_in_words(lambda: maps.read_notation(wrong)) is None


@fuzzed
@given(damaged_texts([*positions(), *(text.partition("~")[0] for text in positions())]))
def test_a_damaged_notation_of_a_position_is_refused_or_is_that_of_a_position(text: str) -> None:
    fight = refused_in_words(lambda: from_notation(text))
    assert fight is None or from_notation(notation(fight)).state_hash() == fight.state_hash()


@fuzzed
@given(typos(positions()))
def test_a_typo_in_the_notation_of_a_position_is_found(texts: tuple[str, str]) -> None:
    right, wrong = texts
    assert wrong.strip() == right or refused_in_words(lambda: from_notation(wrong)) is None
