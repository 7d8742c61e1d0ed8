"""`cartomancer lab tune`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cartomancer.lab.tuning.patch import patched_codex
from cartomancer.lab.tuning.targets import Cast, measure
from cartomancer.players.simulation import simulate
from tests.cli.conftest import Run

EASY = ("boar", "--target", "panic=20..32", "--levers", "auto_effects", "--runs", "200", "--budget", "120")


def test_a_reached_target_exits_0_and_its_patch_gives_the_reported_figures(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "calmer"
    result = run("lab", "tune", *EASY, "--out", str(out))
    assert result.exit_code == 0, result.output
    assert "reached with one change" in result.output
    facts = json.loads((out / "tuning-report.json").read_text(encoding="utf-8"))
    held_out = facts["held_out"]
    again = simulate("boar", held_out["runs"], held_out["seed"], codex=patched_codex(out))
    assert again.result_hash == held_out["after"]["result_hash"]
    assert again.packed.digest == held_out["after"]["content_digest"]
    value = measure(["panic"], again.rows, Cast.of(again.packed))["panic"].value
    assert value == facts["targets"][0]["after"]["value"]
    assert "Reached with one change." in (out / "tuning-report.md").read_text(encoding="utf-8")
    assert run("content", "check", *(str(path) for path in out.glob("*.toml"))).exit_code == 0


def test_json_is_plain_and_the_same_for_the_same_seed(run_json: Callable[..., Any]) -> None:
    facts = run_json("lab", "tune", *EASY, "--seed", "5")
    assert facts == run_json("lab", "tune", *EASY, "--seed", "5", "--threads", "1")
    assert facts["reached"] is True
    assert [stage["group"] for stage in facts["stages"]] == ["auto_effects"]
    assert all(change["group"] == "auto_effects" for change in facts["changes"])


def test_an_unreachable_target_exits_1_and_says_by_how_much(run: Run) -> None:
    result = run("lab", "tune", "boar", "-t", "bond=90..", "--levers", "pacing", "--runs", "100", "--budget", "20")
    assert result.exit_code == 1
    assert "not reachable with these levers (pacing)" in result.output
    assert "bond: 90.00 points below its band" in result.output


def test_every_fault_of_the_targets_is_named(run: Run) -> None:
    result = run("lab", "tune", "boar", "--target", "kill=70..60, brake=1..2, panic=80.., survive=30..")
    assert result.exit_code == 2
    for part in ("kill = '70..60' is empty", "right would be: break", "sum of the least shares"):
        assert part in result.stderr


def test_unknown_names_are_refused(run: Run, tmp_path: Path) -> None:
    levers = run("lab", "tune", "boar", "--target", "kill=1..2", "--levers", "auto_effect")
    assert levers.exit_code == 2
    assert "did you mean 'auto_effects'" in levers.stderr
    assert run("lab", "tune", "bore", "--target", "kill=1..2").exit_code == 2
    assert run("lab", "tune", "boar", "--target", "kill=1..2", "--content", str(tmp_path)).exit_code == 2


def test_a_taken_folder_is_refused_before_the_search(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    result = run("lab", "tune", *EASY, "--out", str(tmp_path / "mine"))
    assert result.exit_code == 2
    assert "is there already" in result.stderr
    assert (tmp_path / "mine").read_text() == "mine"


def test_help_ends_with_an_example(run: Run) -> None:
    shown = run("lab", "tune", "--help").output
    assert "cartomancer lab tune boar" in shown
