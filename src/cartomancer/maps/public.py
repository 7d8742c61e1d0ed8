"""The public half of a map: what players may see before they enter a node (M14).

Types, edges and positions are public, and so are lanes, acts, guardians, boss traits and offered trials. The seed and
what was rolled with the map stay with the server until a node is entered.

In memory the hidden seed is 0; `details["public"]` is what says that it is not the map's seed. No file says a seed
then, the notation leads nowhere, and whatever needs the seed is refused (`Map.refuse_public`).

>>> from cartomancer import maps
>>> seen = public_view(maps.generate("guardian", "slice", seed=7))
>>> seen.seed, seen.details["public"], "encounter" in seen.node(0).details
(0, True, False)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from cartomancer.maps.model import Map

HIDDEN_SEED: Final = 0
HIDDEN_DETAILS: Final = frozenset({"encounter", "trapped", "hook", "stock", "intrusion"})


def public_view(
    drawn: Map, entered: Collection[int] = (), resolved: Mapping[int, str] | None = None, *, on_the_way: bool = False
) -> Map:
    """The map without the seed and without what nodes hide; nodes already entered hide nothing (M14).

    An Unknown that was entered says in `resolved` what it became. On the way, the map says in `visited` what was
    entered, in order. A hidden detail is absent rather than empty: an absent `encounter` is unknown, an `encounter` of
    None is no fight.
    """
    nodes = []
    for node in drawn.nodes:
        shown = {key: value for key, value in node.details.items() if key not in HIDDEN_DETAILS}
        if node.id in entered:
            shown = {**node.details, **({"resolved": resolved[node.id]} if resolved and node.id in resolved else {})}
        nodes.append(replace(node, details=shown))
    way = {"visited": list(entered)} if on_the_way else {}
    return replace(drawn, seed=HIDDEN_SEED, nodes=tuple(nodes), details={**drawn.details, **way, "public": True})
