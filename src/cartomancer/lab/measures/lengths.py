"""How long runs are: rounds, and decisions of both sides."""

from __future__ import annotations

from typing import Final

from cartomancer.lab.measures.measure import Family, MeanMeasure, Unit

ROUNDS: Final = MeanMeasure("rounds", ("rounds",), Unit("number", 1.0), lambda counts: counts["rounds"])
DECISIONS: Final = MeanMeasure("decisions", ("decisions",), Unit("number", 5.0), lambda counts: counts["decisions"])
FAMILIES: Final = (
    Family("rounds", "rounds a run", ROUNDS.unit, lambda context: [ROUNDS], names=["rounds"]),
    Family("decisions", "decisions a run (E18)", DECISIONS.unit, lambda context: [DECISIONS], names=["decisions"]),
)
