"""What a designer wants of a scenario, in one line, and how far a batch is from it [GDD 14.2, 14.10].

>>> wish = read_targets("kill=50..65, panic=12..25, agency=1.5..", Cast(("root_hollow",), ("thornback_boar",)))
>>> [str(target) for target in wish]
['kill=50..65', 'panic=12..25', 'agency=1.5..']
>>> wish[0].violation(45.0)
1.0

A target is a band: `name=low..high`, `name=low..`, `name=..high` or `name=x±t`. Rates are percents. The distance of a
batch from its targets is the sum of how far each value lies outside its band, in units of its measure: five points of a
percentage, half a lead change and so on. It is 0 when all hold.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.content.toml_files import nearest
from cartomancer.encounters import names
from cartomancer.encounters.encounter import winner_of
from cartomancer.encounters.packing import Packed
from cartomancer.errors import Fault, FaultyError
from cartomancer.intervals import Z95, mean_interval, wilson
from cartomancer.lab.columns import NOTHING, ROOMS, SIDES, columns_of
from cartomancer.lab.quality.measures import entropy, scaled

OUTCOMES: Final = tuple(name for name in names.OUTCOMES if name != "undecided")
WINS: Final = {f"{side}_win": tuple(name for name in OUTCOMES if winner_of(name) == side) for side in SIDES}
BOTH: Final = tuple(name for name in OUTCOMES if winner_of(name) == "both")
MEANS: Final = {"rounds": "rounds", "decisions": "decisions", "agency": "lead_changes"}
# One unit of distance; every other measure is a percentage.
UNITS: Final = {"rounds": 1.0, "decisions": 5.0, "agency": 0.5, "diversity": 0.1}
PERCENT_UNIT: Final = 5.0
UNKNOWN_VIOLATION: Final = 20.0  # of what never happened, so that it has no value: as far off as a percentage can be
FORMS: Final = "name=low..high, name=low.., name=..high or name=x±t"
NUMBER: Final = r"[0-9]+(?:\.[0-9]+)?"
BAND: Final = re.compile(rf"(?P<low>{NUMBER})?\.\.(?P<high>{NUMBER})?")
AROUND: Final = re.compile(rf"(?P<middle>{NUMBER})(?:±|\+-|\+/-)(?P<off>{NUMBER})")

Columns = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Cast:
    """Which rooms and members a scenario has: what targets may speak of."""

    rooms: tuple[str, ...]
    members: tuple[str, ...]

    @classmethod
    def of(cls, packed: Packed) -> Cast:
        """The cast of a packed scenario."""
        return cls(packed.rooms, packed.members)

    def measures(self) -> list[str]:
        """Everything that can be a target here."""
        found = [*OUTCOMES, *WINS, "betrayal", *MEANS, "closeness", "diversity"]
        found += [f"{room}.{outcome}" for room in self.rooms for outcome in OUTCOMES]
        found += [f"reached.{room}" for room in self.rooms[1:]]
        found += [f"entry.{k}" for k in range(2, len(self.rooms) + 1)]
        if len(self.members) > 1:
            found += [f"first_down.{member}" for member in dict.fromkeys(self.members)]
        return found


@dataclass(frozen=True)
class Estimate:
    """A measured value with its 95 % interval; none where there was nothing to measure."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def error(self) -> float:
        """The standard error that the interval stands for."""
        return 0.0 if self.low is None or self.high is None else (self.high - self.low) / (2 * Z95)


@dataclass(frozen=True)
class Target:
    """A band that a measure shall lie in."""

    name: str
    low: float | None
    high: float | None

    def __str__(self) -> str:
        return f"{self.name}={self.band()}"

    def band(self) -> str:
        """The band as it is written."""
        low, high = ("" if end is None else f"{end:g}" for end in (self.low, self.high))
        return f"{low}..{high}"

    @property
    def unit(self) -> float:
        """What one unit of distance is."""
        return UNITS.get(self.name, PERCENT_UNIT)

    @property
    def percent(self) -> bool:
        """Whether it is a percentage."""
        return self.name not in UNITS

    @property
    def most(self) -> float:
        """The most it can be."""
        return 100.0 if self.percent else 1.0 if self.name == "diversity" else math.inf

    def margin(self, error: float) -> float:
        """How far inside its band a value measured with this error should lie: a quarter of the band at most."""
        if self.low is None or self.high is None:
            return error
        return min(error, (self.high - self.low) / 4)

    def violation(self, value: float | None, margin: float = 0.0) -> float:
        """How far outside, in units; 0 inside."""
        if value is None:
            return UNKNOWN_VIOLATION
        below = self.low + margin - value if self.low else 0.0  # nothing lies below 0, and no share above its most
        above = 0.0 if self.high is None or self.high >= self.most else value - self.high + margin
        return max(below, above, 0.0) / self.unit

    def holds(self, value: float | None) -> bool:
        """Whether the value lies in the band."""
        return self.violation(value) == 0

    def shortfall(self, value: float | None) -> float | None:
        """How far outside in the measure's own terms: below the band negative, above it positive, 0 inside."""
        if value is None:
            return None
        if self.low is not None and value < self.low:
            return value - self.low
        return value - self.high if self.high is not None and value > self.high else 0.0


