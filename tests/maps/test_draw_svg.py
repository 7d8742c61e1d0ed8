"""SVG and PNG pictures: valid, complete, readable by machines and by screen readers."""

from __future__ import annotations

import itertools
import re
import struct
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from cartomancer import maps
from cartomancer.codes import KIND_CODES
from cartomancer.content import preset_ids
from cartomancer.errors import SelectionError, UnknownNameError
from cartomancer.maps import families
from cartomancer.maps.draw_svg import draw_png, draw_svg
from cartomancer.maps.icons import COLOURS, LOOKS, THEMES
from cartomancer.maps.model import Map
from cartomancer.maps.positions import as_drawn, page, positions

SVG = "{http://www.w3.org/2000/svg}"
PRESETS = [(family, preset) for family in families.names() for preset in preset_ids(family)]


def nodes_in(root: ElementTree.Element) -> dict[int, ElementTree.Element]:
    return {int(group.attrib["data-node"]): group for group in root.iter(f"{SVG}g") if "data-node" in group.attrib}


def ways_in(root: ElementTree.Element) -> dict[tuple[int, int], ElementTree.Element]:
    paths = [path for path in root.iter(f"{SVG}path") if "data-from" in path.attrib]
    return {(int(path.attrib["data-from"]), int(path.attrib["data-to"])): path for path in paths}


def walk(drawn: Map, length: int) -> list[int]:
    visited = [drawn.starts[0].id]
    while len(visited) < length:
        visited.append(drawn.onward[visited[-1]][0])
    return visited


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("family", "preset"), PRESETS)
def test_picture_holds_the_whole_map(family: str, preset: str, theme: str) -> None:
    drawn = maps.generate(family, preset, seed=11)
    text = draw_svg(drawn, theme=theme)
    root = ElementTree.fromstring(text)
    assert root.attrib["role"] == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text
    assert root[1].tag == f"{SVG}desc"
    found = nodes_in(root)
    assert set(found) == set(drawn.by_id)
    assert set(ways_in(root)) == set(drawn.edges)
    for node in drawn.nodes:
        title = found[node.id].find(f"{SVG}title")
        assert title is not None
        assert title.text is not None
        assert title.text.startswith(node.type.replace("_", " "))
        icon = next(group for group in found[node.id].iter(f"{SVG}g") if group.get("class") == "icon")
        assert len(icon) >= 1
    legend = {g.attrib["data-legend"]: "".join(g.itertext()) for g in root.iter(f"{SVG}g") if "data-legend" in g.attrib}
    counts = Counter(node.type for node in drawn.nodes)
    assert legend == {kind: f"{kind.replace('_', ' ')} ×{count}" for kind, count in counts.items()}


@pytest.mark.parametrize("family", families.names())
def test_picture_refers_to_nothing_outside(family: str) -> None:
    text = draw_svg(maps.generate(family, seed=2), visited=[0])
    assert re.findall(r"https?:[^\"' ]*", text) == ["http://www.w3.org/2000/svg"]
    assert "href" not in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]+)\)", text)) <= set(ids)


def test_every_type_has_an_icon_and_a_colour() -> None:
    assert set(LOOKS) == set(COLOURS) == set(KIND_CODES)
    drawings = {(*icon.shapes, icon.lines) for icon in LOOKS.values()}
    assert len(drawings) == len(LOOKS)
    for icon in LOOKS.values():
        for number in re.findall(r"(?<=[ML])-?\d*\.?\d+ -?\d*\.?\d+", " ".join((*icon.shapes, icon.lines))):
            assert all(0 <= float(part) <= 24 for part in number.split())


