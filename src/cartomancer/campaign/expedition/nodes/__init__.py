"""The kinds of nodes, one module each. A new kind is one module here, its content, and a line in `MODULES`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cartomancer.campaign.expedition.nodes import event, fight, intrusion, rest, shop, shrine, training, treasure
from cartomancer.campaign.expedition.nodes.kind import NodeKind, Option, StopKind
from cartomancer.campaign.expedition.run import Run

MODULES: Final = (fight, rest, shop, treasure, event, shrine, intrusion, training)
NODES: Final[tuple[NodeKind, ...]] = tuple(module.NODE for module in MODULES)
ENTERED: Final[dict[str, Callable[[Run], None]]] = {
    kind: enter for node in NODES for kind, enter in node.entered.items()
}
STOPS: Final[dict[str, StopKind]] = {name: kind for node in NODES for name, kind in node.stops.items()}

__all__ = ["ENTERED", "NODES", "STOPS", "NodeKind", "Option", "StopKind"]
