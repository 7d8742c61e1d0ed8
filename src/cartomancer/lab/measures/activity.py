"""Activity: do both sides use their Strikes, and how much is done in a turn [GDD 10.8] and decided in a round
[GDD 10.1]? Counted from surveyed runs.

Reacts are played in the other side's turn: they are no cards of a turn. A Strike is drawn when it comes into the hand,
in an opening hand that is kept or later, even by the last draw of a room; held back, discarded or left in the hand it
is not played.
"""

from __future__ import annotations

from typing import Final

from cartomancer.lab.measures.measure import Evidence, Unit, family_of, of_sides

STRIKES_PER_ROUND: Final = of_sides(
    "strikes_per_round", "strikes", "rounds", evidence=Evidence.SURVEY, unit=Unit("number", 0.1)
)
STRIKES_PLAYED: Final = of_sides("strikes_played", "strikes", "strikes_drawn", evidence=Evidence.SURVEY)
CARDS_PER_TURN: Final = of_sides(
    "cards_per_turn", "cards", "turns", evidence=Evidence.SURVEY, unit=Unit("number", 0.25)
)
DECISIONS_PER_ROUND: Final = of_sides(
    "decisions_per_round", "decisions", "rounds", evidence=Evidence.SURVEY, unit=Unit("number", 0.25)
)
FAMILIES: Final = (
    family_of("Strikes that a side plays a round", *STRIKES_PER_ROUND),
    family_of("of the Strikes drawn, those that are played", *STRIKES_PLAYED),
    family_of("cards that a side plays in a turn of its own", *CARDS_PER_TURN),
    family_of("decisions of a side a round (E18) [GDD 10.1]", *DECISIONS_PER_ROUND),
)
