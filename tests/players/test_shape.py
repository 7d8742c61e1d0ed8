"""The first shape of the tables: which endings there are, and how long runs take [GDD 10]. Fine tuning comes later."""

from __future__ import annotations

from functools import cache

import pytest

from cartomancer.players.simulation import ENDINGS, Simulation, simulate

RUNS = 2000


@cache
def table(scenario: str) -> Simulation:
    return simulate(scenario, RUNS, 1)


@pytest.mark.parametrize("outcome", ["kill", "break", "panic", "overcome"])
def test_the_boar_meets_every_common_end(outcome: str) -> None:
    assert table("boar").rate(outcome) >= 0.03


def test_a_boar_seldom_gets_the_better_of_the_maw() -> None:
    """One run in nine is the documents' Survive, which is every win of the visitor here."""
    assert 0.03 < table("boar").wins("visitor") / RUNS < 0.16


def test_a_boars_run_has_its_length() -> None:
    assert 10 <= table("boar").rows["rounds"].mean() <= 17


def test_the_symbiote_bonds() -> None:
    assert table("symbiote").rate("bond") >= 0.2


def test_the_deceived_symbiote_is_betrayed() -> None:
    assert (table("symbiote-deceptive").rows["betrayals"] > 0).mean() >= 0.2


@pytest.mark.parametrize("scenario", ["boar", "symbiote", "symbiote-deceptive"])
def test_every_run_ends_in_one_of_eight_ways(scenario: str) -> None:
    assert sum(table(scenario).count(outcome) for outcome in ENDINGS) == RUNS
    found = table(scenario)
    assert found.wins("dungeon") + found.wins("visitor") + found.count("bond") == RUNS
