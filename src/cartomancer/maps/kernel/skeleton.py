"""The skeleton under a voyage map: sparse paths first, types later [Skeleton A], ruling M3.

vocabulary  path   a walk from the first row to the boss, one column per row
            step   a move to the next row, to column −1, 0 or +1
            twins  earlier paths that have shared every node of this one so far
"""

from __future__ import annotations

from cartomancer.codes import STREAM_SKELETON
from cartomancer.jit import kernel
from cartomancer.maps.kernel.chart import clear_cells, is_present, join, place
from cartomancer.rng import below

MAX_RESTARTS = 64
MAX_RETREATS = 4096


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
    columns = int(chart.slots)
    if path == 1:
        start = (int(chart.path[0, 0]) + 1 + below(chart.streams, STREAM_SKELETON, columns - 1)) % columns
    else:
        start = below(chart.streams, STREAM_SKELETON, columns)
    for shift in range(columns):
        column = (start + shift) % columns
        if path == 1 and column == int(chart.path[0, 0]):
            continue
        if walk_from(chart, path, column):
            return True
    return False


@kernel
def walk_from(chart, path, start):
    """Depth-first search for a path from this start; a retreat tries the next step of the row above."""
    columns = int(chart.slots)
    last = int(chart.rows) - 2
    chart.path[path, 0] = start
    chart.twins[0] = twins_at(chart, path, 0, start, (1 << path) - 1)
    chart.tried[0] = -1
    row = 0
    retreats = 0
    while row < last:
        column = int(chart.path[path, row])
        tried = int(chart.tried[row])
        if tried < 0:
            chart.order[row] = below(chart.streams, STREAM_SKELETON, 6)
            tried = 0
        twins = int(chart.twins[row])
        moved = False
        while tried < 3 and not moved:
            step = nth_step(int(chart.order[row]), tried)
            tried += 1
            target = column + step
            if target < 0 or target >= columns:
                continue
            if step != 0 and (int(chart.out[row, target]) >> column) & 1:
                continue  # the edge target → column is drawn: this one would cross it
            same = 0
            if twins:
                same = twins_at(chart, path, row + 1, target, twins)
                if same and row + 1 == last:
                    continue  # a whole path over again
            chart.path[path, row + 1] = target
            chart.twins[row + 1] = same
            moved = True
        chart.tried[row] = tried
        if moved:
            row += 1
            chart.tried[row] = -1
        else:
            row -= 1
            retreats += 1
            if row < 0 or retreats > MAX_RETREATS:
                return False
    return True


@kernel
def nth_step(order, nth):
    """The nth of the three steps −1, 0, +1 in one of their six orders."""
    first = order % 3
    if nth == 0:
        return first - 1
    second = (first + 1 + order // 3) % 3
    if nth == 1:
        return second - 1
    return 2 - first - second


@kernel
def twins_at(chart, path, row, column, among):
    """Which of these earlier paths also stand in this column of this row."""
    same = 0
    for other in range(path):
        if (among >> other) & 1 and int(chart.path[other, row]) == column:
            same |= 1 << other
    return same


@kernel
def draw_path(chart, path):
    """Put a laid path's nodes and edges onto the chart."""
    last = int(chart.rows) - 2
    for row in range(last):
        place(chart, row, int(chart.path[path, row]))
        join(chart, row, int(chart.path[path, row]), int(chart.path[path, row + 1]))
    place(chart, last, int(chart.path[path, last]))


@kernel
def consolidate_boss(chart):
    """Aim every last edge at one boss node in the middle [Skeleton A.2]."""
    boss_row = int(chart.rows) - 1
    boss = int(chart.slots) // 2
    place(chart, boss_row, boss)
    for slot in range(chart.slots):
        if is_present(chart, boss_row - 1, slot):
            join(chart, boss_row - 1, slot, boss)
    for path in range(chart.paths):
        chart.path[path, boss_row] = boss
