"""`cartomancer lab tune`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.registry import measured
from cartomancer.lab.tuner.patch import patched_codex
from cartomancer.players.simulation import simulate
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def easy() -> tuple[str, ...]:
    """A wish that the Boar misses, but one auto-effect fulfils: Panic five to nineteen points above today's."""
    panic = 100 * simulate("boar", 4_000, seed=99).rate("panic")
    band = f"panic={panic + 5:.1f}..{panic + 19:.1f}"
    return ("boar", "--target", band, "--levers", "auto_effects", "--runs", "200", "--budget", "120")


def test_a_reached_target_exits_0_and_its_patch_gives_the_reported_figures(
    run: Run, easy: tuple[str, ...], tmp_path: Path
) -> None:
    out = tmp_path / "wilder"
    result = run("lab", "tune", *easy, "--out", str(out))
    assert result.exit_code == 0, result.output
    assert "reached with one change" in result.output
    facts = json.loads((out / "tuning-report.json").read_text(encoding="utf-8"))
    held_out = facts["held_out"]
    again = simulate("boar", held_out["runs"], held_out["seed"], codex=patched_codex(out))
    assert again.result_hash == held_out["after"]["result_hash"]
    assert again.packed.digest == held_out["after"]["content_digest"]
    value = measured(["panic"], again.rows, ScenarioContext.of(again.packed))["panic"].value
    assert value == facts["targets"][0]["after"]["value"]
    for name in ("tuning-report.md", "tuning-report.html"):
        assert "Reached with one change." in (out / name).read_text(encoding="utf-8")
    assert run("content", "check", *(str(path) for path in out.glob("*.toml"))).exit_code == 0


def test_json_is_plain_and_the_same_for_the_same_seed(run_json: Callable[..., Any], easy: tuple[str, ...]) -> None:
    facts = run_json("lab", "tune", *easy, "--seed", "5")
    assert facts == run_json("lab", "tune", *easy, "--seed", "5", "--threads", "1")
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


def test_a_taken_folder_is_refused_before_the_search(run: Run, easy: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    result = run("lab", "tune", *easy, "--out", str(tmp_path / "mine"))
    assert result.exit_code == 2
    assert "is there already" in result.stderr
    assert (tmp_path / "mine").read_text() == "mine"


def test_several_scenarios_are_tuned_together(run: Run, run_json: Callable[..., Any], tmp_path: Path) -> None:
    wish = ("boar", "moth", "--target", "boar:kill=..99, moth:survive=1..", "--levers", "pacing", "--runs", "100")
    shown = run("lab", "tune", *wish, "--out", str(tmp_path / "both"))
    assert shown.exit_code == 0, shown.output
    for part in ("boar, moth: nothing to change", "boar:kill", "moth:survive", "result hashes boar "):
        assert part in shown.output
    facts = run_json("lab", "tune", *wish)
    assert facts["scenarios"] == ["boar", "moth"]
    assert [(row["scenario"], row["target"]) for row in facts["targets"]] == [("boar", "kill"), ("moth", "survive")]
    assert json.loads((tmp_path / "both" / "tuning-report.json").read_text(encoding="utf-8")) == facts
    assert "# Tuning boar, moth" in (tmp_path / "both" / "tuning-report.md").read_text(encoding="utf-8")


def test_without_targets_the_contents_own_bands_are_meant(run: Run) -> None:
    options = ("--levers", "pacing", "--runs", "100", "--budget", "1", "--json")
    found = run("lab", "tune", "deceptive", "symbiote", "-t", "symbiote:bond=1..", *options)
    assert found.exit_code in {0, 1}  # reached or not: that is the content's affair
    facts = json.loads(found.stdout)
    sets = (load_codex().targets[name] for name in ("deceptive-character", "deceptive-betrayal"))
    wanted = {name for asked in sets for name in asked.targets}
    assert {row["target"] for row in facts["targets"] if row["scenario"] == "deceptive"} == wanted
    assert [row["target"] for row in facts["targets"] if row["scenario"] == "symbiote"] == ["bond"]


def test_levers_are_chosen_and_frozen_by_patterns(run: Run, run_json: Callable[..., Any]) -> None:
    wish = ("boar", "-t", "panic=1..2", "--levers", "auto_effects", "--runs", "100", "--budget", "10")
    facts = run_json("lab", "tune", *wish, "--only", "root_hollow.*, *.nerve", "--without", "*.vitality", code=1)
    assert facts["stages"][0]["levers"] == 5 + 2  # all of Root Hollow but one, and two rooms' nerve
    refused = run("lab", "tune", *wish, "--only", "rooot_hollow.nerve", "--without", "veil.*")
    assert refused.exit_code == 2
    assert "right would be: root_hollow.nerve" in refused.stderr
    assert "without = 'veil.*' fits no lever" in refused.stderr


def test_all_that_is_wrong_with_a_request_is_said_at_once(run: Run) -> None:
    wish = ("lab", "tune", "bore", "moth", "-t", "kill=1..2, moth:brake=1..2", "--levers", "luck")
    refused = run(*wish)
    assert refused.exit_code == 2
    for part in ("scenario = 'bore' is not known", "does not say whose it is", "moth: target = 'brake'", "'luck'"):
        assert part in refused.stderr


def test_help_ends_with_an_example(run: Run) -> None:
    shown = run("lab", "tune", "--help").output
    assert "cartomancer lab tune boar" in shown