def distance(targets: Sequence[Target], found: Mapping[str, Estimate], careful: bool = False) -> float:
    """The sum of all violations; careful: a value must lie inside by the error it was measured with."""
    total = 0.0
    for target in targets:
        estimate = found[target.name]
        total += target.violation(estimate.value, target.margin(estimate.error) if careful else 0.0)
    return total


# --- reading ----------------------------------------------------------------------------------------------------------


def read_targets(text: str, cast: Cast) -> tuple[Target, ...]:
    """The targets, refused with every fault at once where they are misspelt or contradict each other."""
    known, faults = cast.measures(), list[Fault]()
    found: dict[str, Target] = {}
    for part in (part.strip() for part in text.split(",")):
        name, equals, band = (piece.strip() for piece in part.partition("="))
        ends = _ends(band, name)
        if not part:
            faults.append(Fault("target", text, "has an empty part", FORMS))
            continue
        if not equals or ends is None:
            faults.append(Fault("target", part, "is not a band", FORMS))
        if name not in known:
            faults.append(_unknown(name, cast, known))
        elif name in found:
            faults.append(Fault(name, band, "is given twice", "each name once"))
        elif ends is not None:
            found[name] = Target(name, *ends)
            faults.extend(_impossible(found[name]))
    faults.extend(_contradictions(found, cast))
    if faults:
        raise FaultyError(f"{len(faults)} fault(s) in the targets", faults)
    return tuple(found.values())


def _ends(band: str, name: str) -> tuple[float | None, float | None] | None:
    """Both ends of a band, or nothing where it is none; what is written as x±t ends where its measure does."""
    if match := AROUND.fullmatch(band):
        middle, off = float(match["middle"]), float(match["off"])
        return max(0.0, middle - off), max(middle, min(middle + off, Target(name, None, None).most))
    match = BAND.fullmatch(band)
    if match is None or (match["low"] is None and match["high"] is None):
        return None
    low, high = (None if end is None else float(end) for end in (match["low"], match["high"]))
    return low, high


def _unknown(name: str, cast: Cast, known: Sequence[str]) -> Fault:
    head, dot, tail = name.partition(".")
    if dot and tail in OUTCOMES and head not in cast.rooms:
        return Fault("target", name, f"speaks of '{head}', which is no room of this scenario", ", ".join(cast.rooms))
    if dot and head == "first_down" and len(cast.members) == 1:
        return Fault("target", name, "speaks of a party; this visitor is alone", "no first_down")
    return Fault("target", name, "is not known", nearest(name, known))


def _impossible(target: Target) -> Iterator[Fault]:
    """A band that is empty or lies where its measure never is."""
    if target.low is not None and target.high is not None and target.low > target.high:
        yield Fault(target.name, target.band(), "is empty: its low end is above its high end", "low..high")
    for end in (target.low, target.high):
        if end is not None and end > target.most:
            yield Fault(target.name, f"{end:g}", "is outside the measure's range", f"0 to {target.most:g}")


def _contradictions(found: Mapping[str, Target], cast: Cast) -> Iterator[Fault]:
    """Shares of one whole add up to 100 %, and a side's wins to its outcomes."""
    for room in ("", *(f"{room}." for room in cast.rooms)):
        spans = []
        for win, parts in (*WINS.items(), ("", BOTH)):
            low, high = _span([f"{room}{part}" for part in parts], found)
            own = found.get(win) if not room else None
            if own is not None and own.low is not None and own.low > high:
                yield Fault(win, own.band(), f"cannot hold: its outcomes may be {high:g} % at most", f"..{high:g}")
            if own is not None and own.high is not None and own.high < low:
                yield Fault(win, own.band(), f"cannot hold: its outcomes are {low:g} % at least", f"{low:g}..")
            least, most = _span([win], found) if own is not None else (0.0, 100.0)
            spans.append((max(low, least), min(high, most)))
        yield from _whole(f"{room}outcomes", spans)
    if len(cast.members) > 1:
        yield from _whole("first_down", [_span([f"first_down.{one}"], found) for one in dict.fromkeys(cast.members)])


