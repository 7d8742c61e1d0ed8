"""Agency: did both sides matter until the end? Counted by changes of the lead (E19) [GDD 18.2.1]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from cartomancer.content.models.quality import Span
from cartomancer.intervals import Rate
from cartomancer.lab.columns import LOSERS, NOTHING, SIDES
from cartomancer.lab.measures.estimates import Counts, mean, tally
from cartomancer.lab.measures.measure import Evidence, MeanMeasure, RatioMeasure, Unit, family_of
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.lab.measures.verdicts import HEALTHY, HIGH, LOW, Metric, judged

AGENCY: Final = MeanMeasure(
    "agency", ("lead_changes",), lambda counts: counts["lead_changes"], unit=Unit("number", 0.5)
)
ROUNDS_LED: Final = tuple(
    RatioMeasure(
        f"rounds_led.{side}",
        (f"led_{side}", f"rounds_{side}"),
        (f"led_{side}",),
        (f"rounds_{side}",),
        evidence=Evidence.SURVEY,
    )
    for side in SIDES
)
FAMILIES: Final = (
    family_of("lead changes a run", AGENCY, healthy="agency"),
    family_of("rounds at whose end the side is ahead (E19)", *ROUNDS_LED),
)
NAMES: Final = {LOW: "dominated", HIGH: "random"}
MOST: Final = 3  # lead changes told apart; from here on they are counted together
READINGS: Final = {
    "dominated": "one side leads from early on and is hardly ever caught",
    LOW: "the lead seldom changes hands",
    HEALTHY: "the lead changes hands often enough for both sides to matter",
    HIGH: "the lead changes hands often",
    "random": "the lead flips so often that the end may feel like luck",
}


@dataclass(frozen=True)
class RoomLead:
    """Lead changes in the k-th room entered."""

    place: int
    entered: int
    mean: float | None
    interval: list[float] | None
    changed: Rate  # runs in which the lead changed there


@dataclass(frozen=True)
class RunLead:
    """Is a run open after its first room? It was decided there if it ended there, or if who led when that room ended
    won alone in the end. A Bond later on is nobody's lead come true."""

    rooms: list[RoomLead]
    mean_per_room: float
    rooms_with_change_mean: float | None
    rooms_with_change_interval: list[float] | None
    ended_in_first_room: Rate
    first_leader_won: Rate
    decided_in_first_room: Rate


@dataclass(frozen=True)
class AgencyScore(Metric):
    """Lead changes of a run: mean, distribution, and of scenarios with several rooms the same by room."""

    distribution: Mapping[str, Rate] | None = None
    run: RunLead | None = None


def lead_counts(table: RunTable) -> Counts:
    """What agency is computed from, and the outcomes of run and first room: one look at the table serves several."""
    if len(table.context.places) == 1:
        return table.counts("outcome", "lead_changes")
    changes_at = [f"lead_changes_{place}" for place in table.context.places]
    found = table.counts("outcome", "outcome_1", "leader_1", *changes_at)
    changes = sum(np.maximum(found[column], 0) for column in changes_at)
    return {**found, "lead_changes": np.asarray(changes)}


def agency_score(counts: Counts, places: range, span: Span) -> AgencyScore:
    """Agency with its verdict."""
    runs = counts["runs"]
    total = int(runs.sum())
    hits = tally(np.minimum(counts["lead_changes"], MOST), runs, MOST + 1)
    found = judged(AGENCY.estimate(counts), total, span, NAMES)
    labels = [*map(str, range(MOST)), f"{MOST}+"]
    return AgencyScore(
        **vars(found),
        distribution={label: Rate(count, total) for label, count in zip(labels, hits, strict=True)},
        run=_run_lead(counts, places) if len(places) > 1 else None,
        reading=READINGS[found.severe or found.verdict or ""],
    )


def _run_lead(counts: Counts, places: range) -> RunLead:
    runs, total = counts["runs"], int(counts["runs"].sum())
    by_place = [counts[f"lead_changes_{place}"] for place in places]
    rooms = []
    for place, changes in zip(places, by_place, strict=True):
        here = changes != NOTHING
        entered = int(runs[here].sum())
        found = mean(changes[here], runs[here]).not_below_zero()
        changed = Rate(int(runs[changes > 0].sum()), entered)
        rooms.append(RoomLead(place, entered, found.value, found.interval, changed))
    entered_rooms = sum((changes != NOTHING).astype(np.int64) for changes in by_place)
    changed_rooms = sum((changes > 0).astype(np.int64) for changes in by_place)
    with_change = mean(np.asarray(changed_rooms), runs).not_below_zero()
    went_on = by_place[1] != NOTHING
    loser = LOSERS[counts["outcome"]]
    as_led = went_on & (loser != NOTHING) & (counts["leader_1"] == 1 - loser)
    onward, held = int(runs[went_on].sum()), int(runs[as_led].sum())
    return RunLead(
        rooms=rooms,
        mean_per_room=float((counts["lead_changes"] * runs).sum() / (np.asarray(entered_rooms) * runs).sum()),
        rooms_with_change_mean=with_change.value,
        rooms_with_change_interval=with_change.interval,
        ended_in_first_room=Rate(total - onward, total),
        first_leader_won=Rate(held, onward),
        decided_in_first_room=Rate(total - onward + held, total),
    )
