"""The order of siblings in pictures: edges cross only where they must, by brute force over every order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartomancer import maps
from cartomancer.content import preset_ids
from cartomancer.maps import families
from cartomancer.maps.crossings import WIDEST, by_columns, fewest_crossings
from cartomancer.maps.draw_svg import draw_svg
from cartomancer.maps.export import FORMATS
from cartomancer.maps.model import Map, Node
from cartomancer.maps.positions import as_drawn, positions, text_cells

PRESETS = [(family, preset) for family in families.names() for preset in preset_ids(family)]
Orders = list[list[int]]


def crossings(drawn: Map, orders: Sequence[Sequence[int]]) -> int:
    """How many pairs of edges cross when the rows, the first one first, stand in these orders."""
    at = {node: place for order in orders for place, node in enumerate(order)}
    row = {node.id: node.row for node in drawn.nodes}
    return sum(
        row[a] == row[b] and row[u] == row[v] and (at[a] - at[b]) * (at[u] - at[v]) < 0
        for (a, u), (b, v) in combinations(drawn.edges, 2)
    )


def every_order(drawn: Map) -> Iterator[tuple[tuple[int, ...], ...]]:
    return product(*(permutations(row) for row in by_columns(drawn)))


def from_picture(drawn: Map, across: dict[int, float]) -> Orders:
    """The rows as a picture has them, from where it puts the nodes."""
    return [sorted(row, key=lambda node: across[node]) for row in by_columns(drawn)]


def layered(sizes: list[int], pairs: set[tuple[int, int, int]]) -> Map:
    """A map of rows of these sizes with the edges (row, column, column of the next row) that fit."""
    nodes = [(row, column) for row, size in enumerate(sizes, 1) for column in range(1, size + 1)]
    ids = {cell: number for number, cell in enumerate(nodes)}
    joined = (((row, one), (row + 1, two)) for row, one, two in sorted(pairs))
    edges = tuple((ids[low], ids[high]) for low, high in joined if low in ids and high in ids)
    drawn = maps.generate("guardian", "slice", seed=1)
    return replace(drawn, nodes=tuple(Node(ids[cell], *cell, "combat") for cell in nodes), edges=edges)


@pytest.mark.parametrize("seed", range(25))
def test_no_order_of_any_row_crosses_fewer_edges(seed: int) -> None:
    rules = {"layer_count": 5, "nodes_per_layer_max": 4, "edges_per_node_max": 3}
    drawn = maps.generate("guardian", "slice", seed=seed, overrides=rules)
    best = min(crossings(drawn, orders) for orders in every_order(drawn))
    assert crossings(drawn, fewest_crossings(drawn)) == best


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(1, 4), min_size=2, max_size=4),
    st.sets(st.tuples(st.integers(1, 3), st.integers(1, 4), st.integers(1, 4)), max_size=24),
)
def test_the_fewest_crossings_of_any_layered_graph_are_found(
    sizes: list[int], pairs: set[tuple[int, int, int]]
) -> None:
    drawn = layered(sizes, pairs)
    found = fewest_crossings(drawn)
    assert tuple(tuple(sorted(row)) for row in found) == by_columns(drawn)
    if sum(size > 2 for size in sizes) <= 2:  # beyond that brute force takes seconds
        assert crossings(drawn, found) == min(crossings(drawn, orders) for orders in every_order(drawn))
    assert crossings(drawn, found) <= crossings(drawn, by_columns(drawn))


def test_a_row_of_six_is_still_ordered_exactly() -> None:
    turned = {(1, column, WIDEST + 1 - column) for column in range(1, WIDEST + 1)}
    drawn = layered([WIDEST, WIDEST], turned)
    assert crossings(drawn, by_columns(drawn)) == 15
    assert crossings(drawn, fewest_crossings(drawn)) == 0


def test_a_wider_row_keeps_its_columns_and_its_neighbours_turn_to_it() -> None:
    wide = WIDEST + 1
    drawn = layered([wide, 2, wide], {(1, 1, 2), (1, wide, 1), (2, 2, 1), (2, 1, wide)})
    first, _, last = by_columns(drawn)
    assert fewest_crossings(drawn) == (first, (wide + 1, wide), last)


@pytest.mark.parametrize("preset", preset_ids("guardian"))
def test_what_crosses_nothing_stays_in_its_columns(preset: str) -> None:
    sorted_already = 0
    for seed in range(60):
        drawn = maps.generate("guardian", preset, seed=seed)
        if crossings(drawn, by_columns(drawn)) == 0:
            sorted_already += 1
            assert fewest_crossings(drawn) == by_columns(drawn)
    assert sorted_already


@pytest.mark.parametrize(("family", "preset"), PRESETS)
def test_pictures_of_every_family_cross_edges_only_where_they_must(family: str, preset: str) -> None:
    for seed in range(12):
        drawn = maps.generate(family, preset, seed=seed)
        least = crossings(drawn, fewest_crossings(drawn))
        places = {node: x for node, (x, _) in positions(drawn).items()}
        cells: dict[int, float] = {node: float(cell) for node, cell in text_cells(drawn).items()}
        assert crossings(drawn, from_picture(drawn, places)) == crossings(drawn, from_picture(drawn, cells)) == least
        assert family != "voyage" or least == 0, "voyages are planar as they stand [Skeleton A]"


@pytest.mark.usefixtures("delve")
@pytest.mark.parametrize("preset", ["shaft", "abyss"])
def test_a_family_from_outside_is_drawn_with_the_fewest_crossings(preset: str) -> None:
    for seed in range(5):
        drawn = maps.generate("delve", preset, seed=seed)
        places = {node: x for node, (x, _) in positions(drawn).items()}
        assert crossings(drawn, from_picture(drawn, places)) == crossings(drawn, fewest_crossings(drawn))


def test_documents_list_siblings_as_pictures_have_them() -> None:
    drawn = next(
        found
        for found in (maps.generate("guardian", "slice", seed=seed) for seed in range(99))
        if fewest_crossings(found) != by_columns(found)
    )
    ordered = [node.id for node in as_drawn(drawn)]
    assert sorted(ordered) == [node.id for node in drawn.nodes]
    assert ordered != sorted(ordered)
    dot, mermaid = FORMATS["dot"](drawn), FORMATS["mermaid"](drawn)
    for row in fewest_crossings(drawn):
        assert f"rank=same; {'; '.join(f'n{node}' for node in row)};" in dot
    for text, sign in ((dot, "  n{} [label"), (mermaid, '    n{}("'), (mermaid, "    n{}{{")):
        found = [text.find(sign.format(node)) for node in ordered]
        met = [at for at in found if at >= 0]
        assert met == sorted(met)
        assert met


def test_a_map_file_keeps_siblings_in_their_columns() -> None:
    """What a seed writes into its file never changes."""
    drawn = maps.generate("guardian", "slice", seed=42)
    across = {node["id"]: node["position"]["x"] for node in maps.to_dict(drawn)["nodes"]}
    assert tuple(tuple(row) for row in from_picture(drawn, across)) == by_columns(drawn) != fewest_crossings(drawn)


def test_the_order_tells_nothing_that_a_public_map_hides() -> None:
    drawn = maps.generate("guardian", "composition", seed=5)
    assert positions(maps.public_view(drawn)) == positions(drawn)
    assert draw_svg(drawn).count('class="way"') == len(drawn.edges)
