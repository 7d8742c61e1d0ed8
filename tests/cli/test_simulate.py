"""`simulate`: a batch counted, and every run of it open to be read again."""

from __future__ import annotations

import itertools
import shlex
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cartomancer.cli import output
from cartomancer.encounters.encounter import Encounter, winner_of
from cartomancer.encounters.kernel.fingerprint import state_hash
from cartomancer.encounters.replay import from_notation
from cartomancer.jit import wrapping
from cartomancer.players import simulation
from cartomancer.players.player import make_players, play_out
from cartomancer.players.policies import player_spec
from tests.cli.conftest import Run, strict_json

RunJson = Callable[..., Any]
OUTCOMES = {"kill", "break", "panic", "bond", "overcome", "inert", "dominate", "survive", "fled"}
PLAYERS = [(), ("--ai-dungeon", "random", "--ai-visitor", "montecarlo@1"), ("--ai-dungeon", "montecarlo@2:nurturing")]


def batch_hash(fight: Encounter) -> int:
    """The hash that a batch keeps of a state."""
    with wrapping():
        return int(state_hash(fight.state))


# --- one run of many --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["boar", "symbiote", "company-gauntlet"])
def test_an_encounter_that_is_played_out_ends_like_the_batchs_run(scenario: str) -> None:
    found = simulation.simulate(scenario, 4, seed=7)
    for index, row in enumerate(found.rows):
        fight = Encounter(scenario, simulation.run_seed(7, index))
        play_out(fight, make_players(fight.packed))
        assert batch_hash(fight) == int(row["state_hash"])
        again = simulation.run_of(found.packed, found.policies, 7, index)
        assert again.state_hash() == fight.state_hash()


@pytest.mark.parametrize("players", PLAYERS)
def test_replay_plays_the_batchs_run_again(run_json: RunJson, players: tuple[str, ...]) -> None:
    seats = dict(zip(players[::2], players[1::2], strict=True))
    found = simulation.simulate(
        "symbiote",
        3,
        seed=11,
        dungeon=player_spec(seats.get("--ai-dungeon", "heuristic"), "dungeon"),
        visitor=player_spec(seats.get("--ai-visitor", "heuristic"), "visitor"),
    )
    for index, row in enumerate(found.rows):
        told = run_json("encounter", "replay", f"symbiote@11:{index}", *players)
        fight = from_notation(told["notation"])
        assert batch_hash(fight) == int(row["state_hash"])
        assert told["final_hash"] == fight.state_hash()


@pytest.mark.parametrize("players", [*PLAYERS[:1], ("--ai-visitor", "random")])
def test_the_report_says_how_to_read_a_run(run: Run, players: tuple[str, ...]) -> None:
    said = run("simulate", "boar+iron_shield@1", "-n", "5", "--seed", "3", *players).stdout
    (line,) = (line for line in said.splitlines() if line.startswith("read a run (0 to 4): "))
    command = shlex.split(line.partition(": ")[2])
    assert command[:3] == ["cartomancer", "encounter", "replay"]
    assert "boar+iron_shield@1@3:" in command[3]
    assert command[4:] == list(players)
    assert from_notation(run(*command[1:]).stdout.splitlines()[-1]).outcome is not None


# --- results ----------------------------------------------------------------------------------------------------------


def test_threads_change_nothing(run_json: RunJson) -> None:
    one, three, more = (
        run_json("simulate", "boar", "-n", "13", "--seed", "5", *threads)
        for threads in (("--threads", "1"), ("--threads", "3"), ())
    )
    for facts in (one, three, more):
        assert facts.pop("seconds") > 0
        assert facts.pop("encounters_per_second") >= facts.pop("runs_per_second") > 0
    assert one == three == more
    assert len(one["result_hash"]) == 16


def test_json_has_everything(run_json: RunJson) -> None:
    facts = run_json("simulate", "company-gauntlet", "-n", "6", "--seed", "5", "--ai-dungeon", "nurturing")
    assert (facts["scenario"], facts["n"], facts["seed"]) == ("company-gauntlet", 6, 5)
    assert facts["players"] == {"dungeon": "heuristic:nurturing", "visitor": "heuristic"}
    assert set(facts["outcomes"]) == OUTCOMES
    for rate in facts["outcomes"].values():
        assert 0 <= rate["low"] <= rate["rate"] <= rate["high"] <= 1
    assert sum(rate["rate"] for rate in facts["outcomes"].values()) == pytest.approx(1)
    for side in ("dungeon", "visitor"):
        won = sum(rate["rate"] for name, rate in facts["outcomes"].items() if winner_of(name) == side)
        assert facts[f"{side}_win"] == pytest.approx(won)
    assert facts["rounds_mean"] > 0
    assert facts["decisions_mean"] > 0
    assert facts["rooms"][0]["reached"] == 1
    for room in facts["rooms"]:
        assert room["room"]
        assert set(room["outcomes"]) == OUTCOMES


METRICS = (
    "agency_score",
    "closeness_at_resolution",
    "outcome_diversity",
    "knockout_patterns",
    "attrition_curve",
)


def test_json_has_the_five_metrics(run_json: RunJson) -> None:
    """Under exactly these names, with what does not apply as null [GDD 18.8]."""
    party = run_json("simulate", "company-gauntlet", "-n", "60", "--seed", "5")
    creature = run_json("simulate", "symbiote", "-n", "60", "--seed", "5")
    for name in METRICS:
        low, high = party[name]["interval"]
        assert low <= party[name]["value"] <= high
        assert party[name]["verdict"] in {"healthy", "low", "high"}
        assert len(party[name]["healthy"]) == 2
        assert party[name]["reading"]
    assert [creature[name] is None for name in METRICS] == [False, False, False, True, True]
    for facts in (party, creature):
        assert facts["readings"][0]["reading"]
        assert facts["win_rate"]["dungeon"]["rate"] == facts["dungeon_win"]
        assert facts["outcome_diversity"]["outcomes"] == facts["outcomes"]


