"""The ladder: how duels are counted, and who is stronger than whom [GDD 7.2]."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from cartomancer.encounters.names import OUTCOMES
from cartomancer.intervals import wilson
from cartomancer.players import duels
from cartomancer.players.duels import COMBAT, Duel, duel
from cartomancer.players.kernel.layout import RUN

PAIRS = 1000


def rows(*runs: tuple[str, int]) -> Any:
    found = np.zeros(len(runs), RUN)
    found["outcome"] = [OUTCOMES.index(outcome) for outcome, _ in runs]
    found["margin"] = [margin for _, margin in runs]
    return found


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Duels over hand-made runs: first's as dungeon, then first's as visitor."""

    def script(as_dungeon: Any, as_visitor: Any) -> Duel:
        batches, specs = iter((as_dungeon, as_visitor)), []

        def simulated(packed: Any, pairs: int, seed: int, dungeon: Any, visitor: Any, **_: Any) -> Any:
            specs.append((str(dungeon), str(visitor)))
            return SimpleNamespace(rows=next(batches))

        monkeypatch.setattr(duels, "simulate", simulated)
        found = duel("boar", "heuristic", "random", len(as_dungeon))
        assert specs == [("heuristic", "random"), ("random", "heuristic")]
        return found

    return script


def test_who_wins_both_runs_wins_the_game(scripted: Any) -> None:
    found = scripted(rows(("kill", 1)), rows(("survive", -1)))
    assert (found.won, found.drawn, found.runs_won) == (1, 0, (1, 1))
    found = scripted(rows(("survive", 1)), rows(("break", -1)))
    assert (found.won, found.drawn, found.runs_won) == (0, 0, (0, 0))


def test_a_run_won_against_a_bond_is_enough(scripted: Any) -> None:
    assert scripted(rows(("kill", -900)), rows(("bond", 900))).won == 1
    assert scripted(rows(("bond", 900)), rows(("panic", -900))).won == 0


@pytest.mark.parametrize(
    ("as_dungeon", "as_visitor", "won", "drawn"),
    [(300, 100, 1, 0), (100, 300, 0, 0), (200, 200, 0, 1), (-100, -300, 1, 0)],
)
def test_when_the_runs_cancel_out_the_better_shape_decides(
    scripted: Any, as_dungeon: int, as_visitor: int, won: int, drawn: int
) -> None:
    """The margin is the dungeon's: as visitor, the first player wants it low."""
    for outcomes in (("kill", "kill"), ("survive", "survive"), ("bond", "bond")):
        found = scripted(rows((outcomes[0], as_dungeon)), rows((outcomes[1], as_visitor)))
        assert (found.won, found.drawn) == (won, drawn)


def test_a_won_run_counts_more_than_any_shape(scripted: Any) -> None:
    assert scripted(rows(("kill", -1000)), rows(("survive", 1000))).won == 1


def test_pairs_are_counted_one_by_one(scripted: Any) -> None:
    first = rows(("kill", 5), ("survive", 5), ("kill", 5), ("bond", 0))
    second = rows(("survive", 5), ("kill", 5), ("kill", 5), ("bond", 0))
    found = scripted(first, second)
    assert (found.pairs, found.won, found.drawn, found.runs_won) == (4, 1, 2, (2, 1))
    assert found.share == pytest.approx(0.5)
    assert found.interval == wilson(2, 4)
    assert "of 4 mirrored games" in found.sentence()


def test_a_player_is_as_good_as_itself() -> None:
    found = duel("boar", "heuristic", "heuristic", 200)
    assert found.drawn == 200  # the same two runs
    assert found.share == 0.5


def test_a_duel_is_the_other_way_round_when_the_players_are() -> None:
    one, two = duel("moth", "heuristic", "random", 100), duel("moth", "random", "heuristic", 100)
    assert (one.won, one.drawn) == (100 - two.won - two.drawn, two.drawn)


@pytest.mark.parametrize("scenario", COMBAT)
def test_heuristic_players_beat_random_ones(scenario: str) -> None:
    """At least 90 %: were it truly 90 %, a measured share at or below 85 % would come by chance less than once in a
    million; the share measured must lie above, and its interval must reach 90 %."""
    found = duel(scenario, "heuristic", "random", PAIRS)
    assert binom.cdf(0.85 * PAIRS, PAIRS, 0.9) < 1e-6
    assert found.share > 0.85
    assert found.interval[1] >= 0.9, found.sentence()


def test_smart_players_beat_random_ones() -> None:
    assert duel("boar", "smart@3", "random", 150).interval[0] > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["boar", "standard-company"])
def test_more_rollouts_do_not_play_worse(scenario: str) -> None:
    few, many = (duel(scenario, f"smart@{rollouts}", "heuristic", 150) for rollouts in (3, 12))
    assert many.interval[1] >= few.interval[0], (few.sentence(), many.sentence())
    assert duel(scenario, "smart@12", "smart@3", 150).interval[1] >= 0.5
