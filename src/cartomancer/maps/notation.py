"""The one-line notation of a map: family:preset:seed[:digest][~check], to be pasted into a bug report.

>>> parse("voyage:guide:42")
Notation(family='voyage', preset='guide', overrides={}, seed=42, digest=None)
>>> parse("voyage:guide[rows=20,treasure=single]:42").overrides
{'rows': 20, 'treasure': 'single'}
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from cartomancer.errors import CartomancerError, NotationError
from cartomancer.maps import families, generation
from cartomancer.maps.model import HIDDEN, Map
from cartomancer.maps.stakes import Situation
from cartomancer.rng import seed_from
from cartomancer.seals import CHECK, without_check

MOST_NODES = 12  # differences listed one by one
FORM = "family:preset:seed[:digest][~check], for example voyage:guide:42"


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
    """The parts of a notation. Check letters end it where a program has written it; a mistyped one is refused."""
    parts = split_outside(text.strip(), ":")
    if CHECK in parts[-1] and len(parts) > 2:
        parts = split_outside(without_check(text.strip()), ":")
    digest = parts.pop() if len(parts) > 3 and re.fullmatch("[0-9a-f]{8}", parts[-1]) else None
    if len(parts) < 3 or not families.known(parts[0]):
        raise NotationError(f"'{text}' is not a map notation; it should read {FORM}")
    family, preset, seed = parts[0], ":".join(parts[1:-1]), parts[-1]
    overrides: dict[str, Any] = {}
    if preset.endswith("]") and "[" in preset:
        preset, _, fields = preset[:-1].partition("[")
        overrides = dict(parse_override(field) for field in split_outside(fields, ",") if field)
    if seed == HIDDEN:
        raise NotationError(f"{text} names the public half of a map, which hides its seed: it cannot be regenerated")
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


def notation_of(drawn: Map) -> str | None:
    """The notation of a map, if it regenerates exactly this map; none for a map that was edited, repaired or outlived.

    The public half has its name, which regenerates nothing and is refused.
    """
    return drawn.notation if drawn.is_public or not differences(drawn) else None


def differences(drawn: Map) -> list[str]:
    """How this map differs from the one its family, preset and seed give today, in words; nothing if it is the same.

    >>> from cartomancer import maps
    >>> differences(maps.generate("voyage", "guide", seed=42))
    []
    """
    drawn.refuse_public("compared with what its seed gives")
    name = f"{drawn.family}:{drawn.preset}:{drawn.seed}"
    try:
        today = read(name)
    except CartomancerError as error:
        return [f"{name} gives no map today: {error}"]
    unmarked = {key: value for key, value in drawn.details.items() if key != "visited"}  # a way is no part of the map
    if today == replace(drawn, details=unmarked):
        return []
    return [*_changed_rules(drawn, today), *_changed_nodes(drawn, today)] or [
        "the map file says more than its seed does"
    ]


def _changed_rules(drawn: Map, today: Map) -> list[str]:
    before, now = (generation.flat(one.rules.rule_fields()) for one in (drawn, today))
    found = [
        f"rule {name}: {before.get(name)!r} in this map, {now.get(name)!r} today"
        for name in sorted({*before, *now})
        if before.get(name) != now.get(name)
    ]
    if drawn.catalog != today.catalog:
        found.append(
            f"the catalog that its details were rolled from has changed since: {drawn.catalog} → {today.catalog}"
        )
    return found


def _changed_nodes(drawn: Map, today: Map) -> list[str]:
    found = []
    for node in drawn.nodes:
        other = today.by_id.get(node.id)
        if other is None or (other.row, other.column) != (node.row, node.column):
            found.append(f"{node.place} {node.type}: the seed puts no such node there")
        elif other.type != node.type:
            found.append(f"{node.place}: {node.type} in this map, {other.type} by the seed")
        elif other != node:
            told, given = (
                {"locked": one.locked, "forced": one.forced, "waived": one.waived, **one.details}
                for one in (node, other)
            )
            names = [name for name in {**told, **given} if told.get(name) != given.get(name)]
            found.append(f"{node.place} {node.type}: other {', '.join(names)} than the seed gives")
    found += [f"node {node.id} is missing from this map" for node in today.nodes if node.id not in drawn.by_id]
    if set(drawn.edges) != set(today.edges):
        count = len(set(drawn.edges) ^ set(today.edges))
        found.append(f"{count} edge(s) differ from those the seed gives")
    more = f"… and {len(found) - MOST_NODES} more differences"
    return found if len(found) <= MOST_NODES else [*found[:MOST_NODES], more]
