"""`map check` and `map repair`: every fault of a damaged file, by coordinates; only offenders are retyped."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartomancer import codes
from cartomancer.maps import families
from cartomancer.rng import Stream
from tests.cli.conftest import Run, strict_json

MapFile = Callable[..., Path]
Change = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize("family", families.names())
def test_a_generated_map_passes_as_file_and_as_notation(run: Run, map_file: MapFile, family: str) -> None:
    path = map_file(family)
    for source in (str(path), json.loads(path.read_text())["notation"]):
        result = run("map", "check", source)
        assert result.exit_code == 0
        assert "every rule holds" in result.stdout


def test_a_broken_rule_is_named_with_its_id_and_coordinates(
    run: Run, run_json: Callable[..., Any], map_file: MapFile
) -> None:
    def break_it(data: dict[str, Any]) -> None:
        node = next(node for node in data["nodes"] if node["row"] == 2)
        node["type"] = "elite"

    path = map_file("voyage", change=break_it)
    found = run_json("map", "check", str(path), code=1)
    [first] = [entry for entry in found["violations"] if entry["rule"] == "voyage.elite-unlock"]
    assert first["nodes"][0]["row"] == 2
    assert not found["ok"]
    text = run("map", "check", str(path)).stdout
    assert "row 2, column" in text
    assert "[voyage.elite-unlock]" in text


DAMAGE: dict[str, tuple[Change, str]] = {
    "no boss": (lambda d: d["nodes"].pop(), "row 15"),
    "id used twice": (lambda d: d["nodes"].append(dict(d["nodes"][3])), "used twice"),
    "an edge backwards": (lambda d: d["edges"].append(d["edges"][5][::-1]), "leads from row"),
    "an edge to nowhere": (lambda d: d["edges"].append([0, 999]), "999"),
    "a family nobody knows": (lambda d: d.update(family="dungeon"), "voyage, contract, guardian"),
    "another format": (lambda d: d.update(format="cartomancer.map/9"), "cartomancer.map/1"),
    "a type of another family": (lambda d: d["nodes"][9].update(type="shrine"), "is not a voyage type"),
    "a type that is a list": (lambda d: d["nodes"][9].update(type=[1]), "nodes[9].type"),
    "forced by a list": (lambda d: d["nodes"][9].update(forced=[1]), "nodes[9].forced"),
    "a row that is not a number": (lambda d: d["nodes"][9].update(row=float("nan")), "nodes[9].row"),
    "a seed that is not a number": (lambda d: d.update(seed=float("inf")), "seed"),
    "an edge of halves": (lambda d: d["edges"].append([0.5, float("nan")]), "pair of node ids"),
    "nodes that are text": (lambda d: d.update(nodes="all of them"), "nodes"),
    "no edges at all": (lambda d: d.pop("edges"), "edges"),
    "no ruleset": (lambda d: d.pop("ruleset"), "ruleset"),
    "a ruleset of another rule": (lambda d: d["ruleset"]["fields"].update(rerolls=9), "ruleset.digest"),
    "a ruleset that cannot be": (lambda d: d["ruleset"]["fields"].update(rows=2), "rows"),
    "half a character": (lambda d: d["edges"].append("\ud800"), "pair of node ids"),
}


@pytest.mark.parametrize("damage", list(DAMAGE))
def test_damage_is_named_and_the_exit_code_is_1(run: Run, map_file: MapFile, damage: str) -> None:
    change, word = DAMAGE[damage]
    path = map_file("voyage", change=change)
    for command in ("check", "repair", "analyse", "show"):
        result = run("map", command, str(path))
        assert result.exit_code == 1, (command, result.output)
        assert word in " ".join(result.output.split())


@pytest.mark.parametrize("damage", list(DAMAGE))
def test_damage_in_json_is_strict_json_with_a_list_of_faults(run: Run, map_file: MapFile, damage: str) -> None:
    result = run("map", "check", str(map_file("voyage", change=DAMAGE[damage][0])), "--json")
    assert result.exit_code == 1
    assert strict_json(result.stdout or result.stderr)["faults"]


def test_every_fault_is_listed_at_once(run: Run, map_file: MapFile) -> None:
    def damage(data: dict[str, Any]) -> None:
        data["seed"] = -1
        data["nodes"][2]["type"] = "shrine"
        data["nodes"][3]["row"] = 99
        data["edges"].append([0, 999])

    said = run("map", "check", str(map_file("voyage", change=damage))).output
    assert all(field in said for field in ("seed", "nodes[2].type", "nodes[3].row", "999"))


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{}", '{"format": "cartomancer.map/1"', "[" * 50_000, '{"seed": ' + "9" * 5000 + "}"]
)
def test_a_file_that_is_no_map_gets_exit_code_1(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "map.json"
    path.write_text(text)
    assert run("map", "check", str(path)).exit_code == 1


def test_bytes_that_are_no_text_and_a_missing_file_get_exit_code_1(run: Run, tmp_path: Path) -> None:
    (tmp_path / "map.json").write_bytes(b"\xff\xfe\x00")
    for name in ("map.json", "none.json"):
        result = run("map", "check", str(tmp_path / name))
        assert result.exit_code == 1
        assert name in result.stderr.replace("\n", "")


def test_no_damage_of_any_field_ends_in_a_traceback(run: Run, map_file: MapFile) -> None:
    """Every kind of value in the place of every tenth field of a map file of each family."""
    junk: list[Any] = [None, True, -1, 10**30, 1.5, "", "boss", [], [[]], {}, {"a": 1}]
    for family in families.names():
        path = map_file(family)
        whole = json.loads(path.read_text())
        for index, place in enumerate(list(_places(whole))[::10]):
            data = copy.deepcopy(whole)
            inside = data
            for step in place[:-1]:
                inside = inside[step]
            inside[place[-1]] = junk[index % len(junk)]
            path.write_text(json.dumps(data))
            assert run("map", "check", str(path)).exit_code in (0, 1), place


def _places(value: Any, before: tuple[Any, ...] = ()) -> Any:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield (*before, key)
        yield from _places(inner, (*before, key))


def test_a_situation_with_unknown_names_is_a_fault_of_the_file(run: Run, map_file: MapFile) -> None:
    for change in ({"rival_state": "nobody"}, {"hooks": ["hunger"]}):
        path = map_file("contract", change=lambda data, change=change: data["situation"].update(change))
        for command in ("check", "repair"):
            result = run("map", command, str(path))
            assert result.exit_code == 1, (command, result.output)
            assert next(iter(change)) in result.output


@pytest.mark.parametrize(
    ("field", "value"), [("encounter", None), ("act", 9), ("layer", 77), ("guardian_id", "nobody"), ("floor", 3)]
)
def test_guardian_nodes_that_contradict_themselves_are_faults(
    run: Run, map_file: MapFile, field: str, value: Any
) -> None:
    path = map_file("guardian", change=lambda data: data["nodes"][0].update({field: value}))
    result = run("map", "check", str(path))
    assert result.exit_code == 1
    assert field in result.output


def test_a_waiver_forgives_nothing_but_a_monster_on_a_free_row(run: Run, map_file: MapFile) -> None:
    def excuse_everything(data: dict[str, Any]) -> None:
        for node in data["nodes"][:-1]:
            node.update(waived=True, type="elite")

    assert run("map", "check", str(map_file("voyage", change=excuse_everything))).exit_code == 1


def retyped(data: dict[str, Any]) -> None:
    """Give every unlocked node of row 2 the type that its row may not have."""
    for node in data["nodes"]:
        if node["row"] == 2 and not node["locked"]:
            node["type"] = "elite"


def test_repair_mends_offenders_says_what_changed_and_writes_only_with_output(
    run: Run, run_json: Callable[..., Any], map_file: MapFile, tmp_path: Path
) -> None:
    path = map_file("voyage", change=retyped)
    before = path.read_text()
    said = run("map", "repair", str(path))
    assert said.exit_code == 0
    assert "elite →" in said.stdout
    assert "row 2, column" in said.stdout
    assert path.read_text() == before
    target = tmp_path / "mended.json"
    found = run_json("map", "repair", str(path), "--output", str(target))
    assert run("map", "check", str(target)).exit_code == 0
    changed = {change["node"] for change in found["changes"]}
    old, new = json.loads(before), json.loads(target.read_text())
    for one, two in zip(old["nodes"], new["nodes"], strict=True):
        assert (one["type"] != two["type"]) == (one["id"] in changed)
        assert one["row"] == 2 or one["type"] == two["type"]
    assert old["edges"] == new["edges"]


def test_repair_leaves_locked_nodes_alone_and_says_what_is_left(run: Run, map_file: MapFile) -> None:
    path = map_file("voyage", change=lambda data: data["nodes"][0].update(type="shop"))
    result = run("map", "repair", str(path))
    assert result.exit_code == 1
    assert "not mended" in result.stdout
    assert "0 node(s) retyped" in result.stdout


def test_repair_retypes_nothing_when_only_an_edge_is_missing(run_json: Callable[..., Any], map_file: MapFile) -> None:
    found = run_json("map", "repair", str(map_file("voyage", change=lambda data: data["edges"].pop(20))), code=1)
    assert found["changes"] == []
    assert found["left"]["violations"]


@pytest.mark.parametrize("seed", [3, 55, 81, 113, 122])
def test_repair_of_a_wholly_random_spire_map_never_leaves_a_node_without_a_type(
    run: Run, tmp_path: Path, seed: int
) -> None:
    """The narrowest odds, every unlocked node random: mended or owned up to, whatever the attempts did."""
    stream = Stream(seed, codes.STREAM_WALK)
    data = json.loads(run("map", "new", "voyage", "--preset", "spire", "--seed", str(seed), "--json").stdout)
    for node in data["nodes"]:
        if not node["locked"]:
            node["type"] = stream.pick(families.of("voyage").kinds)
    path = tmp_path / "map.json"
    path.write_text(json.dumps(data))
    result = run("map", "repair", str(path), "--json")
    assert all(node["type"] in families.of("voyage").kinds for node in json.loads(result.stdout)["map"]["nodes"])


def test_a_repair_that_cannot_be_written_is_refused_without_a_traceback(run: Run, tmp_path: Path) -> None:
    result = run("map", "repair", "voyage:guide:1", "--output", str(tmp_path / "none" / "x" / "map.json"))
    assert result.exit_code in (0, 1, 2)
    assert run("map", "repair", "voyage:guide:1", "--output", str(tmp_path)).exit_code in (1, 2)


def test_repair_takes_the_attempts_that_the_rules_or_the_option_say(
    run: Run, run_json: Callable[..., Any], tmp_path: Path
) -> None:
    bands = 'bands=[{"name":"all","until_percent":100,"odds":{"monster":5,"shop":5,"event":1}}]'
    data = run_json("map", "new", "voyage", "--seed", "4", "--set", bands)
    for node in data["nodes"]:
        node["type"] = node["type"] if node["locked"] else "shop"
    path = tmp_path / "shops.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    whole, short = run_json("map", "repair", str(path)), run_json("map", "repair", str(path), "--attempts", "1")
    assert whole["attempts"] > short["attempts"] == 1
    assert not whole["left"]["waivers"]
    assert short["left"]["waivers"]
    assert "left after 1 attempt(s)" in run("map", "repair", str(path), "--attempts", "1").stdout
    assert run("map", "repair", str(path), "--attempts", "0").exit_code == 2
