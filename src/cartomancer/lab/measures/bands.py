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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.quality import AttritionTuning
from cartomancer.content.models.targets import Ends, band_ends
from cartomancer.content.toml_files import nearest
from cartomancer.encounters import names
from cartomancer.encounters.encounter import winner_of
from cartomancer.encounters.packing import Packed
from cartomancer.errors import Fault, FaultyError
from cartomancer.intervals import Z95, mean_interval, wilson
from cartomancer.lab.columns import NOTHING, ROOMS, SIDES, columns_of
from cartomancer.lab.measures.attrition import effective_share
from cartomancer.lab.measures.estimates import entropy, scaled

OUTCOMES: Final = tuple(name for name in names.OUTCOMES if name != "undecided")
WINS: Final = {f"{side}_win": tuple(name for name in OUTCOMES if winner_of(name) == side) for side in SIDES}
BOTH: Final = tuple(name for name in OUTCOMES if winner_of(name) == "both")
BETRAYALS: Final = ("betrayal", "betrayal_decides")
SOON: Final = 2  # rounds within which a betrayal decides, if it does
MEANS: Final = {"rounds": "rounds", "decisions": "decisions", "agency": "lead_changes"}
# How many compositions of a side are so in a matrix [GDD 18.5]; not measures of a batch.
RULES: Final = ("dominating", "without_favourable", "without_unfavourable")
COUNTS: Final = tuple(f"{side}.{rule}" for side in ("dungeon", "party") for rule in RULES)
# One unit of distance; every other measure is a percentage.
UNITS: Final = {
    "rounds": 1.0,
    "decisions": 5.0,
    "agency": 0.5,
    "diversity": 0.1,
    "knockouts": 0.1,
    **dict.fromkeys(COUNTS, 1.0),
}
ENTROPIES: Final = ("diversity", "knockouts")  # of at most 1
PERCENT_UNIT: Final = 5.0
UNKNOWN_VIOLATION: Final = 20.0  # of what never happened, so that it has no value: as far off as a percentage can be
FORMS: Final = "name=low..high, name=low.., name=..high or name=x±t"

Columns = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Cast:
    """Which rooms and members a scenario has, and what its content says of tiers and rooms: what targets may name."""

    rooms: tuple[str, ...]
    members: tuple[str, ...]
    tiers: tuple[int, ...] = ()  # points of trust at which each tier begins
    attrition: AttritionTuning | None = None

    @classmethod
    def of(cls, packed: Packed, codex: Codex | None = None) -> Cast:
        """The cast of a packed scenario."""
        content = codex or load_codex()
        return cls(packed.rooms, packed.members, tuple(content.rules.trust_tiers), content.quality.attrition)

    def measures(self) -> list[str]:
        """Everything that can be a target here."""
        found = [*OUTCOMES, *WINS, *BETRAYALS, *MEANS, "closeness", "diversity", "full_bond"]
        found += [f"tier.{tier}" for tier in range(1, len(self.tiers) + 1)]
        found += [f"{room}.{outcome}" for room in self.rooms for outcome in OUTCOMES]
        found += [f"reached.{room}" for room in self.rooms[1:]]
        found += [f"entry.{k}" for k in range(2, len(self.rooms) + 1)]
        found += [f"effective.{k}" for k in range(2, len(self.rooms) + 1)]
        if len(self.members) > 1:
            found += ["knockouts"]
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
    """A band that a measure, or its difference between two batches, shall lie in."""

    name: str
    low: float | None
    high: float | None
    difference: bool = False

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
        return 100.0 if self.percent else 1.0 if self.name in ENTROPIES else math.inf

    @property
    def least(self) -> float:
        """The least it can be."""
        return -self.most if self.difference else 0.0

    def margin(self, error: float) -> float:
        """How far inside its band a value measured with this error should lie: a quarter of the band at most."""
        if self.low is None or self.high is None:
            return error
        return min(error, (self.high - self.low) / 4)

    def ends(self, margin: float = 0.0) -> tuple[float, float]:
        """Where it ends, less a margin: nothing lies beyond its measure's least and most."""
        low = -math.inf if self.low is None or self.low <= self.least else self.low + margin
        high = math.inf if self.high is None or self.high >= self.most else self.high - margin
        return low, high

    def violation(self, value: float | None, margin: float = 0.0) -> float:
        """How far outside, in units; 0 inside."""
        if value is None:
            return UNKNOWN_VIOLATION
        low, high = self.ends(margin)
        return max(low - value, value - high, 0.0) / self.unit

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


