"""Exports: every node and edge arrives, whatever the texts contain."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cartomancer import maps
from cartomancer.content import preset_ids
from cartomancer.errors import MapFileError
from cartomancer.maps import families
from cartomancer.maps.export import (
    FORMATS,
    enum_of,
    label,
    quoted,
    to_dot,
    to_godot,
    to_graphml,
    to_mermaid,
    to_tres,
    to_unity,
)
from cartomancer.maps.model import Map
from cartomancer.maps.positions import positions

PRESETS = [(family, preset) for family in families.names() for preset in preset_ids(family)]
NASTY = 'a "quoted" <b>&\'\\N #1 `x` ]]> --> \x01\n}'


def titled(drawn: Map, text: str) -> Map:
    """The map with a text in every place a designer can write one."""
    rules = drawn.rules
    if drawn.family == "guardian":
        acts = [act.model_copy(update={"title": text, "guardian": "nobody"}) for act in rules.acts]  # type: ignore[attr-defined]
        rules = rules.model_copy(update={"acts": acts})
    nodes = tuple(replace(node, details={**node.details, "note": text}) for node in drawn.nodes)
    return replace(drawn, preset=text, rules=rules.model_copy(update={"title": text}), nodes=nodes)


@pytest.fixture(params=PRESETS, ids=":".join)
def drawn(request: pytest.FixtureRequest) -> Map:
    family, preset = request.param
    return maps.generate(family, preset, seed=2**64 - 1)


def read_graphml(text: str) -> Any:
    return networkx.read_graphml(io.BytesIO(text.encode()))


def test_graphml_reads_back_equal(drawn: Map) -> None:
    graph = read_graphml(to_graphml(drawn))
    assert graph.is_directed()
    assert {(int(a[1:]), int(b[1:])) for a, b in graph.edges} == set(drawn.edges)
    assert set(graph.nodes) == {f"n{node.id}" for node in drawn.nodes}
    for node in drawn.nodes:
        data = graph.nodes[f"n{node.id}"]
        assert (data["row"], data["column"], data["type"]) == (node.row, node.column, node.type)
        assert (data["locked"], data["waived"], data["forced"] or None) == (node.locked, node.waived, node.forced)
        assert json.loads(data["details"]) == json.loads(json.dumps(dict(node.details)))
        assert (data["x"], data["y"]) == pytest.approx(positions(drawn)[node.id], abs=0.06)
    assert graph.graph["seed"] == str(drawn.seed)
    assert graph.graph["notation"] == drawn.notation


def test_dot_holds_every_node_and_edge(drawn: Map) -> None:
    text = to_dot(drawn)
    assert {int(name) for name in re.findall(r"^  n(\d+) \[", text, re.M)} == set(drawn.by_id)
    assert [(int(a), int(b)) for a, b in re.findall(r"^  n(\d+) -> n(\d+);$", text, re.M)] == list(drawn.edges)
    ranks = [set(re.findall(r"n(\d+)", line)) for line in text.splitlines() if "rank=same" in line]
    assert ranks == [{str(node.id) for node in drawn.row_nodes(row)} for row in range(1, drawn.rows + 1)]


def test_mermaid_holds_every_node_and_edge(drawn: Map) -> None:
    text = to_mermaid(drawn)
    nodes = re.findall(r'^ +n(\d+)(?:\(|\{\{)"(\d+)\.(\d+) [^"]+"(?:\)|\}\}):::(\w+)$', text, re.M)
    assert [(int(a), int(b), int(c), d) for a, b, c, d in nodes] == [
        (node.id, node.row, node.column, node.type) for node in drawn.nodes
    ]
    assert [(int(a), int(b)) for a, b in re.findall(r"^  n(\d+) --> n(\d+)$", text, re.M)] == list(drawn.edges)
    assert set(re.findall(r"classDef (\w+) ", text)) == {node.type for node in drawn.nodes}


def test_godot_has_the_schema_of_the_game(drawn: Map) -> None:
    data = json.loads(to_godot(drawn))
    assert data["seed"] == str(drawn.seed)
    assert data["layer_count"] == drawn.rows
    assert [(edge["from_index"], edge["to_index"]) for edge in data["edges"]] == list(drawn.edges)
    places, enum = positions(drawn), enum_of(families.of(drawn.family))
    for node, entry in zip(drawn.nodes, data["nodes"], strict=True):
        assert (entry["index"], entry["layer"], entry["floor"]) == (node.id, node.row - 1, node.row)
        assert entry["node_type"] == enum[node.type.upper()] == data["node_types"][entry["node_type_name"]]
        assert entry["waived"] is node.waived
        assert (entry["position"]["x"], entry["position"]["y"]) == pytest.approx(places[node.id], abs=0.06)
        assert entry["position_text"] == f"Vector2({entry['position']['x']}, {entry['position']['y']})"
        assert entry["visited"] is False
        assert entry["is_guardian"] is (drawn.family == "guardian" and node.type == "boss")
        assert bool(entry["guardian_id"]) is entry["is_guardian"]


def test_node_types_are_numbered_in_the_order_of_the_games_enum() -> None:
    """The list under "NodeType Enum" in the source (M32), which the tuning guide repeats for GDScript."""
    order = ["COMBAT", "ELITE", "REST", "BOSS", "SHOP", "SHRINE", "MEMORY_SHRINE", "EVENT", "TRAP"]
    assert json.loads(to_godot(maps.generate("guardian", seed=1)))["node_types"] == {
        name: place for place, name in enumerate(order)
    }
    guide = Path(__file__).parents[2].joinpath("docs/tuning-guide.md").read_text("utf-8")
    assert f"enum NodeType {{ {', '.join(order)} }}" in guide
    for family in map(families.of, families.names()):
        assert sorted(enum_of(family)) == sorted(kind.upper() for kind in family.kinds)
        assert list(enum_of(family).values()) == list(range(len(family.kinds)))


def test_a_text_resource_says_what_the_json_does(drawn: Map) -> None:
    head, _, body = to_tres(titled(drawn, NASTY)).partition("\n\n[resource]\ndata = ")
    assert head == '[gd_resource type="JSON" format=3]'
    as_json = re.sub(r"(?<=: )Vector2\(([^,]+), ([^)]+)\)", r'{"x": \1, "y": \2}', body)
    told = json.loads(to_godot(titled(drawn, NASTY)))
    for node in told["nodes"]:
        del node["position_text"]
    assert json.loads(as_json) == told


def test_unity_is_flat(drawn: Map) -> None:
    data = json.loads(to_unity(drawn))
    assert data["seed"] == str(drawn.seed)
    assert [(edge["fromId"], edge["toId"]) for edge in data["edges"]] == list(drawn.edges)
    for entry in (data, *data["nodes"], *data["edges"]):
        for name, value in entry.items():
            if entry is data and name in ("nodes", "edges"):
                continue
            assert isinstance(value, str | int | float | bool), f"{name} is not a plain value"
    assert len({frozenset(entry) for entry in data["nodes"]}) == 1
    for node, entry in zip(drawn.nodes, data["nodes"], strict=True):
        assert (entry["id"], entry["row"], entry["column"], entry["type"]) == (
            node.id,
            node.row,
            node.column,
            node.type,
        )
        assert json.loads(entry["detailsJson"]) == json.loads(json.dumps(dict(node.details)))
    heights = [entry["y"] for entry in data["nodes"]]
    assert data["nodes"][drawn.boss.id]["y"] == max(heights), "in Unity up is up"


@pytest.mark.parametrize("family", families.names())
@pytest.mark.parametrize("text", [NASTY, "end", "☃ 雪", "%% no comment", "---"])
def test_texts_cannot_break_a_format(family: str, text: str) -> None:
    plain = maps.generate(family, seed=4)
    odd = titled(plain, text)
    graph = read_graphml(to_graphml(odd))
    assert graph.graph["preset"] == text.replace("\x01", "\ufffd")
    assert json.loads(graph.nodes["n0"]["details"])["note"] == text
    for read, write in ((json.loads, to_godot), (json.loads, to_unity)):
        assert read(write(odd))["preset"] == text
    for write in (to_dot, to_mermaid):
        # an escaped text changes no line count: nothing of it can start a statement of its own
        assert len(write(odd).splitlines()) == len(write(plain).splitlines())


@given(st.text())
@example('\\N "\\"\n')
def test_dot_strings_read_back(text: str) -> None:
    written = quoted(text)
    body = re.fullmatch(r'"((?:[^"\\\n]|\\.)*)"', written)
    assert body is not None
    back = re.sub(r"\\(.)", lambda match: {"n": "\n"}.get(match[1], match[1]), body[1])
    assert back == text.replace("\r", "")


@given(st.text())
@example("#35; #quot; #1")
def test_mermaid_labels_hold_no_markup(text: str) -> None:
    written = label(text)
    assert not set('"<>&`\\\n\r') & set(written)
    names = {"quot": '"', "lt": "<", "gt": ">", "amp": "&"}
    back = re.sub(r"#(\w+);", lambda match: names.get(match[1]) or chr(int(match[1])), written)
    assert back == text.replace("\n", " ").replace("\r", " ")


def test_a_way_is_marked_in_every_format(drawn: Map) -> None:
    journey = maps.Journey(drawn)
    for _ in range(3):
        journey = journey.select(journey.host, journey.available()[-1].id)
    shown = maps.marked(drawn, journey.visited)
    open_ways = {node.id for node in journey.available()}
    for name, number in (("godot", "index"), ("unity", "id")):
        nodes = json.loads(FORMATS[name](shown))["nodes"]
        assert {node[number] for node in nodes if node["visited"]} == set(journey.visited)
        assert {node[number] for node in nodes if node["available"]} == open_ways
    graph = read_graphml(to_graphml(shown))
    assert {int(name[1:]) for name, data in graph.nodes.items() if data["visited"]} == set(journey.visited)
    assert {int(name) for name in re.findall(r"^  n(\d+) .*penwidth", to_dot(shown), re.M)} == set(journey.visited)
    assert f"class {','.join(f'n{node}' for node in journey.visited)} visited" in to_mermaid(shown)
    assert json.loads(maps.to_json(shown))["visited"] == list(journey.visited)
    assert maps.from_json(maps.to_json(shown)) == shown


def test_before_the_first_choice_the_first_row_is_available() -> None:
    drawn = maps.generate("voyage", seed=42)
    for name in ("godot", "unity"):
        for shown, starts in ((drawn, 0), (maps.marked(drawn, []), len(drawn.starts))):
            assert sum(node["available"] for node in json.loads(FORMATS[name](shown))["nodes"]) == starts


@pytest.mark.parametrize("way", [[0, 50], [50], [0, 0], [999], "abc", [True], {"0": 1}])
def test_a_way_that_follows_no_edges_is_refused_in_a_file(way: Any) -> None:
    data = maps.to_dict(maps.generate("voyage", seed=42))
    with pytest.raises(MapFileError, match="visited"):
        maps.from_json(json.dumps({**data, "visited": way}))


def test_formats_are_all_listed() -> None:
    assert list(FORMATS) == ["dot", "mermaid", "graphml", "godot", "tres", "unity"]
    drawn = maps.generate("contract", "short", seed=1)
    assert all(write(drawn).endswith("\n") for write in FORMATS.values())


def test_waived_nodes_are_marked_in_every_format() -> None:
    bands = [{"name": "all", "until_percent": 100, "odds": {"monster": 1, "unknown": 1}}]
    drawn = maps.generate("voyage", "guide", 3, {"bands": bands})
    waived = {node.id for node in drawn.nodes if node.waived}
    assert waived == {6}
    for read, name in (
        (json.loads(maps.to_json(drawn)), "id"),
        (json.loads(to_godot(drawn)), "index"),
        (json.loads(to_unity(drawn)), "id"),
    ):
        assert {node[name] for node in read["nodes"] if node["waived"]} == waived
    assert {int(name) for name in re.findall(r"^  n(\d+) .*dashed", to_dot(drawn), re.M)} == waived
    assert {int(name) for name in re.findall(r"^  class n(\d+) waived$", to_mermaid(drawn), re.M)} == waived
    picture = maps.to_svg(drawn)
    assert picture.count('class="waived"') == 1
    assert picture.count('data-legend="waived"') == 1
    assert "column 7, waived, as no other type was possible</title>" in picture
    text = maps.to_text(drawn)
    assert "♞*" in text
    assert "* waived, as no other type was possible: node 6 (row 2, column 7)" in text
    plain = maps.generate("voyage", "guide", 3)
    assert not any("waived" in write(plain) for write in (maps.to_text, maps.to_svg, to_dot, to_mermaid))
