"""Baselines: how content plays today, kept so that tomorrow's edit can be judged [GDD 18.6, phase 4].

A baseline keeps three things in one file. Every content entry with its fields, so that an edit can be traced. For every
scenario (a cell of the matrix is one) a fingerprint of everything the rules and players read of it. And how each run
ended, by seed: the same seeds are played again after an edit, so a change is judged run by run.
"""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import BaseModel, Field

from cartomancer.batches import chunks, in_order, threads_here
from cartomancer.content.catalog import CATALOG_KINDS
from cartomancer.content.codex import Codex
from cartomancer.content.entries import CODEX_KINDS
from cartomancer.content.kept_files import Count, Kept, kept_bytes, read_kept
from cartomancer.content.matches import MATCH, read_match
from cartomancer.content.models.base import Complaints
from cartomancer.encounters.packing import pack
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.files import write_file
from cartomancer.jit import kernel_digest, records
from cartomancer.lab.columns import SIDES
from cartomancer.lab.matrix.assembly import Assembly
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.lab.measures.batch import win_shares
from cartomancer.lab.measures.outcomes import OUTCOME_MEASURES, WIN_MEASURES
from cartomancer.lab.refusals import each_of
from cartomancer.lab.results import Result
from cartomancer.players.kernel.layout import RUN
from cartomancer.players.policies import PlayerSpec, Policies, pack_policies, player_spec
from cartomancer.players.simulation import MOST_RUNS, Progress, piece_size, play_runs
from cartomancer.seals import digest_of

FORMAT: Final = 1
MOST_BYTES: Final = 2**28
FACTS: Final = ("outcome", "lead_changes", "rounds")  # columns that are kept of a run, a byte each
TUNING: Final = ("rules", "resolution", "thinking", "endings")  # of a codex; what else it tunes decides no run
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

Entries = dict[str, dict[str, Any]]  # kind:id and its fields
Array = np.ndarray[Any, Any]
Facts = dict[str, Array]


@dataclass(frozen=True)
class Baseline:
    """How some scenarios played under some content."""

    name: str
    kernel: str  # digest of the rules' code
    seed: int
    runs: int  # of each scenario
    players: tuple[str, str]  # who played the dungeon and the visitor
    entries: Entries
    wanted: tuple[str, ...]  # scenarios; the leading ones have been played
    fingerprints: tuple[str, ...]  # of those that have been played
    facts: Facts  # by fact: an array of scenarios and runs

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The scenarios that have been played."""
        return self.wanted[: len(self.fingerprints)]

    @property
    def finished(self) -> bool:
        """Whether all that was wanted has been played."""
        return len(self.fingerprints) == len(self.wanted)

    @cached_property
    def content(self) -> str:
        """The digest of all entries."""
        return digest_of(self.entries, digits=12)

    def specs(self, codex: Codex) -> tuple[PlayerSpec, PlayerSpec]:
        """Who played, as players of this codex."""
        return player_spec(self.players[0], "dungeon", codex), player_spec(self.players[1], "visitor", codex)

    def summary(self) -> BaselineSummary:
        """Its settings, and the health of the whole."""
        won = WIN_MEASURES["dungeon_win"].each(self.facts).mean(axis=1)
        return BaselineSummary(
            name=self.name,
            scenarios=len(self.scenarios),
            wanted=len(self.wanted),
            finished=self.finished,
            runs=self.runs,
            seed=self.seed,
            players=dict(zip(SIDES, self.players, strict=True)),
            content=self.content,
            kernel=self.kernel,
            entries=len(self.entries),
            health=Health(float(self.facts["lead_changes"].mean()), float(won.mean()), float(won.std())),
        )

    def rows(self) -> list[ScenarioRow]:
        """How every scenario played."""
        found = []
        for place, name in enumerate(self.scenarios):
            counts = {fact: values[place] for fact, values in self.facts.items()}
            counts["runs"] = np.ones(self.runs, np.int64)
            row = ScenarioRow(
                scenario=name,
                **win_shares(counts),
                lead_changes=float(counts["lead_changes"].mean()),
                rounds=float(counts["rounds"].mean()),
                outcomes={key: measure.rate(counts).share for key, measure in OUTCOME_MEASURES.items()},
            )
            found.append(row)
        return found


@dataclass(frozen=True)
class Health:
    """The whole in three numbers [GDD 18.6 P4]: mean agency, the dungeons' mean win rate, and its spread."""

    agency: float
    dungeon_win: float
    dungeon_win_spread: float


