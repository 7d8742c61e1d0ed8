"""A finding of the search for anomalies, and the run that shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.lab.results import HIDDEN, Result
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import replay_command, run_name, simulate


@dataclass(frozen=True)
class ExampleRun:
    """A run worth looking at: the first of a scenario whose field has one of these values."""

    scenario: str
    field: str  # of a run's record
    values: tuple[int, ...]


@dataclass(frozen=True)
class Finding(Result):
    """One anomaly: what, how sure, how bad, and where to look."""

    kind: str
    subject: str
    sentence: str
    value: float
    interval: tuple[float, float]
    bound: float  # what the value crosses
    runs: int
    p: float
    severity: float  # from 0 at the bound to 1 at the worst there is, by the interval's nearer end
    scenario: str  # the most telling cell
    example: ExampleRun = field(metadata=HIDDEN)
    q: float = 1.0  # the p value corrected for the number of questions
    replay: str = ""  # the command that shows a run of it, once one has been looked for


@dataclass(frozen=True)
class Anomalies(Result):
    """What was searched, and every finding."""

    cells: int
    games: int
    seed: int
    peeked: bool  # whether games were spent by looking at results
    cards: int  # surveyed
    attacked: int  # cells in which a panel played
    counts: dict[str, int]  # of findings by kind, the kind with the worst first
    anomalies: list[Finding]


def with_replays(
    findings: Iterable[Finding],
    games: int,
    seed: int,
    dungeon: PlayerSpec,
    visitor: PlayerSpec,
    codex: Codex | None = None,
) -> Iterator[Finding]:
    """The findings, each with a command that replays a run of its cell: the first that shows what was found, unless it
    brought one of its own."""
    for finding in findings:
        if finding.replay:
            yield finding
            continue
        example = finding.example
        rows = simulate(example.scenario, games, seed, dungeon, visitor, codex=codex).rows
        shown = np.flatnonzero(np.isin(rows[example.field], example.values))
        run = run_name(example.scenario, seed, int(shown[0]) if len(shown) else 0)
        yield replace(finding, replay=replay_command(run, dungeon, visitor))
