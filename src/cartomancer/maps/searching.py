"""Searching seeds for a query: a compiled scan over as many seeds as wanted, resumable, with the closest miss."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from cartomancer.backends.local import Threads
from cartomancer.backends.tasks import Backend, Grain
from cartomancer.batches import chunks
from cartomancer.content import load_preset
from cartomancer.content.kept_files import Count, Kept, kept_bytes, read_kept
from cartomancer.content.models.base import Complaints, Preset, setting
from cartomancer.errors import CartomancerError
from cartomancer.files import write_file
from cartomancer.jit import is_compiled, prefer_compiled
from cartomancer.maps import families, generation
from cartomancer.maps.kernel.query import FAR_AWAY
from cartomancer.maps.queries import Query, compile_query

CHUNKS: dict[Grain, int] = {"thread": 1 << 16, "worker": 1 << 20, "device": 1 << 22}  # seeds of a piece
INTERPRETED_CHUNK = 64
Distances = np.ndarray[Any, np.dtype[np.int32]]


class SearchState(Kept):
    """How far a search has come. It is its own checkpoint."""

    job: str
    start: Count
    looked_at: Count = 0
    hits: list[int] = setting(list, "The seeds that fit.")
    closest_seed: int | None = None
    closest_distance: Count = FAR_AWAY

    def complaints(self) -> Complaints:
        places = [(hit - self.start) % 2**64 for hit in self.hits]
        seen = [place for place in places if place < self.looked_at]
        yield "hits", seen != sorted(set(places)), "hits are not seeds that it has looked at, each once, in order"
        closest = 0 if self.closest_seed is None else (self.closest_seed - self.start) % 2**64
        outside = self.closest_seed is not None and closest >= self.looked_at
        yield "closest_seed", outside, "closest_seed is not among the seeds it has looked at"

    @classmethod
    def load(cls, path: Path, job: str) -> SearchState | None:
        """The state in a checkpoint file, if it is there; refused if it belongs to another search."""
        if not path.exists():
            return None
        state = cls(**read_kept(path, cls, "a search checkpoint"))
        if state.job != job:
            raise CartomancerError(
                f"{path}: belongs to another search:\n  there: {state.job}\n  here:  {job}\n"
                "Take another --checkpoint file, or remove this one."
            )
        return state

    def save(self, path: Path) -> None:
        """Write the checkpoint so that a crash leaves the old one or the new one, never half of one."""
        write_file(path, kept_bytes(self.model_dump(exclude={"digest"})))


@dataclass(frozen=True)
class SearchResult:
    """What a search found."""

    state: SearchState
    query: Query
    finished: bool

    @property
    def seeds(self) -> list[int]:
        """The seeds whose maps fit the query."""
        return self.state.hits

    def as_dict(self) -> dict[str, Any]:
        miss = None
        if not self.state.hits and self.state.closest_seed is not None:
            miss = {"seed": self.state.closest_seed, "distance": self.state.closest_distance / self.query.scale}
        return {
            "query": self.query.text,
            **self.state.model_dump(include={"job", "start", "looked_at"}),
            "finished": self.finished,
            "hits": list(self.state.hits),
            "closest_miss": miss,
        }


@dataclass(frozen=True)
class ScanSeeds:
    """A search as a task: a piece is so many consecutive seeds, its result how far each map is from the query."""

    rules: Preset
    query: Query
    device_lanes: int = 1

    def pieces(self, first: int, end: int, start: int, grain: Grain) -> Iterator[tuple[int, int]]:
        """The seeds from `first` to `end` after the start, cut into pieces of this grain."""
        prefer_compiled()
        quick = grain == "device" or (families.of(self.rules.family).compiled and is_compiled())
        size = CHUNKS[grain] if quick else INTERPRETED_CHUNK
        return (((start + at) % 2**64, count) for at, count in chunks(first, end, size))

    def on_cpu(self, piece: tuple[int, int]) -> Callable[[], Distances]:
        return partial(_scan, self.rules, self.query, *piece)

    def on_device(self) -> Callable[[tuple[int, int]], Distances]:
        family = families.of(self.rules.family)
        if not family.compiled:
            raise CartomancerError(f"{family.name} maps are drawn in Python, which no GPU runs: use --backend threads")
        from cartomancer.maps.kernel.device import device_scan

        scan_there = device_scan(family.pack(self.rules), self.query.program, self.query.wanted)
        return lambda piece: scan_there(*piece)


def _scan(rules: Preset, query: Query, first: int, count: int) -> Distances:
    """A scan on this thread, with working memory of its own."""
    return families.of(rules.family).scan(rules, query.program, query.wanted)(first, count)


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
    """Look at consecutive seeds until `limit` maps fit the query or `seeds` have been seen.

    Chunks are taken in order whatever the threads do, so the same search always finds the same seeds. Ctrl-C ends it
    with what is known so far; with a checkpoint, the next call goes on there.
    """
    query = compile_query(where, rules.family, rules)
    asked = re.sub(r"\s", " ", where)  # a job stands on one line
    job = f"{rules.family}:{preset}:{generation.ruleset_digest(rules)} start {start} limit {limit} where {asked}"
    state = (SearchState.load(checkpoint, job) if checkpoint else None) or SearchState(job=job, start=start)
    if checkpoint:
        state.save(checkpoint)  # if it cannot be written, that is known before the work, not after
    if len(state.hits) >= limit:
        return SearchResult(state, query, finished=True)
    chosen, task = backend or Threads(), ScanSeeds(rules, query)
    pieces = task.pieces(state.looked_at, seeds, start, chosen.grain)
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
        return SearchResult(state, query, finished=False)
    return SearchResult(state, query, finished=True)


def search_maps(
    family: str,
    where: str,
    seeds: int = 100_000,
    preset: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    **options: Any,
) -> SearchResult:
    """Seeds of a family's preset whose maps fit a query; the other options are those of `search`.

    >>> search_maps("voyage", "count(elite) >= 4", seeds=500, limit=2).finished
    True
    """
    rules = load_preset(family, preset, overrides)
    name = generation.preset_name(preset or rules.default_preset, overrides)
    return search(rules, name, where, seeds, **options)


def _taken(state: SearchState, distances: Distances, limit: int) -> SearchState:
    """The state after one more chunk. A new one, so that an interrupt never leaves half a chunk behind."""
    first = state.start + state.looked_at
    hits = [(first + int(offset)) % 2**64 for offset in np.flatnonzero(distances == 0)[: limit - len(state.hits)]]
    best = int(distances.argmin())
    moved: dict[str, Any] = {"looked_at": state.looked_at + distances.size, "hits": [*state.hits, *hits]}
    if int(distances[best]) < state.closest_distance:
        moved |= {"closest_seed": (first + best) % 2**64, "closest_distance": int(distances[best])}
    return state.model_copy(update=moved)
