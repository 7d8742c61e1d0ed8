"""`cartomancer lab compare` from the outside."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from cartomancer.cli.main import app

run = CliRunner().invoke


def test_json_has_both_sides_and_every_measure_with_its_interval() -> None:
    asked = ["lab", "compare", "boar", "boar", "-n", "300", "--b-ai-visitor", "random", "--json"]
    found = json.loads(run(app, asked).stdout)
    assert (found["a"]["visitor"], found["b"]["visitor"]) == ("heuristic", "random")
    wins = found["measures"]["visitor_win"]
    assert wins["interval"][0] <= wins["difference"] <= wins["interval"][1]
    assert wins["difference"] == pytest.approx(wins["b"] - wins["a"])


def test_the_table_says_what_differs() -> None:
    shown = run(app, ["lab", "compare", "boar", "boar", "-n", "200"]).stdout
    assert "nothing differs beyond chance" in shown
    shown = run(app, ["lab", "compare", "boar", "boar", "-n", "500", "--b-ai-dungeon", "random"]).stdout
    assert "beyond chance: dungeon win" in shown


@pytest.mark.parametrize("command", ["compare", "run", "report"])
def test_every_unknown_scenario_is_named_at_once(command: str) -> None:
    refused = run(app, ["lab", command, "boor", "mouth", "-n", "10"])
    assert refused.exit_code == 2
    assert "boor" in refused.stderr
    assert "mouth" in refused.stderr
