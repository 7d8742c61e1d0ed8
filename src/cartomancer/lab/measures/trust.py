"""Trust: which tiers it reaches, and what betraying it brings [Bond 7]."""

from __future__ import annotations

from typing import Final

import numpy as np

from cartomancer.lab.columns import NOTHING
from cartomancer.lab.measures.estimates import Array, Counts
from cartomancer.lab.measures.measure import Family, Measure, RateMeasure, family_of

SOON: Final = 2  # rounds within which a betrayal decides, if it does


def _decided(counts: Counts) -> Array:
    """Lost by the visitor soon after the first betrayal."""
    soon = counts["rounds"].astype(np.int64) - counts["betrayed_at"] <= SOON
    return np.asarray(soon & (counts["loser"] == 1))


def _tier(tier: int, points: int) -> Measure:
    return RateMeasure(f"tier.{tier}", ("trust_peak",), lambda counts: counts["trust_peak"] >= 2 * points)


BETRAYAL: Final = RateMeasure("betrayal", ("betrayals",), lambda counts: counts["betrayals"] > 0)
BETRAYAL_DECIDES: Final = RateMeasure(
    "betrayal_decides",
    ("rounds", "betrayed_at", "loser"),
    _decided,
    among=lambda counts: counts["betrayed_at"] != NOTHING,
)
FAMILIES: Final = (
    family_of("runs with a betrayal", BETRAYAL),
    family_of("of the runs with a betrayal, those the dungeon wins within two rounds of it (L23)", BETRAYAL_DECIDES),
    Family(
        "tier.1, tier.2, tier.3",
        "runs in which trust reached that tier",
        lambda context: (_tier(tier, points) for tier, points in enumerate(context.tiers, 1)),
    ),
)
