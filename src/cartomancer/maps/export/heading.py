"""What the formats for programs say first about a map."""

from __future__ import annotations

import json

from cartomancer.maps.model import Map, Node


def heading(drawn: Map) -> dict[str, str]:
    """Which map this is; the seed as text, as engines and some graph readers keep 64-bit numbers only so."""
    return {"family": drawn.family, "preset": drawn.preset, "seed": str(drawn.seed), "notation": drawn.notation}


def details_json(node: Node) -> str:
    """What only one family knows of a node, as text."""
    return json.dumps(dict(node.details), sort_keys=True, ensure_ascii=False)
