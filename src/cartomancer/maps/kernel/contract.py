"""Contract maps: two lanes rolled step by step, guarantees forced where the dice fell short.

[Contracts 1, 2], rulings M7–M11. Slot 0 is the safe lane, slot 1 the risk lane; a step where the lanes meet has
slot 0 only.
"""

from __future__ import annotations

from cartomancer.codes import KINDS, STREAM_TYPES
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel import events
from cartomancer.maps.kernel.events import NOTHING, NOWHERE, STOOD
from cartomancer.maps.kernel.graph import bits_in, breach, clear, clear_cells, fix, is_present, join, note, place
from cartomancer.maps.kernel.rules import NO_CAP
from cartomancer.rng import below

LANES = 2
BOTH_LANES = 3
MAX_RESTARTS = 256


@kernel
def generate_contract(graph, rules, seed, log):
    """A whole contract map from its seed; False when bounded attempts could not meet all requirements together.

    On the map as a whole forcing always meets them. Where every path counts, one forced step can stand in another's
    way: then the map is rolled anew.
    """
    clear(graph, rules.rows, LANES, seed)
    for _ in range(MAX_RESTARTS):
        roll_map(graph, rules, log)
        if deficit(graph, rules.contract) == 0:
            return True
        graph.restarts += 1
        graph.logged = 0
        clear_cells(graph)
    return False


@kernel
def roll_map(graph, rules, log):
    """Roll every step in order, keep the guarantees as their steps come up, then force what is still missing."""
    lay_lanes(graph, rules.contract)
    for step in range(graph.rows):
        for lane in range(LANES):
            if is_present(graph, step, lane):
                roll_node(graph, rules.contract, step, lane, STREAM_TYPES, log)
        for g in range(rules.contract.guarantee_count):
            if rules.contract.guarantees[g].step == step:
                keep_guarantee(graph, rules.contract, rules.contract.guarantees[g], log)
    meet_requirements(graph, rules.contract, log)


@kernel
def lay_lanes(graph, rules):
    """Two nodes a step, one where the lanes meet, and the edges that lane switching allows (M10)."""
    for step in range(graph.rows):
        place(graph, step, 0)
        if rules.single[step] == 0:
            place(graph, step, 1)
    for step in range(graph.rows - 1):
        for lane in range(LANES):
            ways = ways_on(graph, rules, step, lane)
            for target in range(LANES):
                if (ways >> target) & 1:
                    join(graph, step, lane, target)


@kernel
def ways_on(graph, rules, step, lane):
    """The lanes a node leads to, as a mask: both, unless lanes are locked until they meet (M10)."""
    ways = 0
    for target in range(LANES):
        if is_present(graph, step, lane) and is_present(graph, step + 1, target):
            if rules.switching != 0 or lane == target or rules.single[step] != 0 or rules.single[step + 1] != 0:
                ways |= 1 << target
    return ways


@kernel
def step_holds(graph, step, kinds):
    """Whether either lane of the step holds one of the kinds (M7)."""
    return (kinds >> whole(graph.kind[step, 0])) & 1 or (kinds >> whole(graph.kind[step, 1])) & 1


@kernel
def steps_holding(graph, kinds, first, last):
    """How many steps hold one of the kinds in either lane."""
    count = 0
    for step in range(first, last + 1):
        if step_holds(graph, step, kinds):
            count += 1
    return count


@kernel
def fewest_on_a_path(graph, kinds, first, last):
    """The fewest nodes of these kinds that any path meets in these steps."""
    safe = 0
    risk = 0
    for back in range(graph.rows):
        step = whole(graph.rows) - 1 - back
        counts = kinds if first <= step <= last else 0
        after_safe = onward_least(graph, step, 0, safe, risk)
        after_risk = onward_least(graph, step, 1, safe, risk)
        safe = after_safe + ((counts >> whole(graph.kind[step, 0])) & 1)
        risk = after_risk + ((counts >> whole(graph.kind[step, 1])) & 1)
    if is_present(graph, 0, 1):
        return min(safe, risk)
    return safe


@kernel
def onward_least(graph, step, lane, safe, risk):
    """The smaller of the next step's counts that this node can reach."""
    onward = whole(graph.out[step, lane])
    if onward == 3:
        return min(safe, risk)
    if onward == 2:
        return risk
    return safe


