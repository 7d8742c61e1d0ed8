"""Writing files that are whole or not there: to a temporary name, to the disk, then renamed.

A process that dies leaves at most a temporary file, and the next one clears it away. Several processes may write to one
folder: temporary names are their own, and the last to rename to a name wins.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from cartomancer.errors import CartomancerError

TEMPORARY: Final = re.compile(r"\.(?P<host>.+)-(?P<process>[0-9]{1,9})-[0-9a-f]{8}\.tmp")

_drafts: set[str] = set()  # temporary names of this process


def write_file(path: Path, data: bytes, parents: bool = False) -> None:
    """Write a file, in a new folder if that is wanted: it is whole, or as it was.

    A link stays, and what it leads to is replaced; pipes and devices cannot be replaced and are written to.
    """
    refuse_homeless(path, parents)
    if _is_replaceable(path):
        with draft(path.resolve().parent, path) as temporary:
            temporary.write_bytes(data)
            if path.exists():
                shutil.copymode(path, temporary)
            publish(temporary, path.resolve())
        return
    try:
        path.write_bytes(data)
    except OSError as error:
        raise _unwritable(path, error) from None


def refuse_homeless(path: Path | None, parents: bool) -> None:
    """Fail before the work if the folder of a file is not there, and is not to be made: it may be misspelt."""
    if path is not None and not parents and not path.parent.exists():
        raise CartomancerError(f"{path}: there is no folder '{path.parent}' (--parents makes it)")


def refuse_unwritable(path: Path) -> None:
    """Fail before long work rather than after it if a file cannot be written."""
    if _is_replaceable(path):
        with draft(path.resolve().parent, path) as temporary:
            temporary.touch()


def _is_replaceable(path: Path) -> bool:
    """Whether there is an ordinary file, or nothing yet."""
    return path.is_file() or not path.exists()


def _unwritable(path: Path, error: OSError) -> CartomancerError:
    return CartomancerError(f"{path}: cannot be written: {error.strerror or error}")


@contextmanager
def draft(folder: Path, meant: Path | None = None) -> Iterator[Path]:
    """A temporary path in a folder, gone afterwards unless it was published; failures name what is meant to be written,
    or the folder."""
    temporary = folder / f".{socket.gethostname()}-{os.getpid()}-{os.urandom(4).hex()}.tmp"
    _drafts.add(temporary.name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield temporary
    except OSError as error:
        raise _unwritable(meant or folder, error) from None
    finally:
        with suppress(OSError):  # the reason it failed is told, not that there is nothing to remove
            _remove(temporary)
        _drafts.discard(temporary.name)


def publish(temporary: Path, target: Path) -> None:
    """Give a draft its name, once its bytes are on the disk."""
    _sync(temporary)
    temporary.replace(target)
    _sync(target.parent)


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to be filled, which then has its name; nothing is left of one that cannot be filled.

    What is there already is never overwritten, but for an empty folder.
    """
    refuse_taken(folder)
    with draft(folder.resolve().parent, folder) as temporary:
        temporary.mkdir()
        yield temporary
        publish(temporary, folder.resolve())


def refuse_taken(folder: Path) -> None:
    """Fail before the work if something is there already, or if nothing can be written there."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CartomancerError(f"{folder}: is there already: nothing was written")
    above = next(path for path in folder.absolute().parents if path.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise CartomancerError(f"{folder}: cannot be written: {above} is no folder that can be written to")


def clear_leftovers(folder: Path) -> None:
    """Remove drafts of processes of this machine that are no more."""
    for path in folder.glob(".*.tmp"):
        found = TEMPORARY.fullmatch(path.name)
        if (
            found
            and found["host"] == socket.gethostname()
            and path.name not in _drafts
            and not _is_alive(int(found["process"]))
        ):
            _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
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
