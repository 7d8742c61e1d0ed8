"""Telemetry: every number is reckoned again from the map, its explanations and a resolver of one's own [Voyage P6]."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from cartomancer import maps
from cartomancer.codes import STREAM_SKELETON, STREAM_TREASURE, STREAM_TYPES
from cartomancer.maps import families
from cartomancer.rng import Stream

SOURCES = [*((family, seed) for family in families.names() for seed in (8, 42)), ("voyage", 386)]


def to_the_end(journey: maps.Journey) -> maps.Journey:
    while not journey.over:
        journey = journey.select("host", journey.available()[0].id)
    return journey


@pytest.mark.parametrize(("family", "seed"), SOURCES)
def test_typing_is_counted_as_the_explanations_of_all_nodes_tell_it(family: str, seed: int) -> None:
    drawn = maps.generate(family, seed=seed)
    (told,) = maps.telemetry(maps.Journey(drawn))
    found = [maps.explain(drawn, node.id) for node in drawn.nodes]
    assert told.counts == Counter(node.type for node in drawn.nodes)
    assert told.rolled_nodes == sum(bool(one.choices) for one in found)
    assert told.rolls == sum(len(one.rolls) for one in found)
    assert told.rerolls == sum(one.rerolls for one in found)
    assert told.narrowed == sum(one.narrowed_to is not None for one in found)
    assert told.reroll_rate == pytest.approx(told.rerolls / told.rolls)
    assert (told.violations, told.waivers, told.resolves) == ((), (), ())


def test_re_rolls_narrowing_and_searches_all_come_to_be_counted() -> None:
    bands = [{"name": "all", "until_percent": 100, "odds": {"monster": 50, "unknown": 50, "elite": 3}}]
    rules = {"bands": bands, "columns": 5, "paths": 8, "rerolls": 1}
    counted = []
    for seed in range(386, 390):
        drawn = maps.generate("voyage", "guide", seed, rules)
        (told,) = maps.telemetry(maps.Journey(drawn))
        facts = maps.audit(drawn.rules, "x", 1, first_seed=seed)["typing"]
        assert (told.rerolls, told.searches, len(told.waivers)) == (
            facts["rerolls"],
            facts["searches"],
            facts["waivers"],
        )
        counted.append((told.rerolls, told.narrowed, told.searches))
    assert all(map(sum, zip(*counted, strict=True)))


def test_seeds_are_those_everything_is_drawn_from() -> None:
    journey = to_the_end(to_the_end(maps.Journey(maps.generate("voyage", seed=8))).next_act())
    for told, way in zip(maps.telemetry(journey), journey.ways, strict=True):
        assert (told.seed, told.notation, told.unknown_seed) == (way.map.seed, way.map.notation, 8)
        assert told.streams == {
            "skeleton": Stream(way.map.seed, STREAM_SKELETON).state,
            "types": Stream(way.map.seed, STREAM_TYPES).state,
            "treasure": Stream(way.map.seed, STREAM_TREASURE).state,
        }
        assert maps.read_notation(told.notation) == way.map


@pytest.mark.parametrize("scope", ["per_act", "per_run"])
def test_pity_is_told_at_each_resolve(scope: str) -> None:
    """The counters follow from the outcomes alone: visits since the last of each, in the act or in the run."""
    start = maps.Journey(maps.generate("voyage", "guide", 11, {"unknown": {"pity_scope": scope}}))
    journey = to_the_end(to_the_end(start.force_next("shop")).next_act())
    pity, seen = [0, 0, 0], []
    for act, (told, way) in enumerate(zip(maps.telemetry(journey), journey.ways, strict=True), 1):
        if scope == "per_act":
            pity = [0, 0, 0]
        assert [(node.id, found.outcome) for node, found in told.resolves] == list(way.resolved.items())
        assert [node.id for node, found in told.resolves if found.forced] == list(way.forced)
        for node, found in told.resolves:
            assert (found.act, way.map.node(node.id), found.pity_before) == (act, node, tuple(pity))
            names = ("battle", "treasure", "shop")
            pity = [0 if found.outcome == name else n + 1 for name, n in zip(names, pity, strict=True)]
            assert found.pity_after == tuple(pity)
            seen.append(found)
    assert seen[0].forced
    assert len({found.act for found in seen}) == 2


def test_violations_of_an_edited_map_are_told() -> None:
    drawn = maps.generate("voyage", seed=5)
    chosen = next(node for node in drawn.row_nodes(13) if not node.locked)
    edited = replace(drawn, nodes=tuple(replace(n, type="port") if n is chosen else n for n in drawn.nodes))
    (told,) = maps.telemetry(maps.Journey(edited))
    assert told.violations == maps.check(edited).violations
    assert "voyage.row-ban" in {violation["rule"] for violation in told.as_dict()["violations"]}
    assert told.counts["port"] == sum(node.type == "port" for node in edited.nodes)
