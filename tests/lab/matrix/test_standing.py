"""How compositions stand to each other: by hand on small tables of shares."""

from __future__ import annotations

import numpy as np

from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.lab.matrix.decomposition import equilibrium, structure
from cartomancer.lab.matrix.matchups import Settings, run_matrix
from cartomancer.lab.matrix.selection import Selection, select
from cartomancer.lab.matrix.standing import dominated, grid_of, outclassed, support, transitive


def test_whoever_another_equals_against_nearly_everybody_is_outclassed() -> None:
    share = np.full((3, 20), 0.5)
    share[1] -= 0.1  # worse everywhere …
    share[1, :1] = 0.9  # … but for one of twenty
    share[2] = 0.9
    share[2, :3] = 0.1  # worse than the others in three of twenty: 85 % is not nearly everybody
    assert outclassed(share).tolist() == [False, True, False]


def test_two_that_are_alike_outclass_but_do_not_dominate_each_other() -> None:
    share = np.array([[0.4, 0.6], [0.4, 0.6], [0.9, 0.1]])
    assert outclassed(share).tolist() == [True, True, False]
    assert dominated(share).tolist() == [False, False, False]


def test_one_better_matchup_and_none_worse_dominates() -> None:
    share = np.array([[0.4, 0.6, 0.5], [0.4, 0.6, 0.51], [0.9, 0.1, 0.5]])
    assert dominated(share).tolist() == [True, False, False]


def test_only_opponents_that_both_met_count() -> None:
    share = np.array([[0.4, np.nan, 0.5], [0.5, 0.1, 0.5]])
    assert dominated(share).tolist() == [True, False]


def test_a_matrix_is_read_from_each_side() -> None:
    space = Compositions.of()
    cells, _ = select(space, Selection("named", "root_hollow-veil_breach,lamp_orchard-tidal_cradle"))
    matrix = run_matrix(space, cells, 60, Settings(4))
    dungeons, parties = grid_of(matrix, "dungeon"), grid_of(matrix, "party")
    assert dungeons.shape == (len(matrix.dungeons), len(matrix.parties))
    assert np.allclose(parties, 1 - dungeons.T)
    found = equilibrium(matrix.grid(matrix.share))
    for side in ("dungeon", "party"):
        weights = dict(found.support(side))
        assert support(matrix, side) == [matrix.sides[side].names[k] for k in weights]
    assert (
        transitive(matrix)
        == structure(matrix.grid(matrix.points, 0.0), matrix.grid(matrix.cells["games"], 0.0)).transitive
    )
