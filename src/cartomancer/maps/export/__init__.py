"""Maps in the formats of other tools: graph viewers, documents and game engines.

>>> from cartomancer import maps
>>> FORMATS["mermaid"](maps.generate("contract", "short", seed=7)).splitlines()[3]
'flowchart BT'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cartomancer.maps.export.dot import to_dot
from cartomancer.maps.export.engines import to_godot, to_unity
from cartomancer.maps.export.graphml import to_graphml
from cartomancer.maps.export.mermaid import to_mermaid
from cartomancer.maps.model import Map

FORMATS: Final[dict[str, Callable[[Map], str]]] = {
    "dot": to_dot,
    "mermaid": to_mermaid,
    "graphml": to_graphml,
    "godot": to_godot,
    "unity": to_unity,
}

__all__ = ["FORMATS", "to_dot", "to_godot", "to_graphml", "to_mermaid", "to_unity"]
