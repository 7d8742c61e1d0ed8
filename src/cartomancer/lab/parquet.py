"""Columns of numbers as Parquet files."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

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
