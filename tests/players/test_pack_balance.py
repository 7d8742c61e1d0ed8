"""Packs are there to be beaten: how fights with them end between heuristic players, over all parties (C1, C12).

Shares are in percent of some 2000 runs, so that a kill's share is known to about one point.
"""

from __future__ import annotations

from collections import Counter

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.encounters import names, pack
from cartomancer.maps.prerolled import roll_encounter
from cartomancer.players.simulation import simulate

CODEX = load_codex()
RUNS = 38  # with each of the eight parties: about 300 a pack
TOLERANCE = 2.0  # points
KILLS = {1: (0, 4), 3: (5, 8), 5: (12, 18)}
ELITE = 1.5  # times as lethal as basic packs of their danger
SEED = 5


def shares_of(fights: list[str]) -> dict[str, float]:
    """The endings of these fights against every party, in percent, and the mean of their rounds."""
    endings, rounds, runs = Counter[str](), 0, 0
    for fight in fights:
        for party in CODEX.parties:
            found = simulate(pack(f"{fight}/{party}"), RUNS, SEED, threads=1)
            endings.update({ending: found.count(ending) for ending in names.OUTCOMES})
            rounds, runs = rounds + int(found.rows["rounds"].sum()), runs + found.runs
    shares = {ending: 100 * endings[ending] / runs for ending in names.OUTCOMES}
    shares["won"] = shares["overcome"] + shares["inert"] + shares["dominate"]
    shares["worn"] = shares["break"] + shares["panic"]
    return shares | {"rounds": rounds / runs}


def packs(tier: str, danger: int) -> list[str]:
    """One pack of each theme."""
    met = {one.theme: one.id for one in CODEX.packs.values() if (one.tier, one.danger) == (tier, danger)}
    return [f"pack:{name}" for name in met.values()]


def check_shape(shares: dict[str, float], least_won: float = 50) -> None:
    """Most are won, few outlasted, and who is not killed is not merely worn down."""
    assert least_won - TOLERANCE <= shares["won"] <= 75 + TOLERANCE, shares
    assert shares["survive"] <= 25 + TOLERANCE, shares
    assert shares["worn"] <= shares["kill"] + 12 + TOLERANCE, shares
    assert 5 <= shares["rounds"] <= 9, shares


@pytest.mark.parametrize("danger", KILLS)
def test_basic_packs_are_beaten_and_kill_by_their_danger(danger: int) -> None:
    shares, (low, high) = shares_of(packs("basic", danger)), KILLS[danger]
    check_shape(shares)
    assert low - TOLERANCE <= shares["kill"] <= high + TOLERANCE, shares


@pytest.mark.parametrize("danger", [3, 5])
def test_elite_packs_kill_half_as_much_again(danger: int) -> None:
    shares, (low, high) = shares_of(packs("elite", danger)), KILLS[danger]
    check_shape(shares, least_won=45)
    assert ELITE * low - TOLERANCE <= shares["kill"] <= ELITE * high + TOLERANCE, shares


@pytest.mark.parametrize("theme", CODEX.catalog.encounters.themes)
def test_what_guardian_maps_roll_is_beaten_too(theme: str) -> None:
    rolled = [roll_encounter(seed, seed, "basic", theme, 4)["enemies"] for seed in range(8)]
    shares = shares_of([f"pack:{'-'.join(enemy['id'] for enemy in enemies)}" for enemies in rolled])
    assert 50 <= shares["won"] <= 85, shares
    assert shares["survive"] <= 25 + TOLERANCE, shares
    assert shares["kill"] <= 18, shares


@pytest.mark.parametrize(
    ("name", "ending"), [("low_tide", "overcome"), ("carried_over", "inert"), ("boarding_party", "dominate")]
)
def test_packs_differ_in_how_they_are_beaten(name: str, ending: str) -> None:
    shares = shares_of([f"pack:{name}"])
    assert max(("overcome", "inert", "dominate"), key=lambda each: shares[each]) == ending, shares
