"""The structure of a matrix: strength, matchups, and what a meta game would settle on [GDD 14.1, 18.5].

*Strength.* The logit of a cell's share is taken as y = m + r + c + e: a grand mean, the dungeon's effect, the party's
effect and a rest, by least squares weighted with n·p·(1 − p), the inverse variance of a logit. What the effects explain
is transitive: the strong beat the weak whoever they meet. The rest is matchup: rock, paper, scissors. Chance has a part
in both, of as much as they have degrees of freedom (a weighted square is about 1 on average), which is told apart.

*Matchups.* The singular value decomposition of the rest, each cell in units of its own standard error. A component
pairs dungeons with parties: those with loadings of the same sign are better for the dungeon than strength says, those
with opposite signs worse. A component is beyond noise if its singular value is one that a matrix of noise alone has
once in a hundred times (Johnstone 2001: its square is Tracy–Widom around (√(R − 1) + √C)²).

*The meta.* The dungeon picks a row and maximises the share, the party a column and minimises it. The equilibrium of
this zero-sum game is found by linear programming; its support is what well-advised players would bring.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.errors import CartomancerError
from cartomancer.intervals import Numbers

SWEEPS: Final = 500
SETTLED: Final = 1e-9  # of a logit
COMPONENTS: Final = 3
TRACY_WIDOM_99: Final = 2.0234  # the 99 % quantile of the Tracy–Widom law for real matrices
LEAST_WEIGHT: Final = 1e-6  # of a composition in the support of an equilibrium


@dataclass(frozen=True)
class Component:
    """One way in which matchups depart from strength."""

    size: float  # singular value, in standard errors of a cell
    share: float  # of the squares that strength leaves
    beyond_noise: bool
    dungeons: Numbers  # loadings, row by row
    parties: Numbers  # loadings, column by column


@dataclass(frozen=True)
class Structure:
    """Shares as strength and matchup, in logits."""

    mean: float
    dungeons: Numbers  # effects on the dungeon's share, row by row
    parties: Numbers  # effects on the dungeon's share, column by column
    transitive: float  # share of the weighted variance that effects explain beyond chance
    matchup: float  # … that they leave beyond chance
    noise: float  # … that chance explains
    components: tuple[Component, ...]

    def predicted(self) -> Numbers:
        """What strength alone says of every cell: shares."""
        return np.asarray(1 / (1 + np.exp(-(self.mean + self.dungeons[:, None] + self.parties[None, :]))))


def structure(points: Numbers, games: Numbers) -> Structure:
    """The structure of a table of points out of games; no games means no cell."""
    here = games > 0
    if not here.any():
        raise CartomancerError("a matrix without games has no structure")
    share = (points + 0.5) / (games + 1)
    logit = np.log(share / (1 - share))
    weight = np.where(here, games * share * (1 - share), 0.0)
    mean, rows, columns = additive(logit, weight)
    residual = logit - mean - rows[:, None] - columns[None, :]
    components = _components(np.sqrt(weight) * residual)
    total = float((weight * (logit - np.average(logit, weights=weight)) ** 2).sum())
    left = float((weight * residual**2).sum())
    fitted = sum(points.shape) - 2  # effects beyond the grand mean
    free = max(int(here.sum()) - 1 - fitted, 0)
    whole = total or 1.0
    transitive, matchup = max(total - left - fitted, 0.0) / whole, max(left - free, 0.0) / whole
    return Structure(mean, rows, columns, transitive, matchup, 1 - transitive - matchup, components)


def additive(values: Numbers, weight: Numbers) -> tuple[float, Numbers, Numbers]:
    """Grand mean, row effects and column effects that fit a weighted table best; effects have a mean of 0.

    Rows and columns are fitted in turn until nothing moves; a table of weights without gaps needs a few sweeps.
    """
    rows, columns = np.zeros(values.shape[0]), np.zeros(values.shape[1])
    of_row, of_column = np.maximum(weight.sum(axis=1), 1e-300), np.maximum(weight.sum(axis=0), 1e-300)
    for _ in range(SWEEPS):
        before = rows
        rows = (weight * (values - columns[None, :])).sum(axis=1) / of_row
        columns = (weight * (values - rows[:, None])).sum(axis=0) / of_column
        if np.abs(rows - before).max() < SETTLED:
            break
    mean = float(rows.mean() + columns.mean())
    return mean, rows - rows.mean(), columns - columns.mean()


def _components(scaled: Numbers) -> tuple[Component, ...]:
    """The leading components of a table whose noise has variance 1."""
    left, sizes, right = np.linalg.svd(scaled, full_matrices=False)
    total, edge = float((sizes**2).sum()) or 1.0, noise_edge(*scaled.shape)
    found = []
    for k in range(min(COMPONENTS, len(sizes))):
        sign = 1 if left[np.abs(left[:, k]).argmax(), k] >= 0 else -1  # the heaviest dungeon's loading is positive
        size = float(sizes[k])
        found.append(Component(size, size**2 / total, size > edge, sign * left[:, k], sign * right[k]))
    return tuple(found)


def noise_edge(rows: int, columns: int) -> float:
    """The largest singular value that noise of variance 1 has in 99 of 100 tables of this size."""
    above, beside = np.sqrt(max(rows - 1, 1)), np.sqrt(columns)
    spread = (above + beside) * (1 / above + 1 / beside) ** (1 / 3)
    return float(np.sqrt((above + beside) ** 2 + TRACY_WIDOM_99 * spread))


@dataclass(frozen=True)
class Equilibrium:
    """What well-advised players would bring, and what the dungeon would win then."""

    value: float  # the dungeon's share
    dungeons: Numbers  # how often each is brought, row by row
    parties: Numbers

    def support(self, side: str) -> list[tuple[int, float]]:
        """The compositions a side would bring, with their weights, the heaviest first."""
        weights = self.dungeons if side == "dungeon" else self.parties
        order = np.argsort(-weights.round(9), kind="stable")  # equal ones in the order of the table
        return [(int(k), float(weights[k])) for k in order if weights[k] > LEAST_WEIGHT]


def equilibrium(share: Numbers) -> Equilibrium:
    """A Nash equilibrium of the zero-sum game in which rows want a large share and columns a small one."""
    if np.isnan(share).any():
        raise CartomancerError("a meta game needs a share for every cell")
    value, rows = _best_mix(share)
    against, columns = _best_mix(1 - share.T)
    assert abs(value - (1 - against)) < 1e-6, "both sides of a zero-sum game agree on its value"
    return Equilibrium(value, rows, columns)


def _best_mix(share: Numbers) -> tuple[float, Numbers]:
    """The mix of rows whose least share over all columns is largest, and that share."""
    from scipy.optimize import linprog

    rows, columns = share.shape
    found: Any = linprog(
        c=[*np.zeros(rows), -1.0],
        A_ub=np.hstack([-share.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[*np.ones(rows), 0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    if found.status != 0:
        raise CartomancerError(f"the meta game could not be solved: {found.message}")
    mix = np.maximum(found.x[:rows], 0)
    return float(found.x[rows]), mix / mix.sum()
