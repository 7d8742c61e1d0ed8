"""Do decisions matter? One decision of each run, its options played to their ends by rollouts.

>>> found = study("symbiote", runs=4, rollouts=4)
>>> 0 <= found.side("dungeon").settled.share <= 1
True

Rollouts that say which option is best do not say by how much: that is left to fresh ones (`lab/kernel/decisions.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.encounters import names
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import CartomancerError
from cartomancer.intervals import Z95
from cartomancer.jit import prefer_compiled, records, wrapping
from cartomancer.lab.kernel.decisions import DECISION, study_decisions
from cartomancer.lab.results import Result
from cartomancer.players.policies import PlayerSpec, Policies, pack_policies
from cartomancer.players.simulation import Progress, check_size, in_pieces, thread_memory

CLEAR_LEAD: Final = 30  # thousandths: a best option that leads by more makes a decision sharp
NOTHING_AT_STAKE: Final = 10  # thousandths between best and worst: below it nothing matters any more


@dataclass(frozen=True)
class Estimate(Result):
    """A mean over decisions with its 95 % interval; a run with more decisions counts more."""

    share: float
    low: float
    high: float


@dataclass(frozen=True)
class DecisionsOfSide(Result):
    """What the decisions of one side were like, of those with more than one option."""

    side: str
    studied: int
    sharp: Estimate  # the best option leads the second by more than three points
    settled: Estimate  # less than a point lies between the best and the worst
    regret: Estimate  # what the player's choices lose against the best, on average


@dataclass(frozen=True)
class Decisions(Result):
    """What the decisions of a scenario's runs are like between two players."""

    scenario: str
    dungeon: str
    visitor: str
    seed: int
    runs: int
    rollouts: int  # for each option; four times as many for those that are compared
    sides: tuple[DecisionsOfSide, ...]

    def side(self, name: str) -> DecisionsOfSide:
        """One side's decisions."""
        return next(found for found in self.sides if found.side == name)


def study(
    scenario: str | Packed,
    runs: int,
    rollouts: int = 100,
    seed: int = 0,
    dungeon: PlayerSpec | str | None = None,
    visitor: PlayerSpec | str | None = None,
    threads: int | None = None,
    progress: Progress = lambda done: None,
    codex: Codex | None = None,
) -> Decisions:
    """Study one decision of each run of a batch. An interrupt ends it early, with the leading finished runs."""
    check_size(runs, threads)
    if rollouts < 1:
        raise CartomancerError(f"{rollouts} rollouts: a decision needs one or more for each option")
    prefer_compiled()
    packed = scenario if isinstance(scenario, Packed) else pack(scenario, codex)
    policies = pack_policies(packed, dungeon, visitor, codex)
    rows = records(runs, DECISION)

    def play(piece: tuple[int, int]) -> int:
        first, count = piece
        _study(packed, policies, seed, first, rollouts, rows[first : first + count])
        return count

    finished = in_pieces(play, runs, policies, threads, progress, rollouts=rollouts)
    studied = rows[:finished][rows[:finished]["decisions"] > 0]
    sides = tuple(_of_side(name, studied[studied["side"] == p]) for p, name in enumerate(names.SIDES))
    players = str(policies.dungeon), str(policies.visitor)
    return Decisions(packed.name, *players, seed, finished, rollouts, sides)


def _study(packed: Packed, policies: Policies, seed: int, first: int, rollouts: int, rows: Any) -> None:
    """Some consecutive runs on this thread."""
    memory = thread_memory(packed.tables, policies.table)
    with wrapping():
        study_decisions(*memory, np.uint64(seed), first, rollouts, rows)


def _of_side(side: str, rows: Any) -> DecisionsOfSide:
    weights = rows["decisions"].astype(float)
    return DecisionsOfSide(
        side=side,
        studied=len(rows),
        sharp=_mean(rows["lead"] > CLEAR_LEAD, weights),
        settled=_mean(rows["spread"] < NOTHING_AT_STAKE, weights),
        regret=_mean(rows["regret"] / 1000, weights),
    )


def _mean(values: Any, weights: Any) -> Estimate:
    """A weighted mean and its interval: a ratio of two sums over runs, by the delta method."""
    total = weights.sum()
    if not total:
        return Estimate(0.0, 0.0, 1.0)
    mean = float((weights * values).sum() / total)
    error = float(np.sqrt((weights**2 * (values - mean) ** 2).sum()) / total)
    return Estimate(mean, mean - Z95 * error, mean + Z95 * error)
