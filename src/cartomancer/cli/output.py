"""Printing: results to stdout, everything else to stderr, so that pipes stay clean."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from cartomancer.errors import CartomancerError, FaultyError
from cartomancer.figures import percent
from cartomancer.input_files import printable

OK, BAD, USAGE, STOPPED = 0, 1, 2, 130
MOST_FAULTS = 100  # shown; a wholly broken file has more than anybody reads

_as_json = False


class _Printable(Console):
    """A console on which no text steers the terminal or turns the line round, wherever the text comes from."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


def stdout() -> Console:
    """The console results go to."""
    return _Printable(highlight=False, soft_wrap=True)


def screen() -> Console:
    """The console boxes and tables are drawn on: unlike lines of results, they fit the terminal."""
    return _Printable(highlight=False)


def stderr() -> Console:
    """The console progress, hints and errors go to."""
    return _Printable(stderr=True, highlight=False)


def say(*lines: str, style: str | None = None) -> None:
    """Lines of a result, as they are."""
    console = stdout()
    for text in lines:
        console.print(text, style=style, markup=False)


def note(*lines: str, whole: bool = False) -> None:
    """Lines of progress, hints and errors, as they are; whole ones are not wrapped."""
    console = stderr()
    for text in lines:
        console.print(text, markup=False, soft_wrap=whole)


def stopped(how: str) -> typer.Exit:
    """Say how far an interrupted command came; what it is then to raise."""
    note(how)
    return typer.Exit(STOPPED)


def speak_json(wanted: bool) -> bool:
    """Remember whether this command's reader is a program: errors follow suit."""
    global _as_json  # noqa: PLW0603  one command a process
    _as_json = wanted
    return wanted


def print_json(data: Any) -> None:
    """Plain JSON on stdout."""
    sys.stdout.write(strict_json(data, indent=1) + "\n")


def answered(data: Any) -> typer.Exit:
    """A whole answer as plain JSON; what is then to raise."""
    print_json(data)
    return typer.Exit(OK)


def answer(as_json: bool, data: Any, for_people: Callable[[], None]) -> None:
    """A result: JSON for programs, or in words and tables."""
    if as_json:
        print_json(data)
    else:
        for_people()


def strict_json(data: Any, indent: int | None = None) -> str:
    """JSON that every parser reads and every terminal shows: halves of characters and hidden ones are escaped."""
    return printable(json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False))


def print_error(error: CartomancerError) -> None:
    """The error, every fault of it, on stderr."""
    if _as_json:
        faults = [fault.as_dict() for fault in error.faults]
        sys.stderr.write(strict_json({"error": str(error), "faults": faults}) + "\n")
        return
    if isinstance(error, FaultyError):
        stderr().print("error:", error.headline, style="red", markup=False)
        note(*(f"  - {fault}" for fault in error.faults[:MOST_FAULTS]), whole=True)
        if len(error.faults) > MOST_FAULTS:
            note(f"  … and {len(error.faults) - MOST_FAULTS} more")
    else:
        stderr().print("error:", str(error), style="red", markup=False, soft_wrap=True)


Rows = Iterable[Sequence[RenderableType] | None]


def table(
    title: str, columns: Sequence[str], rows: Rows = (), *, left: Iterable[int] = (0,), whole: Iterable[int] = ()
) -> Table:
    """A table in the house style: numbers to the right, columns `left` to the left, columns `whole` never broken.
    Nothing instead of a row ends a section."""
    made = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in columns:
        made.add_column(column, justify="right")
    for index in left:
        made.columns[index].justify = "left"
    for index in whole:
        made.columns[index].no_wrap = True
    for row in rows:
        if row is None:
            made.add_section()
        else:
            made.add_row(*row)
    return made


def named_table(title: str, columns: Sequence[str], rows: Rows = (), left: Iterable[int] = (0,)) -> Table:
    """A table whose first column holds names, which are never broken."""
    return table(title, columns, rows, left=left, whole=(0,))


def word_table(title: str, columns: Sequence[str], rows: Rows = ()) -> Table:
    """A table of words: aligned left."""
    return named_table(title, columns, rows, left=range(len(columns)))


def long_names(title: str, columns: Sequence[str], rows: Rows = (), left: Iterable[int] = (0,)) -> Table:
    """A table of names that may be longer than a terminal is wide: they are broken, and never the numbers."""
    made = table(title, columns, rows, left=left, whole=range(1, len(columns)))
    made.columns[0].overflow = "fold"
    return made


def show(*things: RenderableType) -> None:
    """Tables among the lines of a result."""
    console = stdout()
    for thing in things:
        console.print(thing)


def line(console: Console, text: Text, indent: int = 0) -> None:
    """One line, wrapped under its indent in a terminal and in one piece elsewhere."""
    if console.is_terminal:
        console.print(Padding(text, (0, 0, 0, indent), expand=False))
    else:
        console.print(Text(" " * indent).append_text(text), soft_wrap=True)


def interval(bounds: Sequence[float] | None, digits: int = 2) -> str:
    """A 95 % interval; a dash where there is none."""
    return "–" if bounds is None else f"{bounds[0]:.{digits}f} … {bounds[1]:.{digits}f}"


def percents(bounds: Sequence[float], digits: int = 1) -> str:
    """The interval of a share."""
    return interval([100 * end for end in bounds], digits)


def rate(found: Mapping[str, Any], digits: int = 1) -> tuple[str, str]:
    """A share of runs and its interval, of numbers for programs."""
    return percent(found["rate"], digits), percents((found["low"], found["high"]), digits)


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
