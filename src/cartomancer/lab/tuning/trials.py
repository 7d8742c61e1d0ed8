"""The tuner's bench: it plays candidates, all of them on the same seeds, and remembers what each showed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cartomancer.content.codex import Codex
from cartomancer.encounters.packing import pack
from cartomancer.errors import CartomancerError, ContentError
from cartomancer.lab.tuning.levers import Lever, Steps, cost, turned
from cartomancer.lab.tuning.targets import Cast, Estimate, Target, distance, measure
from cartomancer.players.minds import Seating
from cartomancer.players.simulation import Simulation, simulate

Progress = Callable[[int], None]  # told how many evaluations are done
Turns = tuple[tuple[str, int], ...]  # the levers that are turned, by id, in order
LONGER: Final = 4  # how many times as many runs a promising candidate plays
PENALTY: Final = 0.01  # distance that a unit of cost is worth


@dataclass(frozen=True)
class Candidate:
    """Some levers turned, and what a batch of it showed."""

    turns: Turns
    found: Mapping[str, Estimate]
    distance: float  # from the bands
    careful: float  # from the bands less a margin
    cost: float

    @property
    def worth(self) -> float:
        """What the search minimises."""
        return self.careful + PENALTY * self.cost


class Bench:
    """Plays candidates, each once, all on the same seeds."""

    def __init__(
        self,
        codex: Codex,
        scenario: str,
        targets: Sequence[Target],
        levers: Sequence[Lever],
        runs: int,
        seed: int,
        progress: Progress,
        seats: tuple[Seating | None, Seating | None] = (None, None),
        threads: int | None = None,
    ) -> None:
        self.codex, self.scenario, self.targets, self.levers = codex, scenario, targets, levers
        self.runs, self.seed, self._progress = runs, seed, progress
        self._seats, self._threads = seats, threads
        self.evaluations = 0
        self.tried: dict[Turns, Candidate | None] = {}
        self._longer: dict[Turns, Candidate] = {}
        self._cast = Cast.of(pack(scenario, codex))

    def play(self, codex: Codex, runs: int, seed: int) -> Simulation:
        """A whole batch; an interrupt is not half a batch but the end."""
        found = simulate(pack(self.scenario, codex), runs, seed, *self._seats, threads=self._threads, codex=codex)
        if found.runs < runs:
            raise KeyboardInterrupt
        return found

    def read(self, batch: Simulation) -> dict[str, Estimate]:
        """The targets' measures in a batch."""
        return measure([target.name for target in self.targets], batch.rows, self._cast)

    def turned(self, turns: Turns) -> Codex:
        """The content with these turns."""
        return turned(self.codex, self.levers, dict(turns))

    def try_out(self, steps: Steps) -> Candidate | None:
        """What a set of turns does; nothing where it is not valid content."""
        turns = turns_of(steps)
        if turns not in self.tried:
            self.tried[turns] = self._evaluated(turns, self.runs)
        return self.tried[turns]

    def longer(self, turns: Turns) -> Candidate:
        """The same with more runs; only for turns that are known to be valid."""
        if turns not in self._longer:
            found = self._evaluated(turns, LONGER * self.runs)
            if found is None:
                raise CartomancerError("content that was valid is refused")
            self._longer[turns] = found
        return self._longer[turns]

    def _evaluated(self, turns: Turns, runs: int) -> Candidate | None:
        try:
            codex = self.turned(turns)
        except ContentError:
            return None
        found = self.read(self.play(codex, runs, self.seed))
        self.evaluations += 1
        self._progress(self.evaluations)
        off, careful = distance(self.targets, found), distance(self.targets, found, careful=True)
        return Candidate(turns, found, off, careful, cost(self.levers, dict(turns)))

    def by_worth(self) -> list[Candidate]:
        """What was tried and is valid, the best first."""
        found = [candidate for candidate in self.tried.values() if candidate is not None]
        return sorted(found, key=lambda candidate: (candidate.worth, candidate.turns))


def turns_of(steps: Steps) -> Turns:
    """The turned levers in order."""
    return tuple(sorted((name, step) for name, step in steps.items() if step))
