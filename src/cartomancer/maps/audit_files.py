"""Saved audits: what `map audit --json` printed, read again to be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from cartomancer.content.kept_files import Count, Kept, Part, read_kept
from cartomancer.content.models.base import Complaints
from cartomancer.maps import families
from cartomancer.maps.unknowns import OUTCOMES

FORMAT: Final = "cartomancer.audit/1"
AN_AUDIT: Final = "a saved audit"

Bounds = Annotated[list[float], Field(min_length=2, max_length=2)]
Histogram = dict[Annotated[str, Field(pattern="^[0-9]{1,9}$")], Count]  # how many maps have each number


class TypeFacts(Part):
    """How many nodes of a type there are."""

    mean: float
    interval: Bounds | None
    share: float
    maps_with: float
    maps_with_interval: Bounds


class OnRoutes(Part):
    """How many nodes of a type a route can meet."""

    least: Histogram
    most: Histogram


class Minutes(Part):
    """Minutes of play of the quickest, the mean and the longest route (M29)."""

    quickest_mean: float
    quickest_interval: Bounds | None
    minutes_mean: float
    minutes_interval: Bounds | None
    longest_mean: float
    longest_interval: Bounds | None


class Routes(Part):
    """How many routes there are, and what they meet."""

    log2: Histogram
    disjoint: Histogram
    forced_nodes: Histogram
    types: dict[str, OnRoutes]
    minutes: Minutes | None = None


class Visit(Part):
    """What the first, second, … Unknown of a route became."""

    times: Count
    outcomes: dict[str, float]


class Range(Part):
    """How linear and how dangerous the maps are."""

    linearity_mean: float
    linearity_interval: Bounds | None
    danger_mean: float
    danger_interval: Bounds | None


class Typing(Part):
    """How the types were rolled."""

    reroll_rate: float
    reroll_rate_interval: Bounds
    waiver_rate: float
    waiver_rate_interval: Bounds


class StakeOutcome(Part):
    """How often a stake came out so."""

    title: str
    share: float
    interval: Bounds


class StakeKind(Part):
    """The nodes with a kind of stake."""

    nodes: Count
    outcomes: list[StakeOutcome]


class Stakes(Part):
    """What was at stake."""

    kinds: dict[str, StakeKind]


class Audit(Kept, Part):
    """What a comparison reads of an audit."""

    format: Literal["cartomancer.audit/1"]
    family: str
    preset: str
    ruleset: str
    first_seed: Count
    maps: Annotated[int, Field(ge=1)]
    types: dict[str, TypeFacts]
    routes: Routes
    expressive_range: Range
    typing: Typing
    unknown: list[Visit]
    stakes: Stakes | None = None

    def complaints(self) -> Complaints:
        known = families.known(self.family)
        yield "family", not known, f"family is not a map family: {', '.join(families.names())}"
        missing = [kind for kind in families.of(self.family).kinds if kind not in self.types] if known else []
        yield "types", missing, f"types lack {', '.join(missing)}"
        for number, visit in enumerate(self.unknown, 1):
            gone = [outcome for outcome in OUTCOMES if outcome not in visit.outcomes]
            yield f"unknown[{number}]", gone, f"unknown[{number}] lacks the outcomes {', '.join(gone)}"


def read_audit(path: Path) -> dict[str, Any]:
    """A saved audit, refused with every fault if it is damaged."""
    return read_kept(path, Audit, AN_AUDIT)
