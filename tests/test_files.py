"""Files that are written are whole or not there, whatever the disk does."""

from __future__ import annotations

import errno
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from cartomancer.errors import CartomancerError
from cartomancer.files import clear_leftovers, draft, new_folder, write_file


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_disk_that_fills_at_the_last_moment_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept"
    write_file(path, b"old")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CartomancerError, match="kept: cannot be written: No space left"):
        write_file(path, b"new")
    assert (names_in(tmp_path), path.read_bytes()) == (["kept"], b"old")


def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    write_file(path, b"old")
    path.chmod(0o640)
    write_file(path, b"new")
    assert (stat.S_IMODE(path.stat().st_mode), path.read_bytes()) == (0o640, b"new")


def test_a_folder_is_only_made_where_that_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "no" / "such" / "file"
    with pytest.raises(CartomancerError, match=r"there is no folder .* \(--parents makes it\)"):
        write_file(path, b"")
    assert names_in(tmp_path) == []
    write_file(path, b"there", parents=True)
    assert path.read_bytes() == b"there"


def test_a_folder_that_cannot_be_filled_leaves_nothing(tmp_path: Path) -> None:
    def fill() -> None:
        with new_folder(tmp_path / "mine") as made:
            (made / "first").touch()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(CartomancerError, match="mine: cannot be written: No space left"):
        fill()
    assert names_in(tmp_path) == []


def test_a_link_stays_and_a_pipe_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link, pipe = tmp_path / "far" / "page", tmp_path / "link", tmp_path / "pipe"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_file(link, b"new")
    assert (link.is_symlink(), target.read_bytes()) == (True, b"new")
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_file(pipe, b"new")
    assert os.read(reader, 9) == b"new"
    os.close(reader)
    assert pipe.is_fifo()
    with pytest.raises(CartomancerError, match="far: cannot be written: Is a directory"):
        write_file(tmp_path / "far", b"new")


def test_what_a_dead_process_left_is_cleared_away(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    host = socket.gethostname()
    dead = tmp_path / f".{host}-{ended.pid}-0123abcd.tmp"
    earlier = tmp_path / f".{host}-{os.getpid()}-0123abcd.tmp"  # a process that had this one's number
    living = tmp_path / f".{host}-{os.getppid()}-0123abcd.tmp"
    elsewhere = tmp_path / f".another-host-{ended.pid}-0123abcd.tmp"
    foreign = tmp_path / ".mine.tmp"
    for path in (dead, earlier, living, elsewhere, foreign):
        path.touch()
    with draft(tmp_path) as mine:
        mine.touch()
        clear_leftovers(tmp_path)
        assert names_in(tmp_path) == sorted(path.name for path in (living, elsewhere, foreign, mine))
    assert not mine.exists()


# --- commands on a disk that is full ----------------------------------------------------------------------------------

WRITERS = {
    "map new": ["map", "new", "voyage", "--seed", "1", "--format", "json", "--output", "FILE"],
    "map repair": ["map", "repair", "voyage:guide:1", "--output", "FILE"],
    "map audit": ["map", "audit", "voyage", "--maps", "2", "--html", "FILE"],
    "map search": ["map", "search", "voyage", "--where", "nodes > 1000", "--seeds", "1", "--checkpoint", "FILE"],
    "encounter record": ["encounter", "record", "boar", "--seed", "1", "--players", "random", "--out", "FILE"],
    "encounter play": ["encounter", "play", "boar", "--seed", "1", "--as", "visitor", "--save", "FILE"],
    "content new": ["content", "new", "deck", "mine", "--out", "FILE"],
    "content copy": ["content", "copy", "FILE"],
    "lab baseline": ["lab", "baseline", "save", "mine", "boar", "--runs", "1", "--baselines", "FOLDER"],
}
SMALL_FILES = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))  # no file grows longer: as on a full disk
from cartomancer.cli.main import main
main()
"""


def told_to_write(command: list[str], path: Path) -> str:
    """What a command says whose disk is full."""
    names = {"FILE": str(path), "FOLDER": str(path.parent)}
    arguments = [sys.executable, "-c", SMALL_FILES, *(names.get(word, word) for word in command)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ended = subprocess.run(arguments, check=False, capture_output=True, text=True, input="", env=environment)
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    return " ".join(ended.stderr.split())


@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)
def test_a_command_whose_disk_is_full_leaves_no_file(tmp_path: Path, command: list[str]) -> None:
    assert "cannot be written: File too large" in told_to_write(command, tmp_path / "kept")
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("name", ["map new", "map repair", "map audit", "encounter record"])
def test_a_command_whose_disk_is_full_leaves_the_old_file(tmp_path: Path, name: str) -> None:
    path, force = tmp_path / "kept", ["--force"] if name == "encounter record" else []
    path.write_text("as it was")
    assert "cannot be written: File too large" in told_to_write([*WRITERS[name], *force], path)
    assert (names_in(tmp_path), path.read_text()) == (["kept"], "as it was")
