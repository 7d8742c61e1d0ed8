"""How compositions of a side stand to each other, and how much of a matrix is strength [GDD 14.1].

One that does at least as well as another against nearly everybody leaves no reason to bring the other: an ecosystem has
few of those, a mixed meta on both sides, and more matchup than strength. All of it goes by the shares that were
measured, without a claim of certainty.

>>> share = np.array([[0.9, 0.9], [0.5, 0.9], [0.9, 0.1]])
>>> dominated(share).tolist(), outclassed(share).tolist()
([False, True, True], [False, True, True])
"""

from __future__ import annotations

from typing import Final

import numpy as np

from cartomancer.intervals import Numbers
from cartomancer.lab.matrix.decomposition import equilibrium, structure
from cartomancer.lab.matrix.matchups import Matrix

NEARLY_ALL: Final = 0.90  # of the opponents
SLACK: Final = 1e-12


def grid_of(matrix: Matrix, side: str) -> Numbers:
    """What each composition of a side wins of the games with each opponent: a row for each composition. Where two never
    met it is not a number."""
    share = matrix.grid(matrix.share)
    return np.asarray(share if side == "dungeon" else 1 - share.T)


def _at_least_as_good(share: Numbers, one: int) -> Numbers:
    """Of every row, the share of the columns both met in which it does at least as well as one of them."""
    met = ~np.isnan(share) & ~np.isnan(share[one])
    found = ((share >= share[one] - SLACK) & met).sum(axis=1) / np.maximum(met.sum(axis=1), 1)
    found[one] = 0.0
    return np.asarray(found)


def outclassed(share: Numbers) -> Numbers:
    """Of every row, whether another one does at least as well against more than 90 % of the columns."""
    return np.array([(_at_least_as_good(share, one) > NEARLY_ALL).any() for one in range(len(share))])


def dominated(share: Numbers) -> Numbers:
    """Of every row, whether another one does at least as well against every column, and better against one."""
    found = []
    for one in range(len(share)):
        never_worse = _at_least_as_good(share, one) >= 1.0
        better = (share > share[one] + SLACK).any(axis=1)
        found.append(bool((never_worse & better).any()))
    return np.array(found)


def support(matrix: Matrix, side: str) -> list[str]:
    """Who well-advised players of a side would bring, the commonest first; nobody where cells are missing."""
    share = matrix.grid(matrix.share)
    if np.isnan(share).any():
        return []
    return [matrix.sides[side].names[k] for k, _ in equilibrium(share).support(side)]


def transitive(matrix: Matrix) -> float:
    """The share of the variance that strength explains: the strong beat the weak, whoever they meet."""
    return structure(matrix.grid(matrix.points, 0.0), matrix.grid(matrix.cells["games"], 0.0)).transitive
