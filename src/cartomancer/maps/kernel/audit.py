"""Auditing many maps into one tally: counts, heat, re-rolls, waivers, violations, route statistics, pity."""

from __future__ import annotations

import numpy as np

from cartomancer.codes import EVENT, KINDS, MONSTER, SHOP, STREAM_UNKNOWN, STREAM_WALK, TREASURE, UNKNOWN, VOYAGE
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel import events
from cartomancer.maps.kernel import features as m
from cartomancer.maps.kernel.features import measure
from cartomancer.maps.kernel.generate import generate, odds_of, violations
from cartomancer.maps.kernel.graph import MAX_ROWS, MAX_SLOTS, bits_in, is_present, nth_bit, numbers
from cartomancer.maps.kernel.unknown import CANDIDATES, resolve
from cartomancer.maps.kernel.voyage import bans, kinds_beside
from cartomancer.rng import below, stream_start

RANGE_BINS = 20
DANGER_BIN = 250  # thousandths of a danger point a row: twenty bins reach 5 points
VISITS = 12
AUDIT_LOG = 4096
BECOMES = (MONSTER, TREASURE, SHOP, EVENT)  # what each outcome of an Unknown counts as on the map

TALLY = np.dtype(
    [
        *numbers("maps", "failed", "nodes", "edges", "rolled_nodes", "rerolls", "rerolled_nodes", "searches"),
        *numbers("waivers", "waived_maps", "forced", "violations", "bad_maps"),
        ("first_bad_seed", np.uint64),
        ("by_rule", np.int64, events.RULE_CODES),
        ("kinds", np.int64, KINDS),
        ("kinds_squared", np.int64, KINDS),
        ("kind_maps", np.int64, KINDS),  # maps that have the kind at all
        ("rolled", np.int64, KINDS),
        ("implied", np.int64, KINDS),  # millionths: what odds and bans made of each roll
        ("cell", np.int64, (MAX_ROWS, MAX_SLOTS)),
        ("row_kind", np.int64, (MAX_ROWS, KINDS)),
        ("cell_kind", np.int64, (MAX_ROWS, MAX_SLOTS, KINDS)),
        ("first_row", np.int64, (KINDS, MAX_ROWS + 1)),
        ("least", np.int64, (KINDS, MAX_ROWS + 1)),
        ("most", np.int64, (KINDS, MAX_ROWS + 1)),
        ("routes_log2", np.int64, 48),
        ("routes_sum", np.int64),
        ("disjoint", np.int64, MAX_SLOTS + 1),
        ("forced_nodes", np.int64, MAX_ROWS + 1),
        *numbers("linearity_sum", "linearity_squares", "danger_sum", "danger_squares"),
        *numbers("quickest_sum", "quickest_squares", "minutes_sum", "minutes_squares"),
        *numbers("longest_sum", "longest_squares"),
        ("range", np.int64, (RANGE_BINS, RANGE_BINS)),
        ("visits", np.int64, VISITS),
        ("outcomes", np.int64, (VISITS, CANDIDATES + 1)),
        ("pity", np.int64, (VISITS, CANDIDATES)),
    ],
    align=True,
)

WALK = np.dtype([("streams", np.uint64, 2), ("pity", np.int32, CANDIDATES)], align=True)


@kernel
def audit(graphs, scratches, rules, first_seed, count, wanted, features, odds, banned, walks, log, tallies):
    """Generate, check, measure and tally `count` maps of consecutive seeds.

    `odds` holds the Unknown's base chances and pity steps in millionths, `banned` what it may not become on each row.
    """
    graph = graphs[0]
    tally = tallies[0]
    for k in range(count):
        seed = np.uint64(first_seed) + np.uint64(k)
        if not generate(graph, rules, seed, log):
            tally.failed += 1
            continue
        tally.maps += 1
        tally_log(graph, rules, log, tally)
        graph.logged = 0
        found = violations(graph, rules, log)
        tally_violations(graph, seed, found, log, tally)
        measure(graph, rules, scratches[0], wanted, features[0])
        tally_cells(graph, tally)
        tally_routes(graph, features[0], tally)
        if rules.family == VOYAGE:
            walk_unknowns(graph, rules.voyage, seed, odds, banned, walks[0], tally)


@kernel
def tally_violations(graph, seed, found, log, tally):
    """The broken rules of one map, as the log names them."""
    if found:
        if tally.bad_maps == 0:
            tally.first_bad_seed = seed
        tally.bad_maps += 1
        tally.violations += found
        for at in range(graph.logged):
            if log[at, 0] == events.EVENT_VIOLATION:
                tally.by_rule[whole(log[at, 3])] += 1


@kernel
def tally_cells(graph, tally):
    """Where nodes stand and what they are."""
    for row in range(graph.rows):
        for slot in range(graph.slots):
            if is_present(graph, row, slot):
                kind = whole(graph.kind[row, slot])
                tally.cell[row, slot] += 1
                tally.row_kind[row, kind] += 1
                tally.cell_kind[row, slot, kind] += 1
                if whole(graph.marks[row, slot]) & events.FORCED:
                    tally.forced += 1


