"""A game looked back upon: where it turned, by chance or by a decision, and what its decisions cost.

>>> from cartomancer.encounters import Encounter
>>> from cartomancer.players.player import make_players, play_out
>>> run = Encounter("symbiote", seed=7)
>>> found = review(play_out(run, make_players(run.packed)), rollouts=4)
>>> len(found.course) == len(run.actions) + 1, len(found.turning_points) <= 5
(True, True)

The worth of the ending is estimated by rollouts between heuristic players, with the cards as they lie (`prospects`,
`turning_points`). A decision is judged by what its side knew: against the choice of a smart player in its place, both
tried again under the same fresh luck, with hidden cards dealt anew. Everything follows from the game and the number of
rollouts.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any, Final

import numpy as np

from cartomancer.codes import STREAM_STUDY
from cartomancer.content.codex import Codex
from cartomancer.encounters.encounter import Encounter, Outcome
from cartomancer.encounters.kernel.layout import STATE
from cartomancer.encounters.names import SIDES
from cartomancer.errors import CartomancerError
from cartomancer.intervals import mean_interval
from cartomancer.jit import prefer_compiled, records, wrapping
from cartomancer.players.kernel.layout import ARM
from cartomancer.players.kernel.smart import try_arms
from cartomancer.players.player import make_players
from cartomancer.players.policies import MOST_ROLLOUTS, PlayerSpec, pack_policies, player_spec
from cartomancer.players.prospects import Prospects
from cartomancer.players.simulation import Progress
from cartomancer.players.trace import growth_in
from cartomancer.players.turning_points import FRESH, Moment, Step, Turn, steps_of, turning_points
from cartomancer.rng import Stream

ROLLOUTS: Final = 200  # for each position, where nobody says how many
SMART: Final = 2  # times as many have smart players for a decision
PLAYED, BETTER, BOTH = 0, 1, 0b11  # arms: what was played, what a smart player would have; both of them, as bits


@dataclass(frozen=True)
class Choice:
    """A decision that a smart player would have taken otherwise."""

    number: int  # of the action
    room: str
    round: int
    kind: str  # of the decision: mulligan, turn, …
    played: str
    smart: str
    cost: float  # what the smart player's choice is worth more, from 0 to 1
    error: float  # half the 95 % interval

    @property
    def is_clear(self) -> bool:
        """Whether it cost something, beyond noise."""
        return self.cost > self.error


@dataclass(frozen=True)
class Judged:
    """One side's decisions against a smart player's."""

    side: str
    decisions: int  # with more than one option
    choices: tuple[Choice, ...]  # those that a smart player would have taken otherwise, in the order of the game

    @property
    def cost(self) -> float:
        """What all of them cost together."""
        return sum(choice.cost for choice in self.choices)

    @property
    def error(self) -> float:
        """Half its 95 % interval."""
        return sqrt(sum(choice.error**2 for choice in self.choices))


@dataclass(frozen=True)
class Review:
    """A game, looked back upon."""

    scenario: str
    seed: int
    outcome: Outcome | None
    rollouts: int
    course: tuple[Moment, ...]  # before every action, and at the end
    turning_points: tuple[Turn, ...]  # three to five, in the order of the game
    judged: tuple[Judged, ...]

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        found = asdict(self) | {"seed": str(self.seed)}
        for told, turn in zip(found["turning_points"], self.turning_points, strict=True):
            told["change"] = {side: turn.change(side) for side in SIDES}
        for told, judged in zip(found["judged"], self.judged, strict=True):
            told |= {"cost": judged.cost, "error": judged.error}
        return found


def review(
    run: Encounter,
    side: str | None = None,
    rollouts: int = ROLLOUTS,
    dungeon: PlayerSpec | str | None = None,
    visitor: PlayerSpec | str | None = None,
    codex: Codex | None = None,
    progress: Progress = lambda done: None,
) -> Review:
    """Look back upon a game as far as it was played; with a side, at what mattered to it and at its decisions alone.

    Of the players only the profiles count: rollouts are between heuristic players with these. `progress` is told of
    steps; there are `review_steps`.
    """
    if not run.actions:
        raise CartomancerError("nothing has been decided yet: there is nothing to look back upon")
    if not 1 <= rollouts <= MOST_ROLLOUTS // SMART:
        raise CartomancerError(f"{rollouts} rollouts: a review has 1 to {MOST_ROLLOUTS // SMART:,} for each position")
    prefer_compiled()
    specs = _heuristic(dungeon, SIDES[0], codex), _heuristic(visitor, SIDES[1], codex)
    steps = steps_of(run, codex)
    prospects = Prospects(run.packed, pack_policies(run.packed, *specs, codex=codex))
    course, turns = turning_points(prospects, steps, rollouts, side, progress)
    judge = _Judge(run, specs, rollouts, codex)
    judged = {name: list[Choice | None]() for name in SIDES if side in {None, name}}
    for done, step in enumerate(steps, 1):
        if step.side in judged and judge.asks(step):
            judged[step.side].append(judge.choice(step))
        progress(len(steps) + done)
    return Review(
        scenario=run.packed.name,
        seed=run.seed,
        outcome=run.outcome,
        rollouts=rollouts,
        course=tuple(course),
        turning_points=tuple(turns),
        judged=tuple(
            Judged(name, len(found), tuple(choice for choice in found if choice)) for name, found in judged.items()
        ),
    )


def review_steps(run: Encounter) -> int:
    """How many steps of progress a review has."""
    return 2 * len(run.actions)


def _heuristic(player: PlayerSpec | str | None, side: str, codex: Codex | None) -> PlayerSpec:
    """A heuristic player with somebody's profile."""
    spec = player_spec(player, side, codex) if isinstance(player, str) else player
    return PlayerSpec(profile=spec.profile if spec else None)


