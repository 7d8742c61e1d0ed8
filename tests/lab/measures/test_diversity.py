"""The entropy of outcomes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from scipy import stats

from cartomancer.content.codex import load_codex
from cartomancer.lab.measures.agency import lead_counts
from cartomancer.lab.measures.diversity import outcome_diversity
from cartomancer.lab.measures.estimates import entropy
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.players.simulation import ENDINGS

HandMade = Callable[..., RunTable]
SPANS = load_codex().quality.diversity


def measured(table: RunTable, is_party: bool = True) -> dict[str, Any]:
    return outcome_diversity(lead_counts(table), SPANS.of(is_party)).as_dict()


def test_entropy_by_hand(hand_made: HandMade) -> None:
    """Half Kill, a quarter Break, two eighths: 0.5·1 + 0.25·2 + 2·0.125·3 = 1.75 bits of at most 3."""
    shares = {"kill": 4, "break": 2, "panic": 1, "survive": 1}
    found = measured(hand_made(*((times, {"outcome": outcome}) for outcome, times in shares.items())))
    assert found["bits"] == 1.75
    assert found["value"] == pytest.approx(1.75 / 3)
    assert found["outcomes"]["break"]["rate"] == 0.25
    assert set(found["outcomes"]) == set(ENDINGS)
    # variance of −log2 p: 0.5·1 + 0.25·4 + 0.25·9 − 1.75², by 8 runs
    half = 1.959963984540054 * math.sqrt((3.75 - 1.75**2) / 8)
    assert found["bits_interval"] == pytest.approx([1.75 - half, 1.75 + half])
    assert found["interval"] == pytest.approx([end / 3 for end in found["bits_interval"]])


def test_the_interval_holds_the_truth_95_times_in_100() -> None:
    """2,000 batches of 1,000 runs with a true entropy of 1.75 bits; a deviation of the share is 0.5 points."""
    batches = stats.multinomial(1000, [0.5, 0.25, 0.125, 0.125]).rvs(2000, random_state=1)
    held = [found.low <= 1.75 <= found.high for found in (entropy(batch.tolist()) for batch in batches)]
    assert 0.925 < sum(held) / len(held) < 0.975


def test_all_outcomes_alike_have_no_identity(hand_made: HandMade) -> None:
    found = measured(hand_made(*((5, {"outcome": outcome}) for outcome in ENDINGS)))
    assert (found["value"], found["interval"]) == (1, [1, 1])
    assert (found["verdict"], found["severe"]) == ("high", "no identity")


def test_a_single_outcome_is_as_uncertain_as_its_absence(hand_made: HandMade) -> None:
    """100 of 100: another outcome may still be as common as 3.7 %."""
    found = measured(hand_made((100, {"outcome": "kill"})))
    p = 0.0369935
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