@kernel
def counted(graph, rules, kinds, distinct, first, last):
    """How much of a requirement is there: steps (or different kinds) on the map, or on the poorest path (M7)."""
    if distinct:
        found = 0
        for kind in range(KINDS):
            if (kinds >> kind) & 1 and counted_steps(graph, rules, 1 << kind, first, last) > 0:
                found += 1
        return found
    return counted_steps(graph, rules, kinds, first, last)


@kernel
def counted_steps(graph, rules, kinds, first, last):
    """Steps holding the kinds, by the scope of guarantees."""
    if rules.per_path != 0:
        return fewest_on_a_path(graph, kinds, first, last)
    return steps_holding(graph, kinds, first, last)


@kernel
def contract_bans(graph, rules, step):
    """Kinds this step may not hold: bits 0–15 by a cap reached elsewhere, bits 16–31 by the relief rule."""
    capped = 0
    for kind in range(KINDS):
        cap = whole(rules.cap[kind])
        if cap != NO_CAP:
            elsewhere = steps_holding(graph, 1 << kind, 0, graph.rows - 1)
            if step_holds(graph, step, 1 << kind):
                elsewhere -= 1
            if elsewhere >= cap:
                capped |= 1 << kind
    relief = 0
    if rules.relief_if_step >= 0:
        trigger = 1 << whole(rules.relief_if_kind)
        soothing = whole(rules.relief_kinds)
        if step == rules.relief_step and step_holds(graph, rules.relief_if_step, trigger):
            relief = ~soothing & 0xFFFF
        # seen from the other side: a step whose relief is already something else may not call for it
        if step == rules.relief_if_step and step_holds(graph, rules.relief_step, ~(soothing | 1) & 0xFFFF):
            relief = trigger
    return capped | (relief << 16)


@kernel
def roll_node(graph, rules, step, lane, stream, log):
    """Roll one node from its step's lane table, banned kinds set to zero and the rest renormalised."""
    ban = contract_bans(graph, rules, step)
    forbidden = (ban | (ban >> 16)) & 0xFFFF
    rule = events.RULE_STEP_TABLE
    total = 0
    choices = 0
    for kind in range(KINDS):
        weight = whole(rules.table[step, lane, kind])
        if weight > 0:
            choices += 1
            if not (forbidden >> kind) & 1:
                total += weight
    if total == 0:
        return
    x = 0 if choices == 1 else below(graph.streams, stream, total)
    for kind in range(KINDS):
        weight = whole(rules.table[step, lane, kind])
        if weight > 0 and not (forbidden >> kind) & 1:
            x -= weight
            if x < 0:
                if choices == 1:
                    fix(graph, log, step, lane, kind, events.LOCKED, events.EVENT_FIXED, rule, NOTHING)
                else:
                    graph.kind[step, lane] = kind
                    note(graph, log, events.EVENT_WEIGHED, step, lane, ban & 0xFFFF, (ban >> 16) & 0xFFFF, NOTHING)
                    note(graph, log, events.EVENT_ROLLED, step, lane, kind, STOOD, NOTHING)
                return


@kernel
def force(graph, step, lane, kind, want, log):
    """Put a kind here because a requirement or guarantee demands it."""
    fix(graph, log, step, lane, kind, events.FORCED, events.EVENT_FORCED, want.rule, want.number)


@kernel
def keep_guarantee(graph, rules, guarantee, log):
    """Force the guarantee's step if the kinds are too few by then [Contracts 2].

    A step that an earlier guarantee has forced gives up its safe lane only (M8).
    """
    if counted_steps(graph, rules, guarantee.kinds, guarantee.first, guarantee.last) >= guarantee.need:
        return
    step = whole(guarantee.step)
    lanes = whole(guarantee.lanes)
    if whole(graph.marks[step, 0]) & events.FORCED:
        lanes = 1
    for lane in range(LANES):
        if (lanes >> lane) & 1 and is_present(graph, step, lane):
            force(graph, step, lane, guarantee.kind, guarantee, log)


@kernel
def deficit(graph, rules):
    """How far the map is from meeting all its requirements."""
    missing = 0
    for r in range(rules.requirement_count):
        want = rules.requirements[r]
        have = counted(graph, rules, want.kinds, want.distinct, want.first, want.last)
        if have < want.need:
            missing += whole(want.need) - have
    return missing


