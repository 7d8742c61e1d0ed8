"""Outcome diversity: how many ways to end really happen? [GDD 18.2.3]"""

from __future__ import annotations

import math
from typing import Final

from cartomancer.content.models.quality import Span
from cartomancer.intervals import rate
from cartomancer.lab.measures.estimates import Facts, entropy, outcome_counts, scaled
from cartomancer.lab.measures.run_table import Counts
from cartomancer.lab.measures.verdicts import HEALTHY, HIGH, LOW, judged

NAMES: Final = {LOW: "concentrated", HIGH: "no identity"}
READINGS: Final = {
    "concentrated": "nearly all runs end the same way",
    LOW: "few ways to end really happen",
    HEALTHY: "several ways to end happen, and some are more at home here than others",
    HIGH: "outcomes are spread wide",
    "no identity": "all ways to end are so alike in number that none is this matchup's own",
}


def outcome_diversity(counts: Counts, span: Span) -> Facts:
    """The Shannon entropy of the outcomes, in bits and as a share of the most there can be, log2 8."""
    hits = outcome_counts(counts)
    total, most = sum(hits.values()), math.log2(len(hits))
    bits, interval = entropy(list(hits.values()))
    found = judged(*scaled((bits, interval), 1 / most), total, span, NAMES)
    found |= {
        "bits": bits,
        "bits_interval": interval,
        "outcomes": {name: rate(count, total) for name, count in hits.items()},
    }
    commonest = max(hits, key=lambda name: hits[name])
    share = f"; commonest: {commonest.capitalize()}, {100 * hits[commonest] / total:.0f} %"
    found["reading"] = READINGS[found["severe"] or found["verdict"]] + share
    return found
