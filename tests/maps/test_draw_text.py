"""Text pictures: every glyph in its row, and lines that lead exactly where the edges do."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartomancer import maps
from cartomancer.codes import KIND_CODES
from cartomancer.content import preset_ids
from cartomancer.errors import SelectionError
from cartomancer.maps import families
from cartomancer.maps.draw_text import ASCII_GLYPHS, GLYPHS, _edge_lines, draw_text
from cartomancer.maps.model import Map
from cartomancer.maps.positions import as_drawn

PRESETS = [(family, preset) for family in families.names() for preset in preset_ids(family)]
WILD = {"nodes_per_layer_max": 4, "edges_per_node_max": 3}

UP, DOWN, LEFT, RIGHT = (0, -1), (0, 1), (-1, 0), (1, 0)
OPENINGS = {
    "─": {LEFT, RIGHT},
    "╭": {DOWN, RIGHT},
    "╮": {DOWN, LEFT},
    "╰": {UP, RIGHT},
    "╯": {UP, LEFT},
    "├": {UP, DOWN, RIGHT},
    "┤": {UP, DOWN, LEFT},
    "┬": {DOWN, LEFT, RIGHT},
    "┴": {UP, LEFT, RIGHT},
    "┼": {UP, DOWN, LEFT, RIGHT},
}


def rows_of(text: str) -> dict[int, str]:
    """The node lines of a picture by row number, without the notes on their right."""
    found = {}
    for line in text.splitlines():
        match = re.match(r"^ *(\d+)  (.*)$", line)
        if match:
            found[int(match[1])] = re.split(" ← | < ", match[2])[0]
    return found


def reached(lines: list[dict[int, str]], start: int) -> set[int]:
    """The cells above the lines that a reader gets to from a node below them, who never turns on a straight line."""
    height = len(lines)
    arrivals: set[int] = set()
    seen: set[tuple[int, int, tuple[int, int]]] = set()
    # (cell, line, direction of travel); line −1 is the row of nodes above
    ways = [
        (start + slope, height - 1, UP) for slope in (-1, 0, 1) if lines[-1].get(start + slope, " ") == "╲ ╱"[slope + 1]
    ]
    if lines[-1].get(start, " ") not in " ╱╲":
        ways.append((start, height - 1, UP))
    while ways:
        x, y, going = ways.pop()
        if (x, y, going) in seen:
            continue
        seen.add((x, y, going))
        if y < 0:
            arrivals.add(x)
            continue
        if y >= height:
            continue
        sign = lines[y].get(x, " ")
        if sign == "│":
            ways.append((x + going[0], y + going[1], going))
        elif sign in "╱╲":
            slope = 1 if sign == "╱" else -1
            above = lines[y - 1].get(x + slope) if y else None
            # a slope goes on as a slope, and ends at a node
            ways.append((x + slope, y - 1, UP) if y == 0 or above == sign else (x, y - 1, UP))
        else:
            for turn in OPENINGS.get(sign, set()) - {(-going[0], -going[1])}:
                ways.append((x + turn[0], y + turn[1], turn))
    return arrivals


def test_every_type_has_a_glyph_of_its_own_and_one_cell_wide() -> None:
    for glyphs in (GLYPHS, ASCII_GLYPHS):
        assert set(glyphs) == set(KIND_CODES)
        assert len(set(glyphs.values())) == len(glyphs)
    for glyph in GLYPHS.values():
        assert len(glyph) == 1
        assert ord(glyph) < 0x10000
        assert unicodedata.east_asian_width(glyph) not in "WF"
    assert "".join(ASCII_GLYPHS.values()).isascii()


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize(("family", "preset"), PRESETS)
def test_glyphs_stand_in_their_rows(family: str, preset: str, ascii_only: bool) -> None:
    glyphs = ASCII_GLYPHS if ascii_only else GLYPHS
    for seed in range(6):
        drawn = maps.generate(family, preset, seed=seed)
        text = draw_text(drawn, ascii_only=ascii_only)
        lines = rows_of(text)
        assert list(lines) == list(range(drawn.rows, 0, -1)), "the boss is on top"
        for row, line in lines.items():
            assert line.split() == [glyphs[node.type] for node in as_drawn(drawn) if node.row == row]
        assert text.isascii() or not ascii_only
        assert drawn.notation in text.splitlines()[0]
        for kind, count in Counter(node.type for node in drawn.nodes).items():
            assert f"{glyphs[kind]} {kind.replace('_', ' ')} {'x' if ascii_only else '×'}{count}" in text


@pytest.mark.parametrize(
    ("family", "preset", "overrides"), [(*pair, {}) for pair in PRESETS] + [("guardian", "slice", WILD)]
)
def test_lines_lead_where_edges_do(family: str, preset: str, overrides: dict[str, int]) -> None:
    for seed in range(8):
        drawn = maps.generate(family, preset, seed=seed, overrides=overrides or None)
        lines = [line[5:] for line in draw_text(drawn).splitlines()]
        numbers = [line[:5].strip() for line in draw_text(drawn).splitlines()]
        for row in range(1, drawn.rows):
            above, below = numbers.index(str(row + 1)), numbers.index(str(row))
            between = [dict(enumerate(line)) for line in lines[above + 1 : below] if "┄" not in line]
            cells = {}
            for here, line in ((row, lines[below]), (row + 1, lines[above])):
                places = [x for x, sign in enumerate(line.split(" ← ")[0]) if sign != " "]
                nodes = [node for node in as_drawn(drawn) if node.row == here]
                cells.update({node.id: x for node, x in zip(nodes, places, strict=True)})
            for node in drawn.row_nodes(row):
                expected = {cells[target] for target in drawn.onward[node.id]}
                assert reached(between, cells[node.id]) == expected, f"{drawn.notation} {node.place}"


@settings(max_examples=150, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=7))
def test_any_floor_of_three_under_four_can_be_followed(pairs: set[tuple[int, int]]) -> None:
    edges = tuple(sorted((source * 6, 3 + target * 6) for source, target in pairs))
    arriving = Counter(target for _, target in edges)
    if max(arriving.values()) > 3:  # three cells lie under a node
        return
    lines = _edge_lines(edges)
    for source in {source for source, _ in edges}:
        assert reached(lines, source) == {target for other, target in edges if other == source}


def test_every_floor_of_three_under_three_can_be_followed() -> None:
    ways = [targets for count in (1, 2, 3) for targets in combinations((0, 6, 12), count)]
    for onward in product(ways, repeat=3):
        edges = tuple(
            (source, target) for source, targets in zip((0, 6, 12), onward, strict=True) for target in targets
        )
        if len({target for _, target in edges}) == 3:
            lines = _edge_lines(edges)
            assert [reached(lines, source) for source in (0, 6, 12)] == [set(targets) for targets in onward], edges


def test_contract_lanes_are_named_and_the_meeting_point_is_centred() -> None:
    drawn = maps.generate("contract", "rival_standard", seed=1)
    text = draw_text(drawn)
    lines = text.splitlines()
    lanes = next(line for line in lines if "safe" in line and "risk" in line)
    assert lanes.index("safe") < lanes.index("risk")
    boss = next(line for line in lines if line.lstrip().startswith(str(drawn.rows)))
    meeting = next(line for line in lines if GLYPHS["rival_intrusion"] in line)
    assert boss.index(GLYPHS["boss"]) == meeting.index(GLYPHS["rival_intrusion"])


def test_guardian_acts_and_guardians_are_named() -> None:
    text = draw_text(maps.generate("guardian", "three_acts", seed=3))
    for words in ("Act 1 · The Graveyard", "Act 2 · The Dicing Hall", "← Beholder", "← The House", "← Shadow Kraken"):
        assert words in text
    assert text.index("Act 3") < text.index("Act 2") < text.index("Act 1")
    defied = draw_text(maps.generate("guardian", "three_acts", seed=3, overrides={"defy_the_gods": True}))
    assert defied.index("Beyond · The Portal") < defied.index("← RNG") < defied.index("Act 3")


def walk(drawn: Map, length: int) -> list[int]:
    visited = [drawn.starts[0].id]
    while len(visited) < length:
        visited.append(drawn.onward[visited[-1]][0])
    return visited


def test_a_journey_is_marked() -> None:
    drawn = maps.generate("voyage", seed=42)
    visited = walk(drawn, 3)
    lines = rows_of(draw_text(drawn, visited=visited))
    for row, brackets in ((1, "[]"), (2, "[]"), (3, "{}")):
        kind = drawn.node(visited[row - 1]).type
        assert f"{brackets[0]}{GLYPHS[kind]}{brackets[1]}" in lines[row]
    assert lines[4].count("(") == len(drawn.onward[visited[-1]])
    assert not set("[{(") & set("".join(lines[row] for row in range(5, 16)))
    assert "visited" not in draw_text(drawn)


def test_before_the_first_choice_the_first_row_is_available() -> None:
    drawn = maps.generate("voyage", seed=42)
    lines = rows_of(draw_text(drawn, visited=[]))
    assert lines[1].count("(") == len(drawn.starts)
    assert not set("[{(") & set("".join(lines[row] for row in range(2, 16)))


def test_a_journey_through_an_unknown_node_is_refused() -> None:
    with pytest.raises(SelectionError, match="999"):
        draw_text(maps.generate("voyage", seed=42), visited=[999])


def test_colour_only_adds_escapes() -> None:
    drawn = maps.generate("guardian", seed=8)
    coloured = draw_text(drawn, colour=True, visited=[0])
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert coloured != plain
    assert [line.rstrip() for line in plain.splitlines()] == draw_text(drawn, visited=[0]).splitlines()


def test_an_edge_that_skips_rows_is_told_in_words() -> None:
    drawn = maps.generate("voyage", seed=42)
    broken = replace(drawn, edges=(*drawn.edges, (0, drawn.boss.id)))
    assert "not drawn: node 0 (row 1" in draw_text(broken)
    assert "not drawn" not in draw_text(drawn)
