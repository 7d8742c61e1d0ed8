"""Godot 4: JSON with the field names of the game's own MapNode and MapEdge [Guardian, schemas].

Godot reads every JSON number as a float and its integers are signed, so node types are turned back with `int` and the
seed is text. A position comes twice: as x and y, and as `Vector2(x, y)` for `str_to_var`. Its y points down, the boss
is on top. Loading it takes a few lines of GDScript:

```gdscript
class_name CartomancerMap

static func load_map(path: String) -> Dictionary:
    var map: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(path))
    for node: Dictionary in map.nodes:
        node.position = str_to_var(node.position_text)
        for field: String in ["index", "layer", "floor", "act", "node_type"]:
            node[field] = int(node[field])
    for edge: Dictionary in map.edges:
        edge.from_index = int(edge.from_index)
        edge.to_index = int(edge.to_index)
    return map
```
"""

from __future__ import annotations

from typing import Any, Final

from cartomancer.codes import KIND_CODES
from cartomancer.maps import families
from cartomancer.maps.export.heading import engine_json
from cartomancer.maps.model import Map, Node
from cartomancer.maps.positions import page, positions

FORMAT: Final = "cartomancer.godot/1"


def to_godot(drawn: Map) -> str:
    """The map as JSON that a few lines of GDScript load; `node_types` is the enum, the same in every family."""
    places, (width, height) = positions(drawn), page(drawn)
    return engine_json(
        drawn,
        FORMAT,
        layer_count=drawn.rows,
        size={"x": width, "y": height},
        node_types={kind.upper(): KIND_CODES[kind] for kind in families.of(drawn.family).kinds},
        nodes=[_node(drawn, node, places[node.id]) for node in drawn.nodes],
        edges=[{"from_index": source, "to_index": target} for source, target in drawn.edges],
    )


def _node(drawn: Map, node: Node, place: tuple[float, float]) -> dict[str, Any]:
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
