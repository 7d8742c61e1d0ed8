"""Trust: which tiers it reaches, and what betraying it brings [Bond 7]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from cartomancer.lab.columns import NOTHING
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Array, Counts
from cartomancer.lab.measures.measure import PERCENT, Family, Measure, RateMeasure, family_of

SOON: Final = 2  # rounds within which a betrayal decides, if it does

BETRAYAL: Final = RateMeasure("betrayal", ("betrayals",), PERCENT, hits=lambda counts: counts["betrayals"] > 0)


def _decided(counts: Counts) -> Array:
    """Lost by the visitor soon after the first betrayal."""
    soon = counts["rounds"].astype(np.int64) - counts["betrayed_at"] <= SOON
    return np.asarray(soon & (counts["loser"] == 1))


BETRAYAL_DECIDES: Final = RateMeasure(
    "betrayal_decides",
    ("rounds", "betrayed_at", "loser"),
    PERCENT,
    hits=_decided,
    among=lambda counts: counts["betrayed_at"] != NOTHING,
)


def _tiers(context: ScenarioContext) -> Iterator[Measure]:
    for tier, points in enumerate(context.tiers, 1):
        yield RateMeasure(
            f"tier.{tier}",
            ("trust_peak",),
            PERCENT,
            hits=lambda counts, points=points: counts["trust_peak"] >= 2 * points,  # type: ignore[misc]
        )


FAMILIES: Final = (
    family_of(BETRAYAL, "runs with a betrayal"),
    family_of(BETRAYAL_DECIDES, "of the runs with a betrayal, those the dungeon wins within two rounds of it (L23)"),
    Family("tier.1, tier.2, tier.3", "runs in which trust reached that tier", PERCENT, _tiers),
)
