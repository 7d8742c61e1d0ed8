"""Courting and its end: are Offers accepted, is a side that has trust left in peace, does a betrayer strike as hard as
it can [Bond 3.5, 8]?"""

from __future__ import annotations

from typing import Final

from cartomancer.lab.columns import SIDES
from cartomancer.lab.measures.estimates import Array, Counts
from cartomancer.lab.measures.measure import Evidence, RateMeasure, RatioMeasure, family_of, of_sides

OFFERS_ACCEPTED: Final = of_sides("offers_accepted", "agreed", "asked", evidence=Evidence.SURVEY)


def _strikes_in_trust(side: str) -> RateMeasure:
    column = f"trusted_strikes_{side}"

    def strikes(counts: Counts) -> Array:
        return counts[column] > 0

    return RateMeasure(f"strikes_in_trust.{side}", (column,), strikes, evidence=Evidence.SURVEY)


STRIKES_SPARED: Final = RatioMeasure(
    "strikes_spared",
    ("turns_spared", "turns_betrayed"),
    ("turns_spared",),
    ("turns_betrayed",),
    evidence=Evidence.SURVEY,
)
FAMILIES: Final = (
    family_of(
        "of the Offers put to the side (Covenants are none), those it accepts, asked or bound",
        *OFFERS_ACCEPTED,
    ),
    family_of("runs in which the side strikes while there is trust", *map(_strikes_in_trust, SIDES)),
    family_of(
        "of the dungeon's turns after it has betrayed, those that end with a Strike in hand that it could have played",
        STRIKES_SPARED,
    ),
)
