"""What Unknowns will become: the exact probability of every outcome at every coming visit.

The distribution over pity vectors (visits since the last Battle, Treasure and Shop) is moved on visit by visit, so
nothing is sampled.

>>> from cartomancer.content.models.voyage import UnknownRules
>>> [round(step["battle"], 4) for step in forecast(UnknownRules(), visits=2)]
[0.1, 0.19]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any, Final

import numpy as np

from cartomancer.content.models.voyage import UnknownRules
from cartomancer.errors import CartomancerError
from cartomancer.maps.kernel.unknown import CANDIDATES, EVENT, MILLION, chance
from cartomancer.maps.unknowns import OUTCOMES, banned_candidates, odds_table

MOST_VECTORS: Final = 4_000_000  # pity vectors that are followed at once: 32 MB each time they are written down
SETTLED: Final = 1e-15  # the part of a distribution that rounding moves anyway
SURE: Final = 2.0**-54  # 1 less than this is 1
ROUND: Final = 12  # visits after which a distribution is compared with itself: many cycles of certain outcomes end then
ALL: Final = -1  # beside the outcomes: whatever came

Mass = np.ndarray[Any, np.dtype[np.float64]]


def forecast(
    rules: UnknownRules,
    visits: int,
    pity: Sequence[int] = (0, 0, 0),
    banned_types: Iterable[str] = (),
    beside: Iterable[str] = (),
    visits_per_act: int | None = None,
) -> list[dict[str, float]]:
    """The exact probability of each outcome at each of the next visits, from any pity state.

    Each entry also has `…_by_now`, the probability that the outcome has come at least once by then. With
    `visits_per_act` a new act begins after every so many; if pity starts again with it, acts are independent (M31).
    """
    mask = banned_candidates(rules, banned_types, beside)
    if visits_per_act is None or visits_per_act >= visits or rules.pity_scope == "per_run":
        return _within_act(rules, visits, pity, mask)
    steps = _within_act(rules, visits_per_act, pity, mask)
    act = _within_act(rules, visits_per_act, (0, 0, 0), mask)
    while len(steps) < visits:
        never = {f"{name}_by_now": 1 - steps[-1][f"{name}_by_now"] for name in OUTCOMES}
        steps += [step | {name: 1 - none * (1 - step[name]) for name, none in never.items()} for step in act]
    return steps[:visits]


def _within_act(rules: UnknownRules, visits: int, pity: Sequence[int], mask: int) -> list[dict[str, float]]:
    """The forecast of visits between which pity never starts again by itself."""
    walk = PityWalk(rules, visits, pity, mask)
    moving = dict.fromkeys([ALL, *walk.possible], walk.start)  # where the pity stands: of all, and without an outcome
    earlier = dict(moving)
    never = [1.0] * len(OUTCOMES)
    steps: list[dict[str, float]] = []
    for visit in range(1, visits + 1):
        shares = [steps[-ROUND][name] for name in OUTCOMES] if ALL not in moving else []
        for outcome, before in list(moving.items()):
            moving[outcome], came = walk.visit(before, unless=outcome)
            if outcome == ALL:
                shares = came
            else:
                never[outcome] = sum(share for other, share in enumerate(came) if other != outcome)
        by_now = {f"{name}_by_now": 1 - none for name, none in zip(OUTCOMES, never, strict=True)}
        steps.append(dict(zip(OUTCOMES, shares, strict=True)) | by_now)
        if visit % ROUND == 0:
            moving = {outcome: mass for outcome, mass in moving.items() if _moves(mass, earlier[outcome])}
            earlier = dict(moving)
    return steps


def _moves(mass: Mass, earlier: Mass) -> bool:
    """Whether the coming visits will differ from those since `earlier`, by more than rounding does."""
    left = float(mass.sum())
    return left >= SURE and float(np.abs(mass - earlier).sum()) > SETTLED * left


class PityWalk:
    """Visits as moves of a distribution over pity vectors: an axis for each candidate, an index for each counter."""

    def __init__(self, rules: UnknownRules, visits: int, pity: Sequence[int], mask: int) -> None:
        odds = odds_table(rules)
        axes: list[list[int]] = []
        first = []
        for k in range(CANDIDATES):
            banned = mask >> k & 1
            counters, at = _counters(int(odds[0, k]), 0 if banned else int(odds[1, k]), pity[k], visits)
            axes.append(counters)
            first.append(at)
        if prod(map(len, axes)) > MOST_VECTORS:
            raise CartomancerError(
                f"a forecast of {visits:,} visits would follow {prod(map(len, axes)):,} pity vectors, "
                f"more than {MOST_VECTORS:,}: take fewer visits, or larger pity steps"
            )
        self.battle, self.treasure, self.shop = (
            np.array([0.0 if mask >> k & 1 else int(chance(odds[0, k], odds[1, k], c)) / MILLION for c in counters])
            for k, counters in enumerate(axes)
        )
        self.no_battle = 1 - self.battle
        self.neither = np.outer(self.no_battle, 1 - self.treasure)
        self.nothing = self.neither[:, :, None] * (1 - self.shop)
        # what an Event moves up, and where to; a counter that makes its candidate certain never sees one
        self.moved = tuple(slice(0, len(axis) - 1) if len(axis) > 1 else slice(None) for axis in axes)
        self.raised = tuple(slice(1, None) if len(axis) > 1 else slice(None) for axis in axes)
        self.start: Mass = np.zeros([len(axis) for axis in axes])
        self.start[tuple(first)] = 1.0
        chances = (self.battle, self.treasure, self.shop)
        self.possible = [*(k for k, odd in enumerate(chances) if odd.any()), EVENT]

    def visit(self, mass: Mass, unless: int) -> tuple[Mass, list[float]]:
        """The distribution after one visit, unless that had this outcome, and the probability of each outcome."""
        came = [
            np.tensordot(self.battle, mass, 1),
            self.no_battle[:, None] * (self.treasure @ mass),
            self.neither * (mass @ self.shop),
            self.nothing * mass,
        ]
        after = np.zeros_like(mass)
        if unless != EVENT:
            after[self.raised] = came[EVENT][self.moved]
        for k in range(CANDIDATES):
            if k != unless:
                np.moveaxis(after, k, 0)[0] += _risen(_risen(came[k], 0), 1)
        return after, [float(part.sum()) for part in came]


def _counters(base: int, step: int, pity: int, visits: int) -> tuple[list[int], int]:
    """The values that a pity counter can have, in order, and which of them it has at first.

    From where it stands it rises by one a visit, from 0 once its outcome has come. Beyond certainty all are alike, and
    without a step all are anyway.
    """
    certain = -(-(MILLION - base) // step) if step else 0
    now = min(pity, certain)
    again, onward = range(min(visits, certain + 1)), range(now, min(now + visits, certain) + 1)
    found = sorted({*again, *onward})
    return found, found.index(now)


def _risen(mass: Mass, axis: int) -> Mass:
    """The distribution with one counter a visit higher; the last index stands for everything beyond it."""
    if mass.shape[axis] == 1:
        return mass
    after = np.zeros_like(mass)
    source, target = np.moveaxis(mass, axis, 0), np.moveaxis(after, axis, 0)
    target[1:] = source[:-1]
    target[-1] += source[-1]
    return after
