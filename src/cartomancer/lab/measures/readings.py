"""What the metrics mean together, in words [GDD 18.3], and the win rate as a description [GDD 14.1].

The metrics diagnose; they are no gates. A side of a pattern that the document calls high is anything not below the
healthy range, so that "high" includes healthy. Closeness is high where endings are narrow: where little was left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from cartomancer.content.models.quality import TierSpans
from cartomancer.intervals import Rate
from cartomancer.lab.columns import SIDES
from cartomancer.lab.measures.estimates import Counts
from cartomancer.lab.measures.outcomes import OUTCOME_MEASURES, WIN_MEASURES
from cartomancer.lab.measures.verdicts import HEALTHY, HIGH, LOW, verdict_of
from cartomancer.lab.results import HIDDEN

AGENCY, CLOSENESS, DIVERSITY = "agency", "closeness", "diversity"
NARROW: Final = frozenset({LOW, HEALTHY})  # of closeness: little was left
LIVELY: Final = frozenset({HEALTHY, HIGH})


@dataclass(frozen=True)
class Reading:
    """Verdicts that together say more than each by itself."""

    id: str
    title: str
    reading: str
    when: Mapping[str, frozenset[str]] = field(metadata=HIDDEN)

    def fits(self, verdicts: Mapping[str, str | None]) -> bool:
        """Whether every metric it speaks of has one of its verdicts."""
        return all(verdicts[metric] in wanted for metric, wanted in self.when.items())


PATTERNS: Final = (
    Reading(
        "same_ending",
        "exciting, but it always ends the same way",
        "The lead goes back and forth, yet one outcome takes nearly all runs. Moment to moment it plays well; cards "
        "and auto-effects funnel it towards one win condition.",
        {AGENCY: LIVELY, DIVERSITY: frozenset({LOW})},
    ),
    Reading(
        "decided_early",
        "many endings, but decided early",
        "Outcomes vary, yet who leads early wins. Resources run down faster than anybody can come back.",
        {AGENCY: frozenset({LOW}), DIVERSITY: LIVELY},
    ),
    Reading(
        "grind",
        "narrow, but the leader never changes",
        "Runs end narrowly, but the side in front stays in front: a siege. That can please against the computer; "
        "between two people it is poor.",
        {AGENCY: frozenset({LOW}), CLOSENESS: NARROW},
    ),
    Reading(
        "first_target_decides",
        "great swings, clear endings",
        "The lead swings, but the loser's other resources are hardly touched: what is attacked first decides. Look at "
        "the variety of targets.",
        {AGENCY: LIVELY, CLOSENESS: frozenset({HIGH})},
    ),
)
ALL_WELL: Final = Reading(
    "healthy",
    "a good matchup",
    "Agency, closeness and diversity are healthy: the win rate describes the matchup and needs no mending.",
    {metric: frozenset({HEALTHY}) for metric in (AGENCY, CLOSENESS, DIVERSITY)},
)
NO_PATTERN: Final = Reading(
    "no_pattern",
    "no common pattern",
    "The verdicts fit none of the known combinations: read each metric by itself.",
    {},
)


def readings(agency: str | None, closeness: str | None, diversity: str | None) -> tuple[Reading, ...]:
    """The patterns that the verdicts fit: one or more, or that all is well, or that none is known."""
    verdicts = {AGENCY: agency, CLOSENESS: closeness, DIVERSITY: diversity}
    return tuple(pattern for pattern in (*PATTERNS, ALL_WELL) if pattern.fits(verdicts)) or (NO_PATTERN,)


# --- the win rate -----------------------------------------------------------------------------------------------------

USUAL: Final = {
    "creature": "a creature is content, and is expected to lose {low:.0f} % or more",
    "party": "between a party and a dungeon that are both well made, {low:.0f} to {high:.0f} % is usual",
}
BESIDE: Final = {LOW: "it is less", HIGH: "it is more", HEALTHY: "so it is"}


@dataclass(frozen=True)
class WinRate:
    """How often each side wins, and what is usual: a description of the matchup, no verdict on it."""

    tier: str
    dungeon: Rate
    visitor: Rate
    bond: Rate
    usual: tuple[float, float]
    reading: str


def win_rate(counts: Counts, is_party: bool, spans: TierSpans) -> WinRate:
    """The win rate of a batch, described."""
    dungeon, visitor = (WIN_MEASURES[f"{side}_win"].rate(counts) for side in SIDES)
    bond, total = OUTCOME_MEASURES["bond"].rate(counts), dungeon.tries
    tier, span = "party" if is_party else "creature", spans.of(is_party)
    low, high = (100 * end for end in span.healthy)
    usual = f"{USUAL[tier].format(low=low, high=high)}; {BESIDE[verdict_of(dungeon.share, span)]} here"
    bonds = f", and in {100 * bond.hits / total:.1f} % a Bond is both sides' win" if bond.hits else ""
    reading = f"the dungeon wins {100 * dungeon.share:.1f} % alone{bonds}: {usual}"
    return WinRate(tier, dungeon, visitor, bond, span.healthy, reading)