def shipped_bands(codex: Codex, scenario: str) -> str:
    """What the content's target sets ask of a scenario, as `read_targets` takes it; empty where they ask nothing.

    Left out are sets that play it otherwise (another profile, other parties, other players), and what a set's
    exceptions explain: nobody waits for that to be reached.
    """
    sets = [asked for asked in codex.targets.values() if asked.scenario == scenario]
    plain = [asked for asked in sets if not (asked.parties or asked.contrast or asked.dungeon_profile)]
    return ", ".join(
        f"{name}={band}" for asked in plain for name, band in asked.targets.items() if name not in asked.exceptions
    )


def read_targets(text: str, cast: Cast, difference: bool = False) -> tuple[Target, ...]:
    """The targets, refused with every fault at once where they are misspelt or contradict each other; those of a
    difference between two batches may be negative."""
    known, faults = cast.measures(), list[Fault]()
    found: dict[str, Target] = {}
    for part in (part.strip() for part in text.split(",")):
        name, equals, band = (piece.strip() for piece in part.partition("="))
        ends = _ends(Target(name, None, None, difference), band)
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
            found[name] = Target(name, *ends, difference)
            faults.extend(_impossible(found[name]))
    if not difference:
        faults.extend(_contradictions(found, cast))
    if faults:
        raise FaultyError(f"{len(faults)} fault(s) in the targets", faults)
    return tuple(found.values())


def _ends(target: Target, band: str) -> Ends | None:
    """Both ends of a band, or nothing where it is none; what is written as x±t ends where its measure does."""
    low, high = ends = band_ends(band) or (None, None)
    if low is None or high is None or ".." in band:
        return None if ends == (None, None) else ends
    middle = (low + high) / 2
    return min(middle, max(low, target.least)), max(middle, min(high, target.most))


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
        if end is not None and not target.least <= end <= target.most:
            right = f"{target.least:g} to {target.most:g}"
            yield Fault(target.name, f"{end:g}", "is outside the measure's range", right)


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
        return _entropy(columns["outcome"], len(names.OUTCOMES), OUTCOMES)
    if name == "knockouts":
        fallen = columns["first_down"]
        return _entropy(fallen[fallen != NOTHING] + 1, len(cast.members) + 1, cast.members)
    if name == "betrayal_decides":
        soon = columns["rounds"].astype(np.int64) - columns["betrayed_at"] <= SOON
        return _rate(soon & (columns["loser"] == 1), columns["betrayed_at"] != NOTHING)
    if name == "full_bond":
        bonds = [columns[f"outcome_{k}"] == names.OUTCOMES.index("bond") for k in range(1, len(cast.rooms) + 1)]
        return _rate(np.logical_and.reduce(bonds), everyone)
    if head == "tier":
        return _rate(columns["trust_peak"] >= 2 * cast.tiers[int(tail) - 1], everyone)
    if head == "effective":
        return _effective(int(tail), columns, cast)
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


def _entropy(codes: Any, count: int, kinds: Sequence[str]) -> Estimate:
    """Shannon entropy over the most there can be; code 0 means nothing [GDD 18.2.3, 18.2.4]."""
    counts = np.bincount(codes, minlength=count)[1:]
    if not counts.sum():
        return Estimate(None)
    value, (low, high) = scaled(entropy([int(count) for count in counts]), 1 / math.log2(len(kinds)))
    return Estimate(value, low, high)


def _effective(place: int, columns: Columns, cast: Cast) -> Estimate:
    """The share of those who entered a room that found it open to both sides [GDD 18.2.5]."""
    here = columns["rooms"] >= place
    if cast.attrition is None or not here.any():
        return Estimate(None)
    counts = {name: column[here].astype(np.int64) for name, column in columns.items()}
    found = effective_share(place, counts | {"runs": np.ones(int(here.sum()), np.int64)}, cast.attrition)
    return Estimate(*(100 * found[part] for part in ("rate", "low", "high")))
