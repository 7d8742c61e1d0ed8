"""What a measure is: a quantity of a batch with its name, its unit, what it reads and how it is estimated.

Rates, means and spreads are the three kinds. Of a rate or a mean that every run has a part in, two batches of the same
seeds can be compared run by run.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cartomancer.intervals import Rate
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Array, Counts, Estimate, evenness, mean, percent, tally
from cartomancer.lab.measures.evidence import Change, paired_mean, paired_rate


@dataclass(frozen=True)
class Unit:
    """In what a quantity is told, how far off one unit of distance is, and the most it can be."""

    name: str
    step: float
    most: float = math.inf


PERCENT: Final = Unit("percent", 5.0, 100.0)
SPREAD: Final = Unit("number", 0.1, 1.0)
COUNT: Final = Unit("count", 1.0)


@dataclass(frozen=True)
class Measure(ABC):
    """A quantity of a batch of runs."""

    name: str
    columns: tuple[str, ...]  # of a run, which it reads
    unit: Unit

    @abstractmethod
    def estimate(self, counts: Counts) -> Estimate:
        """The value in a batch, with its interval."""


@dataclass(frozen=True)
class RunMeasure(Measure):
    """A quantity that a run has by itself."""

    @property
    @abstractmethod
    def of_every_run(self) -> bool:
        """Whether every run has a part in it: then two batches can be compared run by run."""

    @abstractmethod
    def each(self, counts: Counts) -> Array:
        """The value of every run."""

    @abstractmethod
    def compared(self, before: Array, after: Array) -> Change:
        """The values of two batches of the same seeds, run by run."""


@dataclass(frozen=True)
class RateMeasure(RunMeasure):
    """The percentage of some runs, all of them unless it is said which, that are so."""

    hits: Callable[[Counts], Array]
    among: Callable[[Counts], Array] | None = None

    def rate(self, counts: Counts) -> Rate:
        """So many of so many."""
        hits, runs = self.hits(counts), counts["runs"]
        if self.among is None:
            return Rate(int(runs[hits].sum()), int(runs.sum()))
        among = self.among(counts)
        return Rate(int(runs[hits & among].sum()), int(runs[among].sum()))

    def estimate(self, counts: Counts) -> Estimate:
        return percent(self.rate(counts))

    @property
    def of_every_run(self) -> bool:
        return self.among is None

    def each(self, counts: Counts) -> Array:
        return self.hits(counts)

    def compared(self, before: Array, after: Array) -> Change:
        return paired_rate(before, after)


@dataclass(frozen=True)
class MeanMeasure(RunMeasure):
    """The mean of a number over the runs that have it."""

    values: Callable[[Counts], Array]
    known: Callable[[Counts], Array] | None = None
    scale: float = 1.0

    def estimate(self, counts: Counts) -> Estimate:
        values, runs = self.values(counts), counts["runs"]
        if self.known is not None:
            known = self.known(counts)
            values, runs = values[known], runs[known]
        return mean(values, runs).times(self.scale) if self.scale != 1 else mean(values, runs)

    @property
    def of_every_run(self) -> bool:
        return self.known is None

    def each(self, counts: Counts) -> Array:
        return self.values(counts).astype(float)

    def compared(self, before: Array, after: Array) -> Change:
        return paired_mean(before, after)


@dataclass(frozen=True)
class SpreadMeasure(Measure):
    """How evenly runs are spread over so many kinds: their entropy as a share of the most there can be."""

    kinds: int
    codes: Callable[[Counts], Array]  # from 0; what is below counts for nothing

    def estimate(self, counts: Counts) -> Estimate:
        codes = self.codes(counts)
        known = codes >= 0
        return evenness(tally(codes[known], counts["runs"][known], self.kinds))


@dataclass(frozen=True)
class Family:
    """Measures that are declared together: one, or one for every room, member, tier … that a scenario has."""

    pattern: str  # how they are named; words in capitals stand for something of the scenario
    title: str
    unit: Unit
    of: Callable[[ScenarioContext], Iterable[Measure]]  # those a scenario has
    applies: str = ""  # to which scenarios; to all without it
    names: Sequence[str] = ()  # where they do not depend on the scenario
    healthy: str = ""  # the field of the content's quality tuning that says from where to where all is well


def family_of(measure: Measure, title: str, healthy: str = "") -> Family:
    """The family of a measure that every scenario has by itself."""
    return Family(measure.name, title, measure.unit, lambda context: [measure], names=[measure.name], healthy=healthy)
