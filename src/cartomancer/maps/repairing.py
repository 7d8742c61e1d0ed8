"""Repairing a map: retype offending, unlocked nodes by the same sampler, nothing else [Voyage P5]."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cartomancer.codes import MONSTER, STREAM_REPAIR, VOYAGE
from cartomancer.jit import wrapping
from cartomancer.maps.charts import Drawn, chart_of, nodes_of, violation_events
from cartomancer.maps.checking import CheckReport, check
from cartomancer.maps.generation import furnish
from cartomancer.maps.kernel.chart import new_log
from cartomancer.maps.kernel.events import LOCKED, WAIVED
from cartomancer.maps.kernel.repair import complete, empty_cell, retype
from cartomancer.maps.model import Map
from cartomancer.maps.rulebook import GRAPH_RULES
from cartomancer.rng import stream_start

ATTEMPTS = 64

Cell = tuple[int, int]


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
    offenders around it are emptied once more, up to ATTEMPTS times; then it becomes a Monster, marked as waived (in
    families without waivers it keeps its type). Edges and locked nodes are reported, not touched.
    """
    view = chart_of(drawn)
    with wrapping():
        view.chart["streams"][STREAM_REPAIR] = stream_start(np.uint64(drawn.seed), STREAM_REPAIR, 0)
        attempts = _mend(view)
    mended = _with_types(drawn, view)
    changes = tuple(
        Change(old.id, old.row, old.column, old.type, new.type, new.waived)
        for old, new in zip(drawn.nodes, mended.nodes, strict=True)
        if old.type != new.type
    )
    return Repair(mended, changes, attempts, check(mended))


def _mend(view: Drawn) -> int:
    """Retype until nothing offends; returns how many attempts it took."""
    chart, packed, silent = view.chart, view.packed, new_log(0)
    before = chart["kind"].copy()
    offending: set[Cell] = set()
    stuck: list[Cell] = []
    for attempt in range(ATTEMPTS):
        found, lacking = _offenders(view)
        offending |= found
        if not found and not stuck and not lacking:
            return attempt
        again = {cell for cell in offending if _near(cell, {*stuck, *found})}
        for cell in again:
            empty_cell(chart, *cell)
        stuck = [cell for cell in sorted(again) if not retype(chart, packed, *cell, silent)]
        complete(chart, packed, silent)
    for row, slot in stuck:
        if packed["family"] == VOYAGE:
            chart["kind"][row, slot] = MONSTER
            chart["marks"][row, slot] = int(chart["marks"][row, slot]) | int(WAIVED)
        else:
            chart["kind"][row, slot] = before[row, slot]
    return ATTEMPTS


def _near(cell: Cell, others: set[Cell]) -> bool:
    """Whether a cell lies on the row of one of the others or on a row beside it."""
    return any(abs(cell[0] - row) <= 1 for row, _ in others)


def _offenders(view: Drawn) -> tuple[set[Cell], bool]:
    """The unlocked cells that break a typing rule, and whether the map lacks something as a whole."""
    found, lacking = set(), False
    for _, row, slot, rule, other_row, other_slot in violation_events(view):
        if rule in GRAPH_RULES:
            continue  # types cannot mend the graph
        lacking |= slot < 0
        for r, s in ((row, slot), (other_row, other_slot)):
            if slot >= 0 and s >= 0 and not int(view.chart["marks"][r, s]) & LOCKED:
                found.add((r, s))
    return found, lacking


def _with_types(drawn: Map, view: Drawn) -> Map:
    """The map with the chart's types, furnished anew: a node that became a shop needs stock."""
    typed = {(node.row, node.column): node for node in nodes_of(view.chart)}
    nodes = []
    for node in drawn.nodes:
        new = typed[node.row, node.column]
        nodes.append(replace(node, type=new.type, forced=new.forced, waived=new.waived, locked=new.locked))
    return furnish(replace(drawn, nodes=tuple(nodes)))
