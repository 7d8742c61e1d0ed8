"""`lab run` and `lab query`: batches in files that survive what happens to them, and answers about them."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cartomancer.cli import output
from cartomancer.lab.runs import jobs, running
from cartomancer.players.simulation import ENDINGS, play_runs, simulate
from tests.cli.conftest import Run, strict_json

RunJson = Callable[..., Any]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "CHUNK", 1_000)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "results")


# --- run --------------------------------------------------------------------------------------------------------------


def test_a_batch_is_stored_and_told(run_json: RunJson, folder: str) -> None:
    (facts,) = run_json("lab", "run", "boar", "-n", "1500", "--seed", "7", "--results", folder)
    expected = simulate("boar", 1500, 7)
    assert (facts["n"], facts["found"], facts["played"], facts["files"]) == (1500, 0, 1500, 2)
    assert facts["result_hash"] == expected.result_hash
    assert facts["content"] == expected.packed.digest
    for name, rate in facts["outcomes"].items():
        assert rate["runs"] == expected.count(name)
        assert rate["low"] <= rate["rate"] <= rate["high"]
    assert facts["bytes"] == sum(path.stat().st_size for path in Path(facts["folder"]).glob("*.parquet"))


def test_stored_runs_have_the_metrics_of_the_same_batch_in_memory(run_json: RunJson, folder: str) -> None:
    run_json("lab", "run", "boar", "-n", "1500", "--seed", "7", "--results", folder)
    (facts,) = run_json("lab", "run", "boar", "-n", "1200", "--seed", "7", "--results", folder)
    simulated = run_json("simulate", "boar", "-n", "1200", "--seed", "7")
    for metric in ("agency_score", "closeness_at_resolution", "outcome_diversity", "attrition_curve", "readings"):
        assert facts[metric] == simulated[metric]
    assert facts["result_hash"] == simulated["result_hash"]


def test_the_same_command_goes_on(run_json: RunJson, folder: str) -> None:
    run_json("lab", "run", "boar", "-n", "1500", "--seed", "7", "--results", folder)
    (again,) = run_json("lab", "run", "boar", "-n", "1500", "--seed", "7", "--results", folder)
    assert (again["found"], again["played"]) == (1500, 0)
    (more,) = run_json("lab", "run", "boar", "-n", "2500", "--seed", "7", "--results", folder)
    assert (more["found"], more["played"]) == (1000, 1500)
    assert more["result_hash"] == simulate("boar", 2500, 7).result_hash


def test_the_report_is_for_people(run: Run, folder: str) -> None:
    said = run("lab", "run", "boar", "moth", "-n", "300", "--seed", "7", "--results", folder).stdout
    assert "boar: 300 runs, seed 7" in said
    assert "moth: 300 runs, seed 7" in said
    assert "0 runs were there, 300 were played" in said
    assert f"result hash {simulate('moth', 300, 7).result_hash}" in said
    kills = simulate("boar", 300, 7).count("kill")
    assert any(line.split()[:1] == ["kill"] and line.split()[-1] == str(kills) for line in said.splitlines())


def test_threads_workers_and_players_are_passed_on(run_json: RunJson, folder: str) -> None:
    options = ("-n", "300", "--seed", "7", "--ai-dungeon", "nurturing")
    (one,) = run_json("lab", "run", "boar", *options, "--threads", "1", "--results", folder)
    (two,) = run_json("lab", "run", "boar", *options, "--threads", "2", "--results", folder + "2")
    assert one["result_hash"] == two["result_hash"]
    assert one["dungeon"] == "heuristic:nurturing"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--backend", "gpu"), "unknown backend"),
        (("--workers", "2"), "not for the backend"),
        (("--backend", "cuda", "--cluster", "tcp://x:1"), "not for the backend"),
        (("--cluster", "tcp://x:1", "--workers", "2"), "one or the other"),
        (("-n", "1000000000001"), "a job has 1 to"),
        (("--ai-dungeon", "nobody"), "unknown player"),
        (("--seed", "-1"), "outside"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_stored(
    run: Run, folder: str, options: tuple[str, ...], told: str
) -> None:
    result = run("lab", "run", "boar", "--results", folder, *options)
    assert result.exit_code == output.USAGE
    assert told in result.stderr
    assert not Path(folder).exists()


def test_a_folder_that_cannot_be_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run("lab", "run", "boar", "-n", "5", "--results", str(tmp_path / "file"))
    assert result.exit_code == output.USAGE
    assert "cannot be written" in result.stderr


def test_an_interrupt_says_what_is_safe(run: Run, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(table: Any, policy: Any, seed: int, first: int, rows: Any) -> int:
        if first >= 2_500:
            os.kill(os.getpid(), signal.SIGINT)
        return play_runs(table, policy, seed, first, rows)

    monkeypatch.setattr(running, "play_runs", play)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = run("lab", "run", "boar", "-n", "5000", "--threads", "1", "--results", folder)
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.exit_code == output.STOPPED
    assert "2,000 of 5,000 runs of boar are safe; the same command goes on" in result.stderr


COMMAND = """
import sys
from cartomancer.cli.main import main
from cartomancer.lab.runs import jobs

