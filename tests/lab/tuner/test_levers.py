"""Levers: each turns one field of one entry, and only valid content comes out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cartomancer.content.codex import Codex
from cartomancer.content.reader import CARDS
from cartomancer.content.toml_files import validated
from cartomancer.errors import CartomancerError, ContentError, UnknownNameError
from cartomancer.lab.tuner.levers import (
    CARD_NUMBERS,
    GROUPS,
    STEP_COSTS,
    USUAL_GROUPS,
    Lever,
    changed_entries,
    cost,
    groups_from,
    levers_of,
    levers_of_all,
    turned,
)
from cartomancer.lab.tuner.patch import changed_between

KINDS = {
    "auto_effects": {"rooms"},
    "pacing": {"rooms", "scenarios"},
    "dungeon_cards": {"cards"},
    "visitor_cards": {"cards"},
    "visitor_stats": {"creatures", "classes"},
    "dungeon_profile": {"profiles"},
    "visitor_profile": {"profiles"},
}


def named(levers: list[Lever], name: str) -> Lever:
    return next(lever for lever in levers if lever.id == name)


def with_effects(codex: Codex, name: str, *effects: tuple[str, int, int]) -> Codex:
    """A room with these effects (resource, change, every so many rounds) and no others."""
    room = codex.rooms[name]
    listed = [dict(zip(("resource", "change", "every"), effect, strict=True)) for effect in effects]
    made = type(room).model_validate({**room.model_dump(), "auto_effects": listed})
    return replace(codex, rooms={**codex.rooms, name: made})


def differing(before: Any, after: Any) -> set[str]:
    old, new = before.model_dump(), after.model_dump()
    return {key for key in old if old[key] != new[key]}


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("scenario", ["boar", "standard-gauntlet"])
def test_a_lever_touches_its_own_field_and_nothing_else(codex: Codex, scenario: str, group: str) -> None:
    levers = levers_of(codex, scenario, [group])
    assert levers
    for lever in levers:
        assert lever.group == group
        assert lever.kind in KINDS[group]
        step = lever.steps[-1]
        try:
            after = turned(codex, levers, {lever.id: step})
        except ContentError:
            continue  # a card that would read like another: nothing comes out
        changed = changed_between(codex, after)
        assert {kind: [entry.id for entry in entries] for kind, entries in changed.items()} == {
            lever.kind: [lever.entry]
        }
        assert differing(codex.of_kind(lever.kind)[lever.entry], changed[lever.kind][0]) == {lever.path[0]}
        assert (after.rules, after.catalog, after.thinking) == (codex.rules, codex.catalog, codex.thinking)


@pytest.mark.parametrize("scenario", ["boar", "standard-gauntlet", "guardian:rng", "boar+frenzy"])
def test_levers_have_names_of_their_own_and_come_narrowest_first(codex: Codex, scenario: str) -> None:
    levers = levers_of(codex, scenario, GROUPS)
    assert len({lever.id for lever in levers}) == len(levers)
    order = [GROUPS.index(lever.group) for lever in levers]
    assert order == sorted(order)
    assert list(STEP_COSTS.values()) == sorted(STEP_COSTS.values())
    assert all(lever.value(0) == lever.options[lever.present] and lever.steps for lever in levers)


def test_only_cards_of_the_scenarios_own_rooms_and_visitor(codex: Codex) -> None:
    levers = levers_of(codex, "boar", ["dungeon_cards", "visitor_cards"])
    scenario = codex.scenario("boar")
    decks = [*codex.room_decks(scenario), codex.creature_deck(scenario)]
    held = {card for deck in decks if deck for card in deck.cards}
    assert {lever.entry for lever in levers} <= held
    for lever in levers:
        assert codex.cards[lever.entry].side == lever.group.partition("_")[0]


def test_an_effect_is_weakened_removed_strengthened_or_added(codex: Codex) -> None:
    vitality, nerve, structure = ("vitality", -1, 1), ("nerve", -1, 2), ("structure", -1, 2)
    base = with_effects(codex, "root_hollow", vitality, nerve, structure)
    levers = levers_of(base, "boar", ["auto_effects"])

    def after(**steps: int) -> list[tuple[str, int, int]]:
        room = turned(base, levers, {f"root_hollow.{name}": step for name, step in steps.items()}).rooms["root_hollow"]
        return [(effect.resource, effect.change, effect.every) for effect in room.auto_effects]

    assert after() == [vitality, nerve, structure]
    assert after(nerve=-1) == [vitality, ("nerve", -1, 3), structure]
    assert after(nerve=-3) == [vitality, structure]
    assert after(nerve=1) == [vitality, ("nerve", -1, 1), structure]
    assert after(resolve=1, vitality=1) == [("vitality", -2, 1), nerve, structure, ("resolve", -1, 4)]
    assert after(nerve=-3, resolve=4) == [vitality, structure, ("resolve", -1, 1)]


def test_pressure_keeps_its_direction(codex: Codex) -> None:
    """A room that heals nerve may heal more or less of it, but never becomes one that drains it."""
    nerve = named(levers_of(codex, "symbiote", ["auto_effects"]), "living_root_sanctuary.nerve")
    assert nerve.value(0)["change"] > 0
    assert all(option is None or option["change"] > 0 for option in nerve.options)


def test_changes_are_said_in_words(codex: Codex) -> None:
    levers = levers_of(with_effects(codex, "root_hollow", ("nerve", -1, 2)), "boar", GROUPS)
    assert named(levers, "root_hollow.nerve").change(-1) == (
        "Root Hollow: nerve −1 every 3 rounds (was: nerve −1 every 2 rounds)"
    )
    assert named(levers, "root_hollow.veil").change(1) == "Root Hollow: veil −1 every 4 rounds (was: no veil effect)"
    power = codex.of_kind("cards")["soul_leech"].power
    told = f"Soul Leech: power {power + 1} (was: power {power})"
    assert named(levers, "soul_leech.power").change(1) == told
    limit = next(stop.round_limit for stop in codex.scenario("boar").rooms if stop.room == "root_hollow")
    assert limit is not None
    told = f"The Boar in the Maw, Root Hollow: round limit {limit + 1} (was: round limit {limit})"
    assert named(levers, "boar.root_hollow.round_limit").change(1) == told


def test_a_broader_lever_and_a_farther_step_cost_more(codex: Codex) -> None:
    levers = levers_of(codex, "boar", GROUPS)
    nerve, power = named(levers, "root_hollow.nerve"), named(levers, "soul_leech.power")
    assert nerve.cost(0) == 0
    assert [nerve.cost(1), nerve.cost(-2)] == [2, 3]
    assert power.cost(1) == 4
    assert cost(levers, {nerve.id: -2, power.id: 1}) == 7


def test_a_card_of_many_decks_costs_more_than_one_of_a_single_deck(codex: Codex) -> None:
    levers = levers_of(codex, "boar+shifting_stone=thick_wall", ["dungeon_cards"])
    for lever in levers:
        holders = [*codex.decks.values(), *codex.classes.values()]
        assert lever.shared_by == max(1, sum(lever.entry in holder.cards for holder in holders))


def test_the_scenarios_own_round_limit_is_turned_where_it_has_one(codex: Codex) -> None:
    own = {lever.kind for lever in levers_of(codex, "boar", ["pacing"])}
    rooms = {lever.kind for lever in levers_of(codex, "guardian:rng", ["pacing"])}
    assert (own, rooms) == ({"scenarios"}, {"rooms"})


def test_content_that_reads_like_another_card_is_refused(codex: Codex) -> None:
    """A point stronger, Soul Leech would say word for word what its copy says [GDD 13.1]."""
    levers = levers_of(codex, "boar", ["dungeon_cards"])
    first = codex.cards["soul_leech"]
    second = first.model_copy(update={"power": first.power + 1, "id": "copy"})
    copied = type(first).model_validate(second.model_dump())
    doubled = Codex(**{**vars(codex), "cards": {**codex.cards, "copy": copied}})
    assert turned(doubled, levers, {"soul_leech.power": 2})
    with pytest.raises(ContentError, match="reads exactly like"):
        turned(doubled, levers, {"soul_leech.power": 1})


def test_a_value_that_its_model_forbids_is_no_option(codex: Codex) -> None:
    for lever in levers_of(codex, "boar", ["dungeon_cards", "visitor_cards"]):
        if lever.path == ("cost",):
            assert min(lever.options) >= 0
            assert max(lever.options) <= (4 if getattr(codex.cards[lever.entry], "covenant", False) else 3)


OFFER = {
    "id": "test_offer",
    "title": "Test Offer",
    "summary": "A warm root, and what it asks for in return.",
    "side": "dungeon",
    "category": "offer",
    "type": "environmental",
    "cost": 1,
    "benefit": {"resource": "vitality", "amount": 4, "draw": 1},
    "price": {"type": "binding", "resource": "nerve", "amount": 1, "rounds": 3},
    "trust": 0,
}
WALL = {
    "id": "test_wall",
    "title": "Test Wall",
    "summary": "Roots knit themselves into a wall.",
    "side": "dungeon",
    "category": "reshape",
    "type": "environmental",
    "cost": 1,
    "fortify": {"resource": "structure", "amount": 2},
    "ward": 2,
}
SNARE = {
    "id": "test_snare",
    "title": "Test Snare",
    "summary": "A loop of vine that lies where a foot must go.",
    "side": "dungeon",
    "category": "trap",
    "type": "physical",
    "cost": 1,
    "springs": "strike",
    "target": "vitality",
    "power": 2,
    "energy_loss": 1,
}


@pytest.mark.parametrize(
    ("card", "options"),
    [
        (
            OFFER,
            {
                "benefit": [2, 3, 4, 5, 6],
                "benefit.draw": [1, 2, 3],
                "price": [1, 2, 3],
                "price.rounds": [1, 2, 3, 4, 5],
                "trust": [0, 1, 2],
                "cost": [0, 1, 2],
            },
        ),
        (WALL, {"fortify": [1, 2, 3, 4], "fortify.rounds": [1, 2], "ward": [1, 2, 3, 4], "cost": [0, 1, 2]}),
        (SNARE, {"power": [1, 2, 3, 4], "energy_loss": [1, 2, 3], "cost": [0, 1, 2]}),
    ],
    ids=["offer", "reshape", "trap"],
)
def test_every_number_of_a_cards_effect_is_a_lever(
    codex: Codex, card: dict[str, Any], options: dict[str, list[int]]
) -> None:
    """Within its model's limits, two steps of one either way; what an effect does not have is not added."""
    made = validated(CARDS, card, card["id"])
    deck = codex.decks[codex.rooms["root_hollow"].deck]
    held = deck.model_copy(update={"cards": {**deck.cards, made.id: 1}})
    doctored = replace(codex, cards={**codex.cards, made.id: made}, decks={**codex.decks, deck.id: held})
    levers = [lever for lever in levers_of(doctored, "boar", ["dungeon_cards"]) if lever.entry == made.id]
    numbers = {lever.id.removeprefix(f"{made.id}."): lever for lever in levers if lever.path != ("target",)}
    assert {name: list(lever.options) for name, lever in numbers.items()} == options
    for lever in numbers.values():
        changed = changed_entries(doctored, levers, {lever.id: lever.steps[0]})["cards"][made.id]
        value: Any = changed.model_dump()
        for part in lever.path:
            value = value[part]
        assert value == lever.value(lever.steps[0])


