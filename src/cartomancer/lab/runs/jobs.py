"""A job: which runs a batch has. A scenario, two players and a seed; how many runs is not part of it, so that asking
for more goes on with the same job.

>>> boar = job_of("boar", seed=7)
>>> boar.digest == job_of("boar", seed=7).digest != job_of("boar", seed=8).digest
True
>>> list(boar.ranges(120_000))
[(0, 50000), (50000, 50000), (100000, 20000)]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from cartomancer.batches import chunks
from cartomancer.content.codex import Codex
from cartomancer.content.kept_files import Count, Part
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import CartomancerError
from cartomancer.jit import kernel_digest
from cartomancer.lab.columns import COLUMNS
from cartomancer.players.policies import PlayerSpec, Policies, pack_policies
from cartomancer.players.simulation import BLOCK, MOST_STORED_RUNS
from cartomancer.rng import MAX_SEED
from cartomancer.seals import digest_of

# Of the stored rows: other columns make another format by themselves, another meaning of one must raise the number.
FORMAT: Final = f"1-{digest_of(list(COLUMNS))}"
CHUNK: Final = 50 * BLOCK  # a few seconds of a core
SLOW_CHUNK: Final = BLOCK  # where a player rolls out

Range = tuple[int, int]  # the first run and how many


@dataclass(frozen=True)
class Job:
    """A batch of runs, however many of them are wanted."""

    packed: Packed
    policies: Policies
    seed: int

    def __post_init__(self) -> None:
        if not 0 <= self.seed <= MAX_SEED:
            raise CartomancerError(f"seed {self.seed} is outside 0 … {MAX_SEED}")

    @cached_property
    def digest(self) -> str:
        """Sixteen hex digits of everything that decides what is stored of a run."""
        return job_digest(self._deciding())

    @property
    def folder(self) -> str:
        """The name of the job's folder: the digest of the content, then the job's own."""
        return f"{self.packed.digest}-{self.digest}"

    @property
    def chunk(self) -> int:
        """How many runs a file holds: what is lost when a machine dies is a chunk for each of its workers."""
        return SLOW_CHUNK if self.policies.dungeon.rollouts or self.policies.visitor.rollouts else CHUNK

    def ranges(self, runs: int) -> Iterator[Range]:
        """The chunks of so many runs, one after the other; all but the last are whole."""
        if not 1 <= runs <= MOST_STORED_RUNS:
            raise CartomancerError(f"{runs} runs: a job has 1 to {MOST_STORED_RUNS:,}")
        return chunks(0, runs, self.chunk)

    def describe(self) -> dict[str, Any]:
        """The job in plain words and numbers, as it lies beside its runs."""
        return {"job": self.digest, **self._deciding()}

    def _deciding(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "scenario": self.packed.name,
            "rooms": list(self.packed.rooms),
            "content": self.packed.digest,
            "dungeon": str(self.policies.dungeon),
            "visitor": str(self.policies.visitor),
            "players": self.policies.digest,
            "seed": self.seed,
            "kernels": kernel_digest(),  # of the rules' code: other rules play other runs
        }


class AnyDescription(Part):
    """The shape of a described job, whatever the format of its rows: `job` is the digest of the rest."""

    job: str
    format: str | int


class Description(AnyDescription):
    """The shape of what `Job.describe` says."""

    scenario: str
    rooms: list[str]
    content: str
    dungeon: str
    visitor: str
    players: str
    seed: Count
    kernels: str


def job_digest(facts: Mapping[str, Any]) -> str:
    """The digest of a described job."""
    return digest_of({key: value for key, value in facts.items() if key != "job"}, digits=16)


def job_of(
    scenario: str | Packed,
    seed: int = 0,
    dungeon: PlayerSpec | None = None,
    visitor: PlayerSpec | None = None,
    codex: Codex | None = None,
) -> Job:
    """The batch of a scenario between two players with this seed."""
    packed = scenario if isinstance(scenario, Packed) else pack(scenario, codex)
    return Job(packed, pack_policies(packed, dungeon, visitor, codex), seed)
