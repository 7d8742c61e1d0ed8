"""Content to tables: a scenario and everything it names, packed into the one record the kernel reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex, load_codex, scenario_digest
from cartomancer.content.models.base import Strict
from cartomancer.content.models.cards import AnyCard
from cartomancer.content.models.effects import Effect
from cartomancer.content.models.encounter import Attributes, Creature, EncounterRules, PartyClass, Scenario
from cartomancer.content.models.tuning import ResolutionTuning
from cartomancer.encounters import names
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import CardType, Outcome
from cartomancer.encounters.kernel.layout import CARD, DUNGEON_TABLE, MOST_MODIFIERS, MOST_SIDE_CARDS, TABLES
from cartomancer.errors import ContentError, Fault
from cartomancer.jit import records
from cartomancer.seals import digest_of

Record = Any


@dataclass(frozen=True)
class Packed:
    """A scenario ready to play: the table, and what its numbers are called."""

    scenario: Scenario
    name: str  # as given, with modifiers: boar+frenzy
    codex: Codex
    tables: Record
    cards: tuple[AnyCard, ...]  # by card number
    rooms: tuple[str, ...]
    members: tuple[str, ...]  # seat by seat; one for a creature
    decks: tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]  # the rooms' decks and the visitor's, as card numbers
    modifiers: tuple[str, ...]  # the ids of the entries whose effects are the table's modifiers, row by row
    tiers: tuple[str, ...]  # of contested rolls, best first

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits of everything that decides the fight: of its content; or of its tables, where a party on
        its way has brought what no scenario says."""
        if self.tables["visitor"]["worn"]:
            return digest_of(repr(self.tables.item()), digits=12)  # not its bytes: some lie between the fields
        return scenario_digest(self.codex, self.scenario)


def pack(name: str, codex: Codex | None = None) -> Packed:
    """Pack a scenario by name: 'boar', 'boar+frenzy', or the path of a scenario file."""
    return _pack_in_use(name) if codex is None else pack_scenario(codex, codex.scenario(name), name)


@lru_cache(maxsize=64)
def _pack_in_use(name: str) -> Packed:
    codex = load_codex()
    return pack_scenario(codex, codex.scenario(name), name)


@dataclass(frozen=True)
class PackedDungeon:
    """What a dungeon brings to any visitor: its half of the tables, and its cards in their order."""

    table: Record
    cards: tuple[str, ...]


def pack_dungeon(codex: Codex, scenario: Scenario) -> PackedDungeon:
    """The dungeon's half of a scenario."""
    table = records(1, DUNGEON_TABLE)[0]
    return PackedDungeon(table, tuple(_fill_dungeon(table, codex, scenario)))


def pack_scenario(
    codex: Codex,
    scenario: Scenario,
    name: str | None = None,
    party: Sequence[PartyClass] | None = None,
    dungeon: PackedDungeon | None = None,
) -> Packed:
    """Pack a scenario of this codex. A party that is given comes instead of the scenario's own visitor; its dungeon may
    have been packed before."""
    tables = records(1, TABLES)[0]
    _fill_rules(tables["rules"], codex.rules, codex.resolution)
    dungeon = dungeon or pack_dungeon(codex, scenario)
    tables["dungeon"], theirs = dungeon.table, dungeon.cards
    mine, members = _fill_visitor(tables["visitor"], codex, scenario, party)
    tables["retreat"] = scenario.retreat
    modifiers = _fill_modifiers(tables, codex, scenario)
    return Packed(
        scenario=scenario,
        name=name or scenario.id,
        codex=codex,
        tables=tables,
        cards=tuple(codex.card(card) for card in (*theirs, *mine)),
        rooms=tuple(stop.room for stop in scenario.rooms),
        members=tuple(members),
        decks=(
            tuple(_deck(room) for room in tables["dungeon"]["rooms"][: len(scenario.rooms)]),
            tuple(len(theirs) + place for place in _deck(tables["visitor"])),
        ),
        modifiers=tuple(modifiers),
        tiers=tuple(tier.id for tier in codex.resolution.tiers),
    )