def test_an_encounter_is_a_room(run_json: RunJson) -> None:
    facts = run_json("simulate", "deceptive", "-n", "50", "--seed", "5")
    rooms_a_run = sum(room["reached"] for room in facts["rooms"])
    assert 1 < rooms_a_run < 2
    assert facts["encounters_per_second"] == pytest.approx(facts["runs_per_second"] * rooms_a_run)


def test_the_report_shows_a_line_for_every_metric(run: Run) -> None:
    said = run("simulate", "match:drift_symbiote/root_hollow", "-n", "400", "--seed", "2").stdout.splitlines()
    start = said.index("quality")
    table = [line.split() for line in said[start + 1 :] if line.split()][2:7]
    assert [cells[0] for cells in table] == ["agency", "closeness", "diversity", "knock-outs", "attrition"]
    assert table[2][-2:] == ["low:", "concentrated"]
    assert " ".join(table[3][-2:]) == "parties only"
    assert any(line.startswith("wins: the dungeon wins ") for line in said)


def test_a_seed_may_be_a_text_and_other_seeds_are_other_batches(run_json: RunJson) -> None:
    found = [run_json("simulate", "boar", "-n", "3", "--seed", seed)["result_hash"] for seed in ("x", "x", "y")]
    assert found[0] == found[1] != found[2]


def test_the_report_shows_all_outcomes_and_rooms(run: Run) -> None:
    result = run("simulate", "company-gauntlet", "-n", "5", "--seed", "2")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "company-gauntlet: 5 runs, seed 2"
    assert lines[1] == "heuristic plays the dungeon, heuristic the visitor"
    first_words = {line.split()[0] for line in lines if line.split()}
    found = simulation.simulate("company-gauntlet", 5, seed=2)
    assert first_words >= OUTCOMES | set(found.packed.rooms) | {"wins", "rounds", "decisions"}
    assert f"result hash {found.result_hash}" in result.stdout


# --- refusals and interruptions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("boar", "-n", "0"),
        ("boar", "-n", "-3"),
        ("boar", "-n", "many"),
        ("boar", "-n", "10000001"),
        ("boar", "--threads", "0"),
        ("boar", "--threads", "1025"),
        ("boar", "--seed", "-1"),
        ("boar", "--seed", ""),
        ("boar", "--ai-dungeon", "nobody"),
        ("boar", "--ai-dungeon", "cooperative"),
        ("boar", "--ai-visitor", "montecarlo@0"),
        ("boar", "--ai-visitor", "heuristic@3"),
        ("baor",),
        (),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_played(run: Run, arguments: tuple[str, ...]) -> None:
    result = run("simulate", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


def test_errors_are_json_for_programs(run: Run) -> None:
    result = run("simulate", "baor", "--json")
    assert "did you mean 'boar'?" in strict_json(result.stderr)["error"]


@pytest.fixture
def interrupt_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Somebody presses Ctrl-C while a thread plays its n-th chunk."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    original, count = simulation.play_runs, itertools.count(1)

    def wanted(number: int) -> None:
        def play(*arguments: Any) -> int:
            if next(count) == number:
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            return original(*arguments)

        monkeypatch.setattr(simulation, "play_runs", play)

    yield wanted
    signal.signal(signal.SIGINT, handler)


def test_an_interrupted_batch_reports_the_runs_that_are_done(run: Run, interrupt_at: Callable[[int], None]) -> None:
    """The numbers are those of a batch of that size."""
    interrupt_at(4)  # the first chunk is the one before the measured time
    result = run("simulate", "boar", "-n", "8", "--seed", "4", "--threads", "1", "--json")
    assert result.exit_code == output.STOPPED
    facts = strict_json(result.stdout)
    assert 0 < facts["n"] < 8
    assert f"stopped after {facts['n']} of 8 runs" in result.stderr
    assert facts["result_hash"] == simulation.simulate("boar", facts["n"], seed=4).result_hash


def test_a_batch_that_is_interrupted_at_once_just_stops(run: Run, interrupt_at: Callable[[int], None]) -> None:
    interrupt_at(1)
    result = run("simulate", "boar", "-n", "8")
    assert (result.exit_code, result.stdout) == (output.STOPPED, "")
    assert "stopped" in result.stderr


def test_the_library_refuses_too() -> None:
    with pytest.raises(ValueError, match="0 runs: a batch has 1 to"):
        simulation.simulate("boar", 0)
    with pytest.raises(ValueError, match="0 threads"):
        simulation.simulate("boar", 1, threads=0)


def test_json_says_what_took_the_points_of_the_first_runs(run_json: RunJson) -> None:
    facts = run_json("simulate", "boar", "-n", "1200", "--seed", "7")
    rows = facts["causes"]
    assert facts["measures"]["loss_by_cards.visitor"]["low"] < 100
    assert "regret" not in facts["measures"]  # nobody studied decisions
    assert {row["runs"] for row in rows} == {1000}
    assert set(rows[0]) == {"side", "reducer", "cause", "lost", "gained", "last_points", "runs"}
    room = next(row for row in rows if (row["reducer"], row["cause"]) == ("vitality", "room"))
    assert room["lost"] > 1000  # the Root Hollow takes a point a round
    fewer = run_json("simulate", "boar", "-n", "30", "--seed", "7")["causes"]
    assert {row["runs"] for row in fewer} == {30}
