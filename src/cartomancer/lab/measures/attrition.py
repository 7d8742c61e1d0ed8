"""The attrition curve: does every room of a run count? Scenarios of several rooms only [GDD 18.2.5].

A visitor's shape is the mean of what it has left of its three resources, in percent. A room is open to a run if each
side went on to win at least a tenth of the batch's runs that entered that room in like shape, by tens of percents; a
Bond is both sides' win. So "realistic paths" are not guessed from a position but read off what came of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

import numpy as np

from cartomancer.content.models.quality import AttritionTuning, EntrySpan
from cartomancer.encounters import names
from cartomancer.intervals import Rate
from cartomancer.lab.columns import LOSERS, NOTHING
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Array, Counts, Estimate, mean, percent
from cartomancer.lab.measures.measure import Family, MeanMeasure, Measure
from cartomancer.lab.measures.outcomes import outcome_counts
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.lab.measures.verdicts import HEALTHY, HIGH, LOW, Judgement, Metric, judged
from cartomancer.lab.results import IN_PLACE, plain

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


# --- the measures -----------------------------------------------------------------------------------------------------


def _columns(place: int) -> tuple[str, ...]:
    """What each resource was on entering; all enter their first room whole."""
    return () if place == 1 else tuple(f"{resource}_{place}" for resource in RESOURCES)


def _shape(place: int, counts: Counts) -> Array:
    """The sum of the three percents with which each row's runs entered."""
    whole = np.full(len(counts["runs"]), 0 if place > 1 else len(RESOURCES) * FULL)
    return np.asarray(sum((counts[column] for column in _columns(place)), whole))


def _entry(place: int) -> Measure:
    return MeanMeasure(
        f"entry.{place}",
        ("rooms", *_columns(place)),
        partial(_shape, place),
        among=lambda counts: counts["rooms"] >= place,
        scale=1 / len(RESOURCES),
    )


@dataclass(frozen=True)
class EffectiveMeasure(Measure):
    """The percentage of the runs entering a room that find it open to both sides."""

    place: int
    tuning: AttritionTuning

    def estimate(self, counts: Counts) -> Estimate:
        here = counts["rooms"] >= self.place
        entered = {name: counts[name][here] for name in (*self.columns, "runs")}
        return percent(effective_share(self.place, entered, self.tuning).rate)


def _effective(place: int, context: ScenarioContext) -> Measure:
    columns = ("rooms", "outcome", *_columns(place))
    return EffectiveMeasure(f"effective.{place}", columns, place, context.quality.attrition)


FAMILIES: Final = (
    Family(
        "entry.2, entry.3, entry.4",
        "left of the visitor's resources on entering its k-th room",
        lambda context: map(_entry, context.places[1:]),
        "several rooms",
        healthy="attrition.entry",
    ),
    Family(
        "effective.2, effective.3, effective.4",
        "of the runs entering the k-th room, those that find it open to both sides (L6, L25)",
        lambda context: (_effective(place, context) for place in context.places[1:]),
        "several rooms",
        healthy="attrition.effective",
    ),
)


# --- the curve --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mean:
    """A mean percent, and its interval."""

    mean: float | None
    interval: list[float] | None


@dataclass(frozen=True)
class Shape(Mean):
    """The mean percents with which runs entered a room: all together, and each resource."""

    resources: Mapping[str, Mean | None] = field(metadata=IN_PLACE)


@dataclass(frozen=True)
class EnteredRoom:
    """A room in the order entered: by how many, in what shape, how it ends, whether it is open, and the verdict."""

    place: int
    room: str | None
    entered: int
    entry: Shape
    outcomes: Mapping[str, Rate]
    effective: Effective
    judgement: Judgement | None  # where the content says in what shape it should be entered

    def as_dict(self) -> dict[str, Any]:
        """In plain numbers."""
        found = {name: plain(value) for name, value in vars(self).items() if name != "judgement"}
        judged = self.judgement.as_dict() if self.judgement else {"healthy": None, "certain": False}
        found |= dict.fromkeys(("verdict", "severe")) | judged
        return {name: value for name, value in found.items() if name not in {"value", "interval"}}


@dataclass(frozen=True)
class AttritionCurve(Metric):
    """Every room in the order entered. The verdict is that of the first room entered in an unhealthy shape; if there is
    none, a later room that is not effective makes it low."""

    rooms: tuple[EnteredRoom, ...] = ()
    not_effective: tuple[int, ...] = ()