@kernel
def tally_routes(graph, features, tally):
    """What the routes of one map are like."""
    tally.nodes += features[m.NODES]
    tally.edges += features[m.EDGES]
    tally.rerolls += graph.rerolls
    tally.searches += graph.searches
    tally.waivers += graph.waivers
    if graph.waivers:
        tally.waived_maps += 1
    for kind in range(1, KINDS):
        count = whole(features[m.COUNT + kind])
        tally.kinds[kind] += count
        tally.kinds_squared[kind] += count * count
        if count:
            tally.kind_maps[kind] += 1
        tally.least[kind, whole(features[m.LEAST_ON_PATH + kind])] += 1
        tally.most[kind, whole(features[m.MOST_ON_PATH + kind])] += 1
        if features[m.FIRST_ROW + kind] != m.NEVER:
            tally.first_row[kind, whole(features[m.FIRST_ROW + kind])] += 1
    routes = whole(features[m.ROUTES])
    tally.routes_sum += routes
    log2 = 0
    while routes > 1:
        routes >>= 1
        log2 += 1
    tally.routes_log2[min(log2, 47)] += 1
    tally.disjoint[whole(features[m.DISJOINT])] += 1
    tally.forced_nodes[whole(features[m.FORCED_NODES])] += 1
    linearity = whole(features[m.LINEARITY])
    danger = whole(features[m.MEAN_DANGER]) // whole(graph.rows)
    tally.linearity_sum += linearity
    tally.linearity_squares += linearity * linearity
    tally.danger_sum += danger
    tally.danger_squares += danger * danger
    minutes = whole(features[m.MEAN_MINUTES])
    quickest = whole(features[m.LEAST_MINUTES])
    longest = whole(features[m.MOST_MINUTES])
    tally.minutes_sum += minutes
    tally.minutes_squares += minutes * minutes
    tally.quickest_sum += quickest
    tally.quickest_squares += quickest * quickest
    tally.longest_sum += longest
    tally.longest_squares += longest * longest
    across = min(linearity * RANGE_BINS // 1000, RANGE_BINS - 1)
    up = min(danger // DANGER_BIN, RANGE_BINS - 1)
    tally.range[up, across] += 1


@kernel
def tally_log(graph, rules, log, tally):
    """What was rolled, and what the odds and bans of each roll implied."""
    for at in range(graph.logged):
        event = whole(log[at, 0])
        if event == events.EVENT_WEIGHED:
            tally.rolled_nodes += 1
            row = whole(log[at, 1])
            slot = whole(log[at, 2])
            forbidden = whole(log[at, 3]) | whole(log[at, 4]) | whole(log[at, 5])
            total = 0
            for kind in range(1, KINDS):
                if not (forbidden >> kind) & 1:
                    total += odds_of(rules, row, slot, kind)
            for kind in range(1, KINDS):
                if total and not (forbidden >> kind) & 1:
                    tally.implied[kind] += odds_of(rules, row, slot, kind) * 1_000_000 // total
        elif event == events.EVENT_ROLLED:
            if log[at, 4]:
                tally.rolled[whole(log[at, 3])] += 1
            elif log[at - 1, 0] == events.EVENT_WEIGHED:
                tally.rerolled_nodes += 1
        elif event == events.EVENT_NARROWED:
            tally.rolled[whole(log[at, 3])] += 1


@kernel
def walk_unknowns(graph, voyage, seed, odds, banned, walk, tally):
    """Walk one random route and resolve the Unknowns on it, noting the pity before each."""
    walk.streams[0] = stream_start(seed, STREAM_WALK, 0)
    for candidate in range(CANDIDATES):
        walk.pity[candidate] = 0
    visit = 0
    here = whole(graph.present[0])
    for row in range(graph.rows):
        slot = nth_bit(here, below(walk.streams, 0, bits_in(here)))
        if graph.kind[row, slot] == UNKNOWN:
            at = min(visit, VISITS - 1)
            tally.visits[at] += 1
            for candidate in range(CANDIDATES):
                tally.pity[at, candidate] += walk.pity[candidate]
            walk.streams[1] = stream_start(seed, STREAM_UNKNOWN, visit)
            beside = 0 if voyage.ignore_adjacency else kinds_beside(bans(graph, voyage, row, slot))
            skipped = whole(banned[row])
            for candidate in range(CANDIDATES):
                skipped |= ((beside >> BECOMES[candidate]) & 1) << candidate
            outcome = resolve(walk.streams, 1, odds[0], odds[1], walk.pity, skipped)
            graph.kind[row, slot] = BECOMES[outcome]
            tally.outcomes[at, outcome] += 1
            visit += 1
        here = whole(graph.out[row, slot])
