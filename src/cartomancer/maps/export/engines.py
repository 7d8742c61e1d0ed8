"""Game engines: JSON in the shapes that Godot and Unity read, the boss on top, the seed as text.

Godot 4 gets the field names of the game's own MapNode and MapEdge [Guardian, schemas]. It reads every JSON number as a
float and its integers are signed, so node types are turned back with `int`. A position comes twice: as x and y, and as
`Vector2(x, y)` for `str_to_var`. Its y points down.

Unity's JsonUtility reads flat objects in arrays and nothing that is null. Positions have y pointing up, as Unity's do.
What only one family knows is JSON inside `detailsJson`.

`docs/formats.md` has the code that loads them on the other side.
"""

from __future__ import annotations

import json
from typing import Any

from cartomancer.codes import KIND_CODES
from cartomancer.maps import families
from cartomancer.maps.export.heading import details_json, heading
from cartomancer.maps.model import Map, Node
from cartomancer.maps.positions import page, positions


def to_godot(drawn: Map) -> str:
    """The map as JSON that a few lines of GDScript load; `node_types` is the enum, the same in every family."""
    places, (width, height) = positions(drawn), page(drawn)
    return _document(
        drawn,
        "cartomancer.godot/1",
        layer_count=drawn.rows,
        size={"x": width, "y": height},
        node_types={kind.upper(): KIND_CODES[kind] for kind in families.of(drawn.family).kinds},
        nodes=[_godot_node(drawn, node, places[node.id]) for node in drawn.nodes],
        edges=[{"from_index": source, "to_index": target} for source, target in drawn.edges],
    )


def _godot_node(drawn: Map, node: Node, place: tuple[float, float]) -> dict[str, Any]:
    x, y = round(place[0], 1), round(place[1], 1)
    family = families.of(drawn.family)
    guardian = family.guardian_of(drawn, node)
    details = {key: value for key, value in node.details.items() if key not in ("encounter", "guardian_id")}
    return {
        **details,
        "index": node.id,
        "layer": node.row - 1,
        "floor": node.row,
        "act": family.act_of(drawn, node),
        "row": node.row,
        "column": node.column,
        "node_type": KIND_CODES[node.type],
        "node_type_name": node.type.upper(),
        "position": {"x": x, "y": y},
        "position_text": f"Vector2({x}, {y})",
        "visited": False,
        "encounter_data": node.details.get("encounter") or {},
        "is_guardian": bool(guardian),
        "guardian_id": guardian,
    }


def to_unity(drawn: Map) -> str:
    """The map as JSON for JsonUtility."""
    places, (width, height) = positions(drawn), page(drawn)
    return _document(
        drawn,
        "cartomancer.unity/1",
        rows=drawn.rows,
        columns=drawn.columns,
        width=width,
        height=height,
        nodes=[_unity_node(drawn, node, places[node.id], height) for node in drawn.nodes],
        edges=[{"fromId": source, "toId": target} for source, target in drawn.edges],
    )


def _unity_node(drawn: Map, node: Node, place: tuple[float, float], height: float) -> dict[str, Any]:
    family = families.of(drawn.family)
    return {
        "id": node.id,
        "row": node.row,
        "column": node.column,
        "type": node.type,
        "typeCode": KIND_CODES[node.type],
        "x": round(place[0], 1),
        "y": round(height - place[1], 1),
        "locked": node.locked,
        "forced": node.forced or "",
        "waived": node.waived,
        "lane": str(node.details.get("lane") or ""),
        "act": family.act_of(drawn, node),
        "guardian": family.guardian_of(drawn, node),
        "detailsJson": details_json(node),
    }


def _document(drawn: Map, format: str, **fields: Any) -> str:
    """The document of a game engine: its format, which map it is, and the fields that the engine reads."""
    return json.dumps({"format": format, **heading(drawn), **fields}, indent=1, ensure_ascii=False) + "\n"
