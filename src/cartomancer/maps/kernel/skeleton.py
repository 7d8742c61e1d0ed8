"""The skeleton under a voyage map: sparse paths first, types later [Skeleton A], ruling M3.

vocabulary  path   a walk from the first row to the boss, one column per row
            step   a move to the next row, to column −1, 0 or +1
            twins  earlier paths that have shared every node of this one so far
"""

from __future__ import annotations

import numpy as np

from cartomancer.codes import STREAM_SKELETON
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel.graph import clear_cells, is_present, join, place
from cartomancer.rng import below

MAX_RESTARTS = 64
MAX_RETREATS = 4096

# a mask of steps (bit 0: left, 1: straight, 2: right) → how many it holds, and its first, second, third bit
STEPS_IN = np.array([0, 1, 1, 2, 1, 2, 2, 3], np.int64)
STEP_OF = np.array(
    [[0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 0, 0], [0, 2, 0], [1, 2, 0], [0, 1, 2]], np.int64
).ravel()


@kernel
def grow_skeleton(graph, paths):
    """Lay the wanted number of different paths and bring them together in one boss node.

    Returns whether it worked; a failed try starts over, at most MAX_RESTARTS times.
    """
    for _ in range(MAX_RESTARTS):
        laid = 0
        while laid < paths and lay_path(graph, laid):
            draw_path(graph, laid)
            laid += 1
        if laid == paths:
            graph.paths = paths
            consolidate_boss(graph)
            return True
        graph.restarts += 1
        clear_cells(graph)
    return False


@kernel
def lay_path(graph, path):
    """Find one more path: no crossing, not a copy of an earlier one, backtracking when stuck [Skeleton A.1].

    The last step would be re-aimed at the boss at once, so the path ends on the row before it. The second path starts
    elsewhere than the first: a map has at least two ways in (M3).
    """
    columns = whole(graph.slots)
    if path == 1:
        start = (whole(graph.path[0, 0]) + 1 + below(graph.streams, STREAM_SKELETON, columns - 1)) % columns
    else:
        start = below(graph.streams, STREAM_SKELETON, columns)
    for shift in range(columns):
        column = (start + shift) % columns
        if path == 1 and column == whole(graph.path[0, 0]):
            continue
        if walk_from(graph, path, column):
            return True
    return False


@kernel
def walk_from(graph, path, start):
    """Depth-first search for a path from this start; a retreat tries another step of the row before."""
    last = whole(graph.rows) - 2
    graph.path[path, 0] = start
    graph.twins[0] = twins_at(graph, path, 0, start, (1 << path) - 1)
    row = 0
    retreats = 0
    steps = legal_steps(graph, 0, start)
    while row < last:
        if steps == 0:
            row -= 1
            retreats += 1
            if row < 0 or retreats > MAX_RETREATS:
                return False
            steps = whole(graph.steps_left[row])
            continue
        step = STEP_OF[3 * steps + below(graph.streams, STREAM_SKELETON, STEPS_IN[steps])]
        steps &= ~(1 << step)
        target = whole(graph.path[path, row]) + step - 1
        twins = whole(graph.twins[row])
        if twins:
            twins = twins_at(graph, path, row + 1, target, twins)
            if twins and row + 1 == last:
                continue  # a whole path over again
        graph.steps_left[row] = steps
        row += 1
        graph.path[path, row] = target
        graph.twins[row] = twins
        steps = legal_steps(graph, row, target)
    return True


@kernel
def legal_steps(graph, row, column):
    """The steps that stay on the graph and cross no edge, as a mask: bit 0 left, 1 straight on, 2 right.

    A step aside crosses only an edge that leads from its target column to this one. Straight on is always legal.
    """
    left = 0
    right = 0
    if column > 0:
        left = ~(whole(graph.out[row, column - 1]) >> column) & 1
    if column < graph.slots - 1:
        right = ~(whole(graph.out[row, column + 1]) >> column) & 1
    return left | 2 | (right << 2)


@kernel
def twins_at(graph, path, row, column, among):
    """Which of these earlier paths also stand in this column of this row."""
    same = 0
    for other in range(path):
        if (among >> other) & 1 and whole(graph.path[other, row]) == column:
            same |= 1 << other
    return same


@kernel
def draw_path(graph, path):
    """Put a laid path's nodes and edges onto the graph."""
    last = whole(graph.rows) - 2
    for row in range(last):
        place(graph, row, whole(graph.path[path, row]))
        join(graph, row, whole(graph.path[path, row]), whole(graph.path[path, row + 1]))
    place(graph, last, whole(graph.path[path, last]))


@kernel
def consolidate_boss(graph):
    """Aim every last edge at one boss node in the middle [Skeleton A.2]."""
    boss_row = whole(graph.rows) - 1
    boss = whole(graph.slots) // 2
    place(graph, boss_row, boss)
    for slot in range(graph.slots):
        if is_present(graph, boss_row - 1, slot):
            join(graph, boss_row - 1, slot, boss)
    for path in range(graph.paths):
        graph.path[path, boss_row] = boss
