"""Maps in the formats of other tools: graph viewers, documents and game engines.

Godot 4 gets the field names of the game's own MapNode and MapEdge [Guardian, schemas], and node types by their places
in the game's own enum (M32). From JSON it reads every number as a float, so node types are turned back with `int`, and
a position comes twice: as x and y, and as `Vector2(x, y)` for `str_to_var`. A text resource (.tres) needs neither. Its
y points down.

Unity's JsonUtility reads flat objects in arrays and nothing that is null. Positions have y pointing up, as Unity's do.
What only one family knows is JSON inside `detailsJson`.

`docs/formats.md` has the code that loads them on the other side.

>>> from cartomancer import maps
>>> FORMATS["mermaid"](maps.generate("contract", "short", seed=7)).splitlines()[3]
'flowchart BT'
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

from cartomancer.codes import KIND_CODES
from cartomancer.maps import families
from cartomancer.maps.draw_svg import node_title, xml_text
from cartomancer.maps.families.base import guardian_title
from cartomancer.maps.icons import COLOURS
from cartomancer.maps.model import Map, Node
from cartomancer.maps.notation import notation_of
from cartomancer.maps.positions import State, as_drawn, page, positions, states
from cartomancer.pages import render

_SPECIAL: Final = str.maketrans(
    {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;", "\\": "#92;"}
    | dict.fromkeys("\n\r", " ")
)
_TYPES: Final = {int: "int", bool: "boolean", float: "double", str: "string"}


def to_dot(drawn: Map) -> str:
    """Graphviz DOT: `dot -Tsvg` draws it with the boss on top, `neato -n` with Cartomancer's own positions.

    Nodes of a row share a rank, in the order in which pictures have them.
    """
    return _written("map.dot", drawn, height=page(drawn)[1], nodes=as_drawn(drawn), quoted=quoted)


def quoted(text: str) -> str:
    r"""A DOT string. Backslashes are doubled, so that no text can name one of DOT's own escapes.

    >>> print(quoted('a "b" \\N'))
    "a \"b\" \\N"
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "").replace("\n", "\\n") + '"'


def to_mermaid(drawn: Map) -> str:
    """A Mermaid flowchart, as Markdown pages draw it, from the first row up to the boss; acts are subgraphs."""
    family, present = families.of(drawn.family), {node.type for node in drawn.nodes}
    return _written(
        "map.mmd",
        drawn,
        title=json.dumps(drawn.notation),
        acts=family.acts(drawn),
        nodes=as_drawn(drawn),
        kinds=[kind for kind in family.kinds if kind in present],
        waived=",".join(f"n{node.id}" for node in drawn.nodes if node.waived),
        label=label,
        guardian_of=family.guardian_of,
        guardian_title=guardian_title,
    )


def label(text: str) -> str:
    """Text inside a Mermaid label: what Mermaid would read as markup becomes its own entity codes.

    >>> label('a "b" #1')
    'a #quot;b#quot; #35;1'
    """
    return text.translate(_SPECIAL)


def to_graphml(drawn: Map) -> str:
    """GraphML, which networkx, Gephi and yEd read: a directed graph with typed attributes."""
    places, been = positions(drawn), drawn.visited or ()
    nodes = []
    for node in drawn.nodes:
        fields = {name: getattr(node, name) for name in ("row", "column", "type", "locked")}
        fields |= {"forced": node.forced or "", "waived": node.waived}
        x, y = (round(end, 1) for end in places[node.id])
        nodes.append((node.id, {**fields, "x": x, "y": y, "details": details_json(node), "visited": node.id in been}))
    return _written("map.graphml", drawn, about=heading(drawn), nodes=nodes, type_of=lambda value: _TYPES[type(value)])


def _written(template: str, drawn: Map, **model: Any) -> str:
    """What a template makes of the map, with the words that several of them use."""
    shared = {"drawn": drawn, "been": drawn.visited or (), "places": positions(drawn), "colours": COLOURS}
    words = {"node_title": node_title, "tenths": "{:.1f}".format, "xml_text": xml_text}
    return render(__name__, template, **shared, **words, **model)


def heading(drawn: Map) -> dict[str, str | bool]:
    """Which map this is; the seed as text, as engines and some graph readers keep 64-bit numbers only so.

    The seed of a public half is empty, and so is the notation of a map that no notation regenerates.
    """
    return {
        "family": drawn.family,
        "preset": drawn.preset,
        "seed": "" if drawn.is_public else str(drawn.seed),
        "notation": notation_of(drawn) or "",
        "public": drawn.is_public,
    }


