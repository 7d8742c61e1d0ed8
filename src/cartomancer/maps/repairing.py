"""Repairing a map: retype offending, unlocked nodes by the same sampler, nothing else [Voyage P5]."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cartomancer.codes import KIND_NAMES, STREAM_REPAIR
from cartomancer.content.models.base import Preset
from cartomancer.jit import wrapping
from cartomancer.maps import families, generation, graphs
from cartomancer.maps.checking import CheckReport, check
from cartomancer.maps.drafts import Draft
from cartomancer.maps.kernel.events import LOCKED, WAIVED
from cartomancer.maps.kernel.generate import empty_cell
from cartomancer.maps.model import Map
from cartomancer.rng import stream_start

ATTEMPTS = 64

Cell = tuple[int, int]  # row and column


@dataclass(frozen=True)
class Change:
    """One retyped node."""

    node: int
    row: int
    column: int
    before: str
    after: str
    waived: bool

    def __str__(self) -> str:
        tail = ", as a last resort" if self.waived else ""
        return f"node {self.node} (row {self.row}, column {self.column}): {self.before} → {self.after}{tail}"


@dataclass(frozen=True)
class Repair:
    """A repaired map, what was changed, and what could not be mended (locked nodes, edges)."""

    map: Map
    changes: tuple[Change, ...]
    attempts: int
    left: CheckReport

    @property
    def ok(self) -> bool:
        return self.left.ok

    def as_dict(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "attempts": self.attempts,
            "changes": [vars(change) for change in self.changes],
            "left": self.left.as_dict(),
        }


def repair(drawn: Map) -> Repair:
    """The map with its offending, unlocked nodes retyped (M23).

    All offenders are emptied and rolled again in reading order. Where one finds nothing that its neighbours allow, the
    offenders around it are emptied once more, up to ATTEMPTS times; then it becomes its family's last resort, marked as
    waived (in families without one it keeps its type). Edges and locked nodes are reported, not touched.
    """
    drawn.refuse_public("repaired")
    draft = graphs.graph_of(drawn)
    with wrapping():
        draft.graph["streams"][STREAM_REPAIR] = stream_start(np.uint64(drawn.seed), STREAM_REPAIR, 0)
    attempts = _mend(draft, drawn.rules)
    mended = _with_types(drawn, draft)
    changes = tuple(
        Change(old.id, old.row, old.column, old.type, new.type, new.waived)
        for old, new in zip(drawn.nodes, mended.nodes, strict=True)
        if old.type != new.type
    )
    return Repair(mended, changes, attempts, check(mended))


def _mend(draft: Draft, rules: Preset) -> int:
    """Retype until nothing offends; returns how many attempts it took."""
    family, graph = families.of(rules.family), draft.graph
    before = graph["kind"].copy()
    offending: set[Cell] = set()
    stuck: list[Cell] = []
    for attempt in range(ATTEMPTS):
        found, lacking = _offenders(draft, rules)
        offending |= found
        if not found and not stuck and not lacking:
            return attempt
        near = {row + by for row, _ in {*stuck, *found} for by in (-1, 0, 1)}
        again = {cell for cell in offending if cell[0] in near}
        for row, column in again:
            empty_cell(graph, row - 1, column - 1)
        stuck = [cell for cell in sorted(again) if not family.retype(draft, rules, *cell)]
        family.complete(draft)
    for row, column in stuck:
        old = KIND_NAMES[int(before[row - 1, column - 1])]
        draft.set_type(row, column, family.last_resort or old, WAIVED if family.last_resort else 0)
    return ATTEMPTS


def _offenders(draft: Draft, rules: Preset) -> tuple[set[Cell], bool]:
    """The unlocked cells that break a typing rule, and whether the map lacks something as a whole."""
    found, lacking = set(), False
    by_code = families.of(rules.family).rule_by_code
    for _, row, slot, code, other_row, other_slot in graphs.violation_events(draft, rules):
        if by_code[code].of_graph:
            continue  # types cannot mend the graph
        lacking |= slot < 0
        for r, s in ((row + 1, slot + 1), (other_row + 1, other_slot + 1)):
            if slot >= 0 and s > 0 and not draft.marked(r, s, LOCKED):
                found.add((r, s))
    return found, lacking


def _with_types(drawn: Map, draft: Draft) -> Map:
    """The map with the graph's types, furnished anew: a node that became a shop needs stock."""
    typed = {(node.row, node.column): node for node in graphs.nodes_of(draft, drawn.family)}
    nodes = []
    for node in drawn.nodes:
        new = typed[node.row, node.column]
        nodes.append(replace(node, type=new.type, forced=new.forced, waived=new.waived, locked=new.locked))
    return generation.furnish(replace(drawn, nodes=tuple(nodes)))
