"""Unity: JSON in the shape that JsonUtility can read, which is flat objects in arrays and nothing that is null.

Positions have y pointing up, as Unity's do, so the boss is on top; the seed is text. What only one family knows is
JSON inside `detailsJson`. The classes on the other side:

```csharp
[Serializable] public class CartomancerNode {
    public int id, row, column, typeCode, act;
    public string type, forced, lane, guardian, detailsJson;
    public float x, y;
    public bool locked, waived;
}
[Serializable] public class CartomancerEdge { public int fromId, toId; }
[Serializable] public class CartomancerMap {
    public string format, family, preset, seed, notation;
    public int rows, columns;
    public float width, height;
    public CartomancerNode[] nodes;
    public CartomancerEdge[] edges;
}
// var map = JsonUtility.FromJson<CartomancerMap>(text);
```
"""

from __future__ import annotations

from typing import Any, Final

from cartomancer.codes import KIND_CODES
from cartomancer.maps import families
from cartomancer.maps.export.heading import details_json, engine_json
from cartomancer.maps.model import Map, Node
from cartomancer.maps.positions import page, positions

FORMAT: Final = "cartomancer.unity/1"


def to_unity(drawn: Map) -> str:
    """The map as JSON for JsonUtility."""
    places, (width, height) = positions(drawn), page(drawn)
    return engine_json(
        drawn,
        FORMAT,
        rows=drawn.rows,
        columns=drawn.columns,
        width=width,
        height=height,
        nodes=[_node(drawn, node, places[node.id], height) for node in drawn.nodes],
        edges=[{"fromId": source, "toId": target} for source, target in drawn.edges],
    )


def _node(drawn: Map, node: Node, place: tuple[float, float], height: float) -> dict[str, Any]:
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
