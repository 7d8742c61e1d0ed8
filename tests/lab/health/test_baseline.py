"""Baselines are kept whole, read as they were written, continued, and refused when damaged."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cartomancer.content.codex import load_codex
from cartomancer.errors import CartomancerError, KeptFileError
from cartomancer.lab.health import baseline as bl
from cartomancer.lab.health.baseline import Baseline
from cartomancer.players.policies import PlayerSpec, player_spec
from cartomancer.players.simulation import simulate

MATCH = "match:knight-battlemage-cleric-rogue/root_hollow-veil_breach"
NAMES = ("boar", "symbiote", MATCH)


def made(runs: int = 40, names: tuple[str, ...] = NAMES, seed: int = 7, player: str = "heuristic") -> Baseline:
    codex = load_codex()
    planned = bl.plan("mine", codex, names, runs, seed, player_spec(player, "dungeon"), PlayerSpec())
    return bl.played(planned, codex)


def equal(one: Baseline, other: Baseline) -> bool:
    heads = [replace(baseline, facts={}) for baseline in (one, other)]
    return heads[0] == heads[1] and all(np.array_equal(one.facts[fact], other.facts[fact]) for fact in bl.FACTS)


def test_a_baseline_holds_the_runs_that_simulate_plays() -> None:
    found = made()
    assert found.finished
    assert found.scenarios == NAMES
    for place, name in enumerate(NAMES):
        rows = simulate(name, 40, seed=7).rows
        for fact in bl.FACTS:
            assert np.array_equal(found.facts[fact][place], rows[fact])


def test_a_baseline_remembers_its_players() -> None:
    found = made(names=("boar",), player="nurturing")
    rows = simulate("boar", 40, seed=7, dungeon=player_spec("nurturing", "dungeon")).rows
    assert np.array_equal(found.facts["outcome"][0], rows["outcome"])
    assert found.players == ("heuristic:nurturing", "heuristic")


def test_a_match_of_the_matrix_has_the_fingerprint_of_its_scenario() -> None:
    """Cells are put together from pieces; the fingerprint must be that of the scenario packed by itself."""
    codex = load_codex()
    preparation = bl.Preparation(codex, (PlayerSpec(), PlayerSpec()))
    assert preparation._cell(MATCH) is not None
    whole = bl.Preparation(codex, (PlayerSpec(), PlayerSpec()))
    whole._cell = lambda name: None  # type: ignore[method-assign]
    assert preparation.prepare(MATCH).fingerprint == whole.prepare(MATCH).fingerprint
    other_seats = "match:rogue-cleric-battlemage-knight/root_hollow-veil_breach"
    assert preparation._cell(other_seats) is None
    assert preparation.prepare(other_seats).fingerprint != preparation.prepare(MATCH).fingerprint


def test_a_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    found = made()
    path = bl.write_baseline(found, tmp_path / "new")
    assert path == tmp_path / "new" / "mine.json"
    assert equal(bl.read_baseline(tmp_path / "new", "mine"), found)
    assert bl.baseline_names(tmp_path / "new") == ["mine"]
    assert [file.name for file in path.parent.iterdir()] == ["mine.json"]


def test_an_unfinished_baseline_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codex, planned = load_codex(), bl.plan("mine", load_codex(), NAMES, 40, 7)

    def interrupt(done: int) -> None:
        if done >= 40:
            raise KeyboardInterrupt

    half = bl.played(planned, codex, interrupt)
    assert half.scenarios == NAMES[:1]
    assert not half.finished
    bl.write_baseline(half, tmp_path)
    stored = bl.read_baseline(tmp_path, "mine")
    assert bl.continues(stored, planned)
    assert not bl.continues(stored, bl.plan("mine", codex, NAMES, 41, 7))
    assert not bl.continues(made(), planned)  # a finished one is not gone on with
    counted: list[int] = []
    whole = bl.played(stored, codex, counted.append)
    assert counted == [80, 120]
    assert equal(whole, made())


def test_a_damaged_baseline_is_refused_with_every_fault(tmp_path: Path) -> None:
    path = bl.write_baseline(made(runs=5), tmp_path)
    text, whole = path.read_text(), json.loads(path.read_text())
    short = {**whole["facts"], "outcome": whole["facts"]["outcome"][:-5], "rounds": ""}
    entries = {**whole["entries"], "cards:new": {}}
    for broken, fields in (
        (text[:-100], {"file"}),
        ("[]", {"file"}),
        (json.dumps(whole | {"facts": short}), {"facts.outcome", "facts.rounds", "digest"}),
        (json.dumps(whole | {"entries": entries}), {"content", "digest"}),
        (json.dumps(whole | {"wanted": ["boar"], "seed": -1}), {"fingerprints", "seed", "digest"}),
        (json.dumps(whole | {"format": 99, "players": ["first"]}), {"format", "players", "digest"}),
        (json.dumps(whole | {"seed": whole["seed"] + 1}), {"digest"}),
    ):
        path.write_text(broken)
        with pytest.raises(KeptFileError, match=r"mine\.json: not a baseline") as caught:
            bl.read_baseline(tmp_path, "mine")
        assert {fault.field for fault in caught.value.faults} == fields
    path.write_text("{}")
    with pytest.raises(KeptFileError, match="kernel is missing"):
        bl.read_baseline(tmp_path, "mine")


def test_a_baseline_from_before_digests_is_read(tmp_path: Path) -> None:
    path = bl.write_baseline(made(runs=5), tmp_path)
    old = {key: value for key, value in json.loads(path.read_text()).items() if key != "digest"}
    path.write_text(json.dumps(old))
    assert equal(bl.read_baseline(tmp_path, "mine"), made(runs=5))


def test_bad_plans_are_refused(tmp_path: Path) -> None:
    codex = load_codex()
    for name, scenarios, runs in (("a/b", ["boar"], 5), ("x", [], 5), ("x", ["boar"], 0), ("x", ["nowhere"], 5)):
        with pytest.raises(CartomancerError):
            bl.plan(name, codex, scenarios, runs)
    with pytest.raises(CartomancerError, match="unknown baseline 'nothing': known: "):
        bl.read_baseline(tmp_path, "nothing")
