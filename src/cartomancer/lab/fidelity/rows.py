"""A row of a set of targets: what was wanted, what was measured, and the verdict.

>>> from cartomancer.content.codex import load_codex
>>> asked = load_codex().targets["deceptive-character"]
>>> row = judged(asked, "kill", Target("kill", 95, 99), Estimate(97.0, 96.5, 97.4))
>>> row.target, row.verdict
('95..99', 'met')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from cartomancer.content.models.targets import TargetSet
from cartomancer.lab.measures.bands import Target
from cartomancer.lab.measures.estimates import Estimate
from cartomancer.lab.results import plain

MET: Final = "met"
EXPLAINED: Final = "explained"
MISSED: Final = "missed"
UNKNOWN: Final = "unknown"
VERDICTS: Final = (MET, EXPLAINED, MISSED, UNKNOWN)

Slack = Callable[[Target, Estimate], float]  # by how much a band is widened at both ends


def no_slack(target: Target, estimate: Estimate) -> float:
    """The band as it is written."""
    return 0.0


def sampling_error(target: Target, estimate: Estimate) -> float:
    """Half the 95 % interval: a short batch misses a band only if its interval does."""
    return 0.0 if estimate.low is None or estimate.high is None else (estimate.high - estimate.low) / 2


@dataclass(frozen=True)
class Row:
    """One target and what became of it."""

    set: str
    name: str
    target: str  # its band as written
    unit: str  # percent, points (of a difference of percents), number, count
    value: float | None  # nothing where nothing happened that could be measured
    low: float | None  # its 95 % interval …
    high: float | None  # … and of a count: those that are sure, and those that may be so
    verdict: str
    reason: str  # why it may miss its band, if the set says so
    source: str
    note: str = ""  # what stands behind the value


@dataclass(frozen=True)
class Fidelity:
    """All rows of some sets."""

    rows: tuple[Row, ...]
    runs: int
    seed: int
    quick: bool = False
    left_out: tuple[str, ...] = ()  # sets that were not measured: an interrupt came before

    @property
    def counts(self) -> dict[str, int]:
        """How many rows have each verdict."""
        found = Counter(row.verdict for row in self.rows)
        return {verdict: found[verdict] for verdict in VERDICTS}

    @property
    def holds(self) -> bool:
        """Whether every row is met or explained."""
        return all(row.verdict in {MET, EXPLAINED} for row in self.rows)

    def as_dict(self) -> dict[str, Any]:
        """In plain numbers."""
        return {
            "runs": self.runs,
            "seed": self.seed,
            "quick": self.quick,
            "complete": not self.left_out,
            "left_out": list(self.left_out),
            "counts": self.counts,
            "rows": plain(self.rows),
        }


def judged(
    asked: TargetSet,
    name: str,
    target: Target,
    estimate: Estimate,
    slack: Slack = no_slack,
    spoilt: bool = False,
    note: str = "",
) -> Row:
    """The row of a target: met if the value lies in its band; spoilt: missed even so.

    What is not met has the set's explanation, if it has one. Of a count the sure ones are the value: it is unknown
    whether a band holds that they keep and those that may be so do not.
    """
    wider = slack(target, estimate)
    held = not spoilt and target.violation(estimate.value, -wider) == 0
    reason = asked.exceptions.get(name, "")
    verdict = UNKNOWN if estimate.value is None or (held and _open(target, estimate)) else MET if held else MISSED
    return Row(
        set=asked.id,
        name=name,
        target=asked.targets.get(name) or target.band(),
        unit=unit_of(target),
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        verdict=EXPLAINED if reason and verdict != MET else verdict,
        reason=reason,
        source=asked.source,
        note=note,
    )


def _open(target: Target, estimate: Estimate) -> bool:
    return target.unit.name == "count" and target.violation(estimate.high) > 0


def unit_of(target: Target) -> str:
    """In what a target is measured."""
    return "points" if target.percent and target.difference else target.unit.name
