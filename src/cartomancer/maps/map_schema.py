"""The published JSON Schema of map files. `docs/schema/cartomancer.map-1.json` is this, written out."""

from __future__ import annotations

from typing import Any

from cartomancer.codes import FAMILY_KINDS, FAMILY_NAMES
from cartomancer.maps.json_format import FORMAT

# what only one family's nodes carry; those not in ALWAYS are there on some types only, or hidden from players
NODE_EXTRAS: dict[str, dict[str, Any]] = {
    "voyage": {},
    "contract": {
        "lane": {"enum": ["safe", "risk", "both"], "description": "Its lane; both where the lanes meet."},
        "trapped": {"type": "boolean", "description": "On caches."},
        "hook": {"type": ["string", "null"], "description": "On caches: what a trap leaves."},
        "stock": {
            "type": "array",
            "description": "On shops: items and the pools they come from.",
            "items": {"type": "object", "required": ["item", "pool"]},
        },
        "trial": {"type": ["string", "null"], "description": "On elites: the trial they offer."},
        "bundles": {"type": "array", "items": {"type": "string"}, "description": "On elites: rewards to choose from."},
        "intrusion": {"type": "string", "description": "On rival intrusions: what the rival does."},
        "target_step": {"type": "integer", "description": "On rival intrusions: the step it changes."},
        "traits": {"type": "array", "items": {"type": "string"}, "description": "On the boss: what it shows."},
        "profile": {"type": "string", "description": "On the boss: which kind of boss."},
    },
    "guardian": {
        "layer": {"type": "integer", "minimum": 0, "description": "row − 1"},
        "floor": {"type": "integer", "minimum": 1, "description": "Its floor, counted through all acts."},
        "act": {"type": "integer", "minimum": 1, "description": "Its act."},
        "is_guardian": {"type": "boolean", "description": "Whether a guardian waits here."},
        "guardian_id": {"type": ["string", "null"], "description": "Who waits here, on guardian nodes."},
        "portal": {"type": "boolean", "description": "Whether it is the portal behind the last guardian."},
        "memory_id": {"type": ["integer", "null"], "description": "The memory fragment of a memory shrine."},
        "encounter": {"type": ["object", "null"], "description": "Pre-rolled enemies; absent where hidden."},
    },
}
ALWAYS: dict[str, list[str]] = {
    "voyage": [],
    "contract": ["lane"],
    "guardian": ["layer", "floor", "act", "guardian_id", "memory_id"],
}


def map_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of the format cartomancer.map/1."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FORMAT,
        "description": "A map: nodes row by row, edges to the next row, one boss at the end. Extra keys are welcome.",
        "type": "object",
        "required": ["format", "family", "preset", "seed", "ruleset", "nodes", "edges"],
        "properties": {
            "format": {"const": FORMAT},
            "family": {"enum": list(FAMILY_NAMES)},
            "preset": {"type": "string"},
            "seed": {"type": "integer", "minimum": 0, "maximum": 2**64 - 1},
            "notation": {"type": "string"},
            "ruleset": {
                "type": "object",
                "required": ["digest", "fields"],
                "properties": {
                    "digest": {"type": "string", "pattern": "^[0-9a-f]{8}$"},
                    "catalog": {"type": "string"},
                    "fields": {"type": "object"},
                },
            },
            "nodes": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/node"}},
            "edges": {
                "type": "array",
                "items": {
                    "type": "array",
                    "prefixItems": [{"type": "integer"}, {"type": "integer"}],
                    "minItems": 2,
                    "maxItems": 2,
                },
            },
            "paths": {
                "type": "array",
                "description": "Voyage: the paths the map was grown from, as node ids.",
                "items": {"type": "array", "items": {"type": "integer"}},
            },
            "boss_traits": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Contract: what the boss shows.",
            },
            "situation": {"type": "object", "description": "Contract: the rival's heat and state, the party's hooks."},
            "public": {
                "type": "boolean",
                "description": "Whether this is only what players may see; the seed is then 0.",
            },
        },
        "allOf": [_family_part(family) for family in FAMILY_NAMES],
        "$defs": {"node": _node()},
    }


def _node() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["id", "row", "column", "type", "locked"],
        "properties": {
            "id": {"type": "integer", "minimum": 0, "description": "Its number; edges and paths use it."},
            "row": {"type": "integer", "minimum": 1, "maximum": 40, "description": "From 1, the start, to the boss."},
            "column": {"type": "integer", "minimum": 1, "maximum": 9, "description": "From 1, the leftmost."},
            "type": {"type": "string", "description": "One of its family's types."},
            "locked": {"type": "boolean", "description": "Fixed by the rules: no repair may touch it."},
            "forced": {"type": ["string", "null"], "description": "The rule that forced its type."},
            "waived": {"type": "boolean", "description": "Monster as a last resort."},
            "position": {
                "type": "object",
                "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
                "required": ["x", "y"],
            },
        },
    }


def _family_part(family: str) -> dict[str, Any]:
    """What holds for the nodes of one family."""
    properties = {"type": {"enum": list(FAMILY_KINDS[family])}, **NODE_EXTRAS[family]}
    return {
        "if": {"properties": {"family": {"const": family}}},
        "then": {"properties": {"nodes": {"items": {"required": ALWAYS[family], "properties": properties}}}},
    }