jobs.CHUNK = 1_000
sys.argv = ["cartomancer", *sys.argv[1:]]
main()
"""


def test_a_killed_command_goes_on_where_it_was(tmp_path: Path) -> None:
    folder, runs = tmp_path / "results", 24_000
    arguments = ["lab", "run", "boar", "-n", str(runs), "--seed", "7", "--results", str(folder), "--json"]
    command = [sys.executable, "-c", COMMAND, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while process.poll() is None and len(list(folder.glob("*/runs-*.parquet"))) < 4:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, "it was done before it could be killed"
    stored = len(list(folder.glob("*/runs-*.parquet")))
    (job,) = folder.iterdir()
    (job / f".{os.uname().nodename}-{process.pid}-0123abcd.tmp").touch()  # as if it had died while it wrote
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    (facts,) = json.loads(again.stdout)
    assert facts["found"] == 1_000 * stored
    assert facts["result_hash"] == simulate("boar", runs, 7).result_hash
    assert not list(job.glob(".*"))
    assert again.stderr == ""


# --- query ------------------------------------------------------------------------------------------------------------

QUESTION = "select outcome_name, count(*) as runs from runs group by all order by all"


@pytest.fixture
def filled(run: Run, folder: str) -> str:
    assert run("lab", "run", "boar", "-n", "1500", "--seed", "7", "--results", folder).exit_code == 0
    return folder


def test_a_question_is_answered(run: Run, run_json: RunJson, filled: str) -> None:
    found = run_json("lab", "query", QUESTION, "--results", filled)
    expected = simulate("boar", 1500, 7)
    assert {row["outcome_name"]: row["runs"] for row in found} == {
        name: expected.count(name) for name in ENDINGS if expected.count(name)
    }
    lines = run("lab", "query", QUESTION, "--results", filled).stdout.splitlines()
    assert ["kill", str(expected.count("kill"))] in [line.split() for line in lines]
    told = run("lab", "query", QUESTION, "--results", filled, "--csv").stdout
    assert list(csv.reader(io.StringIO(told)))[1] == ["break", str(expected.count("break"))]


def test_long_answers_are_cut_for_people_only(run: Run, run_json: RunJson, filled: str) -> None:
    question = "select run, '[bold]' as words from runs order by run"
    result = run("lab", "query", question, "--results", filled)
    assert "the first 200 rows: --csv" in result.stderr
    assert "[bold]" in result.stdout
    assert len(run_json("lab", "query", question, "--results", filled)) == 1500
    assert len(run("lab", "query", question, "--results", filled, "--csv").stdout.splitlines()) == 1501


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("selec",), "syntax error"),
        (("select nope from runs",), "nope"),
        (("copy runs to 'x.csv'",), "one SELECT"),
        (("select * from read_csv('/etc/passwd')",), "disabled"),
        ((QUESTION, "--csv", "--json"), "not both"),
    ],
)
def test_bad_questions_are_refused(run: Run, filled: str, arguments: tuple[str, ...], told: str) -> None:
    result = run("lab", "query", *arguments, "--results", filled)
    assert (result.exit_code, result.stdout) == (output.USAGE, "")
    assert told in result.stderr


def test_an_answer_too_wide_for_a_table_comes_a_value_a_line(run: Run, filled: str) -> None:
    shown = run("lab", "query", "select * from runs order by run limit 2", "--results", filled).stdout
    lines = [line.split() for line in shown.splitlines()]
    assert [line for line in lines if line[0] in {"row", "run"}] == [
        ["row", "1"],
        ["run", "0"],
        ["row", "2"],
        ["run", "1"],
    ]
    assert ["scenario", "boar"] in lines


def test_runs_of_other_rules_are_named(run: Run, filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "kernel_digest", lambda: "0123456789abcdef")
    result = run("lab", "query", QUESTION, "--results", filled)
    assert result.exit_code == output.USAGE
    assert "boar with seed 7 was played with other rules" in result.stderr
    result = run("lab", "query", QUESTION, "--results", filled, "--any-content", "--json")
    assert result.exit_code == 0
    assert sum(row["runs"] for row in strict_json(result.stdout)) == 1500
