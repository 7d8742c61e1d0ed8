"""The attrition curve: does every room of a run count? Scenarios of several rooms only [GDD 18.2.5].

A visitor's shape is the mean of what it has left of its three resources, in percent. A room is open to a run if each
side went on to win at least a tenth of the batch's runs that entered that room in like shape, by tens of percents; a
Bond is both sides' win. So "realistic paths" are not guessed from a position but read off what came of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from cartomancer.content.models.quality import AttritionTuning, EntrySpan
from cartomancer.encounters import names
from cartomancer.intervals import rate
from cartomancer.lab.columns import LOSERS, NOTHING
from cartomancer.lab.measures.estimates import Array, Facts, mean, outcome_counts, scaled
from cartomancer.lab.measures.run_table import Counts, RunFacts, RunTable
from cartomancer.lab.measures.verdicts import HEALTHY, HIGH, LOW, judged

RESOURCES: Final = names.RESOURCES[1]
NAMES: Final = {LOW: "formality", HIGH: "too easy before"}
FULL: Final = 100
BAND: Final = 10  # percent
INEFFECTIVE: Final = "not effective"
READINGS: Final = {
    "formality": "the visitor enters room {place} all but beaten: what follows is a formality",
    LOW: "the visitor enters room {place} too worn",
    HIGH: "the visitor enters room {place} too fresh",
    "too easy before": "the visitor enters room {place} almost unharmed: the room before is too easy",
    INEFFECTIVE: "room {place} is seldom open to both sides",
    HEALTHY: "every room wears the visitor down without deciding the run",
    None: "too few runs went on",
}


def entry_counts(table: RunTable, first: Counts) -> dict[int, Counts]:
    """What the curve is computed from, by place; counts of the outcomes of run and first room are at hand."""
    found = {1: first}
    for place in table.facts.places[1:]:
        columns = [f"{resource}_{place}" for resource in RESOURCES]
        here = f"outcome_{place} <> {NOTHING}"
        found[place] = table.counts("outcome", f"outcome_{place}", *columns, where=here)
    return found


def attrition_curve(counts: dict[int, Counts], facts: RunFacts, tuning: AttritionTuning) -> Facts:
    """Every room in the order entered: who enters it, in what shape, how it ends, and whether it is still open.

    The verdict is that of the first room entered in an unhealthy shape; if there is none, a later room that is not
    effective makes it low."""
    spans = {span.room: span for span in tuning.entry}
    rooms = [_room(place, found, facts, spans.get(place), tuning) for place, found in counts.items()]
    second, entry = rooms[1], rooms[1]["entry"]
    blank = EntrySpan(room=2, healthy=(0, FULL))
    found = judged(entry["mean"], entry["interval"], second["entered"], spans.get(2, blank), NAMES)
    unhealthy = [room for room in rooms if room["verdict"] in {LOW, HIGH}]
    closed = [room["place"] for room in rooms[1:] if room["effective"]["holds"] is False]
    place = 2
    if unhealthy:
        place = unhealthy[0]["place"]
        found |= {key: unhealthy[0][key] for key in ("verdict", "severe", "certain")}
    elif closed:
        place = closed[0]
        sure = rooms[place - 1]["effective"]["high"] < tuning.effective
        found |= {"verdict": LOW, "severe": INEFFECTIVE, "certain": sure}
    found["severe_bounds"][INEFFECTIVE] = tuning.effective
    found |= {"rooms": rooms, "not_effective": closed}
    found["reading"] = READINGS[found["severe"] or found["verdict"]].format(place=place)
    return found


def _room(place: int, counts: Counts, facts: RunFacts, span: EntrySpan | None, tuning: AttritionTuning) -> Facts:
    entered = int(counts["runs"].sum())
    hits = outcome_counts(counts, f"outcome_{place}")
    entry = _entry(place, counts)
    found: Facts = {
        "place": place,
        "room": facts.room_at(place),
        "entered": entered,
        "entry": entry,
        "outcomes": {name: rate(count, entered) for name, count in hits.items()},
        "effective": effective_share(place, counts, tuning),
        "healthy": None,
        "verdict": None,
        "severe": None,
        "certain": False,
    }
    if span is not None:
        judgement = judged(entry["mean"], entry["interval"], entered, span, NAMES)
        found |= {key: judgement[key] for key in ("healthy", "severe_bounds", "verdict", "severe", "certain")}
    return found


def _shape(place: int, counts: Counts) -> Array:
    """The sum of the three percents with which each row's runs entered; all enter their first room whole."""
    if place == 1:
        return np.full(len(counts["runs"]), len(RESOURCES) * FULL)
    return np.asarray(sum(counts[f"{resource}_{place}"] for resource in RESOURCES))


