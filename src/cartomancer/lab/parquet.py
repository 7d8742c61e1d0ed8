"""Columns of numbers as Parquet files, and the folders they are kept in."""

from __future__ import annotations

import errno
import json
import os
import re
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from cartomancer.files import clear_leftovers, draft, publish, write_file

NO_SPACE: Final = re.compile(r"No space left on device|Disk quota exceeded|File too large")  # as DuckDB passes them on

Columns = Mapping[str, np.ndarray[Any, Any]]


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


def keep_columns(folder: Path, stem: str, columns: Columns, metadata: Mapping[str, str] | None = None) -> Path:
    """Columns as a file of a folder, whole or not there, whose name ends with its checksum."""
    with draft(folder) as temporary:
        write_columns(temporary, columns, metadata)
        target = folder / f"{stem}-{checksum(temporary)}.parquet"
        publish(temporary, target)
    return target


def checksum(path: Path) -> str:
    """Of a file's bytes."""
    return f"{zlib.crc32(path.read_bytes()):08x}"


def prepare_folder(description: Path, facts: Mapping[str, Any]) -> None:
    """Make the folder of stored columns ready: described, and without what dead processes left."""
    described = (json.dumps(facts, indent=1) + "\n").encode()
    if not description.is_file() or description.read_bytes() != described:
        write_file(description, described, parents=True)
    clear_leftovers(description.parent)


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
