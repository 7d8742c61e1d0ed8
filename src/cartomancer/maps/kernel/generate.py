"""Generation, validation and odds of the compiled families: the one place that tells them apart by their code."""

from __future__ import annotations

from cartomancer.codes import CONTRACT, OUTSIDE, VOYAGE
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel.contract import contract_violations, generate_contract
from cartomancer.maps.kernel.guardian import generate_guardian, guardian_violations
from cartomancer.maps.kernel.structure import structure_violations
from cartomancer.maps.kernel.voyage import generate_voyage, voyage_violations


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
    found = structure_violations(graph, rules, log)
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
