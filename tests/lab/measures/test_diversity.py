"""The entropy of outcomes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cartomancer.content.codex import load_codex
from cartomancer.lab.measures.agency import lead_counts
from cartomancer.lab.measures.diversity import outcome_diversity
from cartomancer.lab.measures.estimates import entropy, entropy_interval
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.players.simulation import ENDINGS

HandMade = Callable[..., RunTable]
SPANS = load_codex().quality.diversity


def measured(table: RunTable, is_party: bool = True) -> dict[str, Any]:
    return outcome_diversity(lead_counts(table), SPANS.of(is_party)).as_dict()


def by_hand(counts: list[int]) -> list[float]:
    """The interval of ruling L3, of counts among which one more value may be, by trying every size of each."""

    def bits(sizes: Any) -> float:
        shares = [size / sum(sizes) for size in sizes if size]
        return -sum(share * math.log2(share) for share in shares)

    now, n, low, high = bits(counts), sum(counts), 0.0, 0.0
    for k, count in enumerate([*counts, 0]):
        ends = stats.gamma(count + 0.5).ppf([0.025, 0.975]) if count else (0, -math.log(0.025))
        sizes = np.linspace(*ends, 2_001)
        moved = [bits([*counts[:k], size, *counts[k + 1 :]]) - now for size in sizes]
        high += max(*moved, 0) ** 2
        low += min(*moved, 0) ** 2 if count else 0
    excess = len(counts) - 1
    wobble = (1.959963984540054 / math.log(2)) ** 2 * 2 * excess / (2 * n) ** 2
    middle = now + excess / (2 * n * math.log(2))
    return [middle - math.sqrt(low + wobble), middle + math.sqrt(high + wobble)]


def test_entropy_by_hand(hand_made: HandMade) -> None:
    """Half Kill, a quarter Break, two eighths: 0.5·1 + 0.25·2 + 2·0.125·3 = 1.75 bits of at most 3."""
    shares = {"kill": 4, "break": 2, "panic": 1, "survive": 1}
    found = measured(hand_made(*((times, {"outcome": outcome}) for outcome, times in shares.items())))
    assert found["bits"] == 1.75
    assert found["value"] == pytest.approx(1.75 / 3)
    assert found["outcomes"]["break"]["rate"] == 0.25
    assert set(found["outcomes"]) == set(ENDINGS)
    assert found["bits_interval"] == pytest.approx(by_hand([4, 2, 1, 1]))
    assert found["interval"] == pytest.approx([end / 3 for end in found["bits_interval"]])


# the outcomes of 4,000 runs of every scenario with seed 1, in the order of the codes
OUTCOMES = {
    "arcane-gauntlet": [195, 1226, 1918, 0, 35, 0, 0, 626],
    "boar": [2286, 396, 898, 0, 41, 0, 0, 379],
    "bond-then-betray": [1, 1799, 0, 2064, 113, 0, 23, 0],
    "company-gauntlet": [384, 2904, 459, 0, 11, 0, 16, 226],
    "deceptive-host": [1251, 292, 1844, 2, 1, 48, 562, 0],
    "deceptive": [3859, 58, 13, 63, 3, 0, 4, 0],
    "grinding-predator": [61, 262, 2506, 0, 125, 0, 0, 1046],
    "moth": [673, 344, 1039, 0, 13, 0, 0, 1931],
    "nurturing-arcane": [0, 1892, 0, 293, 0, 37, 3, 1775],
    "nurturing-company": [17, 1366, 11, 237, 73, 647, 86, 1563],
    "nurturing-gauntlet": [2, 51, 0, 1970, 0, 2, 2, 1973],
    "patient-nurturer": [3, 3430, 0, 305, 3, 0, 259, 0],
    "psychological-horror": [1, 94, 1666, 0, 309, 1337, 0, 593],
    "standard-company": [1514, 110, 699, 0, 176, 14, 95, 1392],
    "standard-gauntlet": [889, 464, 1916, 0, 15, 0, 0, 716],
    "symbiote-deceptive": [0, 1498, 0, 440, 2, 0, 0, 2060],
    "symbiote": [0, 1595, 0, 2399, 0, 0, 5, 1],
    "bare-walls": [159, 1271, 70, 0, 40, 113, 223, 2124],
    "best-behaviour": [0, 1, 0, 3868, 0, 0, 0, 131],
    "credit-and-lamps": [0, 0, 3, 3690, 0, 0, 59, 248],
    "counted-spoons": [266, 0, 0, 3720, 0, 0, 0, 14],
    "embassy-at-the-tide": [10, 0, 0, 3713, 50, 0, 7, 220],
    "hammer-and-column": [238, 399, 0, 0, 887, 188, 94, 2194],
    "hunters-gauntlet": [90, 2047, 1450, 0, 21, 10, 26, 356],
    "jackals": [888, 2514, 258, 0, 4, 2, 1, 333],
    "lamps-out": [15, 411, 904, 0, 4, 22, 22, 2622],
    "loud-rooms": [46, 698, 0, 0, 43, 1, 502, 2710],
    "night-inventory": [2232, 449, 332, 0, 317, 330, 161, 179],
    "slow-courtship": [0, 0, 34, 3691, 0, 0, 2, 273],
    "tortoise": [257, 1290, 1591, 0, 0, 0, 85, 777],
}


def covered(shares: list[int], runs: int, batches: int = 10_000) -> float:
    """The percentage of batches whose interval holds the entropy of these shares; one deviation is 0.2."""
    truth = entropy(shares).value
    counts = stats.multinomial(runs, [share / sum(shares) for share in shares]).rvs(batches, random_state=1)
    low, high = entropy_interval(counts, len(shares))
    return float(100 * ((low <= truth) & (truth <= high)).mean())


@pytest.mark.parametrize("scenario", OUTCOMES)
def test_the_interval_holds_the_truth_95_times_in_100(scenario: str) -> None:
    """±1.5 points from 1,000 runs on; it may hold more with 300, where outcomes that came once or never tell most."""
    for runs in (1_000, 3_000, 30_000):
        assert covered(OUTCOMES[scenario], runs) == pytest.approx(95, abs=1.5)
    assert 93.5 <= covered(OUTCOMES[scenario], 300) <= 97.5


def test_the_interval_is_tried_on_the_outcomes_of_all_scenarios() -> None:
    assert set(OUTCOMES) == set(load_codex().scenarios)


@pytest.mark.parametrize("values", [2, 3, 5, 8])
def test_equal_shares_have_an_interval_below_them(values: int) -> None:
    """Its true value is the most there can be, so an interval can only be too short; below it, it has a width."""
    shares = [1] * values
    for runs in (100, 1_000, 10_000):
        assert covered(shares, runs) >= 95
        found = entropy([runs] * values)
        assert found.low is not None
        assert 0 < math.log2(values) - found.low < 8 / runs
        assert (found.value, found.high) == pytest.approx((math.log2(values), math.log2(values)))


def test_an_interval_is_as_wide_as_the_runs_allow() -> None:
    """Of 100,000 runs it is what the delta method says, ±1.96 deviations of −log2 p by the root of the runs."""
    shares = [0.5, 0.25, 0.125, 0.125]
    half = 1.959963984540054 * math.sqrt((3.75 - 1.75**2) / 100_000)
    found = entropy([round(100_000 * share) for share in shares])
    assert found.interval == pytest.approx([1.75 - half, 1.75 + half], abs=half / 50)


def test_all_outcomes_alike_have_no_identity(hand_made: HandMade) -> None:
    found = measured(hand_made(*((5, {"outcome": outcome}) for outcome in ENDINGS if outcome != "fled")))
    assert (found["value"], found["interval"]) == (1, pytest.approx([0.963, 1], abs=1e-3))
    assert (found["verdict"], found["severe"]) == ("high", "no identity")


def test_a_single_outcome_is_as_uncertain_as_its_absence(hand_made: HandMade) -> None:
    """100 of 100: of another outcome there may still be 3.69 more, with a chance of e^−3.69 = 2.5 % to see none."""
    found = measured(hand_made((100, {"outcome": "kill"})))
    p = 3.688879 / 103.688879
    assert (found["value"], found["bits"], found["interval"][0]) == (0, 0, 0)
    assert found["bits_interval"][1] == pytest.approx(-p * math.log2(p) - (1 - p) * math.log2(1 - p), abs=1e-4)
    assert (found["verdict"], found["severe"]) == ("low", "concentrated")


def test_one_run_says_next_to_nothing(hand_made: HandMade) -> None:
    found = measured(hand_made((1, {"outcome": "bond"})))
    assert (found["bits_interval"], found["certain"]) == ([0, 1], False)  # too few to say, though one bit is still low


@pytest.mark.parametrize(
    ("kills", "others", "is_party", "verdict", "severe"),
    [
        (80, 20, True, "low", "concentrated"),  # 0.24
        (50, 50, True, "low", "concentrated"),  # 0.33
        (50, 50, False, "low", "concentrated"),
        (34, 66, True, "healthy", None),  # 0.52, with a third outcome
        (34, 66, False, "healthy", None),
    ],
)
def test_verdicts(
    hand_made: HandMade, kills: int, others: int, is_party: bool, verdict: str, severe: str | None
) -> None:
    rest = [(others, {"outcome": "break"})]
    if verdict == "healthy":
        rest = [(others // 2, {"outcome": "break"}), (others // 2, {"outcome": "panic"})]
    found = measured(hand_made((kills, {"outcome": "kill"}), *rest), is_party)
    assert (found["verdict"], found["severe"]) == (verdict, severe)


def test_creatures_need_less_variety_than_parties(hand_made: HandMade) -> None:
    """0.4 is healthy for a creature and low for a party; 0.7 is high for a creature and healthy for a party."""
    narrow = hand_made((70, {"outcome": "kill"}), (15, {"outcome": "break"}), (15, {"outcome": "panic"}))
    wide = hand_made(*((1, {"outcome": outcome}) for outcome in ENDINGS[:4]), (1, {"outcome": "overcome"}))
    assert [measured(narrow, party)["verdict"] for party in (False, True)] == ["healthy", "low"]
    assert [measured(wide, party)["verdict"] for party in (False, True)] == ["high", "healthy"]
    assert measured(narrow)["healthy"] == [0.45, 0.85]
    assert measured(narrow, is_party=False)["healthy"] == [0.35, 0.65]
