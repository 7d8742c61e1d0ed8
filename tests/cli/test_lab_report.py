"""`lab report`: one page, a terminal version, plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartomancer.cli import output
from cartomancer.lab.report import reports
from cartomancer.players.simulation import simulate
from tests.cli.conftest import Run

RunJson = Callable[..., Any]


def test_the_terminal_report_shows_every_part(run: Run) -> None:
    shown = run("lab", "report", "boar", "-n", "300", "--seed", "7")
    assert shown.exit_code == 0
    for words in (
        "outcomes",
        "quality",
        "dungeon's share by round",
        "lead changes",
        "visitor's share by room",
        "entangle",
    ):
        assert words in shown.stdout
    assert "cartomancer encounter replay boar@7:" in shown.stdout
    assert "█" in shown.stdout


def test_json_has_plain_numbers_of_every_scenario(run_json: RunJson) -> None:
    found = run_json("lab", "report", "boar", "symbiote", "-n", "200", "--seed", "7")["scenarios"]
    assert [one["scenario"] for one in found] == ["boar", "symbiote"]
    assert found[0]["result_hash"] == simulate("boar", 200, 7).result_hash
    assert found[0]["survey"]["momentum"][0]["reached"] == 200
    assert {card["side"] for card in found[0]["survey"]["cards"]} == {"dungeon", "visitor"}
    assert found[0]["quality"]["agency_score"]["value"] == pytest.approx(found[0]["lead_changes"]["mean"])
    assert [one["kind"] for one in found[0]["notable_runs"]] == ["longest", "closest", "most lopsided", "median"]


def test_the_page_is_written_beside_what_is_printed(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "new" / "report.html"
    shown = run("lab", "report", "boar", "-n", "100", "--html", str(page))
    assert shown.exit_code == 0
    assert "runs to read" in shown.stdout
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [path.name for path in page.parent.iterdir()] == ["report.html"]


def test_players_go_into_the_commands(run_json: RunJson) -> None:
    found = run_json("lab", "report", "boar", "-n", "50", "--ai-visitor", "random")["scenarios"][0]
    assert found["players"]["visitor"] == "random"
    assert all(one["command"].endswith(" --ai-visitor random") for one in found["notable_runs"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("boaar",), "boaar"),
        (("boar", "--ai-dungeon", "wizard"), "wizard"),
        (("boar", "--html", "."), "is a folder"),
    ],
)
def test_bad_input_is_refused_before_anything_is_played(run: Run, arguments: tuple[str, ...], words: str) -> None:
    shown = run("lab", "report", *arguments)
    assert shown.exit_code == output.USAGE
    assert words in shown.stderr


def test_a_page_that_cannot_be_written_is_refused_before_anything_is_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_at(*_: Any) -> None:
        pytest.fail("played for nothing")

    monkeypatch.setattr(reports, "look_at", look_at)
    (tmp_path / "file").touch()
    shown = run("lab", "report", "boar", "--html", str(tmp_path / "file" / "page.html"))
    assert shown.exit_code == output.USAGE
    assert "cannot be written" in shown.stderr


def test_a_stopped_report_is_of_the_runs_that_were_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = reports.look_at

    def stopped(scenario: Any, runs: int, *rest: Any) -> Any:
        return whole(scenario, runs // 2, *rest[:-1])

    monkeypatch.setattr(reports, "look_at", stopped)
    shown = run("lab", "report", "boar", "moth", "-n", "100")
    assert shown.exit_code == output.STOPPED
    assert "stopped after 50 of boar" in shown.stderr
    assert "moth" not in shown.stdout
