"""Bounds that hold under peeking, and games spent where verdicts are open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from seeded_luck import uniform

from cartomancer.intervals import wilson, wilson_bounds
from cartomancer.lab.matrix.adaptive import FIRST_GAMES, MARKS, STEP, Verdicts, next_games
from cartomancer.lab.matrix.bounds import log_mixture, sequence_bounds
from cartomancer.lab.matrix.cell_store import MatrixStore, Settings
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.lab.matrix.matchups import run_matrix
from cartomancer.lab.matrix.selection import Selection, select


def test_wilson_bounds_are_those_of_single_rates() -> None:
    hits, tries = np.array([0, 3, 50, 10]), np.array([10, 7, 100, 10])
    low, high = wilson_bounds(hits, tries)
    for k in range(4):
        assert [low[k], high[k]] == pytest.approx(wilson(hits[k], tries[k]))
    assert [float(end[0]) for end in wilson_bounds(np.zeros(1), np.zeros(1))] == [0, 1]


def test_a_sequence_interval_ends_where_the_mixture_reaches_its_limit() -> None:
    points, games = np.array([0.0, 30.0, 99.5, 200.0]), np.array([50.0, 100.0, 200.0, 200.0])
    low, high = sequence_bounds(points, games)
    assert low[0] == pytest.approx(0, abs=1e-12)
    assert high[3] == pytest.approx(1, abs=1e-12)
    inner = [log_mixture(points[1:], games[1:], low[1:]), log_mixture(points[:3], games[:3], high[:3])]
    assert np.concatenate(inner) == pytest.approx(np.full(6, np.log(20)), abs=1e-6)
    fixed_low, fixed_high = wilson_bounds(points, games)
    assert (low <= fixed_low).all()  # looking all the time has its price
    assert (high >= fixed_high).all()
    nothing = sequence_bounds(np.zeros(1), np.zeros(1))
    assert [float(end[0]) for end in nothing] == [0, 1]


@pytest.mark.parametrize(("rate", "bonds"), [(0.05, False), (0.3, False), (0.5, False), (0.7, True)])
def test_the_true_rate_stays_inside_however_often_one_looks(rate: float, bonds: bool) -> None:
    """2,000 paths of 1,500 games, looked at after every game. If it were missed on 5 % of the paths, more than 8 % of
    2,000 would be once in 10^8. Wilson's interval, looked at as often, misses on a quarter and more."""
    drawn = uniform(int(100 * rate), 2000, 1500)
    with_halves = np.where(drawn < 0.5, 1.0, np.where(drawn < 0.9, 0.5, 0.0))  # their mean is 0.7
    points = with_halves if bonds else drawn < rate
    total, games = np.cumsum(points, axis=1), np.arange(1, 1501)[None, :].astype(float)
    missed = (log_mixture(total, games, np.float64(rate)) >= np.log(20)).any(axis=1).mean()
    assert missed <= 0.08
    if not bonds:
        low, high = wilson_bounds(total, games)
        assert ((rate < low) | (rate > high)).any(axis=1).mean() > 0.25


# --- where games go ---------------------------------------------------------------------------------------------------


def test_settled_cells_play_no_more_and_open_ones_double() -> None:
    points, games = np.array([95.0, 52.0, 0.0, 40.0]), np.array([100, 100, 0, 100])
    assert next_games(points, games, 10_000).tolist() == [0, 0, FIRST_GAMES, 0]  # the one that is behind, first
    assert next_games(points[[0, 1, 3]], games[[0, 1, 3]], 10_000).tolist() == [0, 100, 100]
    assert next_games(np.array([3_000.0]), np.array([6_000]), 10_000).tolist() == [STEP]
    assert Verdicts(*sequence_bounds(points, games)).settled.tolist() == [True, False, False, False]
    assert int(Verdicts(*sequence_bounds(points, games)).band[0]) == 3


