"""The contract every computer player must keep, whatever its kind and profile: one suite over all of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel.batch import MOST_STEPS
from cartomancer.encounters.kernel.fingerprint import state_hash
from cartomancer.encounters.names import OUTCOMES
from cartomancer.encounters.packing import pack
from cartomancer.jit import is_compiled, wrapping
from cartomancer.players.policies import player_spec
from cartomancer.players.simulation import run_of, simulate
from cartomancer.rng import Stream
from tests.encounters.arena import Arena, card, offer, strike
from tests.players.positions import (
    CHOOSER,
    DUNGEONS,
    SCENARIOS,
    VISITORS,
    at,
    at_random,
    betrayed_by,
    decisions,
    players_of,
    told,
)

ROOT = Path(__file__).parent.parent.parent
PLAYERS = (
    *(("random", "random"), ("heuristic", "heuristic"), ("montecarlo@2", "montecarlo@2"), ("smart@8", "smart@8")),
    *((habit, habit) for habit in ("pass", "dump", "turtle", "strike-only")),
    *((profile, "heuristic") for profile in DUNGEONS),
    *(("heuristic", profile) for profile in VISITORS),
)
NAMES = ["/".join(players) for players in PLAYERS]
MOST_ACTIONS = 1500  # random players of three rooms need about 250
SEED = 2026


@cache
def game(scenario: str, specs: tuple[str, str], seed: int = SEED) -> tuple[int, ...]:
    """A whole game's actions."""
    fight = Encounter(scenario, seed)
    return tuple(decisions(fight, players_of(fight, *specs)))


# --- legal, bounded, repeatable ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("specs", PLAYERS, ids=NAMES)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_game_ends_and_every_choice_is_legal_and_leaves_the_encounter_alone(
    scenario: str, specs: tuple[str, str]
) -> None:
    fight = Encounter(scenario, SEED)
    players = players_of(fight, *specs)
    while fight.decision is not None:
        legal, before = fight.legal(), fight.state_hash()
        action = players.choose(fight)
        assert action in legal
        assert fight.state_hash() == before
        fight.apply(action)
        assert len(fight.actions) < MOST_ACTIONS
    assert tuple(fight.actions) == game(scenario, specs)


@pytest.mark.parametrize("specs", PLAYERS, ids=NAMES)
def test_many_games_of_every_scenario_end(specs: tuple[str, str]) -> None:
    runs = 10 if player_spec(specs[0]).rollouts else 200
    for scenario in SCENARIOS:
        rows = simulate(scenario, runs, 5, player_spec(specs[0], "dungeon"), player_spec(specs[1], "visitor")).rows
        assert not (rows["outcome"] == OUTCOMES.index("undecided")).any()
        assert rows["decisions"].max() < MOST_ACTIONS < MOST_STEPS


