"""Evaluating a query: a small stack program that says how far a map is from what was asked for.

Comparisons push a distance (0: satisfied), `and` adds distances, `or` takes the smaller: 0 at the end is a hit, the
smallest number above it the closest miss.
"""

from __future__ import annotations

import numpy as np

from cartomancer.jit import kernel, whole
from cartomancer.maps.kernel.features import measure
from cartomancer.maps.kernel.generate import generate

PUSH_NUMBER = 0
PUSH_FEATURE = 1
ADD = 2
SUBTRACT = 3
MULTIPLY = 4
AT_LEAST = 5  # distances from here on
AT_MOST = 6
EQUAL = 7
DIFFERENT = 8
AND = 9
OR = 10
STACK_DEPTH = 64
FAR_AWAY = 2**31 - 1  # the distance of a seed that has no map


@kernel
def distance_of(program, features, stack):
    """Run the program over a map's features."""
    depth = 0
    for at in range(program.shape[0]):
        code = whole(program[at, 0])
        if code == PUSH_NUMBER or code == PUSH_FEATURE:
            given = whole(program[at, 1])
            stack[depth] = given if code == PUSH_NUMBER else features[given]
            depth += 1
            continue
        depth -= 1
        a = whole(stack[depth - 1])
        b = whole(stack[depth])
        if code == ADD:
            a = a + b
        elif code == SUBTRACT:
            a = a - b
        elif code == MULTIPLY:
            a = a * b
        elif code == AT_LEAST:
            a = max(0, b - a)
        elif code == AT_MOST:
            a = max(0, a - b)
        elif code == EQUAL:
            a = abs(a - b)
        elif code == DIFFERENT:
            a = 1 if a == b else 0
        elif code == AND:
            a = a + b
        else:
            a = min(a, b)
        stack[depth - 1] = a
    return min(whole(stack[0]), FAR_AWAY)


@kernel
def query_distance(graph, scratch, rules, seed, program, wanted, features, stack, log):
    """How far the map of one seed is from the query."""
    if not generate(graph, rules, seed, log):
        return FAR_AWAY
    measure(graph, rules, scratch, wanted, features)
    return distance_of(program, features, stack)


@kernel
def scan(graphs, scratches, rules, first_seed, program, wanted, features, stack, log, distances):
    """The distances of consecutive seeds from the query."""
    for k in range(distances.shape[0]):
        seed = np.uint64(first_seed) + np.uint64(k)
        distances[k] = query_distance(graphs[0], scratches[0], rules, seed, program, wanted, features[0], stack[0], log)
