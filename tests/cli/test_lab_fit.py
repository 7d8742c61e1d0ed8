"""`cartomancer lab fit`: a table of weights, JSON, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.cli.conftest import Run

FIT = ("lab", "fit", "feral_aggressive", "boar", "--trials", "6", "-n", "50")


def test_a_fit_shows_weights_and_what_they_are_worth_on_fresh_seeds(run: Run) -> None:
    found = run(*FIT)
    assert found.exit_code == 0
    assert "feral_aggressive, fitted in boar" in found.stdout
    assert "points on fresh seeds" in found.stdout


def test_json_holds_every_weight_before_and_after(run_json: Callable[..., Any]) -> None:
    found = run_json(*FIT)
    assert found["profile"] == "feral_aggressive"
    assert found["before"].keys() == found["after"].keys()


def test_a_misspelt_profile_is_refused(run: Run) -> None:
    found = run("lab", "fit", "feral")
    assert found.exit_code == 2
    assert "unknown profile 'feral'" in found.stderr
