"""A map family from outside the package: everything that works for the shipped families works for delves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cartomancer.jit  # noqa: F401  imported first, so that no command switches this process to interpreted kernels
from cartomancer import maps
from cartomancer.backends.local import Device
from cartomancer.cli.main import app
from cartomancer.codes import STREAM_WALK
from cartomancer.content import load_preset, preset_ids
from cartomancer.errors import CartomancerError, RulesError, UnknownNameError
from cartomancer.maps import families
from cartomancer.maps.draw_svg import draw_png, draw_svg
from cartomancer.maps.draw_text import draw_text
from cartomancer.maps.export import FORMATS
from cartomancer.rng import Stream

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "examples" / "delve"
PRESETS = ["shaft", "abyss"]

pytestmark = pytest.mark.usefixtures("delve")


@pytest.fixture(params=PRESETS)
def drawn_maps(request: pytest.FixtureRequest, delve: Any) -> list[maps.Map]:
    return [maps.generate("delve", request.param, seed) for seed in range(60)]


def retyped(drawn: maps.Map, types: dict[int, str]) -> maps.Map:
    return replace(drawn, nodes=tuple(replace(n, type=types.get(n.id, n.type)) for n in drawn.nodes))


def broken_rules(drawn: maps.Map) -> set[str]:
    return {violation.rule.id for violation in maps.check(drawn).violations}


# --- generation, against the rules written once more --------------------------------------------------------------


def test_its_presets_are_found_the_default_first() -> None:
    assert preset_ids("delve") == ["shaft", "abyss"]
    assert maps.generate("delve", seed=5).preset == "shaft"


def test_each_node_leads_one_or_two_ways_down_and_ways_merge_every_third_row(drawn_maps: list[maps.Map]) -> None:
    widest = 0
    for drawn in drawn_maps:
        for node in drawn.nodes:
            assert len(drawn.onward[node.id]) in ((0,) if node is drawn.boss else (1, 2))
        for row in range(3, drawn.rows, 3):
            above = drawn.row_nodes(row - 1)
            assert all(len(drawn.onward[node.id]) == 1 for node in above)
            assert len(drawn.row_nodes(row)) == -(-len(above) // 2)
            assert all(len(drawn.back[node.id]) == 2 for node in drawn.row_nodes(row)[:-1])
        widest = max(widest, *(len(drawn.row_nodes(row)) for row in range(1, drawn.rows)))
    assert 3 <= widest <= drawn_maps[0].rules.width  # type: ignore[attr-defined]


def test_types_follow_the_plan_the_depth_and_the_edges(drawn_maps: list[maps.Map]) -> None:
    for drawn in drawn_maps:
        rules: Any = drawn.rules
        for node in drawn.nodes:
            fixed = {1: "combat", drawn.rows: "boss"}.get(node.row) or ("rest" if node.row % 3 == 0 else None)
            assert node.locked == (fixed is not None)
            assert node.type == fixed or (fixed is None and rules.weights[node.type] > 0)
            assert node.type != "elite" or node.row * 100 >= rules.elite_percent * rules.depth
        for source, target in drawn.edges:
            one, two = drawn.by_id[source].type, drawn.by_id[target].type
            assert one != two or one not in rules.no_repeat


def test_rules_that_could_leave_a_node_without_a_type_are_refused() -> None:
    with pytest.raises(RulesError, match=r"can leave no type.*\[delve.table\]"):
        load_preset("delve", "shaft", {"weights": {"combat": 0, "trap": 0, "event": 0, "treasure": 5}})


# --- checking and repairing ---------------------------------------------------------------------------------------


def of_row(drawn: maps.Map, row: int) -> int:
    return drawn.row_nodes(row)[0].id


def cases() -> Iterator[tuple[str, Callable[[maps.Map], maps.Map]]]:
    yield "delve.plan", lambda drawn: retyped(drawn, {of_row(drawn, 3): "trap"})
    yield "delve.table", lambda drawn: retyped(drawn, {of_row(drawn, 4): "rest"})
    yield "delve.elite-depth", lambda drawn: retyped(drawn, {of_row(drawn, 2): "elite"})
    yield "delve.no-repeat", lambda drawn: retyped(drawn, {of_row(drawn, 4): "treasure", of_row(drawn, 5): "treasure"})
    yield "delve.ways", lambda drawn: replace(drawn, edges=three_ways(drawn))
    yield (
        "delve.merge",
        lambda drawn: replace(drawn, edges=(*drawn.edges, (of_row(drawn, 2), drawn.row_nodes(3)[1].id))),
    )
    yield "map.onward", lambda drawn: replace(drawn, edges=drawn.edges[1:])
    yield "map.one-boss", lambda drawn: retyped(drawn, {drawn.boss.id: "rest"})


def three_ways(drawn: maps.Map) -> tuple[tuple[int, int], ...]:
    row = next(row for row in range(1, drawn.rows) if len(drawn.row_nodes(row + 1)) >= 3)
    ways = ((of_row(drawn, row), target.id) for target in drawn.row_nodes(row + 1))
    return tuple(dict.fromkeys([*drawn.edges, *ways]))


@pytest.mark.parametrize(("rule", "spoil"), list(cases()), ids=[name for name, _ in cases()])
def test_a_broken_rule_is_named(rule: str, spoil: Callable[[maps.Map], maps.Map]) -> None:
    drawn = maps.generate("delve", "shaft", 42)
    assert not broken_rules(drawn)
    assert rule in broken_rules(spoil(drawn))


def test_a_violation_says_what_the_rules_in_force_demand() -> None:
    spoilt = retyped(maps.generate("delve", "shaft", 42), {2: "elite"})
    (violation,) = maps.check(spoilt).violations
    assert str(violation) == "node 2 (row 2, column 1) elite: No Elite before row 6. [delve.elite-depth]"


def test_repair_retypes_offending_unlocked_nodes_and_nothing_else(drawn_maps: list[maps.Map], delve: Any) -> None:
    stream, touched = Stream(3, STREAM_WALK), 0
    for drawn in drawn_maps:
        free = [node.id for node in drawn.nodes if not node.locked]
        spoilt = retyped(drawn, {node: stream.pick(delve.kinds) for node in stream.sample(free, 6)})
        mended = maps.repair(spoilt)
        touched += bool(mended.changes)
        assert mended.ok
        assert mended.map.edges == drawn.edges
        offending = {node.id for violation in maps.check(spoilt).violations for node in violation.nodes}
        assert {change.node for change in mended.changes} <= offending
        assert maps.repair(spoilt).map == mended.map
    assert touched > len(drawn_maps) // 2


# --- measuring ----------------------------------------------------------------------------------------------------


def routes(drawn: maps.Map, node: int) -> list[list[str]]:
    here = drawn.by_id[node].type
    onward = [route for after in drawn.onward[node] for route in routes(drawn, after)]
    return [[here, *route] for route in onward] or [[here]]


def test_the_analysis_is_that_of_all_routes_walked_one_by_one() -> None:
    for seed in range(8):
        drawn = maps.generate("delve", "shaft", seed)
        walked = [route for start in drawn.starts for route in routes(drawn, start.id)]
        found = maps.analyse(drawn)
        assert found.routes == len(walked)
        for name, entry in found.types.items():
            counts = [route.count(name) for route in walked]
            assert (entry.least, entry.most) == (min(counts), max(counts))
            assert entry.distribution == Counter(counts)
        danger = drawn.rules.danger_by_type()
        assert found.safest.danger == min(sum(danger[kind] for kind in route) for route in walked)


def test_an_audit_counts_what_single_maps_hold_and_what_odds_imply(delve: Any) -> None:
    rules = load_preset("delve", "shaft")
    facts = maps.audit(rules, "shaft", 200, first_seed=7)
    drawn = [maps.generate_from(rules, "shaft", seed) for seed in range(7, 207)]
    kinds = Counter(node.type for one in drawn for node in one.nodes)
    assert {name: entry["total"] for name, entry in facts["types"].items()} == {k: kinds[k] for k in delve.kinds}
    assert facts["maps"] == 200
    assert facts["violations"]["total"] == 0
    assert facts["routes"]["mean"] == pytest.approx(sum(maps.analyse(one).routes for one in drawn) / 200)
    assert set(facts["rolled"]) == set(rules.weights)  # type: ignore[attr-defined]
    for entry in facts["rolled"].values():
        assert entry["observed"] == pytest.approx(entry["implied"], abs=0.03)


def test_a_search_finds_exactly_the_seeds_that_fit() -> None:
    rules = load_preset("delve", "shaft")
    hits = maps.search(rules, "shaft", "max_path(elite) >= 2 and linearity < 0.8", seeds=150, limit=1000).state.hits
    for seed in range(150):
        found = maps.analyse(maps.generate_from(rules, "shaft", seed))
        elite = found.types.get("elite")
        assert (seed in hits) == (elite is not None and elite.most >= 2 and found.linearity < 0.8)
    assert 0 < len(hits) < 150


def test_a_search_on_a_gpu_is_refused() -> None:
    with pytest.raises(CartomancerError, match="delve maps are drawn in Python"):
        maps.search(load_preset("delve"), "shaft", "nodes > 1", 10, backend=Device())


# --- drawing and exporting ----------------------------------------------------------------------------------------


def test_every_picture_and_export_shows_every_node(drawn_maps: list[maps.Map]) -> None:
    drawn = drawn_maps[3]
    text, picture = draw_text(drawn), draw_svg(drawn, visited=[0])
    assert "♛ boss ×1" in text
    assert sum(line.lstrip()[:1].isdigit() for line in text.splitlines()) == drawn.rows
    assert picture.count("data-node=") == len(drawn.nodes)
    assert picture.count("data-from=") == len(drawn.edges)
    assert "level 1, column 1" in picture
    assert draw_png(drawn).startswith(b"\x89PNG")
    for name, export in FORMATS.items():
        written = export(drawn)
        assert drawn.notation in written, name
        assert all(node.type in written or node.type.upper() in written for node in drawn.nodes), name


# --- the command line ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["new", "delve", "--seed", "42"], "delve:shaft:42:"),
        (["new", "delve", "--seed", "42", "--set", "depth=30"], "delve:shaft[depth=30]:42:"),
        (["show", "delve:abyss:7", "--format", "mermaid"], "flowchart BT"),
        (["check", "delve:abyss:7"], "every rule holds"),
        (["repair", "delve:abyss:7"], "0 node(s) retyped, 0 other change(s), 0 left"),
        (["explain", "delve", "--seed", "42", "--node", "r2c1"], "No Elite before row 6."),
        (["analyse", "delve:shaft:42"], "routes"),
        (["walk", "delve:shaft:42", "--sample", "1"], "the run is over"),
        (["rules", "delve"], "No Elite before row 6."),
        (["presets"], "abyss"),
        (["schema"], '"delve"'),
        (["audit", "delve", "--maps", "30"], "30 maps of delve:shaft"),
        (["search", "delve", "--where", "count(treasure) >= 3", "--seeds", "50"], "delve:shaft:"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_every_map_command_knows_delves(command: list[str], words: str) -> None:
    result = CliRunner().invoke(app, ["map", *command])
    assert result.exit_code == 0, result.output
    assert words in result.stdout


def test_the_report_of_an_audit_shows_a_delve(tmp_path: Path) -> None:
    target = tmp_path / "delve.html"
    assert CliRunner().invoke(app, ["map", "audit", "delve", "--maps", "30", "--html", str(target)]).exit_code == 0
    assert "delve:shaft" in target.read_text(encoding="utf-8")


def test_an_installed_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    """What `pip install ./examples/delve` leaves behind, written by hand from the package's own pyproject.toml."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    declared = project["entry-points"][families.ENTRY_POINTS]
    about = tmp_path / "cartomancer_delve-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in declared.items()]
    (about / "entry_points.txt").write_text("\n".join([f"[{families.ENTRY_POINTS}]", *lines]) + "\n")
    path = os.pathsep.join([str(tmp_path), str(PACKAGE), str(ROOT / "src")])
    command = [sys.executable, "-m", "cartomancer.cli", "map", "new", "delve:abyss:7", "--json"]
    ran = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == maps.to_dict(maps.generate("delve", "abyss", 7))


# --- registering --------------------------------------------------------------------------------------------------


def test_a_family_that_cannot_work_is_refused(delve: Any) -> None:
    kind = type(delve)
    maps.register_family(delve)  # twice the same is once
    with pytest.raises(CartomancerError, match="there already is a map family 'delve'"):
        maps.register_family(kind())
    stranger: Any = type("Stranger", (kind,), {"name": "stranger"})
    with pytest.raises(UnknownNameError, match="node type 'swamp'"):
        maps.register_family(type("Swamp", (stranger,), {"kinds": ("combat", "swamp", "boss")})())
    first = delve.own_rules[0]
    with pytest.raises(CartomancerError, match="a number of its own from 32 to 63"):
        maps.register_family(type("Twice", (stranger,), {"own_rules": (first, replace(first, id="stranger.x"))})())


def test_without_the_registration_nobody_knows_delves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(families.FAMILIES, "delve")
    with pytest.raises(UnknownNameError, match="unknown map family 'delve': known: voyage, contract, guardian"):
        maps.generate("delve")