def test_a_small_budget_goes_where_the_verdict_is_nearest() -> None:
    points, games = np.array([50.0, 62.0, 57.0]), np.array([100, 100, 100])
    assert next_games(points, games, 250).tolist() == [0, 100, 100]
    assert next_games(points, games, 150).sum() == 100
    assert next_games(points, games, 99).tolist() == [0, 0, 0]


def test_adaptive_sampling_settles_more_cells_with_the_same_games_and_is_seldom_wrong() -> None:
    """400 cells with rates spread evenly. If 5 % of them were judged wrongly, more than 50 would be once in 10^7."""
    rates, budget = uniform(5, 400), 400 * 300
    luck = uniform(6, 400, 20_000) < rates[:, None]
    total = np.concatenate([np.zeros((400, 1)), np.cumsum(luck, axis=1)], axis=1)
    games = np.full(400, FIRST_GAMES)
    while (more := next_games(total[np.arange(400), games], games, budget - int(games.sum()))).any():
        games = np.minimum(games + more, 20_000)
    assert games.sum() <= budget
    found = Verdicts(*sequence_bounds(total[np.arange(400), games], games))
    wrong = found.settled & (found.band != np.searchsorted(MARKS, rates))
    assert wrong.sum() <= 50
    evenly = Verdicts(*sequence_bounds(total[:, 300], np.full(400, 300)))
    assert found.settled.sum() > evenly.settled.sum() + 20


def test_an_adaptive_matrix_keeps_to_its_budget_and_can_be_continued(tmp_path: Path) -> None:
    space, settings = Compositions.of(), Settings(5)
    asked = Selection(
        "two_gates,iron_column",
        "veil_breach-honeyed_hollow,root_hollow-veil_breach,living_root_sanctuary-honeyed_hollow",
    )
    cells, _ = select(space, asked)
    store = MatrixStore(tmp_path, space, settings)
    found = run_matrix(space, cells, 120, settings, store, adaptive=True)
    games = found.cells["games"]
    assert found.peeked
    assert int(games.sum()) <= 120 * len(cells)
    assert int(games.min()) == FIRST_GAMES  # the lopsided ones are clear at once
    assert int(games.max()) > 120
    low, high = found.bounds()
    assert (high - low)[games == games.max()].max() < (high - low)[games == games.min()].max() + 0.2
    again = run_matrix(space, cells, 120, settings, store, adaptive=True)
    assert again.result_hash == found.result_hash
    exactly = run_matrix(space, cells, int(games.max()), settings)
    most = int(games.argmax())
    assert exactly.cells[most] == found.cells[most]


@pytest.mark.parametrize("budget", [20_000, 1_720])  # ample, and one that ends within a round
def test_a_round_that_was_stopped_anywhere_goes_on_to_the_same_end(budget: int) -> None:
    """30 cells with rates spread evenly: some cells have played the second round when it is stopped, others not."""
    luck = uniform(8, 30, 20_000) < uniform(7, 30)[:, None]
    total = np.concatenate([np.zeros((30, 1)), np.cumsum(luck, axis=1)], axis=1)

    def to_the_end(games: Any) -> list[int]:
        while (more := next_games(total[np.arange(30), games], games, budget - int(games.sum()))).any():
            games = games + more
        return list(games)

    start = np.full(30, FIRST_GAMES)
    round_two = next_games(total[:, FIRST_GAMES], start, budget - int(start.sum()))
    whole = to_the_end(start)
    for stopped_after in range(0, 30, 7):
        assert to_the_end(start + np.where(np.arange(30) < stopped_after, round_two, 0)) == whole


def test_stored_games_that_were_chosen_by_looking_keep_their_honest_bounds(tmp_path: Path) -> None:
    space, settings = Compositions.of(), Settings(5)
    cells, _ = select(space, Selection("two_gates", "veil_breach-honeyed_hollow,root_hollow-veil_breach"))
    store = MatrixStore(tmp_path, space, settings)
    run_matrix(space, cells, 200, settings, store, adaptive=True)
    assert run_matrix(space, cells, 50, settings, store).peeked
    assert not run_matrix(space, cells, 50, settings).peeked
