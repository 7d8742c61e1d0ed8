"""Path analytics by dynamic programming: what can be said about all routes without walking any of them.

`measure` fills a vector of features. What a caller does not want costs nothing: `wanted[0]` is a mask of scalar
features, `wanted[1…]` masks of kinds for each feature that exists once per kind.
"""

from __future__ import annotations

import numpy as np

from cartomancer.codes import KINDS
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel.graph import MAX_ROWS, MAX_SLOTS, bits_in, is_present

# scalar features
NODES = 0
EDGES = 1
ROUTES = 2
STARTS = 3
DISJOINT = 4
FORCED_NODES = 5
LEAST_DANGER = 6
MOST_DANGER = 7
MEAN_DANGER = 8  # thousandths, over all routes alike
LINEARITY = 9  # thousandths: nodes with one way onward, of those that could have more
REROLLS = 10
SEARCHES = 11
WAIVERS = 12
WIDEST_ROW = 13
LEAST_MINUTES = 14  # of play, thousandths
MOST_MINUTES = 15
MEAN_MINUTES = 16
# features per kind
COUNT = 24
LEAST_ON_PATH = 40
MOST_ON_PATH = 56
FIRST_ROW = 72
LAST_ROW = 88
FORCED_OF_KIND = 104
FEATURES = 120
BLOCKS = 7  # the scalars and six features per kind
NEVER = 99  # the first row of a kind the map does not have; its last row is 0

SCRATCH = np.dtype(
    [
        ("arrivals", np.int64, (MAX_ROWS, MAX_SLOTS)),  # routes from a start to the node
        ("onwards", np.int64, (MAX_ROWS, MAX_SLOTS)),  # routes from the node to the end
        ("cost", np.int64, KINDS),
        ("choice", np.int64),  # what choosing between ways costs
        ("least", np.int64, (2, MAX_SLOTS)),
        ("most", np.int64, (2, MAX_SLOTS)),
        ("came_from", np.int8, (MAX_ROWS, MAX_SLOTS)),  # disjoint routes: where a used node was entered from
        ("goes_to", np.int8, (MAX_ROWS, MAX_SLOTS)),
        ("seen", np.uint8, (MAX_ROWS, MAX_SLOTS)),
        ("stack", np.int16, 4 * MAX_ROWS * MAX_SLOTS),
        ("parent", np.int16, 2 * MAX_ROWS * MAX_SLOTS),
    ],
    align=True,
)


@kernel
def measure(graph, rules, scratch, wanted, features):
    """Fill the wanted features."""
    scalars = whole(wanted[0])
    count_nodes(graph, features)
    if scalars & ((1 << ROUTES) | (1 << FORCED_NODES) | (1 << MEAN_DANGER) | (1 << MEAN_MINUTES)) or wanted[6]:
        count_routes(graph, scratch, features)
        measure_through(graph, rules, scratch, features)
    if scalars & (1 << DISJOINT):
        features[DISJOINT] = disjoint_routes(graph, scratch)
    if scalars & ((1 << LEAST_DANGER) | (1 << MOST_DANGER)):
        for kind in range(KINDS):
            scratch.cost[kind] = rules.danger[kind]
        least, most = extremes(graph, scratch)
        features[LEAST_DANGER] = least
        features[MOST_DANGER] = most
    if scalars & ((1 << LEAST_MINUTES) | (1 << MOST_MINUTES)):
        for kind in range(KINDS):
            scratch.cost[kind] = rules.seconds[kind]
        scratch.choice = rules.choice_seconds
        least, most = extremes(graph, scratch)
        features[LEAST_MINUTES] = least * 1000 // 60
        features[MOST_MINUTES] = most * 1000 // 60
        scratch.choice = 0
    on_path = whole(wanted[2]) | whole(wanted[3])
    for kind in range(1, KINDS):
        if (on_path >> kind) & 1:
            for other in range(KINDS):
                scratch.cost[other] = 1 if other == kind else 0
            least, most = extremes(graph, scratch)
            features[LEAST_ON_PATH + kind] = least
            features[MOST_ON_PATH + kind] = most


