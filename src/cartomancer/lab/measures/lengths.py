"""How long runs are: rounds, and decisions of both sides."""

from __future__ import annotations

from typing import Final

from cartomancer.lab.measures.measure import MeanMeasure, Unit, family_of

ROUNDS: Final = MeanMeasure("rounds", ("rounds",), Unit("number", 1.0), lambda counts: counts["rounds"])
DECISIONS: Final = MeanMeasure("decisions", ("decisions",), Unit("number", 5.0), lambda counts: counts["decisions"])
FAMILIES: Final = (family_of(ROUNDS, "rounds a run"), family_of(DECISIONS, "decisions a run (E18)"))
