"""Typing a voyage map: fixed rows, weighted rolls under the bans, re-rolls, bounded search, Monster last.

[Voyage P1, P2, P5], rulings M1, M2, M6. One function, `bans`, knows what may not stand where; sampler, search,
validator, repair and explanation all ask it.
"""

from __future__ import annotations

from cartomancer.codes import KINDS, MONSTER, STREAM_TREASURE, STREAM_TYPES, TREASURE
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel import events
from cartomancer.maps.kernel.events import NOTHING, NOWHERE
from cartomancer.maps.kernel.graph import bits_in, breach, clear, fix, is_present, note, nth_bit
from cartomancer.maps.kernel.skeleton import grow_skeleton
from cartomancer.maps.kernel.structure import skeleton_violations
from cartomancer.rng import below


@kernel
def generate_voyage(graph, rules, seed, log):
    """A whole voyage map from its seed; False when the skeleton's bounded attempts ran out."""
    clear(graph, rules.rows, rules.slots, seed)
    if not grow_skeleton(graph, rules.voyage.paths):
        return False
    fix_rows(graph, rules.voyage, log)
    fix_single_treasure(graph, rules.voyage, log)
    for row in range(graph.rows):
        if rules.voyage.fixed[row] == 0:
            for slot in range(graph.slots):
                if is_present(graph, row, slot) and graph.kind[row, slot] == 0:
                    settle(graph, rules.voyage, row, slot, STREAM_TYPES, log)
    return True


@kernel
def fix_rows(graph, rules, log):
    """Type and lock every node of the fixed rows [Voyage P1]."""
    for row in range(graph.rows):
        kind = whole(rules.fixed[row])
        if kind:
            rule = whole(rules.fixed_rule[row])
            for slot in range(graph.slots):
                if is_present(graph, row, slot):
                    fix(graph, log, row, slot, kind, events.LOCKED, events.EVENT_FIXED, rule, NOTHING)


@kernel
def fix_single_treasure(graph, rules, log):
    """One Treasure on a random path, on a random free row of the window [Skeleton B.1], ruling M2."""
    rows = 0
    for row in range(rules.treasure_first, rules.treasure_last + 1):
        if rules.fixed[row] == 0 and not (whole(rules.banned[row]) >> TREASURE) & 1:
            rows |= 1 << row
    if rows:
        path = below(graph.streams, STREAM_TREASURE, graph.paths)
        row = nth_bit(rows, below(graph.streams, STREAM_TREASURE, bits_in(rows)))
        slot, rule = whole(graph.path[path, row]), events.RULE_SINGLE_TREASURE
        fix(graph, log, row, slot, TREASURE, events.LOCKED, events.EVENT_FIXED, rule, NOTHING)


@kernel
def bans(graph, rules, row, slot):
    """The kinds that may not stand here, as three masks in one number: by the row, by a repeat, by a split.

    Bits 0–15: the row's own bans [Voyage P1]. Bits 16–31: kinds that may not follow themselves, seen from typed
    parents and children. Bits 32–47: kinds of typed siblings, unless the row is uniform by design [Voyage P2].
    Only neighbouring columns are looked at: no edge into a free row goes further (M3).
    """
    repeat = 0
    split = 0
    slots = whole(graph.slots)
    first = max(slot - 1, 0)
    after = min(slot + 2, slots)
    # no branches inside the loops: on a random graph the processor could not foresee them
    if row > 0:
        parents = whole(graph.into[row, slot])
        siblings = 0
        for parent in range(first, after):
            linked = (parents >> parent) & 1
            repeat |= linked << whole(graph.kind[row - 1, parent])
            siblings |= linked * whole(graph.out[row - 1, parent])
        if rules.split_unique != 0 and rules.fixed[row] == 0:
            siblings &= ~(1 << slot)
            for sibling in range(max(slot - 2, 0), min(slot + 3, slots)):
                split |= ((siblings >> sibling) & 1) << whole(graph.kind[row, sibling])
    if row + 1 < graph.rows:
        children = whole(graph.out[row, slot])
        for child in range(first, after):
            repeat |= ((children >> child) & 1) << whole(graph.kind[row + 1, child])
    return whole(rules.banned[row]) | ((repeat & whole(rules.no_repeat)) << 16) | ((split & ~1) << 32)


