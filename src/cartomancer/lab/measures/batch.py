"""How a batch ended, in short: outcomes, wins, lengths, rooms; in memory or in files.

>>> from cartomancer.players.simulation import simulate
>>> found = summary_of(simulate("symbiote", runs=50, seed=7))
>>> found.outcomes["bond"].share > 0.2
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.intervals import Rate
from cartomancer.lab.columns import OUTCOME_CODES, SIDES
from cartomancer.lab.measures.agency import AGENCY
from cartomancer.lab.measures.estimates import Estimate, plain
from cartomancer.lab.measures.lengths import DECISIONS, ROUNDS
from cartomancer.lab.measures.outcomes import OUTCOME_MEASURES, WIN_MEASURES
from cartomancer.lab.measures.registry import one_by_one
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.lab.measures.trust import BETRAYAL
from cartomancer.players.simulation import Simulation

STORED_MEANS: Final = (ROUNDS, AGENCY)


@dataclass(frozen=True)
class RoomSummary:
    """A room in the scenario's order: how often it was reached, and how it ended when it was."""

    room: str
    reached: float
    rounds_mean: float
    outcomes: Mapping[str, Rate]


@dataclass(frozen=True)
class BatchSummary:
    """A batch and what came of it."""

    batch: Simulation
    outcomes: Mapping[str, Rate]
    wins: Mapping[str, Rate]  # by side, alone
    means: Mapping[str, Estimate]  # rounds and decisions of a run
    betrayal: Rate
    rooms: tuple[RoomSummary, ...]

    def as_dict(self) -> dict[str, Any]:
        """Everything a report needs, in plain numbers."""
        batch, found = self.batch, dict[str, Any]()
        for side, rate in self.wins.items():
            found |= {f"{side}_win": rate.share, f"{side}_win_interval": rate.interval}
        return {
            "scenario": batch.packed.name,
            "n": batch.runs,
            "seed": batch.seed,
            "content_digest": batch.packed.digest,
            "players": {"dungeon": str(batch.policies.dungeon), "visitor": str(batch.policies.visitor)},
            "players_digest": batch.policies.digest,
            "outcomes": plain(self.outcomes),
            **found,
            **_means(self.means),
            "betrayal": self.betrayal.as_dict(),
            "rooms": plain(self.rooms),
            "result_hash": batch.result_hash,
        }


def summary_of(batch: Simulation) -> BatchSummary:
    """The summary of a batch in memory."""
    counts = one_by_one(batch.rows, ("outcome", "rounds", "decisions", "betrayals"))
    return BatchSummary(
        batch=batch,
        outcomes={name: measure.rate(counts) for name, measure in OUTCOME_MEASURES.items()},
        wins={side: WIN_MEASURES[f"{side}_win"].rate(counts) for side in SIDES},
        means={measure.name: measure.estimate(counts) for measure in (ROUNDS, DECISIONS)},
        betrayal=BETRAYAL.rate(counts),
        rooms=tuple(_room(batch, number, room) for number, room in enumerate(batch.packed.rooms)),
    )


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


def _means(means: Mapping[str, Estimate]) -> dict[str, Any]:
    return {
        key: value
        for name, found in means.items()
        for key, value in ((f"{name}_mean", found.value), (f"{name}_interval", found.interval))
    }


def stored_summary(table: RunTable) -> dict[str, Any]:
    """How stored runs ended, in plain numbers; every rate also says of how many runs it is."""
    counts = table.counts("outcome", "rounds", "lead_changes")
    return {
        "n": int(counts["runs"].sum()),
        "outcomes": {name: _counted(measure.rate(counts)) for name, measure in OUTCOME_MEASURES.items()},
        **{name: _counted(measure.rate(counts)) for name, measure in WIN_MEASURES.items()},
        **_means({measure.columns[0]: measure.estimate(counts) for measure in STORED_MEANS}),
    }


def _counted(rate: Rate) -> dict[str, Any]:
    return {**rate.as_dict(), "runs": int(rate.hits)}
