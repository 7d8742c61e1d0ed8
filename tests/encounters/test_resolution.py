"""Contested rolls [GDD 4.9]: the documents' tiers, rounding E11, and exact probabilities."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from cartomancer import codes
from cartomancer.content.tuning import RESOLUTION, load_resolution
from cartomancer.encounters import contest_odds
from cartomancer.encounters.kernel.resolution import (
    ADVANTAGE,
    DISADVANTAGE,
    PLAIN,
    contest_roll,
    keep_two,
    scaled,
    tier_of,
)
from cartomancer.encounters.odds import roll_odds
from cartomancer.errors import ContentError, UnknownNameError
from cartomancer.jit import wrapping
from cartomancer.rng import stream_start

TIERS = load_resolution().tiers
MARGINS = np.array([tier.least_margin for tier in TIERS], np.int64)


@pytest.mark.parametrize(
    ("margin", "tier"),
    [
        (10, "devastating"),
        (5, "devastating"),
        (4, "strong"),
        (2, "strong"),
        (1, "partial"),
        (0, "partial"),
        (-2, "partial"),
        (-3, "stalemate"),
        (-4, "stalemate"),
        (-5, "reversal"),
        (-30, "reversal"),
    ],
)
def test_the_margin_decides_the_tier(margin: int, tier: str) -> None:
    assert TIERS[int(tier_of(margin, MARGINS, len(TIERS)))].id == tier


def test_the_multipliers_are_those_of_the_table() -> None:
    table = {tier.id: (tier.attacker_percent, tier.defender_percent) for tier in TIERS}
    assert table == {
        "devastating": (150, 0),
        "strong": (100, 0),
        "partial": (50, 50),
        "stalemate": (0, 100),
        "reversal": (0, 150),
    }


@pytest.mark.parametrize(
    ("power", "percent", "damage"),
    [(4, 150, 6), (3, 150, 5), (3, 50, 2), (1, 50, 1), (5, 50, 3), (4, 0, 0), (0, 150, 0), (7, 100, 7)],
)
def test_damage_rounds_half_up_and_is_at_least_one(power: int, percent: int, damage: int) -> None:
    assert int(scaled(power, percent)) == damage


def test_advantage_keeps_the_highest_two_and_disadvantage_the_lowest() -> None:
    for dice in product(range(1, 7), repeat=3):
        low, middle, high = sorted(dice)
        assert int(keep_two(*dice, ADVANTAGE)) == middle + high
        assert int(keep_two(*dice, DISADVANTAGE)) == low + middle
        assert int(keep_two(*dice, PLAIN)) == dice[0] + dice[1]


def test_a_plain_contest_by_counting_its_1296_rolls() -> None:
    rolls = Counter[str]()
    for a, b, c, d in product(range(1, 7), repeat=4):
        margin = a + b - c - d
        rolls[next((t.id for t in TIERS[:-1] if margin >= t.least_margin), "reversal")] += 1
    assert contest_odds().tiers == {tier: Fraction(count, 1296) for tier, count in rolls.items()}


@pytest.mark.parametrize("attacker", ["plain", "advantage", "disadvantage"])
@pytest.mark.parametrize("defender", ["plain", "advantage", "disadvantage"])
@pytest.mark.parametrize("bonus", [-3, 0, 2])
def test_odds_add_up_and_mirror_each_other(attacker: str, defender: str, bonus: int) -> None:
    odds = contest_odds(bonus, attacker, defender)
    assert sum(odds.tiers.values()) == 1
    better = contest_odds(bonus + 1, attacker, defender)
    assert better.hit > odds.hit
    assert better.dealt > odds.dealt


def test_advantage_is_worth_about_a_point_and_a_half() -> None:
    means = {mode: sum(total * share for total, share in roll_odds(mode).items()) for mode in (0, 1, 2)}
    assert means == {PLAIN: 7, ADVANTAGE: Fraction(1827, 216), DISADVANTAGE: Fraction(1197, 216)}


def test_rolled_dice_follow_the_odds_and_every_roll_draws_three() -> None:
    """30,000 rolls a mode: a sum off by five standard errors comes once in 1.7 million."""
    for mode in (PLAIN, ADVANTAGE, DISADVANTAGE):
        with wrapping():
            streams = np.array([stream_start(np.uint64(7), codes.STREAM_WALK, 0)], np.uint64)
            counts = Counter(int(contest_roll(streams, 0, mode)) for _ in range(30_000))
            after = streams.copy()
            streams[0] = stream_start(np.uint64(7), codes.STREAM_WALK, 0)
            for _ in range(30_000):
                contest_roll(streams, 0, PLAIN)
        assert after[0] == streams[0]
        for total, share in roll_odds(mode).items():
            error = 5 * float(share * (1 - share) / 30_000) ** 0.5
            assert abs(counts[total] / 30_000 - float(share)) < error


def test_an_unknown_way_to_roll_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'advantage'"):
        contest_odds(attacker="advantge")


def test_tiers_out_of_order_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "resolution.toml"
    path.write_text(RESOLUTION.read_text().replace("least_margin = 2", "least_margin = 9"))
    with pytest.raises(ContentError, match="must fall from tier to tier"):
        load_resolution(path)
