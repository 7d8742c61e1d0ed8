"""How runs and rooms end: outcomes, wins, which rooms are reached, a Bond in every room [GDD 3.4]."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from cartomancer.encounters.encounter import winner_of
from cartomancer.intervals import Z95
from cartomancer.lab.columns import OUTCOME_CODES, ROOMS, SIDES, WON_BY
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Array, Counts, Estimate, tally
from cartomancer.lab.measures.measure import LEAD, Family, Measure, RateMeasure, family_of

OUTCOMES: Final = tuple(OUTCOME_CODES)
# whose win each outcome is: what adds up to what
WINS: Final = {f"{side}_win": tuple(name for name in OUTCOMES if winner_of(name) == side) for side in SIDES}
SHARED: Final = tuple(name for name in OUTCOMES if winner_of(name) not in SIDES)  # no side's alone
ROOM_COLUMNS: Final = tuple(f"room_{k}" for k in range(1, ROOMS + 1))
ROOM_OUTCOMES: Final = tuple(f"outcome_{k}" for k in range(1, ROOMS + 1))


def outcome_counts(counts: Counts, column: str = "outcome") -> dict[str, int]:
    """How often each of the outcomes occurred."""
    found = tally(counts[column], counts["runs"], max(OUTCOME_CODES.values()) + 1)
    return {name: found[code] for name, code in OUTCOME_CODES.items()}


def _ends_in(*codes: int) -> Callable[[Counts], Array]:
    return lambda counts: np.isin(counts["outcome"], codes)


WIN_MEASURES: Final = {
    f"{side}_win": RateMeasure(f"{side}_win", ("outcome",), _ends_in(*WON_BY[side])) for side in SIDES
}
OUTCOME_MEASURES: Final = {
    name: RateMeasure(name, ("outcome",), _ends_in(code)) for name, code in OUTCOME_CODES.items()
}

# of a side's own wins, those that end so: what it wins by
WON_BY_MEASURES: Final = {
    f"won_by.{name}": RateMeasure(f"won_by.{name}", ("outcome",), _ends_in(OUTCOME_CODES[name]), among=_ends_in(*codes))
    for side, codes in WON_BY.items()
    for name in OUTCOMES
    if side in SIDES and OUTCOME_CODES[name] in codes
}


@dataclass(frozen=True)
class LeadMeasure(Measure):
    """By how many points of its share an outcome is commoner than the commonest of some others."""

    ending: str
    others: tuple[str, ...]

    def estimate(self, counts: Counts) -> Estimate:
        found, runs = outcome_counts(counts), int(counts["runs"].sum())
        if not runs:
            return Estimate(None)
        one, other = (count / runs for count in (found[self.ending], max(found[name] for name in self.others)))
        half = Z95 * math.sqrt((one + other - (one - other) ** 2) / runs)  # of two shares of one whole
        return Estimate(*(100 * value for value in (one - other, one - other - half, one - other + half)))


LEADS: Final = {
    "kill": tuple(name for name in OUTCOMES if name not in {"kill", "bond"}),
    "bond": WINS["dungeon_win"],
}
LEAD_MEASURES: Final = tuple(
    LeadMeasure(f"leads.{name}", ("outcome",), name, others, unit=LEAD) for name, others in LEADS.items()
)


# --- rooms ------------------------------------------------------------------------------------------------------------


def _entered(room: int, counts: Counts) -> Array:
    """Which runs entered a room."""
    return np.asarray(np.any([counts[at] == room for at in ROOM_COLUMNS], axis=0))


def _ended(room: int, code: int, counts: Counts) -> Array:
    """In which runs a room ended so; nobody enters one twice."""
    places = zip(ROOM_COLUMNS, ROOM_OUTCOMES, strict=True)
    return np.asarray(np.any([(counts[at] == room) & (counts[ended] == code) for at, ended in places], axis=0))


def _room_outcomes(context: ScenarioContext) -> Iterator[Measure]:
    for place, room in enumerate(context.rooms):
        for name, code in OUTCOME_CODES.items():
            ended, entered = partial(_ended, place, code), partial(_entered, place)
            yield RateMeasure(f"{room}.{name}", (*ROOM_COLUMNS, *ROOM_OUTCOMES), ended, among=entered)


def _reached(context: ScenarioContext) -> Iterator[Measure]:
    for place, room in enumerate(context.rooms[1:], 1):
        yield RateMeasure(f"reached.{room}", ROOM_COLUMNS, partial(_entered, place))


def _full_bond(context: ScenarioContext) -> Iterator[Measure]:
    columns = tuple(f"outcome_{place}" for place in context.places)
    bond = OUTCOME_CODES["bond"]
    yield RateMeasure(
        "full_bond", columns, lambda counts: np.all([counts[column] == bond for column in columns], axis=0)
    )


FAMILIES: Final = (
    family_of("runs that the side wins alone; a Bond is both sides', a retreat nobody's (E17)", *WIN_MEASURES.values()),
    family_of("runs that end so", *OUTCOME_MEASURES.values(), pattern="OUTCOME"),
    family_of("of its side's wins, those that end so", *WON_BY_MEASURES.values(), pattern="won_by.OUTCOME"),
    family_of(
        "points by which Kill is commoner than any other ending but a Bond, and a Bond than Kill, Break and Panic",
        *LEAD_MEASURES,
    ),
    Family("full_bond", "runs with a Bond in every room of the scenario (L24)", _full_bond),
    Family("ROOM.OUTCOME", "of the runs that reached the room, those in which it ended so", _room_outcomes),
    Family("reached.ROOM", "runs that reached the room", _reached, "several rooms"),
)
