"""Typing a voyage map: fixed rows, weighted rolls under the bans, re-rolls, bounded search, Monster last.

[Voyage P1, P2, P5], rulings M1, M2, M6. One function, `bans`, knows what may not stand where; sampler, search,
validator, repair and explanation all ask it.
"""

from __future__ import annotations

from cartomancer.codes import KINDS, MONSTER, STREAM_TREASURE, STREAM_TYPES, TREASURE
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel.chart import clear, fix, is_present, note
from cartomancer.maps.kernel.events import (
    EVENT_FIXED,
    EVENT_NARROWED,
    EVENT_ROLLED,
    EVENT_SEARCHED,
    EVENT_VIOLATION,
    EVENT_WAIVED,
    EVENT_WEIGHED,
    LOCKED,
    NOTHING,
    NOWHERE,
    RULE_NO_REPEAT,
    RULE_SINGLE_TREASURE,
    RULE_SPLIT_UNIQUE,
    WAIVED,
)
from cartomancer.maps.kernel.skeleton import grow_skeleton
from cartomancer.rng import below


@kernel
def generate_voyage(chart, rules, seed, log):
    """A whole voyage map from its seed; False when the skeleton's bounded attempts ran out."""
    clear(chart, rules.rows, rules.slots, seed)
    if not grow_skeleton(chart, rules.voyage.paths):
        return False
    fix_rows(chart, rules.voyage, log)
    fix_single_treasure(chart, rules.voyage, log)
    for row in range(chart.rows):
        if rules.voyage.fixed[row] == 0:
            for slot in range(chart.slots):
                if is_present(chart, row, slot) and chart.kind[row, slot] == 0:
                    settle(chart, rules.voyage, row, slot, STREAM_TYPES, log)
    return True


@kernel
def fix_rows(chart, rules, log):
    """Type and lock every node of the fixed rows [Voyage P1]."""
    for row in range(chart.rows):
        kind = whole(rules.fixed[row])
        if kind:
            rule = whole(rules.fixed_rule[row])
            for slot in range(chart.slots):
                if is_present(chart, row, slot):
                    fix(chart, row, slot, kind, LOCKED, rule)
                    note(chart, log, EVENT_FIXED, row, slot, kind, rule, NOTHING)


@kernel
def fix_single_treasure(chart, rules, log):
    """One Treasure on a random path, on a random free row of the window [Skeleton B.1], ruling M2."""
    rows = 0
    for row in range(rules.treasure_first, rules.treasure_last + 1):
        if may_hold_treasure(rules, row):
            rows += 1
    if rows == 0:
        return
    path = below(chart.streams, STREAM_TREASURE, chart.paths)
    nth = below(chart.streams, STREAM_TREASURE, rows)
    for row in range(rules.treasure_first, rules.treasure_last + 1):
        if may_hold_treasure(rules, row):
            if nth == 0:
                slot = whole(chart.path[path, row])
                fix(chart, row, slot, TREASURE, LOCKED, RULE_SINGLE_TREASURE)
                note(chart, log, EVENT_FIXED, row, slot, TREASURE, RULE_SINGLE_TREASURE, NOTHING)
            nth -= 1


@kernel
def may_hold_treasure(rules, row):
    """Whether the single Treasure may lie on this row of its window."""
    return rules.fixed[row] == 0 and not (whole(rules.banned[row]) >> TREASURE) & 1


