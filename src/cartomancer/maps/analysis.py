"""Path analytics of one map, by dynamic programming over its rows: no route is ever walked."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cartomancer.codes import KIND_CODES
from cartomancer.jit import records
from cartomancer.maps import families, graphs
from cartomancer.maps.kernel import features as m
from cartomancer.maps.model import Map


@dataclass(frozen=True)
class TypeOnRoutes:
    """How one type is spread over the routes of a map."""

    count: int
    least: int
    most: int
    mean: float
    distribution: dict[int, int]  # nodes of the type on a route → how many routes
    first_row: int
    last_row: int


@dataclass(frozen=True)
class Route:
    """One route through the map and its danger points."""

    nodes: tuple[int, ...]
    danger: int


@dataclass(frozen=True)
class Minutes:
    """How long the routes of a map take to play [Guardian: run pacing], M29."""

    quickest: float
    mean: float  # over all routes alike
    longest: float


@dataclass(frozen=True)
class Analysis:
    """What can be said about all routes of a map."""

    routes: int
    disjoint_routes: int
    forced_nodes: tuple[int, ...]
    linearity: float
    mean_danger: float
    types: dict[str, TypeOnRoutes]
    safest: Route
    riskiest: Route
    minutes: Minutes | None  # none where the family has no pacing table

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def measured(drawn: Map) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The kernel's feature vector of a map, and how many routes lead through each cell."""
    draft, scratch = graphs.graph_of(drawn), records(1, m.SCRATCH)[0]
    features = np.zeros(m.FEATURES, np.int64)
    m.measure(draft.graph, draft.packed, scratch, m.every_feature(), features)
    return features, scratch["arrivals"] * scratch["onwards"]


def analyse(drawn: Map) -> Analysis:
    """All route statistics of a map."""
    features, through = measured(drawn)
    quickest, mean, longest = (int(features[at]) / 1000 for at in (m.LEAST_MINUTES, m.MEAN_MINUTES, m.MOST_MINUTES))
    total = int(features[m.ROUTES])
    types = {}
    for name in families.of(drawn.family).kinds:
        kind = KIND_CODES[name]
        if not features[m.COUNT + kind]:
            continue
        distribution = _distribution(drawn, name)
        types[name] = TypeOnRoutes(
            count=int(features[m.COUNT + kind]),
            least=int(features[m.LEAST_ON_PATH + kind]),
            most=int(features[m.MOST_ON_PATH + kind]),
            mean=sum(k * n for k, n in distribution.items()) / max(total, 1),
            distribution=distribution,
            first_row=int(features[m.FIRST_ROW + kind]),
            last_row=int(features[m.LAST_ROW + kind]),
        )
    return Analysis(
        routes=total,
        disjoint_routes=int(features[m.DISJOINT]),
        forced_nodes=tuple(
            node.id for node in drawn.nodes if total and through[node.row - 1, node.column - 1] == total
        ),
        linearity=int(features[m.LINEARITY]) / 1000,
        mean_danger=int(features[m.MEAN_DANGER]) / 1000,
        types=types,
        safest=_extreme_route(drawn, int(features[m.LEAST_DANGER]), +1),
        riskiest=_extreme_route(drawn, int(features[m.MOST_DANGER]), -1),
        minutes=Minutes(quickest, mean, longest) if drawn.rules.seconds_by_type() else None,
    )


def _distribution(drawn: Map, kind: str) -> dict[int, int]:
    """How many routes have 0, 1, 2, … nodes of a type."""
    ahead: dict[int, Counter[int]] = {}
    for node in sorted(drawn.nodes, key=lambda node: -node.row):
        here = int(node.type == kind)
        counts: Counter[int] = Counter({here: 1}) if node.row == drawn.rows else Counter()
        for after in drawn.onward[node.id]:
            for count, routes in ahead[after].items():
                counts[count + here] += routes
        ahead[node.id] = counts
    total: Counter[int] = Counter()
    for start in drawn.starts:
        total.update(ahead[start.id])
    return dict(sorted(total.items()))


def _extreme_route(drawn: Map, danger: int, sign: int) -> Route:
    """The safest (+1) or riskiest (−1) route; among equals the leftmost."""
    points = drawn.rules.danger_by_type()
    best: dict[int, tuple[int, tuple[int, ...]]] = {}
    for node in sorted(drawn.nodes, key=lambda node: -node.row):
        cost = sign * points.get(node.type, 0)
        onward = [best[after] for after in drawn.onward[node.id] if after in best]
        if onward:
            ahead = min(onward, key=lambda entry: entry[0])
            best[node.id] = (cost + ahead[0], (node.id, *ahead[1]))
        elif node.row == drawn.rows:
            best[node.id] = (cost, (node.id,))
    found = min((best[start.id] for start in drawn.starts if start.id in best), key=lambda e: e[0], default=(0, ()))
    return Route(found[1], danger)
