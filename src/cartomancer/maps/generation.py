"""Generating a map: rules, seed and situation in, a map with all its details out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cartomancer.content import load_preset
from cartomancer.content.models.base import Preset
from cartomancer.content.models.contract import ContractRules
from cartomancer.content.models.guardian import GuardianRules
from cartomancer.content.presets import DEFAULTS
from cartomancer.maps.charts import draw_chart, edges_of, nodes_of, paths_of
from cartomancer.maps.encounters import furnish_guardian_map
from cartomancer.maps.model import Map
from cartomancer.maps.stakes import Situation, roll_stakes
from cartomancer.rng import seed_from


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
    rules = load_preset(family, preset, overrides)
    return generate_from(rules, preset_name(preset or DEFAULTS[family], overrides), seed_from(seed), situation)


def generate_from(rules: Preset, preset: str, seed: int, situation: Situation | None = None) -> Map:
    """The map of these rules and this seed."""
    chart = draw_chart(rules, seed).chart
    drawn = Map(
        family=rules.family,
        preset=preset,
        seed=seed,
        ruleset=rules.digest(),
        nodes=nodes_of(chart),
        edges=edges_of(chart),
        paths=paths_of(chart),
        rules=rules,
    )
    if isinstance(rules, ContractRules):
        return roll_stakes(drawn, rules, situation or Situation())
    if isinstance(rules, GuardianRules):
        return furnish_guardian_map(drawn, rules)
    return drawn


def preset_name(preset: str, overrides: Mapping[str, Any] | None) -> str:
    """A preset with its overrides, as notations write it: guide[rows=20]."""
    if not overrides:
        return preset
    return preset + "[" + ",".join(f"{key}={_written(value)}" for key, value in sorted(overrides.items())) + "]"


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
