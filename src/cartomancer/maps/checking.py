"""Checking a map against its rules: every violation, by rule and coordinates.

>>> from cartomancer import maps
>>> maps.check(maps.generate("voyage", seed=42)).ok
True
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cartomancer.content.presets import load_preset, preset_ids
from cartomancer.errors import CartomancerError, shown
from cartomancer.maps import families, graphs, notation
from cartomancer.maps.model import Map, Node, same
from cartomancer.maps.rulebook import DETAILS, Rule
from cartomancer.maps.stakes import Situation


@dataclass(frozen=True)
class Violation:
    """One broken rule and the nodes it concerns, the one that answers for it first."""

    rule: Rule
    row: int  # 0 where the map as a whole is at fault
    nodes: tuple[Node, ...]
    detail: str  # what is wrong, or what the rule demands

    def __str__(self) -> str:
        place = f"row {self.row}" if self.row else "the map"
        where = ", ".join(f"{node.place} {node.type}" for node in self.nodes) or place
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
    """Every rule the map breaks, and everything it says that its rules could not have produced."""
    by_cell = {(node.row - 1, node.column - 1): node for node in drawn.nodes}
    events = graphs.violation_events(graphs.graph_of(drawn), drawn.rules)
    found = [_violation(drawn, by_cell, event) for event in events]
    family = families.of(drawn.family)
    right = family.furnish(drawn, None)  # of the public half, whose seed is hidden, only what no dice decide counts
    found += [Violation(DETAILS, 0, (), why) for why in (*misnamed(drawn), *family.map_contradictions(drawn, right))]
    for node in drawn.nodes:
        found += [Violation(DETAILS, node.row, (node,), why) for why in family.contradictions(drawn, node, right)]
    return CheckReport(tuple(found), tuple(node for node in drawn.nodes if node.waived))


def misnamed(drawn: Map) -> Iterator[str]:
    """Where a map names a shipped preset and has other rules or another situation. A designer's own preset may be
    anywhere and is not looked for: the map carries its rules."""
    name = drawn.preset.partition("[")[0]
    if name not in (shipped := preset_ids(drawn.family)):
        if not name.endswith(".toml"):
            yield f"preset is {shown(drawn.preset)}, which is none of {', '.join(shipped)}"
        return
    try:
        overrides = notation.nested(notation.parse(f"{drawn.family}:{drawn.preset}:0").overrides)
        situation = Situation.from_overrides(overrides) if families.of(drawn.family).situated else None
        named = load_preset(drawn.family, name, overrides).rule_fields()
    except CartomancerError as error:
        yield f"preset is {shown(drawn.preset)}, which no map has: {error}"
        return
    fields = drawn.rules.rule_fields()
    if differing := [field for field in fields if not same(fields[field], named.get(field))]:
        yield f"preset is {shown(drawn.preset)}, but the map's rules differ from it in {', '.join(differing)}"
    if situation is not None and not same(situation.as_dict(), drawn.details.get("situation")):
        yield f"preset is {shown(drawn.preset)}, but the map's situation is another"


def _violation(drawn: Map, by_cell: dict[tuple[int, int], Node], event: list[int]) -> Violation:
    _, row, slot, code, other_row, other_slot = event
    family = families.of(drawn.family)
    rule = family.rule_by_code[code]
    detail = family.whole_map_fault(drawn.rules, rule, event)
    cells = ((row, slot), (other_row, other_slot)) if not detail else ()
    nodes = tuple(by_cell[cell] for cell in cells if cell in by_cell)
    return Violation(rule, row + 1, nodes, detail or rule.says(drawn.rules))
