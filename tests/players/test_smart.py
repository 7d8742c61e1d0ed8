"""The smart player: rollouts to the end of the run, judged by what endings are worth; a default that must be beaten."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartomancer.content.codex import load_codex
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.packing import pack
from cartomancer.intervals import mean_interval
from cartomancer.jit import records, wrapping
from cartomancer.players.kernel.layout import ARM
from cartomancer.players.kernel.smart import is_clear
from cartomancer.players.policies import pack_policies
from cartomancer.players.reasons import explain
from cartomancer.players.simulation import simulate
from cartomancer.players.trace import Trace, growth_in
from tests.players.positions import players_of

SHIPPED = load_codex()
# a party that never thinks of leaving by itself
STUBBORN = SHIPPED.profiles["party_balanced"].model_copy(update={"retreats_below": 0})
CODEX = replace(SHIPPED, profiles={**SHIPPED.profiles, "party_balanced": STUBBORN})


def lost_position(endings: dict[str, Any] | None = None) -> Encounter:
    """A visitor's turn in which it may retreat, and nearly everything is lost."""
    scenario = CODEX.scenarios["company-gauntlet"].model_copy(update={"endings": endings or {}})
    codex = replace(CODEX, scenarios={**CODEX.scenarios, "company-gauntlet": scenario})
    fight = Encounter(pack("company-gauntlet", codex), 9)
    players = players_of(fight, codex=CODEX)
    while "retreat" not in fight.legal_texts() or growth_in(players, fight) is not None:
        fight.apply(players.choose(fight))
    for member in fight.state["members"]:
        member["vitality"] = 1
    fight.state["sides"][1]["reducers"][1:] = 1
    return fight


# --- what endings are worth -------------------------------------------------------------------------------------------


def test_it_leaves_a_fight_that_is_lost_and_the_heuristic_stays() -> None:
    fight = lost_position()
    assert fight.text_of(players_of(fight, codex=CODEX).choose(fight)) != "retreat"
    assert fight.text_of(players_of(fight, visitor="smart", codex=CODEX).choose(fight)) == "retreat"


def test_a_scenario_may_say_what_its_endings_are_worth() -> None:
    """Where a retreat is worth nothing, nobody retreats."""
    fight = lost_position({"visitor": {"fled": 0}})
    assert fight.text_of(players_of(fight, visitor="smart", codex=CODEX).choose(fight)) != "retreat"


def test_runs_are_worth_what_their_endings_are() -> None:
    found = simulate("company-gauntlet", 60, 4, visitor="flee")
    tuning = CODEX.endings
    fled = found.rows["outcome"] == codes.Outcome.FLED
    assert fled.any()
    assert found.count("fled") == fled.sum()
    assert set(found.worths("visitor")[fled]) == {tuning.visitor["fled"] / 1000}
    assert set(found.worths("dungeon")[fled]) == {tuning.dungeon["harm"]["fled"] / 1000}
    assert found.wins("visitor") + found.wins("dungeon") <= found.runs - fled.sum()  # nobody's win
    killed = simulate("boar", 60, 4)
    assert killed.worths("dungeon")[killed.first("kill")] == tuning.dungeon["harm"]["kill"] / 1000
    bonded = simulate("symbiote", 60, 4)
    assert bonded.worths("dungeon")[bonded.first("bond")] == tuning.dungeon["bond"]["bond"] / 1000


def test_endings_belong_to_the_players_digest_and_not_to_the_scenarios() -> None:
    """They say who plays, not what may be played: a replay holds whatever endings are worth."""
    plain, own = lost_position().packed, lost_position({"visitor": {"fled": 0}}).packed
    assert plain.digest == own.digest
    assert pack_policies(plain).digest != pack_policies(own).digest


# --- how rollouts are spent -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [40, 400])
def test_the_default_and_the_best_get_most_of_the_rollouts(budget: int) -> None:
    fight = lost_position()
    trace = Trace(players_of(fight, visitor=f"smart@{budget}", codex=CODEX), fight)
    spent = [arm.rollouts for arm in trace.arms.values()]
    assert len(spent) > 4
    assert spent[0] == max(spent)  # the heuristic's choice, which every other is compared with
    assert sorted(spent)[-2] == max(spent) > min(spent)
    assert sum(spent) <= budget + len(spent) * len(spent).bit_length()
    assert sum(spent) > budget // 2


@given(gains=st.lists(st.sampled_from(range(-1000, 1001, 50)), min_size=2, max_size=60), doubt=st.integers(1, 40))
def test_a_lead_is_clear_beyond_so_many_standard_errors(gains: list[int], doubt: int) -> None:
    arm = records(1, ARM)[0]
    arm["gain"], arm["squares"], arm["rollouts"] = sum(gains), sum(gain * gain for gain in gains), len(gains)
    lead, bar = np.mean(gains), doubt / 10 * np.std(gains, ddof=1) / np.sqrt(len(gains))
    if not np.isclose(lead, bar, rtol=0.05):  # integers round there
        with wrapping():
            assert bool(is_clear(arm, np.int64(doubt))) is bool(lead > bar)


def test_it_explains_what_its_rollouts_found() -> None:
    fight = lost_position()
    found = explain(players_of(fight, visitor="smart@60", codex=CODEX), fight, CODEX)
    assert found.chosen.text == "retreat"
    assert found.chosen.worth == CODEX.endings.visitor["fled"]
    assert "points more than after" in found.reason
    assert all(option.note.endswith(("rollout", "rollouts")) for option in found.options)


# --- how well it plays ------------------------------------------------------------------------------------------------


def gained(scenario: str, side: str, player: str, runs: int) -> tuple[float, list[float]]:
    """What a player's runs are worth more than the heuristic's in its seat, with the interval."""
    thinking = simulate(scenario, runs, 12, **{side: player})
    gains = thinking.worths(side) - simulate(scenario, runs, 12).worths(side)
    mean, interval = mean_interval(float(gains.sum()), float((gains**2).sum()), runs)
    assert interval is not None
    return mean, interval


def test_it_plays_better_than_the_heuristic() -> None:
    _, (low, _) = gained("standard-company", "visitor", "smart@60", 200)
    assert low > 0


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["boar", "standard-company"])
def test_more_rollouts_play_better(scenario: str) -> None:
    few, many = (gained(scenario, "visitor", f"smart@{rollouts}", 200)[0] for rollouts in (10, 400))
    assert many > few + 0.03
