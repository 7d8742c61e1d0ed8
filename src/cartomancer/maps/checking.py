"""Checking a map against its rules: every violation, by rule and coordinates.

>>> from cartomancer import maps
>>> maps.check(maps.generate("voyage", seed=42)).ok
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cartomancer.maps.charts import chart_of, violation_events
from cartomancer.maps.generation import furnish
from cartomancer.maps.kernel.events import RULE_LANES
from cartomancer.maps.model import Map, Node
from cartomancer.maps.rulebook import BY_CODE, BY_ID, Rule

DETAILS_BY_PLACE = ("lane", "layer", "floor", "act", "guardian_id", "memory_id")


@dataclass(frozen=True)
class Violation:
    """One broken rule and the nodes it concerns, the one that answers for it first."""

    rule: Rule
    row: int
    nodes: tuple[Node, ...]
    detail: str = ""

    def __str__(self) -> str:
        where = ", ".join(f"{node.place} {node.type}" for node in self.nodes) or f"row {self.row}"
        return f"{where}: {self.detail or self.rule.statement} [{self.rule.id}]"

    def as_dict(self) -> dict[str, Any]:
        return {
            "rule": self.rule.id,
            "row": self.row,
            "nodes": [{"id": n.id, "row": n.row, "column": n.column, "type": n.type} for n in self.nodes],
            "message": str(self),
        }


@dataclass(frozen=True)
class CheckReport:
    """What a check found. A waived node is not a violation: the generator has owned up to it."""

    violations: tuple[Violation, ...]
    waivers: tuple[Node, ...]

    @property
    def ok(self) -> bool:
        return not self.violations

    def as_dict(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "violations": [violation.as_dict() for violation in self.violations],
            "waivers": [{"id": n.id, "row": n.row, "column": n.column, "type": n.type} for n in self.waivers],
        }


def check(drawn: Map) -> CheckReport:
    """Every rule the map breaks."""
    by_cell = {(node.row - 1, node.column - 1): node for node in drawn.nodes}
    found = [_violation(drawn, by_cell, event) for event in violation_events(chart_of(drawn))]
    found += _false_details(drawn)
    return CheckReport(tuple(found), tuple(node for node in drawn.nodes if node.waived))


def _false_details(drawn: Map) -> list[Violation]:
    """Nodes whose family details contradict their place or type. What the public half of a map hides is not asked."""
    found = []
    true = furnish(drawn).by_id
    for node in drawn.nodes:
        for name in DETAILS_BY_PLACE:
            told, right = node.details.get(name), true[node.id].details.get(name)
            if told != right:
                found.append(Violation(BY_ID["map.details"], node.row, (node,), f"{name} is {told!r}, not {right!r}"))
        if "encounter" in node.details and _tier(node) != _tier(true[node.id]):
            detail = f"its encounter is {_tier(node)}, not {_tier(true[node.id])}"
            found.append(Violation(BY_ID["map.details"], node.row, (node,), detail))
    return found


def _tier(node: Node) -> Any:
    encounter = node.details.get("encounter")
    return encounter.get("tier") if isinstance(encounter, dict) else None


def _violation(drawn: Map, by_cell: dict[tuple[int, int], Node], event: list[int]) -> Violation:
    _, row, slot, code, other_row, other_slot = event
    rule = BY_CODE[code]
    nodes = [by_cell[cell] for cell in ((row, slot), (other_row, other_slot)) if cell in by_cell]
    detail = ""
    if slot < 0 and rule.id in {"contract.requirement", "contract.guarantee"}:
        nodes = []
        wanted = drawn.rules.every_requirement()[other_row][0]  # type: ignore[attr-defined]
        detail = f"{wanted.describe()}, there are {other_slot}"
    elif code == RULE_LANES:
        nodes = []
        detail = f"{other_row} edge(s) between lanes are missing or too many"
    return Violation(rule, row + 1, tuple(nodes), detail)
