"""What a measure is: a quantity of a batch with its name, its unit, what it reads and how it is estimated.

Rates, means, spreads and ratios are the four kinds. Of a rate or a mean that every run has a part in, two batches of
the same seeds can be compared run by run. A measure says what it is read off: the runs of a batch as they are kept, or
evidence that takes longer to gather.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np

from cartomancer.intervals import Rate
from cartomancer.lab.columns import SIDES
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Array, Counts, Estimate, evenness, mean, percent, ratio, share, tally
from cartomancer.lab.measures.evidence import Change, paired_mean, paired_rate


@dataclass(frozen=True)
class Unit:
    """In what a quantity is told, how far off one unit of distance is, and the most and the least it can be."""

    name: str
    step: float
    most: float = math.inf
    least: float = 0.0


PERCENT: Final = Unit("percent", 5.0, 100.0)
SPREAD: Final = Unit("number", 0.1, 1.0)
COUNT: Final = Unit("count", 1.0)
LEAD: Final = Unit("number", 2.0, 100.0, -100.0)  # points of a share or of a worth by which one is before another


class Evidence(StrEnum):
    """What a measure is read off."""

    RUNS = "runs"  # how they ended
    SURVEY = "survey"  # what was counted while they went on
    DECISIONS = "decisions"  # one of each run, its options played to their ends
    PANEL = "panel"  # the same seeds played by the heuristic and by simple players, in either seat
    PROFILES = "profiles"  # … by each profile of the side
    THINKING = "thinking"  # … by the heuristic, the smart player and the exploiter


LONG: Final = frozenset({Evidence.DECISIONS, Evidence.THINKING})  # what takes minutes to gather


@dataclass(frozen=True)
class Measure(ABC):
    """A quantity of a batch of runs."""

    name: str
    columns: tuple[str, ...]  # of its evidence, which it reads
    unit: Unit = field(default=PERCENT, kw_only=True)
    evidence: Evidence = field(default=Evidence.RUNS, kw_only=True)

    @abstractmethod
    def estimate(self, counts: Counts) -> Estimate:
        """The value in a batch, with its interval."""


@dataclass(frozen=True)
class RunMeasure(Measure):
    """A quantity that a run has by itself. Where every run has it, two batches can be compared run by run."""

    each: Callable[[Counts], Array]  # the value of every run
    among: Callable[[Counts], Array] | None = None  # which runs have it, if not all

    def parts(self, counts: Counts) -> tuple[Array, Array]:
        """The values of the runs that have it, and how often each occurred."""
        values, runs = self.each(counts), counts["runs"]
        if self.among is None:
            return values, runs
        among = self.among(counts)
        return values[among], runs[among]

    def compared(self, before: Array, after: Array) -> Change:
        """The values of two batches of the same seeds, run by run."""
        return paired_mean(before, after)


@dataclass(frozen=True)
class RateMeasure(RunMeasure):
    """The percentage of some runs, all of them unless it is said which, that are so."""

    def rate(self, counts: Counts) -> Rate:
        """So many of so many."""
        hits, runs = self.parts(counts)
        return Rate(int(runs[hits].sum()), int(runs.sum()))

    def estimate(self, counts: Counts) -> Estimate:
        return percent(self.rate(counts))

    def compared(self, before: Array, after: Array) -> Change:
        return paired_rate(before, after)


@dataclass(frozen=True)
class MeanMeasure(RunMeasure):
    """The mean of a number over the runs that have it."""

    scale: float = 1.0

    def estimate(self, counts: Counts) -> Estimate:
        return mean(*self.parts(counts)).times(self.scale)


@dataclass(frozen=True)
class SpreadMeasure(Measure):
    """How evenly runs are spread over so many kinds: their entropy as a share of the most there can be."""

    kinds: int
    codes: Callable[[Counts], Array]  # from 0; what is below counts for nothing
    unit: Unit = field(default=SPREAD, kw_only=True)

    def estimate(self, counts: Counts) -> Estimate:
        codes = self.codes(counts)
        known = codes >= 0
        return evenness(tally(codes[known], counts["runs"][known], self.kinds))


@dataclass(frozen=True)
class RatioMeasure(Measure):
    """So much of one thing for each of another, all runs together: a share where it is a percentage."""

    part: tuple[str, ...]  # columns that are added
    whole: tuple[str, ...]
    scale: float = 1.0

    def estimate(self, counts: Counts) -> Estimate:
        part, whole = (sum(counts[column] for column in columns) for columns in (self.part, self.whole))
        if self.unit == PERCENT:
            return share(np.asarray(part), np.asarray(whole), counts["runs"])
        return ratio(np.asarray(part), np.asarray(whole), counts["runs"]).times(self.scale)


def of_sides(
    name: str, part: str, whole: str, *, evidence: Evidence, unit: Unit = PERCENT, scale: float = 1.0
) -> tuple[RatioMeasure, ...]:
    """A ratio of columns that there are of both sides: of them together, and under `NAME.SIDE` of each."""
    found = []
    for called, sides in ((name, SIDES), *((f"{name}.{side}", (side,)) for side in SIDES)):
        parts, wholes = (tuple(f"{column}_{side}" for side in sides) for column in (part, whole))
        measure = RatioMeasure(called, (*parts, *wholes), parts, wholes, scale, unit=unit, evidence=evidence)
        found.append(measure)
    return tuple(found)


@dataclass(frozen=True)
class Family:
    """Measures that are declared together: one, or one for every room, member, tier … that a scenario has."""

    pattern: str  # how they are named; words in capitals stand for something of the scenario
    title: str
    of: Callable[[ScenarioContext], Iterable[Measure]]  # those a scenario has
    applies: str = ""  # to which scenarios; to all without it
    unit: Unit = PERCENT
    names: Sequence[str] = ()  # where they do not depend on the scenario …
    head: str = ""  # … and the word they all begin with, where they do and are not read off the runs
    healthy: str = ""  # the field of the content's quality tuning that says from where to where all is well
    evidence: Evidence = Evidence.RUNS


def family_of(title: str, *measures: Measure, pattern: str = "", healthy: str = "") -> Family:
    """The family of measures that every scenario has."""
    names = [measure.name for measure in measures]
    how, one = pattern or ", ".join(names), measures[0]
    return Family(
        how, title, lambda context: measures, unit=one.unit, names=names, healthy=healthy, evidence=one.evidence
    )