@kernel
def forbidden_kinds(ban):
    """The three masks of `bans` as one."""
    return (ban | (ban >> 16) | (ban >> 32)) & 0xFFFF


@kernel
def kinds_beside(ban):
    """Those of `bans` that neighbours are the reason for: by a repeat or by a split."""
    return ((ban >> 16) | (ban >> 32)) & 0xFFFF


@kernel
def roll_kind(graph, rules, row, stream):
    """One kind by the row's odds."""
    x = below(graph.streams, stream, whole(rules.cumulative[row, KINDS - 1]))
    kind = 0
    while x >= rules.cumulative[row, kind]:
        kind += 1
    return kind


@kernel
def roll_allowed(graph, rules, row, forbidden, stream):
    """One kind by the row's odds among those not forbidden; 0 when nothing with odds is left."""
    total = 0
    for kind in range(1, KINDS):
        if not (forbidden >> kind) & 1:
            total += whole(rules.cumulative[row, kind]) - whole(rules.cumulative[row, kind - 1])
    if total == 0:
        return 0
    x = below(graph.streams, stream, total)
    for kind in range(1, KINDS):
        if not (forbidden >> kind) & 1:
            x -= whole(rules.cumulative[row, kind]) - whole(rules.cumulative[row, kind - 1])
            if x < 0:
                return kind
    return 0


@kernel
def settle(graph, rules, row, slot, stream, log):
    """Type one node: roll, re-roll what is banned, then draw among what is allowed, then search, then Monster (M6)."""
    ban = bans(graph, rules, row, slot)
    note(graph, log, events.EVENT_WEIGHED, row, slot, ban & 0xFFFF, (ban >> 16) & 0xFFFF, (ban >> 32) & 0xFFFF)
    forbidden = forbidden_kinds(ban)
    for _ in range(rules.rerolls + 1):
        kind = roll_kind(graph, rules, row, stream)
        stands = not (forbidden >> kind) & 1
        note(graph, log, events.EVENT_ROLLED, row, slot, kind, whole(stands), NOTHING)
        if stands:
            graph.kind[row, slot] = kind
            return
        graph.rerolls += 1
    kind = roll_allowed(graph, rules, row, forbidden, stream)
    if kind:
        note(graph, log, events.EVENT_NARROWED, row, slot, kind, NOTHING, NOTHING)
        graph.kind[row, slot] = kind
        return
    graph.searches += 1
    found = search_neighbourhood(graph, rules, row, slot, stream)
    note(graph, log, events.EVENT_SEARCHED, row, slot, whole(found), whole(graph.kind[row, slot]), NOTHING)
    if not found:
        graph.waivers += 1
        fix(graph, log, row, slot, MONSTER, events.WAIVED, events.EVENT_WAIVED, NOTHING, NOTHING)


@kernel
def search_neighbourhood(graph, rules, row, slot, stream):
    """Retype the unlocked, typed nodes of this row and the row above, so that this node finds a kind as well.

    Backtracking in reading order, a bounded number of steps an attempt, a bounded number of attempts. On failure
    everything stands as before.
    """
    count = gather_neighbourhood(graph, row, slot)
    for _ in range(rules.search_attempts):
        for i in range(count):
            graph.kind[whole(graph.near_row[i]), whole(graph.near_slot[i])] = 0
        graph.near_tried[0] = 0
        at = 0
        steps = 0
        while 0 <= at < count and steps < rules.search_steps:
            steps += 1
            r = whole(graph.near_row[at])
            s = whole(graph.near_slot[at])
            graph.kind[r, s] = 0
            forbidden = forbidden_kinds(bans(graph, rules, r, s)) | whole(graph.near_tried[at])
            kind = roll_allowed(graph, rules, r, forbidden, stream)
            if kind:
                graph.kind[r, s] = kind
                graph.near_tried[at] = whole(graph.near_tried[at]) | (1 << kind)
                at += 1
                if at < count:
                    graph.near_tried[at] = 0
            else:
                at -= 1
        if at == count:
            return True
    for i in range(count):
        graph.kind[whole(graph.near_row[i]), whole(graph.near_slot[i])] = graph.near_kind[i]
    return False


