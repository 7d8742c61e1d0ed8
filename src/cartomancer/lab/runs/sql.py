"""Questions to stored runs, in SQL: a view `runs` over all jobs in a folder.

Only runs of the content and the rules that are here are in it: an edited card makes other games, and numbers of both
together would mean nothing. The others are named.

A question may only read, and only the runs: the connection reads no other file, writes none, loads no extension, and
its settings are locked. It may take so much memory, none of it on disk, and work so long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from time import perf_counter  # noqa: TID251  a clock for whoever waits; nothing that is played sees it
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from cartomancer.codes import STREAM_BATCH
from cartomancer.encounters import names
from cartomancer.encounters.encounter import winner_of
from cartomancer.errors import CartomancerError
from cartomancer.jit import wrapping
from cartomancer.lab.columns import COLUMNS, ROOMS
from cartomancer.lab.parquet import quoted
from cartomancer.lab.results import Notice
from cartomancer.lab.runs.jobs import FORMAT, Job, job_of
from cartomancer.lab.runs.run_store import Results
from cartomancer.players.policies import player_spec
from cartomancer.rng import GOLDEN, scramble

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MEMORY: Final = 2_048  # MiB that a question may take
SECONDS: Final = 60.0  # that the database may work on a question
VIEW: Final = Path(__file__).with_name("view.sql").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Answer:
    """What a question brought: the names of the columns, and the rows as they come."""

    columns: tuple[str, ...]
    _work: _Work

    def rows(self, at_once: int = 10_000) -> Iterator[tuple[Any, ...]]:
        """Row by row, in plain numbers and texts."""
        while True:
            with _explained():  # what is wrong with a row shows when it is reached
                batch = self._work.do(self._work.connection.fetchmany, at_once)
            if not batch:
                return
            yield from (tuple(_plain(value) for value in row) for row in batch)


def connect(
    folder: Path | str,
    any_content: bool = False,
    notice: Notice = lambda text: None,
    memory: int = MEMORY,
) -> DuckDBPyConnection:
    """A connection with the view `runs` over a folder of results; what is left out is told.

    Its questions may take so many MiB of memory.
    """
    import duckdb

    branches, files = [], []
    for stored in Results(folder, notice).jobs():
        try:
            facts = stored.facts()
        except CartomancerError as error:
            notice(f"{error}: left out")
            continue
        if facts.get("format") != FORMAT:  # first: another format may describe its job in other words
            notice(f"{stored.folder}: its rows are of format {facts.get('format')}, not {FORMAT}: left out")
            continue
        here = _job_here(facts)
        if (here is None or here.digest != stored.digest) and not any_content:
            notice(f"{stored.folder}: left out: {_why_other(facts, here)}")
        elif chunks := stored.chunks(set_aside=False):
            paths = [str(chunk.path.resolve()) for chunk in chunks]
            branches.append(_branch(facts, paths))
            files += paths
    if not branches:
        hint = f"`cartomancer lab run SCENARIO --results {folder}` puts some there"
        raise CartomancerError(f"no runs to ask in '{folder}': {hint}")
    connection = duckdb.connect()
    jobs, allowed = " UNION ALL ".join(branches), ", ".join(map(quoted, files))
    connection.execute(VIEW.format(memory=memory, golden=int(GOLDEN), jobs=jobs, paths=allowed))
    return connection


def ask(connection: DuckDBPyConnection, question: str, seconds: float = SECONDS) -> Answer:
    """Put one SELECT to the runs; anything else is refused. The database may work on it so long, reading its rows
    included."""
    if any("\ud800" <= sign <= "\udfff" for sign in question):
        raise CartomancerError("the question cannot be answered: it holds half a character")
    work = _Work(connection, seconds)
    with _explained():
        statements = connection.extract_statements(question)
        found = f"{len(statements)} statements" if len(statements) != 1 else _kind(statements[0])
        if found != "SELECT":
            right = "one SELECT (WITH, FROM, DESCRIBE and SUMMARIZE are fine too)"
            raise CartomancerError(f"a question is {right}, not {found}")
        work.do(connection.execute, statements[0])
    return Answer(_told_apart([column[0] for column in connection.description or ()]), work)


def _kind(statement: Any) -> str:
    """The type of a statement; the database knows some that its Python face has no name for."""
    try:
        return str(statement.type.name)
    except ValueError:
        return "another statement"


@contextmanager
def _explained() -> Iterator[None]:
    """What the database refuses is the question's fault, and told so."""
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.OutOfMemoryException:
        hint = "ask for less at once, or let it take more (--limit-memory)"
        raise CartomancerError(f"the question needs more memory than it may take: {hint}") from None
    except duckdb.Error as error:
        raise CartomancerError(f"the question cannot be answered: {error}") from None


