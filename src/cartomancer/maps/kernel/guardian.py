"""Guardian maps: acts of floors, one to three nodes on random floors, one or two edges onward.

[Guardian: generation algorithm, node type distribution, tuning knobs], rulings M12, M13, M27.
"""

from __future__ import annotations

from cartomancer.codes import KINDS, STREAM_SKELETON, STREAM_TYPES
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel import events
from cartomancer.maps.kernel.events import NOTHING, NOWHERE, STOOD
from cartomancer.maps.kernel.graph import bits_in, breach, clear, cut, fix, is_present, join, note, place
from cartomancer.maps.kernel.rules import NO_CAP
from cartomancer.rng import below


@kernel
def generate_guardian(graph, rules, seed, log):
    """A whole guardian map from its seed."""
    clear(graph, rules.rows, rules.slots, seed)
    before = 0
    for layer in range(graph.rows):
        size = layer_size(graph, rules.guardian, layer, before)
        for slot in range(size):
            place(graph, layer, slot)
        if layer > 0:
            connect_layers(graph, rules.guardian, layer - 1, before, size)
        before = size
    for layer in range(graph.rows):
        for slot in range(graph.slots):
            if is_present(graph, layer, slot):
                type_node(graph, rules.guardian, layer, slot, STREAM_TYPES, log)
    return True


@kernel
def layer_size(graph, rules, layer, before):
    """How many nodes a layer gets: one unless its floor is random, and never more than the edges before can reach."""
    if rules.fixed[layer] != 0:
        return 1
    most = min(whole(rules.nodes_most), before * whole(rules.edges_most))
    least = whole(rules.nodes_least)
    return least + below(graph.streams, STREAM_SKELETON, most - least + 1)


@kernel
def connect_layers(graph, rules, layer, size, next_size):
    """Give each node one or more edges onward, then make sure that every node of the next layer is reached."""
    most = min(whole(rules.edges_most), next_size)
    for slot in range(size):
        want = 1 + below(graph.streams, STREAM_SKELETON, most)
        while bits_in(whole(graph.out[layer, slot])) < want:
            join(graph, layer, slot, below(graph.streams, STREAM_SKELETON, next_size))
    for target in range(next_size):
        if whole(graph.into[layer + 1, target]) == 0:
            reach(graph, rules, layer, size, target)


@kernel
def reach(graph, rules, layer, size, target):
    """Lead an edge to a node nobody reaches: from a random node with room, else by re-aiming one that is not alone."""
    start = below(graph.streams, STREAM_SKELETON, size)
    for shift in range(size):
        slot = (start + shift) % size
        if bits_in(whole(graph.out[layer, slot])) < rules.edges_most:
            join(graph, layer, slot, target)
            return
    for shift in range(size):
        slot = (start + shift) % size
        for other in range(graph.slots):
            if (whole(graph.out[layer, slot]) >> other) & 1 and bits_in(whole(graph.into[layer + 1, other])) > 1:
                cut(graph, layer, slot, other)
                join(graph, layer, slot, target)
                return


@kernel
def capped_held(graph, rules, act):
    """How many nodes of each capped kind the run and one act hold: four bits a kind, which caps never outgrow."""
    run = 0
    in_act = 0
    for layer in range(graph.rows):
        for slot in range(graph.slots):
            kind = whole(graph.kind[layer, slot])
            if kind and (rules.run_cap[kind] != NO_CAP or rules.act_cap[kind] != NO_CAP):
                if (run >> (4 * kind)) & 15 < 15:
                    run += 1 << (4 * kind)
                    if rules.act[layer] == act:
                        in_act += 1 << (4 * kind)
    return run, in_act


@kernel
def guardian_bans(graph, rules, layer):
    """Kinds an untyped random node may not be.

    Bits 0–15: by a cap already reached; bits 16–31: on a quiet layer; bits 32–47: on a sibling, unless nothing else is
    left.
    """
    act = whole(rules.act[layer])
    run, in_act = capped_held(graph, rules, act)
    capped = 0
    for kind in range(1, KINDS):
        if rules.run_cap[kind] != NO_CAP and (run >> (4 * kind)) & 15 >= rules.run_cap[kind]:
            capped |= 1 << kind
        if rules.act_cap[kind] != NO_CAP and (in_act >> (4 * kind)) & 15 >= rules.act_cap[kind]:
            capped |= 1 << kind
    quiet = whole(rules.quiet_kinds) if layer < rules.quiet_layers else 0
    siblings = 0
    if rules.distinct_siblings:
        siblings = kinds_on(graph, layer)
        if allowed_weight(rules, act, capped | quiet | siblings) == 0:
            siblings = 0
    return capped | (quiet << 16) | (siblings << 32)


