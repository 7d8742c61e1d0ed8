"""Outcome diversity: how many ways to end really happen? [GDD 18.2.3]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from cartomancer.content.models.quality import Span
from cartomancer.intervals import Rate
from cartomancer.lab.columns import OUTCOME_CODES
from cartomancer.lab.measures.estimates import Counts, entropy
from cartomancer.lab.measures.measure import SpreadMeasure, family_of
from cartomancer.lab.measures.outcomes import outcome_counts
from cartomancer.lab.measures.verdicts import HEALTHY, HIGH, LOW, Metric, judged

WAYS: Final = OUTCOME_CODES["survive"]  # a visitor that fled has survived [GDD 3.4, 17.5]
DIVERSITY: Final = SpreadMeasure(
    "diversity", ("outcome",), WAYS, lambda counts: np.minimum(counts["outcome"], WAYS) - 1
)
FAMILIES: Final = (family_of("entropy of the outcomes, at most 1", DIVERSITY, healthy="diversity"),)
NAMES: Final = {LOW: "concentrated", HIGH: "no identity"}
READINGS: Final = {
    "concentrated": "nearly all runs end the same way",
    LOW: "few ways to end really happen",
    HEALTHY: "several ways to end happen, and some are more at home here than others",
    HIGH: "outcomes are spread wide",
    "no identity": "all ways to end are so alike in number that none is this matchup's own",
}


@dataclass(frozen=True)
class Diversity(Metric):
    """The Shannon entropy of the outcomes, in bits and as a share of the most there can be, log2 8."""

    bits: float | None = None
    bits_interval: list[float] | None = None
    outcomes: Mapping[str, Rate] | None = None


def outcome_diversity(counts: Counts, span: Span) -> Diversity:
    """Diversity with its verdict."""
    hits = outcome_counts(counts)
    ways = list(hits.values())
    total, bits = sum(ways), entropy([*ways[: WAYS - 1], sum(ways[WAYS - 1 :])])
    found = judged(DIVERSITY.estimate(counts), total, span, NAMES)
    commonest = max(hits, key=lambda name: hits[name])
    share = f"; commonest: {commonest.capitalize()}, {100 * hits[commonest] / total:.0f} %"
    return Diversity(
        **vars(found),
        bits=bits.value,
        bits_interval=bits.interval,
        outcomes={name: Rate(count, total) for name, count in hits.items()},
        reading=READINGS[found.severe or found.verdict or ""] + share,
    )