@kernel
def gather_neighbourhood(graph, row, slot):
    """List the nodes a search may retype: typed, unlocked ones of the row above and this row, and the node itself."""
    count = 0
    for r in range(max(row - 1, 0), row + 1):
        for s in range(graph.slots):
            free = (whole(graph.marks[r, s]) & events.LOCKED) == 0
            if is_present(graph, r, s) and free and (graph.kind[r, s] != 0 or (r == row and s == slot)):
                graph.near_row[count] = r
                graph.near_slot[count] = s
                graph.near_kind[count] = graph.kind[r, s]
                count += 1
    return count


@kernel
def voyage_violations(graph, rules, log):
    """Count every broken typing rule and name it: row bans, repeats along an edge, equal siblings [Voyage P4].

    Those of its skeleton come first. A waived node is forgiven: the generator has owned up to it.
    """
    found = skeleton_violations(graph, rules, log)
    for row in range(graph.rows):
        for slot in range(graph.slots):
            waived = whole(graph.marks[row, slot]) & events.WAIVED and rules.fixed[row] == 0
            if not is_present(graph, row, slot) or waived:
                continue
            kind = whole(graph.kind[row, slot])
            if (whole(rules.banned[row]) >> kind) & 1:
                found += breach(graph, log, row, slot, whole(rules.ban_rule[row, kind]), NOWHERE, NOWHERE)
            if row > 0:
                found += repeats(graph, rules, row, slot, kind, log)
                if rules.split_unique != 0 and rules.fixed[row] == 0:
                    found += equal_siblings(graph, row, slot, kind, log)
    if rules.treasure_first <= rules.treasure_last and locked_treasures(graph, rules) != 1:
        found += breach(graph, log, rules.treasure_first, NOWHERE, events.RULE_SINGLE_TREASURE, NOWHERE, NOWHERE)
    return found


@kernel
def repeats(graph, rules, row, slot, kind, log):
    """Parents of the same kind, where that kind may not follow itself."""
    found = 0
    if (whole(rules.no_repeat) >> kind) & 1:
        for parent in range(graph.slots):
            if (whole(graph.into[row, slot]) >> parent) & 1 and whole(graph.kind[row - 1, parent]) == kind:
                found += breach(graph, log, row, slot, events.RULE_NO_REPEAT, row - 1, parent)
    return found


@kernel
def equal_siblings(graph, row, slot, kind, log):
    """Siblings to the left that are of the same kind."""
    found = 0
    for sibling in range(slot):
        shared = whole(graph.into[row, slot]) & whole(graph.into[row, sibling])
        waived = whole(graph.marks[row, sibling]) & events.WAIVED
        if shared and not waived and whole(graph.kind[row, sibling]) == kind:
            found += breach(graph, log, row, slot, events.RULE_SPLIT_UNIQUE, row, sibling)
    return found


@kernel
def locked_treasures(graph, rules):
    """How many guaranteed Treasures stand in the window."""
    count = 0
    for row in range(rules.treasure_first, rules.treasure_last + 1):
        for slot in range(graph.slots):
            locked = whole(graph.marks[row, slot]) & events.LOCKED and rules.fixed[row] == 0
            if graph.kind[row, slot] == TREASURE and locked:
                count += 1
    return count
