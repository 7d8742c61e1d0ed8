"""Do decisions matter? One decision of each run, its options played to their ends by rollouts.

>>> found = study("symbiote", runs=4, rollouts=4)
>>> 0 <= found.side("dungeon").settled.share <= 1
True

Rollouts that say which option is best do not say by how much: that is left to fresh ones (`lab/kernel/decisions.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.encounters import names
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import CartomancerError
from cartomancer.jit import prefer_compiled, records, wrapping
from cartomancer.lab.kernel.decisions import DECISION, study_decisions
from cartomancer.lab.measures.estimates import Counts
from cartomancer.lab.measures.estimates import Estimate as Measured
from cartomancer.lab.measures.measure import Evidence
from cartomancer.lab.measures.registry import read_off
from cartomancer.lab.measures.stakes import CLEAR_LEAD, NOTHING_AT_STAKE
from cartomancer.lab.results import HIDDEN, Result
from cartomancer.players.policies import PlayerSpec, Policies, pack_policies
from cartomancer.players.simulation import Progress, check_size, in_pieces, thread_memory

STUDIED: Final = 400  # decisions, where nobody says how many
ROLLOUTS: Final = 100  # for each option


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
    columns: Counts = field(compare=False, repr=False, metadata=HIDDEN)  # what was found of every run, of each side

    def side(self, name: str) -> DecisionsOfSide:
        """One side's decisions."""
        return next(found for found in self.sides if found.side == name)


def study(
    scenario: str | Packed,
    runs: int,
    rollouts: int = ROLLOUTS,
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
    columns = decision_columns(rows[:finished])
    shown, players = read_off(Evidence.DECISIONS, columns), (str(policies.dungeon), str(policies.visitor))
    sides = tuple(
        DecisionsOfSide(
            side=side,
            studied=int((columns[f"decisions_{side}"] > 0).sum()),
            sharp=_share(shown[f"decision_spread.{side}"]),
            settled=_share(shown[f"decided_early.{side}"]),
            regret=_share(shown[f"regret.{side}"]),
        )
        for side in names.SIDES
    )
    return Decisions(packed.name, *players, seed, finished, rollouts, sides, columns)


def _study(packed: Packed, policies: Policies, seed: int, first: int, rollouts: int, rows: Any) -> None:
    """Some consecutive runs on this thread."""
    memory = thread_memory(packed.tables, policies.table)
    with wrapping():
        study_decisions(*memory, np.uint64(seed), first, rollouts, rows)


def decision_columns(rows: Any) -> Counts:
    """What was found of every run, of each side. The decision that was studied stands for all of its run."""
    found: dict[str, Any] = {"runs": np.ones(len(rows), np.int64)}
    for p, side in enumerate(names.SIDES):
        decisions = np.where(rows["side"] == p, rows["decisions"], 0).astype(np.int64)
        found[f"decisions_{side}"] = decisions
        found[f"sharp_{side}"] = decisions * (rows["lead"] > CLEAR_LEAD)
        found[f"settled_{side}"] = decisions * (rows["spread"] < NOTHING_AT_STAKE)
        found[f"regret_{side}"] = decisions * rows["regret"]
    return found


def _share(found: Measured) -> Estimate:
    """Percents and points as shares; of no decisions, anything may be."""
    if found.value is None:
        return Estimate(0.0, 0.0, 1.0)
    low, high = found.interval or (0.0, 100.0)
    return Estimate(found.value / 100, low / 100, high / 100)