def numbers_in(fields: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, value in fields.items():
        if isinstance(value, dict):
            yield from numbers_in(value, (*path, name))
        elif isinstance(value, int) and not isinstance(value, bool) and value:
            yield (*path, name)


def test_no_number_of_any_card_is_forgotten(codex: Codex) -> None:
    """But for those of conditions: when a card does something is not how much of it."""
    for card in codex.cards.values():
        for path in numbers_in(card.model_dump()):
            assert path in CARD_NUMBERS or path[-1] == "value", (card.id, path)


def test_what_scenarios_share_is_one_lever(codex: Codex) -> None:
    names = ["boar", "moth", "standard-company"]
    levers = levers_of_all(codex, names, GROUPS)
    assert len({lever.id for lever in levers}) == len(levers)
    assert {lever.id for lever in levers} == {one.id for name in names for one in levers_of(codex, name, GROUPS)}
    order = [GROUPS.index(lever.group) for lever in levers]
    assert order == sorted(order)
    for name in names:
        for lever in levers_of(codex, name, GROUPS):
            assert lever in levers  # the same lever, whoever names it


def test_the_base_is_left_as_it_was(codex: Codex) -> None:
    before = codex.rooms["root_hollow"].model_dump()
    turned(codex, levers_of(codex, "boar", ["auto_effects"]), {"root_hollow.nerve": -3})
    assert codex.rooms["root_hollow"].model_dump() == before


def test_groups_are_named_in_any_order() -> None:
    assert groups_from(None) == USUAL_GROUPS
    assert groups_from("visitor_cards, auto_effects") == ("auto_effects", "visitor_cards")
    with pytest.raises(UnknownNameError, match="did you mean 'auto_effects'"):
        groups_from("auto_effect")
    with pytest.raises(CartomancerError, match=r"(?s)2 faults.*'auto_effect'.*'luck'"):
        groups_from("auto_effect,pacing,luck")


def test_the_ground_a_pack_is_met_on_is_turned_like_a_room(codex: Codex) -> None:
    levers = [
        lever
        for lever in levers_of(codex, "pack:grave_watch", ["auto_effects", "pacing"])
        if lever.entry == "graveyard"
    ]
    assert {lever.kind for lever in levers} == {"themes"}
    limit = named(levers, "graveyard.round_limit")
    longer = turned(codex, levers, {limit.id: 1})
    assert longer.themes["graveyard"].round_limit == codex.themes["graveyard"].round_limit + 1
