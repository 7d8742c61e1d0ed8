"""Damage: what a slip, a bad disk or a meddler makes of texts and of plain data; and what must hold of reading it.

Seconds of it are a part of `make test`; `make fuzz` looks for minutes. `CARTOMANCER_FUZZ` is how many examples each
property gets.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Final, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from cartomancer.errors import CartomancerError

EXAMPLES: Final = int(os.environ.get("CARTOMANCER_FUZZ", "60"))
Read = TypeVar("Read")

fuzzed = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

SIGNS: Final = st.sampled_from(
    [*"0123456789abzAZ -_~:|.,=[]{}()\"'\\/#+*%<>&;\n\t\r\x00\x1b", "é", "\u202e", "\ufeff", "\ud800", "𝟛"]
)
PIECES: Final = st.one_of(
    SIGNS,
    st.sampled_from(["9" * 20, "1e999", "-1", "NaN", "null", "true", "[" * 500, "..", "a.b", "select", "9" * 5000]),
)
# in place of a value of plain data
ODD: Final = st.sampled_from(
    [
        *(None, True, False, 0, 1, -1, 2, 7, 3.0, 2**31, 2**63, 2**64, 10**30, 1e300, float("nan"), float("inf")),
        *("", "0", "7", "x", "shop", "dragon", "hidden", "voyage", "../guide", "mine.toml", "\x1b[31m", "\ud800", "é"),
        *([], {}, [[]], [1], {"a": 1}),
    ]
)
# the words of an error that nobody wrote for people to read
UNSPOKEN: Final = re.compile(r"positional argument|keyword argument|has no attribute|NoneType|Traceback|object is not")


def refused_in_words(read: Callable[[], Read]) -> Read | None:
    """What is read, or nothing where it is refused: by an error of ours that says something."""
    try:
        return read()
    except CartomancerError as error:
        said = str(error)
        assert said.strip()
        assert not UNSPOKEN.search(said), said
        return None


@st.composite
def damaged_texts(draw: st.DrawFn, good: Sequence[str]) -> str:
    """A good text with some pieces put in, taken out, replaced, doubled, or cut off."""
    text = draw(st.sampled_from(good))
    for _ in range(draw(st.integers(1, 4))):
        first = draw(st.integers(0, len(text)))
        end = draw(st.integers(first, min(first + 8, len(text))))
        how = draw(st.sampled_from(["put in", "take out", "replace", "double", "cut"]))
        piece = draw(PIECES) if how in ("put in", "replace") else text[first:end] * 2 if how == "double" else ""
        text = text[:first] if how == "cut" else text[:first] + piece + text[first if how == "put in" else end :]
    return text


@st.composite
def typos(draw: st.DrawFn, good: Sequence[str]) -> tuple[str, str]:
    """A good text, and the same with one wrong character, or with two neighbours exchanged."""
    text = draw(st.sampled_from(good))
    place = draw(st.integers(0, len(text) - 2))
    if draw(st.booleans()) and text[place] != text[place + 1]:
        return text, text[:place] + text[place + 1] + text[place] + text[place + 2 :]
    sign = draw(st.characters(codec="ascii").filter(lambda sign: sign != text[place]))
    return text, text[:place] + sign + text[place + 1 :]


@st.composite
def damaged_data(draw: st.DrawFn, good: Sequence[Any]) -> Any:
    """Good plain data with some values replaced, taken out, doubled or put in."""
    data = deepcopy(draw(st.sampled_from(good)))
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(data))
        if not places:
            break
        held, key = places[draw(st.integers(0, len(places) - 1))]
        how = draw(st.sampled_from(["replace", "nudge", "take out", "double", "put in"]))
        if how == "nudge" and type(held[key]) is int:
            held[key] += draw(st.sampled_from([-1, 1]))
        elif how == "take out":
            del held[key]
        elif how == "double" and isinstance(held, list):
            held.insert(key, deepcopy(held[key]))
        elif how == "put in" and isinstance(held, dict):
            held[draw(st.sampled_from(["more", "digest", "seed", "\x1b", ""]))] = deepcopy(draw(ODD))
        else:
            held[key] = deepcopy(draw(ODD))
    return data


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a value in plain data: what holds it, and its key there."""
    inside = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    for key, value in inside:
        yield data, key
        yield from _places(value)


def as_file(data: Any) -> str:
    """Plain data as a file has it."""
    return json.dumps(data, ensure_ascii=True)
