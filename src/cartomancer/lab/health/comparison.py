"""Two scenarios, or two players, on the same seeds: what differs beyond chance.

>>> from cartomancer.players.simulation import simulate
>>> found = compare(simulate("boar", 400, 7), simulate("boar+frenzy", 400, 7))
>>> found.runs, found.moved("kill")
(400, False)

Run k of both sides has the same seed: the same shuffles and dice as long as the same is done (common random numbers).
So differences are taken run by run, and what luck does to both cancels out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cartomancer.errors import CartomancerError
from cartomancer.lab.health.baseline import FACTS
from cartomancer.lab.measures.evidence import FALSE_DISCOVERIES, Change, false_discovery
from cartomancer.lab.measures.registry import one_by_one, paired_measures
from cartomancer.players.simulation import Simulation


@dataclass(frozen=True)
class Comparison:
    """Two batches of the same seeds, measure by measure."""

    one: Simulation
    other: Simulation
    changes: dict[str, Change]
    q_values: dict[str, float]  # p values corrected for the number of measures

    @property
    def runs(self) -> int:
        """How many pairs of runs."""
        return self.one.runs

    def moved(self, measure: str) -> bool:
        """Whether a measure differs beyond chance."""
        return self.q_values[measure] <= FALSE_DISCOVERIES

    def as_dict(self) -> dict[str, Any]:
        """In plain numbers."""
        return {
            "n": self.runs,
            "seed": self.one.seed,
            **{
                name: {
                    "scenario": batch.packed.name,
                    "dungeon": str(batch.policies.dungeon),
                    "visitor": str(batch.policies.visitor),
                    "content_digest": batch.packed.digest,
                    "result_hash": batch.result_hash,
                }
                for name, batch in (("a", self.one), ("b", self.other))
            },
            "measures": {
                measure: {
                    "a": change.before,
                    "b": change.after,
                    "difference": change.difference,
                    "interval": list(change.interval),
                    "p": change.p,
                    "q": self.q_values[measure],
                    "differs": self.moved(measure),
                }
                for measure, change in self.changes.items()
            },
        }


def compare(one: Simulation, other: Simulation) -> Comparison:
    """Compare two batches, run by run."""
    if one.seed != other.seed or one.runs != other.runs:
        raise CartomancerError("only batches of the same seed and as many runs can be compared run by run")
    before, after = (one_by_one(batch.rows, FACTS) for batch in (one, other))
    changes = {
        measure.name: measure.compared(measure.each(before), measure.each(after)) for measure in paired_measures(FACTS)
    }
    adjusted = false_discovery([change.p for change in changes.values()])
    return Comparison(one, other, changes, dict(zip(changes, adjusted, strict=True)))
