"""Content to tables: a scenario and everything it names, packed into the one record the kernel reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cartomancer.content.codex import Codex, load_codex, scenario_digest
from cartomancer.content.models.cards import (
    AnyCard,
    Counter,
    Disrupt,
    Empower,
    Energy,
    Offer,
    React,
    Reshape,
    Strike,
    Test,
    Trap,
)
from cartomancer.content.models.effects import Effect
from cartomancer.content.models.encounter import Attributes, Creature, EncounterRules, PartyClass, Scenario
from cartomancer.content.models.tuning import ResolutionTuning
from cartomancer.content.models.vocabulary import Condition, Fortify, Loss, Trigger
from cartomancer.encounters import names
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import CardType, Category, CostType, EnergyKind, Occasion, Outcome
from cartomancer.encounters.kernel.layout import MOST_MODIFIERS, MOST_SIDE_CARDS, TABLES
from cartomancer.encounters.names import code_of
from cartomancer.errors import ContentError, Fault
from cartomancer.jit import records

Record = Any
SIDE_OF = {"party": codes.VISITOR, "enemies": codes.DUNGEON}


@dataclass(frozen=True)
class Packed:
    """A scenario ready to play: the table, and what its numbers are called."""

    scenario: Scenario
    name: str  # as given, with modifiers: boar+frenzy
    digest: str
    tables: Record
    cards: tuple[AnyCard, ...]  # by card number
    rooms: tuple[str, ...]
    members: tuple[str, ...]  # seat by seat; one for a creature
    decks: tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]  # the rooms' decks and the visitor's, as card numbers
    modifiers: tuple[str, ...]  # the ids of the entries whose effects are the table's modifiers, row by row
    tiers: tuple[str, ...]  # of contested rolls, best first


def pack(name: str, codex: Codex | None = None) -> Packed:
    """Pack a scenario by name: 'boar', 'boar+frenzy', or the path of a scenario file."""
    return _pack_in_use(name) if codex is None else pack_scenario(codex, codex.scenario(name), name)


@lru_cache(maxsize=64)
def _pack_in_use(name: str) -> Packed:
    codex = load_codex()
    return pack_scenario(codex, codex.scenario(name), name)


def pack_scenario(codex: Codex, scenario: Scenario, name: str | None = None) -> Packed:
    """Pack a scenario of this codex."""
    tables = records(1, TABLES)[0]
    fill_rules(tables["rules"], codex.rules, codex.resolution)
    theirs = _fill_dungeon(tables["dungeon"], codex, scenario)
    mine, members = _fill_visitor(tables["visitor"], codex, scenario)
    tables["retreat"] = scenario.retreat
    modifiers = _fill_modifiers(tables, codex, scenario)
    dungeon, visitor = tables["dungeon"], tables["visitor"]
    return Packed(
        scenario=scenario,
        name=name or scenario.id,
        digest=scenario_digest(codex, scenario),
        tables=tables,
        cards=tuple(codex.cards[card] for card in (*theirs, *mine)),
        rooms=tuple(stop.room for stop in scenario.rooms),
        members=tuple(members),
        decks=(
            tuple(_numbers(room) for room in dungeon["rooms"][: len(scenario.rooms)]),
            tuple(len(theirs) + place for place in _numbers(visitor)),
        ),
        modifiers=tuple(modifiers),
        tiers=tuple(tier.id for tier in codex.resolution.tiers),
    )


def fill_rules(record: Record, rules: EncounterRules, resolution: ResolutionTuning) -> None:
    """The tuning entries as the kernel reads them."""
    for field, value in rules.model_dump(exclude={"match_rounds"}).items():  # scenarios have those in their rooms
        record[field] = value
    record["tier_count"] = len(resolution.tiers)
    for index, tier in enumerate(resolution.tiers):
        record["tier_margin"][index] = tier.least_margin
        record["tier_attacker"][index] = tier.attacker_percent
        record["tier_defender"][index] = tier.defender_percent


def _instances(cards: Mapping[str, int], numbers: dict[str, int]) -> list[int]:
    """A deck list as card numbers, copy by copy; new cards get the next number."""
    return [numbers.setdefault(card, len(numbers)) for card, copies in cards.items() for _ in range(copies)]


def _numbers(record: Record) -> tuple[int, ...]:
    """The deck of a record."""
    return tuple(int(number) for number in record["deck"][: record["deck_size"]])


def _fill_cards(record: Record, codex: Codex, numbers: dict[str, int]) -> None:
    for card, number in numbers.items():
        fill_card(record["cards"][number], codex.cards[card])


def _fill_dungeon(record: Record, codex: Codex, scenario: Scenario) -> dict[str, int]:
    """The dungeon's values, rooms and cards. Returns its cards' numbers."""
    numbers: dict[str, int] = {}
    room_names = [stop.room for stop in scenario.rooms]
    for index, (stop, played) in enumerate(zip(scenario.rooms, codex.room_decks(scenario), strict=True)):
        made, room = record["rooms"][index], codex.rooms[stop.room]
        deck = _instances(played.cards, numbers)
        made["deck_size"] = len(deck)
        made["deck"][: len(deck)] = deck
        made["round_limit"] = stop.round_limit or room.round_limit
        made["auto_count"] = len(room.auto_effects)
        for slot, effect in enumerate(room.auto_effects):
            side = 0 if effect.resource in names.RESOURCES[0] else 1
            made["auto"][slot] = (side, names.resource_code(effect.resource), effect.change, effect.every)
        onward = index + 1 if index + 1 < len(room_names) else -1
        for outcome in Outcome:
            goal = stop.next.get(outcome.word)  # type: ignore[call-overload]
            terminal = outcome == Outcome.UNDECIDED or outcome.winner == "dungeon"
            there = onward if goal is None else -1 if goal == "end" else room_names.index(goal)
            made["onward"][outcome] = -1 if terminal else there
    if len(numbers) > MOST_SIDE_CARDS:
        allowed = f"at most {MOST_SIDE_CARDS} different cards in its rooms"
        fault = Fault("cards", len(numbers), "is more than a scenario can hold", allowed)
        raise ContentError(f"scenario {scenario.id}: too many cards", [fault])
    dungeon = codex.dungeon_of(scenario)
    record["start"] = (dungeon.structure, dungeon.veil, dungeon.presence)
    record["attributes"] = _attributes(dungeon.attributes)
    record["card_count"] = len(numbers)
    _fill_cards(record, codex, numbers)
    return numbers


def _attributes(attributes: Attributes) -> list[int]:
    return [getattr(attributes, kind.word) for kind in CardType]


def _fill_visitor(record: Record, codex: Codex, scenario: Scenario) -> tuple[dict[str, int], list[str]]:
    """The visitor's values, members and deck. Returns the places of its cards, and its members' names."""
    numbers: dict[str, int] = {}
    own_deck = codex.creature_deck(scenario)
    if scenario.creature is not None and own_deck is not None:
        creature = codex.creatures[scenario.creature]
        members: Sequence[Creature | PartyClass] = [creature]
        decks = [_instances(own_deck.cards, numbers)]
        record["start_trust"] = creature.trust
        record["kill_at"] = 1
    else:
        classes = codex.members_of(scenario)
        members = classes
        decks = [_instances(member.cards, numbers) for member in classes]
        record["kill_at"] = codex.rules.kill_at
    record["start"] = [sum(getattr(member, name) for member in members) for name in names.RESOURCES[codes.VISITOR]]
    record["member_count"] = len(members)
    for seat, member in enumerate(members):
        record["member_start"][seat] = member.vitality
        record["member_attributes"][seat] = _attributes(member.attributes)
    cards = [card for deck in decks for card in deck]
    record["deck_size"] = len(cards)
    record["deck"][: len(cards)] = cards
    record["owner"][: len(cards)] = [seat for seat, deck in enumerate(decks) for _ in deck]
    _fill_cards(record, codex, numbers)
    return numbers, [member.id for member in members]


# --- cards ------------------------------------------------------------------------------------------------------------


def fill_card(record: Record, card: AnyCard) -> None:
    """A card as numbers: fields its category does not have stay 0, resources it does not name are -1."""
    for field in ("erode_at", "drain_to", "spill_to", "when_at", "for_type"):
        record[field] = -1
    record["category"] = code_of(Category, card.category)
    if isinstance(card, Energy):
        record["energy_kind"] = code_of(EnergyKind, card.kind)
        record["amount"] = card.amount
        record["for_type"] = -1 if card.for_type is None else code_of(CardType, card.for_type)
        _fill_condition(record, card.condition)
        return
    record["card_type"] = code_of(CardType, card.type)
    record["cost"] = card.cost
    record["exhaust"] = card.exhaust
    match card:
        case Strike():
            record["target"] = names.resource_code(card.target)
            record["power"] = card.power
            record["keywords"] = names.keyword_mask(card.keywords)
            for field, resource in (("erode_at", card.erode), ("drain_to", card.drain_to), ("spill_to", card.spill_to)):
                record[field] = -1 if resource is None else names.resource_code(resource)
            _fill_loss(record, "self_cost", card.self_cost)
            _fill_trigger(record, card.trigger)
        case Empower():
            record["power"] = card.power
            record["keywords"] = names.keyword_mask(card.keywords)
            record["advantage"] = card.advantage
            record["ward"] = card.ward
            _fill_trigger(record, card.trigger)
        case Disrupt():
            record["disadvantage"] = card.disadvantage
            record["strip"] = card.strip
            record["randomise"] = card.randomise
            _fill_loss(record, "thorns", card.thorns)
        case Counter():
            _fill_loss(record, "chip", card.chip)
            _fill_fortify(record, card.fortify)
            record["keywords"] = names.keyword_mask(["entangle"] if card.entangle else [])
            for field in ("punish", "steal", "disarm"):
                record[field] = getattr(card, field)
        case React():
            record["power"] = card.power
            record["reflect"] = card.reflect
            _fill_fortify(record, card.absorb)
            _fill_trigger(record, card.trigger)
        case Trap():
            record["springs"] = code_of(Occasion, card.springs)
            record["target"] = names.resource_code(card.target)
            record["power"] = card.power
            record["keywords"] = names.keyword_mask(["entangle"] if card.entangle else [])
            record["erode_at"] = -1 if card.erode is None else names.resource_code(card.erode)
            record["disadvantage"] = card.disadvantage
            record["energy_loss"] = card.energy_loss
        case Reshape():
            if card.heal is not None:
                record["heal"] = card.heal.amount
                record["heal_at"] = names.resource_code(card.heal.resource)
            _fill_fortify(record, card.fortify)
            for field in ("ward", "restore", "calm", "cleanse", "disarm"):
                record[field] = getattr(card, field)
            record["draws"] = card.draw
            _fill_trigger(record, card.trigger)
        case Offer():
            _fill_offer(record, card)
        case Test():
            _fill_loss(record, "exposure", card.exposure)


def _fill_offer(record: Record, card: Offer) -> None:
    benefit, price = card.benefit, card.price
    record["heal"] = benefit.amount
    record["heal_at"] = 0 if benefit.resource is None else names.resource_code(benefit.resource)
    record["gives_full"] = benefit.full_restore
    record["ward"] = benefit.ward
    record["draws"] = benefit.draw
    record["price_kind"] = code_of(CostType, price.type)
    record["price"] = price.amount
    record["price_at"] = 0 if price.resource is None else names.resource_code(price.resource)
    record["price_rounds"] = price.rounds
    record["price_type"] = 0 if price.strike_type is None else code_of(CardType, price.strike_type)
    if price.effect == "energy":
        record["price_effect"] = codes.EXTRACT_ENERGY
    elif price.effect == "insight":
        record["price_effect"] = codes.EXTRACT_INSIGHT
    elif price.effect is not None:
        record["price_effect"] = names.resource_code(price.effect)
    record["trust"] = card.trust
    record["covenant"] = card.covenant
    _fill_loss(record, "weakens", card.weakens)


def _fill_loss(record: Record, field: str, loss: Loss | None) -> None:
    if loss is not None:
        record[field] = loss.amount
        record[f"{field}_at"] = names.resource_code(loss.resource)


def _fill_fortify(record: Record, fortify: Fortify | None) -> None:
    _fill_loss(record, "fortify", fortify)
    if fortify is not None:
        record["fortify_rounds"] = fortify.rounds


def _fill_condition(record: Record, condition: Condition | None) -> None:
    if condition is not None:
        record["when"] = code_of(codes.Condition, condition.when)
        record["when_at"] = -1 if condition.resource is None else names.resource_code(condition.resource)
        record["when_value"] = condition.value


def _fill_trigger(record: Record, trigger: Trigger | None) -> None:
    _fill_condition(record, trigger)
    if trigger is not None:
        record["bonus"] = trigger.power
        record["bonus_keywords"] = names.keyword_mask(trigger.keywords)
        record["bonus_advantage"] = trigger.advantage


# --- modifiers --------------------------------------------------------------------------------------------------------


def _fill_modifiers(tables: Record, codex: Codex, scenario: Scenario) -> list[str]:
    """Everything in force, as rows: modifiers for all, equipment for its wearer, room items for their room.

    Returns the id of each row's entry.
    """
    rows: list[tuple[str, Effect, int, int, bool]] = []
    for name in scenario.modifiers:
        entry = codex.modifiers[name]
        consumable = bool(getattr(entry, "consumable", False))
        rows += [(name, effect, _seat(effect, scenario), int(codes.EVERY_ROOM), consumable) for effect in entry.effects]
    for name, seat in scenario.equipment.items():
        rows += [(name, effect, seat - 1, int(codes.EVERY_ROOM), False) for effect in codex.equipment[name].effects]
    for index, stop in enumerate(scenario.rooms):
        for name in stop.items:
            rows += [(name, effect, int(codes.EVERY_SEAT), index, False) for effect in codex.room_items[name].effects]
    if len(rows) > MOST_MODIFIERS:
        fault = Fault("modifiers", len(rows), "is more than a scenario can hold", f"at most {MOST_MODIFIERS} effects")
        raise ContentError(f"scenario {scenario.id}: too many modifiers", [fault])
    for index, (_, effect, seat, room, consumable) in enumerate(rows):
        fill_modifier(tables["modifiers"][index], effect, seat, room, consumable)
    tables["modifier_count"] = len(rows)
    return [name for name, *_ in rows]


def _seat(effect: Effect, scenario: Scenario) -> int:
    if effect.target == "random":
        return int(codes.RANDOM_SEAT)
    return scenario.targeted_seat - 1 if effect.target == "targeted" else int(codes.EVERY_SEAT)


def fill_modifier(record: Record, effect: Effect, seat: int, room: int, consumable: bool) -> None:
    """One effect as the kernel reads it."""
    record["code"] = names.MODIFIERS[effect.code]
    record["side"] = SIDE_OF[effect.side]
    record["value"] = effect.value if effect.keyword is None else names.KEYWORDS[effect.keyword]
    record["seat"] = seat
    record["room"] = room
    record["consumable"] = consumable
    record["turns"] = effect.turns
    record["from_turn"] = effect.from_turn
    record["every"] = effect.every
    record["below"] = effect.below_percent
    record["resource"] = 0 if effect.resource is None else names.resource_code(effect.resource)
    record["card_type"] = -1 if effect.type is None else code_of(CardType, effect.type)
    record["when_at"] = -1
    _fill_condition(record, effect.condition)
