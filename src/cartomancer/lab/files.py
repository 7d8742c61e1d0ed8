"""Writing files that are whole or not there: to a temporary name, to the disk, then renamed.

A process that dies leaves at most a temporary file, and the next one clears it away. Several processes may write to one
folder: temporary names are their own, and the last to rename to a name wins.
"""

from __future__ import annotations

import errno
import os
import re
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from cartomancer.errors import CartomancerError

TEMPORARY: Final = re.compile(r"\.(?P<host>.+)-(?P<process>[0-9]{1,9})-[0-9a-f]{8}\.tmp")
NO_SPACE: Final = re.compile(r"No space left on device|Disk quota exceeded")  # as DuckDB passes them on

Columns = Mapping[str, np.ndarray[Any, Any]]
Notice = Callable[[str], None]  # told what a person should know

_drafts: set[str] = set()  # temporary names of this process


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file, in a new folder if need be: it is whole, or as it was.

    A link stays, and what it leads to is replaced; pipes and devices cannot be replaced and are written to.
    """
    if is_replaceable(path):
        with draft(path.resolve().parent) as temporary:
            temporary.write_bytes(data)
            publish(temporary, path.resolve())
        return
    try:
        path.write_bytes(data)
    except OSError as error:
        raise CartomancerError(f"{path}: cannot be written: {error.strerror or error}") from None


def is_replaceable(path: Path) -> bool:
    """Whether there is an ordinary file, or nothing yet."""
    return path.is_file() or not path.exists()


def refuse_unwritable(path: Path) -> None:
    """Fail before long work rather than after it if a file cannot be written."""
    if is_replaceable(path):
        with draft(path.resolve().parent) as temporary:
            temporary.touch()


@contextmanager
def draft(folder: Path) -> Iterator[Path]:
    """A temporary path in a folder, gone afterwards unless it was published; failures name the folder."""
    temporary = folder / f".{_host()}-{os.getpid()}-{os.urandom(4).hex()}.tmp"
    _drafts.add(temporary.name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield temporary
    except OSError as error:
        reason = error.strerror or str(error)
        raise CartomancerError(f"{folder}: cannot be written: {reason} (all files there are whole)") from None
    finally:
        with suppress(OSError):  # the reason it failed is told, not that there is nothing to remove
            temporary.unlink(missing_ok=True)
        _drafts.discard(temporary.name)


def publish(temporary: Path, target: Path) -> None:
    """Give a draft its name, once its bytes are on the disk."""
    _sync(temporary)
    temporary.replace(target)
    _sync(target.parent)


def write_columns(path: Path, columns: Columns, metadata: Mapping[str, str] | None = None) -> None:
    """Columns of equal length as Parquet, with words of its own in its footer: one row group, packed with zstd."""
    import duckdb

    words = ", ".join(f"{key}: {quoted(value)}" for key, value in (metadata or {}).items())
    options = "FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION v2, USE_TMP_FILE false"
    options += f", KV_METADATA {{{words}}}" if words else ""
    with _database().cursor() as connection:
        connection.register("columns", dict(columns))
        try:
            connection.execute(f"COPY (SELECT * FROM columns) TO {quoted(str(path))} ({options})")
        except duckdb.Error as error:
            if NO_SPACE.search(str(error)):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
            raise


@cache
def _database() -> Any:
    """One for all writers of this process: opening it takes as long as writing a chunk."""
    import duckdb

    return duckdb.connect(config={"threads": 1})


def quoted(text: str) -> str:
    """A text as SQL writes it.

    >>> print(quoted("the hermit's cave"))
    'the hermit''s cave'
    """
    return "'" + text.replace("'", "''") + "'"


def clear_leftovers(folder: Path) -> None:
    """Remove drafts of processes of this machine that are no more."""
    for path in folder.glob(".*.tmp"):
        found = TEMPORARY.fullmatch(path.name)
        if found and found["host"] == _host() and path.name not in _drafts and not _is_alive(int(found["process"])):
            path.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    if process == os.getpid():
        return False  # this process knows its drafts
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's
    return True


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _host() -> str:
    return socket.gethostname()