@kernel
def meet_requirements(graph, rules, log):
    """Force what is still missing at the last step whose table allows it, safe lane first (M9).

    A change must bring the map closer to all its requirements together, so that meeting one never breaks another.
    """
    missing = deficit(graph, rules)
    for r in range(rules.requirement_count):
        want = rules.requirements[r]
        while missing > 0 and counted(graph, rules, want.kinds, want.distinct, want.first, want.last) < want.need:
            left = force_last_step(graph, rules, want, missing, log)
            if left == missing:
                break
            missing = left


@kernel
def force_last_step(graph, rules, want, missing, log):
    """Force one node for this requirement, or a whole step where every path counts; returns the deficit after."""
    for back in range(want.last - want.first + 1):
        step = want.last - back
        for lane in range(LANES):
            kind = likeliest_allowed(graph, rules, step, lane, want.kinds)
            if kind:
                left = force_if_better(graph, rules, step, 1 << lane, kind, want, missing, log)
                if left == missing and rules.per_path != 0:
                    left = force_if_better(graph, rules, step, BOTH_LANES, kind, want, missing, log)
                if left < missing:
                    return left
    return missing


@kernel
def likeliest_allowed(graph, rules, step, lane, kinds):
    """The kind of this set that the lane's table likes best here and that is neither banned nor there; 0 if none."""
    if not is_present(graph, step, lane) or whole(graph.marks[step, lane]) & events.LOCKED:
        return 0
    ban = contract_bans(graph, rules, step)
    forbidden = (ban | (ban >> 16)) & 0xFFFF
    best = 0
    weight = 0
    for kind in range(KINDS):
        wanted = (kinds >> kind) & 1 and not (forbidden >> kind) & 1 and whole(graph.kind[step, lane]) != kind
        if wanted and whole(rules.table[step, lane, kind]) > weight:
            best = kind
            weight = whole(rules.table[step, lane, kind])
    return best


@kernel
def force_if_better(graph, rules, step, lanes, kind, want, missing, log):
    """Force the kind into these lanes if that lowers the deficit; otherwise leave everything as it was."""
    before = whole(graph.kind[step, 0]) | (whole(graph.kind[step, 1]) << 8)
    changed = 0
    for lane in range(LANES):
        if (lanes >> lane) & 1 and is_present(graph, step, lane) and whole(rules.table[step, lane, kind]) > 0:
            if not whole(graph.marks[step, lane]) & events.LOCKED and whole(graph.kind[step, lane]) != kind:
                graph.kind[step, lane] = kind
                changed |= 1 << lane
    left = deficit(graph, rules)
    if left < missing:
        for lane in range(LANES):
            if (changed >> lane) & 1:
                force(graph, step, lane, kind, want, log)
        return left
    graph.kind[step, 0] = before & 0xFF
    graph.kind[step, 1] = before >> 8
    return missing


@kernel
def contract_violations(graph, rules, log):
    """Count every broken rule of a contract map and name it, that of its edges first."""
    found = lane_violations(graph, rules, log)
    for step in range(graph.rows):
        ban = contract_bans(graph, rules, step)
        for lane in range(LANES):
            if not is_present(graph, step, lane):
                continue
            kind = whole(graph.kind[step, lane])
            if whole(rules.table[step, lane, kind]) == 0:
                found += breach(graph, log, step, lane, events.RULE_STEP_TABLE, NOWHERE, NOWHERE)
            if (ban >> kind) & 1:
                found += breach(graph, log, step, lane, events.RULE_STEP_CAP, NOWHERE, NOWHERE)
            # the relief step answers for a broken relief, not the step that called for it
            if (ban >> (16 + kind)) & 1 and step == rules.relief_step:
                found += breach(graph, log, step, lane, events.RULE_RELIEF, rules.relief_if_step, NOWHERE)
    for r in range(rules.requirement_count):
        want = rules.requirements[r]
        have = counted(graph, rules, want.kinds, want.distinct, want.first, want.last)
        if have < want.need:
            found += breach(graph, log, want.last, NOWHERE, want.rule, r, have)
    return found


@kernel
def lane_violations(graph, rules, log):
    """Name the edges that the lane rules demand and the map lacks, or that it has and they forbid, all as one (M10)."""
    wrong = 0
    for step in range(graph.rows - 1):
        for lane in range(LANES):
            wrong += bits_in(ways_on(graph, rules, step, lane) ^ whole(graph.out[step, lane]))
    if wrong == 0:
        return 0
    return breach(graph, log, NOTHING, NOWHERE, events.RULE_LANES, wrong, NOWHERE)
