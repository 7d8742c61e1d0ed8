"""What is told of a decision: the options with their scores and parts, the plan, the numbers of a formula, a sentence.

Scores, parts and the numbers of formulas are thousandths of a point, chances thousandths: as the players reckon.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from cartomancer.figures import chance
from cartomancer.players.trace import GROWS, KEPT, PLAYED, Step
from cartomancer.players.tracker import DeckTracker


@dataclass(frozen=True)
class Option:
    """One legal action and what the player makes of it."""

    action: int
    text: str
    score: int | None = None  # nothing for what is decided without one: growth, restraint, retreat, mulligans
    parts: Mapping[str, int] = field(default_factory=dict)  # they add up to the score; none of them is 0
    cost: int | None = None  # energy, of a card that is played
    worth: int | None = None  # how a smart player's rollouts end on average
    chosen: bool = False
    planned: bool = False
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """Why the asked side does what it does. A random player has neither profile nor stance, mode or chance."""

    side: str
    kind: str  # of decision: mulligan, turn, resource, member, react, offer, covenant, test
    player: str
    profile: str | None = None
    plays_as: str | None = None  # the profile whose weights count: while courting it may be another
    stance: str | None = None  # courting, fighting
    mode: str | None = None  # aggressive, balanced, defensive, desperate
    chance: int | None = None  # of winning
    options: tuple[Option, ...]
    plan: tuple[Step, ...]  # of a turn, in the order it will be played as far as the player can tell
    formula: Mapping[str, int | bool]  # the numbers behind a decision that is no matter of scores alone
    deed: str
    reason: str
    tracker: DeckTracker | None = None  # what a smart player knows of the decks, by which it determinizes

    @property
    def chosen(self) -> Option:
        """What the player does."""
        return next(option for option in self.options if option.chosen)

    @property
    def sources(self) -> tuple[Step, ...]:
        """What gives the plan its energy beyond the pool's."""
        return tuple(step for step in self.plan if step.role not in {GROWS, PLAYED, KEPT})

    def ranked(self) -> list[Option]:
        """The options by score: what goes before all scores first, what else has none last."""

        def rank(option: Option) -> tuple[int, int, bool]:
            if option.score is None:
                return (0 if option.chosen or option.planned else 2), 0, not option.chosen
            return 1, -option.score, not option.chosen

        return sorted(self.options, key=rank)

    def portrait(self) -> str:
        """Who decides, in which mood."""
        if self.profile is None:
            return self.player
        kind = [] if self.player.startswith("heuristic") else [self.player.partition(":")[0]]
        profile = self.profile if self.plays_as == self.profile else f"{self.profile} as {self.plays_as}"
        return ", ".join([*kind, profile, str(self.stance), str(self.mode), f"{chance(self.chance or 0)} to win"])

    def sentence(self) -> str:
        """The explanation in one sentence."""
        return f"The {self.side} ({self.portrait()}) {self.deed}: {self.reason}."

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        found = asdict(self)
        found["options"], found["plan"] = list(found["options"]), list(found["plan"])
        found["tracker"] = self.tracker.as_dict() if self.tracker else None
        return found | {"sources": [asdict(step) for step in self.sources], "sentence": self.sentence()}
