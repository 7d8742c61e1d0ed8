"""How long runs are: rounds, and decisions of both sides."""

from __future__ import annotations

from typing import Final

from cartomancer.lab.measures.measure import MeanMeasure, Unit, family_of

ROUNDS: Final = MeanMeasure("rounds", ("rounds",), lambda counts: counts["rounds"], unit=Unit("number", 1.0))
DECISIONS: Final = MeanMeasure(
    "decisions", ("decisions",), lambda counts: counts["decisions"], unit=Unit("number", 5.0)
)
FAMILIES: Final = (family_of("rounds a run", ROUNDS), family_of("decisions a run (E18)", DECISIONS))
