"""Help, versions, streams and exit codes: what every command owes whoever types it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cartomancer.cli.main import app
from tests.cli.conftest import COMMAND, Run, strict_json

MAP_COMMANDS = [
    "new",
    "show",
    "check",
    "repair",
    "explain",
    "analyse",
    "walk",
    "audit",
    "compare",
    "search",
    "rules",
    "presets",
    "schema",
    "unknown",
    "tour",
]


def test_help_imports_neither_numba_nor_numpy_nor_pydantic() -> None:
    """What keeps `cartomancer --help` under half a second, said in a way that no slow machine can fail."""
    result = subprocess.run(
        [sys.executable, "-X", "importtime", *COMMAND[1:], "--help"], check=False, capture_output=True, text=True
    )
    assert result.returncode == 0
    assert "Usage" in result.stdout
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in result.stderr.splitlines()}
    assert not imported & {"numba", "llvmlite", "numpy", "pydantic", "jinja2", "scipy"}


@pytest.mark.parametrize("command", MAP_COMMANDS)
def test_every_map_command_explains_itself(run: Run, command: str) -> None:
    assert command in run("map", "--help").stdout
    result = run("map", command, "--help")
    assert result.exit_code == 0
    assert "Usage" in result.stdout


@pytest.mark.parametrize("group", ["map", "content", "kernels"])
def test_a_group_without_a_command_shows_its_help(run: Run, group: str) -> None:
    assert "Usage" in run(group).output


def test_the_version_is_shown(run: Run) -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("cartomancer ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["nothing"],
        ["map", "nothing"],
        ["map", "new"],
        ["map", "new", "voyage", "--nothing"],
        ["map", "new", "voyage", "--rows", "many"],
        ["map", "new", "voyage", "--format", "pdf"],
        ["map", "search", "voyage"],
        ["map", "search", "voyage", "--where", "nodes > 1", "--limit", "0"],
        ["map", "search", "voyage", "--where", "nodes > 1", "--backend", "abacus"],
        ["map", "audit", "voyage", "--maps", "0"],
        ["map", "audit", "castle"],
        ["map", "rules", "castle", "--schema"],
        ["map", "unknown", "--visits", "0"],
        ["map", "explain", "castle", "--node", "1", "--seed", "1"],
    ],
)
def test_wrong_usage_has_exit_code_2_and_an_empty_stdout(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    if arguments[1:2] == ["explain"]:
        assert result.exit_code in (1, 2)  # 'castle' may as well be a file that is missing
    else:
        assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["map", "new", "voyage", "--seed", "1"],
        ["map", "show", "voyage:guide:1"],
        ["map", "check", "voyage:guide:1"],
        ["map", "repair", "voyage:guide:1"],
        ["map", "explain", "voyage", "--seed", "1", "--node", "3"],
        ["map", "analyse", "voyage:guide:1"],
        ["map", "walk", "voyage:guide:1"],
        ["map", "audit", "voyage", "--maps", "20"],
        ["map", "search", "voyage", "--where", "nodes > 1", "--seeds", "5"],
        ["map", "rules", "voyage"],
        ["map", "presets"],
        ["map", "unknown", "--seed", "1"],
        ["content", "check"],
        ["kernels", "info"],
    ],
)
def test_json_is_alone_on_stdout_whatever_else_is_said(run: Run, arguments: list[str]) -> None:
    result = run(*arguments, "--json")
    assert result.exit_code == 0
    strict_json(result.stdout)


@pytest.mark.parametrize(
    "arguments",
    [
        ["map", "new", "voyage", "--rows", "2"],
        ["map", "show", "none.json"],
        ["map", "check", "none.json"],
        ["map", "analyse", "none.json"],
        ["map", "audit", "voyage", "--rows", "2"],
        ["map", "search", "voyage", "--where", "rooms > 1"],
        ["map", "rules", "castle"],
        ["map", "unknown", "--force", "inn@1"],
    ],
)
def test_a_refusal_of_a_json_command_is_json_on_stderr(run: Run, arguments: list[str]) -> None:
    result = run(*arguments, "--json")
    assert result.exit_code in (1, 2)
    assert result.stdout == ""
    assert strict_json(result.stderr)["error"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["map", "new", "voyage", "--seed", "1", "--json"],
        ["map", "rules", "voyage"],
        ["map", "unknown", "--seed", "1", "--visits", "20000", "--json"],
    ],
)
def test_a_reader_that_leaves_early_causes_no_traceback(arguments: list[str]) -> None:
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=60)
    assert "Traceback" not in said
    assert "Exception" not in said


def test_one_map_commands_give_the_same_bits_interpreted_as_compiled(run: Run) -> None:
    """A process of its own runs its kernels interpreted; this one has them compiled."""
    for notation in ("voyage:spire:77", "contract:power:77", "guardian:five_acts:77"):
        alone = subprocess.run([*COMMAND, "map", "new", notation, "--json"], capture_output=True, check=True)
        assert json.loads(alone.stdout) == json.loads(run("map", "new", notation, "--json").stdout)


def test_errors_name_the_thing_and_never_the_machinery(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "preset.toml"
    path.write_text('id = "Bad Id"\nfamily = "voyage"\ntitle = ""\nextends = "guide"\nrows = "x"\n')
    said = run("map", "new", "voyage", "--preset", str(path)).stderr
    assert all(name in said for name in ("id", "title", "rows"))
    assert all(word not in said for word in ("pydantic", "ValidationError", "VoyageRules", "type=", "input_value"))


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("content list sc", {"scenario"}),
        ("content show gor", {"gore"}),
        ("content stats whis", {"whispering_gallery"}),
        ("encounter play symb", {"symbiote", "symbiote-deceptive"}),
        ("ladder heu", {"heuristic"}),
        ("map rules vo", {"voyage"}),
    ],
)
def test_a_shell_completes_what_was_begun(typed: str, offered: set[str]) -> None:
    words = {"COMP_WORDS": f"cartomancer {typed}", "COMP_CWORD": str(len(typed.split()))}
    asked = {"_CARTOMANCER_COMPLETE": "complete_bash", **words}
    assert set(CliRunner().invoke(app, [], prog_name="cartomancer", env=asked).stdout.split()) == offered