def details_json(node: Node) -> str:
    """What only one family knows of a node, as text."""
    return json.dumps(dict(node.details), sort_keys=True, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Vector2:
    """A place, as Godot writes one."""

    x: float
    y: float

    def __str__(self) -> str:
        return f"Vector2({self.x}, {self.y})"


def enum_of(family: families.Family[Any]) -> dict[str, int]:
    """The node types of a family as the game's enum counts them (M32).

    >>> enum_of(families.of("guardian"))["BOSS"]
    3
    """
    return {kind.upper(): place for place, kind in enumerate(family.enum_order or family.kinds)}


def to_godot(drawn: Map) -> str:
    """The map as JSON that a few lines of GDScript load; `node_types` is the game's enum."""
    document = _godot_document(drawn)
    for node in document["nodes"]:
        node["position_text"] = str(node["position"])
    return json.dumps(document, indent=1, ensure_ascii=False, default=asdict) + "\n"


def to_tres(drawn: Map) -> str:
    """The same as a text resource: `load("res://map.tres").data`, with whole numbers and vectors as they are."""
    return f'[gd_resource type="JSON" format=3]\n\n[resource]\ndata = {_variant(_godot_document(drawn))}\n'


def _variant(value: Any, apart: str = ",\n") -> str:
    """A value as Godot's own text has it: JSON, and vectors; a node a line."""
    if isinstance(value, dict):
        return "{" + apart.join(f"{_variant(str(name))}: {_variant(value[name], ', ')}" for name in value) + "}"
    if isinstance(value, list):
        return "[" + ",\n".join(_variant(inner, ", ") for inner in value) + "]"
    return str(value) if isinstance(value, Vector2) else json.dumps(value, ensure_ascii=False)


def _godot_document(drawn: Map) -> dict[str, Any]:
    places, marks = positions(drawn), states(drawn, drawn.visited)
    return {
        "format": "cartomancer.godot/2",
        **heading(drawn),
        "layer_count": drawn.rows,
        "size": Vector2(*page(drawn)),
        "node_types": enum_of(families.of(drawn.family)),
        "nodes": [_godot_node(drawn, node, places[node.id], marks[node.id]) for node in drawn.nodes],
        "edges": [{"from_index": source, "to_index": target} for source, target in drawn.edges],
    }


def _godot_node(drawn: Map, node: Node, place: tuple[float, float], mark: State) -> dict[str, Any]:
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
        "node_type": enum_of(family)[node.type.upper()],
        "node_type_name": node.type.upper(),
        "position": Vector2(round(place[0], 1), round(place[1], 1)),
        "waived": node.waived,
        **_marked(mark),
        "encounter_data": node.details.get("encounter") or {},
        "is_guardian": bool(guardian),
        "guardian_id": guardian,
    }


def to_unity(drawn: Map) -> str:
    """The map as JSON for JsonUtility."""
    places, marks, (width, height) = positions(drawn), states(drawn, drawn.visited), page(drawn)
    document = {
        "format": "cartomancer.unity/1",
        **heading(drawn),
        "rows": drawn.rows,
        "columns": drawn.columns,
        "width": width,
        "height": height,
        "nodes": [_unity_node(drawn, node, places[node.id], height, marks[node.id]) for node in drawn.nodes],
        "edges": [{"fromId": source, "toId": target} for source, target in drawn.edges],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _unity_node(drawn: Map, node: Node, place: tuple[float, float], height: float, mark: State) -> dict[str, Any]:
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
        **_marked(mark),
        "lane": str(node.details.get("lane") or ""),
        "act": family.act_of(drawn, node),
        "guardian": family.guardian_of(drawn, node),
        "detailsJson": details_json(node),
    }


def _marked(mark: State) -> dict[str, bool]:
    """How the way on the map marks a node, for engines."""
    return {"visited": mark in ("visited", "current"), "available": mark == "available"}


FORMATS: Final[dict[str, Callable[[Map], str]]] = {
    "dot": to_dot,
    "mermaid": to_mermaid,
    "graphml": to_graphml,
    "godot": to_godot,
    "tres": to_tres,
    "unity": to_unity,
}