@kernel
def count_nodes(graph, features):
    """What one look at every node tells: counts, rows, edges, linearity."""
    for kind in range(KINDS):
        features[COUNT + kind] = 0
        features[FIRST_ROW + kind] = NEVER
        features[LAST_ROW + kind] = 0
    nodes = 0
    edges = 0
    single = 0
    branching = 0
    widest = 0
    for row in range(graph.rows):
        here = 0
        for slot in range(graph.slots):
            if not is_present(graph, row, slot):
                continue
            here += 1
            kind = whole(graph.kind[row, slot])
            features[COUNT + kind] += 1
            if features[FIRST_ROW + kind] == NEVER:
                features[FIRST_ROW + kind] = row + 1
            features[LAST_ROW + kind] = row + 1
            ways = bits_in(whole(graph.out[row, slot]))
            edges += ways
            if row + 2 < graph.rows:
                branching += 1
                if ways == 1:
                    single += 1
        nodes += here
        widest = max(widest, here)
    features[NODES] = nodes
    features[EDGES] = edges
    features[STARTS] = bits_in(whole(graph.present[0]))
    features[WIDEST_ROW] = widest
    features[LINEARITY] = single * 1000 // max(branching, 1)
    features[REROLLS] = graph.rerolls
    features[SEARCHES] = graph.searches
    features[WAIVERS] = graph.waivers


@kernel
def count_routes(graph, scratch, features):
    """How many routes reach each node, how many lead on from it, and how many there are in all."""
    rows = whole(graph.rows)
    for row in range(rows):
        for slot in range(graph.slots):
            ways = 0
            if is_present(graph, row, slot):
                if row == 0:
                    ways = 1
                for before in range(graph.slots):
                    if row > 0 and (whole(graph.into[row, slot]) >> before) & 1:
                        ways += whole(scratch.arrivals[row - 1, before])
            scratch.arrivals[row, slot] = ways
    for back in range(rows):
        row = rows - 1 - back
        for slot in range(graph.slots):
            ways = 0
            if is_present(graph, row, slot):
                if row == rows - 1:
                    ways = 1
                for after in range(graph.slots):
                    if (whole(graph.out[row, slot]) >> after) & 1:
                        ways += whole(scratch.onwards[row + 1, after])
            scratch.onwards[row, slot] = ways
    routes = 0
    for slot in range(graph.slots):
        routes += whole(scratch.onwards[0, slot])
    features[ROUTES] = routes


@kernel
def measure_through(graph, rules, scratch, features):
    """Forced nodes (on every route), mean danger and minutes of a route, from the routes through each node."""
    routes = whole(features[ROUTES])
    for kind in range(KINDS):
        features[FORCED_OF_KIND + kind] = 0
    forced = 0
    danger = 0
    seconds = 0
    choice = whole(rules.choice_seconds)
    if features[STARTS] > 1:
        seconds = routes * choice
    for row in range(graph.rows):
        for slot in range(graph.slots):
            through = whole(scratch.arrivals[row, slot]) * whole(scratch.onwards[row, slot])
            if through:
                kind = whole(graph.kind[row, slot])
                danger += through * whole(rules.danger[kind])
                seconds += through * whole(rules.seconds[kind])
                if choice and bits_in(whole(graph.out[row, slot])) > 1:
                    seconds += through * choice
                if through == routes:
                    forced += 1
                    features[FORCED_OF_KIND + kind] += 1
    features[FORCED_NODES] = forced
    features[MEAN_DANGER] = danger * 1000 // max(routes, 1)
    features[MEAN_MINUTES] = seconds * 1000 // 60 // max(routes, 1)


@kernel
def extremes(graph, scratch):
    """The least and the most that any route costs: its nodes by `scratch.cost`, each choice `scratch.choice`."""
    choice = whole(scratch.choice)
    rows = whole(graph.rows)
    for back in range(rows):
        row = rows - 1 - back
        now = row & 1
        after = 1 - now
        for slot in range(graph.slots):
            low = 0
            high = 0
            onward = whole(graph.out[row, slot])
            first = True
            target = 0
            while onward:
                if onward & 1:
                    if first or whole(scratch.least[after, target]) < low:
                        low = whole(scratch.least[after, target])
                    if first or whole(scratch.most[after, target]) > high:
                        high = whole(scratch.most[after, target])
                    first = False
                onward >>= 1
                target += 1
            cost = whole(scratch.cost[whole(graph.kind[row, slot])])
            if choice and bits_in(whole(graph.out[row, slot])) > 1:
                cost += choice
            scratch.least[now, slot] = low + cost
            scratch.most[now, slot] = high + cost
    low = -1
    high = 0
    for slot in range(graph.slots):
        if is_present(graph, 0, slot):
            if low < 0 or whole(scratch.least[0, slot]) < low:
                low = whole(scratch.least[0, slot])
            high = max(high, whole(scratch.most[0, slot]))
    at_start = choice if bits_in(whole(graph.present[0])) > 1 else 0
    return max(low, 0) + at_start, high + at_start


