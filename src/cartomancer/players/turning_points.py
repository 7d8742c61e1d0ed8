"""Where a game turned: what every decision, and what chance made of it, changed of the ending's worth to both sides.

What changes when a decision is taken, before any die falls, is the decision's; what changes after it, until the next
one, is chance's: dice where any were rolled, else cards. Swings are found with few rollouts and measured with fresh
ones, so that none is told of only because it was lucky when it was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.encounters.actions import card_at
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.names import SIDES
from cartomancer.encounters.narration import Narrator
from cartomancer.encounters.sentences import Kind
from cartomancer.intervals import Z95
from cartomancer.players.prospects import Prospects
from cartomancer.players.simulation import Array, Progress

FRESH: Final = 4  # times as many rollouts measure a swing as find it
MOST: Final = 5  # turning points that are told
LEAST: Final = 3  # … however small, if they are more than noise
CLEAR: Final = 0.03  # … and how large the others must be
CANDIDATES: Final = 3 * MOST  # swings that are measured
ROLLS: Final = {"strike_rolled", "reacted", "initiative"}  # events that tell of dice
TOLD: Final = {Kind.DEED, Kind.CAUSE, Kind.EFFECT}  # lines that are no headings


_Position = tuple[Encounter, int | None]  # and the action that is taken there


@dataclass(frozen=True)
class Worths:
    """What the ending is worth to each side on average, from 0 to 1: by the goal of its profile."""

    dungeon: float
    visitor: float

    def of(self, side: str) -> float:
        """To one side."""
        return self.dungeon if side == SIDES[0] else self.visitor


@dataclass(frozen=True)
class Moment:
    """A position of the game: before an action, or its end."""

    number: int  # of the action that follows, from 1
    room: str
    round: int
    worths: Worths


@dataclass(frozen=True)
class Turn:
    """A turning point."""

    number: int  # of the action
    room: str
    round: int
    side: str  # whose action it was
    action: str
    cause: str  # decision; or dice, cards: what chance made of it
    before: Worths
    after: Worths
    error: float  # of the larger change: half its 95 % interval
    story: tuple[str, ...]  # what happened
    drawn: Mapping[str, tuple[str, ...]]  # the cards that came into each side's hand

    def change(self, side: str) -> float:
        """What it changed for a side."""
        return self.after.of(side) - self.before.of(side)

    def size(self, side: str | None = None) -> float:
        """How much it changed: for a side, or for the side for which it changed most."""
        return max(abs(self.change(name)) for name in SIDES if side in {None, name})


@dataclass(frozen=True)
class Step:
    """One action of the game."""

    number: int
    before: Encounter
    after: Encounter
    action: int
    side: str
    options: int
    story: tuple[str, ...]
    rolled: bool  # whether dice told what came of it

    @property
    def text(self) -> str:
        """The action, readable."""
        return self.before.text_of(self.action)

    @property
    def by_chance(self) -> bool:
        """Whether chance had a say in what came of it."""
        return not np.array_equal(self.before.state["streams"], self.after.state["streams"])


def steps_of(run: Encounter, codex: Codex | None = None) -> list[Step]:
    """A game action by action."""
    again, narrator, steps = Encounter(run.packed, run.seed), Narrator(run.packed, codex=codex), list[Step]()
    narrator.lines(again.opening)
    for number, action in enumerate(run.actions, 1):
        before, decision = again.copy(), again.decision
        assert decision is not None
        events = again.apply(action)
        story = tuple(line.text for line in narrator.lines(events) if line.kind in TOLD)
        rolled = any(event.kind in ROLLS for event in events)
        options = len(before.legal())
        steps.append(Step(number, before, again.copy(), action, decision.side, options, story, rolled))
    return steps


@dataclass(frozen=True)
class _Swing:
    """What one cause changed, as it was found."""

    step: Step
    cause: str
    before: _Position
    after: _Position
    found: Array  # the change for each side

    def size(self, side: str | None) -> float:
        """How much, for a side or for the side for which it changed most."""
        return float(np.abs(self.found if side is None else self.found[SIDES.index(side)]).max())

    def measured(self, prospects: Prospects, luck: range) -> Turn:
        """The same under fresh luck."""
        before, after = (prospects.of(*place, luck) for place in (self.before, self.after))
        changes = after - before
        most = int(np.abs(changes.mean(axis=0)).argmax())
        step = self.step
        return Turn(
            **_place(step.number, step.before),
            side=step.side,
            action=step.text,
            cause=self.cause,
            before=_worths(before),
            after=_worths(after),
            error=half_interval(changes[:, most]),
            story=step.story,
            drawn={side: _drawn(step, p) for p, side in enumerate(SIDES)},
        )


def turning_points(
    prospects: Prospects, steps: list[Step], rollouts: int, side: str | None, progress: Progress
) -> tuple[list[Moment], list[Turn]]:
    """The course of a game, and the three to five swings that changed most for a side or for any, in their order;
    fewer where little happened."""
    course, swings = _followed(prospects, steps, range(rollouts), progress)
    swings.sort(key=lambda swing: -swing.size(side))
    fresh = range(rollouts, (1 + FRESH) * rollouts)
    turns = [swing.measured(prospects, fresh) for swing in swings[:CANDIDATES]]
    turns.sort(key=lambda turn: -turn.size(side))
    told = [
        turn
        for place, turn in enumerate(turns[:MOST])
        if turn.size(side) > turn.error and (place < LEAST or turn.size(side) >= CLEAR)
    ]
    return course, sorted(told, key=lambda turn: turn.number)


def _followed(
    prospects: Prospects, steps: list[Step], luck: range, progress: Progress
) -> tuple[list[Moment], list[_Swing]]:
    """The worths before every action and at the end, and everything that changed them."""
    course, swings = list[Moment](), list[_Swing]()
    worths = prospects.of(steps[0].before, None, luck)
    for done, step in enumerate(steps, 1):
        course.append(Moment(**_place(step.number, step.before), worths=_worths(worths)))
        before: _Position = (step.before, None)
        taken, decided = before, worths
        if step.options > 1:
            taken = step.before, step.action
            decided = prospects.of(*taken, luck)
            change = (decided - worths).mean(axis=0)
            swings.append(_Swing(step, "decision", before, taken, change))
        worths = decided
        if step.by_chance:
            worths = prospects.of(step.after, None, luck)
            change = (worths - decided).mean(axis=0)
            swings.append(_Swing(step, "dice" if step.rolled else "cards", taken, (step.after, None), change))
        progress(done)
    last = steps[-1]
    return [*course, Moment(**_place(last.number + 1, last.after), worths=_worths(worths))], swings


def _drawn(step: Step, p: int) -> tuple[str, ...]:
    """The cards in a side's hand that were not there before."""
    before, after = (_hand(position, p) for position in (step.before, step.after))
    return tuple(card_at(step.after.packed, step.after.state, p, k).id for k in after if k not in before)


def _hand(position: Encounter, p: int) -> list[int]:
    record = position.state["sides"][p]
    return [int(instance) for instance in record["hand"][: int(record["hand_size"])]]


def _place(number: int, position: Encounter) -> dict[str, Any]:
    """Where in the game."""
    return {"number": number, "room": position.room, "round": position.round}


def _worths(rollouts: Array) -> Worths:
    dungeon, visitor = rollouts.mean(axis=0).tolist()
    return Worths(dungeon, visitor)


def half_interval(values: Array) -> float:
    """Half the 95 % interval of a mean; of one value nothing is known."""
    return float(Z95 * values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 1.0
