"""Walking a map: what may be entered, how Unknowns resolve on the way, and saves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from cartomancer import maps
from cartomancer.errors import CartomancerError, ReplayError, SelectionError, UnknownNameError
from cartomancer.maps import families, notation
from cartomancer.maps.unknowns import UnknownResolver
from cartomancer.rng import seed_from


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


# --- neighbours of an Unknown, M30 -----------------------------------------------------------------------------------

HEEDING = {"unknown": {"ignore_adjacency": False, "base_shop": 0.4, "base_battle": 0.3}}


def types_now(journey: maps.Journey) -> dict[int, str]:
    """What each node is, entered Unknowns as what they became."""
    names = {"battle": "monster", "treasure": "treasure", "shop": "shop", "event": "event"}
    return {node.id: node.type for node in journey.map.nodes} | {n: names[o] for n, o in journey.resolved.items()}


def forbidden_beside(journey: maps.Journey, node: int) -> set[str]:
    """What adjacency rules forbid a node, written again from the document [Voyage P2]."""
    drawn, now = journey.map, types_now(journey)
    near = {now[other] for other in (*drawn.back[node], *drawn.onward[node])} & set(drawn.rules.no_repeat)
    siblings = {other for parent in drawn.back[node] for other in drawn.onward[parent]} - {node}
    return near | ({now[other] for other in siblings} if drawn.rules.split_unique else set())


@pytest.mark.parametrize(
    "more", [{}, {"split_unique": False}, {"no_repeat": []}, {"no_repeat": ["monster", "shop", "treasure"]}]
)
def test_an_unknown_becomes_nothing_that_its_neighbours_forbid(more: dict[str, Any]) -> None:
    banned: set[str] = set()
    for seed in range(60):
        journey = maps.Journey(maps.generate("voyage", "guide", seed, {**HEEDING, **more}))
        while not journey.over:
            before, choice = journey, journey.available()[-1].id
            journey = journey.select("host", choice)
            if choice in journey.resolved:
                now, forbidden = types_now(journey)[choice], forbidden_beside(before, choice)
                *_, (_, found) = journey.resolutions()
                words = {"battle": "monster"}
                assert {words.get(name, name) for name in found.banned} == forbidden & {"monster", "treasure", "shop"}
                assert now == "event" or now not in forbidden
                banned |= {*found.banned}
    assert banned >= ({"shop"} if more == {"split_unique": False} else {"battle"})


def test_shop_unknown_shop_may_be_unless_adjacency_is_heeded() -> None:
    """[Voyage P7, test 8], M30; by preset overrides and by what Python hands over alike."""

    def repeats(overrides: dict[str, Any]) -> int:
        found = 0
        for seed in range(150):
            *_, journey = to_the_end(maps.Journey(maps.generate("voyage", "guide", seed, overrides)))
            now = types_now(journey)
            found += sum(
                now[one] == now[two] == "shop"
                for one, two in pairwise(journey.visited)
                if "unknown" in (journey.map.node(one).type, journey.map.node(two).type)
            )
        return found

    assert repeats({"unknown": {"base_shop": 0.4}}) > 20
    assert repeats({"unknown": {"base_shop": 0.4, "ignore_adjacency": False}}) == 0


# --- several acts, M31 -----------------------------------------------------------------------------------------------


SEED = 11  # of a run with Unknowns in every act


def through_acts(acts: int, scope: str = "per_act") -> maps.Journey:
    """A run through so many acts, to the last boss."""
    drawn = maps.generate("voyage", "guide", SEED, {"unknown": {"pity_scope": scope}})
    *_, journey = to_the_end(maps.Journey(drawn))
    for _ in range(acts - 1):
        *_, journey = to_the_end(journey.next_act())
    return journey


def test_every_act_has_a_map_of_its_own_that_the_runs_seed_decides() -> None:
    run = through_acts(3)
    rules = run.map.rules
    expected = [SEED, *(seed_from(f"{SEED} act {act}") for act in (2, 3))]
    assert [way.map.seed for way in run.ways] == expected
    assert [way.map for way in run.ways] == [maps.generate_from(rules, run.map.preset, seed) for seed in expected]
    assert (run.act, len(run.earlier)) == (3, 2)
    assert through_acts(3) == run


@pytest.mark.parametrize("scope", ["per_act", "per_run"])
def test_pity_goes_on_through_acts_or_starts_again_with_each(scope: str) -> None:
    run = through_acts(3, scope=scope)
    told = [found for _, found in run.resolutions()]
    assert [found.visit for found in told] == list(range(1, len(told) + 1))
    assert {found.act for found in told} == {1, 2, 3}
    resolver = UnknownResolver(SEED, run.map.rules.unknown)
    pity = (0, 0, 0)
    for before, found in zip([told[0], *told], told, strict=False):
        new_act = before.act != found.act
        assert found.pity_before == ((0, 0, 0) if new_act and scope == "per_act" else pity)
        pity = found.pity_after
        resolver.enter_act(found.act)
        assert resolver.visit() == found
    first_of_act = [found for before, found in pairwise(told) if before.act < found.act]
    assert len(first_of_act) == 2
    assert all(any(found.pity_before) == (scope == "per_run") for found in first_of_act)


def test_a_run_through_acts_is_saved_at_any_point_and_goes_on() -> None:
    journey = maps.Journey(maps.generate("voyage", "guide", 8, {"unknown": {"pity_scope": "per_run"}}))
    journey = journey.force_next("treasure")
    for _ in range(2):
        *_, journey = to_the_end(journey)
        assert through_json(journey) == journey
        journey = journey.next_act()
        assert through_json(journey) == journey
    assert through_json(journey.force_next("shop")) == journey.force_next("shop")
    assert [way.forced for way in journey.ways] == [(next(iter(journey.ways[0].resolved)),), (), ()]


def test_what_is_forced_waits_for_the_next_act_if_no_unknown_comes() -> None:
    *_, journey = to_the_end(maps.Journey(maps.generate("voyage", "guide", SEED)))
    *_, journey = to_the_end(journey.force_next("treasure").next_act())
    assert journey.forced == (next(iter(journey.resolved)),)
    assert journey.resolved[journey.forced[0]] == "treasure"
    assert through_json(journey) == journey


def test_an_act_may_be_played_on_a_map_that_is_given() -> None:
    *_, first_act = to_the_end(maps.Journey(maps.generate("voyage", "guide", 5)))
    hard = maps.generate("voyage", "brutal", 9, {"unknown": {"base_battle": 1.0}})
    *_, journey = to_the_end(first_act.next_act(hard))
    assert set(journey.resolved.values()) == {"battle"}
    assert through_json(journey) == journey
    with pytest.raises(SelectionError, match="contract map follows one on a voyage"):
        first_act.next_act(maps.generate("contract", seed=5))


def test_an_act_begins_when_the_one_before_is_over_and_only_on_voyages() -> None:
    with pytest.raises(SelectionError, match="act 1 is not over: its boss"):
        maps.Journey(maps.generate("voyage", seed=5)).next_act()
    for family in ("contract", "guardian"):
        *_, over = to_the_end(maps.Journey(maps.generate(family, seed=5)))
        with pytest.raises(SelectionError, match=f"a run on a {family} map is over with it"):
            over.next_act()


def test_a_save_from_before_there_were_acts_is_still_read(far: maps.Journey) -> None:
    saved = far.save()
    old = {key: value for key, value in saved.items() if key != "earlier"} | {"format": "cartomancer.journey/2"}
    old["unknowns"] = {**old["unknowns"], "rules": {**old["unknowns"]["rules"]}}
    del old["unknowns"]["rules"]["ignore_adjacency"]
    assert maps.Journey.load(old) == far


FORGED_ACTS: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "no acts": ("earlier", lambda saved: saved.pop("earlier")),
    "acts by number": ("earlier", lambda saved: saved.update(earlier=[1, 2])),
    "an act left out": ("unknowns.", lambda saved: saved["earlier"].pop()),
    "an act too many": ("unknowns.", lambda saved: saved["earlier"].append(saved["earlier"][0])),
    "an act that is not over": ("earlier[1].map", lambda saved: saved["earlier"][0]["visited"].pop()),
    "a leap in an act": ("earlier[0].visited[1]", lambda saved: saved["earlier"][0]["visited"].insert(1, 50)),
    "a dragon in an act": (
        "earlier[1].resolved.",
        lambda saved: saved["earlier"][1].update(resolved={"1": "dragon"}),
    ),
    "an outcome of an act": (
        "earlier[0].resolved.0",
        lambda saved: saved["earlier"][0].update(resolved={"0": "shop"}),
    ),
    "forced in an act": ("earlier[0].forced", lambda saved: saved["earlier"][0].update(forced=[0])),
    "no map of an act": ("earlier[0].map", lambda saved: saved["earlier"][0].update(map=None)),
    "pity of another scope": ("unknowns.pity", lambda saved: saved["unknowns"].update(pity=[0, 0, 0])),
    "another act": ("unknowns.act", lambda saved: saved["unknowns"].update(act=2)),
    "another run's seed": ("unknowns.seed", lambda saved: saved["unknowns"].update(seed=saved["map"]["seed"])),
}


@pytest.fixture(scope="module")
def third_act() -> maps.Journey:
    """Two acts and the way to an Unknown of the third, under pity that goes on."""
    return next(journey for journey in to_the_end(through_acts(2, scope="per_run").next_act()) if journey.resolved)


@pytest.mark.parametrize("name", FORGED_ACTS)
def test_forged_acts_are_refused_by_their_field(third_act: maps.Journey, name: str) -> None:
    field, forge = FORGED_ACTS[name]
    saved = json.loads(json.dumps(third_act.save()))
    assert maps.Journey.load(saved) == third_act
    forge(saved)
    with pytest.raises(ReplayError) as caught:
        maps.Journey.load(saved, "walk.json")
    assert any(fault.field.startswith(field) for fault in caught.value.faults), caught.value
