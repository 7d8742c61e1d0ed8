"""How runs and rooms end: outcomes, wins, which rooms are reached, a Bond in every room [GDD 3.4]."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from cartomancer.encounters.encounter import winner_of
from cartomancer.lab.columns import NOTHING, OUTCOME_CODES, ROOMS, SIDES, WON_BY
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Array, Counts, tally
from cartomancer.lab.measures.measure import PERCENT, Family, Measure, RateMeasure

OUTCOMES: Final = tuple(OUTCOME_CODES)
# whose win each outcome is: what adds up to what
WINS: Final = {f"{side}_win": tuple(name for name in OUTCOMES if winner_of(name) == side) for side in SIDES}
BOTH: Final = tuple(name for name in OUTCOMES if winner_of(name) == "both")
ROOM_COLUMNS: Final = tuple(f"room_{k}" for k in range(1, ROOMS + 1))
ROOM_OUTCOMES: Final = tuple(f"outcome_{k}" for k in range(1, ROOMS + 1))


def outcome_counts(counts: Counts, column: str = "outcome") -> dict[str, int]:
    """How often each of the eight outcomes occurred."""
    found = tally(counts[column], counts["runs"], max(OUTCOME_CODES.values()) + 1)
    return {name: found[code] for name, code in OUTCOME_CODES.items()}


def wins(counts: Counts) -> dict[str, int]:
    """How many of these runs each side won alone, and how many both by a Bond (E17)."""
    found = outcome_counts(counts)
    return {winner: sum(found[name] for name in OUTCOMES if winner_of(name) == winner) for winner in WON_BY}


def _ends_in(*codes: int) -> Callable[[Counts], Array]:
    return lambda counts: np.isin(counts["outcome"], codes)


WIN_MEASURES: Final = {
    f"{side}_win": RateMeasure(f"{side}_win", ("outcome",), PERCENT, hits=_ends_in(*WON_BY[side])) for side in SIDES
}
OUTCOME_MEASURES: Final = {
    name: RateMeasure(name, ("outcome",), PERCENT, hits=_ends_in(code)) for name, code in OUTCOME_CODES.items()
}


# --- rooms ------------------------------------------------------------------------------------------------------------


def _in_room(counts: Counts, room: int) -> tuple[Array, Array]:
    """Which runs entered a room, and how it ended there."""
    here = np.zeros(len(counts["runs"]), bool)
    outcome = np.full(len(here), NOTHING)
    for at, ended in zip(ROOM_COLUMNS, ROOM_OUTCOMES, strict=True):
        now = counts[at] == room
        here |= now
        outcome = np.where(now, counts[ended], outcome)
    return here, outcome


def _room_outcomes(context: ScenarioContext) -> Iterator[Measure]:
    columns = (*ROOM_COLUMNS, *ROOM_OUTCOMES)
    for place, room in enumerate(context.rooms):
        for name, code in OUTCOME_CODES.items():
            yield RateMeasure(
                f"{room}.{name}",
                columns,
                PERCENT,
                hits=lambda counts, place=place, code=code: _in_room(counts, place)[1] == code,  # type: ignore[misc]
                among=lambda counts, place=place: _in_room(counts, place)[0],  # type: ignore[misc]
            )


def reached(context: ScenarioContext, place: int) -> RateMeasure:
    """The share of runs that entered a room of the scenario."""
    columns = (*ROOM_COLUMNS, *ROOM_OUTCOMES)
    return RateMeasure(
        f"reached.{context.rooms[place]}", columns, PERCENT, hits=lambda counts: _in_room(counts, place)[0]
    )


def _full_bond(context: ScenarioContext) -> Iterator[Measure]:
    columns = tuple(f"outcome_{place}" for place in context.places)
    bond = OUTCOME_CODES["bond"]
    yield RateMeasure(
        "full_bond",
        columns,
        PERCENT,
        hits=lambda counts: np.logical_and.reduce([counts[column] == bond for column in columns]),
    )


FAMILIES: Final = (
    Family(
        "dungeon_win, visitor_win",
        "runs that the side wins alone; a Bond is both sides' (E17)",
        PERCENT,
        lambda context: WIN_MEASURES.values(),
        names=tuple(WIN_MEASURES),
    ),
    Family("OUTCOME", "runs that end so", PERCENT, lambda context: OUTCOME_MEASURES.values(), names=OUTCOMES),
    Family("full_bond", "runs with a Bond in every room of the scenario (L24)", PERCENT, _full_bond),
    Family("ROOM.OUTCOME", "of the runs that reached the room, those in which it ended so", PERCENT, _room_outcomes),
    Family(
        "reached.ROOM",
        "runs that reached the room",
        PERCENT,
        lambda context: (reached(context, place) for place in range(1, len(context.rooms))),
        "several rooms",
    ),
)
