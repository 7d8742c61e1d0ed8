"""What takes points: of all that a side loses, and of the last point of those depleted [GDD 5.4, 10.2].

Every cause belongs to one group. What a card's hit sets off, a splash or venom, is the card's doing; what else a
modifier does is not. What morale loses with a member that falls is the doing of whatever knocked it out (L26).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from cartomancer.encounters.kernel.causes import Cause
from cartomancer.lab.measures.measure import Evidence, RatioMeasure, family_of, of_sides

CARDS: Final = (
    *(Cause.PLAY, Cause.ACTIVATION, Cause.STRIKE, Cause.CLEAVE, Cause.REVERSAL, Cause.DRAIN, Cause.OVERWHELM),
    *(Cause.RALLY, Cause.TRAP, Cause.REACT, Cause.REFLECT, Cause.COUNTER, Cause.EMPOWER, Cause.DISRUPT, Cause.RESHAPE),
    *(Cause.RESTORATION, Cause.ENERGY, Cause.ERODE, Cause.THORNS, Cause.OFFER, Cause.FLAT_COST, Cause.BINDING_COST),
    *(Cause.EXPOSURE_COST, Cause.EXTRACTION_COST, Cause.DEPENDENCY_COST, Cause.REFUSAL, Cause.COVENANT, Cause.TEST),
    *(Cause.DEFECTION, Cause.RESTRAINT, Cause.BETRAYAL, Cause.SCORN, Cause.SPLASH, Cause.POISON),
)
OTHER: Final = (
    *(Cause.NOTHING, Cause.BOND, Cause.CASCADE, Cause.KNOCK_OUT, Cause.DEAL, Cause.MULLIGAN, Cause.ROUND, Cause.TURN),
    *(Cause.PASSAGE, Cause.MODIFIER, Cause.REGENERATION, Cause.REINFORCEMENTS, Cause.OPENING_STRIKE),
    *(Cause.COUNTERSTRIKE, Cause.RESCUE, Cause.COMPOSURE),
)
GROUPS: Final[Mapping[str, tuple[Cause, ...]]] = {
    "cards": CARDS,
    "room": (Cause.ROOM, Cause.HAZARD),
    "escalation": (Cause.ESCALATION,),
    "own_costs": (Cause.SELF_COST,),
    "other": OTHER,
}
GROUP_OF: Final = np.zeros(len(Cause), np.int64)  # of a cause, the place of its group
for _place, _causes in enumerate(GROUPS.values()):
    GROUP_OF[list(_causes)] = _place


def _by_group(name: str, part: str, whole: str) -> list[RatioMeasure]:
    found = (of_sides(f"{name}_{group}", f"{part}_{group}", whole, evidence=Evidence.SURVEY) for group in GROUPS)
    return [measure for measures in found for measure in measures]


FAMILIES: Final = (
    family_of(
        "of the points that the side loses, those that the group of causes takes: "
        "`cards`, `room`, `escalation`, `own_costs`, `other`; a cascade of morale counts to what set it off (L26)",
        *_by_group("loss_by", "lost_to", "lost"),
        pattern="loss_by_GROUP, loss_by_GROUP.SIDE",
    ),
    family_of(
        "of the runs in which the side is depleted, those whose last point the group takes",
        *_by_group("last_point_by", "last_point_to", "depleted"),
        pattern="last_point_by_GROUP, last_point_by_GROUP.SIDE",
    ),
)
