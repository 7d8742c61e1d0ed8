"""How many compositions of a matchup matrix break a rule of the ecosystem [GDD 18.5]: measures of a matrix, not of a
batch; `lab fidelity` plays the matrix and counts."""

from __future__ import annotations

from typing import Final

from cartomancer.lab.measures.measure import COUNT, Family

RULES: Final = {  # by name: which judgement of a composition is meant, and when it counts
    "dominating": ("dominates", "broken"),
    "without_favourable": ("favourable", "none"),
    "without_unfavourable": ("unfavourable", "none"),
}
COUNTS: Final = tuple(f"{side}.{rule}" for side in ("dungeon", "party") for rule in RULES)
FAMILIES: Final = (
    Family(
        ", ".join(f"SIDE.{rule}" for rule in RULES),
        "compositions of that side, dungeon or party, that are so",
        lambda context: [],
        "a matrix",
        unit=COUNT,
        names=COUNTS,
    ),
)
