"""Closeness: how near was the loser to losing in another way? [GDD 18.2.2]"""

from __future__ import annotations

from typing import Final

import numpy as np

from cartomancer.content.models.quality import Span
from cartomancer.intervals import rate
from cartomancer.lab.columns import DEPLETED, LOSERS, NOTHING
from cartomancer.lab.measures.estimates import Facts, mean, tally
from cartomancer.lab.measures.run_table import Counts, RunTable
from cartomancer.lab.measures.verdicts import HEALTHY, HIGH, LOW, judged

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


def ending_counts(table: RunTable) -> Counts:
    """What closeness is computed from."""
    return table.counts("outcome", "nearest", "closeness")


def closeness_at_resolution(counts: Counts, span: Span) -> Facts:
    """Percent left of the loser's nearest resource that was not depleted: mean, distribution in tens, and which
    outcome its depletion would have been. A Bond has no loser and is left out; so is the rare run whose loser had
    nothing left at all."""
    runs, loser = counts["runs"], LOSERS[counts["outcome"]]
    bonds = int(runs[loser == NOTHING].sum())
    known = counts["closeness"] != NOTHING
    left, nearest, runs, loser = counts["closeness"][known], counts["nearest"][known], runs[known], loser[known]
    total = int(runs.sum())
    value, interval = mean(left, runs) if total else (None, None)
    found = judged(value, interval, total, span, NAMES)
    tens = tally(np.minimum(left // TENS, TENS - 1), runs, TENS)
    alternatives = {
        outcome: rate(int(runs[(loser == side) & (nearest == place)].sum()), total)
        for side, outcomes in sorted(DEPLETED.items(), reverse=True)
        for place, outcome in enumerate(outcomes)
    }
    commonest = max(alternatives, key=lambda name: alternatives[name]["rate"]) if total else None
    found |= {
        "runs": total,
        "bonds_left_out": bonds,
        "nothing_left": int(counts["runs"].sum()) - bonds - total,
        "distribution": {_ten(k): rate(hits, total) for k, hits in enumerate(tens)},
        "alternatives": alternatives,
        "nearest_alternative": commonest,
    }
    without = f" ({bonds:,} Bonds left out)" if bonds else ""
    nearby = f"; nearest alternative: {commonest.capitalize()}" if commonest else ""
    found["reading"] = READINGS[found["severe"] or found["verdict"]] + nearby + without
    return found


def _ten(k: int) -> str:
    """The percents of the k-th ten; the last one is open."""
    return f"{TENS * k}+" if k == TENS - 1 else f"{TENS * k}–{TENS * k + TENS - 1}"