class _Judge:
    """A smart player in both seats that looks at decisions it did not take."""

    def __init__(
        self, run: Encounter, specs: tuple[PlayerSpec, PlayerSpec], rollouts: int, codex: Codex | None
    ) -> None:
        first, second = (PlayerSpec("smart", spec.profile, SMART * rollouts) for spec in specs)
        self.players = make_players(run.packed, first, second, codex)
        self.rollouts = FRESH * rollouts
        self._states = records(2, STATE)

    def asks(self, step: Step) -> bool:
        """Whether there was a choice, other than to let the pool grow, as everybody does."""
        return step.options > 1 and growth_in(self.players, step.before) != step.action

    def choice(self, step: Step) -> Choice | None:
        """What a smart player would have chosen instead, and what that is worth more; nothing where it is the same."""
        position, wanted = step.before, self.players.choose(step.before)
        decision, smart = position.decision, position.text_of(wanted)
        if smart == step.text or decision is None:
            return None
        mind = self.players.mind
        mind["arm_count"] = 2
        for arm, action in ((PLAYED, step.action), (BETTER, wanted)):
            mind["arms"][arm] = np.zeros((), ARM)
            mind["arms"][arm]["action"] = action
        self._states[0] = position.state
        luck = np.uint64(Stream(position.seed, STREAM_STUDY, step.number).state)
        tables, policies, p = position.packed.tables, self.players.policies.table, SIDES.index(step.side)
        with wrapping():
            try_arms(tables, policies, self._states, 0, 1, p, luck, 0, self.rollouts, BOTH, mind)
        better = mind["arms"][BETTER]
        cost, interval = mean_interval(int(better["gain"]) / 1000, int(better["squares"]) / 1_000_000, self.rollouts)
        return Choice(
            number=step.number,
            room=position.room,
            round=position.round,
            kind=decision.kind,
            played=step.text,
            smart=smart,
            cost=cost,
            error=interval[1] - cost if interval else 1.0,
        )