def _whole(what: str, spans: Sequence[tuple[float, float]]) -> Iterator[Fault]:
    """Shares that are 100 % together."""
    lows, highs = sum(low for low, _ in spans), sum(high for _, high in spans)
    if lows > 100:
        yield Fault(what, f"{lows:g}", "is the sum of the least shares", "at most 100 %")
    if highs < 100:
        yield Fault(what, f"{highs:g}", "is the sum of the greatest shares", "at least 100 %")


def _span(outcomes: Sequence[str], found: Mapping[str, Target]) -> tuple[float, float]:
    """The least and the most that some outcomes together may be."""
    bands = [found.get(name) for name in outcomes]
    low = sum(band.low or 0.0 for band in bands if band)
    high = sum(100.0 if band is None or band.high is None else band.high for band in bands)
    return low, min(high, 100.0)


# --- measuring --------------------------------------------------------------------------------------------------------


def measure(wanted: Sequence[str], rows: Any, cast: Cast) -> dict[str, Estimate]:
    """The values of these measures in a batch, with their intervals."""
    columns = columns_of(rows)
    return {name: _measured(name, columns, cast) for name in wanted}


def _measured(name: str, columns: Columns, cast: Cast) -> Estimate:
    everyone = np.ones(len(columns["outcome"]), bool)
    head, _, tail = name.partition(".")
    if name in OUTCOMES:
        return _rate(columns["outcome"] == names.OUTCOMES.index(name), everyone)
    if name in WINS:
        return _rate(np.isin(columns["outcome"], [names.OUTCOMES.index(part) for part in WINS[name]]), everyone)
    if name == "betrayal":
        return _rate(columns["betrayals"] > 0, everyone)
    if name in MEANS:
        return _mean(columns[MEANS[name]])
    if name == "closeness":
        return _mean(columns["closeness"][columns["closeness"] != NOTHING])
    if name == "diversity":
        return _entropy(columns["outcome"])
    if head == "entry":
        shares = np.stack([columns[f"{resource}_{tail}"] for resource in names.RESOURCES[1]])
        return _mean(shares[:, columns["rooms"] >= int(tail)].mean(axis=0))
    if head == "first_down":
        seats = [seat for seat, member in enumerate(cast.members) if member == tail]
        return _rate(np.isin(columns["first_down"], seats), columns["first_down"] != NOTHING)
    if head == "reached":
        return _rate(_in_room(columns, cast.rooms.index(tail))[0], everyone)
    here, outcome = _in_room(columns, cast.rooms.index(head))
    return _rate(here & (outcome == names.OUTCOMES.index(tail)), here)


def _in_room(columns: Columns, room: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Which runs entered a room, and how it ended there."""
    here = np.zeros(len(columns["outcome"]), bool)
    outcome = np.full(len(here), NOTHING, np.int8)
    for k in range(1, ROOMS + 1):
        now = columns[f"room_{k}"] == room
        here |= now
        outcome = np.where(now, columns[f"outcome_{k}"], outcome)
    return here, outcome


def _rate(hits: Any, among: Any) -> Estimate:
    tries = int(among.sum())
    if not tries:
        return Estimate(None)
    found = int((hits & among).sum())
    low, high = wilson(found, tries)
    return Estimate(100 * found / tries, 100 * low, 100 * high)


def _mean(values: Any) -> Estimate:
    if not len(values):
        return Estimate(None)
    exact = values.astype(np.float64)
    mean, (low, high) = mean_interval(float(exact.sum()), float((exact * exact).sum()), len(exact))
    return Estimate(float(mean), low, high)


def _entropy(outcomes: Any) -> Estimate:
    """Shannon entropy over log2 8 [GDD 18.2.3]."""
    counts = np.bincount(outcomes, minlength=len(names.OUTCOMES))[1:]
    value, (low, high) = scaled(entropy([int(count) for count in counts]), 1 / math.log2(len(OUTCOMES)))
    return Estimate(value, low, high)
