"""What the formats for programs say first about a map."""

from __future__ import annotations

import json
from typing import Any

from cartomancer.maps.model import Map, Node


def heading(drawn: Map) -> dict[str, str]:
    """Which map this is; the seed as text, as engines and some graph readers keep 64-bit numbers only so."""
    return {"family": drawn.family, "preset": drawn.preset, "seed": str(drawn.seed), "notation": drawn.notation}


def engine_json(drawn: Map, format: str, **fields: Any) -> str:
    """The document of a game engine: its format, which map it is, and the fields that the engine reads."""
    return json.dumps({"format": format, **heading(drawn), **fields}, indent=1, ensure_ascii=False) + "\n"


def details_json(node: Node) -> str:
    """What only one family knows of a node, as text."""
    return json.dumps(dict(node.details), sort_keys=True, ensure_ascii=False)
