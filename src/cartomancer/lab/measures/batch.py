"""How a batch ended, in short: outcomes, wins, lengths, rooms; in memory or in files.

>>> from cartomancer.players.simulation import simulate
>>> found = summary_of(simulate("symbiote", runs=50, seed=7))
>>> found.outcomes["bond"].share > 0.2
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cartomancer.intervals import Rate
from cartomancer.lab.columns import OUTCOME_CODES
from cartomancer.lab.measures.agency import AGENCY
from cartomancer.lab.measures.estimates import Counts
from cartomancer.lab.measures.lengths import DECISIONS, ROUNDS
from cartomancer.lab.measures.measure import MeanMeasure
from cartomancer.lab.measures.outcomes import OUTCOME_MEASURES, WIN_MEASURES
from cartomancer.lab.measures.registry import one_by_one
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.lab.measures.trust import BETRAYAL
from cartomancer.lab.results import Result
from cartomancer.players.simulation import Simulation


@dataclass(frozen=True)
class RoomSummary:
    """A room in the scenario's order: how often it was reached, and how it ended when it was."""

    room: str
    reached: float
    rounds_mean: float
    outcomes: Mapping[str, Rate]


@dataclass(frozen=True)
class BatchSummary(Result):
    """A batch and what came of it; wins are a side's alone."""

    scenario: str
    n: int
    seed: int
    content_digest: str
    players: Mapping[str, str]
    players_digest: str
    outcomes: Mapping[str, Rate]
    dungeon_win: float
    dungeon_win_interval: list[float]
    visitor_win: float
    visitor_win_interval: list[float]
    rounds_mean: float
    rounds_interval: list[float] | None  # none of a single run
    decisions_mean: float
    decisions_interval: list[float] | None
    betrayal: Rate
    rooms: tuple[RoomSummary, ...]
    result_hash: str


def summary_of(batch: Simulation) -> BatchSummary:
    """The summary of a batch in memory."""
    counts = one_by_one(batch.rows, ("outcome", "rounds", "decisions", "betrayals"))
    return BatchSummary(
        scenario=batch.packed.name,
        n=batch.runs,
        seed=batch.seed,
        content_digest=batch.packed.digest,
        players={"dungeon": str(batch.policies.dungeon), "visitor": str(batch.policies.visitor)},
        players_digest=batch.policies.digest,
        outcomes={name: measure.rate(counts) for name, measure in OUTCOME_MEASURES.items()},
        **win_shares(counts),
        **_means(counts, ROUNDS, DECISIONS),
        betrayal=BETRAYAL.rate(counts),
        rooms=tuple(_room(batch, number, room) for number, room in enumerate(batch.packed.rooms)),
        result_hash=batch.result_hash,
    )


def win_shares(counts: Counts) -> dict[str, Any]:
    """The share of each side's wins, and its interval, by their names."""
    rates = {name: measure.rate(counts) for name, measure in WIN_MEASURES.items()}
    shares = {name: rate.share for name, rate in rates.items()}
    return shares | {f"{name}_interval": rate.interval for name, rate in rates.items()}


def _room(batch: Simulation, number: int, room: str) -> RoomSummary:
    here = batch.rows["room_path"] == number
    here &= np.arange(here.shape[1])[None, :] < batch.rows["rooms_entered"][:, None]
    codes, rounds = batch.rows["room_outcomes"][here], batch.rows["room_rounds"][here]
    return RoomSummary(
        room=room,
        reached=len(codes) / batch.runs,
        rounds_mean=float(rounds.mean()) if len(codes) else 0.0,
        outcomes={name: Rate(int((codes == code).sum()), len(codes)) for name, code in OUTCOME_CODES.items()},
    )


def _means(counts: Counts, *measures: MeanMeasure) -> dict[str, Any]:
    """Means and intervals by the columns they are of."""
    found: dict[str, Any] = {}
    for measure in measures:
        estimate, column = measure.estimate(counts), measure.columns[0]
        found |= {f"{column}_mean": estimate.value, f"{column}_interval": estimate.interval}
    return found


def stored_summary(table: RunTable) -> dict[str, Any]:
    """How stored runs ended, in plain numbers; every rate also says of how many runs it is."""
    counts = table.counts("outcome", "rounds", "lead_changes")
    return {
        "n": int(counts["runs"].sum()),
        "outcomes": {name: _counted(measure.rate(counts)) for name, measure in OUTCOME_MEASURES.items()},
        **{name: _counted(measure.rate(counts)) for name, measure in WIN_MEASURES.items()},
        **_means(counts, ROUNDS, AGENCY),
    }


def _counted(rate: Rate) -> dict[str, Any]:
    return {**rate.as_dict(), "runs": int(rate.hits)}
