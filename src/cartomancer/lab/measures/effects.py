"""What keywords bring: points that Drain gives back, Erode that really takes some [GDD 4.4, 9]."""

from __future__ import annotations

from itertools import chain
from typing import Final

from cartomancer.encounters import names
from cartomancer.lab.measures.estimates import Array, Counts
from cartomancer.lab.measures.measure import Evidence, MeanMeasure, Unit, family_of, of_sides


def drained_column(resource: str) -> str:
    """The column of the points of a resource that Drain gave back."""
    return f"drained_{resource}"


def _drained(resource: str) -> MeanMeasure:
    column = drained_column(resource)

    def each(counts: Counts) -> Array:
        return counts[column]

    unit = Unit("number", 0.5)
    return MeanMeasure(f"drained.{resource}", (column,), each, unit=unit, evidence=Evidence.SURVEY)


ERODE_ACTS: Final = of_sides("erode_acts", "erode_acted", "erode_laid", evidence=Evidence.SURVEY)
FAMILIES: Final = (
    family_of(
        "points that Drain gives back a run",
        *map(_drained, chain.from_iterable(names.RESOURCES)),
        pattern="drained.RESOURCE",
    ),
    family_of(
        "of the Erode that the side lays, what takes its point: no room was faster, nothing shook it off", *ERODE_ACTS
    ),
)
