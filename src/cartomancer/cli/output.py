"""Printing: results to stdout, everything else to stderr, so that pipes stay clean."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cartomancer.errors import CartomancerError, FaultyError

OK, BAD, USAGE, STOPPED = 0, 1, 2, 130
MOST_FAULTS = 100  # shown; a wholly broken file has more than anybody reads

_as_json = False


def stdout() -> Console:
    """The console results go to."""
    return Console(highlight=False, soft_wrap=True)


def screen() -> Console:
    """The console boxes and tables are drawn on: unlike lines of results, they fit the terminal."""
    return Console(highlight=False)


def stderr() -> Console:
    """The console progress, hints and errors go to."""
    return Console(stderr=True, highlight=False)


def speak_json(wanted: bool) -> bool:
    """Remember whether this command's reader is a program: errors follow suit."""
    global _as_json  # noqa: PLW0603  one command a process
    _as_json = wanted
    return wanted


def print_json(data: Any) -> None:
    """Plain JSON on stdout."""
    sys.stdout.write(strict_json(data, indent=1) + "\n")


def strict_json(data: Any, indent: int | None = None) -> str:
    """JSON that every parser reads: halves of characters are escaped."""
    text = json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode()


def print_error(error: CartomancerError) -> None:
    """The error, every fault of it, on stderr."""
    if _as_json:
        faults = [fault.as_dict() for fault in error.faults]
        sys.stderr.write(strict_json({"error": str(error), "faults": faults}) + "\n")
        return
    console = stderr()
    if isinstance(error, FaultyError):
        console.print("error:", error.headline, style="red", markup=False)
        for fault in error.faults[:MOST_FAULTS]:
            console.print(f"  - {fault}", markup=False, soft_wrap=True)
        if len(error.faults) > MOST_FAULTS:
            console.print(f"  … and {len(error.faults) - MOST_FAULTS} more", markup=False)
    else:
        console.print("error:", str(error), style="red", markup=False, soft_wrap=True)


def write_file(path: Path, data: bytes) -> None:
    """Write a file, in a new folder if need be; what stands in the way is named with the file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise CartomancerError(f"{path}: cannot be written: {error.strerror or error}") from None


def table(title: str, *columns: str) -> Table:
    """A table in the house style: the first column names, the others are numbers."""
    made = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for index, column in enumerate(columns):
        made.add_column(column, justify="left" if index == 0 else "right")
    return made


def named_table(title: str, *columns: str) -> Table:
    """A table whose first column holds names, which are never broken."""
    made = table(title, *columns)
    made.columns[0].no_wrap = True
    return made


def word_table(title: str, *columns: str) -> Table:
    """A table of words: aligned left."""
    made = named_table(title, *columns)
    for column in made.columns:
        column.justify = "left"
    return made


def line(console: Console, text: Text, indent: int = 0) -> None:
    """One line, wrapped under its indent in a terminal and in one piece elsewhere."""
    if console.is_terminal:
        console.print(Padding(text, (0, 0, 0, indent), expand=False))
    else:
        console.print(Text(" " * indent).append_text(text), soft_wrap=True)


def interval(bounds: list[float], digits: int = 2) -> str:
    """A 95 % interval."""
    return f"{bounds[0]:.{digits}f} … {bounds[1]:.{digits}f}"


@contextmanager
def progress_bar(description: str, total: int) -> Iterator[Any]:
    """A progress bar on stderr; yields the function that moves it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from cartomancer.jit import is_compiled, is_compiled_cached, prefer_compiled

    prefer_compiled()  # what takes long enough for a bar is a batch
    first = description
    if is_compiled() and not is_compiled_cached():
        first = f"{description} (compiling kernels, first time only: about a minute)"
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = stderr()
    if first != description and not console.is_terminal:
        console.print(f"{first} …")
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(first, total=total)
        yield lambda done: bar.update(task, completed=done, description=description)