def _fill_rules(record: Record, rules: EncounterRules, resolution: ResolutionTuning) -> None:
    """The tuning entries as the kernel reads them."""
    for field, value in rules.model_dump(exclude={"match_rounds"}).items():  # scenarios have those in their rooms
        record[field] = codes.EscalationScope[value.upper()] if isinstance(value, str) else value
    record["tier_count"] = len(resolution.tiers)
    for index, tier in enumerate(resolution.tiers):
        record["tier_margin"][index] = tier.least_margin
        record["tier_attacker"][index] = tier.attacker_percent
        record["tier_defender"][index] = tier.defender_percent


def _instances(cards: Mapping[str, int], places: dict[str, int]) -> list[int]:
    """A deck list as places among a side's cards, copy by copy; new cards get the next place."""
    return [places.setdefault(card, len(places)) for card, copies in cards.items() for _ in range(copies)]


def _deck(record: Record) -> tuple[int, ...]:
    """The deck of a room or a visitor, as places among the side's cards."""
    return tuple(int(place) for place in record["deck"][: record["deck_size"]])


def _attributes(attributes: Attributes) -> list[int]:
    return [getattr(attributes, kind.word) for kind in CardType]


def _fill_dungeon(dungeon: Record, codex: Codex, scenario: Scenario) -> dict[str, int]:
    """The dungeon's values, rooms and cards. Returns the places of its cards."""
    places: dict[str, int] = {}
    entry = codex.dungeon_of(scenario)
    room_names = [stop.room for stop in scenario.rooms]
    for index, (stop, played) in enumerate(zip(scenario.rooms, codex.room_decks(scenario), strict=True)):
        record, room = dungeon["rooms"][index], codex.place(stop.room)
        deck = _instances(played.cards, places)
        record["deck_size"] = len(deck)
        record["deck"][: len(deck)] = deck
        record["round_limit"] = stop.round_limit or room.round_limit
        record["attributes"] = np.add(_attributes(entry.attributes), _attributes(room.attributes))
        record["auto_count"] = len(room.auto_effects)
        for slot, effect in enumerate(room.auto_effects):
            resource = codes.Resource[effect.resource.upper()]
            record["auto"][slot] = (resource.side, resource.place, effect.change, effect.every)
        onward = index + 1 if index + 1 < len(room_names) else -1
        for outcome in Outcome:
            goal = stop.next.get(outcome.word)  # type: ignore[call-overload]
            terminal = outcome == Outcome.UNDECIDED or outcome.winner == "dungeon"
            there = onward if goal is None else -1 if goal == "end" else room_names.index(goal)
            record["onward"][outcome] = -1 if terminal else there
    dungeon["start"] = [getattr(entry, resource) for resource in names.RESOURCES[codes.DUNGEON]]
    dungeon["card_count"] = len(places)
    _refuse_more(scenario, "cards", len(places), MOST_SIDE_CARDS, "different cards in its rooms")
    _fill_cards(dungeon, codex, places)
    return places


def _fill_visitor(
    visitor: Record, codex: Codex, scenario: Scenario, party: Sequence[PartyClass] | None = None
) -> tuple[dict[str, int], list[str]]:
    """The visitor's members, values and cards; a creature is a party of one.

    Returns the places of its cards and the members' names.
    """
    places: dict[str, int] = {}
    members: Sequence[Creature | PartyClass]
    lists: list[dict[str, int]]
    own_deck = codex.creature_deck(scenario) if party is None else None
    if scenario.creature is not None and own_deck is not None:
        creature = codex.creatures[scenario.creature]
        members, lists = [creature], [own_deck.cards]
        visitor["start_trust"], visitor["kill_at"] = creature.trust, 1
    else:
        members = codex.members_of(scenario) if party is None else party
        lists = [member.cards for member in members]
        visitor["kill_at"] = min(codex.rules.kill_at, len(members))
    visitor["start"] = [sum(getattr(one, resource) for one in members) for resource in names.RESOURCES[codes.VISITOR]]
    visitor["now"] = visitor["start"]
    for seat, member in enumerate(members):
        visitor["member_start"][seat] = visitor["member_now"][seat] = member.vitality
        visitor["member_attributes"][seat] = _attributes(member.attributes)
    visitor["member_count"] = len(members)
    cards = [(card, seat) for seat, listed in enumerate(lists) for card in _instances(listed, places)]
    visitor["deck_size"] = len(cards)
    for instance, (card, seat) in enumerate(cards):
        visitor["deck"][instance], visitor["owner"][instance] = card, seat
    _fill_cards(visitor, codex, places)
    return places, [member.id for member in members]


