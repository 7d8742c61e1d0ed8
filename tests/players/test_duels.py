"""The ladder: how duels are counted, and who is stronger than whom [GDD 7.2]."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from cartomancer.content.codex import load_codex
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.names import OUTCOMES
from cartomancer.errors import CartomancerError
from cartomancer.intervals import wilson
from cartomancer.players import Player, PlayerSpec, duels
from cartomancer.players.duels import COMBAT, Duel, Ladder, duel, ladder
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


def test_montecarlo_players_beat_random_ones() -> None:
    assert duel("boar", "montecarlo@3", "random", 150).interval[0] > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["boar", "standard-company"])
def test_more_rollouts_do_not_play_worse(scenario: str) -> None:
    few, many = (duel(scenario, f"montecarlo@{rollouts}", "heuristic", 150) for rollouts in (3, 12))
    assert many.interval[1] >= few.interval[0], (few.sentence(), many.sentence())
    assert duel(scenario, "montecarlo@12", "montecarlo@3", 150).interval[1] >= 0.5


# --- one's own players ------------------------------------------------------------------------------------------------


class Own:
    """A computer player that nobody knows to be one."""

    def __init__(self, text: str) -> None:
        self.name, self._player = f"own {text}", Player(text)

    def choose(self, encounter: Encounter) -> int:
        return self._player.choose(encounter)


def test_own_players_meet_on_the_same_shuffles_as_compiled_ones() -> None:
    compiled = duel("boar", "heuristic", "random", 6, seed=3)
    strong, weak = Own("heuristic"), Own("random")
    for first, second in ((strong, weak), (strong, "random"), ("heuristic", weak)):
        own = duel("boar", first, second, 6, seed=3)
        assert (own.won, own.drawn, own.runs_won) == (compiled.won, compiled.drawn, compiled.runs_won)
    assert (own.first, own.second) == ("heuristic", "own random")


def test_computer_players_are_compiled_however_they_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duels, "play_out", lambda *_: pytest.fail("played decision by decision"))
    found = duel("boar", Player("heuristic"), "random", 5)
    assert found == duel("boar", "heuristic", Player("random"), 5) == duel("boar", "heuristic", PlayerSpec("random"), 5)


def test_progress_counts_the_runs_of_both_halves() -> None:
    told: list[int] = []
    duel("boar", Own("random"), "random", 3, progress=told.append)
    assert told == [1, 2, 3, 4, 5, 6]
    told.clear()
    duel("boar", "random", "heuristic", 40, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 80


def test_an_interrupted_duel_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duels, "simulate", lambda *_, **__: SimpleNamespace(rows=rows(("kill", 1))))
    with pytest.raises(KeyboardInterrupt):
        duel("boar", "heuristic", "random", 2)


def test_a_player_keeps_content_of_its_own() -> None:
    """A player with other content than the duel's is asked about every decision: a batch would be played with one."""
    codex = load_codex()
    other = replace(codex, thinking=codex.thinking.model_copy(update={"lethal": 0, "trust": 0, "advantage": 9000}))
    assert duel("boar", Player("heuristic", other), "heuristic", 12).drawn < 12
    assert duel("boar", Player("heuristic", codex), "heuristic", 12, codex=codex).drawn == 12


# --- ladders ----------------------------------------------------------------------------------------------------------


def test_on_a_ladder_everybody_meets_everybody_everywhere() -> None:
    found = ladder(["heuristic", "random", Own("random")], ["boar", "moth"], pairs=2)
    own = "own random"
    met = [("heuristic", "random"), ("heuristic", own), ("random", own)]
    assert [(one.scenario, one.first, one.second) for one in found.duels] == [
        (scenario, *two) for scenario in ("boar", "moth") for two in met
    ]
    assert {standing.player: standing.pairs for standing in found.standings()} == dict.fromkeys(found.players, 8)


def test_standings_count_duels_from_both_ends() -> None:
    def met(first: str, second: str, won: int, drawn: int) -> Duel:
        return Duel(scenario="boar", first=first, second=second, pairs=10, won=won, drawn=drawn, runs_won=(0, 0))

    found = Ladder(("a", "b", "c"), (met("a", "b", 3, 2), met("a", "c", 1, 0), met("b", "c", 4, 4)))
    assert [(one.player, one.won, one.drawn, one.pairs) for one in found.standings()] == [
        ("c", 11, 4, 20),
        ("b", 9, 6, 20),
        ("a", 4, 2, 20),
    ]
    assert found.standings()[0].interval == wilson(13, 20)


@pytest.mark.parametrize("players", [[], ["random"], ["random", "random"], ["random", "heuristic", "random"]])
def test_a_ladder_needs_different_players(players: list[str]) -> None:
    with pytest.raises(CartomancerError, match="two or more different players"):
        ladder(players, ["boar"], pairs=1)
