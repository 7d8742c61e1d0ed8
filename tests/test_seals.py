"""Check letters tell a typo, and digests tell damage."""

from __future__ import annotations

import string

import pytest

from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.replay import from_notation, notation
from cartomancer.errors import NotationError
from cartomancer.maps import generate, read_notation
from cartomancer.maps.notation import parse
from cartomancer.seals import check_letters, seal_faults, sealed, with_check, without_check

MAP = with_check("voyage:guide[rows=20]:250:37d0b58c")
SIGNS = string.ascii_letters + string.digits + ":|.,=[]~-"


def test_every_wrong_character_and_every_exchange_of_neighbours_changes_the_letters() -> None:
    text = MAP.partition("~")[0]
    right = check_letters(text)
    for place, there in enumerate(text):
        wrong = (text[:place] + sign + text[place + 1 :] for sign in SIGNS if sign != there)
        assert right not in map(check_letters, wrong)
        after = text[place + 1 : place + 2]
        if after not in ("", there):
            assert check_letters(text[:place] + after + there + text[place + 2 :]) != right


def test_letters_that_do_not_fit_are_a_typo() -> None:
    assert without_check(MAP) == MAP.partition("~")[0] == without_check(MAP.partition("~")[0])
    for wrong in (MAP[:-1], MAP[:-2], MAP[:-1] + "?", MAP.replace("250", "205")):
        with pytest.raises(NotationError, match="is mistyped: its check letters are"):
            without_check(wrong)


def test_a_mistyped_map_is_refused_and_one_without_letters_is_read() -> None:
    drawn = generate("voyage", "guide", 42)
    bare, _, letters = drawn.notation.partition("~")
    assert len(letters) == 2
    assert read_notation(bare) == read_notation(drawn.notation) == drawn
    with pytest.raises(NotationError, match="mistyped"):
        read_notation(drawn.notation.replace(":42:", ":24:"))
    assert parse("voyage:~/mine.toml:42").preset == "~/mine.toml"


def test_a_mistyped_position_is_refused_and_one_without_letters_is_read() -> None:
    fight = Encounter("boar", 42).play(["keep", "keep"])
    line = notation(fight)
    bare, _, letters = line.partition("~")
    assert len(letters) == 2
    assert from_notation(bare).state_hash() == from_notation(line).state_hash() == fight.state_hash()
    with pytest.raises(NotationError, match="mistyped"):
        from_notation(line.replace("|42|", "|24|"))


def test_a_seal_covers_everything_and_old_files_have_none() -> None:
    body = {"one": [1, 2.5, None], "two": {"text": "ä"}}
    assert list(sealed(body)) == [*body, "digest"]
    assert sealed(sealed(body)) == sealed(body)
    assert seal_faults(body) == seal_faults(sealed(body)) == []
    for change in ({"one": [1, 2.5]}, {"more": 1}, {"digest": "0"}, {"digest": None}):
        assert [fault.field for fault in seal_faults(sealed(body) | change)] == ["digest"]
