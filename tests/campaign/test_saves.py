"""Saves: the same rest of the run from every choice; damage, forgery and the content of another day."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cartomancer.campaign.expedition import Expedition, explorer, load_run, read_run, save_run, write_run
from cartomancer.errors import ReplayError
from cartomancer.seals import sealed
from tests.campaign.conftest import COMPANY, FAMILIES, drawn


@pytest.mark.parametrize("name", FAMILIES)
def test_a_run_goes_on_from_every_save_as_it_would_have(name: str) -> None:
    run, who = Expedition(drawn(name, 3), COMPANY), explorer("balanced")
    while run.decision is not None:
        again, told = load_run(json.loads(json.dumps(save_run(run))))
        assert told == []
        assert again.observe() == run.observe()
        action = who.weigh(run)[0].option.action
        assert again.apply(action) == run.apply(action)
        assert save_run(again) == save_run(run)


def test_a_fight_goes_on_at_its_decision() -> None:
    run = Expedition(drawn("voyage:guide", 3), COMPANY).play(["go 0", "fight"])
    for _ in range(12):
        run.apply(run.legal()[-1].action)
    again, told = load_run(save_run(run))
    assert told == []
    assert again.fight is not None
    assert run.fight is not None
    assert again.fight.state_hash() == run.fight.state_hash()


def _saved() -> dict[str, Any]:
    return save_run(Expedition(drawn("voyage:guide", 3), COMPANY).play(["go 0", "settle"]))


def test_a_forged_save_is_refused() -> None:
    data = _saved() | {"gold": 9_999}
    with pytest.raises(ReplayError, match=r"digest .* does not fit the file"):
        load_run(data)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"gold": -5}, "gold"),
        ({"items": ["philosophers_stone"]}, "items = 'philosophers_stone' is not in the content"),
        ({"rival": {"state": "asleep", "heat": 0}}, "rival.state = 'asleep'"),
        ({"low_supplies": 7}, "low_supplies"),
        ({"stops": [{"kind": "nap", "data": {}}]}, "stops.kind = 'nap'"),
    ],
)
def test_a_save_that_says_what_cannot_be_is_refused_by_field(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(ReplayError) as refused:
        load_run(sealed(_saved() | change))
    assert fault in str(refused.value)


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(ReplayError) as refused:
        load_run(sealed(_saved() | {"items": ["a_crown"], "gear": {"a_sceptre": 0}}))
    assert len(refused.value.faults) == 2


def test_a_truncated_save_is_refused_and_the_file_stays(tmp_path: Path) -> None:
    place = tmp_path / "mine.run.json"
    write_run(Expedition(drawn("voyage:guide", 3), COMPANY), place)
    place.write_bytes(place.read_bytes()[:-200])
    cut = place.read_bytes()
    with pytest.raises(ReplayError, match="damaged or cut off"):
        read_run(place)
    assert place.read_bytes() == cut


@pytest.mark.parametrize(("content", "said"), [(b"[" * 100_000, "damaged or cut off"), (b"\xff\xfe", "cannot be read")])
def test_a_file_that_is_no_save_is_refused_in_words(tmp_path: Path, content: bytes, said: str) -> None:
    """As other saved files are: bounded, in UTF-8, and never nested without end."""
    place = tmp_path / "odd.run.json"
    place.write_bytes(content)
    with pytest.raises(ReplayError, match=said):
        read_run(place)


def test_what_differs_in_todays_content_is_named() -> None:
    data = _saved()
    _, told = load_run(sealed(data | {"content": "00000000"}))
    assert told
    assert "catalog has changed" in told[0]
