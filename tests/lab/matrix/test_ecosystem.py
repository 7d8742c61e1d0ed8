"""The rules of an ecosystem, strength against matchup, and the meta: on tables with known answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom
from seeded_luck import uniform

from cartomancer.errors import CartomancerError
from cartomancer.lab.kernel.cells import CELL
from cartomancer.lab.matrix.cell_store import Settings
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.lab.matrix.decomposition import additive, equilibrium, noise_edge, structure
from cartomancer.lab.matrix.ecosystem import judged, lopsided_cells, rules
from cartomancer.lab.matrix.matchups import Matrix
from cartomancer.lab.matrix.summary import summary

SPACE = Compositions.of()
RPS = np.array([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]])


def matrix_of(share: Any, games: int = 400, agency: float = 2.0, spread: float = 1.0, peeked: bool = False) -> Matrix:
    """A matrix with these shares: rows are dungeons, columns parties; NaN is no cell."""
    table = np.asarray(share, float)
    places = np.argwhere(~np.isnan(table))
    places = places[np.lexsort((places[:, 0], places[:, 1]))]
    cells = np.zeros(len(places), CELL)
    cells["dungeon"], cells["party"] = places.T
    cells["games"] = games
    cells["dungeon_wins"] = np.rint(table[places[:, 0], places[:, 1]] * games)
    cells["visitor_wins"] = games - cells["dungeon_wins"]
    cells["outcomes"][:, 1], cells["outcomes"][:, 8] = cells["dungeon_wins"], cells["visitor_wins"]
    cells["lead_changes"] = round(agency * games)
    cells["lead_changes_squared"] = round((agency**2 + spread**2) * games)
    return Matrix(SPACE, Settings(1), cells, peeked)


# --- the rules --------------------------------------------------------------------------------------------------------


def test_rock_paper_scissors_keeps_all_rules() -> None:
    found = rules(matrix_of(RPS))
    assert {name: rule.verdict for name, rule in vars(found).items()} == {
        "no_domination": "kept",
        "good_and_bad_matchups": "kept",
        "agency_in_lopsided_cells": "kept",
    }
    assert found.agency_in_lopsided_cells.lopsided == 6


def test_a_dungeon_that_beats_everybody_is_named_with_its_evidence() -> None:
    found = rules(matrix_of(np.vstack([RPS, [0.8, 0.9, 0.85]]))).no_domination
    assert found.verdict == "broken"
    [one] = found.dominating
    assert (one.side, one.name, one.opponents) == ("dungeon", str(SPACE.dungeons[3]), 3)
    assert one.worst == pytest.approx(0.8)
    assert 0.7 < one.worst_low < 0.8


def test_a_party_that_beats_everybody_is_named_too() -> None:
    [one] = rules(matrix_of(np.hstack([RPS, [[0.1], [0.15], [0.2]]]))).no_domination.dominating
    assert (one.side, one.name) == ("party", "-".join(SPACE.parties.members(3)))


def test_few_games_leave_the_verdict_open() -> None:
    found = rules(matrix_of(np.vstack([RPS, [0.8, 0.9, 0.8]]), games=10)).no_domination
    assert found.verdict == "open"
    assert [one.name for one in found.suspected] == [str(SPACE.dungeons[3])]


def test_a_single_opponent_is_not_everybody() -> None:
    found = rules(matrix_of([[0.95]]))
    assert found.no_domination.verdict == "open"
    assert found.good_and_bad_matchups.verdict == "open"
    assert rules(matrix_of([[0.95, 0.95]])).no_domination.verdict == "broken"


def test_one_honest_opponent_is_enough_against_domination() -> None:
    assert rules(matrix_of(np.vstack([RPS, [0.99, 0.99, 0.6]]))).no_domination.verdict == "kept"


def test_compositions_without_a_good_or_a_bad_matchup_are_told_apart() -> None:
    by_name = {
        (one.side, one.index): one for one in judged(matrix_of([[0.5, 0.5], [0.95, 0.05], [0.6, 0.9]], games=4000))
    }
    even, wide, strong = (by_name["dungeon", k] for k in range(3))
    assert (even.favourable, even.unfavourable) == ("none", "none")
    assert (wide.favourable, wide.unfavourable) == ("has", "has")
    assert (strong.favourable, strong.unfavourable) == ("has", "none")
    assert by_name["party", 0].unfavourable == "has"
    assert by_name["party", 0].favourable == "none"
    assert by_name["party", 1].favourable == "has"


def test_best_of_many_opponents_needs_more_than_one_lucky_cell() -> None:
    """58 % of 400 games: surely over 55 % if it were the only opponent with 1,600 games, not as the best of eighty."""
    one = judged(matrix_of(np.array([[0.58]]), games=1600))[0]
    many = judged(matrix_of(np.array([[0.58, *[0.5] * 79]]), games=1600))[0]
    assert (one.favourable, many.favourable) == ("has", "open")


def test_lopsided_cells_without_agency_are_listed_and_others_not() -> None:
    quiet = matrix_of([[0.9, 0.5], [0.1, 0.6]], agency=0.6)
    assert [cell.cell for cell in lopsided_cells(quiet)] == [quiet.name(0), quiet.name(1)]
    assert lopsided_cells(quiet)[0].interval[1] < 1.0
    assert lopsided_cells(matrix_of([[0.9, 0.5], [0.1, 0.6]], agency=0.95)) == []  # not surely below
    assert lopsided_cells(matrix_of([[0.9]], agency=1.4)) == []
    found = [rules(matrix_of([[0.9]], agency=agency)).agency_in_lopsided_cells for agency in (0.6, 0.97, 1.4)]
    assert [rule.verdict for rule in found] == ["broken", "open", "kept"]


def test_among_many_lopsided_cells_a_single_quiet_one_must_be_surer() -> None:
    """0.87 ± 0.10 lead changes: surely below 1.0 in a cell of its own, not in one of two hundred."""
    one, many = (matrix_of(np.full((1, cells), 0.9), agency=0.87) for cells in (1, 200))
    assert len(lopsided_cells(one)) == 1
    assert lopsided_cells(many) == []
    assert rules(many).agency_in_lopsided_cells.suspected == 200


# --- strength and matchup ---------------------------------------------------------------------------------------------


def test_rock_paper_scissors_is_all_matchup() -> None:
    games = np.full((3, 3), 100_000)
    found = structure(RPS * games, games)
    assert found.transitive == pytest.approx(0, abs=1e-9)
    assert found.matchup == pytest.approx(1, abs=1e-3)
    assert found.transitive + found.matchup + found.noise == pytest.approx(1)
    assert np.allclose(found.dungeons, 0)
    first, second, third = found.components
    assert first.size == pytest.approx(second.size)
    assert (first.beyond_noise, second.beyond_noise, third.beyond_noise) == (True, True, False)
    assert first.share == pytest.approx(0.5)


def test_effects_that_add_up_are_all_strength_and_found_again() -> None:
    rows, columns = np.array([-1.0, 0.0, 0.2, 0.8]), np.array([0.5, -0.3, -0.2])
    games = np.full((4, 3), 10**7)
    share = 1 / (1 + np.exp(-(0.4 + rows[:, None] + columns[None, :])))
    found = structure(share * games, games)
    assert found.transitive == pytest.approx(1, abs=1e-6)
    assert found.mean == pytest.approx(0.4, abs=1e-4)
    assert found.dungeons == pytest.approx(rows, abs=1e-4)
    assert found.parties == pytest.approx(columns, abs=1e-4)
    assert np.abs(found.predicted() - share).max() < 1e-4


def test_gaps_in_the_matrix_are_left_out_of_the_fit() -> None:
    values = np.arange(4.0)[:, None] + np.array([0.0, 10.0, 20.0])
    weight = np.ones((4, 3))
    values[1, 2], weight[1, 2] = 1e6, 0
    mean, rows, columns = additive(values, weight)
    assert mean + rows + columns[0] == pytest.approx(np.arange(4.0), abs=1e-6)


def sampled(logits: Any, games: int, seed: int) -> Any:
    """Points out of games for cells with these true logits."""
    return binom.ppf(uniform(seed, *logits.shape), games, 1 / (1 + np.exp(-logits)))


def test_chance_is_not_taken_for_matchup() -> None:
    strength = np.linspace(-1.5, 1.5, 40)[:, None] + np.linspace(-1, 1, 30)[None, :]
    alarms = 0
    for seed in range(30):
        found = structure(sampled(strength, 200, seed), np.full((40, 30), 200))
        assert found.matchup < 0.02
        assert found.transitive > 0.9
        alarms += found.components[0].beyond_noise
    assert alarms <= 5  # one in a hundred is expected: more than 5 of 30 come once in 10^6


def test_a_thin_sample_does_not_make_strength_out_of_chance() -> None:
    """No differences at all, 90 of 600 cells: 48 effects fit much of the noise, and none of it counts as strength."""
    for seed in range(10):
        games = np.where(uniform(100 + seed, 30, 20) < 0.15, 200, 0)
        games[np.arange(30), np.arange(30) % 20] = 200  # everybody met somebody
        found = structure(np.where(games > 0, sampled(np.zeros((30, 20)), 200, seed), 0), games)
        assert found.transitive < 0.35
        assert found.noise > 0.6


def test_a_planted_cycle_is_found_with_those_who_make_it() -> None:
    dungeons, parties = np.sign(np.arange(40) - 19.5), np.where(np.arange(30) % 2, 1.0, -1.0)
    logits = np.linspace(-1, 1, 40)[:, None] + 0.35 * dungeons[:, None] * parties[None, :]
    found = structure(sampled(logits, 200, 9), np.full((40, 30), 200))
    leading = found.components[0]
    assert leading.beyond_noise
    assert found.matchup > 0.1
    agreement = np.sign(leading.dungeons[:, None] * leading.parties[None, :]) == dungeons[:, None] * parties[None, :]
    assert agreement.mean() > 0.9
    assert not found.components[1].beyond_noise


def test_the_edge_of_noise_is_where_it_was_measured() -> None:
    """100 tables of unit noise: at most one in a hundred is beyond the edge; more than 8 would be once in 10^6."""
    from scipy.special import ndtri

    beyond = [np.linalg.norm(ndtri(uniform(seed, 20, 50)), 2) > noise_edge(20, 50) for seed in range(100)]
    assert sum(beyond) <= 8
    assert noise_edge(20, 50) < 1.15 * (np.sqrt(20) + np.sqrt(50))


def test_a_matrix_without_games_has_no_structure() -> None:
    with pytest.raises(CartomancerError, match="without games"):
        structure(np.zeros((2, 2)), np.zeros((2, 2)))


# --- the meta ---------------------------------------------------------------------------------------------------------


def test_rock_paper_scissors_is_played_in_thirds() -> None:
    found = equilibrium(RPS)
    assert found.value == pytest.approx(0.5)
    assert found.dungeons == pytest.approx([1 / 3] * 3)
    assert found.parties == pytest.approx([1 / 3] * 3)
    assert [k for k, _ in found.support("party")] == [0, 1, 2]


def test_a_two_by_two_game_has_the_mix_of_the_textbook() -> None:
    found = equilibrium(np.array([[0.8, 0.3], [0.4, 0.6]]))
    assert found.value == pytest.approx(0.36 / 0.7)
    assert found.dungeons == pytest.approx([0.2 / 0.7, 0.5 / 0.7])
    assert found.parties == pytest.approx([0.3 / 0.7, 0.4 / 0.7])


def test_nobody_brings_what_another_composition_beats_everywhere() -> None:
    found = equilibrium(np.vstack([RPS, RPS.min(axis=0) - 0.05]))
    assert found.dungeons[3] == pytest.approx(0)
    assert [k for k, _ in found.support("dungeon")] == [0, 1, 2]
    additive_share = 1 / (1 + np.exp(-(np.array([-1, 0, 1])[:, None] + np.array([0.5, 0, -0.5])[None, :])))
    saddle = equilibrium(additive_share)  # strength alone: everybody brings the strongest
    assert saddle.support("dungeon") == [(2, pytest.approx(1))]
    assert saddle.support("party") == [(2, pytest.approx(1))]
    assert saddle.value == pytest.approx(additive_share[2, 2])


def test_a_meta_game_needs_every_cell() -> None:
    with pytest.raises(CartomancerError, match="every cell"):
        equilibrium(np.array([[0.5, np.nan]]))


def test_cells_that_were_not_played_are_guessed_from_strength_in_the_summary() -> None:
    share = np.array([[0.5, 0.6, 0.7], [0.4, np.nan, 0.6], [0.3, 0.4, 0.5]])
    found = summary(matrix_of(share)).structure
    assert found is not None
    meta = found.meta
    assert meta.guessed_cells == 1
    assert meta.value == pytest.approx(0.5, abs=0.02)
    assert summary(matrix_of([[0.5, 0.6]])).structure is None
