"""Effects that speak of the card game: each code takes the fields it reads and no others, and says what it does."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from pydantic import ValidationError

from cartomancer.content.codex import load_codex
from cartomancer.content.models.effects import EFFECTS, READ_BY_SOME, Effect, EffectCode, Equipment, RoomItem
from cartomancer.content.models.vocabulary import Condition

BRAVE = {"when": "self_above", "resource": "nerve", "value": 50}
REDUCER = {"code": "reducer", "side": "party", "value": 2, "resource": "vitality"}
SPLASH = {"code": "splash", "side": "party", "value": 1, "resource": "veil"}
RESCUE = {"code": "rescue", "side": "party", "value": 2, "below_percent": 30}
GRANT = {"code": "grant_keyword", "side": "enemies", "value": 1, "keyword": "drain"}
PANIC = {"code": "panic_immunity", "side": "party", "value": 1}
CONTEST = {"code": "contest", "side": "party", "value": 1}


def effect(fields: dict[str, Any], **more: Any) -> Effect:
    return Effect.model_validate({**fields, **more})


@pytest.mark.parametrize(
    ("fields", "phrase"),
    [
        (REDUCER, "the party gains 2 vitality"),
        ({**REDUCER, "value": -1, "resource": "nerve"}, "the party loses 1 nerve"),
        ({**REDUCER, "condition": BRAVE}, "the party gains 2 vitality while its nerve is above 50 %"),
        ({**REDUCER, "target": "targeted"}, "one chosen teammate gains 2 vitality"),
        (
            {**REDUCER, "target": "targeted", "condition": {"when": "self_betrayed"}},
            "one chosen teammate gains 2 vitality while the party is Betrayed",
        ),
        (
            {**REDUCER, "condition": {"when": "hand_at_least", "value": 5}},
            "the party gains 2 vitality while it holds 5 or more cards",
        ),
        (
            {**REDUCER, "condition": {"when": "opponent_entangled"}},
            "the party gains 2 vitality while the dungeon is Entangled",
        ),
        ({**REDUCER, "side": "enemies", "resource": "structure"}, "the dungeon gains 2 structure"),
        (SPLASH, "Strikes of the party also deal 1 veil damage when they hit"),
        ({**SPLASH, "type": "physical"}, "Physical Strikes of the party also deal 1 veil damage when they hit"),
        (
            {**SPLASH, "side": "enemies", "resource": "nerve"},
            "Strikes of the dungeon also deal 1 nerve damage when they hit",
        ),
        (RESCUE, "whoever of the party drops below 30% vitality regains 2, once an encounter"),
        (PANIC, "the party shrugs off the first Panic of each encounter"),
        ({**PANIC, "value": 2}, "the party shrugs off the first 2 Panics of each encounter"),
        (GRANT, "every Strike of the dungeon gains Drain"),
        ({**GRANT, "side": "party", "keyword": "piercing"}, "every Strike of the party gains Piercing"),
        (CONTEST, "every contested roll of the party is 1 higher"),
        ({**CONTEST, "side": "enemies", "value": -2}, "every contested roll of the dungeon is 2 lower"),
        ({**CONTEST, "turns": 2}, "every contested roll of the party is 1 higher for the first 2 turns"),
    ],
)
def test_an_effect_says_what_it_does(fields: dict[str, Any], phrase: str) -> None:
    assert effect(fields).phrase() == phrase


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({**REDUCER, "resource": None}, "resource is needed with code reducer"),
        ({**SPLASH, "resource": None}, "resource is needed with code splash"),
        ({**GRANT, "keyword": None}, "keyword is needed with code grant_keyword"),
        ({**RESCUE, "below_percent": 0}, "below_percent is needed with code rescue"),
        ({**REDUCER, "type": "physical"}, "type means nothing with code reducer"),
        ({**REDUCER, "keyword": "drain"}, "keyword means nothing with code reducer"),
        ({**SPLASH, "condition": BRAVE}, "condition means nothing with code splash"),
        ({**GRANT, "resource": "veil"}, "resource means nothing with code grant_keyword"),
        ({**CONTEST, "resource": "nerve"}, "resource means nothing with code contest"),
        ({"code": "tempo", "side": "party", "value": 1, "keyword": "drain"}, "keyword means nothing with code tempo"),
        ({**REDUCER, "resource": "structure"}, "reducer takes its own side's resources .vitality, resolve, nerve."),
        ({**REDUCER, "side": "enemies"}, "reducer takes its own side's resources .structure, veil, presence."),
        ({**SPLASH, "resource": "nerve"}, "splash takes the other side's resources .structure, veil, presence."),
        ({**SPLASH, "side": "enemies"}, "splash takes the other side's resources .vitality, resolve, nerve."),
        ({**REDUCER, "condition": {**BRAVE, "resource": "veil"}}, "asks about the visitor, which has no veil"),
        ({**REDUCER, "target": "random", "resource": "nerve"}, "nerve belongs to a whole side"),
        ({**GRANT, "value": 2}, "grant_keyword is a switch: its value is 1"),
        ({**SPLASH, "value": -1}, "value must be above 0 with code splash"),
        ({**RESCUE, "value": -1}, "value must be above 0 with code rescue"),
        ({**PANIC, "value": -1}, "value must be above 0 with code panic_immunity"),
        ({**CONTEST, "target": "random"}, "contest is for a whole side"),
        ({**RESCUE, "side": "enemies"}, "rescue belongs to the party"),
        ({**PANIC, "side": "enemies"}, "panic_immunity belongs to the party"),
        ({**GRANT, "side": "party", "keyword": "cleave"}, "only the dungeon strikes those"),
    ],
)
def test_an_effect_with_the_wrong_fields_is_refused(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        effect(fields)


def test_the_table_has_every_code_and_speaks_of_fields_that_exist() -> None:
    assert set(EFFECTS) == set(get_args(EffectCode))
    assert {field for rule in EFFECTS.values() for field in rule.needs + rule.may} == set(READ_BY_SOME)
    assert set(READ_BY_SOME) <= set(Effect.model_fields)
    for rule in EFFECTS.values():  # what is said is needed
        for word, field in (("{every}", "every"), ("{below}", "below_percent"), ("{keyword}", "keyword")):
            assert (word in rule.phrase) == (field in rule.needs)


def test_equipment_speaks_of_its_wearer_only_where_vitality_is_meant() -> None:
    named = {"id": "charm", "title": "Charm", "tier": "rare", "slot": "accessory"}
    charm = Equipment.model_validate({**named, "effects": [REDUCER, {**REDUCER, "resource": "nerve"}]})
    assert charm.text() == "The wearer gains 2 vitality; the party gains 2 nerve."


def test_a_room_item_speaks_of_the_dungeon_and_its_room() -> None:
    armour = {"code": "armour", "side": "enemies", "value": 1}
    item = RoomItem.model_validate({"id": "moss", "title": "Moss", "tier": "rare", "effects": [armour, CONTEST]})
    assert item.text() == (
        "In this room the dungeon starts with 1 more armour; every contested roll of the party is 1 higher."
    )


@pytest.mark.parametrize("condition", ["self_entangled", "self_guarded", "self_empowered", "trap_set"])
def test_no_effect_addresses_anybody_as_you(condition: str) -> None:
    said = effect(REDUCER, condition=Condition.model_validate({"when": condition})).phrase()
    assert "you" not in said


def test_shipped_texts_address_nobody_as_you() -> None:
    codex = load_codex()
    entries = [*codex.modifiers.values(), *codex.equipment.values(), *codex.room_items.values()]
    assert not [entry.id for entry in entries if " you" in entry.text().lower()]
