"""Whether a value is healthy, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cartomancer.content.models.quality import Span

HEALTHY: Final = "healthy"
LOW: Final = "low"
HIGH: Final = "high"

Facts = dict[str, Any]
FEWEST: Final = 30  # runs; of fewer, normal intervals say too little, and equal values have none at all
Names = Mapping[str, str]  # what is wrong beyond a severe bound, by "low" and "high"


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


def judged(value: float | None, interval: list[float] | None, runs: int, span: Span, names: Names) -> Facts:
    """A value of so many runs with its healthy range, the severe bounds by their names, its verdict, and whether that
    is certain: both ends of its interval are judged alike, and the runs are not too few to say. Without a value there
    is no verdict."""
    bounds = {LOW: span.severe_below, HIGH: span.severe_above}
    found: Facts = {
        "value": value,
        "interval": interval,
        "healthy": list(span.healthy),
        "severe_bounds": {name: bounds[end] for end, name in names.items() if bounds[end] is not None},
        "verdict": None,
        "severe": None,
        "certain": False,
    }
    if value is not None and interval is not None:
        found["verdict"] = verdict_of(value, span)
        found["severe"] = severity_of(value, span, names)
        ends = {(verdict_of(end, span), severity_of(end, span, names)) for end in interval}
        found["certain"] = runs >= FEWEST and len(ends) == 1
    return found
