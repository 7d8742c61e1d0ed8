"""Searching seeds for a wish: a compiled scan over as many seeds as wanted, resumable, with the closest miss."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from cartomancer.backends.local import Threads
from cartomancer.backends.tasks import Backend, Grain
from cartomancer.batches import chunks
from cartomancer.content.models.base import Preset
from cartomancer.errors import CartomancerError
from cartomancer.jit import INTERPRETED, records, wrapping
from cartomancer.maps.generation import ruleset_digest
from cartomancer.maps.kernel.chart import CHART, new_log
from cartomancer.maps.kernel.measure import FEATURES, SCRATCH
from cartomancer.maps.kernel.rules import RULES
from cartomancer.maps.kernel.wish import FAR_AWAY, STACK_DEPTH, scan
from cartomancer.maps.packing import pack
from cartomancer.maps.wishes import Wish, compile_wish

CHUNK = 1 << 16 if not INTERPRETED else 64
CHUNKS: dict[Grain, int] = {
    "thread": CHUNK,
    "worker": 16 * CHUNK,
    "device": 1 << 22,
}  # seeds of a piece
Distances = np.ndarray[Any, np.dtype[np.int32]]


@dataclass
class SearchState:
    """How far a search has come. It is its own checkpoint."""

    job: str
    start: int
    looked_at: int = 0
    hits: list[int] = field(default_factory=list)
    closest_seed: int | None = None
    closest_distance: int = FAR_AWAY

    @classmethod
    def load(cls, path: Path, job: str) -> SearchState | None:
        """The state in a checkpoint file, if it is there; refused if it belongs to another search."""
        if not path.exists():
            return None
        try:
            state = cls(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise CartomancerError(f"{path}: not a search checkpoint ({error})") from None
        if state.job != job:
            raise CartomancerError(
                f"{path}: belongs to another search:\n  there: {state.job}\n  here:  {job}\n"
                "Take another --checkpoint file, or remove this one."
            )
        return state

    def save(self, path: Path) -> None:
        """Write the checkpoint so that a crash leaves the old one or the new one, never half of one."""
        temporary = path.with_name(path.name + ".part")
        temporary.write_text(json.dumps(asdict(self)), encoding="utf-8")
        os.replace(temporary, path)


@dataclass(frozen=True)
class SearchResult:
    """What a search found."""

    state: SearchState
    wish: Wish
    finished: bool

    def as_dict(self) -> dict[str, Any]:
        miss = None
        if not self.state.hits and self.state.closest_seed is not None:
            miss = {"seed": self.state.closest_seed, "distance": self.state.closest_distance / self.wish.scale}
        return {
            "wish": self.wish.text,
            "job": self.state.job,
            "start": self.state.start,
            "looked_at": self.state.looked_at,
            "finished": self.finished,
            "hits": list(self.state.hits),
            "closest_miss": miss,
        }


@dataclass(frozen=True)
class ScanSeeds:
    """A search as a task: a piece is so many consecutive seeds, its result how far the map of each is from the wish."""

    packed: Any
    wish: Wish
    device_lanes: int = 1

    def on_cpu(self, piece: tuple[int, int]) -> Callable[[], Distances]:
        return partial(_scan, self.packed.tobytes(), self.wish.program, self.wish.wanted, *piece)

    def on_device(self) -> Callable[[tuple[int, int]], Distances]:
        from cartomancer.maps.kernel.device import device_scan

        scan_there = device_scan(self.packed, self.wish.program, self.wish.wanted)
        return lambda piece: scan_there(*piece)


def _scan(packed: bytes, program: Any, wanted: Any, first: int, count: int) -> Distances:
    """A scan on this thread, with working memory of its own."""
    rules, distances = records(1, RULES), np.zeros(count, np.int32)
    rules[0] = np.frombuffer(packed, RULES)[0]
    with wrapping():
        scan(
            records(1, CHART),
            records(1, SCRATCH),
            rules[0],
            np.uint64(first),
            program,
            wanted,
            np.zeros((1, FEATURES), np.int64),
            np.zeros((1, STACK_DEPTH + 1), np.int64),
            new_log(0),
            distances,
        )
    return distances


def search(
    rules: Preset,
    preset: str,
    where: str,
    seeds: int,
    limit: int = 5,
    start: int = 0,
    checkpoint: Path | None = None,
    backend: Backend | None = None,
    progress: Callable[[SearchState], None] = lambda state: None,
) -> SearchResult:
    """Look at consecutive seeds until `limit` maps fit the wish or `seeds` have been seen.

    Chunks are taken in order whatever the threads do, so the same search always finds the same seeds. Ctrl-C ends it
    with what is known so far; with a checkpoint, the next call goes on there.
    """
    wish = compile_wish(where, rules.family)
    job = f"{rules.family}:{preset}:{ruleset_digest(rules)} start {start} limit {limit} where {where}"
    state = (SearchState.load(checkpoint, job) if checkpoint else None) or SearchState(job, start)
    if checkpoint:
        state.save(checkpoint)  # if it cannot be written, that is known before the work, not after
    if len(state.hits) >= limit:
        return SearchResult(state, wish, finished=True)
    chosen, task = backend or Threads(), ScanSeeds(pack(rules), wish)
    pieces = (((start + at) % 2**64, count) for at, count in chunks(state.looked_at, seeds, CHUNKS[chosen.grain]))
    try:
        for _, distances in chosen.work(task, pieces):
            state = _taken(state, distances, limit)
            if checkpoint:
                state.save(checkpoint)
            progress(state)
            if len(state.hits) >= limit:
                break
    except KeyboardInterrupt:
        if checkpoint:
            state.save(checkpoint)
        return SearchResult(state, wish, finished=False)
    return SearchResult(state, wish, finished=True)


def _taken(state: SearchState, distances: Distances, limit: int) -> SearchState:
    """The state after one more chunk. A new one, so that an interrupt never leaves half a chunk behind."""
    first = state.start + state.looked_at
    hits = [(first + int(offset)) % 2**64 for offset in np.flatnonzero(distances == 0)[: limit - len(state.hits)]]
    best = int(distances.argmin())
    closer = int(distances[best]) < state.closest_distance
    return SearchState(
        job=state.job,
        start=state.start,
        looked_at=state.looked_at + distances.size,
        hits=[*state.hits, *hits],
        closest_seed=(first + best) % 2**64 if closer else state.closest_seed,
        closest_distance=int(distances[best]) if closer else state.closest_distance,
    )