@dataclass(frozen=True)
class BaselineSummary(Result):
    """What a baseline is of, and how its scenarios played in all."""

    name: str
    scenarios: int
    wanted: int
    finished: bool
    runs: int
    seed: int
    players: dict[str, str]
    content: str
    kernel: str
    entries: int
    health: Health


@dataclass(frozen=True)
class ScenarioRow(Result):
    """How a scenario of a baseline played: shares of its runs, means over them."""

    scenario: str
    dungeon_win: float
    visitor_win: float
    dungeon_win_interval: list[float]
    visitor_win_interval: list[float]
    lead_changes: float
    rounds: float
    outcomes: dict[str, float]


# --- what decides a run -----------------------------------------------------------------------------------------------


def snapshot(codex: Codex) -> Entries:
    """Every entry of the game with all its fields, and the tuning."""
    found: dict[str, BaseModel] = {
        f"{kind}:{name}": entry
        for kind in (*CODEX_KINDS, *CATALOG_KINDS)
        for name, entry in codex.of_kind(kind).items()
    }
    found |= {f"tuning:{name}": getattr(codex, name) for name in TUNING}
    return {name: entry.model_dump(mode="json") for name, entry in found.items()}


@dataclass(frozen=True)
class Prepared:
    """A scenario as the kernels read it."""

    name: str
    table: Any
    policy: Any

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hex digits of everything the kernels read. Where it is equal, every run is equal."""
        return hashlib.blake2b(self.table.tobytes() + self.policy.tobytes(), digest_size=8).hexdigest()


class Preparation:
    """Prepares scenarios of a codex for two players; the cells of a matrix are put together from pieces."""

    def __init__(self, codex: Codex, specs: tuple[PlayerSpec, PlayerSpec]) -> None:
        self.codex, self.specs = codex, specs
        self._assembly = Assembly(Compositions.of(codex), *specs)

    def prepare(self, name: str) -> Prepared:
        """A scenario by its name."""
        cell = self._cell(name)
        if cell is not None:
            tables, policies = self._assembly.tables([cell])
            return Prepared(name, tables[0], policies[0])
        packed = pack(name, self.codex)
        return Prepared(name, packed.tables, pack_policies(packed, *self.specs, self.codex).table)

    def _cell(self, name: str) -> tuple[int, int] | None:
        """The numbers of a match, if it is written as the matrix writes it."""
        space = self._assembly.space
        if not name.startswith(MATCH):
            return None
        try:
            cell = space.cell(read_match(name))
        except CartomancerError:
            return None  # packing will say what is wrong with it, if anything
        return cell if space.name(*cell) == name else None


def play_prepared(
    scenarios: Iterator[Prepared], runs: int, seed: int, specs: tuple[PlayerSpec, PlayerSpec]
) -> Iterator[tuple[Prepared, Facts]]:
    """The facts of every run of every scenario, scenario by scenario, on all cores; an interrupt passes through."""
    workers = threads_here()

    def pieces() -> Iterator[tuple[Prepared, int, int]]:
        for scenario in scenarios:
            size = piece_size(runs, workers, Policies(scenario.policy, *specs, ""))
            yield from ((scenario, first, count) for first, count in chunks(0, runs, size))

    def play(piece: tuple[Prepared, int, int]) -> Any:
        scenario, first, count = piece
        rows = records(count, RUN)
        play_runs(scenario.table, scenario.policy, seed, first, rows)
        return rows

    gathered: list[Any] = []
    for (scenario, first, count), rows in in_order(play, pieces(), workers):
        gathered.append(rows)
        if first + count == runs:
            yield scenario, {name: np.concatenate([part[name] for part in gathered]).astype(np.uint8) for name in FACTS}
            gathered = []


# --- making one -------------------------------------------------------------------------------------------------------


def plan(
    name: str,
    codex: Codex,
    scenarios: Sequence[str],
    runs: int,
    seed: int = 0,
    dungeon: PlayerSpec | None = None,
    visitor: PlayerSpec | None = None,
) -> Baseline:
    """A baseline of which nothing has been played yet; every scenario is looked at before the first is played."""
    if not NAME.fullmatch(name):
        raise CartomancerError(f"'{name}' cannot name a baseline (right would be: letters, digits, '.', '_' and '-')")
    if not 1 <= runs <= MOST_RUNS:
        raise CartomancerError(f"{runs} runs: a scenario of a baseline has 1 to {MOST_RUNS:,}")
    wanted = tuple(dict.fromkeys(scenarios))
    if not wanted:
        raise CartomancerError("a baseline needs at least one scenario")
    specs = (dungeon or PlayerSpec(), visitor or PlayerSpec())
    preparation = Preparation(codex, specs)
    each_of(wanted, preparation.prepare)
    nothing = {fact: np.zeros((0, runs), np.uint8) for fact in FACTS}
    players = (str(specs[0]), str(specs[1]))
    return Baseline(name, kernel_digest(), seed, runs, players, snapshot(codex), wanted, (), nothing)


def continues(old: Baseline, new: Baseline) -> bool:
    """Whether an unfinished baseline is the beginning of a planned one."""
    same = ("kernel", "seed", "runs", "players", "entries", "wanted")
    return not old.finished and all(getattr(old, name) == getattr(new, name) for name in same)


def played(baseline: Baseline, codex: Codex, progress: Progress = lambda done: None) -> Baseline:
    """The baseline with all that is missing; an interrupt ends it early, with the scenarios that are whole."""
    preparation = Preparation(codex, baseline.specs(codex))
    missing = (preparation.prepare(name) for name in baseline.wanted[len(baseline.scenarios) :])
    prints, facts = list(baseline.fingerprints), {name: [baseline.facts[name]] for name in FACTS}
    try:
        for scenario, found in play_prepared(missing, baseline.runs, baseline.seed, preparation.specs):
            for name in FACTS:
                facts[name].append(found[name][None])
            prints.append(scenario.fingerprint)
            progress(len(prints) * baseline.runs)
    except KeyboardInterrupt:
        if not prints:
            raise
    joined = {name: np.concatenate(parts) for name, parts in facts.items()}
    return replace(baseline, fingerprints=tuple(prints), facts=joined)


# --- the file ---------------------------------------------------------------------------------------------------------


def path_of(folder: Path, name: str) -> Path:
    """Where a baseline lies."""
    return folder / f"{name}.json"


def baseline_names(folder: Path) -> list[str]:
    """The baselines in a folder."""
    return sorted(path.stem for path in folder.glob("*.json") if NAME.fullmatch(path.stem))


class BaselineFile(Kept):
    """The shape of a baseline's file."""

    format: Literal[1]
    name: str
    content: str
    kernel: str
    seed: Count
    runs: Annotated[int, Field(ge=1, le=MOST_RUNS)]
    players: Annotated[list[str], Field(min_length=2, max_length=2)]
    entries: dict[str, dict[str, Any]]
    wanted: list[str]
    fingerprints: list[str]
    facts: dict[str, str]

    def complaints(self) -> Complaints:
        yield "content", digest_of(self.entries, digits=12) != self.content, "content is not the digest of its entries"
        played, wanted = len(self.fingerprints), len(self.wanted)
        yield "fingerprints", played > wanted, f"fingerprints are {played}, more than the {wanted} scenarios wanted"
        for fact in FACTS:
            lost = _unpacked(self.facts.get(fact, ""), (played, self.runs)) is None
            yield f"facts.{fact}", lost, f"facts.{fact} does not hold {played} × {self.runs:,} runs"