def _entry(place: int, counts: Counts) -> Facts:
    """The mean percents at entry, with intervals."""
    runs = counts["runs"]
    if not runs.sum():
        return {"mean": None, "interval": None} | dict.fromkeys(RESOURCES)
    value, interval = scaled(mean(_shape(place, counts), runs), 1 / len(RESOURCES))
    found: Facts = {"mean": value, "interval": interval}
    for resource in RESOURCES:
        percents = counts[f"{resource}_{place}"] if place > 1 else np.full(len(runs), FULL)
        value, interval = mean(percents, runs)
        found[resource] = {"mean": value, "interval": interval}
    return found


# --- effective rooms --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Band:
    """Runs that entered a room in like shape, and how many each side went on to win."""

    low: int  # percent
    high: int
    runs: int
    dungeon: int
    visitor: int

    def joined(self, lower: Band) -> Band:
        """This band and a lower one."""
        sums = (self.runs + lower.runs, self.dungeon + lower.dungeon, self.visitor + lower.visitor)
        return Band(lower.low, self.high, *sums)

    def is_open(self, least: float) -> bool:
        """Whether both sides won often enough."""
        return min(self.dungeon, self.visitor) >= least * self.runs


def bands(shape: Array, counts: Counts) -> list[Band]:
    """The runs by tens of percents, from the freshest down; the first band is open upwards."""
    tens = np.minimum(shape // (BAND * len(RESOURCES)), FULL // BAND)
    loser, runs = LOSERS[counts["outcome"]], counts["runs"]
    found = []
    for ten in sorted(set(tens.tolist()), reverse=True):
        here = tens == ten
        total = int(runs[here].sum())
        dungeon, visitor = int(runs[here & (loser == 1)].sum()), int(runs[here & (loser == 0)].sum())
        bonds = total - dungeon - visitor
        found.append(Band(BAND * ten, min(BAND * ten + BAND - 1, FULL), total, dungeon + bonds, visitor + bonds))
    return found


def large_enough(thin: list[Band], least: int) -> list[Band]:
    """Bands with too few runs joined with the next lower one; the last of them with the next higher."""
    found: list[Band] = []
    pending: Band | None = None
    for band in thin:
        pending = pending.joined(band) if pending else band
        if pending.runs >= least:
            found.append(pending)
            pending = None
    if pending:
        found = [*found[:-1], found[-1].joined(pending)] if found else [pending]
    return found


def effective_share(place: int, counts: Counts, tuning: AttritionTuning) -> Facts:
    """The share of runs entering a room that find it open to both sides; too few runs say nothing."""
    joined = large_enough(bands(_shape(place, counts), counts), tuning.band_runs)
    total = sum(band.runs for band in joined)
    reached = [band for band in joined if band.is_open(tuning.realistic)]
    share = rate(sum(band.runs for band in reached), total)
    return {
        **share,
        "threshold": tuning.effective,
        "holds": share["rate"] >= tuning.effective if total >= tuning.band_runs else None,
        "bands": [
            {
                "from": band.low,
                "to": band.high,
                "runs": band.runs,
                "dungeon": rate(band.dungeon, band.runs),
                "visitor": rate(band.visitor, band.runs),
                "open": band.is_open(tuning.realistic),
            }
            for band in joined
        ],
    }
