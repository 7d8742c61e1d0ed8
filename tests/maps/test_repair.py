"""Repair: only offending, unlocked nodes change, and more than 99 in 100 corrupted maps are mended [Voyage P5]."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cartomancer import codes, maps
from cartomancer.content import load_preset
from cartomancer.errors import CartomancerError
from cartomancer.maps import families
from cartomancer.rng import Stream

CASES = [
    ("voyage", "guide"),
    ("voyage", "spire"),
    ("voyage", "sparse"),
    ("contract", "standard"),
    ("contract", "power"),
    ("contract", "rival_extended"),
    ("contract", "recovery_standard"),
    ("guardian", "three_acts"),
    ("guardian", "slice"),
    ("guardian", "composition"),
]


def corrupted(drawn: maps.Map, stream: Stream, nodes: int) -> maps.Map:
    """The map with some unlocked nodes given random types of the family."""
    unlocked = [node.id for node in drawn.nodes if not node.locked]
    chosen = set(stream.sample(unlocked, nodes))
    kinds = families.of(drawn.family).kinds
    return replace(
        drawn,
        nodes=tuple(
            replace(node, type=stream.pick(kinds), forced=None) if node.id in chosen else node for node in drawn.nodes
        ),
    )


@pytest.mark.parametrize(("family", "preset"), CASES)
def test_more_than_99_in_100_corrupted_maps_are_mended(family: str, preset: str) -> None:
    """400 maps with 1 to 12 random types; fewer than 4 may keep a violation or need a waiver."""
    rules, stream = load_preset(family, preset), Stream(1, codes.STREAM_WALK)
    failed, touched = 0, 0
    for seed in range(400):
        broken = corrupted(maps.generate_from(rules, preset, seed), stream, 1 + stream.below(12))
        report = maps.check(broken)
        result = maps.repair(broken)
        touched += not report.ok
        failed += not result.ok or bool(result.left.waivers)
        assert all(change.node is not None and not broken.by_id[change.node].locked for change in result.changes)
        if report.ok:
            assert result.changes == ()
    assert touched > 100
    assert failed < 4


@pytest.mark.parametrize("preset", ["guide", "spire"])
def test_only_offending_nodes_are_retyped(preset: str) -> None:
    rules, stream = load_preset("voyage", preset), Stream(2, codes.STREAM_WALK)
    for seed in range(100):
        broken = corrupted(maps.generate_from(rules, preset, seed), stream, 3)
        offending = {node.id for violation in maps.check(broken).violations for node in violation.nodes}
        result = maps.repair(broken)
        assert {change.node for change in result.changes} <= offending


def test_locked_nodes_and_edges_are_reported_not_touched() -> None:
    drawn = maps.generate("voyage", seed=4)
    locked = next(node for node in drawn.nodes if node.row == 1)
    broken = replace(
        drawn,
        nodes=tuple(replace(node, type="shop") if node is locked else node for node in drawn.nodes),
        edges=drawn.edges[:-1],
        paths=(),
    )
    result = maps.repair(broken)
    assert not result.ok
    assert result.map == broken
    assert {violation.rule.id for violation in result.left.violations} >= {"voyage.first-row", "map.onward"}


def test_an_unlocked_node_of_a_fixed_row_gets_the_rows_type_back() -> None:
    drawn = maps.generate("voyage", seed=4)
    node = drawn.row_nodes(9)[0]
    broken = replace(drawn, nodes=tuple(replace(n, type="shop", locked=False) if n is node else n for n in drawn.nodes))
    assert maps.repair(broken).map.by_id[node.id].type == "treasure"


def test_a_node_that_became_a_shop_gets_its_stock() -> None:
    stocked = 0
    for seed in range(60):
        drawn = maps.generate("contract", "standard", seed)
        broken = corrupted(drawn, Stream(seed, codes.STREAM_WALK), 4)
        for node in maps.repair(broken).map.nodes:
            assert (node.type == "shop") == ("stock" in node.details)
            stocked += node.type == "shop"
    assert stocked


def test_the_same_damage_is_mended_the_same_way() -> None:
    broken = corrupted(maps.generate("voyage", seed=4), Stream(3, codes.STREAM_WALK), 8)
    assert maps.repair(broken).map == maps.repair(broken).map


def said(drawn: maps.Map) -> dict[int | None, dict[str, object]]:
    """Everything the map says, by node; what it says as a whole under None."""
    marks = ("type", "locked", "forced", "waived")
    found: dict[int | None, dict[str, object]] = {None: dict(drawn.details)}
    for node in drawn.nodes:
        found[node.id] = {**{mark: getattr(node, mark) for mark in marks}, **node.details}
    return found


@pytest.mark.parametrize(("family", "preset"), CASES)
def test_everything_that_a_repair_changed_is_listed(family: str, preset: str) -> None:
    stream, changed = Stream(5, codes.STREAM_WALK), 0
    for seed in range(40):
        broken = corrupted(maps.generate(family, preset, seed), stream, 3)
        result = maps.repair(broken)
        before, after = said(broken), said(result.map)
        found = {
            (node, field)
            for node in before
            for field in {*before[node], *after[node]}
            if before[node].get(field, "absent") != after[node].get(field, "absent")
        }
        assert {(change.node, change.field) for change in result.changes} == found
        changed += len(found)
    assert changed


def with_details(drawn: maps.Map, changes: dict[int, dict[str, object]]) -> maps.Map:
    nodes = (replace(n, details={**n.details, **changes.get(n.id, {})}) for n in drawn.nodes)
    return replace(drawn, nodes=tuple(nodes))


def test_a_repair_leaves_the_contents_of_other_nodes_alone() -> None:
    """A designer's own choice of enemies stays when another node is mended."""
    drawn, other = (maps.generate("guardian", "three_acts", seed) for seed in (7, 8))
    entrance = drawn.nodes[0].id
    edited = with_details(drawn, {entrance: {"encounter": other.nodes[0].details["encounter"], "music": "drums"}})
    free = next(node for node in edited.nodes if not node.locked)
    broken = replace(edited, nodes=tuple(replace(n, type="boss") if n is free else n for n in edited.nodes))
    result = maps.repair(broken)
    assert result.ok
    assert result.map.by_id[entrance] == edited.by_id[entrance]
    assert {change.node for change in result.changes} == {free.id}
    assert maps.repair(edited).map == edited


