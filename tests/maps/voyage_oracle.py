"""The voyage rules written again, naively, from the documents: what tests hold the product against."""

from __future__ import annotations

import math
from itertools import pairwise

from cartomancer.maps import Map


def treasure_row(rows: int) -> int | None:
    return None if rows < 5 else min(max(math.ceil(rows * 60 / 100), 3), rows - 2)


def elite_unlock(rows: int) -> int:
    return max(2, -(-35 * rows // 100))


def broken_rules(drawn: Map, *, treasure: str = "row") -> list[str]:
    """Every way in which a default voyage map breaks the documents' rules."""
    rows = drawn.rows
    kinds = {node.id: node.type for node in drawn.nodes}
    row_of = {node.id: node.row for node in drawn.nodes}
    column_of = {node.id: node.column for node in drawn.nodes}
    fixed = {1: "monster", rows - 1: "port", rows: "boss"}
    if treasure == "row" and treasure_row(rows) not in (None, *fixed):
        fixed[treasure_row(rows)] = "treasure"
    fixed |= {rows: "boss", rows - 1: "port", 1: "monster"}
    wrong = []
    for node in drawn.nodes:
        if node.row in fixed and node.type != fixed[node.row]:
            wrong.append(f"row {node.row} holds {node.type}")
        if node.row in fixed and not node.locked:
            wrong.append(f"row {node.row} is not locked")
        if node.row not in fixed and node.type == "boss":
            wrong.append("boss on a free row")
        if node.type == "elite" and node.row < elite_unlock(rows):
            wrong.append(f"elite on row {node.row}")
        if node.type == "port" and node.row == rows - 2:
            wrong.append("port two rows before the boss")
    for source, target in drawn.edges:
        if row_of[target] != row_of[source] + 1:
            wrong.append("edge skips a row")
        if row_of[target] != rows and abs(column_of[source] - column_of[target]) > 1:
            wrong.append("edge jumps columns")
        if kinds[source] == kinds[target] and kinds[source] in {"elite", "shop", "port"}:
            wrong.append(f"{kinds[source]} follows itself")
    for source, targets in drawn.onward.items():
        if row_of[source] + 1 not in fixed and len({kinds[t] for t in targets}) != len(targets):
            wrong.append("equal ways at a split")
    for a, b in drawn.edges:
        for c, d in drawn.edges:
            if row_of[a] == row_of[c] and column_of[a] < column_of[c] and column_of[b] > column_of[d]:
                wrong.append("edges cross")
    wrong += broken_paths(drawn)
    return wrong


def broken_paths(drawn: Map) -> list[str]:
    wrong = []
    edges = set(drawn.edges)
    if len(set(drawn.paths)) != drawn.rules.paths:
        wrong.append("not the asked number of different paths")
    for path in drawn.paths:
        if any(step not in edges for step in pairwise(path)):
            wrong.append("a path leaves the edges")
    if {node for path in drawn.paths for node in path} != {node.id for node in drawn.nodes}:
        wrong.append("a node lies on no path")
    if {step for path in drawn.paths for step in pairwise(path)} != edges:
        wrong.append("an edge lies on no path")
    if len({path[0] for path in drawn.paths}) < 2:
        wrong.append("fewer than two starts")
    return wrong
