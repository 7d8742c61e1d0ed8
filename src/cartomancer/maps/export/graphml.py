"""GraphML, which networkx, Gephi and yEd read."""

from __future__ import annotations

from typing import Any, Final

from cartomancer.maps.draw_svg import xml_text
from cartomancer.maps.export.heading import details_json, heading
from cartomancer.maps.model import Map, Node
from cartomancer.maps.positions import positions

TYPES: Final = {int: "int", bool: "boolean", float: "double", str: "string"}


def to_graphml(drawn: Map) -> str:
    """The map as a directed graph with typed attributes; seeds are text, since some readers have no 64-bit numbers."""
    places, about = positions(drawn), heading(drawn)
    told = {node.id: _attributes(node, places[node.id]) for node in drawn.nodes}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    for scope, example in (("graph", about), ("node", next(iter(told.values())))):
        lines += [
            f'  <key id="{scope}_{name}" for="{scope}" attr.name="{name}" attr.type="{TYPES[type(value)]}"/>'
            for name, value in example.items()
        ]
    lines.append('  <graph id="map" edgedefault="directed">')
    lines += [f"    {_data('graph', name, value)}" for name, value in about.items()]
    for node_id, attributes in told.items():
        data = "".join(_data("node", name, value) for name, value in attributes.items())
        lines.append(f'    <node id="n{node_id}">{data}</node>')
    lines += [f'    <edge source="n{source}" target="n{target}"/>' for source, target in drawn.edges]
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


def _attributes(node: Node, place: tuple[float, float]) -> dict[str, Any]:
    fields = {name: getattr(node, name) for name in ("row", "column", "type", "locked")}
    fields |= {"forced": node.forced or "", "waived": node.waived}
    return {**fields, "x": round(place[0], 1), "y": round(place[1], 1), "details": details_json(node)}


def _data(scope: str, name: str, value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f'<data key="{scope}_{name}">{xml_text(text)}</data>'
