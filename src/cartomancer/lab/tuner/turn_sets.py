"""Sets of turns, predicted by adding up what each turn does alone, and tried where the prediction is best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.lab.tuner.evaluator import PENALTY, Candidate, Evaluator, Turns
from cartomancer.lab.tuner.levers import Lever

BEAM: Final = 60  # sets that are carried to the next size
FORMER: Final = 20  # of what earlier stages found, so many are built on
Values = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Member:
    """A set that may grow: its turns, what they cost, and the targets' values, measured or predicted."""

    turns: Turns
    cost: float
    values: Values


class TurnSets:
    """Sets of turns that grow by one each time, from single turns and from the best that was found before."""

    def __init__(self, evaluator: Evaluator, levers: Sequence[Lever]) -> None:
        self._evaluator = evaluator
        allowed, tried = {lever.id for lever in levers}, evaluator.by_worth()
        self._alone = [one for one in tried if len(one.turns) == 1 and one.turns[0][0] in allowed]
        former = [one for one in tried if len(one.turns) > 1][:FORMER]
        start = evaluator.tried[()]
        found = start.found if start else ()
        ends = [target.ends(target.margin(estimate.error)) for target, estimate in found]
        self._lows, self._highs = (np.array([pair[end] for pair in ends]) for end in (0, 1))
        self._units = np.array([target.unit.step for target, _ in found])
        self._effects = np.array([_values(one) - _values(start) for one in self._alone])
        self._costs = np.array([one.cost for one in self._alone])
        self._beam = [Member(one.turns, one.cost, _values(one)) for one in (*self._alone[:BEAM], *former)]

    def larger(self, most: int) -> list[Candidate]:
        """Sets with one turn more than the last time: the most promising ones are tried; those in all bands."""
        grown: dict[Turns, tuple[float, Member]] = {}
        for member in self._beam:
            for worth, larger in self._grown(member):
                grown.setdefault(larger.turns, (worth, larger))
        order = sorted(grown.values(), key=lambda one: (one[0], one[1].turns))[:BEAM]
        hits, left = [], self._evaluator.evaluations + most
        self._beam = []
        for _, member in order:
            kept = member
            if self._evaluator.evaluations < left:
                found = self._evaluator.try_out(dict(member.turns))
                if found is None:
                    continue
                kept = Member(member.turns, member.cost, _values(found))
                hits += [found] if not found.careful else []
            self._beam.append(kept)
        return sorted(hits, key=lambda one: (one.cost, one.turns))

    def _grown(self, member: Member) -> list[tuple[float, Member]]:
        """The set with one more lever turned: its most promising children, with what they promise to be worth."""
        taken = {name for name, _ in member.turns}
        free = [k for k, one in enumerate(self._alone) if one.turns[0][0] not in taken]
        if not free:
            return []
        predicted, costs = member.values + self._effects[free], member.cost + self._costs[free]
        worth = PENALTY * costs + self._violations(predicted)
        best = np.argsort(worth, kind="stable")[:BEAM]
        turns = [tuple(sorted((*member.turns, *self._alone[free[k]].turns))) for k in best]
        return [
            (float(worth[k]), Member(more, float(costs[k]), predicted[k])) for k, more in zip(best, turns, strict=True)
        ]

    def _violations(self, values: Values) -> Values:
        """`Target.violation` of every target, summed, for many predictions at once."""
        off = np.maximum(self._lows - values, values - self._highs)
        return np.asarray((np.maximum(off, 0.0) / self._units).sum(axis=1))


def _values(candidate: Candidate | None) -> Values:
    return np.array([found.value or 0.0 for _, found in candidate.found] if candidate else [])
