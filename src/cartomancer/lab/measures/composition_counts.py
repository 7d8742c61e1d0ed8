"""What a matchup matrix shows of compositions [GDD 14.1, 18.5]: measures of a matrix, not of a batch; `lab fidelity`
plays the matrix and reads them off."""

from __future__ import annotations

from typing import Final

from cartomancer.lab.measures.measure import COUNT, PERCENT, Family, Unit

RULES: Final = {  # by name: which judgement of a composition is meant, and when it counts
    "dominating": ("dominates", "broken"),
    "without_favourable": ("favourable", "none"),
    "without_unfavourable": ("unfavourable", "none"),
}
OUTCLASSED, SUPPORT, DOMINATED, TRANSITIVE = "outclassed", "support", "dominated", "transitive"
SIDES: Final = ("dungeon", "party")


def _family(names: tuple[str, ...], title: str, unit: Unit) -> Family:
    """Measures of both sides of a matrix."""
    of_sides = [f"{side}.{name}" for side in SIDES for name in names]
    pattern = ", ".join(f"SIDE.{name}" for name in names)
    return Family(pattern, title, lambda context: [], "a matrix", unit=unit, names=of_sides)


FAMILIES: Final = (
    _family(tuple(RULES), "compositions of that side, dungeon or party, that are so", COUNT),
    _family(
        (OUTCLASSED,), "compositions to which another is at least equal against more than 90 % of the other side", COUNT
    ),
    _family((SUPPORT,), "compositions that well-advised players of that side would bring", COUNT),
    _family(
        (DOMINATED,),
        "compositions to which another is at least equal against all of the other side, and superior against one",
        PERCENT,
    ),
    Family(
        TRANSITIVE,
        "of the variance of a matrix, what strength alone explains",
        lambda context: [],
        "a matrix",
        names=(TRANSITIVE,),
    ),
)
COUNTS: Final = tuple(name for family in FAMILIES for name in family.names)