@kernel
def bans(chart, rules, row, slot):
    """The kinds that may not stand here, as three masks in one number: by the row, by a repeat, by a split.

    Bits 0–15: the row's own bans [Voyage P1]. Bits 16–31: kinds that may not follow themselves, seen from typed
    parents and children. Bits 32–47: kinds of typed siblings, unless the row is uniform by design [Voyage P2].
    Only neighbouring columns are looked at: no edge into a free row goes further (M3).
    """
    repeat = 0
    split = 0
    slots = whole(chart.slots)
    first = max(slot - 1, 0)
    after = min(slot + 2, slots)
    # no branches inside the loops: on a random graph the processor could not foresee them
    if row > 0:
        parents = whole(chart.into[row, slot])
        siblings = 0
        for parent in range(first, after):
            linked = (parents >> parent) & 1
            repeat |= linked << whole(chart.kind[row - 1, parent])
            siblings |= linked * whole(chart.out[row - 1, parent])
        if rules.split_unique != 0 and rules.fixed[row] == 0:
            siblings &= ~(1 << slot)
            for sibling in range(max(slot - 2, 0), min(slot + 3, slots)):
                split |= ((siblings >> sibling) & 1) << whole(chart.kind[row, sibling])
    if row + 1 < chart.rows:
        children = whole(chart.out[row, slot])
        for child in range(first, after):
            repeat |= ((children >> child) & 1) << whole(chart.kind[row + 1, child])
    return whole(rules.banned[row]) | ((repeat & whole(rules.no_repeat)) << 16) | ((split & ~1) << 32)


@kernel
def forbidden_kinds(ban):
    """The three masks of `bans` as one."""
    return (ban | (ban >> 16) | (ban >> 32)) & 0xFFFF


@kernel
def roll_kind(chart, rules, row, stream):
    """One kind by the row's odds."""
    x = below(chart.streams, stream, whole(rules.cumulative[row, KINDS - 1]))
    kind = 0
    while x >= rules.cumulative[row, kind]:
        kind += 1
    return kind


@kernel
def roll_allowed(chart, rules, row, forbidden, stream):
    """One kind by the row's odds among those not forbidden; 0 when nothing with odds is left."""
    total = 0
    for kind in range(1, KINDS):
        if not (forbidden >> kind) & 1:
            total += whole(rules.cumulative[row, kind]) - whole(rules.cumulative[row, kind - 1])
    if total == 0:
        return 0
    x = below(chart.streams, stream, total)
    for kind in range(1, KINDS):
        if not (forbidden >> kind) & 1:
            x -= whole(rules.cumulative[row, kind]) - whole(rules.cumulative[row, kind - 1])
            if x < 0:
                return kind
    return 0


@kernel
def settle(chart, rules, row, slot, stream, log):
    """Type one node: roll, re-roll what is banned, then draw among what is allowed, then search, then Monster (M6)."""
    ban = bans(chart, rules, row, slot)
    note(chart, log, EVENT_WEIGHED, row, slot, ban & 0xFFFF, (ban >> 16) & 0xFFFF, (ban >> 32) & 0xFFFF)
    forbidden = forbidden_kinds(ban)
    for _ in range(rules.rerolls + 1):
        kind = roll_kind(chart, rules, row, stream)
        stands = not (forbidden >> kind) & 1
        note(chart, log, EVENT_ROLLED, row, slot, kind, whole(stands), NOTHING)
        if stands:
            chart.kind[row, slot] = kind
            return
        chart.rerolls += 1
    kind = roll_allowed(chart, rules, row, forbidden, stream)
    if kind:
        note(chart, log, EVENT_NARROWED, row, slot, kind, NOTHING, NOTHING)
        chart.kind[row, slot] = kind
        return
    chart.searches += 1
    found = search_neighbourhood(chart, rules, row, slot, stream)
    note(chart, log, EVENT_SEARCHED, row, slot, whole(found), whole(chart.kind[row, slot]), NOTHING)
    if not found:
        chart.waivers += 1
        fix(chart, row, slot, MONSTER, WAIVED, 0)
        note(chart, log, EVENT_WAIVED, row, slot, MONSTER, NOTHING, NOTHING)


