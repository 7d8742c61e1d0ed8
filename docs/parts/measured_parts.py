"""Tables of audited numbers: measured again by `--measure`, checked by a small audit in the tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from cartomancer import maps
from cartomancer.content import load_preset, preset_ids
from cartomancer.content.models.voyage import VoyageRules
from parts.markdown import code, table

MEASURED_MAPS: Final = 20_000


def _audit(family: str, preset: str, changes: Mapping[str, Any], count: int) -> dict[str, Any]:
    return maps.audit(load_preset(family, preset, changes), preset, count)


def _changed(preset: str, changes: Mapping[str, Any]) -> str:
    if not changes:
        return f"{code(preset)} as it is"
    return ", ".join(code(f"{key} = {json.dumps(value)}") for key, value in changes.items())


def _guide_bands(kind: str, band: str | None, factor: int) -> dict[str, Any]:
    """The guide's bands with one weight multiplied, in one band or in all."""
    rules = load_preset("voyage", "guide")
    assert isinstance(rules, VoyageRules)
    entries = [entry.model_dump() for entry in rules.bands]
    for entry in entries:
        if band in (None, entry["name"]):
            entry["odds"][kind] *= factor
    return {"bands": entries}


def measured_voyage(count: int = MEASURED_MAPS) -> str:
    """What the levers of a voyage do."""
    changes: list[tuple[str, dict[str, Any]]] = [
        *(("guide", {}), ("guide", {"elite_unlock_percent": 25}), ("guide", {"elite_unlock_percent": 50})),
        *(("guide", {"elite_unlock_percent": 65}), ("guide", {"elite_unlock_percent": 80})),
        *(("guide", {"no_repeat": []}), ("guide", {"split_unique": False}), ("guide", {"treasure": "single"})),
        *(("guide", {"paths": 4}), ("guide", {"paths": 8}), ("guide", {"columns": 5}), ("guide", {"rows": 20})),
        *((name, {}) for name in preset_ids("voyage") if name != "guide"),
    ]
    named = [(_changed(preset, change), preset, change) for preset, change in changes]
    named.insert(5, ("late band: Elite weight doubled", "guide", _guide_bands("elite", "late", 2)))
    named.insert(6, ("Unknown weight doubled in every band", "guide", _guide_bands("unknown", None, 2)))
    rows = []
    for label, preset, change in named:
        facts = _audit("voyage", preset, change, count)
        means = [f"{facts['types'][kind]['mean']:.2f}" for kind in ("monster", "elite", "shop", "port", "unknown")]
        most = facts["routes"]["types"]["elite"]["most_mean"]
        rerolled = f"{100 * facts['typing']['reroll_rate']:.1f} %"
        danger = facts["expressive_range"]["danger_mean"]
        rows.append((label, *means, f"{most:.2f}", rerolled, f"{facts['routes']['mean']:.0f}", f"{danger:.2f}"))
    return table(
        (
            *("change", "Monsters a map", "Elites", "Shops", "Ports", "Unknowns"),
            *("most Elites on a route", "re-rolled nodes", "routes", "danger a row"),
        ),
        rows,
    )


def measured_contract(count: int = MEASURED_MAPS) -> str:
    """What the levers of a contract do."""
    changes: tuple[dict[str, Any], ...] = (
        {},
        {"at_most": {"elite": 0}},
        {"at_most": {"elite": 2}},
        {"lane_switching": False},
        {"guarantee_scope": "path"},
    )
    rows = []
    for change in changes:
        facts = _audit("contract", "standard", change, count)
        types = facts["types"]
        means = [f"{types[kind]['mean']:.2f}" for kind in ("combat", "elite", "event", "rest", "cache", "shop")]
        danger = facts["expressive_range"]["danger_mean"]
        forced = f"{facts['typing']['forced_per_map']:.2f}"
        rows.append((_changed("standard", change), *means, forced, f"{facts['routes']['mean']:.0f}", f"{danger:.2f}"))
    return table(
        (
            *("change", "Combats a map", "Elites", "Events", "Rests", "Caches", "Shops"),
            *("forced nodes", "routes", "danger a step"),
        ),
        rows,
    )


def measured_guardian(count: int = MEASURED_MAPS) -> str:
    """What the knobs of the slice do."""
    changes: tuple[dict[str, Any], ...] = (
        *({}, {"elite_weight": 25}, {"rest_weight": 15}, {"rest_weight": 40}, {"combat_weight": 70}),
        *({"nodes_per_layer_min": 2}, {"nodes_per_layer_max": 4}, {"edges_per_node_max": 1}),
        *({"edges_per_node_max": 3}, {"layer_count": 12}),
    )
    rows = []
    for change in changes:
        facts = _audit("guardian", "slice", change, count)
        elite, rest = facts["types"]["elite"], facts["types"]["rest"]
        rows.append(
            (
                _changed("slice", change),
                f"{facts['routes']['nodes']:.1f}",
                f"{facts['routes']['mean']:.1f}",
                f"{elite['mean']:.2f}",
                f"{100 * (1 - elite['maps_with']):.1f} %",
                f"{rest['mean']:.2f}",
                f"{100 * (1 - rest['maps_with']):.1f} %",
            )
        )
    return table(("change", "nodes", "routes", "Elites", "maps without", "Rests", "maps without"), rows)


def measured_composition(count: int = MEASURED_MAPS) -> str:
    """What a map of three acts is made of, by the document's weights and by those that reach its composition."""
    expected = {"combat": "5–6", "elite": "2", "rest": "2", "shop": "2", "shrine": "2", "event": "–", "trap": "–"}
    rows = [("expected", *expected.values(), "~25")]
    for preset in ("three_acts", "composition"):
        facts = _audit("guardian", preset, {}, count)
        means = (f"{facts['types'][kind]['mean']:.2f}" for kind in expected)
        rows.append((code(preset), *means, f"{facts['routes']['minutes']['minutes_mean']:.1f}"))
    return table(("preset", "Combats a map", "Elites", "Rests", "Shops", "Shrines", "Events", "Traps", "minutes"), rows)


MEASURED: Final[dict[str, Callable[[int], str]]] = {
    "levers-voyage": measured_voyage,
    "levers-contract": measured_contract,
    "levers-guardian": measured_guardian,
    "composition-guardian": measured_composition,
}
