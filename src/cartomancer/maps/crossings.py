"""The order of siblings in a picture, in which edges cross only where they must.

Columns are a matter of the rules, the order on a centred row is one of the picture alone: among the orders with the
fewest crossings on the whole map, that nearest to the columns is taken.

>>> from cartomancer import maps
>>> drawn = maps.generate("guardian", "slice", seed=42)
>>> by_columns(drawn)[2:4], fewest_crossings(drawn)[2:4]
(((3, 4), (5, 6)), ((4, 3), (6, 5)))
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise, permutations
from typing import Any, Final

import numpy as np

from cartomancer.maps.model import Map

WIDEST: Final = 6  # a row with more nodes keeps its columns' order: nobody tries 5,040 orders against 5,040
CROSSING: Final = 1000  # what one counts against a pair of siblings that stand otherwise than their columns

Order = tuple[int, ...]  # the ids of a row's nodes, left to right
Edges = tuple[tuple[int, int], ...]
Matrix = np.ndarray[Any, np.dtype[np.float64]]  # whole numbers, which are multiplied faster as floats


def by_columns(drawn: Map) -> tuple[Order, ...]:
    """The rows, the first one first, each in the order of its columns."""
    rows = (sorted(drawn.row_nodes(row), key=lambda node: node.column) for row in range(1, drawn.rows + 1))
    return tuple(tuple(node.id for node in row) for row in rows)


def fewest_crossings(drawn: Map) -> tuple[Order, ...]:
    """The rows, the first one first, each in the order in which the fewest edges of the map cross."""
    return _best_orders(by_columns(drawn), drawn.edges)


@lru_cache(maxsize=64)
def _best_orders(rows: tuple[Order, ...], edges: Edges) -> tuple[Order, ...]:
    """Every order of a row against every order of the next, from the first row on: an exact search."""
    choices = [list(permutations(row)) if len(row) <= WIDEST else [row] for row in rows]
    cost = _displaced(choices[0], rows[0])
    came_from: list[np.ndarray[Any, np.dtype[np.intp]]] = []
    for before, after in pairwise(choices):
        between = [edge for edge in edges if edge[0] in before[0] and edge[1] in after[0]]
        total = cost[:, None] + CROSSING * _crossed(before, after, between)
        came_from.append(total.argmin(axis=0))
        cost = total.min(axis=0) + _displaced(after, after[0])
    best = int(cost.argmin())
    found = [choices[-1][best]]
    for orders, parents in zip(choices[-2::-1], came_from[::-1], strict=True):
        best = int(parents[best])
        found.append(orders[best])
    return tuple(found[::-1])


def _crossed(before: list[Order], after: list[Order], edges: Sequence[tuple[int, int]]) -> Matrix:
    """How many of the edges cross in each order of a row (down) and of the next (across).

    Two edges cross where exactly one of the rows has their ends the other way round.
    """
    apart = [(one, two) for one, two in combinations(edges, 2) if one[0] != two[0] and one[1] != two[1]]
    low = _turned(before, [(one[0], two[0]) for one, two in apart])
    high = _turned(after, [(one[1], two[1]) for one, two in apart])
    found: Matrix = low.sum(axis=1)[:, None] + high.sum(axis=1)[None, :] - 2 * low @ high.T
    return found


def _displaced(orders: list[Order], columns: Order) -> Matrix:
    """In each order, how many pairs of nodes stand otherwise than their columns."""
    found: Matrix = _turned(orders, list(combinations(columns, 2))).sum(axis=1)
    return found


def _turned(orders: list[Order], pairs: Sequence[tuple[int, int]]) -> Matrix:
    """Whether in each order (down) the second of each pair (across) stands left of the first."""
    column = {node: at for at, node in enumerate(orders[0])}
    places = np.array([[column[node] for node in order] for order in orders], np.intp).argsort(axis=1)
    one, two = (np.array([column[pair[end]] for pair in pairs], np.intp) for end in (0, 1))
    return (places[:, one] > places[:, two]).astype(np.float64)
