"""The runs of a batch that say most: the longest, the closest, the most lopsided, and one like most others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from cartomancer.encounters import names
from cartomancer.lab.columns import NOTHING
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import replay_command, run_name

Columns = Mapping[str, np.ndarray[Any, Any]]

KINDS: Final[dict[str, str]] = {
    "longest": "most rounds",
    "closest": "the loser's nearest resource was nearest to depletion",
    "most lopsided": "the largest difference between what both sides had left",
    "median": "rounds, then what was left, nearest to the medians of all runs",
}


@dataclass(frozen=True)
class Notable:
    """A run worth reading."""

    kind: str
    index: int
    outcome: str
    rounds: int
    closeness: int | None  # % left of the loser's nearest resource; nobody loses in a Bond
    margin: int  # the dungeon's mean share at the end less the visitor's, in points
    run: str  # SCENARIO@SEED:INDEX
    command: str  # plays it again

    def as_dict(self) -> dict[str, Any]:
        """In plain numbers."""
        return asdict(self)


def notable_runs(
    columns: Columns, scenario: str, seed: int, dungeon: PlayerSpec | None = None, visitor: PlayerSpec | None = None
) -> list[Notable]:
    """One run of each kind, the first of those that are equally so. A batch of nothing but Bonds has no closest."""
    found = []
    for kind, finder in FINDERS.items():
        place = finder(columns)
        if place is None:
            continue
        index, closeness = int(columns["run"][place]), int(columns["closeness"][place])
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


def _first_least(*keys: np.ndarray[Any, Any]) -> int:
    """The place of the least run by the first key, then the second, then by its index."""
    return int(np.lexsort(tuple(reversed(keys)))[0])


def _longest(columns: Columns) -> int:
    return _first_least(-columns["rounds"].astype(np.int64))


def _closest(columns: Columns) -> int | None:
    closeness = columns["closeness"].astype(np.int64)
    if (closeness == NOTHING).all():
        return None
    return _first_least(np.where(closeness == NOTHING, 1000, closeness), _size(columns))


def _most_lopsided(columns: Columns) -> int:
    return _first_least(-_size(columns))


def _median(columns: Columns) -> int:
    far = [np.abs(columns[name] - np.median(columns[name])) for name in ("rounds", "margin")]
    return _first_least(*far)


def _size(columns: Columns) -> np.ndarray[Any, Any]:
    size: np.ndarray[Any, Any] = np.abs(columns["margin"].astype(np.int64))
    return size


FINDERS: Final[dict[str, Callable[[Columns], int | None]]] = {
    "longest": _longest,
    "closest": _closest,
    "most lopsided": _most_lopsided,
    "median": _median,
}
