"""What others wrote: how their files are read, and how their texts are shown.

>>> print(printable("a title\\x1b[31m that turns \\u202e round"))
a title\\u001b[31m that turns \\u202e round
"""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from cartomancer.errors import CartomancerError, Fault

MOST_BYTES: Final = 16 * 2**20
DEEPEST: Final = 64  # tables and lists within each other; what we write has a tenth of it
# Control characters, halves of characters, and what is not seen but turns, hides or joins what is: marks of direction,
# spaces without width, tags. The joiners of some scripts and of emoji (U+200C, U+200D) are harmless.
_UNSEEN: Final = (
    "\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f"
)
_IN_OUTPUT: Final = re.compile(f"[\x00-\x08{_UNSEEN}]")  # which has lines and tabs of its own
_IN_TEXTS: Final = re.compile(f"[\x00-\x0a{_UNSEEN}]")


class InputFileError(CartomancerError):
    """A file that cannot be read as text: the message says why."""

    def __init__(self, reason: str, missing: bool = False) -> None:
        self.missing = missing
        super().__init__(reason)


def read_input(path: Path, most: int = MOST_BYTES) -> str:
    """The text of a file: an ordinary one, of a bounded size, in UTF-8 with or without a byte order mark."""
    try:
        mode, size = path.stat().st_mode, path.stat().st_size
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "a pipe, a socket or a device"
            raise InputFileError(f"is {what} (right would be: an ordinary file)")
        if size <= most:
            with path.open("rb") as file:
                data = file.read(most + 1)  # files that the system makes up do not tell their size
            size = max(size, len(data))
    except OSError as error:
        raise InputFileError(error.strerror or str(error), isinstance(error, FileNotFoundError)) from None
    except ValueError as error:  # a name with a null in it
        raise error if isinstance(error, InputFileError) else InputFileError(str(error)) from None
    if size > most:
        raise InputFileError(f"is too large: {size:,} bytes or more (right would be: at most {most:,})")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputFileError(f"is not a text in UTF-8: {error}") from None


def text_faults(data: Any) -> Iterator[Fault]:
    """Texts in what was read that could not be shown as they are, and what lies deeper than anything that is meant."""
    waiting: list[tuple[str, Any, int]] = [("", data, 0)]
    while waiting:
        field, value, depth = waiting.pop()
        if isinstance(value, str):
            if hidden := _IN_TEXTS.search(value):
                problem = f"holds a character that cannot be shown: {_escaped(hidden)}"
                yield Fault(field or "text", value, problem, "letters, signs and spaces on one line")
        elif isinstance(value, (dict, list)) and depth == DEEPEST:
            yield Fault(f"{field[:40]}…", None, "lies too deep", f"at most {DEEPEST} tables in each other")
        elif isinstance(value, dict):
            waiting += [(f"{field}.{key}".removeprefix("."), held, depth + 1) for key, held in value.items()]
            waiting += [(f"{field}: key", key, depth + 1) for key in value]
        elif isinstance(value, list):
            waiting += [(f"{field}[{number}]", held, depth + 1) for number, held in enumerate(value, 1)]


def printable(text: str) -> str:
    """A text of lines as a terminal may get it: what would steer it, or turn the text round, is written as \\u001b."""
    return _IN_OUTPUT.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))