@kernel
def kinds_on(graph, layer):
    """The kinds that a layer's nodes have, as a mask."""
    kinds = 0
    for slot in range(graph.slots):
        if graph.kind[layer, slot] != 0:
            kinds |= 1 << whole(graph.kind[layer, slot])
    return kinds


@kernel
def allowed_weight(rules, act, forbidden):
    """The weight that an act's table leaves without the forbidden kinds."""
    total = 0
    for kind in range(1, KINDS):
        if not (forbidden >> kind) & 1:
            total += whole(rules.weights[act, kind])
    return total


@kernel
def type_node(graph, rules, layer, slot, stream, log):
    """Type one node: by its floor's plan, or rolled from its act's weights under the caps."""
    kind = whole(rules.fixed[layer])
    if kind:
        fix(graph, log, layer, slot, kind, events.LOCKED, events.EVENT_FIXED, events.RULE_FLOOR_PLAN, NOTHING)
        return
    ban = guardian_bans(graph, rules, layer)
    note(graph, log, events.EVENT_WEIGHED, layer, slot, ban & 0xFFFF, (ban >> 16) & 0xFFFF, (ban >> 32) & 0xFFFF)
    forbidden = (ban | (ban >> 16) | (ban >> 32)) & 0xFFFF
    act = whole(rules.act[layer])
    x = below(graph.streams, stream, allowed_weight(rules, act, forbidden))
    for kind in range(1, KINDS):
        if not (forbidden >> kind) & 1:
            x -= whole(rules.weights[act, kind])
            if x < 0:
                graph.kind[layer, slot] = kind
                note(graph, log, events.EVENT_ROLLED, layer, slot, kind, STOOD, NOTHING)
                return


@kernel
def guardian_violations(graph, rules, log):
    """Count every broken rule of a guardian map and name it. Of the nodes over a cap, the later ones answer for it."""
    found = 0
    for layer in range(graph.rows):
        act = whole(rules.act[layer])
        size = bits_in(whole(graph.present[layer]))
        if rules.fixed[layer] == 0:
            fits = rules.nodes_least <= size <= rules.nodes_most
        else:
            fits = size == 1
        if not fits:
            found += breach(graph, log, layer, NOWHERE, events.RULE_LAYER_SIZE, NOWHERE, NOWHERE)
        for slot in range(graph.slots):
            if not is_present(graph, layer, slot):
                continue
            kind = whole(graph.kind[layer, slot])
            if layer + 1 < graph.rows and bits_in(whole(graph.out[layer, slot])) > rules.edges_most:
                found += breach(graph, log, layer, slot, events.RULE_EDGE_COUNT, NOWHERE, NOWHERE)
            if rules.fixed[layer] != 0:
                if rules.fixed[layer] != kind:
                    found += breach(graph, log, layer, slot, events.RULE_FLOOR_PLAN, NOWHERE, NOWHERE)
                continue
            rule = 0
            in_run = whole(rules.run_cap[kind])
            in_act = whole(rules.act_cap[kind])
            if rules.weights[act, kind] == 0:
                rule = events.RULE_ACT_TABLE
            elif layer < rules.quiet_layers and (whole(rules.quiet_kinds) >> kind) & 1:
                rule = events.RULE_QUIET_LAYERS
            elif in_run != NO_CAP and nth_of_kind(graph, rules, layer, slot, kind, -1) > in_run:
                rule = events.RULE_RUN_CAP
            elif in_act != NO_CAP and nth_of_kind(graph, rules, layer, slot, kind, act) > in_act:
                rule = events.RULE_ACT_CAP
            elif rules.distinct_siblings and repeats_a_sibling(graph, rules, layer, slot):
                rule = events.RULE_DISTINCT_SIBLINGS
            if rule:
                found += breach(graph, log, layer, slot, rule, NOWHERE, NOWHERE)
    return found


@kernel
def repeats_a_sibling(graph, rules, layer, slot):
    """Whether an earlier node of the layer has this node's kind although the map leaves room for one that none has."""
    kind = graph.kind[layer, slot]
    for other in range(slot):
        if is_present(graph, layer, other) and graph.kind[layer, other] == kind:
            return guardian_bans(graph, rules, layer) >> 32 != 0
    return False


@kernel
def nth_of_kind(graph, rules, layer, slot, kind, act):
    """This node's place, from 1, among the nodes of its kind in reading order, on the map or in its act."""
    nth = 1
    for row in range(layer + 1):
        if act < 0 or rules.act[row] == act:
            for other in range(graph.slots):
                earlier = row < layer or other < slot
                if earlier and is_present(graph, row, other) and graph.kind[row, other] == kind:
                    nth += 1
    return nth
