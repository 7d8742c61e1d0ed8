"""What is at stake in decisions: does it matter what is chosen, and is it chosen well? Of studied decisions, those with
more than one option; worths are of tuning/endings.toml, in points of the best ending."""

from __future__ import annotations

from typing import Final

from cartomancer.lab.measures.measure import Evidence, Unit, family_of, of_sides

CLEAR_LEAD: Final = 30  # thousandths: a best option that leads by more makes a decision sharp
NOTHING_AT_STAKE: Final = 10  # thousandths between best and worst: below it nothing matters any more

DECISION_SPREAD: Final = of_sides("decision_spread", "sharp", "decisions", evidence=Evidence.DECISIONS)
DECIDED_EARLY: Final = of_sides("decided_early", "settled", "decisions", evidence=Evidence.DECISIONS)
REGRET: Final = of_sides(
    "regret", "regret", "decisions", evidence=Evidence.DECISIONS, unit=Unit("number", 1.0), scale=0.1
)
FAMILIES: Final = (
    family_of("decisions whose best option leads the second by more than 3 points", *DECISION_SPREAD),
    family_of("decisions in which nothing matters any more: less than a point from best to worst", *DECIDED_EARLY),
    family_of("points that the player's choice is worth less than the best, on average", *REGRET),
)
