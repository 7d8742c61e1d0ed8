"""The one-line notation of a map: family:preset:seed[:digest], to be pasted into a bug report.

>>> parse("voyage:guide:42")
Notation(family='voyage', preset='guide', overrides={}, seed=42, digest=None)
>>> parse("voyage:guide[rows=20,treasure=single]:42").overrides
{'rows': 20, 'treasure': 'single'}
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cartomancer.errors import NotationError
from cartomancer.maps import families, generation, json_format
from cartomancer.maps.model import Map
from cartomancer.maps.stakes import Situation
from cartomancer.rng import seed_from

FORM = "family:preset:seed[:digest], for example voyage:guide:42"


@dataclass(frozen=True)
class Notation:
    """A parsed notation."""

    family: str
    preset: str
    overrides: dict[str, Any]
    seed: int
    digest: str | None


def is_notation(text: str) -> bool:
    """Whether the text is meant as a notation rather than a file or a family."""
    return text.count(":") >= 2 and families.known(text.split(":", maxsplit=1)[0])


def parse(text: str) -> Notation:
    """The parts of a notation."""
    parts = split_outside(text.strip(), ":")
    digest = parts.pop() if len(parts) > 3 and re.fullmatch("[0-9a-f]{8}", parts[-1]) else None
    if len(parts) < 3 or not families.known(parts[0]):
        raise NotationError(f"'{text}' is not a map notation; it should read {FORM}")
    family, preset, seed = parts[0], ":".join(parts[1:-1]), parts[-1]
    overrides: dict[str, Any] = {}
    if preset.endswith("]") and "[" in preset:
        preset, _, fields = preset[:-1].partition("[")
        overrides = dict(parse_override(field) for field in split_outside(fields, ",") if field)
    return Notation(family, preset, overrides, seed_from(seed), digest)


def split_outside(text: str, separator: str) -> list[str]:
    """The text split at separators that lie outside brackets and quotes."""
    parts, depth, quoted, current = [], 0, False, ""
    for letter in text:
        if letter == '"' and not current.endswith("\\"):
            quoted = not quoted
        if not quoted:
            depth += (letter in "[{(") - (letter in "]})")
        if letter == separator and depth == 0 and not quoted:
            parts.append(current)
            current = ""
        else:
            current += letter
    return [*parts, current]


def parse_override(text: str) -> tuple[str, Any]:
    """One field=value; the value is read as JSON where it is JSON, as text otherwise."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise NotationError(f"'{text}' is not an override; it should read field=value, for example rows=20")
    try:
        return key.strip(), json.loads(value)
    except (ValueError, RecursionError):
        return key.strip(), value.strip()


def nested(flat: dict[str, Any]) -> dict[str, Any]:
    """Dotted fields as tables: unknown.base_shop reaches into `unknown`."""
    result: dict[str, Any] = {}
    for key, value in flat.items():
        *tables, last = key.split(".")
        place = result
        for name in tables:
            place = place.setdefault(name, {})
            if not isinstance(place, dict):
                raise NotationError(f"{key}: '{name}' has been given a value of its own, so nothing can lie in it")
        place[last] = value
    return result


def read(text: str) -> Map:
    """The map of a notation, refused if its digest says that the rules have changed since."""
    notation = parse(text)
    overrides = nested(notation.overrides)
    situation = Situation.from_overrides(overrides) if families.of(notation.family).situated else None
    drawn = generation.generate(notation.family, notation.preset, notation.seed, overrides, situation)
    if notation.digest and notation.digest != drawn.ruleset:
        raise NotationError(
            f"{text}: the rules of {notation.family}:{notation.preset} have changed since: their digest is now "
            f"{drawn.ruleset}, the notation was written with {notation.digest}"
        )
    return drawn


def read_map(source: str | Path) -> Map:
    """The map in a file, or of a notation such as voyage:guide:42.

    >>> read_map("voyage:guide:42").seed
    42
    """
    text = str(source)
    return read(text) if is_notation(text) and not Path(text).exists() else json_format.read_file(text)
