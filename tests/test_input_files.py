"""Files that others wrote are read in one way; their texts never steer a terminal."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cartomancer.cli import output
from cartomancer.content.toml_files import LONGEST_KEY, MOST_TOML, read_toml
from cartomancer.encounters import load_replay
from cartomancer.errors import CartomancerError, ContentError, MapFileError, ReplayError
from cartomancer.input_files import DEEPEST, MOST_BYTES, InputFileError, printable, read_input, text_faults
from cartomancer.maps import read_map
from cartomancer.maps.json_format import from_json

HIDDEN = [
    "\x1b[31m",
    "\x07",
    "\x9b",
    "\u202e",
    "\u2066",
    "\u200b",
    "\u2028",
    "\ufeff",
    "\r",
    "\x00",
    "\ud800",
    "\U000e0041",
]


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "bom.toml"
    path.write_bytes(b"\xef\xbb\xbfrows = 3\n")
    assert read_toml(path) == {"rows": 3}
    assert read_input(path) == "rows = 3\n"


@pytest.mark.parametrize("read", [read_input, read_toml, read_map, load_replay])
def test_pipes_devices_and_folders_are_refused_and_not_waited_for(
    tmp_path: Path, read: Callable[[Path], object]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, what in ((tmp_path / "pipe", "a pipe"), (Path("/dev/zero"), "a device"), (tmp_path, "a folder")):
        with pytest.raises(CartomancerError, match=what):
            read(path)


@pytest.mark.parametrize(("read", "most"), [(read_input, MOST_BYTES), (read_toml, MOST_TOML), (read_map, MOST_BYTES)])
def test_a_file_has_a_bounded_size(tmp_path: Path, read: Callable[[Path], object], most: int) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(most + 1)
    with pytest.raises(CartomancerError, match=f"too large.*at most {most:,}"):
        read(path)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes("title = 'Höhle'".encode("latin-1"))
    with pytest.raises(InputFileError, match="UTF-8"):
        read_input(path)


@pytest.mark.parametrize("part", ["a", '"a"', "'a'", "a "])
@pytest.mark.parametrize("form", ["{} = 1", "[{}]", "[[{}]]", "x = {{ {} = 1 }}"])
def test_a_key_of_very_many_parts_is_refused_before_it_is_parsed(tmp_path: Path, part: str, form: str) -> None:
    path = tmp_path / "bomb.toml"
    path.write_text(form.format(".".join([part] * 300_000)))
    with pytest.raises(ContentError, match=f"more than {LONGEST_KEY} dots"):
        read_toml(path)
    path.write_text(form.format(".".join([part] * LONGEST_KEY)))
    read_toml(path)


@pytest.mark.parametrize("text", ["a" * 1_000_000, '"' * 1_000_001, "a " * 500_000, "a" + " " * 1_000_000])
def test_the_look_for_long_keys_takes_no_longer_than_the_file_is_long(tmp_path: Path, text: str) -> None:
    path = tmp_path / "long.toml"
    path.write_text(text)
    with pytest.raises(ContentError):
        read_toml(path)


def test_what_lies_too_deep_is_refused() -> None:
    deep = json.loads("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1))
    assert [fault.problem for fault in text_faults(deep)] == ["lies too deep"]
    assert not list(text_faults(deep[0]))


@pytest.mark.parametrize("hidden", [*HIDDEN, "\n", "\t"])
def test_texts_that_cannot_be_shown_are_faults_of_the_field(hidden: str) -> None:
    (fault,) = text_faults({"acts": [{"title": "fine"}, {"title": f"a{hidden}b"}]})
    assert fault.field == "acts[2].title"
    assert printable(str(fault)) == str(fault)
    assert [fault.field for fault in text_faults({"x": {f"a{hidden}": 1}})] == ["x: key"]


@pytest.mark.parametrize("text", ["Höhle der Wölfe", "洞窟", "👩‍🚀", "a b", "مرحبا", "…–’"])
def test_texts_of_any_script_can_be_shown(text: str) -> None:
    assert not list(text_faults({"title": text}))
    assert printable(text) == text


@pytest.mark.parametrize("hidden", HIDDEN)
def test_nothing_printed_steers_the_terminal(hidden: str, capsys: pytest.CaptureFixture[str]) -> None:
    foreign = f"a{hidden}b"
    output.say(foreign)
    output.note(foreign)
    output.show(output.table(foreign, [foreign], [[foreign]]))
    output.print_json({foreign: foreign})
    output.print_error(CartomancerError(foreign))
    shown = "".join(capsys.readouterr())
    assert hidden not in shown
    assert "\\u" in shown or hidden == "\r"  # which is left out
    assert json.loads(output.strict_json({foreign: 1})) == {foreign: 1}


def test_a_map_or_replay_with_hidden_texts_is_refused_by_field(tmp_path: Path) -> None:
    with pytest.raises(MapFileError, match=r"preset = .* cannot be shown"):
        from_json(json.dumps({"preset": "\u202egnp"}))
    path = tmp_path / "replay.json"
    path.write_text(json.dumps({"players": {"dungeon": "\x1b]0;x\x07"}}))
    with pytest.raises(ReplayError, match=r"players\.dungeon = .* cannot be shown"):
        load_replay(path)
