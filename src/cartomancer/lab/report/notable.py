"""The runs of a batch that say most: the longest, the closest, the most lopsided, and one like most others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.encounters import names
from cartomancer.lab.columns import NOTHING
from cartomancer.lab.results import Result
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import replay_command, run_name

Array = np.ndarray[Any, Any]
Columns = Mapping[str, Array]


def _lopsided(columns: Columns) -> Array:
    return -np.abs(columns["margin"].astype(np.int64))


def _off_median(column: Array) -> Array:
    return np.asarray(np.abs(column - np.median(column)))


Order = Callable[[Columns], tuple[Array, ...]]  # what a run of a kind has least of all: numbers in turn, then its index
KINDS: Final[dict[str, tuple[str, Order]]] = {
    "longest": ("most rounds", lambda columns: (-columns["rounds"].astype(np.int64),)),
    "closest": (
        "the loser's nearest resource was nearest to depletion",
        lambda columns: (columns["closeness"] == NOTHING, columns["closeness"], -_lopsided(columns)),
    ),
    "most lopsided": (
        "the largest difference between what both sides had left",
        lambda columns: (_lopsided(columns),),
    ),
    "median": (
        "rounds, then what was left, nearest to the medians of all runs",
        lambda columns: (_off_median(columns["rounds"]), _off_median(columns["margin"])),
    ),
}


@dataclass(frozen=True)
class Notable(Result):
    """A run worth reading."""

    kind: str
    index: int
    outcome: str
    rounds: int
    closeness: int | None  # % left of the loser's nearest resource; nobody loses in a Bond
    margin: int  # the dungeon's mean share at the end less the visitor's, in points
    run: str  # SCENARIO@SEED:INDEX
    command: str  # plays it again


def notable_runs(
    columns: Columns, scenario: str, seed: int, dungeon: PlayerSpec | None = None, visitor: PlayerSpec | None = None
) -> list[Notable]:
    """One run of each kind, the first of those that are equally so. A batch of nothing but Bonds has no closest."""
    found = []
    for kind, (_, order) in KINDS.items():
        place = int(np.lexsort(order(columns)[::-1])[0])
        index, closeness = int(columns["run"][place]), int(columns["closeness"][place])
        if kind == "closest" and closeness == NOTHING:
            continue
        run = run_name(scenario, seed, index)
        found.append(
            Notable(
                kind=kind,
                index=index,
                outcome=names.OUTCOMES[int(columns["outcome"][place])],
                rounds=int(columns["rounds"][place]),
                closeness=None if closeness == NOTHING else closeness,
                margin=int(columns["margin"][place]),
                run=run,
                command=replay_command(run, dungeon, visitor),
            )
        )
    return found
