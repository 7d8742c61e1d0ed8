"""A finding of the search for anomalies, and the run that shows it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import run_name, simulate


@dataclass(frozen=True)
class Sight:
    """A run worth looking at: the first of a scenario whose field has one of these values."""

    scenario: str
    field: str  # of a run's record
    values: tuple[int, ...]


@dataclass(frozen=True)
class Finding:
    """One anomaly: what, how sure, how bad, and where to look."""

    kind: str
    subject: str
    sentence: str
    value: float
    interval: tuple[float, float]
    bound: float  # what the value crosses
    runs: int
    p: float
    q: float
    severity: float  # from 0 at the bound to 1 at the worst there is, by the interval's nearer end
    scenario: str  # the most telling cell
    sight: Sight
    replay: str = ""  # the command that shows a run of it, once one has been looked for

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers and words."""
        found = asdict(self)
        del found["sight"]
        return found | {"interval": list(self.interval)}


def with_replays(
    findings: Iterable[Finding],
    games: int,
    seed: int,
    dungeon: PlayerSpec,
    visitor: PlayerSpec,
    codex: Codex | None = None,
) -> Iterator[Finding]:
    """The findings, each with a command that replays a run of its cell: the first that shows what was found."""
    seats = [(side, str(seat)) for side, seat in (("dungeon", dungeon), ("visitor", visitor)) if seat != PlayerSpec()]
    for finding in findings:
        sight = finding.sight
        rows = simulate(sight.scenario, games, seed, dungeon, visitor, codex=codex).rows
        shown = np.flatnonzero(np.isin(rows[sight.field], sight.values))
        run = run_name(sight.scenario, seed, int(shown[0]) if len(shown) else 0)
        words = ["cartomancer", "encounter", "replay", run]
        for side, player in seats:
            words += [f"--ai-{side}", player]
        yield replace(finding, replay=shlex.join(words))
