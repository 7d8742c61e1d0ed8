"""Graphviz DOT: `dot -Tsvg map.dot` draws it with the boss on top, `neato -n` with Cartomancer's own positions."""

from __future__ import annotations

from cartomancer.maps.draw_svg import node_title
from cartomancer.maps.icons import COLOURS
from cartomancer.maps.model import Map
from cartomancer.maps.positions import page, positions


def to_dot(drawn: Map) -> str:
    """The map as a directed graph; nodes of a row share a rank."""
    places, height = positions(drawn), page(drawn)[1]
    lines = [
        "digraph cartomancer {",
        f"  graph [rankdir=BT, label={quoted(drawn.notation)}, labelloc=t];",
        '  node [shape=circle, style=filled, fontcolor="white", fontsize=10];',
    ]
    for node in drawn.nodes:
        x, y = places[node.id]
        label = node.type.replace("_", "\n")
        lines.append(
            f"  n{node.id} [label={quoted(label)}, tooltip={quoted(node_title(drawn, node))}, "
            f'fillcolor="{COLOURS[node.type]}", pos="{x:.1f},{height - y:.1f}"];'
        )
    for row in range(1, drawn.rows + 1):
        names = "; ".join(f"n{node.id}" for node in drawn.row_nodes(row))
        lines.append(f"  {{ rank=same; {names}; }}")
    lines += [f"  n{source} -> n{target};" for source, target in drawn.edges]
    return "\n".join([*lines, "}"]) + "\n"


def quoted(text: str) -> str:
    r"""A DOT string. Backslashes are doubled, so that no text can name one of DOT's own escapes.

    >>> print(quoted('a "b" \\N'))
    "a \"b\" \\N"
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "").replace("\n", "\\n") + '"'