# --- cards and effects ------------------------------------------------------------------------------------------------

# the fields of cards, of effects and of what lies inside them that have another name in the kernel
FIELDS: Final[dict[str, dict[str, str]]] = {
    "card": {"type": "card_type", "erode": "erode_at", "draw": "draws", "kind": "energy_kind"},
    "effect": {"type": "card_type", "below_percent": "below", "keyword": "value"},
    "benefit": {"amount": "heal", "resource": "heal_at", "full_restore": "gives_full", "draw": "draws"},
    "price": {
        "type": "price_kind",
        "amount": "price",
        "resource": "price_at",
        "rounds": "price_rounds",
        "strike_type": "price_type",
        "effect": "price_effect",
    },
    "condition": {"resource": "when_at", "value": "when_value"},
    "trigger": {
        "resource": "when_at",
        "value": "when_value",
        "power": "bonus",
        "keywords": "bonus_keywords",
        "advantage": "bonus_advantage",
    },
    "absorb": {"amount": "fortify", "resource": "fortify_at", "rounds": "fortify_rounds"},
    "fortify": {"amount": "fortify", "resource": "fortify_at", "rounds": "fortify_rounds"},
    **{
        loss: {"amount": loss, "resource": f"{loss}_at"}
        for loss in ("self_cost", "thorns", "chip", "heal", "weakens", "exposure")
    },
}
# the words of a field and their codes; all other words are resources
WORDS: Final[Mapping[str, Mapping[str, int]]] = {
    "code": names.MODIFIERS,
    "side": {"party": int(codes.VISITOR), "enemies": int(codes.DUNGEON)},
    "value": names.KEYWORDS,
} | {
    field: {code.word: int(code) for code in kind}
    for field, kind in {
        "category": codes.Category,
        "card_type": CardType,
        "price_type": CardType,
        "for_type": CardType,
        "energy_kind": codes.EnergyKind,
        "springs": codes.Occasion,
        "when": codes.Condition,
        "price_kind": codes.CostType,
    }.items()
}
# a resource's place among its side's reducers, and what may stand for one
RESOURCES: Final = {one.word: one.place for one in codes.Resource} | {
    "chosen": int(codes.CHOSEN),
    "weakest": int(codes.WEAKEST),
    "energy": int(codes.EXTRACT_ENERGY),
    "insight": int(codes.EXTRACT_INSIGHT),
}


def _fill(record: Record, entry: Strict, kind: str) -> None:
    """All that an entry says and the record holds; what it does not say stays as it is."""
    for name, value in entry:
        field = FIELDS[kind].get(name, name)
        if isinstance(value, Strict):
            _fill(record, value, name)
        elif value is not None and field in record.dtype.names:
            record[field] = _coded(field, value)


def _coded(field: str, value: Any) -> int:
    if isinstance(value, list):
        return sum(names.KEYWORDS[keyword] for keyword in value)
    return WORDS.get(field, RESOURCES)[value] if isinstance(value, str) else int(value)


def _fill_card(record: Record, card: AnyCard) -> None:
    """A card as numbers: fields its category does not have stay 0, resources it does not name are -1."""
    for field in ("erode_at", "drain_to", "spill_to", "when_at", "for_type"):
        record[field] = -1
    _fill(record, card, "card")
    if getattr(card, "entangle", False):
        record["keywords"] = codes.ENTANGLE


