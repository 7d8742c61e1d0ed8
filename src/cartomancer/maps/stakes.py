"""What is at stake on a contract map: traps, traits, stock, trials, intrusions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cartomancer.content.models.contract import ContractRules
from cartomancer.maps.model import Map


@dataclass(frozen=True)
class Situation:
    """What the campaign brings to a contract."""


def roll_stakes(drawn: Map, rules: ContractRules, situation: Situation) -> Map:
    """The contract map with lanes and stakes."""
    nodes = []
    for node in drawn.nodes:
        alone = len(drawn.row_nodes(node.row)) == 1
        lane = "both" if alone else ("safe", "risk")[node.column - 1]
        nodes.append(replace(node, details={"lane": lane}))
    return replace(drawn, nodes=tuple(nodes))
