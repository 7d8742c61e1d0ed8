"""Generating, checking, retyping, odds of the compiled families: the one place that tells them apart by their code."""

from __future__ import annotations

from cartomancer.codes import CONTRACT, OUTSIDE, STREAM_REPAIR, VOYAGE
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel.contract import contract_violations, generate_contract, meet_requirements, roll_node
from cartomancer.maps.kernel.events import LOCKED
from cartomancer.maps.kernel.guardian import generate_guardian, guardian_violations, type_node
from cartomancer.maps.kernel.structure import shared_violations
from cartomancer.maps.kernel.voyage import bans, forbidden_kinds, generate_voyage, roll_allowed, voyage_violations


@kernel
def generate(graph, rules, seed, log):
    """Draw the map of this seed onto the graph; False when bounded attempts ran out."""
    if rules.family == VOYAGE:
        return generate_voyage(graph, rules, seed, log)
    if rules.family == CONTRACT:
        return generate_contract(graph, rules, seed, log)
    return generate_guardian(graph, rules, seed, log)


@kernel
def violations(graph, rules, log):
    """Count every broken rule of the map, structure first, and write each into the log."""
    found = shared_violations(graph, log)
    if rules.family == VOYAGE:
        return found + voyage_violations(graph, rules.voyage, log)
    if rules.family == CONTRACT:
        return found + contract_violations(graph, rules.contract, log)
    return found + guardian_violations(graph, rules.guardian, log)


@kernel
def odds_of(rules, row, slot, kind):
    """The weight a kind has for a rolled node, whatever the family."""
    if rules.family == OUTSIDE:
        return whole(rules.odds[row, kind])
    if rules.family == VOYAGE:
        return whole(rules.voyage.cumulative[row, kind]) - whole(rules.voyage.cumulative[row, kind - 1])
    if rules.family == CONTRACT:
        return whole(rules.contract.table[row, slot, kind])
    return whole(rules.guardian.weights[whole(rules.guardian.act[row]), kind])


@kernel
def empty_cell(graph, row, slot):
    """Take a node's type away, and the mark of what forced it."""
    graph.kind[row, slot] = 0
    graph.marks[row, slot] = whole(graph.marks[row, slot]) & LOCKED
    graph.reason[row, slot] = 0


@kernel
def retype(graph, rules, row, slot, log):
    """Roll a new type for an emptied node among what its neighbours allow [Voyage P5]; False when nothing is left."""
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
