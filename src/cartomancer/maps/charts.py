"""Between the two storeys: charts (codes and bit masks) below, maps (names and ids) above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cartomancer.codes import KIND_CODES, KIND_NAMES
from cartomancer.content.models.base import Preset
from cartomancer.errors import GenerationError
from cartomancer.jit import records, wrapping
from cartomancer.maps.kernel.chart import CHART, new_log
from cartomancer.maps.kernel.events import FORCED, LOCKED, WAIVED
from cartomancer.maps.kernel.generate import generate, violations
from cartomancer.maps.model import Map, Node
from cartomancer.maps.packing import pack
from cartomancer.maps.rulebook import BY_CODE, BY_ID

LOG_LENGTH = 40_000


@dataclass(frozen=True)
class Drawn:
    """A chart with the rules it was drawn by and, if asked for, the log of how."""

    chart: Any
    packed: Any
    log: np.ndarray[Any, Any]

    @property
    def events(self) -> np.ndarray[Any, Any]:
        """The events written so far, one row each."""
        return self.log[: int(self.chart["logged"])]


def draw_chart(rules: Preset, seed: int, logged: bool = False) -> Drawn:
    """Generate the chart of a seed."""
    packed = pack(rules)
    chart = records(1, CHART)[0]
    log = new_log(LOG_LENGTH if logged else 0)
    with wrapping():
        if not generate(chart, packed, np.uint64(seed), log):
            easier = {
                "voyage": "fewer paths or more columns",
                "contract": "guarantee_scope = map, or tables that allow the required types in more steps",
            }.get(rules.family, "easier rules")
            raise GenerationError(f"seed {seed}: no map came out of bounded attempts; try {easier}, or another seed")
    return Drawn(chart, packed, log)


def violation_events(view: Drawn) -> list[list[int]]:
    """Every broken rule of a chart as (event, row, slot, rule, other row, other slot)."""
    log = new_log(LOG_LENGTH)
    view.chart["logged"] = 0
    violations(view.chart, view.packed, log)
    found: list[list[int]] = log[: int(view.chart["logged"])].tolist()
    view.chart["logged"] = 0
    return found


def cells(chart: Any) -> list[tuple[int, int]]:
    """The cells that hold a node, in reading order: a node's id is its place in this list."""
    return [
        (row, slot)
        for row in range(int(chart["rows"]))
        for slot in range(int(chart["slots"]))
        if int(chart["present"][row]) >> slot & 1
    ]


def nodes_of(chart: Any) -> tuple[Node, ...]:
    """The chart's nodes without family details."""
    found = []
    for node_id, (row, slot) in enumerate(cells(chart)):
        marks = int(chart["marks"][row, slot])
        found.append(
            Node(
                id=node_id,
                row=row + 1,
                column=slot + 1,
                type=KIND_NAMES[int(chart["kind"][row, slot])],
                locked=bool(marks & LOCKED),
                forced=BY_CODE[int(chart["reason"][row, slot])].id if marks & FORCED else None,
                waived=bool(marks & WAIVED),
            )
        )
    return tuple(found)


def edges_of(chart: Any) -> tuple[tuple[int, int], ...]:
    """The chart's edges as pairs of node ids."""
    ids = {cell: node_id for node_id, cell in enumerate(cells(chart))}
    return tuple(
        (node_id, ids[row + 1, target])
        for (row, slot), node_id in ids.items()
        for target in range(int(chart["slots"]))
        if int(chart["out"][row, slot]) >> target & 1
    )


def paths_of(chart: Any) -> tuple[tuple[int, ...], ...]:
    """The paths the skeleton was grown from, as node ids."""
    ids = {cell: node_id for node_id, cell in enumerate(cells(chart))}
    return tuple(
        tuple(ids[row, int(chart["path"][path, row])] for row in range(int(chart["rows"])))
        for path in range(int(chart["paths"]))
    )


def chart_of(drawn: Map) -> Drawn:
    """The chart of a map, so that kernels can look at it again."""
    packed = pack(drawn.rules)
    chart = records(1, CHART)[0]
    chart["rows"] = drawn.rows
    chart["slots"] = packed["slots"]
    for node in drawn.nodes:
        row, slot = node.row - 1, node.column - 1
        chart["present"][row] = int(chart["present"][row]) | 1 << slot
        chart["kind"][row, slot] = KIND_CODES[node.type]
        chart["marks"][row, slot] = LOCKED * node.locked | FORCED * (node.forced is not None) | WAIVED * node.waived
        if node.forced is not None:
            chart["reason"][row, slot] = BY_ID[node.forced].code
    for source, target in drawn.edges:
        one, two = drawn.by_id[source], drawn.by_id[target]
        chart["out"][one.row - 1, one.column - 1] |= 1 << (two.column - 1)
        chart["into"][two.row - 1, two.column - 1] |= 1 << (one.column - 1)
    chart["paths"] = len(drawn.paths)
    for index, path in enumerate(drawn.paths):
        for node_id in path:
            node = drawn.by_id[node_id]
            chart["path"][index, node.row - 1] = node.column - 1
    return Drawn(chart, packed, new_log(0))
