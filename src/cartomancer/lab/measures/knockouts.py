"""Knock-out patterns: is it always the same member that falls first? Parties only [GDD 18.2.4]."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from cartomancer.content.models.quality import KnockoutSpan
from cartomancer.intervals import rate
from cartomancer.lab.measures.estimates import Array, Facts, entropy, scaled, tally
from cartomancer.lab.measures.run_table import Counts, RunTable
from cartomancer.lab.measures.verdicts import HEALTHY, HIGH, LOW, judged

DETERMINISTIC: Final = "deterministic"
COMMONEST: Final = 5  # orders that are named
READINGS: Final = {
    DETERMINISTIC: "one member is nearly always the first to fall",
    LOW: "the first to fall is too often the same",
    HEALTHY: "there are favourite victims, but no foregone one",
    HIGH: "who falls first is nearly even: the dungeon shows no preference",
    None: "nobody was knocked out",
}


def fall_counts(table: RunTable) -> Counts:
    """What knock-out patterns are computed from."""
    return table.counts("first_down", "fallen")


def knockout_patterns(counts: Counts, seats: tuple[str, ...], span: KnockoutSpan) -> Facts:
    """Who falls first, and in which order members fall, among the runs in which somebody fell."""
    fell = counts["fallen"] > 0
    runs, first, order = counts["runs"][fell], counts["first_down"][fell], counts["fallen"][fell]
    total, hits = int(runs.sum()), tally(first, runs, len(seats))
    value, interval = scaled(entropy(hits), 1 / math.log2(len(seats))) if total else (None, None)
    found = judged(value, interval, total, span, {})
    found["severe_bounds"] = {DETERMINISTIC: span.one_member}
    victim = max(range(len(seats)), key=lambda seat: hits[seat])
    if total and hits[victim] >= span.one_member * total:  # the entropy of the others must not hide it
        found |= {"verdict": LOW, "severe": DETERMINISTIC}
        found["certain"] = rate(hits[victim], total)["low"] >= span.one_member
    found |= {
        "runs": total,
        "with_knockout": rate(total, int(counts["runs"].sum())),
        "first": {name: rate(hits[seat], total) for seat, name in enumerate(seats)},
        "order": _orders(order, runs, seats),
    }
    share = f": {seats[victim]}, {100 * hits[victim] / total:.0f} %" if total else ""
    found["reading"] = READINGS[found["severe"] or found["verdict"]] + share
    return found


def _orders(order: Array, runs: Array, seats: tuple[str, ...]) -> Facts | None:
    """The complete orders in which members fell: their entropy in bits, how many there are, the commonest."""
    if not len(order):
        return None
    different, where = np.unique(order, return_inverse=True)
    hits = tally(where, runs, len(different))
    bits, interval = entropy(hits, sum(math.perm(len(seats), fallen) for fallen in range(1, len(seats) + 1)))
    ranked = sorted(range(len(different)), key=lambda k: (-hits[k], different[k]))[:COMMONEST]
    return {
        "bits": bits,
        "interval": interval,
        "different": len(different),
        "commonest": [
            {"members": [seats[int(digit) - 1] for digit in str(different[k])], **rate(hits[k], sum(hits))}
            for k in ranked
        ],
    }
