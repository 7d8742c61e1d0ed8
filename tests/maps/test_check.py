"""Checking: each rule, when broken, is named with the coordinates of what breaks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from cartomancer import maps
from cartomancer.maps import Map, families


def retyped(drawn: Map, changes: dict[int, str]) -> Map:
    return replace(drawn, nodes=tuple(replace(n, type=changes[n.id]) if n.id in changes else n for n in drawn.nodes))


def broken_rules(drawn: Map) -> set[str]:
    return {violation.rule.id for violation in maps.check(drawn).violations}


GUIDE = maps.generate("voyage", "guide", 42)
POWER = maps.generate("contract", "power", 7)
EXTENDED = next(
    drawn
    for drawn in (maps.generate("contract", "rival_extended", seed) for seed in range(99))
    if drawn.row_nodes(6)[0].type == "elite"
)
ACTS = maps.generate("guardian", "three_acts", 42)


def of_row(drawn: Map, row: int) -> int:
    return drawn.row_nodes(row)[0].id


CASES: dict[str, Callable[[], Map]] = {
    "voyage.first-row": lambda: retyped(GUIDE, {of_row(GUIDE, 1): "shop"}),
    "voyage.treasure-row": lambda: retyped(GUIDE, {of_row(GUIDE, 9): "monster"}),
    "voyage.pre-boss-ports": lambda: retyped(GUIDE, {of_row(GUIDE, 14): "monster"}),
    "voyage.boss-row": lambda: retyped(GUIDE, {of_row(GUIDE, 5): "boss"}),
    "voyage.row-ban": lambda: retyped(GUIDE, {of_row(GUIDE, 13): "port"}),
    "voyage.elite-unlock": lambda: retyped(GUIDE, {of_row(GUIDE, 5): "elite"}),
    "voyage.no-repeat": lambda: retyped(GUIDE, dict.fromkeys(next(e for e in GUIDE.edges if e[0] > 12), "shop")),
    "voyage.split-unique": lambda: retyped(
        GUIDE, dict.fromkeys(next(w for n, w in GUIDE.onward.items() if len(w) == 2 and n > 5), "event")
    ),
    "voyage.single-treasure": lambda: retyped(
        (drawn := maps.generate("voyage", "sparse", 1)),
        {next(n.id for n in drawn.nodes if n.type == "treasure"): "monster"},
    ),
    "voyage.paths": lambda: replace(GUIDE, paths=(GUIDE.paths[0], GUIDE.paths[0], *GUIDE.paths[2:])),
    "voyage.step": lambda: replace(GUIDE, edges=(*GUIDE.edges, (GUIDE.row_nodes(4)[0].id, GUIDE.row_nodes(5)[-1].id))),
    "voyage.no-crossing": lambda: replace(
        GUIDE, edges=(*GUIDE.edges, (GUIDE.row_nodes(4)[0].id, GUIDE.row_nodes(5)[-1].id))
    ),
    "map.onward": lambda: replace(GUIDE, edges=tuple(e for e in GUIDE.edges if e[0] != of_row(GUIDE, 4))),
    "map.reachable": lambda: replace(GUIDE, edges=tuple(e for e in GUIDE.edges if e[1] != of_row(GUIDE, 4))),
    "map.one-boss": lambda: retyped(POWER, {POWER.boss.id: "rest"}),
    "contract.step-table": lambda: retyped(POWER, {of_row(POWER, 3): "cache"}),
    "contract.cap": lambda: retyped(EXTENDED, {of_row(EXTENDED, 6): "rival_intrusion"}),
    "contract.relief": lambda: retyped(EXTENDED, {of_row(EXTENDED, 7): "event"}),
    "contract.requirement": lambda: retyped(POWER, {n.id: "rest" for n in POWER.nodes if n.type == "elite"}),
    "contract.guarantee": lambda: retyped(POWER, {n.id: "rest" for n in POWER.nodes if n.type == "event"}),
    "contract.lanes": lambda: replace(POWER, edges=POWER.edges[1:]),
    "guardian.floor-plan": lambda: retyped(ACTS, {of_row(ACTS, 4): "combat"}),
    "guardian.act-table": lambda: retyped(ACTS, {of_row(ACTS, 2): "shop"}),
    "guardian.run-cap": lambda: retyped(ACTS, {n.id: "rest" for n in ACTS.nodes if n.row in (2, 3, 7, 8)}),
    "guardian.act-cap": lambda: retyped(ACTS, {n.id: "elite" for n in ACTS.nodes if n.row in (2, 3)}),
    "guardian.quiet-layers": lambda: retyped(
        (drawn := maps.generate("guardian", "slice", 3)), {of_row(drawn, 2): "rest"}
    ),
    "guardian.distinct-siblings": lambda: retyped(
        (drawn := maps.generate("guardian", "composition", 42)), {n.id: "shrine" for n in drawn.nodes if n.row == 13}
    ),
    "guardian.edge-count": lambda: replace(
        (
            drawn := next(
                d for d in (maps.generate("guardian", "three_acts", s) for s in range(99)) if len(d.row_nodes(3)) == 3
            )
        ),
        edges=tuple(dict.fromkeys([*drawn.edges, *((of_row(drawn, 2), node.id) for node in drawn.row_nodes(3))])),
    ),
    "map.details": lambda: replace(
        ACTS, nodes=tuple(replace(n, details={**n.details, "act": 9}) if n.id == 3 else n for n in ACTS.nodes)
    ),
    "voyage.two-starts": lambda: replace(
        GUIDE,
        nodes=tuple(n for n in GUIDE.nodes if n.row > 1 or n.id == of_row(GUIDE, 1)),
        edges=tuple(e for e in GUIDE.edges if GUIDE.by_id[e[0]].row > 1 or e[0] == of_row(GUIDE, 1)),
        paths=(),
    ),
    "guardian.layer-size": lambda: replace(
        ACTS,
        nodes=(*ACTS.nodes, replace(ACTS.nodes[0], id=99, column=2)),
        edges=(*ACTS.edges, (99, of_row(ACTS, 2))),
    ),
}


@pytest.mark.parametrize("rule", CASES)
def test_a_broken_rule_is_named(rule: str) -> None:
    assert rule in broken_rules(CASES[rule]())


def test_every_rule_has_a_case() -> None:
    assert {rule.id for family in families.names() for rule in families.of(family).rules} == set(CASES)


def test_a_violation_names_the_coordinates_of_both_nodes() -> None:
    source, target = next(edge for edge in GUIDE.edges if edge[0] > 12)
    report = maps.check(retyped(GUIDE, {source: "shop", target: "shop"}))
    told = [str(v) for v in report.violations if v.rule.id == "voyage.no-repeat"]
    both = [f"node {n.id} (row {n.row}, column {n.column}) shop" for n in map(GUIDE.node, (source, target))]
    assert any(all(place in line for place in both) for line in told)
