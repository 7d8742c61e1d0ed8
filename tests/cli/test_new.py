"""`map new` and `map show`: every family, preset, seed and format; what it refuses and how."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartomancer.content import preset_ids
from cartomancer.maps import families
from tests.cli.conftest import Run, strict_json

EVERY_PRESET = [(family, preset) for family in families.names() for preset in preset_ids(family)]
WANTED = {
    "voyage": {"guide", "sparse", "spire", "gentle", "brutal"},
    "contract": {
        "short",
        "standard",
        "power",
        "recovery_short",
        "recovery_standard",
        "rival_standard",
        "rival_extended",
    },
    "guardian": {"three_acts", "slice", "five_acts"},
}


def test_the_presets_that_the_documents_name_are_shipped() -> None:
    for family, names in WANTED.items():
        assert names <= set(preset_ids(family))


@pytest.mark.parametrize(("family", "preset"), EVERY_PRESET)
def test_every_preset_gives_a_map_in_the_published_shape(
    run_json: Callable[..., Any], family: str, preset: str
) -> None:
    data = run_json("map", "new", family, "--preset", preset, "--seed", "42")
    assert data["format"] == "cartomancer.map/1"
    assert (data["family"], data["preset"], data["seed"]) == (family, preset, 42)
    assert data["ruleset"]["digest"]
    assert min(node["row"] for node in data["nodes"]) == 1
    extra = {"contract": {"lane", "forced"}, "guardian": {"layer", "floor", "act", "guardian_id", "memory_id"}}
    for node in data["nodes"]:
        assert {"id", "row", "column", "type", "locked", *extra.get(family, ())} <= set(node)
        assert node["type"] in families.of(family).kinds
    ids = {node["id"] for node in data["nodes"]}
    assert all(len(edge) == 2 and set(edge) <= ids for edge in data["edges"])


@pytest.mark.parametrize(("family", "preset"), EVERY_PRESET)
def test_the_notation_of_a_map_gives_the_map_back(run: Run, family: str, preset: str) -> None:
    first = run("map", "new", family, "--preset", preset, "--seed", "7", "--json").stdout
    notation = json.loads(first)["notation"]
    assert notation.startswith(f"{family}:{preset}:7:")
    assert run("map", "new", notation, "--json").stdout == first
    assert run("map", "show", notation.rpartition(":")[0], "--json").stdout == first


@pytest.mark.parametrize("seed", ["0", "1", str(2**32), str(2**63), str(2**64 - 1)])
def test_any_unsigned_64_bit_number_is_a_seed(run: Run, seed: str) -> None:
    result = run("map", "new", "voyage", "--seed", seed, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["seed"] == int(seed)
    assert result.stderr == ""


@pytest.mark.parametrize("seed", ["a rainy night", "дождь ☃", "1.5", "0x10"])
def test_a_text_seed_is_hashed_and_its_number_shown(run: Run, seed: str) -> None:
    result = run("map", "new", "voyage", "--seed", seed, "--json")
    number = json.loads(result.stdout)["seed"]
    assert str(number) in result.stderr
    assert run("map", "new", "voyage", "--seed", str(number), "--json").stdout == result.stdout


@pytest.mark.parametrize("seed", ["-1", str(2**64), "", "   "])
def test_a_seed_outside_the_range_or_empty_is_wrong_usage(run: Run, seed: str) -> None:
    result = run("map", "new", "voyage", f"--seed={seed}")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "seed" in result.stderr


def test_a_seed_of_bytes_that_are_no_text_is_refused_without_a_traceback(run: Run) -> None:
    assert run("map", "new", "voyage", "--seed", "\udcff").exit_code in (0, 2)


def test_without_a_seed_the_drawn_one_is_shown(run: Run) -> None:
    result = run("map", "new", "voyage")
    notation = result.stdout.splitlines()[0].split(" · ")[-1]
    assert run("map", "show", notation).stdout == result.stdout


def test_a_drawn_seed_has_64_bits_of_the_system(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def urandom(count: int) -> bytes:
        asked.append(count)
        return b"\xfe" * count

    monkeypatch.setattr("cartomancer.cli.arguments.os.urandom", urandom)
    assert json.loads(run("map", "new", "voyage", "--json").stdout)["seed"] == int("fe" * 8, 16)
    assert asked == [8]


@pytest.mark.parametrize("format", ["json", "godot", "unity", "text", "svg", "dot", "mermaid", "graphml"])
def test_a_way_must_follow_the_edges_in_every_format(run: Run, format: str) -> None:
    good = run("map", "show", "guardian:slice:7", "--format", format, "--visited", "0")
    assert good.exit_code == 0
    assert good.stdout != run("map", "show", "guardian:slice:7", "--format", format).stdout
    for way in ("5", "0,5", "0,0"):
        result = run("map", "show", "guardian:slice:7", "--format", format, "--visited", way)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "cannot be entered" in result.stderr


def _is_png(data: bytes) -> None:
    assert data.startswith(b"\x89PNG")


def _is_json(data: bytes) -> None:
    strict_json(data.decode())


def _is_xml(data: bytes) -> None:
    ET.fromstring(data)


def _has(word: str) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        assert word in data.decode()

    return check


FORMATS: dict[str, Callable[[bytes], None]] = {
    "text": _has("boss"),
    "json": _is_json,
    "svg": _is_xml,
    "png": _is_png,
    "dot": _has("digraph"),
    "mermaid": _has("flowchart"),
    "graphml": _is_xml,
    "godot": _is_json,
    "tres": _has("[gd_resource"),
    "unity": _is_json,
}


@pytest.mark.parametrize("family", families.names())
@pytest.mark.parametrize("format", list(FORMATS))
def test_every_format_comes_out_of_every_family(run: Run, family: str, format: str) -> None:
    result = run("map", "new", family, "--seed", "3", "--format", format)
    assert result.exit_code == 0
    FORMATS[format](result.stdout_bytes)


@pytest.mark.parametrize(
    ("suffix", "format"),
    [
        ("json", "json"),
        ("svg", "svg"),
        ("png", "png"),
        ("dot", "dot"),
        ("mmd", "mermaid"),
        ("graphml", "graphml"),
        ("txt", "text"),
        ("tres", "tres"),
        ("godot.json", "godot"),
        ("Unity.JSON", "unity"),
        ("mermaid", "mermaid"),
        ("SVG", "svg"),
    ],
)
def test_the_suffix_of_the_output_file_decides_the_format(run: Run, tmp_path: Path, suffix: str, format: str) -> None:
    target = tmp_path / "not yet there" / f"map.{suffix}"
    result = run("map", "new", "voyage", "--seed", "3", "--parents", "--output", str(target))
    assert (result.exit_code, result.stdout) == (0, "")
    FORMATS[format](target.read_bytes())


def test_the_format_option_wins_over_the_suffix(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "map.txt"
    run("map", "new", "voyage", "--seed", "3", "--format", "unity", "--output", str(target))
    _is_json(target.read_bytes())


def test_a_file_that_cannot_be_written_is_named_without_a_traceback(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for target in (tmp_path / "file" / "map.svg", tmp_path):
        result = run("map", "new", "voyage", "--seed", "3", "--format", "svg", "--output", str(target))
        assert result.exit_code in (1, 2)
        assert str(target) in result.stderr.replace("\n", "")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["voyage", "--rows", "2"], ["rows", "3"]),
        (["voyage", "--rows", "41"], ["rows", "40"]),
        (["voyage", "--columns", "10"], ["columns", "9"]),
        (["voyage", "--paths", "1"], ["paths", "2"]),
        (["voyage", "--rows", "3", "--columns", "3", "--paths", "6"], ["paths", "columns", "voyage.paths"]),
        (["guardian", "--players", "5"], ["players", "4"]),
        (["guardian", "--preset", "slice", "--set", "layer_count=13"], ["layer_count", "12"]),
        (["guardian", "--preset", "slice", "--set", "rest_weight=41"], ["rest_weight", "40"]),
        (["contract", "--preset", "power", "--set", "at_most.elite=1"], ["elite", "contract.requirement"]),
        (["contract", "--preset", "standard", "--set", "at_most.event=0"], ["event", "contract.requirement"]),
        (["contract", "--set", "at_most.elite=-1"], ["at_most"]),
        (["contract", "--set", "at_most.elite=300"], ["at_most"]),
        (["contract", "--heat", "purple"], ["heat", "low, high"]),
        (["contract", "--rival", "nobody"], ["rival", "wary"]),
        (["contract", "--hooks", "hunger"], ["hook", "injury"]),
        (["voyage", "--preset", "guied"], ["guide"]),
        (["voiage"], ["voyage", "contract", "guardian"]),
        (["voyage:guide:42:00000000"], ["digest"]),
        (["voyage", "--set", "rows"], ["field=value"]),
        (["voyage", "--set", "unknown=5", "--set", "unknown.base_shop=0.5"], ["unknown"]),
        (["contract:standard[heat=5]:1"], ["heat"]),
        (["voyage", "--theme", "neon", "--format", "svg"], ["parchment", "night"]),
    ],
)
def test_what_cannot_be_is_refused_as_wrong_usage_and_names_the_field(
    run: Run, options: list[str], words: list[str]
) -> None:
    result = run("map", "new", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    said = " ".join(result.stderr.split())
    assert all(word in said for word in words), said


def test_options_beside_a_notation_are_never_ignored(run: Run) -> None:
    plain = run("map", "new", "voyage:guide:42")
    changed = run("map", "new", "voyage:guide:42", "--seed", "7")
    assert changed.exit_code == 2 or changed.stdout != plain.stdout


def test_a_notation_with_list_overrides_can_be_read_again(run: Run) -> None:
    ban = 'row_bans=[{"types":["port"],"first":1,"last":5}]'
    first = run("map", "new", "voyage", "--seed", "1", "--set", ban, "--json").stdout
    again = run("map", "new", json.loads(first)["notation"], "--json")
    assert (again.exit_code, again.stdout) == (0, first)


def test_the_public_half_hides_the_seed_and_what_was_rolled(run: Run) -> None:
    for family in families.names():
        for format in ("json", "unity", "godot", "svg", "graphml"):
            seen = run("map", "new", family, "--seed", "987654321", "--public", "--format", format).stdout
            assert "987654321" not in seen
            assert '"trapped": t' not in seen
            assert '"enemies"' not in seen


def test_path_scope_guarantees_hold_on_every_map(run: Run, tmp_path: Path) -> None:
    """M7: with guarantee_scope = path the checker must find nothing, on 40 maps of each template."""
    for preset in sorted(WANTED["contract"]):
        options = ["--set", "guarantee_scope=path", "--maps", "40", "--json"]
        result = run("map", "audit", "contract", "--preset", preset, *options)
        assert result.exit_code == 0, json.loads(result.stdout)["violations"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["row = 5", "colums = 3"], ["rows", "columns", "2 fault(s)"]),
        (['rows = "many"', "columns = [1]", "treasure = 5"], ["rows", "columns", "treasure", "3 fault(s)"]),
        (["rows = 100000000000000000000000000"], ["rows", "40"]),
        (["[unknown]", "base_battle = nan"], ["unknown.base_battle"]),
        (["[[bands]]", 'name = "all"', "until_percent = 100", "odds = {}"], ["odds", "2, 3"]),
        (["[[bands]]", 'name = "all"', "until_percent = 100", "odds = { elite = 1 }"], ["odds", "elite"]),
        (["[[bands]]", 'name = "all"', "until_percent = 50", "odds = { monster = 1 }"], ["until_percent", "100"]),
        (["rows = "], ["TOML"]),
        (["rows = 2020-01-01"], ["rows"]),
        (["rows = " + "9" * 5000], ["mine.toml"]),
        (["rows = " + "[" * 5000 + "]" * 5000], ["mine.toml"]),
    ],
)
def test_a_designers_mistakes_are_all_named(
    run: Run, preset_file: Callable[..., str], lines: list[str], words: list[str]
) -> None:
    path = preset_file(*lines)
    for as_json in ([], ["--json"]):
        result = run("map", "new", "voyage", "--seed", "1", "--preset", path, *as_json)
        assert (result.exit_code, result.stdout) == (2, "")
        assert all(word in result.stderr for word in words), result.stderr
    checked = run("content", "check", path, "--json")
    assert checked.exit_code == 1
    assert strict_json(checked.stdout)["faults"]


def test_presets_that_extend_each_other_in_a_circle_are_refused(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "presets"
    folder.mkdir()
    for name, parent in (("a", "b.toml"), ("b", "a.toml"), ("c", "../presets/c.toml")):
        (folder / f"{name}.toml").write_text(
            f'id = "x"\nfamily = "voyage"\ntitle = "X"\nextends = "{parent}"\n', encoding="utf-8"
        )
    for name in ("a", "c"):
        result = run("map", "new", "voyage", "--seed", "1", "--preset", str(folder / f"{name}.toml"))
        assert result.exit_code == 2
        assert "circle" in result.stderr


def test_a_preset_of_another_family_and_a_missing_one_are_refused(
    run: Run, preset_file: Callable[..., str], tmp_path: Path
) -> None:
    wrong = run("map", "new", "voyage", "--preset", preset_file(family="guardian", extends="three_acts"))
    assert wrong.exit_code == 2
    assert "guardian" in wrong.stderr
    missing = run("map", "new", "voyage", "--preset", str(tmp_path / "none.toml"))
    assert missing.exit_code == 2
    assert "none.toml" in missing.stderr.replace("\n", "")


def test_a_single_treasure_on_rows_that_ban_treasure_is_refused(run: Run, preset_file: Callable[..., str]) -> None:
    ban = 'row_bans = [{ types = ["treasure"], first = 1, last = 40 }]'
    result = run("map", "new", "voyage", "--seed", "1", "--preset", preset_file(ban, extends="sparse"))
    assert result.exit_code == 2
    assert "treasure" in result.stderr


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("guarantees", [{"types": ["event"], "steps": [1, 3], "then_step": 4, "becomes": "elite"}]),
        ("guarantees", [{"types": ["event"], "steps": [1, 3], "then_step": 7, "becomes": "event"}]),
        ("relief", {"after_step": 3, "after": "combat", "step": 4, "types": ["elite"]}),
    ],
)
def test_a_contract_rule_that_contradicts_the_step_tables_is_refused(run: Run, field: str, value: Any) -> None:
    """Forcing a type that the step's table does not know would break the table's own rule on every such map."""
    result = run("map", "audit", "contract", "--maps", "60", "--set", f"{field}={json.dumps(value)}", "--json")
    assert result.exit_code == 2, result.stdout[:300]
    assert field in result.stderr


# --- telemetry, rules that came later ---------------------------------------------------------------------------------


def test_a_new_map_tells_its_telemetry(run: Run, run_json: Callable[..., Any], tmp_path: Path) -> None:
    plain = run_json("map", "new", "voyage", "--seed", "8")
    found = run_json("map", "new", "voyage", "--seed", "8", "--telemetry")
    told = found["telemetry"]
    assert found["map"] == plain
    assert told["seed"] == told["unknown_seed"] == 8
    counts = {kind: sum(node["type"] == kind for node in plain["nodes"]) for kind in families.of("voyage").kinds}
    assert told["counts"] == {kind: count for kind, count in counts.items() if count}
    rerolls = [run_json("map", "explain", "voyage:guide:8", "--node", str(n["id"]))["rerolls"] for n in plain["nodes"]]
    assert told["rerolls"] == sum(rerolls) > 0
    assert (told["violations"], told["resolves"]) == ([], [])
    said = run("map", "new", "voyage", "--seed", "8", "--telemetry").stdout
    assert said.startswith(run("map", "new", "voyage", "--seed", "8").stdout)
    assert f"{told['rerolls']} of {told['rolls']} rolls banned and rolled again" in said
    target = tmp_path / "map.svg"
    apart = run("map", "new", "voyage", "--seed", "8", "--telemetry", "--output", str(target))
    assert said.endswith(apart.stdout)
    assert target.read_text(encoding="utf-8").startswith("<svg")


def test_the_telemetry_of_a_way_tells_the_pity_at_each_resolve(run_json: Callable[..., Any]) -> None:
    walked = run_json("map", "walk", "voyage:guide:42", "--sample", "3", "--telemetry")
    way = ",".join(map(str, walked["visited"]))
    found = run_json("map", "new", "voyage:guide:42", "--visited", way, "--telemetry")
    assert found["telemetry"] == walked["telemetry"][0]
    assert found["map"]["visited"] == walked["visited"]
    assert {str(one["node"]): one["outcome"] for one in found["telemetry"]["resolves"]} == walked["resolved"]


@pytest.mark.parametrize("options", [["--format", "svg"], ["--public"]])
def test_telemetry_that_has_no_place_is_wrong_usage(run: Run, options: list[str]) -> None:
    result = run("map", "new", "voyage", "--seed", "8", "--telemetry", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "telemetry" in result.stderr


def test_rules_that_came_later_are_reached_by_file_option_and_notation(
    run_json: Callable[..., Any], preset_file: Callable[..., str], tmp_path: Path
) -> None:
    mine = preset_file("repair_attempts = 3", "[unknown]", "ignore_adjacency = false")
    options = ["--set", "repair_attempts=3", "--set", "unknown.ignore_adjacency=false"]
    notation = "voyage:guide[repair_attempts=3,unknown.ignore_adjacency=false]:8"
    by_file = run_json("map", "new", "voyage", "--seed", "8", "--preset", mine)
    by_option = run_json("map", "new", "voyage", "--seed", "8", *options)
    by_notation = run_json("map", "new", notation)
    for data in (by_file, by_option, by_notation):
        fields = data["ruleset"]["fields"]
        assert (fields["repair_attempts"], fields["unknown"]["ignore_adjacency"]) == (3, False)
        path = tmp_path / "map.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        assert run_json("map", "check", str(path))["ok"]
    plain = run_json("map", "new", "voyage", "--seed", "8")
    assert by_option["ruleset"]["digest"] == by_notation["ruleset"]["digest"] != plain["ruleset"]["digest"]
    assert not {"repair_attempts"} & set(plain["ruleset"]["fields"])
    shown = run_json("map", "rules", "voyage")["fields"]
    assert (shown["repair_attempts"], shown["unknown"]["ignore_adjacency"]) == (64, True)
