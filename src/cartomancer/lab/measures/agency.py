"""Agency: did both sides matter until the end? Counted by changes of the lead (E19) [GDD 18.2.1]."""

from __future__ import annotations

from typing import Final

import numpy as np

from cartomancer.content.models.quality import Span
from cartomancer.intervals import rate
from cartomancer.lab.columns import LOSERS, NOTHING
from cartomancer.lab.measures.estimates import Facts, mean
from cartomancer.lab.measures.run_table import Counts, RunTable
from cartomancer.lab.measures.verdicts import HEALTHY, HIGH, LOW, judged

NAMES: Final = {LOW: "dominated", HIGH: "random"}
MOST: Final = 3  # lead changes told apart; from here on they are counted together
READINGS: Final = {
    "dominated": "one side leads from early on and is hardly ever caught",
    LOW: "the lead seldom changes hands",
    HEALTHY: "the lead changes hands often enough for both sides to matter",
    HIGH: "the lead changes hands often",
    "random": "the lead flips so often that the end may feel like luck",
}


def lead_counts(table: RunTable) -> Counts:
    """What agency is computed from, and the outcomes of run and first room: one look at the table serves several."""
    if len(table.facts.places) == 1:
        return table.counts("outcome", "lead_changes")
    changes_at = [f"lead_changes_{place}" for place in table.facts.places]
    found = table.counts("outcome", "outcome_1", "leader_1", *changes_at)
    changes = sum(np.maximum(found[column], 0) for column in changes_at)
    return {**found, "lead_changes": np.asarray(changes)}


def agency_score(counts: Counts, places: range, span: Span) -> Facts:
    """Lead changes of a run: mean, distribution, and of scenarios with several rooms the same by room."""
    changes, runs = counts["lead_changes"], counts["runs"]
    total = int(runs.sum())
    hits = [int(runs[changes == number].sum()) for number in range(MOST)]
    found = judged(*mean(changes, runs), total, span, NAMES)
    found["distribution"] = {str(number): rate(hits[number], total) for number in range(MOST)}
    found["distribution"][f"{MOST}+"] = rate(total - sum(hits), total)
    found["run"] = _run_level(counts, places) if len(places) > 1 else None
    found["reading"] = READINGS[found["severe"] or found["verdict"]]
    return found


def _run_level(counts: Counts, places: range) -> Facts:
    """Is a run open after its first room? It was decided there if it ended there, or if who led when that room ended
    won alone in the end. A Bond later on is nobody's lead come true."""
    runs, total = counts["runs"], int(counts["runs"].sum())
    by_place = [counts[f"lead_changes_{place}"] for place in places]
    rooms = []
    for place, changes in zip(places, by_place, strict=True):
        here = changes != NOTHING
        entered = int(runs[here].sum())
        value, interval = mean(changes[here], runs[here]) if entered else (None, None)
        changed = rate(int(runs[changes > 0].sum()), entered)
        rooms.append({"place": place, "entered": entered, "mean": value, "interval": interval, "changed": changed})
    entered_rooms = sum((changes != NOTHING).astype(np.int64) for changes in by_place)
    changed_rooms = sum((changes > 0).astype(np.int64) for changes in by_place)
    value, interval = mean(np.asarray(changed_rooms), runs)
    went_on = by_place[1] != NOTHING
    loser = LOSERS[counts["outcome"]]
    as_led = went_on & (loser != NOTHING) & (counts["leader_1"] == 1 - loser)
    onward, held = int(runs[went_on].sum()), int(runs[as_led].sum())
    return {
        "rooms": rooms,
        "mean_per_room": float((counts["lead_changes"] * runs).sum() / (np.asarray(entered_rooms) * runs).sum()),
        "rooms_with_change_mean": value,
        "rooms_with_change_interval": interval,
        "ended_in_first_room": rate(total - onward, total),
        "first_leader_won": rate(held, onward),
        "decided_in_first_room": rate(total - onward + held, total),
    }
