"""The published JSON Schema of map files. `docs/schema/cartomancer.map-1.json` is this, written out."""

from __future__ import annotations

from typing import Any

from cartomancer.codes import FAMILY_KINDS, FAMILY_NAMES
from cartomancer.maps.json_format import FORMAT

NODE_EXTRAS: dict[str, dict[str, Any]] = {
    "voyage": {},
    "contract": {
        "lane": {"enum": ["safe", "risk", "both"], "description": "Its lane; both where the lanes meet."},
    },
    "guardian": {
        "layer": {"type": "integer", "minimum": 0, "description": "row − 1"},
        "floor": {"type": "integer", "minimum": 1},
        "act": {"type": "integer", "minimum": 1},
        "guardian_id": {"type": ["string", "null"], "description": "Who waits here, on guardian nodes."},
        "memory_id": {"type": ["integer", "null"], "description": "The memory fragment of a memory shrine."},
        "encounter": {"type": ["object", "null"], "description": "Pre-rolled enemies; absent where hidden."},
    },
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
            "paths": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        },
        "allOf": [_family_part(family) for family in FAMILY_NAMES],
        "$defs": {"node": _node()},
    }


def _node() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["id", "row", "column", "type", "locked"],
        "properties": {
            "id": {"type": "integer", "minimum": 0},
            "row": {"type": "integer", "minimum": 1, "maximum": 40},
            "column": {"type": "integer", "minimum": 1, "maximum": 9},
            "type": {"type": "string"},
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
    extras = NODE_EXTRAS[family]
    needed = [name for name in extras if name != "encounter"]
    properties = {"type": {"enum": list(FAMILY_KINDS[family])}, **extras}
    return {
        "if": {"properties": {"family": {"const": family}}},
        "then": {"properties": {"nodes": {"items": {"required": needed, "properties": properties}}}},
    }
