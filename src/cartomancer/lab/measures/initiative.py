"""What acting first is worth: the mean worth of the runs in which a side acts first, less that of the others.

Initiative is rolled, so both kinds of runs are alike but for it. Of a run with several rooms, its first room counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cartomancer.lab.columns import SIDES
from cartomancer.lab.measures.estimates import Counts, Estimate, difference, mean
from cartomancer.lab.measures.measure import LEAD, Evidence, Measure, family_of


def worth_column(side: str) -> str:
    """The column of what a run is worth to a side, in thousandths of its best ending."""
    return f"worth_{side}"


@dataclass(frozen=True)
class FirstMeasure(Measure):
    """By how much the runs that a side begins are worth more to it."""

    side: int

    def estimate(self, counts: Counts) -> Estimate:
        worth, first = counts[worth_column(SIDES[self.side])], counts["began"] == self.side
        means = [mean(worth[runs], counts["runs"][runs]).times(0.1) for runs in (first, ~first)]
        return difference(*means)


ACTING_FIRST: Final = tuple(
    FirstMeasure(f"acting_first.{side}", ("began", worth_column(side)), place, unit=LEAD, evidence=Evidence.SURVEY)
    for place, side in enumerate(SIDES)
)
FAMILIES: Final = (
    family_of(
        "points (hundredths of its best ending) that a run is worth more to the side that acts first in its first room",
        *ACTING_FIRST,
        pattern="acting_first.SIDE",
    ),
)