class _Work:
    """The work of a database on one question, which ends in time. It is done on another thread: on its own the database
    may not hear an interrupt for hours."""

    def __init__(self, connection: DuckDBPyConnection, seconds: float) -> None:
        self.connection, self.seconds, self.left = connection, seconds, seconds

    def do(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """A step of it; what whoever reads the answer does in between is not counted."""
        started = perf_counter()
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(call, *arguments)
            try:
                return answer.result(max(self.left, 0.0))
            except KeyboardInterrupt:
                self._stop(answer)
                raise
            except TimeoutError:
                self._stop(answer)
                hint = "ask for less, or let it work longer (--timeout)"
                raise CartomancerError(f"the question is not answered after {self.seconds:g} seconds: {hint}") from None
            finally:
                self.left -= perf_counter() - started

    def _stop(self, answer: Future[Any]) -> None:
        while not answer.done():  # an interrupt before the work has begun is not heard
            self.connection.interrupt()
            wait([answer], 0.1)


def _told_apart(columns: Sequence[str]) -> tuple[str, ...]:
    """Names of columns; those that occurred before are numbered.

    >>> _told_apart(["n", "n", "n_2"])
    ('n', 'n_2', 'n_2_2')
    """
    found: list[str] = []
    for column in columns:
        name, number = column, 1
        while name in found:
            number += 1
            name = f"{column}_{number}"
        found.append(name)
    return tuple(found)


# --- what is here -----------------------------------------------------------------------------------------------------


def _job_here(facts: Mapping[str, Any]) -> Job | None:
    """The job of that name with the content and the rules that are here, if there can be one."""
    try:
        dungeon, visitor = (player_spec(facts[side], side) for side in names.SIDES)
        return job_of(facts["scenario"], facts["seed"], dungeon, visitor)
    except (CartomancerError, OSError):
        return None


def _why_other(facts: Mapping[str, Any], here: Job | None) -> str:
    what = f"{facts['scenario']} with seed {facts['seed']}"
    if here is None:
        return f"{what} is of content {facts['content']}, and here is no such scenario or player"
    described = here.describe()
    for key, meaning in (("content", "content"), ("players", "players"), ("kernels", "rules")):
        if facts[key] != described[key]:
            return f"{what} was played with other {meaning}: {facts[key]}, here {described[key]}"
    return f"{what} is another job here"


# --- the view ---------------------------------------------------------------------------------------------------------


def _branch(facts: Mapping[str, Any], paths: Sequence[str]) -> str:
    """The part of the view that one job is."""
    scenario, seed = facts["scenario"], facts["seed"]
    outcomes = _listed(names.OUTCOMES)
    with wrapping():  # what `rng.stream_start` makes of the batch's seed, before the index of a run is mixed in
        start = int(scramble(scramble(np.uint64(seed) + GOLDEN) + GOLDEN * np.uint64(STREAM_BATCH + 1)))
    said = {
        "run_name": f"{quoted(f'{scenario}@{seed}:')} || run",  # boar@7:123, which commands take
        **{key: quoted(facts[key]) for key in ("scenario", "dungeon", "visitor", "content")},
        "batch_seed": f"{seed}::UBIGINT",
        "seed": f"run_seed({start}::UBIGINT, run)",  # of the run itself
        "outcome_name": f"{outcomes}[outcome + 1]",
        "winner": f"{_listed([winner_of(name) for name in names.OUTCOMES])}[outcome + 1]",
        **{f"room_name_{k}": f"{_listed(facts['rooms'])}[room_{k} + 1]" for k in range(1, ROOMS + 1)},
        **{f"outcome_name_{k}": f"{outcomes}[outcome_{k} + 1]" for k in range(1, ROOMS + 1)},
    }
    # sums and differences must not overflow, as those of the stored bytes would
    wide = {name: f"{name}::{'BIGINT' if name == 'run' else 'INTEGER'}" for name in COLUMNS}
    columns = ", ".join(f"{value} AS {name}" for name, value in (said | wide).items())
    return f"SELECT {columns} FROM read_parquet([{', '.join(map(quoted, paths))}])"


def _listed(texts: Sequence[str]) -> str:
    return f"([{', '.join(map(quoted, texts))}])"


def _plain(value: Any) -> Any:
    """A value as JSON knows it."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (float, Decimal)):
        return float(value) if np.isfinite(float(value)) else None
    return str(value)
