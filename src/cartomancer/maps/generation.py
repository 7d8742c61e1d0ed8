"""Generating a map: rules, seed and situation in, a map with all its details out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from cartomancer.content import load_preset
from cartomancer.content.models.base import Preset
from cartomancer.maps import families, graphs
from cartomancer.maps.model import Map
from cartomancer.maps.stakes import Situation
from cartomancer.rng import seed_from
from cartomancer.seals import digest_of

JSON_WORDS = ("true", "false", "null", "NaN", "Infinity")


def generate(
    family: str,
    preset: str | None = None,
    seed: int | str = 0,
    overrides: Mapping[str, Any] | None = None,
    situation: Situation | None = None,
) -> Map:
    """The map of a family, preset and seed. Text seeds are hashed; overrides change single rule fields.

    >>> generate("contract", "short", seed="a rainy night").boss.type
    'boss'
    """
    default = families.of(family).model.default_preset
    rules = load_preset(family, preset, overrides)
    return generate_from(rules, preset_name(preset or default, overrides), seed_from(seed), situation)


def ruleset_digest(rules: Preset, catalog: str | None = None) -> str:
    """The digest of everything a map is made from: its rules, and the catalog where its family rolls from one."""
    if catalog is None:
        catalog = families.of(rules.family).catalog_digest(rules)
    return digest_of({"rules": rules.written_fields(), "catalog": catalog})


def generate_from(rules: Preset, preset: str, seed: int, situation: Situation | None = None) -> Map:
    """The map of these rules and this seed."""
    draft = graphs.draw_graph(rules, seed)
    catalog = families.of(rules.family).catalog_digest(rules)
    drawn = Map(
        family=rules.family,
        preset=preset_name(preset, situation.overrides() if situation and families.of(rules.family).situated else None),
        seed=seed,
        ruleset=ruleset_digest(rules, catalog),
        nodes=graphs.nodes_of(draft, rules.family),
        edges=graphs.edges_of(draft),
        paths=graphs.paths_of(draft),
        rules=rules,
        catalog=catalog,
    )
    return furnish(drawn, situation)


def furnish(drawn: Map, situation: Situation | None = None) -> Map:
    """The map with everything its family rolls besides graph and types.

    Each detail comes from its own stream by node, so furnishing a map again gives the same details. The public half of
    a map stays as it is: without its seed nothing can be rolled.
    """
    return drawn if drawn.is_public else families.of(drawn.family).furnish(drawn, situation)


def preset_name(preset: str, overrides: Mapping[str, Any] | None) -> str:
    """A preset with its overrides, as notations write it: guide[rows=20]."""
    if not overrides:
        return preset
    fields = ",".join(f"{key}={_written(value)}" for key, value in sorted(flat(overrides).items()))
    return f"{preset[:-1]},{fields}]" if preset.endswith("]") else f"{preset}[{fields}]"


def flat(overrides: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Tables as dotted fields: unknown.base_shop."""
    found: dict[str, Any] = {}
    for key, value in overrides.items():
        found.update(flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {prefix + key: value})
    return found


def _written(value: Any) -> str:
    plain = isinstance(value, str) and re.fullmatch(r"[A-Za-z_][\w+.-]*", value) and value not in JSON_WORDS
    return value if plain else json.dumps(value, separators=(",", ":"))
