"""The command line in this process: fast, and a traceback is a failed test whatever the exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import cartomancer.jit  # noqa: F401  imported first, so that no command switches this process to interpreted kernels
from cartomancer.cli.main import app

COMMAND = [sys.executable, "-m", "cartomancer.cli"]
Run = Callable[..., Result]
Play = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Run one command; anything but a clean exit is a failure of its own."""

    def invoke(*arguments: str) -> Result:
        result = CliRunner().invoke(app, list(arguments))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise AssertionError(f"{arguments}: traceback {result.exception!r}") from result.exception
        assert "Traceback" not in result.output
        return result

    return invoke


@pytest.fixture
def run_json(run: Run) -> Callable[..., Any]:
    """Run one command with --json and read its stdout as strict JSON."""

    def invoke(*arguments: str, code: int = 0) -> Any:
        result = run(*arguments, "--json")
        assert result.exit_code == code, result.output
        return strict_json(result.stdout)

    return invoke


def strict_json(text: str) -> Any:
    """JSON as every parser reads it: no NaN, no Infinity."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def map_file(run: Run, tmp_path: Path) -> Callable[..., Path]:
    """A generated map in a file, changed by a function before it is written."""

    def write(family: str = "voyage", *options: str, change: Callable[[dict[str, Any]], Any] | None = None) -> Path:
        data = json.loads(run("map", "new", family, "--seed", "5", "--json", *options).stdout)
        if change is not None:
            change(data)
        path = tmp_path / f"{family}.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    return write


@pytest.fixture
def preset_file(tmp_path: Path) -> Callable[..., str]:
    """A designer's preset: the lines go under a head that names it."""

    def write(*lines: str, family: str = "voyage", extends: str = "guide", name: str = "mine") -> str:
        head = ['id = "mine"', f'family = "{family}"', 'title = "Mine"', f'extends = "{extends}"']
        path = tmp_path / f"{name}.toml"
        path.write_text("\n".join([*head, *lines]) + "\n", encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Play a game in a folder of its own, with what a person would type."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str, typed: list[str], code: int = 0) -> Result:
        text = "".join(f"{line}\n" for line in typed)
        result = CliRunner().invoke(app, ["encounter", "play", *arguments], input=text)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise AssertionError(f"{arguments}: traceback {result.exception!r}") from result.exception
        assert result.exit_code == code, result.output
        return result

    return invoke
