"""Knock-outs: is it always the same member that falls first? Parties only [GDD 18.2.4].

`knockouts` is how many members fell in a run; `knockout_spread` is how evenly first falls are spread over the party.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from cartomancer.content.models.quality import KnockoutSpan
from cartomancer.intervals import Rate
from cartomancer.lab.columns import NOTHING
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Array, Counts, entropy, tally
from cartomancer.lab.measures.measure import SPREAD, Family, Measure, RateMeasure, SpreadMeasure
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.lab.measures.verdicts import HEALTHY, HIGH, LOW, Metric, judged
from cartomancer.lab.results import IN_PLACE

DETERMINISTIC: Final = "deterministic"
COMMONEST: Final = 5  # orders that are named
READINGS: Final = {
    DETERMINISTIC: "one member is nearly always the first to fall",
    LOW: "the first to fall is too often the same",
    HEALTHY: "there are favourite victims, but no foregone one",
    HIGH: "who falls first is nearly even: the dungeon shows no preference",
    None: "nobody was knocked out",
}


def knockout_spread(members: int) -> SpreadMeasure:
    """The measure for a party of so many."""
    return SpreadMeasure("knockout_spread", ("first_down",), members, lambda counts: counts["first_down"])


def _first_down_of(context: ScenarioContext) -> Iterator[Measure]:
    for member in dict.fromkeys(context.members) if len(context.members) > 1 else ():
        seats = [seat for seat, name in enumerate(context.members) if name == member]
        yield RateMeasure(
            f"first_down.{member}",
            ("first_down",),
            lambda counts, seats=seats: np.isin(counts["first_down"], seats),  # type: ignore[misc]
            among=lambda counts: counts["first_down"] != NOTHING,
        )


FAMILIES: Final = (
    Family(
        "knockout_spread",
        "entropy of who falls first, at most 1",
        lambda context: [knockout_spread(len(context.members))] if len(context.members) > 1 else [],
        "parties",
        unit=SPREAD,
        names=["knockout_spread"],
        healthy="knockout_spread",
    ),
    Family(
        "first_down.CLASS",
        "of the runs with a knock-out, those in which that class fell first",
        _first_down_of,
        "parties",
    ),
)


@dataclass(frozen=True)
class FallOrder:
    """An order in which members fell, and how often they did."""

    members: tuple[str, ...]
    rate: Rate = field(metadata=IN_PLACE)


@dataclass(frozen=True)
class FallOrders:
    """The complete orders in which members fell: their entropy in bits, how many there are, the commonest."""

    bits: float | None
    interval: list[float] | None
    different: int
    commonest: tuple[FallOrder, ...]


@dataclass(frozen=True)
class KnockoutPatterns(Metric):
    """Who falls first, and in which order members fall, among the runs in which somebody fell."""

    runs: int = 0
    with_knockout: Rate | None = None
    first: Mapping[str, Rate] | None = None
    order: FallOrders | None = None


def fall_counts(table: RunTable) -> Counts:
    """What knock-out patterns are computed from."""
    return table.counts("first_down", "fallen")


def knockout_patterns(counts: Counts, seats: tuple[str, ...], span: KnockoutSpan) -> KnockoutPatterns:
    """First falls and orders with their verdict."""
    fell = counts["fallen"] > 0
    runs, first, order = counts["runs"][fell], counts["first_down"][fell], counts["fallen"][fell]
    total, hits = int(runs.sum()), tally(first, runs, len(seats))
    found = judged(knockout_spread(len(seats)).estimate({"first_down": first, "runs": runs}), total, span, {})
    found = replace(found, severe_bounds={DETERMINISTIC: span.one_member})
    victim = max(range(len(seats)), key=lambda seat: hits[seat])
    if total and hits[victim] >= span.one_member * total:  # the entropy of the others must not hide it
        certain = Rate(hits[victim], total).interval[0] >= span.one_member
        found = replace(found, verdict=LOW, severe=DETERMINISTIC, certain=certain)
    share = f": {seats[victim]}, {100 * hits[victim] / total:.0f} %" if total else ""
    return KnockoutPatterns(
        **vars(found),
        runs=total,
        with_knockout=Rate(total, int(counts["runs"].sum())),
        first={name: Rate(hits[seat], total) for seat, name in enumerate(seats)},
        order=_orders(order, runs, seats),
        reading=READINGS[found.severe or found.verdict] + share,
    )


def _orders(order: Array, runs: Array, seats: tuple[str, ...]) -> FallOrders | None:
    if not len(order):
        return None
    different, where = np.unique(order, return_inverse=True)
    hits = tally(where, runs, len(different))
    bits = entropy(hits, sum(math.perm(len(seats), fallen) for fallen in range(1, len(seats) + 1)))
    ranked = sorted(range(len(different)), key=lambda k: (-hits[k], different[k]))[:COMMONEST]
    commonest = (
        FallOrder(tuple(seats[int(digit) - 1] for digit in str(different[k])), Rate(hits[k], sum(hits))) for k in ranked
    )
    return FallOrders(bits.value, bits.interval, len(different), tuple(commonest))
