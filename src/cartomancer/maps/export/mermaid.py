"""Mermaid flowcharts, as Markdown pages and issue trackers draw them."""

from __future__ import annotations

import json
from typing import Final

from cartomancer.maps import families
from cartomancer.maps.families.base import guardian_title
from cartomancer.maps.icons import COLOURS
from cartomancer.maps.model import Map, Node

_SPECIAL: Final = str.maketrans(
    {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;", "\\": "#92;"}
    | dict.fromkeys("\n\r", " ")
)


def to_mermaid(drawn: Map) -> str:
    """The map as a flowchart from the first row up to the boss; acts are subgraphs."""
    lines = ["---", f"title: {json.dumps(drawn.notation)}", "---", "flowchart BT"]
    family = families.of(drawn.family)
    stretches = family.acts(drawn)
    for act in stretches:
        inside = [node for node in drawn.nodes if act.first_row <= node.row <= act.last_row]
        lines.append(f'  subgraph act{act.number}["{label(f"{act.heading}: {act.title}")}"]')
        lines += [f"    {_node(drawn, node)}" for node in inside]
        lines.append("  end")
    if not stretches:
        lines += [f"  {_node(drawn, node)}" for node in drawn.nodes]
    lines += [f"  n{source} --> n{target}" for source, target in drawn.edges]
    present = {node.type for node in drawn.nodes}
    for kind in family.kinds:
        if kind in present:
            lines.append(f"  classDef {kind} fill:{COLOURS[kind]},color:#fff,stroke:#333")
    return "\n".join(lines) + "\n"


def label(text: str) -> str:
    """Text inside a Mermaid label: what Mermaid would read as markup becomes its own entity codes.

    >>> label('a "b" #1')
    'a #quot;b#quot; #35;1'
    """
    return text.translate(_SPECIAL)


def _node(drawn: Map, node: Node) -> str:
    guardian = families.of(drawn.family).guardian_of(drawn, node)
    name = guardian_title(guardian) if guardian else node.type.replace("_", " ")
    text = label(f"{node.row}.{node.column} {name}")
    left, right = ("{{", "}}") if node.type == "boss" else ("(", ")")
    return f'n{node.id}{left}"{text}"{right}:::{node.type}'