def write_baseline(baseline: Baseline, folder: Path) -> Path:
    """Keep a baseline: the file is whole or as it was."""
    facts = {name: _packed(baseline.facts[name]) for name in FACTS}
    head = {"format": FORMAT, "name": baseline.name, "content": baseline.content} | vars(baseline) | {"facts": facts}
    path = path_of(folder, baseline.name)
    write_file(path, kept_bytes(head), parents=True)
    return path


def read_baseline(folder: Path, name: str) -> Baseline:
    """A baseline by its name; a damaged file is refused with what is wrong with it."""
    path = path_of(folder, name)
    if not NAME.fullmatch(name) or not path.is_file():
        raise UnknownNameError("baseline", name, baseline_names(folder))
    head = read_kept(path, BaselineFile, "a baseline", MOST_BYTES)
    shape = len(head["fingerprints"]), head["runs"]
    lists: Any = {key: tuple(head[key]) for key in ("players", "wanted", "fingerprints")}
    others = {key: head[key] for key in ("kernel", "seed", "runs", "entries")}
    facts: Any = {fact: _unpacked(head["facts"][fact], shape) for fact in FACTS}
    return Baseline(name, facts=facts, **lists, **others)


def _packed(values: Array) -> str:
    return base64.b85encode(zlib.compress(values.tobytes(), 9)).decode("ascii")


def _unpacked(text: str, shape: tuple[int, int]) -> Array | None:
    """A fact of so many scenarios and runs; nothing if the text does not hold just that."""
    size, stream = shape[0] * shape[1], zlib.decompressobj()
    try:
        data = stream.decompress(base64.b85decode(text), size + 1)
    except (ValueError, zlib.error):
        return None
    return np.frombuffer(data, np.uint8).reshape(shape) if len(data) == size and stream.eof else None