@kernel
def disjoint_routes(graph, scratch):
    """How many routes can share no node but the boss: a maximum flow with room for one route a node."""
    for row in range(graph.rows):
        for slot in range(graph.slots):
            scratch.came_from[row, slot] = -1
            scratch.goes_to[row, slot] = -1
    routes = 0
    while augment(graph, scratch):
        routes += 1
    return routes


@kernel
def push(graph, scratch, depth, row, slot, side, parent):
    """Visit one side of a node (0: its entrance, 1: its exit) if it is new; returns the stack's new depth."""
    if (whole(scratch.seen[row, slot]) >> side) & 1:
        return depth
    scratch.seen[row, slot] = whole(scratch.seen[row, slot]) | (1 << side)
    cell = (row * MAX_SLOTS + slot) * 2 + side
    scratch.parent[cell] = parent
    scratch.stack[depth] = cell
    return depth + 1


@kernel
def augment(graph, scratch):
    """Find one more route by depth-first search in the residual graph, and re-aim the routes it pushes aside."""
    end = whole(graph.rows) - 2
    depth = 0
    for row in range(graph.rows):
        for slot in range(graph.slots):
            scratch.seen[row, slot] = 0
    for slot in range(graph.slots):
        if is_present(graph, 0, slot) and scratch.came_from[0, slot] == -1:
            depth = push(graph, scratch, depth, 0, slot, 0, -1)
    while depth > 0:
        depth -= 1
        cell = whole(scratch.stack[depth])
        side = cell & 1
        row = (cell >> 1) // MAX_SLOTS
        slot = (cell >> 1) % MAX_SLOTS
        used = scratch.came_from[row, slot] != -1
        if side == 0:
            if not used:
                depth = push(graph, scratch, depth, row, slot, 1, cell)
            elif row > 0:
                # the route through here came from somewhere: push it back there
                depth = push(graph, scratch, depth, row - 1, whole(scratch.came_from[row, slot]), 1, cell)
        else:
            if row == end and scratch.goes_to[row, slot] == -1:
                follow_back(scratch, cell)
                return True
            if row < end:
                for target in range(graph.slots):
                    drawn = (whole(graph.out[row, slot]) >> target) & 1
                    if drawn and whole(scratch.goes_to[row, slot]) != target:
                        depth = push(graph, scratch, depth, row + 1, target, 0, cell)
            if used:
                depth = push(graph, scratch, depth, row, slot, 0, cell)
    return False


@kernel
def follow_back(scratch, cell):
    """Write the found route into the flow, from its end to its start."""
    scratch.goes_to[(cell >> 1) // MAX_SLOTS, (cell >> 1) % MAX_SLOTS] = MAX_SLOTS
    while True:
        before = whole(scratch.parent[cell])
        row = (cell >> 1) // MAX_SLOTS
        slot = (cell >> 1) % MAX_SLOTS
        if before < 0:
            scratch.came_from[row, slot] = MAX_SLOTS
            return
        before_row = (before >> 1) // MAX_SLOTS
        before_slot = (before >> 1) % MAX_SLOTS
        if before_row == row and cell & 1 == 0:
            # from a used node's exit back to its entrance: no route uses the node any more
            scratch.came_from[row, slot] = -1
            scratch.goes_to[row, slot] = -1
        elif before_row < row:
            scratch.goes_to[before_row, before_slot] = slot
            scratch.came_from[row, slot] = before_slot
        cell = before


def every_feature() -> np.ndarray:
    """A mask that wants every feature."""
    return np.full(BLOCKS, -1, np.int64)
