"""The value of each way ahead, by dynamic programming from the boss back to where the party stands."""

from __future__ import annotations

from cartomancer.campaign.expedition.explorers.valuation import (
    CARD,
    ITEM,
    Standing,
    Temper,
    of_fight,
)
from cartomancer.campaign.expedition.meetings import danger_of
from cartomancer.campaign.expedition.nodes.fight import KINDS
from cartomancer.maps.model import Node

FADING = 0.92  # what lies a row further counts less: the party will be another by then
UNKNOWN = {"monster": 0.10, "treasure": 0.02, "shop": 0.03, "event": 0.85}


def value_of(at: Standing, node: Node, kind: str, temper: Temper) -> float:
    """What entering a node is worth to the party as it is, in gold, if it is of this kind; what it hides is not asked
    (M14)."""
    run, tuning = at.run, at.run.codex.expedition
    if kind == "unknown":
        return sum(share * value_of(at, node, one, temper) for one, share in UNKNOWN.items())
    if kind in KINDS:
        rule = tuning.danger[run.journey.map.family]  # type: ignore[index]
        return of_fight(at, kind, danger_of(run.journey.map, node, kind, rule), temper)
    rest = max(at.healing(tuning.rest_heal_percent), CARD, *(at.hook_eased(hook) for hook in ("injury", "stress")))
    shop = temper.greed * min(run.gold, 80) * 0.35
    match kind:
        case "rest":
            return rest
        case "port":
            return rest + shop
        case "shop":
            return shop
        case "treasure":
            return temper.greed * 30 * ITEM
        case "cache":
            return temper.greed * 20 - temper.fear * 4
        case "shrine":
            return CARD
        case "memory_shrine":
            return 5.0
        case "rival_intrusion":
            return -10.0 * temper.fear
    return 8.0  # an event


def promises(at: Standing, temper: Temper) -> dict[int, float]:
    """For each node that may be entered next: what it and the best way on from it are worth."""
    run, drawn = at.run, at.run.journey.map
    worth: dict[int, float] = {}
    kinds: dict[tuple[str, int], float] = {}
    for node in reversed(drawn.nodes):
        key = (node.type, node.row)
        if key not in kinds:
            kinds[key] = value_of(at, node, node.type, temper)
        ahead = max((worth[target] for target in drawn.onward[node.id]), default=0.0)
        worth[node.id] = kinds[key] + FADING * ahead
    return {node.id: worth[node.id] for node in run.journey.available()}