def test_a_journey_is_marked() -> None:
    drawn = maps.generate("voyage", seed=42)
    visited = walk(drawn, 4)
    root = ElementTree.fromstring(draw_svg(drawn, visited))
    marks = {node_id: group.attrib["class"].split()[-1] for node_id, group in nodes_in(root).items()}
    assert [marks[node_id] for node_id in visited] == ["visited"] * 3 + ["current"]
    assert {node_id for node_id, mark in marks.items() if mark == "available"} == set(drawn.onward[visited[-1]])
    assert {marks[node.id] for node in drawn.starts[1:]} == {"missed"}
    assert marks[drawn.boss.id] == "ahead"
    classes = {edge: way.attrib["class"] for edge, way in ways_in(root).items()}
    gone = {edge for edge, names in classes.items() if "travelled" in names}
    assert gone == set(itertools.pairwise(visited))
    assert {edge for edge, names in classes.items() if "open" in names} == {
        (visited[-1], target) for target in drawn.onward[visited[-1]]
    }
    untouched = ElementTree.fromstring(draw_svg(drawn))
    assert {group.attrib["class"].split()[-1] for group in nodes_in(untouched).values()} == {"plain"}


def test_before_the_first_choice_the_first_row_is_available() -> None:
    drawn = maps.generate("voyage", seed=42)
    root = ElementTree.fromstring(draw_svg(drawn, visited=[]))
    marks = {node_id: group.attrib["class"].split()[-1] for node_id, group in nodes_in(root).items()}
    assert {node_id for node_id, mark in marks.items() if mark == "available"} == {node.id for node in drawn.starts}
    assert {mark for node_id, mark in marks.items() if drawn.node(node_id).row > 1} == {"ahead"}
    assert draw_svg(maps.marked(drawn, [])) == draw_svg(drawn, visited=[])


@pytest.mark.parametrize("way", [[0, 50], [50], [0, 0]])
def test_a_way_that_follows_no_edges_is_refused(way: list[int]) -> None:
    with pytest.raises(SelectionError, match="cannot be entered"):
        draw_svg(maps.generate("voyage", seed=42), visited=way)


def test_unknown_theme_and_unknown_node_are_refused() -> None:
    drawn = maps.generate("contract", seed=1)
    with pytest.raises(UnknownNameError, match="parchment"):
        draw_svg(drawn, theme="parchmint")
    with pytest.raises(SelectionError, match="no node 99"):
        draw_svg(drawn, visited=[99])


def test_titles_cannot_break_out_of_the_markup() -> None:
    drawn = maps.generate("guardian", "slice", seed=1)
    nasty = "</text><script>&\"'\x00\x1b"
    rules = drawn.rules.model_copy(update={"title": nasty})
    root = ElementTree.fromstring(draw_svg(replace(drawn, rules=rules, preset=nasty)))
    assert not list(root.iter(f"{SVG}script"))
    assert "</text><script>&\"'\ufffd\ufffd" in (root[0].text or "")


@pytest.mark.parametrize(("family", "preset"), PRESETS)
def test_nodes_keep_their_distance_and_their_order(family: str, preset: str) -> None:
    for seed in range(4):
        drawn = maps.generate(family, preset, seed=seed)
        places = positions(drawn)
        assert places == positions(drawn), "the same seed drifts the same way"
        width, height = page(drawn)
        assert all(60 < x < width - 60 and 60 < y < height - 40 for x, y in places.values())
        for row in range(1, drawn.rows + 1):
            xs = [places[node.id][0] for node in as_drawn(drawn) if node.row == row]
            assert all(right - left > 62 for left, right in itertools.pairwise(xs))
        for source, target in drawn.edges:
            assert places[source][1] - places[target][1] > 62, "forward is up"
    one, two = (maps.generate(family, preset, seed=seed) for seed in (1, 2))
    assert (positions(one) == positions(two)) == (one.edges == two.edges), "a place tells nothing that edges do not"


def test_png_has_the_width_asked_for_and_the_shape_of_the_svg() -> None:
    drawn = maps.generate("contract", "short", seed=3)
    data = draw_png(drawn, theme="night", width=320)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    root = ElementTree.fromstring(draw_svg(drawn, theme="night"))
    assert width == 320
    assert height == pytest.approx(320 * float(root.attrib["height"]) / float(root.attrib["width"]), abs=1.5)
    assert len(set(data)) > 200, "it is not a blank page"
