"""Many runs of a scenario between computer players: how they end [GDD 10].

>>> found = simulate("symbiote", runs=50, seed=7)
>>> found.runs, found.rate("bond") > 0.2
(50, True)

Run `index` of a batch has a seed of its own, which depends on the batch's seed and the index alone. So the result does
not depend on threads or on how the work was cut, and `run_of` plays any single run again, decision by decision.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

import numpy as np

from cartomancer.backends.local import Threads
from cartomancer.batches import chunks, in_order
from cartomancer.content.codex import Codex
from cartomancer.encounters import names
from cartomancer.encounters.encounter import Encounter, winner_of
from cartomancer.encounters.kernel.layout import MOST_OPTIONS, STATE, TABLES
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import CartomancerError, NotationError
from cartomancer.jit import is_compiled, prefer_compiled, records, wrapping
from cartomancer.players.kernel.layout import MIND, POLICIES, RUN
from cartomancer.players.kernel.matches import play_matches, seed_of_run
from cartomancer.players.player import Players, play_out
from cartomancer.players.policies import PlayerSpec, Policies, pack_policies
from cartomancer.rng import MAX_SEED

Array = np.ndarray[Any, Any]
Piece = TypeVar("Piece")  # what is made of some consecutive runs
Progress = Callable[[int], None]  # told how many runs are finished
MOST_RUNS: Final = 10_000_000  # in memory
MOST_STORED_RUNS: Final = 10**12  # of a batch in files
CHUNK: Final = 500
BLOCK: Final = 1_000  # runs with a digest of their own
BLOCK_BYTES: Final = 8
RUN_NAME: Final = re.compile(r"(?P<scenario>.+)@(?P<seed>[0-9]{1,20}):(?P<index>[0-9]{1,20})")
ENDINGS: Final = tuple(name for name in names.OUTCOMES if name != "undecided")


@dataclass(frozen=True)
class Simulation:
    """A batch of runs and what came of them."""

    packed: Packed
    policies: Policies
    seed: int
    rows: Any  # one record a run, in the order of their indices

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.rows)

    @cached_property
    def result_hash(self) -> str:
        """Sixteen hex digits of all final states in order: equal on every machine, with any number of threads."""
        return hash_of_blocks(block_digests(self.rows))

    def count(self, outcome: str) -> int:
        """How many runs ended so."""
        return int((self.rows["outcome"] == names.OUTCOMES.index(outcome)).sum())

    def rate(self, outcome: str) -> float:
        """The share of runs that ended so."""
        return self.count(outcome) / self.runs

    def wins(self, side: str) -> int:
        """How many runs a side won alone; a Bond is both sides', a retreat nobody's (E17)."""
        return sum(self.count(outcome) for outcome in ENDINGS if winner_of(outcome) == side)

    def worths(self, side: str) -> Array:
        """What each run was worth to a side, from 0 to 1: by its ending and the goal of the side's profile."""
        profiles = self.policies.table["sides"][names.SIDES.index(side)]["profiles"]
        last = self.rows["room_path"][np.arange(self.runs), self.rows["rooms_entered"] - 1]
        worths: Array = profiles["endings"][last, self.rows["outcome"]] / 1000
        return worths

    def first(self, outcome: str) -> int | None:
        """The index of the first run that ended so."""
        found = np.flatnonzero(self.rows["outcome"] == names.OUTCOMES.index(outcome))
        return int(found[0]) if len(found) else None


def simulate(
    scenario: str | Packed,
    runs: int,
    seed: int = 0,
    dungeon: PlayerSpec | str | None = None,
    visitor: PlayerSpec | str | None = None,
    threads: int | None = None,
    progress: Progress = lambda done: None,
    codex: Codex | None = None,
) -> Simulation:
    """Play a batch on this machine's cores. An interrupt ends it early: the result has the leading finished runs."""
    check_size(runs, threads)
    prefer_compiled()
    packed = scenario if isinstance(scenario, Packed) else pack(scenario, codex)
    policies = pack_policies(packed, dungeon, visitor, codex)
    rows = records(runs, RUN)

    def play(piece: tuple[int, int]) -> int:
        first, count = piece
        return play_runs(packed.tables, policies.table, seed, first, rows[first : first + count])

    finished = in_pieces(play, runs, policies, threads, progress)
    return Simulation(packed, policies, seed, rows[:finished])


def going_on(progress: Progress, finished: int) -> Progress:
    """Progress of a part, told as that of the whole."""
    return lambda runs: progress(finished + runs)


def check_size(runs: int, threads: int | None) -> None:
    """Refuse a batch that is too small or too large, or more threads than anybody has."""
    if not 1 <= runs <= MOST_RUNS:
        raise CartomancerError(f"{runs} runs: a batch has 1 to {MOST_RUNS:,}")
    Threads(threads)


