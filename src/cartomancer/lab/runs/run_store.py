"""A folder of results: every job has a folder of its own, with its runs in Parquet files, a chunk each.

    results/<content digest>-<job digest>/job.json
    results/<content digest>-<job digest>/runs-000000000000-000000050000-<checksum>.parquet

A chunk's name says which runs it holds and the checksum of its bytes; its footer says which job it belongs to, and has
the digests of its thousands of runs, from which the result hash of the whole job is made. So a damaged, renamed or
foreign file is found without trusting it, and its runs are played again.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from cartomancer.batches import in_order, threads_here
from cartomancer.content.kept_files import kept_data, refuse_damaged
from cartomancer.errors import CartomancerError, Fault
from cartomancer.lab.columns import columns_of
from cartomancer.lab.parquet import checksum, keep_columns, prepare_folder
from cartomancer.lab.results import Notice
from cartomancer.lab.runs.jobs import FORMAT, AnyDescription, Description, Job, Range, job_digest
from cartomancer.players.simulation import BLOCK, BLOCK_BYTES, block_digests
from cartomancer.seals import DAMAGED

JOB_FILE: Final = "job.json"
CHUNK_NAME: Final = re.compile(r"runs-(?P<first>[0-9]{12})-(?P<end>[0-9]{12})-(?P<checksum>[0-9a-f]{8})\.parquet")
KEY: Final = "cartomancer"  # of a footer's metadata


@dataclass(frozen=True)
class Chunk:
    """A file of consecutive runs."""

    path: Path
    first: int
    end: int  # the first run that is not in it
    digests: bytes = b""  # of its blocks; known once its footer was read

    @property
    def runs(self) -> int:
        """How many runs it holds."""
        return self.end - self.first


class StoredJob:
    """The stored runs of one job."""

    def __init__(self, folder: Path, digest: str, notice: Notice) -> None:
        self.folder, self.digest, self.notice = folder, digest, notice

    def facts(self) -> dict[str, Any]:
        """What its job is, as `Job.describe` said it; rows of another format may be of a job in other words."""
        path, what = self.folder / JOB_FILE, f"the description of job {self.digest}"
        found = kept_data(path, what)
        shape = Description if found.get("format") == FORMAT else AnyDescription
        refuse_damaged(found, shape, what, str(path), self._seal_faults)
        return found

    def _seal_faults(self, facts: Mapping[str, Any]) -> Iterator[Fault]:
        if (given := facts.get("job")) != self.digest:
            yield Fault("job", given, "is not the job that its folder is named after", self.digest)
        elif job_digest(facts) != given:
            yield Fault("job", given, DAMAGED)

    def chunks(self, set_aside: bool = True) -> list[Chunk]:
        """All whole chunks in the order of their runs, every run once.

        What is damaged or belongs elsewhere is named and, if wanted, set aside under another name.
        """
        found = _without_superseded(self._listed())
        sums = in_order(_checksum, [chunk.path for chunk in found], threads_here())
        footers = _footers([path for path, found_sum in sums if path.name.endswith(f"-{found_sum}.parquet")])
        whole = []
        for chunk in found:
            digests = self._digests(chunk, footers.get(chunk.path.name))
            if digests is None:
                self._refuse(chunk, set_aside)
            else:
                whole.append(replace(chunk, digests=digests))
        return whole

    def store(self, first: int, rows: Any) -> Chunk:
        """Write consecutive runs as a chunk."""
        end, digests = first + len(rows), block_digests(rows)
        words = {"job": self.digest, "first": first, "end": end, "blocks": digests.hex()}
        stem, columns = f"runs-{first:012}-{end:012}", columns_of(rows, first)
        return Chunk(keep_columns(self.folder, stem, columns, {KEY: json.dumps(words)}), first, end, digests)

    def names(self) -> set[str]:
        """The names of all its chunks, needed or not."""
        return {chunk.path.name for chunk in self._listed()}

    def tidy(self, old: Collection[str]) -> None:
        """Remove those of some old chunks whose runs a longer one holds too.

        What another process wrote meanwhile is left alone, since that process is about to read it again.
        """
        listed = self._listed()
        kept = {chunk.path for chunk in _without_superseded(listed)}
        for chunk in listed:
            if chunk.path not in kept and chunk.path.name in old:
                chunk.path.unlink(missing_ok=True)

    def _listed(self) -> list[Chunk]:
        found = [(path, CHUNK_NAME.fullmatch(path.name)) for path in self.folder.glob("runs-*.parquet")]
        return [Chunk(path, int(name["first"]), int(name["end"])) for path, name in found if name]

    def _digests(self, chunk: Chunk, words: Any) -> bytes | None:
        """The digests of a chunk's blocks, if its footer says that it is this chunk of this job."""
        try:
            expected = {"job": self.digest, "first": chunk.first, "end": chunk.end}
            digests = bytes.fromhex(words["blocks"])
            same = all(words[key] == value for key, value in expected.items())
        except (KeyError, TypeError, ValueError):
            return None
        return digests if same and len(digests) == BLOCK_BYTES * -(-chunk.runs // BLOCK) else None

    def _refuse(self, chunk: Chunk, set_aside: bool) -> None:
        fault = f"{chunk.path}: damaged, or from another job"
        if not set_aside:
            self.notice(f"{fault}: left out (the same `lab run` plays its runs again)")
            return
        try:
            chunk.path.replace(chunk.path.with_name(chunk.path.name + ".damaged"))
        except FileNotFoundError:
            return  # another process was faster
        except OSError as error:
            raise CartomancerError(f"{fault}, and cannot be set aside: {error.strerror or error}") from None
        self.notice(f"{fault}: set aside as {chunk.path.name}.damaged, its runs are played again")


class Results:
    """A folder of stored jobs."""

    def __init__(self, folder: Path | str, notice: Notice = lambda text: None) -> None:
        self.folder, self.notice = Path(folder), notice

    def stored(self, job: Job) -> StoredJob:
        """What is stored of a job; it may be nothing yet."""
        return StoredJob(self.folder / job.folder, job.digest, self.notice)

    def prepare(self, job: Job) -> StoredJob:
        """The folder of a job, ready to be filled: described, and without what dead processes left."""
        stored = self.stored(job)
        prepare_folder(stored.folder / JOB_FILE, job.describe())
        return stored

    def jobs(self) -> list[StoredJob]:
        """Every job in the folder."""
        found = sorted(path.parent for path in self.folder.glob(f"*-*/{JOB_FILE}"))
        return [StoredJob(folder, folder.name.rpartition("-")[2], self.notice) for folder in found]


def missing(chunks: Sequence[Chunk], wanted: Iterable[Range]) -> Iterator[Range]:
    """The wanted ranges that no chunk holds, one after the other; the chunks are in order."""
    firsts = [chunk.first for chunk in chunks]
    for first, count in wanted:
        place = bisect_right(firsts, first)
        if not place or first + count > chunks[place - 1].end:
            yield first, count


def held(chunks: Iterable[Chunk], runs: int, size: int) -> int:
    """How many of a job's first runs are in ranges of a size that a chunk holds whole; the last range may be shorter.

    >>> some = [Chunk(Path(), 0, 3_000), Chunk(Path(), 3_500, 5_000), Chunk(Path(), 6_000, 6_200)]
    >>> held(some, 6_200, 1_000), held(some, 6_300, 1_000)
    (4200, 4000)
    """
    ends = ((-(-one.first // size) * size, runs if one.end >= runs else one.end // size * size) for one in chunks)
    return sum(max(end - first, 0) for first, end in ends)


def _without_superseded(chunks: Iterable[Chunk]) -> list[Chunk]:
    """Every run once: of chunks that begin with the same run the longest; of equal ones the first by name, so that
    two processes agree on which."""
    kept: list[Chunk] = []
    for chunk in sorted(chunks, key=lambda chunk: (chunk.first, -chunk.end, chunk.path.name)):
        if chunk.end > chunk.first and (not kept or chunk.first >= kept[-1].end):
            kept.append(chunk)
    return kept


def _checksum(path: Path) -> str:
    """Of a file's bytes; none of a file that cannot be read."""
    try:
        return checksum(path)
    except OSError:
        return ""


def _footers(paths: Sequence[Path]) -> dict[str, Any]:
    """What the footers of files say, by the files' names; nothing of files that cannot be read."""
    import duckdb

    if not paths:
        return {}
    query = "SELECT file_name, value FROM parquet_kv_metadata(?) WHERE key = ?"
    try:
        with duckdb.connect() as connection:
            rows = connection.execute(query, [[str(path) for path in paths], KEY.encode()]).fetchall()
    except duckdb.Error:
        half = len(paths) // 2
        return _footers(paths[:half]) | _footers(paths[half:]) if half else {}
    found = {}
    for name, value in rows:
        with suppress(ValueError):
            found[Path(name).name] = json.loads(value)
    return found
