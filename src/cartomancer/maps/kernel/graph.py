"""The graph: one map as flat state, the same for every family.

A map is a layered graph, so a cell is (row, slot) and a node's edges are a bit mask over the next row's slots. Rows
and slots count from 0 here; the face above counts rows and columns from 1.
"""

from __future__ import annotations

import numpy as np

from cartomancer.codes import MAP_STREAMS
from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel.events import EVENT_FIELDS, EVENT_VIOLATION
from cartomancer.rng import stream_start

MAX_ROWS = 40
MAX_SLOTS = 9
MAX_PATHS = 8


def numbers(*names: str) -> list[tuple[str, type]]:
    """Fields of a record that hold one number each."""
    return [(name, np.int64) for name in names]


GRAPH = np.dtype(
    [
        ("streams", np.uint64, MAP_STREAMS),
        *numbers("rows", "slots", "paths", "rerolls", "searches", "waivers", "restarts", "logged"),
        ("present", np.uint16, MAX_ROWS),
        ("kind", np.uint8, (MAX_ROWS, MAX_SLOTS)),
        ("marks", np.uint8, (MAX_ROWS, MAX_SLOTS)),
        ("reason", np.uint8, (MAX_ROWS, MAX_SLOTS)),
        ("out", np.uint16, (MAX_ROWS, MAX_SLOTS)),
        ("into", np.uint16, (MAX_ROWS, MAX_SLOTS)),
        ("path", np.int8, (MAX_PATHS, MAX_ROWS)),
        # scratch of the bounded searches: nothing outside them reads it
        ("steps_left", np.int8, MAX_ROWS),
        ("twins", np.uint8, MAX_ROWS),
        ("near_row", np.int8, 2 * MAX_SLOTS),
        ("near_slot", np.int8, 2 * MAX_SLOTS),
        ("near_kind", np.uint8, 2 * MAX_SLOTS),
        ("near_tried", np.uint16, 2 * MAX_SLOTS),
    ],
    align=True,
)


@kernel
def clear(graph, rows, slots, seed):
    """An empty graph whose streams start from the seed."""
    for k in range(MAP_STREAMS):
        graph.streams[k] = stream_start(seed, k, 0)
    graph.rows = rows
    graph.slots = slots
    graph.paths = 0
    graph.rerolls = 0
    graph.searches = 0
    graph.waivers = 0
    graph.restarts = 0
    graph.logged = 0
    clear_cells(graph)


@kernel
def clear_cells(graph):
    """Take every node and edge off the graph."""
    for row in range(graph.rows):
        graph.present[row] = 0
        for slot in range(graph.slots):
            graph.kind[row, slot] = 0
            graph.marks[row, slot] = 0
            graph.reason[row, slot] = 0
            graph.out[row, slot] = 0
            graph.into[row, slot] = 0


@kernel
def is_present(graph, row, slot):
    """Whether a node stands in this cell."""
    return (whole(graph.present[row]) >> slot) & 1 == 1


@kernel
def place(graph, row, slot):
    """Put an untyped node into the cell."""
    graph.present[row] = whole(graph.present[row]) | (1 << slot)


@kernel
def join(graph, row, slot, target):
    """Draw the edge from (row, slot) to (row + 1, target); drawing it twice is drawing it once."""
    graph.out[row, slot] = whole(graph.out[row, slot]) | (1 << target)
    graph.into[row + 1, target] = whole(graph.into[row + 1, target]) | (1 << slot)


@kernel
def cut(graph, row, slot, target):
    """Take the edge from (row, slot) to (row + 1, target) away."""
    graph.out[row, slot] = whole(graph.out[row, slot]) & ~(1 << target)
    graph.into[row + 1, target] = whole(graph.into[row + 1, target]) & ~(1 << slot)


@kernel
def fix(graph, log, row, slot, kind, flag, event, rule, number):
    """Give a node its type by rule rather than by dice, and remember which rule."""
    graph.kind[row, slot] = kind
    graph.marks[row, slot] = whole(graph.marks[row, slot]) | flag
    graph.reason[row, slot] = rule
    note(graph, log, event, row, slot, kind, rule, number)


@kernel
def bits_in(mask):
    """How many bits a mask holds."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel
def nth_bit(mask, nth):
    """The place of the nth bit of a mask, counted from 0."""
    at = 0
    while True:
        if mask & 1:
            if nth == 0:
                return at
            nth -= 1
        mask >>= 1
        at += 1


@kernel
def note(graph, log, event, row, slot, a, b, c):
    """Write one event, if somebody is listening (a log of length 0 is nobody)."""
    at = whole(graph.logged)
    if at < log.shape[0]:
        log[at, 0] = event
        log[at, 1] = row
        log[at, 2] = slot
        log[at, 3] = a
        log[at, 4] = b
        log[at, 5] = c
        graph.logged = at + 1


@kernel
def breach(graph, log, row, slot, rule, other_row, other_slot):
    """Write a broken rule into the log: the cell that answers for it, and the other one if there is one.

    Returns the count, which is 1.
    """
    note(graph, log, EVENT_VIOLATION, row, slot, rule, other_row, other_slot)
    return 1


def new_log(length: int) -> np.ndarray:
    """A log for `length` events; 0 switches logging off."""
    return np.zeros((length, EVENT_FIELDS), np.int32)
