"""Repairing a map: retype offending, unlocked nodes by the same sampler [Voyage P5], roll impossible contents anew.

Nothing else changes, and everything that changed is listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cartomancer.codes import KIND_NAMES, STREAM_REPAIR
from cartomancer.content.models.base import Preset
from cartomancer.errors import CartomancerError, shown
from cartomancer.jit import wrapping
from cartomancer.maps import families, graphs
from cartomancer.maps.checking import CheckReport, check
from cartomancer.maps.drafts import Draft
from cartomancer.maps.kernel.events import LOCKED, WAIVED
from cartomancer.maps.kernel.generate import empty_cell
from cartomancer.maps.model import Map, Node, same
from cartomancer.rng import stream_start

MARKS = ("type", "locked", "forced", "waived")
ABSENT = "absent"  # a field that only one state of the map has

Cell = tuple[int, int]  # row and column


@dataclass(frozen=True)
class Change:
    """One field of a node that changed: its type, a mark, or a detail. What the map says as a whole has no node."""

    node: int | None
    row: int
    column: int
    field: str
    before: Any
    after: Any
    waived: bool = False

    def __str__(self) -> str:
        where = "the map" if self.node is None else f"node {self.node} (row {self.row}, column {self.column})"
        if self.field == "type":
            tail = ", as a last resort" if self.waived else ""
            return f"{where}: {self.before} → {self.after}{tail}"
        return f"{where}: {self.field} {shown(self.before)} → {shown(self.after)}"


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


def repair(drawn: Map, attempts: int | None = None) -> Repair:
    """The map with its offending, unlocked nodes retyped, and with contents that could not be rolled anew (M23).

    All offenders are emptied and rolled again in reading order. Where one finds nothing that its neighbours allow, the
    offenders around it are emptied once more, in all up to `attempts` times, as many as the rules' `repair_attempts` if
    not said; then it becomes its family's last resort, marked as waived (in families without one it keeps its type).
    Edges and the types of locked nodes are reported, not touched. Nodes that were retyped, or that say what they could
    not have rolled, are furnished anew; all others keep what they hold, whoever put it there.
    """
    attempts = drawn.rules.repair_attempts if attempts is None else attempts
    if attempts < 1:
        raise CartomancerError(f"a repair needs at least one attempt, not {attempts}")
    drawn.refuse_public("repaired")
    draft = graphs.graph_of(drawn)
    with wrapping():
        draft.graph["streams"][STREAM_REPAIR] = stream_start(np.uint64(drawn.seed), STREAM_REPAIR, 0)
    used = _mend(draft, drawn.rules, attempts)
    mended = _furnished(drawn, _with_types(drawn, draft))
    return Repair(mended, tuple(_changes(drawn, mended)), used, check(mended))


def _mend(draft: Draft, rules: Preset, attempts: int) -> int:
    """Retype until nothing offends; returns how many attempts it took."""
    family, graph = families.of(rules.family), draft.graph
    before = graph["kind"].copy()
    offending: set[Cell] = set()
    stuck: list[Cell] = []
    for attempt in range(attempts):
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
    return attempts


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
    """The map with the graph's types and marks; where a rule fixes the type that a node has, it is locked again."""
    family = families.of(drawn.family)
    typed = {(node.row, node.column): node for node in graphs.nodes_of(draft, drawn.family)}
    nodes = []
    for node in drawn.nodes:
        new = typed[node.row, node.column]
        locked = new.locked or family.fixes(drawn.rules, new) is True
        nodes.append(replace(node, type=new.type, forced=new.forced, waived=new.waived, locked=locked))
    return replace(drawn, nodes=tuple(nodes))


def _furnished(drawn: Map, mended: Map) -> Map:
    """The mended map in which offenders alone have new details: a node that became a shop needs stock.

    Without its seed the public half of a map can roll nothing: its offenders keep only what no dice decide.
    """
    family = families.of(drawn.family)
    right = family.furnish(mended, None)
    known = {*family.node_schema, *family.details_by_place}

    def anew(node: Node) -> Node:
        own = {name: value for name, value in node.details.items() if name not in known}
        fresh = right.by_id[node.id].details.items()
        told = {name: value for name, value in fresh if not drawn.is_public or name in family.details_by_place}
        forced = node.forced if node.forced is None or family.forces(drawn.rules, node) else None
        return replace(node, details={**own, **told}, forced=forced)

    offending = {
        node.id
        for node in mended.nodes
        if node.type != drawn.by_id[node.id].type or any(family.contradictions(mended, node, right))
    }
    nodes = tuple(anew(node) if node.id in offending else node for node in mended.nodes)
    details = {**drawn.details, **{name: right.details[name] for name in family.map_schema}}
    return replace(mended, nodes=nodes, details=details)


def _changes(drawn: Map, mended: Map) -> Iterator[Change]:
    """Everything in which two states of a map differ."""
    for old, new in zip(drawn.nodes, mended.nodes, strict=True):
        before, after = ({**{mark: getattr(node, mark) for mark in MARKS}, **node.details} for node in (old, new))
        for field in dict.fromkeys((*before, *after)):
            one, two = before.get(field, ABSENT), after.get(field, ABSENT)
            if not same(one, two):
                yield Change(new.id, new.row, new.column, field, one, two, new.waived)
    for field in dict.fromkeys((*drawn.details, *mended.details)):
        one, two = drawn.details.get(field, ABSENT), mended.details.get(field, ABSENT)
        if not same(one, two):
            yield Change(None, 0, 0, field, one, two)
