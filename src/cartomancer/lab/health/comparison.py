"""Two scenarios, or two players, on the same seeds: what differs beyond chance.

>>> from cartomancer.players.simulation import simulate
>>> found = compare(simulate("boar", 400, 7), simulate("boar+frenzy", 400, 7))
>>> found.n, found.measures["kill"].differs
(400, False)

Run k of both sides has the same seed: the same shuffles and dice as long as the same is done (common random numbers).
So differences are taken run by run, and what luck does to both cancels out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cartomancer.errors import CartomancerError
from cartomancer.lab.health.baseline import FACTS
from cartomancer.lab.measures.evidence import FALSE_DISCOVERIES, false_discovery
from cartomancer.lab.measures.registry import one_by_one, paired_measures
from cartomancer.lab.results import Result
from cartomancer.players.simulation import Simulation


@dataclass(frozen=True)
class Compared:
    """One of two batches."""

    scenario: str
    dungeon: str
    visitor: str
    content_digest: str
    result_hash: str


@dataclass(frozen=True)
class Difference:
    """A measure in both batches, what the second has more, and whether that is beyond chance."""

    a: float
    b: float
    difference: float
    interval: tuple[float, float] | None
    p: float
    q: float  # the p value corrected for the number of measures
    differs: bool


@dataclass(frozen=True)
class Comparison(Result):
    """Two batches of the same seeds, measure by measure."""

    n: int  # pairs of runs
    seed: int
    a: Compared
    b: Compared
    measures: Mapping[str, Difference]


def compare(one: Simulation, other: Simulation) -> Comparison:
    """Compare two batches, run by run."""
    if one.seed != other.seed or one.runs != other.runs:
        raise CartomancerError("only batches of the same seed and as many runs can be compared run by run")
    before, after = (one_by_one(batch.rows, FACTS) for batch in (one, other))
    measures = paired_measures(FACTS)
    changes = [measure.compared(measure.each(before), measure.each(after)) for measure in measures]
    q_values = false_discovery([change.p for change in changes])
    found = {
        measure.name: Difference(
            change.before, change.after, change.difference, change.interval, change.p, q, q <= FALSE_DISCOVERIES
        )
        for measure, change, q in zip(measures, changes, q_values, strict=True)
    }
    return Comparison(one.runs, one.seed, _compared(one), _compared(other), found)


def _compared(batch: Simulation) -> Compared:
    players = str(batch.policies.dungeon), str(batch.policies.visitor)
    return Compared(batch.packed.name, *players, batch.packed.digest, batch.result_hash)