@pytest.mark.parametrize("specs", PLAYERS, ids=NAMES)
def test_a_game_goes_on_as_it_would_have_gone_from_anywhere(specs: tuple[str, str]) -> None:
    for scenario in ("boar", "deceptive-host"):
        actions = game(scenario, specs)
        for cut in {1, len(actions) // 3, 2 * len(actions) // 3}:
            resumed = Encounter(scenario, SEED).play(actions[:cut])
            assert tuple(decisions(resumed, players_of(resumed, *specs))) == actions[cut:]


@pytest.mark.parametrize("specs", PLAYERS, ids=NAMES)
def test_what_a_player_thought_of_before_does_not_matter(specs: tuple[str, str]) -> None:
    fights = [fight.copy() for k, fight in enumerate(at_random("standard-company", 3)) if k % 9 == 0]
    old = players_of(fights[0], *specs)
    choices = [old.choose(fight) for fight in fights]
    assert [old.choose(fight) for fight in reversed(fights)] == choices[::-1]
    assert [players_of(fight, *specs).choose(fight) for fight in fights] == choices


def test_another_seed_is_another_game() -> None:
    assert len({game("boar", ("heuristic", "heuristic"), seed) for seed in range(5)}) == 5
    assert len({game("boar", ("random", "random"), seed) for seed in range(5)}) == 5


# --- blind to what is hidden ------------------------------------------------------------------------------------------

blind = settings(max_examples=25)
games = {"scenario": st.sampled_from(SCENARIOS), "seed": st.integers(0, 2**32)}


@pytest.mark.parametrize("specs", PLAYERS, ids=NAMES)
@given(**games)
@blind
def test_no_choice_depends_on_what_a_side_cannot_see(specs: tuple[str, str], scenario: str, seed: int) -> None:
    every = 20 if player_spec(specs[0]).rollouts else 5
    players, chance = None, Stream(seed, CHOOSER, 1)
    for k, fight in enumerate(at_random(scenario, seed)):
        players = players or players_of(fight, *specs)
        rare = fight.decision is not None and fight.decision.kind in {"offer", "react", "resource", "member"}
        if rare or k % every == 0:
            assert not betrayed_by(players, fight, chance, times=1), (fight.actions, fight.decision)


class Peeking:
    """A chooser that looks where it may not."""

    def __init__(self, where: str) -> None:
        self.where = where

    def choose(self, fight: Encounter) -> int:
        legal, side = fight.legal(), int(fight.state["actor"])
        theirs = fight.state["sides"][1 - side]
        if self.where == "dice":
            return legal[int(fight.state["streams"][0]) % len(legal)]
        if self.where == "own draw pile":
            return legal[int(fight.state["sides"][side]["draw"][0]) % len(legal)]
        if self.where == "last type":
            return legal[int(theirs["last_type"]) % len(legal)]
        size = int(theirs["trap_count" if self.where == "traps" else f"{self.where}_size"])
        return legal[sum(map(int, theirs[self.where][: (size + 1) // 2])) % len(legal)]


@pytest.mark.parametrize("where", ["hand", "draw", "dice", "own draw pile", "last type"])
def test_a_chooser_that_peeks_is_caught(where: str) -> None:
    chance = Stream(1, CHOOSER, 1)
    caught = [betrayed_by(Peeking(where), fight, chance) for fight in at_random("standard-company", 1)]
    assert sum(caught) > len(caught) // 2


def test_a_chooser_that_looks_under_traps_is_caught_and_players_are_not() -> None:
    traps = [card("trap", f"pit_{k}", "dungeon", springs="strike", target="vitality", power=k + 1) for k in range(5)]
    arena, chance = Arena(dungeon=traps, visitor=[strike("bite", "visitor", cost=1)]), Stream(1, CHOOSER, 1)
    arena.turn("dungeon", hand=["pit_0"])
    arena.act("trap pit_0")
    arena.turn("visitor", hand=["bite"])
    assert betrayed_by(Peeking("traps"), arena.encounter, chance, times=9)
    for visitor in (*VISITORS, "montecarlo@2"):
        assert not betrayed_by(at(arena, visitor=visitor), arena.encounter, chance, times=9)


def veiled_offer(trust: int = 4) -> Arena:
    """A veiled Offer in flight; the deck has another with the same face and a worse price."""
    fair = offer("fair", price={"type": "flat", "resource": "resolve", "amount": 1})
    foul = offer("foul", price={"type": "binding", "resource": "resolve", "amount": 3, "rounds": 5})
    arena = Arena(dungeon=[fair, foul])
    arena.turn("dungeon", hand=["fair"])
    arena.set(trust=trust, nerve=12)
    arena.act("offer fair")
    return arena


class ReadsPrices:
    """A chooser that knows what a veiled Offer costs."""

    def choose(self, fight: Encounter) -> int:
        offered: Any = fight.packed.cards[int(fight.state["flight"]["card"])]
        return fight.legal()[int(offered.price.type == "binding")]


@pytest.mark.parametrize("visitor", [*VISITORS, "montecarlo@2"])
def test_a_veiled_price_changes_nothing(visitor: str) -> None:
    arena, chance = veiled_offer(), Stream(2, CHOOSER, 1)
    assert not betrayed_by(at(arena, visitor=visitor), arena.encounter, chance)
    assert betrayed_by(ReadsPrices(), arena.encounter, chance)


def test_what_is_shown_does_change_choices() -> None:
    """The players are no stones: the contract above would be empty if nothing ever mattered to them."""
    players, changed = None, 0
    for fight in chain(*(at_random("standard-company", seed) for seed in range(16))):
        players = players or players_of(fight)
        side = int(fight.state["actor"])
        twin = fight.copy()
        twin.state["sides"][1 - side]["reducers"][:] = 1
        twin.state["members"]["vitality"][:] = 1 if side == 0 else twin.state["members"]["vitality"]
        assert told(twin, side) != told(fight, side)
        changed += players.choose(twin) != players.choose(fight)
    assert changed > 10


# --- one source -------------------------------------------------------------------------------------------------------

SHORT = {"montecarlo@2": 24, "smart@2": 20}  # interpreted rollouts take their time
AGREE = [
    *(("boar", "heuristic", "heuristic"), ("standard-company", "aggressive", "party_balanced")),
    *(("symbiote-deceptive", "deceptive", "cooperative"), ("moth", "tactical", "cautious_explorer")),
    *(("boar", "nurturing", "random"), ("standard-gauntlet", "montecarlo@2", "montecarlo@2")),
    *(("symbiote", "montecarlo@2", "montecarlo@2"), ("boar", "dump", "turtle"), ("boar", "smart@2", "heuristic")),
]


def choices(cases: list[list[str]]) -> list[list[int]]:
    """The leading actions of some games."""
    found = []
    for scenario, dungeon, visitor in cases:
        fight = Encounter(scenario, 11)
        found.append(list(decisions(fight, players_of(fight, dungeon, visitor), SHORT.get(dungeon, 100_000))))
    return found


def test_interpreted_and_compiled_players_choose_the_same() -> None:
    assert is_compiled(), "this test compares the compiled kernels of this process with interpreted ones"
    code = f"import json; from tests.contracts.test_players import choices; print(json.dumps(choices({AGREE!r})))"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(ran.stdout)
    assert found == choices([list(case) for case in AGREE])
    assert all(len(actions) >= 20 for actions in found)


@pytest.mark.parametrize("specs", PLAYERS, ids=NAMES)
def test_a_run_of_a_batch_is_the_game_the_players_play(specs: tuple[str, str]) -> None:
    for scenario in ("symbiote-deceptive", "company-gauntlet"):
        packed = pack(scenario)
        batch = simulate(packed, 4, 77, player_spec(specs[0], "dungeon"), player_spec(specs[1], "visitor"))
        for index in range(4):
            run, row = run_of(packed, batch.policies, 77, index), batch.rows[index]
            with wrapping():
                assert np.uint64(state_hash(run.state)) == row["state_hash"]
            assert run.outcome is not None
            assert run.outcome.kind == OUTCOMES[int(row["outcome"])]
            assert (run.outcome.rounds, run.outcome.decisions) == (int(row["rounds"]), int(row["decisions"]))


def test_the_number_of_threads_does_not_matter() -> None:
    assert simulate("boar", 300, 1, threads=1).result_hash == simulate("boar", 300, 1, threads=3).result_hash
