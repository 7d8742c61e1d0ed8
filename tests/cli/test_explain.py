"""`encounter explain`: which decision, whose player, in a table and as JSON."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.replay import from_notation, load_replay, notation, record
from cartomancer.players import explain
from cartomancer.players.player import make_players
from cartomancer.players.simulation import run_of
from tests.cli.conftest import COMMAND, Run

RunJson = Callable[..., Any]


@pytest.fixture(scope="module")
def game() -> Encounter:
    """Thirty decisions of the default players."""
    fight = Encounter("boar", 3)
    players = make_players(fight.packed)
    while len(fight.actions) < 30:
        fight.apply(players.choose(fight))
    return fight


def before(game: Encounter, number: int) -> Encounter:
    """The position before an action, from 1."""
    return Encounter(game.packed, game.seed).play(game.actions[: number - 1])


# --- which decision ---------------------------------------------------------------------------------------------------


def test_the_pending_decision_is_explained_without_at(run_json: RunJson, game: Encounter) -> None:
    found = run_json("encounter", "explain", notation(game))
    assert (found["number"], found["played"]) == (31, None)
    assert game.decision is not None
    assert (found["side"], found["kind"]) == (game.decision.side, game.decision.kind)
    expected = explain(make_players(game.packed), game).as_dict()
    assert {key: found[key] for key in expected} == json.loads(json.dumps(expected))


@pytest.mark.parametrize("number", [1, 7, 30])
def test_at_means_before_that_action(run_json: RunJson, game: Encounter, number: int) -> None:
    found = run_json("encounter", "explain", notation(game), "--at", str(number))
    there = before(game, number)
    assert found["notation"] == notation(there)
    assert found["number"] == number
    chosen = next(option for option in found["options"] if option["chosen"])
    assert chosen["action"] == game.actions[number - 1]
    assert found["played"] == there.text_of(game.actions[number - 1]) == chosen["text"]


@pytest.mark.parametrize("side", ["dungeon", "visitor"])
def test_side_goes_back_to_its_last_decision(run_json: RunJson, game: Encounter, side: str) -> None:
    found = run_json("encounter", "explain", notation(game), "--at", "20", "--side", side)
    asked = [before(game, number).decision for number in range(1, 21)]
    last = max(number for number, decision in enumerate(asked, 1) if decision and decision.side == side)
    assert (found["number"], found["side"]) == (last, side)


def test_a_run_of_a_batch_is_explained_at_its_last_decision(run_json: RunJson) -> None:
    found = run_json("encounter", "explain", "boar@7:2")
    players = make_players(Encounter("boar").packed)
    whole = run_of(players.packed, players.policies, 7, 2)
    assert found["number"] == len(whole.actions)
    assert from_notation(found["notation"]).actions == whole.actions[:-1]


def test_a_file_is_explained_with_its_players(run_json: RunJson, game: Encounter, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(record(game, {"dungeon": "heuristic:aggressive", "visitor": "person"}).to_json(), "utf-8")
    assert load_replay(path).players is not None
    found = run_json("encounter", "explain", str(path), "--side", "dungeon")
    assert (found["player"], found["profile"]) == ("heuristic:aggressive", "aggressive")
    found = run_json("encounter", "explain", str(path), "--side", "dungeon", "--ai-dungeon", "nurturing")
    assert found["profile"] == "nurturing"
    assert run_json("encounter", "explain", str(path), "--side", "visitor")["player"] == "heuristic"


def test_other_players_may_be_asked(run_json: RunJson, game: Encounter) -> None:
    at = ("encounter", "explain", notation(before(game, 7)))
    side = run_json(*at)["side"]
    found = run_json(*at, f"--ai-{side}", "random")
    assert found["reason"] == f"any of {len(found['options'])}, each as likely"
    found = run_json(*at, f"--ai-{side}", "montecarlo@1")
    assert found["player"] == "montecarlo@1"


# --- how it looks -----------------------------------------------------------------------------------------------------


def test_the_table_has_the_sentence_the_options_and_the_notation(run: Run, game: Encounter) -> None:
    players = make_players(game.packed)
    for number in range(3, 31):
        found = explain(players, before(game, number))
        if found.kind == "turn" and len(found.plan) > 1:
            break
    shown = run("encounter", "explain", notation(game), "--at", str(number))
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0] == found.sentence()
    assert lines[-1] == notation(before(game, number))
    assert sum("▸" in line for line in lines) == 1
    assert f"▸  {found.chosen.text}" in shown.stdout
    assert all(option.text in shown.stdout for option in found.options)
    assert all(f"{step.text} ({step.role})" in shown.stdout for step in found.plan)


def parts_at(game: Encounter, number: int) -> set[str]:
    """The parts of the scores at a decision that have more than one."""
    options = explain(make_players(game.packed), before(game, number)).options
    return {name for option in options if len(option.parts) > 1 for name in option.parts}


def test_parts_have_columns_where_there_is_room(run: Run, game: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    number = max(range(3, 31), key=lambda number: len(parts_at(game, number)))
    parts = parts_at(game, number)
    assert len(parts) > 2
    for columns, in_head in (("200", True), ("70", False)):
        monkeypatch.setenv("COLUMNS", columns)
        shown = run("encounter", "explain", notation(game), "--at", str(number)).stdout
        head = next(line for line in shown.splitlines() if "option" in line and "score" in line)
        assert all((name in head) is in_head for name in parts)
        assert all(name in shown for name in parts)
        assert "…" not in shown


def test_a_choice_that_the_player_would_not_make_is_told(run: Run) -> None:
    fight = Encounter("boar", 3)
    players = make_players(fight.packed)
    while players.choose(fight) == fight.legal()[0]:
        fight.apply(fight.legal()[0])
    kept = fight.text_of(fight.legal()[0])
    side = fight.decision.side if fight.decision else ""
    number = len(fight.actions) + 1
    fight.apply(fight.legal()[0])
    shown = run("encounter", "explain", notation(fight), "--at", str(number)).stdout
    assert f"In the game the {side} chose otherwise: {kept}" in shown


def veiled() -> Encounter:
    """A visitor is asked about an Offer whose price it does not see."""
    for seed in range(20):
        fight = Encounter("symbiote", seed)
        players = make_players(fight.packed)
        while fight.decision is not None:
            if fight.decision.kind == "offer" and explain(players, fight).formula["veiled"]:
                return fight
            fight.apply(players.choose(fight))
    raise AssertionError("no veiled Offer")


def test_a_veiled_offer_shows_neither_name_nor_price(run: Run, run_json: RunJson) -> None:
    fight = veiled()
    card = fight.packed.cards[int(fight.state["flight"]["card"])]
    shown = run("encounter", "explain", notation(fight)).stdout
    assert "a veiled Offer" in shown
    assert "belief" in shown
    assert card.title not in shown
    assert card.id not in shown
    found = run_json("encounter", "explain", notation(fight))
    assert "cost" not in found["formula"]
    assert card.id not in json.dumps(found)


# --- starting and refusing --------------------------------------------------------------------------------------------


def test_a_process_of_its_own_explains_without_compiled_kernels(game: Encounter, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    environment["CARTOMANCER_CACHE_DIR"] = str(tmp_path)
    command = [*COMMAND, "encounter", "explain", notation(game), "--json"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["number"] == 31
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["boar"], "boar@SEED:INDEX"),
        (["boar@7:2", "--ai-dungeon", "nobody"], "nobody"),
        (["NOTATION", "--at", "32"], "31 decisions"),
        (["NOTATION", "--at", "0"], "Error"),
        (["NOTATION", "--at", "1", "--side", "visitor"], "visitor has not been asked"),
        (["encounter:boar"], "not a position"),
        (["nothing.json"], "nothing.json"),
    ],
)
def test_what_cannot_be_explained_is_refused(run: Run, game: Encounter, arguments: list[str], said: str) -> None:
    asked = [notation(game) if word == "NOTATION" else word for word in arguments]
    result = run("encounter", "explain", *asked)
    assert result.exit_code in {1, 2}
    assert said in result.output.replace("\n", "")
