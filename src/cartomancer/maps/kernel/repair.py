"""Retyping single nodes of a finished map, by the same sampler that typed them [Voyage P5]."""

from __future__ import annotations

from cartomancer.codes import CONTRACT, STREAM_REPAIR, VOYAGE
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel.contract import meet_requirements, roll_node
from cartomancer.maps.kernel.events import LOCKED
from cartomancer.maps.kernel.guardian import type_node
from cartomancer.maps.kernel.voyage import bans, forbidden_kinds, roll_allowed


@kernel
def empty_cell(graph, row, slot):
    """Take a node's type away, and the mark of what forced it."""
    graph.kind[row, slot] = 0
    graph.marks[row, slot] = whole(graph.marks[row, slot]) & LOCKED
    graph.reason[row, slot] = 0


@kernel
def retype(graph, rules, row, slot, log):
    """Roll a new type for an emptied node among what its neighbours allow; False when nothing is left for it."""
    if rules.family == VOYAGE:
        kind = whole(rules.voyage.fixed[row])
        if kind == 0:
            forbidden = forbidden_kinds(bans(graph, rules.voyage, row, slot))
            kind = roll_allowed(graph, rules.voyage, row, forbidden, STREAM_REPAIR)
        graph.kind[row, slot] = kind
        return kind != 0
    if rules.family == CONTRACT:
        roll_node(graph, rules.contract, row, slot, STREAM_REPAIR, log)
    else:
        type_node(graph, rules.guardian, row, slot, STREAM_REPAIR, log)
    return graph.kind[row, slot] != 0


@kernel
def complete(graph, rules, log):
    """Force what the map as a whole still misses; only contract maps can miss something as a whole."""
    if rules.family == CONTRACT:
        meet_requirements(graph, rules.contract, log)
