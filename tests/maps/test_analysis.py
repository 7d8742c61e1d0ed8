"""Path analytics against brute force: every route walked, and networkx for the flow."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

import networkx as nx
import pytest

from cartomancer import maps
from cartomancer.codes import KIND_CODES
from cartomancer.maps.analysis import measured
from cartomancer.maps.kernel import features as m

CASES = [
    *(("voyage", "guide", seed, {"rows": 8}) for seed in range(25)),
    *(("voyage", "sparse", seed, {"rows": 10, "columns": 9, "paths": 8}) for seed in range(10)),
    *(("voyage", "brutal", seed, {"rows": 3, "columns": 3, "paths": 4}) for seed in range(5)),
    *(("contract", "rival_extended", seed, {}) for seed in range(5)),
    *(("guardian", "three_acts", seed, {}) for seed in range(15)),
    *(("guardian", "five_acts", seed, {}) for seed in range(5)),
    *(("guardian", "slice", seed, {"nodes_per_layer_max": 4, "edges_per_node_max": 3}) for seed in range(15)),
]


def routes_of(drawn: maps.Map) -> list[list[int]]:
    graph = nx.DiGraph(drawn.edges)
    graph.add_nodes_from(drawn.by_id)
    return [path for start in drawn.starts for path in nx.all_simple_paths(graph, start.id, drawn.boss.id)]


@pytest.mark.parametrize(("family", "preset", "seed", "overrides"), CASES)
def test_analytics_agree_with_walking_every_route(
    family: str, preset: str, seed: int, overrides: dict[str, int]
) -> None:
    drawn = maps.generate(family, preset, seed, overrides)
    routes = routes_of(drawn)
    found = maps.analyse(drawn)
    features, _ = measured(drawn)
    assert found.routes == features[m.ROUTES] == len(routes)
    assert set(found.forced_nodes) == set.intersection(*(set(route) for route in routes))
    assert features[m.FORCED_NODES] == len(found.forced_nodes)
    danger = drawn.rules.danger.model_dump()
    costs = [sum(danger[drawn.by_id[node].type] for node in route) for route in routes]
    assert (found.safest.danger, found.riskiest.danger) == (min(costs), max(costs))
    for extreme in (found.safest, found.riskiest):
        assert list(extreme.nodes) in routes
        assert sum(danger[drawn.by_id[node].type] for node in extreme.nodes) == extreme.danger
    assert found.mean_danger == pytest.approx(sum(costs) / len(routes), abs=0.001)
    seconds = drawn.rules.seconds_by_type()
    assert (found.minutes is not None) is bool(seconds) is (family == "guardian")
    if found.minutes:
        forks = {node for node, ways in drawn.onward.items() if len(ways) > 1}
        minutes = [sum(seconds[drawn.by_id[n].type] + 15 * (n in forks) for n in route) / 60 for route in routes]
        expected = {"quickest": min(minutes), "mean": sum(minutes) / len(routes), "longest": max(minutes)}
        assert asdict(found.minutes) == pytest.approx(expected, abs=0.001)
    for name, entry in found.types.items():
        counts = Counter(sum(drawn.by_id[node].type == name for node in route) for route in routes)
        assert entry.distribution == dict(sorted(counts.items()))
        assert (entry.least, entry.most) == (min(counts), max(counts))
        rows = [node.row for node in drawn.nodes if node.type == name]
        assert (entry.count, entry.first_row, entry.last_row) == (len(rows), min(rows), max(rows))
        forced = sum(drawn.by_id[node].type == name for node in found.forced_nodes)
        assert features[m.FORCED_OF_KIND + KIND_CODES[name]] == forced


@pytest.mark.parametrize(("family", "preset", "seed", "overrides"), CASES)
def test_disjoint_routes_are_a_maximum_flow(family: str, preset: str, seed: int, overrides: dict[str, int]) -> None:
    drawn = maps.generate(family, preset, seed, overrides)
    graph = nx.DiGraph()
    for node in drawn.nodes:
        if node is not drawn.boss:
            graph.add_edge((node.id, "in"), (node.id, "out"), capacity=1)
    for source, target in drawn.edges:
        end = "end" if target == drawn.boss.id else (target, "in")
        graph.add_edge((source, "out"), end, capacity=1)
    for start in drawn.starts:
        graph.add_edge("start", (start.id, "in"), capacity=1)
    assert maps.analyse(drawn).disjoint_routes == nx.maximum_flow_value(graph, "start", "end")


def test_the_longest_widest_map_does_not_overflow() -> None:
    drawn = maps.generate("voyage", "guide", 5, {"rows": 40, "columns": 9, "paths": 8})
    assert 1 < maps.analyse(drawn).routes == measured(drawn)[0][m.ROUTES]