def in_pieces(
    play: Callable[[tuple[int, int]], Piece],
    runs: int,
    policies: Policies,
    threads: int | None,
    progress: Progress,
    keep: Callable[[Piece], None] = lambda played: None,
    rollouts: int = 0,
) -> int:
    """Play a batch in pieces on threads and keep what came of each, in order. Returns the count of finished runs.

    An interrupt ends it early, unless nothing was finished. `rollouts` are those for each option beside the players'.
    """
    workers, finished = Threads(threads).workers, 0
    try:
        for (_, count), played in in_order(
            play, chunks(0, runs, piece_size(runs, workers, policies, rollouts)), workers
        ):
            keep(played)
            finished += count
            progress(finished)
    except KeyboardInterrupt:
        if not finished:
            raise
    return finished


def piece_size(runs: int, workers: int, policies: Policies, rollouts: int = 0) -> int:
    """How many runs a thread takes at once: few enough that every thread has some and that stopping is quick."""
    rollouts += policies.dungeon.rollouts + policies.visitor.rollouts
    most = CHUNK // (1 + 20 * rollouts) // (1 if is_compiled() else 100)
    return max(1, min(most, runs // (4 * workers)))


def play_runs(table: Any, policy: Any, seed: int, first: int, rows: Any) -> int:
    """Some consecutive runs of a packed scenario on this thread, written into their rows. Returns the count."""
    prefer_compiled()
    with wrapping():
        play_matches(*thread_memory(table, policy), np.uint64(seed), first, rows)
    return len(rows)


def last_state(packed: Packed, policies: Policies, batch_seed: int) -> Any:
    """The final state of the first run of a batch."""
    memory = thread_memory(packed.tables, policies.table)
    with wrapping():
        play_matches(*memory, np.uint64(batch_seed), 0, records(1, RUN))
    return memory[3][0]


def thread_memory(table: Any, policy: Any) -> tuple[Any, ...]:
    """What a thread plays runs with: tables, policies, a blank state, two states, options, a mind."""
    tables, policies = records(1, TABLES), records(1, POLICIES)
    tables[0], policies[0] = table, policy
    return tables, policies, records(1, STATE), records(2, STATE), np.zeros(MOST_OPTIONS, np.int16), records(1, MIND)


def block_digests(rows: Any) -> bytes:
    """Eight bytes for every thousand runs, of their final states: batches cut at thousands can be put together."""
    hashes = rows["state_hash"].astype("<u8")
    blocks = (hashes[at : at + BLOCK].tobytes() for at in range(0, len(hashes), BLOCK))
    return b"".join(hashlib.blake2b(block, digest_size=BLOCK_BYTES).digest() for block in blocks)


def hash_of_blocks(digests: bytes) -> str:
    """The result hash of a batch with these blocks, in the order of its runs."""
    return hashlib.blake2b(digests, digest_size=8).hexdigest()


def run_name(scenario: str, seed: int, index: int) -> str:
    """A run of a batch in one line: boar@7:123."""
    return f"{scenario}@{seed}:{index}"


def replay_command(run: str, dungeon: PlayerSpec | None = None, visitor: PlayerSpec | None = None) -> str:
    """The command that plays a run of a batch again, as its players played it.

    >>> replay_command("boar@7:123", visitor=PlayerSpec("random"))
    'cartomancer encounter replay boar@7:123 --ai-visitor random'
    """
    words = ["cartomancer", "encounter", "replay", run]
    for option, spec in (("--ai-dungeon", dungeon), ("--ai-visitor", visitor)):
        words += [] if spec is None or spec == PlayerSpec() else [option, str(spec)]
    return shlex.join(words)


def read_run_name(text: str) -> tuple[str, int, int] | None:
    """Scenario, seed and index of a run of a batch; nothing where the text names none.

    >>> read_run_name("boar+iron_shield@2@7:123")
    ('boar+iron_shield@2', 7, 123)
    >>> read_run_name("boar+iron_shield@2") is None
    True
    """
    match = RUN_NAME.fullmatch(text)
    if match is None:
        return None
    seed, index = int(match["seed"]), int(match["index"])
    if seed > MAX_SEED or index >= MOST_STORED_RUNS:
        raise NotationError(
            f"no run of a batch: '{text}' (right would be: SCENARIO@SEED:INDEX, an index below {MOST_STORED_RUNS})"
        )
    return match["scenario"], seed, index


def run_seed(seed: int, index: int) -> int:
    """The seed of one run of a batch."""
    with wrapping():
        return int(seed_of_run(np.uint64(seed), index))


def run_of(packed: Packed, policies: Policies, seed: int, index: int) -> Encounter:
    """One run of a batch, played again decision by decision."""
    return play_out(Encounter(packed, run_seed(seed, index)), Players(packed, policies))
