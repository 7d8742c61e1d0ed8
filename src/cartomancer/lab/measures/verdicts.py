"""Whether a value is healthy, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from cartomancer.content.models.quality import Span
from cartomancer.lab.measures.estimates import Estimate
from cartomancer.lab.results import Result

HEALTHY: Final = "healthy"
LOW: Final = "low"
HIGH: Final = "high"

FEWEST: Final = 30  # runs; of fewer, intervals say too little, and equal values have none at all
Names = Mapping[str, str]  # what is wrong beyond a severe bound, by "low" and "high"


@dataclass(frozen=True)
class Judgement(Result):
    """A value with its healthy range, the severe bounds by their names, and its verdict, if there is a value."""

    value: float | None
    interval: list[float] | None
    healthy: tuple[float, float]
    severe_bounds: Mapping[str, float]
    verdict: str | None = None
    severe: str | None = None
    certain: bool = False  # both ends of the interval are judged alike, and the runs are not too few to say

    @property
    def estimate(self) -> Estimate:
        """The value with its interval."""
        return Estimate(self.value, *(self.interval or (None, None)))


@dataclass(frozen=True)
class Metric(Judgement):
    """A quality metric, and what its verdict says in words."""

    reading: str = ""


def verdict_of(value: float, span: Span) -> str:
    """Whether a value is healthy, low or high; the ends of the range are healthy."""
    low, high = span.healthy
    return LOW if value < low else HIGH if value > high else HEALTHY


def severity_of(value: float, span: Span, names: Names) -> str | None:
    """What is wrong with a value beyond a severe bound."""
    if span.severe_below is not None and value < span.severe_below:
        return names.get(LOW)
    if span.severe_above is not None and value > span.severe_above:
        return names.get(HIGH)
    return None


def judged(estimate: Estimate, runs: int, span: Span, names: Names) -> Judgement:
    """The judgement of an estimate of a quantity that is never negative, from so many runs."""
    bounds = {LOW: span.severe_below, HIGH: span.severe_above}
    severe_bounds = {name: bound for end, name in names.items() if (bound := bounds[end]) is not None}
    value, interval = estimate.value, estimate.not_below_zero().interval
    found = Judgement(value, interval, span.healthy, severe_bounds)
    if value is None:
        return found
    ends = {(verdict_of(end, span), severity_of(end, span, names)) for end in interval or ()}
    verdict, severe = verdict_of(value, span), severity_of(value, span, names)
    return replace(found, verdict=verdict, severe=severe, certain=runs >= FEWEST and len(ends) == 1)
