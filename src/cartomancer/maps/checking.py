"""Checking a map against its rules: every violation, by rule and coordinates.

>>> from cartomancer import maps
>>> maps.check(maps.generate("voyage", seed=42)).ok
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cartomancer.maps import families, generation, graphs
from cartomancer.maps.model import Map, Node
from cartomancer.maps.rulebook import DETAILS, Rule


@dataclass(frozen=True)
class Violation:
    """One broken rule and the nodes it concerns, the one that answers for it first."""

    rule: Rule
    row: int
    nodes: tuple[Node, ...]
    detail: str  # what is wrong, or what the rule demands

    def __str__(self) -> str:
        where = ", ".join(f"{node.place} {node.type}" for node in self.nodes) or f"row {self.row}"
        return f"{where}: {self.detail} [{self.rule.id}]"

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
    events = graphs.violation_events(graphs.graph_of(drawn), drawn.rules)
    found = [_violation(drawn, by_cell, event) for event in events]
    # details that contradict a node's place or type; what the public half of a map hides is not asked
    family, right = families.of(drawn.family), generation.furnish(drawn).by_id
    for node in drawn.nodes:
        found += [Violation(DETAILS, node.row, (node,), why) for why in family.contradictions(node, right[node.id])]
    return CheckReport(tuple(found), tuple(node for node in drawn.nodes if node.waived))


def _violation(drawn: Map, by_cell: dict[tuple[int, int], Node], event: list[int]) -> Violation:
    _, row, slot, code, other_row, other_slot = event
    family = families.of(drawn.family)
    rule = family.rule_by_code[code]
    detail = family.whole_map_fault(drawn.rules, rule, event)
    cells = ((row, slot), (other_row, other_slot)) if not detail else ()
    nodes = tuple(by_cell[cell] for cell in cells if cell in by_cell)
    return Violation(rule, row + 1, nodes, detail or rule.says(drawn.rules))
