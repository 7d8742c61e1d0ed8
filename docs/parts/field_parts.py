"""Generated parts about rules, fields, formats and queries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cartomancer import codes
from cartomancer.content import load_preset, preset_ids, preset_schema
from cartomancer.maps import families
from cartomancer.maps.json_format import map_schema
from cartomancer.maps.queries import known_names
from parts.markdown import code, table


def rule_table(family: str) -> str:
    """Every rule a family honours."""
    return table(
        ("id", "rule", "says", "from"),
        ((code(rule.id), rule.title, rule.statement, rule.cite) for rule in families.of(family).rules),
    )


def preset_table(family: str) -> str:
    """The shipped presets of a family."""
    loaded = [load_preset(family, name) for name in preset_ids(family)]
    return table(("preset", "title", "what it is"), ((code(p.id), p.title, p.summary) for p in loaded))


def field_tables(family: str) -> str:
    """The fields of a family's rules and of the tables inside them, from the pydantic schema."""
    schema = preset_schema(family)
    parts = [_fields(schema, schema["$defs"])]
    for name, entry in schema["$defs"].items():
        if entry.get("type") == "object":
            parts += [f"**{name}.** {entry.get('description', '').splitlines()[0]}", _fields(entry, schema["$defs"])]
    return "\n\n".join(parts)


def _fields(schema: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    required = set(schema.get("required", ()))
    rows = []
    for name, entry in schema["properties"].items():
        default = "required" if name in required else _default(entry)
        rows.append((code(name), _kind(entry, known), default, entry.get("description", "")))
    return table(("field", "takes", "default", "meaning"), rows)


def _default(entry: Mapping[str, Any]) -> str:
    value = entry.get("default")
    if isinstance(value, dict):
        return code(", ".join(f"{key} = {inner}" for key, inner in value.items()) or "{}")
    return code(json.dumps(value, ensure_ascii=False)) if value is not None else "–"


def _kind(entry: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """What a field takes: its choices, its range, its shape."""
    if "$ref" in entry:
        return f"table {entry['$ref'].rsplit('/', 1)[-1]}"
    if "const" in entry:
        return code(entry["const"])
    if "enum" in entry:
        return ", ".join(code(choice) for choice in entry["enum"])
    if "anyOf" in entry:
        return " or ".join(_kind(option, known) for option in entry["anyOf"] if option.get("type") != "null")
    match entry.get("type"):
        case "array" if "prefixItems" in entry:
            return "[" + ", ".join(_kind(item, known) for item in entry["prefixItems"]) + "]"
        case "array":
            return f"list of {_kind(entry['items'], known)}"
        case "object":
            return "table of type = number"
        case "integer" | "number" as number:
            low, high = entry.get("minimum"), entry.get("maximum")
            word = "whole number" if number == "integer" else "number"
            return f"{low} … {high}" if low is not None and high is not None else word
        case "boolean":
            return "`true`, `false`"
        case _:
            return "text"


def query_names(family: str) -> str:
    """What a query may mention."""
    *lines, kinds = known_names(family)
    rows = [line.split("  ", maxsplit=1) for line in lines]
    listed = ", ".join(code(kind) for kind in kinds.removeprefix("TYPE is one of: ").split(", "))
    return table(("name", "meaning"), ((code(name), meaning) for name, meaning in rows)) + f"\n\n`TYPE` is {listed}."


def type_codes() -> str:
    """The node types, their numbers, and the families that use them."""
    rows = []
    for name, number in codes.KIND_CODES.items():
        users = [family for family in families.names() if name in families.of(family).kinds]
        rows.append((number, code(name), ", ".join(users)))
    return table(("code", "type", "families"), rows)


def streams() -> str:
    """The named random streams and their numbers."""
    found = {name: value for name, value in vars(codes).items() if name.startswith("STREAM_")}
    named = sorted(found.items(), key=lambda item: item[1])
    return table(("stream", "number"), ((name.removeprefix("STREAM_").lower(), number) for name, number in named))


def node_fields() -> str:
    """The node fields of the map file, from its schema."""
    schema = map_schema()
    node = schema["$defs"]["node"]
    rows = []
    for name, entry in node["properties"].items():
        rows.append((code(name), "all", _schema_kind(entry), entry.get("description", "")))
    for part in schema["allOf"]:
        family = part["if"]["properties"]["family"]["const"]
        for name, entry in part["then"]["properties"]["nodes"]["items"]["properties"].items():
            if name != "type":
                rows.append((code(name), family, _schema_kind(entry), entry.get("description", "")))
    return table(("node field", "family", "holds", "meaning"), rows)


def _schema_kind(entry: Mapping[str, Any]) -> str:
    if "enum" in entry:
        return ", ".join(code(choice) for choice in entry["enum"])
    kind = entry.get("type", "")
    text = " or ".join(kind) if isinstance(kind, list) else str(kind)
    bounds = [entry.get("minimum"), entry.get("maximum")]
    return f"{text} {bounds[0]} … {'' if bounds[1] is None else bounds[1]}".rstrip() if bounds[0] is not None else text
