"""Repairing a map: retype offending, unlocked nodes by the same sampler, nothing else [Voyage P5]."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cartomancer.codes import MONSTER, STREAM_REPAIR, VOYAGE
from cartomancer.jit import wrapping
from cartomancer.maps.charts import LOG_LENGTH, Drawn, chart_of, nodes_of
from cartomancer.maps.checking import CheckReport, check
from cartomancer.maps.generation import furnish
from cartomancer.maps.kernel.chart import new_log
from cartomancer.maps.kernel.events import LOCKED, WAIVED
from cartomancer.maps.kernel.generate import violations
from cartomancer.maps.kernel.repair import complete, empty_cell, retype
from cartomancer.maps.model import Map
from cartomancer.rng import stream_start

ATTEMPTS = 64


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
    """The map with its offending, unlocked nodes retyped.

    Each attempt empties all offenders and rolls them again in reading order; the first that leaves none without a
    type ends it. After the last one a voyage node that found nothing becomes a Monster, marked as waived.
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
    chart, packed, silent = view.chart, view.packed, new_log(0)
    attempts = 0
    offending: set[tuple[int, int]] = set()
    while attempts < ATTEMPTS:
        found, count = _offenders(view)
        offending |= found
        if not count or not (offending or attempts == 0):
            break
        attempts += 1
        for row, slot in sorted(offending):
            empty_cell(chart, row, slot)
        stuck = [cell for cell in sorted(offending) if not retype(chart, packed, *cell, silent)]
        complete(chart, packed, silent)
        if stuck and attempts == ATTEMPTS and packed["family"] == VOYAGE:
            for row, slot in stuck:
                chart["kind"][row, slot] = MONSTER
                chart["marks"][row, slot] = int(chart["marks"][row, slot]) | WAIVED
        elif not stuck and not _offenders(view)[1]:
            break
    return attempts


def _offenders(view: Drawn) -> tuple[set[tuple[int, int]], int]:
    """The unlocked cells that break a typing rule, and how many violations there are in all."""
    chart = view.chart
    log = new_log(LOG_LENGTH)
    chart["logged"] = 0
    count = int(violations(chart, view.packed, log))
    found = set()
    for event in log[: int(chart["logged"])]:
        _, row, slot, _, other_row, other_slot = (int(value) for value in event)
        if slot < 0:
            continue  # the map as a whole misses something: no node is to blame
        for r, s in ((row, slot), (other_row, other_slot)):
            if s >= 0 and not int(chart["marks"][r, s]) & LOCKED:
                found.add((r, s))
    chart["logged"] = 0
    return found, count


def _with_types(drawn: Map, view: Drawn) -> Map:
    """The map with the chart's types, furnished anew: a node that became a shop needs stock."""
    typed = {(node.row, node.column): node for node in nodes_of(view.chart)}
    nodes = []
    for node in drawn.nodes:
        new = typed[node.row, node.column]
        nodes.append(replace(node, type=new.type, forced=new.forced, waived=new.waived, locked=new.locked))
    return furnish(replace(drawn, nodes=tuple(nodes)))