@kernel
def search_neighbourhood(chart, rules, row, slot, stream):
    """Retype the unlocked, typed nodes of this row and the row above, so that this node finds a kind as well.

    Backtracking in reading order, a bounded number of steps an attempt, a bounded number of attempts. On failure
    everything stands as before.
    """
    count = gather_neighbourhood(chart, row, slot)
    for _ in range(rules.search_attempts):
        for i in range(count):
            chart.kind[whole(chart.near_row[i]), whole(chart.near_slot[i])] = 0
        chart.near_tried[0] = 0
        at = 0
        steps = 0
        while 0 <= at < count and steps < rules.search_steps:
            steps += 1
            r = whole(chart.near_row[at])
            s = whole(chart.near_slot[at])
            chart.kind[r, s] = 0
            forbidden = forbidden_kinds(bans(chart, rules, r, s)) | whole(chart.near_tried[at])
            kind = roll_allowed(chart, rules, r, forbidden, stream)
            if kind:
                chart.kind[r, s] = kind
                chart.near_tried[at] = whole(chart.near_tried[at]) | (1 << kind)
                at += 1
                if at < count:
                    chart.near_tried[at] = 0
            else:
                at -= 1
        if at == count:
            return True
    for i in range(count):
        chart.kind[whole(chart.near_row[i]), whole(chart.near_slot[i])] = chart.near_kind[i]
    return False


@kernel
def gather_neighbourhood(chart, row, slot):
    """List the nodes a search may retype: typed, unlocked ones of the row above and this row, and the node itself."""
    count = 0
    for r in range(max(row - 1, 0), row + 1):
        for s in range(chart.slots):
            free = (whole(chart.marks[r, s]) & LOCKED) == 0
            if is_present(chart, r, s) and free and (chart.kind[r, s] != 0 or (r == row and s == slot)):
                chart.near_row[count] = r
                chart.near_slot[count] = s
                chart.near_kind[count] = chart.kind[r, s]
                count += 1
    return count


@kernel
def voyage_violations(chart, rules, log):
    """Count every broken typing rule and name it: row bans, repeats along an edge, equal siblings [Voyage P4].

    A waived node is forgiven: the generator has owned up to it.
    """
    found = 0
    for row in range(chart.rows):
        for slot in range(chart.slots):
            waived = whole(chart.marks[row, slot]) & WAIVED and rules.fixed[row] == 0
            if not is_present(chart, row, slot) or waived:
                continue
            kind = whole(chart.kind[row, slot])
            if (whole(rules.banned[row]) >> kind) & 1:
                found += 1
                note(chart, log, EVENT_VIOLATION, row, slot, whole(rules.ban_rule[row, kind]), NOWHERE, NOWHERE)
            if row > 0:
                found += repeats(chart, rules, row, slot, kind, log)
                if rules.split_unique != 0 and rules.fixed[row] == 0:
                    found += equal_siblings(chart, row, slot, kind, log)
    if rules.treasure_first <= rules.treasure_last and locked_treasures(chart, rules) != 1:
        found += 1
        note(chart, log, EVENT_VIOLATION, rules.treasure_first, NOWHERE, RULE_SINGLE_TREASURE, NOWHERE, NOWHERE)
    return found


@kernel
def repeats(chart, rules, row, slot, kind, log):
    """Parents of the same kind, where that kind may not follow itself."""
    found = 0
    if (whole(rules.no_repeat) >> kind) & 1:
        for parent in range(chart.slots):
            if (whole(chart.into[row, slot]) >> parent) & 1 and whole(chart.kind[row - 1, parent]) == kind:
                found += 1
                note(chart, log, EVENT_VIOLATION, row, slot, RULE_NO_REPEAT, row - 1, parent)
    return found


@kernel
def equal_siblings(chart, row, slot, kind, log):
    """Siblings to the left that are of the same kind."""
    found = 0
    for sibling in range(slot):
        shared = whole(chart.into[row, slot]) & whole(chart.into[row, sibling])
        waived = whole(chart.marks[row, sibling]) & WAIVED
        if shared and not waived and whole(chart.kind[row, sibling]) == kind:
            found += 1
            note(chart, log, EVENT_VIOLATION, row, slot, RULE_SPLIT_UNIQUE, row, sibling)
    return found


@kernel
def locked_treasures(chart, rules):
    """How many guaranteed Treasures stand in the window."""
    count = 0
    for row in range(rules.treasure_first, rules.treasure_last + 1):
        for slot in range(chart.slots):
            if chart.kind[row, slot] == TREASURE and whole(chart.marks[row, slot]) & LOCKED and rules.fixed[row] == 0:
                count += 1
    return count
