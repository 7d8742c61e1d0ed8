"""Walking a map: what may be entered, how Unknowns resolve on the way, and saves."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from cartomancer import maps
from cartomancer.errors import CartomancerError, SelectionError, UnknownNameError
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