def entry_counts(table: RunTable, first: Counts) -> dict[int, Counts]:
    """What the curve is computed from, by place; counts of the outcomes of run and first room are at hand."""
    found = {1: first}
    for place in table.context.places[1:]:
        here = f"outcome_{place} <> {NOTHING}"
        found[place] = table.counts("outcome", f"outcome_{place}", *_columns(place), where=here)
    return found


def attrition_curve(counts: Mapping[int, Counts], context: ScenarioContext, tuning: AttritionTuning) -> AttritionCurve:
    """The curve with its verdict."""
    spans = {span.room: span for span in tuning.entry}
    rooms = tuple(_room(place, found, context, spans.get(place), tuning) for place, found in counts.items())
    blank, whole = EntrySpan(room=2, healthy=(0, FULL)), rooms[1].entry
    second = Estimate(whole.mean, *(whole.interval or (None, None)))
    found = rooms[1].judgement or judged(second, rooms[1].entered, blank, NAMES)
    unhealthy = [room for room in rooms if room.judgement and room.judgement.verdict in {LOW, HIGH}]
    closed = tuple(room.place for room in rooms[1:] if room.effective.holds is False)
    place = 2
    if unhealthy and (worst := unhealthy[0].judgement):
        place = unhealthy[0].place
        found = replace(found, verdict=worst.verdict, severe=worst.severe, certain=worst.certain)
    elif closed:
        place = closed[0]
        sure = rooms[place - 1].effective.rate.interval[1] < tuning.effective
        found = replace(found, verdict=LOW, severe=INEFFECTIVE, certain=sure)
    found = replace(found, severe_bounds={**found.severe_bounds, INEFFECTIVE: tuning.effective})
    reading = READINGS[found.severe or found.verdict].format(place=place)
    return AttritionCurve(**vars(found), rooms=rooms, not_effective=closed, reading=reading)


def _room(
    place: int, counts: Counts, context: ScenarioContext, span: EntrySpan | None, tuning: AttritionTuning
) -> EnteredRoom:
    runs = counts["runs"]
    entered, hits = int(runs.sum()), outcome_counts(counts, f"outcome_{place}")
    whole = mean(_shape(place, counts), runs).not_below_zero().times(1 / len(RESOURCES))
    resources: dict[str, Mean | None] = dict.fromkeys(RESOURCES)
    for resource in RESOURCES if entered else ():
        left = counts[f"{resource}_{place}"] if place > 1 else np.full(len(runs), FULL)
        found = mean(left, runs).not_below_zero()
        resources[resource] = Mean(found.value, found.interval)
    return EnteredRoom(
        place=place,
        room=context.room_at(place),
        entered=entered,
        entry=Shape(whole.value, whole.interval, resources),
        outcomes={name: Rate(count, entered) for name, count in hits.items()},
        effective=effective_share(place, counts, tuning),
        judgement=None if span is None else judged(whole, entered, span, NAMES),
    )


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


@dataclass(frozen=True)
class Effective:
    """The runs entering a room that find it open, and the bands this was read off."""

    rate: Rate
    threshold: float
    least: float  # how often a side must win from a like entry
    holds: bool | None  # too few runs say nothing
    bands: tuple[Band, ...]

    def as_dict(self) -> dict[str, Any]:
        """In plain numbers."""
        bands = [
            {
                "from": band.low,
                "to": band.high,
                "runs": band.runs,
                "dungeon": Rate(band.dungeon, band.runs).as_dict(),
                "visitor": Rate(band.visitor, band.runs).as_dict(),
                "open": band.is_open(self.least),
            }
            for band in self.bands
        ]
        return {**self.rate.as_dict(), "threshold": self.threshold, "holds": self.holds, "bands": bands}


def effective_share(place: int, counts: Counts, tuning: AttritionTuning) -> Effective:
    """The share of runs entering a room that find it open to both sides."""
    joined = tuple(large_enough(bands(_shape(place, counts), counts), tuning.band_runs))
    total = sum(band.runs for band in joined)
    share = Rate(sum(band.runs for band in joined if band.is_open(tuning.realistic)), total)
    holds = share.share >= tuning.effective if total >= tuning.band_runs else None
    return Effective(share, tuning.effective, tuning.realistic, holds, joined)
