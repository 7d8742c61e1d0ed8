"""Between the two layers: graphs (codes and bit masks) below, maps (names and ids) above."""

from __future__ import annotations

from dataclasses import replace

from cartomancer.content.models.base import Preset
from cartomancer.errors import GenerationError
from cartomancer.maps import families
from cartomancer.maps.drafts import LOG_LENGTH, Draft
from cartomancer.maps.kernel.events import FORCED, LOCKED, WAIVED
from cartomancer.maps.kernel.graph import new_log
from cartomancer.maps.model import Map, Node


def draw_graph(rules: Preset, seed: int, logged: bool = False) -> Draft:
    """Generate the graph of a seed."""
    family = families.of(rules.family)
    draft = Draft.empty(family.pack(rules), LOG_LENGTH if logged else 0)
    if not family.generate(draft, rules, seed):
        advice = f"try {family.advice(rules)}, or another seed"
        raise GenerationError(f"seed {seed}: no map came out of bounded attempts; {advice}")
    return draft


def violation_events(draft: Draft, rules: Preset) -> list[list[int]]:
    """Every broken rule of a graph as (event, row, slot, rule, other row, other slot)."""
    listening = replace(draft, log=new_log(LOG_LENGTH))
    draft.graph["logged"] = 0
    families.of(rules.family).violations(listening, rules)
    found: list[list[int]] = listening.events.tolist()
    draft.graph["logged"] = 0
    return found


def nodes_of(draft: Draft, family: str) -> tuple[Node, ...]:
    """The graph's nodes without family details."""
    rules = families.of(family).rule_by_code
    return tuple(
        Node(
            id=node_id,
            row=row,
            column=column,
            type=draft.type(row, column),
            locked=draft.marked(row, column, LOCKED),
            forced=rules[int(draft.graph["reason"][row - 1, column - 1])].id
            if draft.marked(row, column, FORCED)
            else None,
            waived=draft.marked(row, column, WAIVED),
        )
        for node_id, (row, column) in enumerate(draft.cells())
    )


def edges_of(draft: Draft) -> tuple[tuple[int, int], ...]:
    """The graph's edges as pairs of node ids."""
    ids = {cell: node_id for node_id, cell in enumerate(draft.cells())}
    return tuple((ids[cell], ids[cell[0] + 1, target]) for cell in ids for target in draft.onward(*cell))


def paths_of(draft: Draft) -> tuple[tuple[int, ...], ...]:
    """The paths the skeleton was grown from, as node ids."""
    ids = {cell: node_id for node_id, cell in enumerate(draft.cells())}
    paths = draft.graph["path"][: int(draft.graph["paths"]), : draft.rows].tolist()
    return tuple(tuple(ids[row, slot + 1] for row, slot in enumerate(path, 1)) for path in paths)


def graph_of(drawn: Map) -> Draft:
    """The graph of a map, so that kernels can look at it again."""
    family = families.of(drawn.family)
    draft = Draft.empty(family.pack(drawn.rules))
    draft.graph["rows"] = drawn.rows
    draft.graph["slots"] = draft.packed["slots"]
    for node in drawn.nodes:
        marks = LOCKED * node.locked | FORCED * (node.forced is not None) | WAIVED * node.waived
        rule = family.rule_by_id[node.forced] if node.forced is not None else None
        draft.place(node.row, node.column)
        draft.set_type(node.row, node.column, node.type, marks, rule)
    for source, target in drawn.edges:
        one = drawn.by_id[source]
        draft.join(one.row, one.column, drawn.by_id[target].column)
    draft.graph["paths"] = len(drawn.paths)
    for index, path in enumerate(drawn.paths):
        for node in map(drawn.node, path):
            draft.graph["path"][index, node.row - 1] = node.column - 1
    return draft