def _fill_cards(side: Record, codex: Codex, places: Mapping[str, int]) -> None:
    for card, place in places.items():
        side["cards"][place] = packed_card(codex.card(card))


_PACKED: Final[dict[int, tuple[AnyCard, Record]]] = {}
MOST_PACKED: Final = 10_000


def packed_card(card: AnyCard) -> Record:
    """A card as numbers; each is filled in once, for a run packs the same cards into fight after fight."""
    found = _PACKED.get(id(card))
    if found is None or found[0] is not card:
        if len(_PACKED) >= MOST_PACKED:
            _PACKED.clear()
        record = records(1, CARD)[0]
        _fill_card(record, card)
        found = _PACKED[id(card)] = (card, record)
    return found[1]


# --- how a party arrives ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Condition:
    """How a party enters a fight: what it has left, and its deck as it lies (C2). Piles are masks of its cards by their
    places in its deck; what is in none of them can be drawn."""

    vitality: tuple[int, ...]
    resolve: int
    nerve: int
    held: int = 0
    discarded: int = 0
    gone: int = 0
    quarrel: tuple[int, ...] = ()  # the seats of two who have fallen out …
    conflict: int = 0  # … and how far: from 1 on their cards are dear at first, from 2 on they share no Empower (C5)


def arriving(packed: Packed, condition: Condition) -> Packed:
    """The fight as a party in this condition enters it."""
    tables = packed.tables.copy()
    visitor = tables["visitor"]
    visitor["worn"] = 1
    visitor["now"] = (sum(condition.vitality), condition.resolve, condition.nerve)
    visitor["member_now"][: len(condition.vitality)] = condition.vitality
    for pile in ("held", "discarded", "gone"):
        visitor[pile] = getattr(condition, pile)
    arrived = replace(packed, tables=tables)
    return _at_odds(arrived, condition) if condition.conflict and condition.quarrel else arrived


def _at_odds(packed: Packed, condition: Condition) -> Packed:
    """The fight with cards of their own for those who have fallen out: the same, but for what the quarrel does."""
    visitor, first = packed.tables["visitor"], int(packed.tables["dungeon"]["card_count"])
    cards, deck = list(packed.cards), list(packed.decks[1])
    places: dict[tuple[int, int], int] = {}
    for instance in range(int(visitor["deck_size"])):
        seat, place = int(visitor["owner"][instance]), int(visitor["deck"][instance])
        if seat not in condition.quarrel or cards[first + place].category == "energy":
            continue
        if (seat, place) not in places:
            own = places[seat, place] = len(cards) - first
            _refuse_more(packed.scenario, "cards", own + 1, MOST_SIDE_CARDS, "different cards of a party")
            cards.append(cards[first + place])
            visitor["cards"][own] = visitor["cards"][place]
            visitor["cards"][own]["quarrel"] = 1
            visitor["cards"][own]["at_odds"] = seat + 1 if condition.conflict > 1 else 0
        visitor["deck"][instance] = places[seat, place]
        deck[instance] = first + places[seat, place]
    return replace(packed, cards=tuple(cards), decks=(packed.decks[0], tuple(deck)))


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
    _refuse_more(scenario, "modifiers", len(rows), MOST_MODIFIERS, "effects")
    for index, (_, effect, seat, room, consumable) in enumerate(rows):
        record = tables["modifiers"][index]
        record["seat"], record["room"], record["consumable"] = seat, room, consumable
        record["card_type"] = record["when_at"] = -1
        _fill(record, effect, "effect")
    tables["modifier_count"] = len(rows)
    return [name for name, *_ in rows]


def _refuse_more(scenario: Scenario, what: str, count: int, most: int, of_them: str) -> None:
    if count > most:
        fault = Fault(what, count, "is more than a scenario can hold", f"at most {most} {of_them}")
        raise ContentError(f"scenario {scenario.id}: too many {what}", [fault])


def _seat(effect: Effect, scenario: Scenario) -> int:
    if effect.target == "random":
        return int(codes.RANDOM_SEAT)
    return scenario.targeted_seat - 1 if effect.target == "targeted" else int(codes.EVERY_SEAT)