def test_forged_contents_are_rolled_anew_and_locks_put_back() -> None:
    for family, preset in (("guardian", "three_acts"), ("contract", "rival_standard"), ("voyage", "guide")):
        drawn = maps.generate(family, preset, 7)
        junk: dict[str, object] = dict.fromkeys(families.of(family).node_schema, -5)
        forged = with_details(drawn, {node.id: junk for node in drawn.nodes})
        forged = replace(forged, nodes=tuple(replace(node, locked=False) for node in forged.nodes))
        if family == "contract":
            forged = replace(forged, details={**forged.details, "boss_traits": ["kind"]})
        result = maps.repair(forged)
        assert result.ok, result.left
        assert result.map == drawn
        assert any(change.field == "locked" for change in result.changes)


def tangled(attempts: int | None = None) -> maps.Map:
    """A map of types that hardly fit together, all of its free nodes shops: one attempt does not mend it."""
    bands = [{"name": "all", "until_percent": 100, "odds": {"monster": 5, "shop": 5, "event": 1}}]
    rules = {"bands": bands, **({} if attempts is None else {"repair_attempts": attempts})}
    drawn = maps.generate("voyage", "guide", 4, rules)
    return replace(drawn, nodes=tuple(node if node.locked else replace(node, type="shop") for node in drawn.nodes))


def test_repair_gives_up_after_as_many_attempts_as_rules_or_caller_say() -> None:
    """[Voyage P5]: Monster as a last resort after K attempts, logged as a waiver."""
    whole = maps.repair(tangled())
    assert tangled().rules.repair_attempts == 64
    needed = whole.attempts
    assert 1 < needed < 64
    assert not whole.left.waivers
    for few in (1, needed - 1):
        by_rule, by_call = maps.repair(tangled(few)), maps.repair(tangled(), attempts=few)
        assert by_rule.attempts == by_call.attempts == few
        assert by_rule.map.nodes == by_call.map.nodes
        assert by_rule.left.waivers
    assert maps.repair(tangled(1), attempts=64).map.nodes == whole.map.nodes
    with pytest.raises(CartomancerError, match="at least one attempt, not 0"):
        maps.repair(tangled(), attempts=0)
