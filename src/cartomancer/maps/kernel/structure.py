"""What every map must be, whatever its family: a forward graph from the first row to one boss, nothing stranded.

[Voyage P4], [Guardian: acceptance criterion 3]; plus the shape of a voyage's edges and paths, ruling M3.
"""

from __future__ import annotations

from cartomancer.codes import BOSS
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel import events
from cartomancer.maps.kernel.events import NOTHING, NOWHERE
from cartomancer.maps.kernel.graph import bits_in, breach, is_present


@kernel
def shared_violations(graph, log):
    """What is wrong with a map of any family: stranded nodes, no boss alone at the end."""
    found = 0
    for row in range(graph.rows):
        for slot in range(graph.slots):
            if is_present(graph, row, slot):
                if row > 0 and graph.into[row, slot] == 0:
                    found += breach(graph, log, row, slot, events.RULE_REACHABLE, NOWHERE, NOWHERE)
                if row + 1 < graph.rows and graph.out[row, slot] == 0:
                    found += breach(graph, log, row, slot, events.RULE_ONWARD, NOWHERE, NOWHERE)
    last = whole(graph.rows) - 1
    boss_alone = bits_in(whole(graph.present[last])) == 1
    for slot in range(graph.slots):
        if is_present(graph, last, slot) and graph.kind[last, slot] != BOSS:
            boss_alone = False
    if not boss_alone:
        found += breach(graph, log, last, NOWHERE, events.RULE_ONE_BOSS, NOWHERE, NOWHERE)
    return found


@kernel
def skeleton_violations(graph, rules, log):
    """Count what is wrong with the skeleton under a voyage map: its edges, its paths, its ways in (M3)."""
    found = tangled_edges(graph, log) + path_faults(graph, rules, log)
    if bits_in(whole(graph.present[0])) < 2:
        found += breach(graph, log, NOTHING, NOWHERE, events.RULE_TWO_STARTS, NOWHERE, NOWHERE)
    return found


@kernel
def path_faults(graph, rules, log):
    """Recorded paths that are too few, leave the edges, repeat another, or miss a node (M3).

    A map that records no paths, such as a hand-made one, is not asked for them.
    """
    if graph.paths == 0:
        return 0
    found = 0
    if graph.paths != rules.paths:
        found += breach(graph, log, NOTHING, NOWHERE, events.RULE_PATHS, NOWHERE, NOWHERE)
    for path in range(graph.paths):
        for row in range(graph.rows - 1):
            column = whole(graph.path[path, row])
            if not (whole(graph.out[row, column]) >> whole(graph.path[path, row + 1])) & 1:
                found += breach(graph, log, row, column, events.RULE_PATHS, row + 1, whole(graph.path[path, row + 1]))
        for other in range(path):
            same = True
            for row in range(graph.rows):
                same = same and graph.path[path, row] == graph.path[other, row]
            if same:
                found += breach(graph, log, NOTHING, whole(graph.path[path, 0]), events.RULE_PATHS, NOWHERE, NOWHERE)
    for row in range(graph.rows):
        walked = 0
        for path in range(graph.paths):
            walked |= 1 << whole(graph.path[path, row])
        for slot in range(graph.slots):
            if is_present(graph, row, slot) and not (walked >> slot) & 1:
                found += breach(graph, log, row, slot, events.RULE_PATHS, NOWHERE, NOWHERE)
    return found


@kernel
def tangled_edges(graph, log):
    """Voyage edges that jump more than one column or cross another; the boss is aimed at from everywhere (M3)."""
    found = 0
    for row in range(graph.rows - 2):
        for slot in range(graph.slots):
            for target in range(graph.slots):
                if not (whole(graph.out[row, slot]) >> target) & 1:
                    continue
                if abs(target - slot) > 1:
                    found += breach(graph, log, row, slot, events.RULE_STEP, row + 1, target)
                # an edge of a node further right that ends further left
                for right in range(slot + 1, graph.slots):
                    if whole(graph.out[row, right]) & ((1 << target) - 1):
                        found += breach(graph, log, row, slot, events.RULE_NO_CROSSING, row, right)
    return found
