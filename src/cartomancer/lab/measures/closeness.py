"""Closeness: how near was the loser to losing in another way? [GDD 18.2.2]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from cartomancer.content.models.quality import Span
from cartomancer.intervals import Rate
from cartomancer.lab.columns import DEPLETED, LOSERS, NOTHING
from cartomancer.lab.measures.estimates import Array, Counts, tally
from cartomancer.lab.measures.measure import MeanMeasure, family_of
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.lab.measures.verdicts import HEALTHY, HIGH, LOW, Metric, judged


def _known(counts: Counts) -> Array:
    return np.not_equal(counts["closeness"], NOTHING)


CLOSENESS: Final = MeanMeasure("closeness", ("closeness",), lambda counts: counts["closeness"], among=_known)
FAMILIES: Final = (family_of("left of the loser's resource nearest to depletion", CLOSENESS, healthy="closeness"),)
NAMES: Final = {LOW: "knife edge", HIGH: "one condition"}
TENS: Final = 10
READINGS: Final = {
    "knife edge": "several endings are a hair's breadth away at once, which may be luck as much as skill",
    LOW: "endings are very narrow",
    HEALTHY: "the loser was within reach of another ending",
    HIGH: "endings are clear",
    "one condition": "no ending but the one that came was ever in play",
    None: "nobody lost, or nothing was left that could have been lost otherwise",
}


@dataclass(frozen=True)
class Closeness(Metric):
    """Percent left of the loser's nearest resource that was not depleted: mean, distribution in tens, and which
    outcome its depletion would have been. A Bond has no loser and is left out; so is the rare run whose loser had
    nothing left at all."""

    runs: int = 0
    bonds_left_out: int = 0
    nothing_left: int = 0
    distribution: Mapping[str, Rate] | None = None
    alternatives: Mapping[str, Rate] | None = None
    nearest_alternative: str | None = None


def ending_counts(table: RunTable) -> Counts:
    """What closeness is computed from."""
    return table.counts("outcome", "nearest", "closeness")


def closeness_at_resolution(counts: Counts, span: Span) -> Closeness:
    """Closeness with its verdict."""
    runs, loser = counts["runs"], LOSERS[counts["outcome"]]
    every, bonds = int(runs.sum()), int(runs[loser == NOTHING].sum())
    known = _known(counts)
    left, nearest, runs, loser = counts["closeness"][known], counts["nearest"][known], runs[known], loser[known]
    total = int(runs.sum())
    found = judged(CLOSENESS.estimate(counts), total, span, NAMES)
    tens = tally(np.minimum(left // TENS, TENS - 1), runs, TENS)
    alternatives = {
        outcome: Rate(int(runs[(loser == side) & (nearest == place)].sum()), total)
        for side, outcomes in sorted(DEPLETED.items(), reverse=True)
        for place, outcome in enumerate(outcomes)
    }
    commonest = max(alternatives, key=lambda name: alternatives[name].hits) if total else None
    without = f" ({bonds:,} Bonds left out)" if bonds else ""
    nearby = f"; nearest alternative: {commonest.capitalize()}" if commonest else ""
    return Closeness(
        **vars(found),
        runs=total,
        bonds_left_out=bonds,
        nothing_left=every - bonds - total,
        distribution={_ten(k): Rate(hits, total) for k, hits in enumerate(tens)},
        alternatives=alternatives,
        nearest_alternative=commonest,
        reading=READINGS[found.severe or found.verdict] + nearby + without,
    )


def _ten(k: int) -> str:
    """The percents of the k-th ten; the last one is open."""
    return f"{TENS * k}+" if k == TENS - 1 else f"{TENS * k}–{TENS * k + TENS - 1}"
