"""Trust: which tiers it reaches, and what betraying it brings [Bond 7]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from cartomancer.lab.columns import NOTHING, OUTCOME_CODES
from cartomancer.lab.measures.context import ScenarioContext
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
AFTER_BOND: Final = RateMeasure(
    "betrayal_after_bond",
    ("betrayals", "outcome_1"),
    lambda counts: counts["betrayals"] > 0,
    among=lambda counts: counts["outcome_1"] == OUTCOME_CODES["bond"],
)


def _when_ripe(context: ScenarioContext) -> Iterator[Measure]:
    """A dungeon that means to betray, and the trust that it waits for."""
    if context.betrays_at:
        yield RateMeasure(
            "betrayal_when_ripe",
            ("betrayals", "trust_peak"),
            lambda counts: counts["betrayals"] > 0,
            among=lambda counts: counts["trust_peak"] >= 2 * context.betrays_at,
        )


FAMILIES: Final = (
    family_of("runs with a betrayal", BETRAYAL),
    family_of("of the runs with a betrayal, those the dungeon wins within two rounds of it (L23)", BETRAYAL_DECIDES),
    family_of("of the runs that bond in their first room, those with a betrayal", AFTER_BOND),
    Family(
        "betrayal_when_ripe",
        "of the runs in which trust reaches what the dungeon betrays at, those with a betrayal",
        _when_ripe,
        "a dungeon that means to betray",
    ),
    Family(
        "tier.1, tier.2, tier.3",
        "runs in which trust reached that tier",
        lambda context: (_tier(tier, points) for tier, points in enumerate(context.tiers, 1)),
    ),
)
