"""The published JSON Schema of map files. `docs/schema/cartomancer.map-1.json` is this, written out."""

from __future__ import annotations

from typing import Any

from cartomancer.maps import families
from cartomancer.maps.families import Family
from cartomancer.maps.json_format import FORMAT


def map_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of the format cartomancer.map/1."""
    known = [families.of(name) for name in families.names()]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FORMAT,
        "description": "A map: nodes row by row, edges to the next row, one boss at the end. Extra keys are welcome.",
        "type": "object",
        "required": ["format", "family", "preset", "seed", "ruleset", "nodes", "edges"],
        "properties": {
            "format": {"const": FORMAT},
            "family": {"enum": [family.name for family in known]},
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
            **{name: entry for family in known for name, entry in family.map_schema.items()},
            "public": {
                "type": "boolean",
                "description": "Whether this is only what players may see; the seed is then 0.",
            },
        },
        "allOf": [_family_part(family) for family in known],
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


def _family_part(family: Family[Any]) -> dict[str, Any]:
    """What holds for the nodes of one family."""
    properties = {"type": {"enum": list(family.kinds)}, **family.node_schema}
    return {
        "if": {"properties": {"family": {"const": family.name}}},
        "then": {"properties": {"nodes": {"items": {"required": list(family.always), "properties": properties}}}},
    }
