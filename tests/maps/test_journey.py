"""Walking a map: what may be entered, how Unknowns resolve on the way, and saves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from cartomancer import maps
from cartomancer.errors import CartomancerError, ReplayError, SelectionError, UnknownNameError
from cartomancer.maps import families, notation
from cartomancer.maps.unknowns import UnknownResolver


def to_the_end(journey: maps.Journey) -> Iterator[maps.Journey]:
    while not journey.over:
        journey = journey.select(journey.host, journey.available()[0].id)
        yield journey


def test_before_the_first_choice_the_first_row_is_open() -> None:
    drawn = maps.generate("voyage", seed=5)
    assert maps.available(drawn, maps.START) == drawn.starts
    assert maps.available(drawn, drawn.boss.id) == []


def test_a_node_that_does_not_exist_cannot_be_entered() -> None:
    with pytest.raises(SelectionError, match="there is no node 999"):
        maps.select(maps.generate("voyage", seed=5), maps.START, 999)


def test_unknowns_on_the_way_resolve_in_order_of_entry() -> None:
    drawn = maps.generate("voyage", seed=5)
    *_, journey = to_the_end(maps.Journey(drawn))
    entered = [drawn.node(node) for node in journey.visited if drawn.node(node).type == "unknown"]
    resolver = UnknownResolver(5, drawn.rules.unknown)
    told = [resolver.visit(drawn.rules.banned_types(node.row)).outcome for node in entered]
    assert len(entered) >= 2
    assert list(journey.resolved.items()) == [(node.id, outcome) for node, outcome in zip(entered, told, strict=True)]


def test_a_journey_saved_at_any_point_ends_as_if_it_had_never_stopped() -> None:
    whole = list(to_the_end(maps.Journey(maps.generate("voyage", seed=8))))
    for journey in whole:
        resumed = maps.Journey.load(json.loads(json.dumps(journey.save())))
        assert resumed == journey
        *_, last = [resumed, *to_the_end(resumed)]
        assert last == whole[-1]


def test_the_next_unknown_can_be_forced() -> None:
    journey = maps.Journey(maps.generate("voyage", seed=5)).force_next("shop")
    *_, last = to_the_end(journey)
    assert next(iter(last.resolved.values())) == "shop"
    with pytest.raises(UnknownNameError):
        journey.force_next("boat")
    with pytest.raises(SelectionError, match="no Unknowns"):
        maps.Journey(maps.generate("contract", seed=5)).force_next("shop")


@pytest.mark.parametrize(
    "damage",
    [
        {"format": "x"},
        {"visited": [50, 3]},
        {"visited": "abc"},
        {"map": "voyage:guide"},
        {"map": "voyage:guide:5:00000000"},
        {"host": "nobody"},
        {"resolved": 7},
        {"unknowns": {"seed": 1}},
    ],
)
def test_a_damaged_save_is_refused(damage: dict[str, object]) -> None:
    journey = next(to_the_end(maps.Journey(maps.generate("voyage", seed=5))))
    with pytest.raises(CartomancerError):
        maps.Journey.load({**journey.save(), **damage})


# --- saves hold their map --------------------------------------------------------------------------------------------


def edited(drawn: maps.Map, kind: str = "shop") -> maps.Map:
    """The map with another type on the first unlocked node of its third row."""
    chosen = next(node for node in drawn.row_nodes(3) if node.type != kind)
    nodes = tuple(replace(node, type=kind) if node is chosen else node for node in drawn.nodes)
    return replace(drawn, nodes=nodes)


def through_json(journey: maps.Journey) -> maps.Journey:
    return maps.Journey.load(json.loads(json.dumps(journey.save())))


@pytest.mark.parametrize("family", families.names())
def test_a_journey_on_an_edited_or_repaired_map_comes_back_on_this_map(family: str) -> None:
    drawn = edited(maps.generate(family, seed=5))
    for one in (drawn, maps.repair(drawn).map):
        journey = maps.Journey(one)
        assert through_json(journey) == journey
        assert through_json(journey).map == one


@pytest.mark.parametrize("family", families.names())
def test_a_notation_is_written_only_where_it_regenerates_exactly_this_map(family: str) -> None:
    drawn = maps.generate(family, seed=5)
    assert maps.to_dict(drawn)["notation"] == drawn.notation == maps.Journey(drawn).save()["map"]["notation"]
    assert maps.notation_of(maps.marked(drawn, [drawn.starts[0].id])) == drawn.notation
    for other in (
        edited(drawn),
        replace(drawn, preset="no_such_preset"),
        replace(drawn, edges=drawn.edges[1:]),
        replace(drawn, details={**drawn.details, "note": "by hand"}),
    ):
        assert maps.notation_of(other) is None
        assert "notation" not in maps.to_dict(other)
        assert maps.from_json(maps.to_json(other)) == other


def test_a_save_says_what_differs_from_what_its_notation_gives() -> None:
    drawn = edited(maps.generate("voyage", seed=5))
    assert maps.Journey(maps.generate("voyage", seed=5)).differences() == []
    (line,) = maps.Journey(drawn).differences()
    assert "row 3" in line
    assert "shop in this map" in line


def test_a_save_survives_changed_rules_and_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    journey = next(to_the_end(maps.Journey(maps.generate("voyage", "guide", seed=8))))
    saved = json.loads(json.dumps(journey.save()))
    whole = maps.generate("voyage", "guide", 8, {"rows": 20, "unknown": {"base_shop": 0.5}})
    monkeypatch.setattr(notation.generation, "generate", lambda *_: replace(whole, preset="guide"))
    resumed = maps.Journey.load(saved)
    assert resumed == journey
    told = "\n".join(resumed.differences())
    assert f"rule rows: {journey.map.rules.rows} in this map, 20 today" in told
    assert "rule unknown.base_shop" in told
    assert "notation" not in resumed.save()["map"]
    assert through_json(resumed) == journey


@pytest.mark.parametrize("family", ["contract", "guardian"])
def test_a_save_survives_a_changed_catalog_and_says_so(monkeypatch: pytest.MonkeyPatch, family: str) -> None:
    situation = maps.Situation("high", "wary", ("injury",)) if family == "contract" else None
    journey = maps.Journey(maps.generate(family, seed=5, situation=situation))
    saved = json.loads(json.dumps(journey.save()))
    monkeypatch.setattr(type(families.of(family)), "catalog_digest", lambda *_: "0badc0de")
    monkeypatch.setattr("cartomancer.maps.stakes.Situation.check", refuse)
    resumed = maps.Journey.load(saved)
    assert resumed == journey
    assert maps.Journey.load(json.loads(json.dumps(resumed.save()))) == journey, "saved again it is still readable"
    monkeypatch.setattr("cartomancer.maps.stakes.Situation.check", lambda *_: None)
    assert any("catalog" in line for line in resumed.differences())


def refuse(situation: maps.Situation, catalog: object) -> None:
    raise UnknownNameError("hook", "injury", [])


def test_a_save_by_notation_is_still_read() -> None:
    journey = maps.Journey(maps.generate("voyage", seed=8)).force_next("shop")
    for moved in to_the_end(journey):
        saved = moved.save()
        old = {key: value for key, value in saved.items() if key != "forced"}
        old |= {"format": "cartomancer.journey/1", "map": moved.map.notation}
        assert maps.Journey.load(old) == moved


# --- a save is checked -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def far() -> maps.Journey:
    """A journey that has met two Unknowns."""
    return next(
        journey for journey in to_the_end(maps.Journey(maps.generate("voyage", seed=5))) if len(journey.resolved) == 2
    )


def first(saved: dict[str, Any]) -> str:
    return next(iter(saved["resolved"]))


FORGERIES: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "a dragon": ("resolved.", lambda saved: saved["resolved"].update({first(saved): "dragon"})),
    "another outcome": (
        "resolved.",
        lambda saved: saved["resolved"].update(
            {first(saved): {"event": "shop"}.get(saved["resolved"][first(saved)], "event")}
        ),
    ),
    "an outcome too many": ("resolved.0", lambda saved: saved["resolved"].update({"0": "shop"})),
    "an outcome too few": ("resolved.", lambda saved: saved["resolved"].pop(first(saved))),
    "an outcome of no node": ("resolved.x", lambda saved: saved["resolved"].update({"x": "shop"})),
    "negative pity": ("unknowns.pity", lambda saved: saved["unknowns"].update(pity=[-1, 0, 0])),
    "too much pity": ("unknowns.pity", lambda saved: saved["unknowns"].update(pity=[2, 2, 3])),
    "pity beyond counting": ("unknowns.pity", lambda saved: saved["unknowns"].update(pity=[10**12, 0, 0])),
    "pity of two": ("unknowns.pity", lambda saved: saved["unknowns"].update(pity=[0, 0])),
    "pity by halves": ("unknowns.pity", lambda saved: saved["unknowns"].update(pity=[0.5, 0, True])),
    "another seed": ("unknowns.seed", lambda saved: saved["unknowns"].update(seed=6)),
    "no seed": ("unknowns.seed", lambda saved: saved["unknowns"].update(seed=-1)),
    "other visits": ("unknowns.visits", lambda saved: saved["unknowns"].update(visits=9)),
    "another act": ("unknowns.act", lambda saved: saved["unknowns"].update(act=2)),
    "other rules": ("unknowns.rules", lambda saved: saved["unknowns"]["rules"].update(base_shop=1.0)),
    "no rules": ("unknowns.rules", lambda saved: saved["unknowns"].update(rules={"base_shop": "x"})),
    "a forced dragon": ("unknowns.forced", lambda saved: saved["unknowns"].update(forced="dragon")),
    "no resolver": ("unknowns", lambda saved: saved.update(unknowns=None)),
    "a list for a resolver": ("unknowns", lambda saved: saved.update(unknowns=[])),
    "forced where nothing is Unknown": ("forced", lambda saved: saved.update(forced=[0])),
    "forced by name": ("forced", lambda saved: saved.update(forced=["0"])),
    "a leap": ("visited[1]", lambda saved: saved["visited"].insert(1, 50)),
    "a node twice": ("visited[1]", lambda saved: saved["visited"].insert(1, saved["visited"][0])),
    "a boolean way": ("visited", lambda saved: saved.update(visited=[False])),
    "nobody": ("players", lambda saved: saved.update(players=[])),
    "somebody twice": ("players", lambda saved: saved.update(players=["host", "host"])),
    "players by number": ("players", lambda saved: saved.update(players=[1, 2])),
    "a stranger as host": ("host", lambda saved: saved.update(host="nobody")),
    "another seed for the map": ("unknowns.seed", lambda saved: saved["map"].update(seed=6)),
    "a map without nodes": ("map.nodes", lambda saved: saved["map"].update(nodes=[])),
    "no map": ("map", lambda saved: saved.update(map=None)),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_save_is_refused_by_its_field(far: maps.Journey, name: str) -> None:
    field, forge = FORGERIES[name]
    saved = json.loads(json.dumps(far.save()))
    assert maps.Journey.load(saved) == far
    forge(saved)
    with pytest.raises(ReplayError) as caught:
        maps.Journey.load(saved, "walk.json")
    assert any(fault.field.startswith(field) for fault in caught.value.faults), caught.value
    assert all(fault.where == "walk.json" for fault in caught.value.faults)


def test_every_fault_of_a_save_is_named_at_once(far: maps.Journey) -> None:
    saved = json.loads(json.dumps(far.save()))
    saved |= {"format": "x", "players": 7, "visited": "abc", "resolved": {"1": "dragon"}, "unknowns": {"seed": 1}}
    with pytest.raises(ReplayError) as caught:
        maps.Journey.load(saved)
    fields = {fault.field for fault in caught.value.faults}
    assert {"format", "players", "visited", "resolved.1", "unknowns.pity", "unknowns.visits", "unknowns.rules"} <= {
        *fields,
        *(field[: len("unknowns.rules")] for field in fields),
    }


@pytest.mark.parametrize("data", [None, [], "x", 7, {}])
def test_what_is_no_save_is_refused(data: object) -> None:
    with pytest.raises(ReplayError):
        maps.Journey.load(data)
    with pytest.raises(ReplayError):
        UnknownResolver.load(data)


def test_a_forced_unknown_is_known_as_forced_and_comes_back() -> None:
    drawn = maps.generate("voyage", seed=5)
    for outcome in maps.UNKNOWN_OUTCOMES:
        *_, journey = to_the_end(maps.Journey(drawn).force_next(outcome))
        assert journey.forced == (next(iter(journey.resolved)),)
        assert through_json(journey) == journey
        waiting = journey.force_next(outcome)
        assert through_json(waiting) == waiting
