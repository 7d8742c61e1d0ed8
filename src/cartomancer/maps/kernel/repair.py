"""Retyping single nodes of a finished map, by the same sampler that typed them [Voyage P5]."""

from __future__ import annotations

from cartomancer.codes import CONTRACT, STREAM_REPAIR, VOYAGE
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel.contract import meet_requirements, roll_node
from cartomancer.maps.kernel.events import LOCKED
from cartomancer.maps.kernel.guardian import type_node
from cartomancer.maps.kernel.voyage import bans, forbidden_kinds, roll_allowed


@kernel
def empty_cell(chart, row, slot):
    """Take a node's type away, and the mark of what forced it."""
    chart.kind[row, slot] = 0
    chart.marks[row, slot] = whole(chart.marks[row, slot]) & LOCKED
    chart.reason[row, slot] = 0


@kernel
def retype(chart, rules, row, slot, log):
    """Roll a new type for an emptied node among what its neighbours allow; False when nothing is left for it."""
    if rules.family == VOYAGE:
        kind = whole(rules.voyage.fixed[row])
        if kind == 0:
            forbidden = forbidden_kinds(bans(chart, rules.voyage, row, slot))
            kind = roll_allowed(chart, rules.voyage, row, forbidden, STREAM_REPAIR)
        chart.kind[row, slot] = kind
        return kind != 0
    if rules.family == CONTRACT:
        roll_node(chart, rules.contract, row, slot, STREAM_REPAIR, log)
    else:
        type_node(chart, rules.guardian, row, slot, STREAM_REPAIR, log)
    return chart.kind[row, slot] != 0


@kernel
def complete(chart, rules, log):
    """Force what the map as a whole still misses; only contract maps can miss something as a whole."""
    if rules.family == CONTRACT:
        meet_requirements(chart, rules.contract, log)
