"""Damaged maps, saves, replays and kept files are refused in words; what is read is what it says."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import given

from cartomancer import maps
from cartomancer.content import load_preset
from cartomancer.content.codex import load_codex
from cartomancer.content.kept_files import kept_bytes
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.replay import Replay, load_replay, play_replay, read_replay, record
from cartomancer.lab.health import baseline as bl
from cartomancer.maps.searching import SearchState
from cartomancer.seals import sealed
from tests.fuzz.mutations import as_file, damaged_data, damaged_texts, fuzzed, refused_in_words

DRAWN = [maps.generate(family, seed=5) for family in ("voyage", "contract", "guardian")]
MAPS = [maps.to_dict(one) for one in (*DRAWN, maps.public_view(DRAWN[0]))]
STATE = SearchState(job="voyage:guide:1 start 3", start=3, looked_at=9, hits=[4, 8], closest_seed=4, closest_distance=0)
AUDIT = maps.audit(load_preset("contract", "short"), "short", 2)


@cache
def journeys() -> list[dict[str, Any]]:
    """At the start, farther on, and with an outcome that is forced."""
    found = []
    for drawn in DRAWN:
        journey = maps.Journey(drawn, ("host", "guest"))
        found.append(journey.save())
        while len(journey.visited) < 6 and not journey.over:
            journey = journey.select("host", journey.available()[0].id)
        found.append(journey.save())
    return [*found, maps.Journey(DRAWN[0]).force_next("shop").save()]


@cache
def replays() -> list[dict[str, Any]]:
    found = []
    for scenario, players in (("boar", None), ("symbiote", {"dungeon": "random", "visitor": "person"})):
        fight = Encounter(scenario, 3)
        for _ in range(8):
            fight.apply(fight.legal()[-1])
        found.append(record(fight, players).as_dict())
    return found


def read_map(text: str) -> maps.Map:
    """The map of a file, looked at and drawn as commands do."""
    drawn = maps.from_json(text)
    maps.check(drawn)
    maps.to_text(drawn)
    return drawn


@fuzzed
@given(damaged_data(MAPS))
def test_a_damaged_map_is_refused_or_is_written_as_it_was_read(data: Any) -> None:
    drawn = refused_in_words(lambda: read_map(as_file(data)))
    assert drawn is None or maps.from_json(maps.to_json(drawn)) == drawn


@fuzzed
@given(damaged_texts([as_file(data) for data in MAPS]))
def test_a_map_file_of_damaged_bytes_is_refused_or_is_a_map(text: str) -> None:
    drawn = refused_in_words(lambda: read_map(text))
    assert drawn is None or maps.from_json(maps.to_json(drawn)) == drawn


@fuzzed
@given(damaged_data(journeys()))
def test_a_damaged_journey_is_refused_or_is_saved_as_it_was_read(data: Any) -> None:
    journey = refused_in_words(lambda: maps.Journey.load(json.loads(as_file(data))))
    assert journey is None or maps.Journey.load(journey.save()) == journey


@fuzzed
@given(damaged_texts([as_file(data) for data in (*journeys(), *replays())]))
def test_a_save_of_damaged_bytes_is_refused_or_is_what_was_saved(tmp_path: Path, text: str) -> None:
    path = tmp_path / "save.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    journey = refused_in_words(lambda: maps.read_journey(path))
    assert journey is None or maps.Journey.load(journey.save()) == journey
    replay = refused_in_words(lambda: load_replay(path))
    assert replay is None or replay.as_dict() in replays()


@fuzzed
@given(damaged_data(replays()))
def test_a_damaged_replay_is_refused_or_is_the_same(data: Any) -> None:
    replay = refused_in_words(lambda: read_replay(as_file(data)))
    assert replay is None or replay.as_dict() in replays()


def played(data: Any) -> tuple[Replay, Encounter]:
    replay = read_replay(as_file(sealed(data)))
    return replay, play_replay(replay)


@fuzzed
@given(damaged_data(replays()))
def test_a_forged_replay_is_refused_or_comes_out_as_it_says(data: Any) -> None:
    if isinstance(data, dict) and (found := refused_in_words(lambda: played(data))):
        replay, fight = found
        assert record(fight, replay.players) == replay


# --- what commands keep -----------------------------------------------------------------------------------------------


def plain_of(data: bytes) -> Any:
    return json.loads(data)


CHECKPOINT = plain_of(kept_bytes(STATE.model_dump(exclude={"digest"})))


@cache
def baseline() -> dict[str, Any]:
    planned = bl.plan("mine", load_codex(), ["boar"], 3)
    planned = replace(planned, entries=dict([*planned.entries.items()][:3]))
    head = {"format": bl.FORMAT, "content": planned.content} | vars(planned)
    return plain_of(kept_bytes(head | {"facts": {name: bl._packed(planned.facts[name]) for name in bl.FACTS}}))


def same_or_refused(read: Any, data: Any, good: dict[str, Any]) -> None:
    """A file with a digest is read only as it was written; without one it is an old file, and a right one."""
    if refused_in_words(read) is not None and "digest" in data:
        assert data == good


@fuzzed
@given(damaged_data([CHECKPOINT]))
def test_a_damaged_checkpoint_is_refused_or_is_the_same(tmp_path: Path, data: Any) -> None:
    path = tmp_path / "search.json"
    path.write_text(as_file(data))
    same_or_refused(lambda: SearchState.load(path, STATE.job), data, CHECKPOINT)


@fuzzed
@given(damaged_data([AUDIT]))
def test_a_damaged_audit_is_refused_or_is_the_same(tmp_path: Path, data: Any) -> None:
    path = tmp_path / "audit.json"
    path.write_text(as_file(data))
    same_or_refused(lambda: maps.compare(maps.read_audit(path), AUDIT), data, AUDIT)


@fuzzed
@given(damaged_data([baseline()]))
def test_a_damaged_baseline_is_refused_or_is_the_same(tmp_path: Path, data: Any) -> None:
    (tmp_path / "mine.json").write_text(as_file(data))
    same_or_refused(lambda: bl.read_baseline(tmp_path, "mine"), data, baseline())
