"""The published JSON Schema of map files. `docs/schema/cartomancer.map-1.json` is this, written out."""

from __future__ import annotations

from typing import Any

from cartomancer.maps import families
from cartomancer.maps.json_format import SCHEMA


def map_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of the format cartomancer.map/1: what all maps hold, and what each family adds."""
    known = [families.of(name) for name in families.names()]
    fields = {**SCHEMA["properties"], "family": {"enum": [family.name for family in known]}}
    public = fields.pop("public")
    for family in known:
        fields |= family.map_schema
    parts = [_family_part(family) for family in known]
    return {**SCHEMA, "properties": {**fields, "public": public}, "allOf": parts}


def _family_part(family: families.Family[Any]) -> dict[str, Any]:
    """What holds for the nodes of one family."""
    properties = {"type": {"enum": list(family.kinds)}, **family.node_schema}
    return {
        "if": {"properties": {"family": {"const": family.name}}},
        "then": {"properties": {"nodes": {"items": {"required": list(family.always), "properties": properties}}}},
    }
