"""The skeleton under a voyage map: sparse paths first, types later [Skeleton A], ruling M3.

vocabulary  path   a walk from the first row to the boss, one column per row
            step   a move to the next row, to column −1, 0 or +1
            twins  earlier paths that have shared every node of this one so far
"""

from __future__ import annotations

import numpy as np

from cartomancer.codes import STREAM_SKELETON
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel.chart import clear_cells, is_present, join, place
from cartomancer.rng import below

MAX_RESTARTS = 64
MAX_RETREATS = 4096

# a mask of steps (bit 0: left, 1: straight, 2: right) → how many it holds, and its first, second, third bit
STEPS_IN = np.array([0, 1, 1, 2, 1, 2, 2, 3], np.int64)
STEP_OF = np.array(
    [[0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 0, 0], [0, 2, 0], [1, 2, 0], [0, 1, 2]], np.int64
).ravel()


@kernel
def grow_skeleton(chart, paths):
    """Lay the wanted number of different paths and bring them together in one boss node.

    Returns whether it worked; a failed try starts over, at most MAX_RESTARTS times.
    """
    for _ in range(MAX_RESTARTS):
        laid = 0
        while laid < paths and lay_path(chart, laid):
            draw_path(chart, laid)
            laid += 1
        if laid == paths:
            chart.paths = paths
            consolidate_boss(chart)
            return True
        chart.restarts += 1
        clear_cells(chart)
    return False


@kernel
def lay_path(chart, path):
    """Find one more path: no crossing, not a copy of an earlier one, backtracking when stuck [Skeleton A.1].

    The last step would be re-aimed at the boss at once, so the path ends on the row before it. The second path starts
    elsewhere than the first: a map has at least two ways in (M3).
    """
    columns = whole(chart.slots)
    if path == 1:
        start = (whole(chart.path[0, 0]) + 1 + below(chart.streams, STREAM_SKELETON, columns - 1)) % columns
    else:
        start = below(chart.streams, STREAM_SKELETON, columns)
    for shift in range(columns):
        column = (start + shift) % columns
        if path == 1 and column == whole(chart.path[0, 0]):
            continue
        if walk_from(chart, path, column):
            return True
    return False


@kernel
def walk_from(chart, path, start):
    """Depth-first search for a path from this start; a retreat tries another step of the row before."""
    last = whole(chart.rows) - 2
    chart.path[path, 0] = start
    chart.twins[0] = twins_at(chart, path, 0, start, (1 << path) - 1)
    row = 0
    retreats = 0
    steps = legal_steps(chart, 0, start)
    while row < last:
        if steps == 0:
            row -= 1
            retreats += 1
            if row < 0 or retreats > MAX_RETREATS:
                return False
            steps = whole(chart.steps_left[row])
            continue
        step = STEP_OF[3 * steps + below(chart.streams, STREAM_SKELETON, STEPS_IN[steps])]
        steps &= ~(1 << step)
        target = whole(chart.path[path, row]) + step - 1
        twins = whole(chart.twins[row])
        if twins:
            twins = twins_at(chart, path, row + 1, target, twins)
            if twins and row + 1 == last:
                continue  # a whole path over again
        chart.steps_left[row] = steps
        row += 1
        chart.path[path, row] = target
        chart.twins[row] = twins
        steps = legal_steps(chart, row, target)
    return True


@kernel
def legal_steps(chart, row, column):
    """The steps that stay on the chart and cross no edge, as a mask: bit 0 left, 1 straight on, 2 right.

    A step aside crosses only an edge that leads from its target column to this one. Straight on is always legal.
    """
    left = 0
    right = 0
    if column > 0:
        left = ~(whole(chart.out[row, column - 1]) >> column) & 1
    if column < chart.slots - 1:
        right = ~(whole(chart.out[row, column + 1]) >> column) & 1
    return left | 2 | (right << 2)


@kernel
def twins_at(chart, path, row, column, among):
    """Which of these earlier paths also stand in this column of this row."""
    same = 0
    for other in range(path):
        if (among >> other) & 1 and whole(chart.path[other, row]) == column:
            same |= 1 << other
    return same


@kernel
def draw_path(chart, path):
    """Put a laid path's nodes and edges onto the chart."""
    last = whole(chart.rows) - 2
    for row in range(last):
        place(chart, row, whole(chart.path[path, row]))
        join(chart, row, whole(chart.path[path, row]), whole(chart.path[path, row + 1]))
    place(chart, last, whole(chart.path[path, last]))


@kernel
def consolidate_boss(chart):
    """Aim every last edge at one boss node in the middle [Skeleton A.2]."""
    boss_row = whole(chart.rows) - 1
    boss = whole(chart.slots) // 2
    place(chart, boss_row, boss)
    for slot in range(chart.slots):
        if is_present(chart, boss_row - 1, slot):
            join(chart, boss_row - 1, slot, boss)
    for path in range(chart.paths):
        chart.path[path, boss_row] = boss
