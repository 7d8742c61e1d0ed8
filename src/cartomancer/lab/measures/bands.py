"""What a designer wants of a scenario, in one line, and how far a batch is from it [GDD 14.2, 14.10].

>>> context = ScenarioContext(("root_hollow",), ("thornback_boar",))
>>> wanted = read_targets("kill=50..65, panic=12..25, agency=1.5..", context)
>>> [str(target) for target in wanted]
['kill=50..65', 'panic=12..25', 'agency=1.5..']
>>> wanted[0].violation(45.0)
1.0

A target is a band: `name=low..high`, `name=low..`, `name=..high` or `name=x±t`. Rates are percents. The distance of a
batch from its targets is the sum of how far each value lies outside its band, in units of its measure: five points of a
percentage, half a lead change and so on. It is 0 when all hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cartomancer.content.codex import Codex
from cartomancer.content.models.targets import Ends, band_ends
from cartomancer.content.toml_files import nearest
from cartomancer.errors import Fault, FaultyError
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Estimate
from cartomancer.lab.measures.measure import LONG, Unit
from cartomancer.lab.measures.outcomes import OUTCOMES, SHARED, WINS
from cartomancer.lab.measures.registry import evidence_of, measures_of, unit_of

UNKNOWN_VIOLATION: Final = 20.0  # of what never happened, so that it has no value: as far off as a percentage can be
FORMS: Final = "name=low..high, name=low.., name=..high or name=x±t"


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
    def unit(self) -> Unit:
        """The unit of its measure."""
        return unit_of(self.name)

    @property
    def percent(self) -> bool:
        """Whether it is a percentage."""
        return self.unit.name == "percent"

    @property
    def least(self) -> float:
        """The least it can be."""
        return -self.unit.most if self.difference else self.unit.least

    def margin(self, error: float) -> float:
        """How far inside its band a value measured with this error should lie: a quarter of the band at most."""
        if self.low is None or self.high is None:
            return error
        return min(error, (self.high - self.low) / 4)

    def ends(self, margin: float = 0.0) -> tuple[float, float]:
        """Where it ends, less a margin: nothing lies beyond its measure's least and most."""
        low = -math.inf if self.low is None or self.low <= self.least else self.low + margin
        high = math.inf if self.high is None or self.high >= self.unit.most else self.high - margin
        return low, high

    def violation(self, value: float | None, margin: float = 0.0) -> float:
        """How far outside, in units; 0 inside."""
        if value is None:
            return UNKNOWN_VIOLATION
        low, high = self.ends(margin)
        return max(low - value, value - high, 0.0) / self.unit.step

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

    Left out are sets that play it otherwise (another profile, other parties, other players), what takes minutes to
    gather for every candidate, and what a set's exceptions explain: nobody waits for that to be reached.
    """
    sets = [asked for asked in codex.targets.values() if asked.scenario == scenario]
    plain = [asked for asked in sets if not (asked.parties or asked.contrast or asked.dungeon_profile)]
    return ", ".join(
        f"{name}={band}"
        for asked in plain
        for name, band in asked.targets.items()
        if name not in asked.exceptions and evidence_of(name) not in LONG
    )


def read_targets(text: str, context: ScenarioContext, difference: bool = False) -> tuple[Target, ...]:
    """The targets, refused with every fault at once where they are misspelt or contradict each other; those of a
    difference between two batches may be negative."""
    known, faults = list(measures_of(context)), list[Fault]()
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
            faults.append(_unknown(name, context, known))
        elif name in found:
            faults.append(Fault(name, band, "is given twice", "each name once"))
        elif ends is not None:
            found[name] = Target(name, *ends, difference)
            faults.extend(_impossible(found[name]))
    if not difference:
        faults.extend(_contradictions(found, context))
    if faults:
        raise FaultyError(f"{len(faults)} fault(s) in the targets", faults)
    return tuple(found.values())


def _ends(target: Target, band: str) -> Ends | None:
    """Both ends of a band, or nothing where it is none; what is written as x±t ends where its measure does."""
    low, high = ends = band_ends(band) or (None, None)
    if low is None or high is None or ".." in band:
        return None if ends == (None, None) else ends
    middle = (low + high) / 2
    return min(middle, max(low, target.least)), max(middle, min(high, target.unit.most))


def _unknown(name: str, context: ScenarioContext, known: Sequence[str]) -> Fault:
    head, dot, tail = name.partition(".")
    if dot and tail in OUTCOMES and head not in context.rooms:
        return Fault("target", name, f"speaks of '{head}', which is no room of this scenario", ", ".join(context.rooms))
    if dot and head == "first_down" and len(context.members) == 1:
        return Fault("target", name, "speaks of a party; this visitor is alone", "no first_down")
    return Fault("target", name, "is not known", nearest(name, known))


def _impossible(target: Target) -> Iterator[Fault]:
    """A band that is empty or lies where its measure never is."""
    if target.low is not None and target.high is not None and target.low > target.high:
        yield Fault(target.name, target.band(), "is empty: its low end is above its high end", "low..high")
    for end in (target.low, target.high):
        if end is not None and not target.least <= end <= target.unit.most:
            right = f"{target.least:g} to {target.unit.most:g}"
            yield Fault(target.name, f"{end:g}", "is outside the measure's range", right)


def _contradictions(found: Mapping[str, Target], context: ScenarioContext) -> Iterator[Fault]:
    """Shares of one whole add up to 100 %, and a side's wins to its outcomes."""
    for room in ("", *(f"{room}." for room in context.rooms)):
        spans = []
        for win, parts in (*WINS.items(), ("", SHARED)):
            low, high = _span([f"{room}{part}" for part in parts], found)
            own = found.get(win) if not room else None
            if own is not None and own.low is not None and own.low > high:
                yield Fault(win, own.band(), f"cannot hold: its outcomes may be {high:g} % at most", f"..{high:g}")
            if own is not None and own.high is not None and own.high < low:
                yield Fault(win, own.band(), f"cannot hold: its outcomes are {low:g} % at least", f"{low:g}..")
            least, most = _span([win], found) if own is not None else (0.0, 100.0)
            spans.append((max(low, least), min(high, most)))
        yield from _whole(f"{room}outcomes", spans)
    if len(context.members) > 1:
        yield from _whole("first_down", [_span([f"first_down.{one}"], found) for one in dict.fromkeys(context.members)])


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
