"""GraphML, which networkx, Gephi and yEd read."""

from __future__ import annotations

import json
from typing import Any, Final

from cartomancer.maps.draw_svg import xml_text
from cartomancer.maps.model import Map
from cartomancer.maps.positions import positions

GRAPH_KEYS: Final = {"family": "string", "preset": "string", "seed": "string", "notation": "string"}
NODE_KEYS: Final = {
    "row": "int",
    "column": "int",
    "type": "string",
    "locked": "boolean",
    "forced": "string",
    "waived": "boolean",
    "x": "double",
    "y": "double",
    "details": "string",
}


def to_graphml(drawn: Map) -> str:
    """The map as a directed graph with typed attributes; seeds are text, since some readers have no 64-bit numbers."""
    places = positions(drawn)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    for scope, keys in (("graph", GRAPH_KEYS), ("node", NODE_KEYS)):
        lines += [
            f'  <key id="{scope}_{name}" for="{scope}" attr.name="{name}" attr.type="{kind}"/>'
            for name, kind in keys.items()
        ]
    lines.append('  <graph id="map" edgedefault="directed">')
    about = {"family": drawn.family, "preset": drawn.preset, "seed": drawn.seed, "notation": drawn.notation}
    lines += [f"    {_data('graph', name, value)}" for name, value in about.items()]
    for node in drawn.nodes:
        x, y = places[node.id]
        values = {
            "row": node.row,
            "column": node.column,
            "type": node.type,
            "locked": node.locked,
            "forced": node.forced or "",
            "waived": node.waived,
            "x": round(x, 1),
            "y": round(y, 1),
            "details": json.dumps(dict(node.details), sort_keys=True, ensure_ascii=False),
        }
        data = "".join(_data("node", name, value) for name, value in values.items())
        lines.append(f'    <node id="n{node.id}">{data}</node>')
    lines += [f'    <edge source="n{source}" target="n{target}"/>' for source, target in drawn.edges]
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


def _data(scope: str, name: str, value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f'<data key="{scope}_{name}">{xml_text(text)}</data>'
