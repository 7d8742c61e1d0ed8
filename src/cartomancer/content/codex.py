"""The codex: every entry of the card game, validated one by one and against each other.

>>> codex = load_codex()
>>> codex.scenario("boar").creature
'thornback_boar'
>>> codex.scenario("boar+frenzy+iron_shield").equipment
{'iron_shield': 1}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from cartomancer.content.catalog import CATALOG_KINDS, Catalog, read_catalog
from cartomancer.content.deck_rules import covenant_faults, deck_faults, kit_faults, party_faults
from cartomancer.content.models.base import deciding, digest_of
from cartomancer.content.models.cards import CARD_MODELS, AnyCard
from cartomancer.content.models.effects import Modifier
from cartomancer.content.models.encounter import (
    Creature,
    Deck,
    Dungeon,
    EncounterRules,
    Party,
    PartyClass,
    Room,
    Scenario,
)
from cartomancer.content.models.equipment import Equipment, RoomItem
from cartomancer.content.models.tuning import ResolutionTuning
from cartomancer.content.reader import Reader
from cartomancer.content.rules_text import card_text
from cartomancer.content.scenario_rules import MODIFIER_KINDS, scenario_faults
from cartomancer.content.toml_files import DATA, Tagged, read_toml, shown_path, validated
from cartomancer.errors import ContentError, Fault, UnknownNameError

CARD_GAME: Final = "tuning/card_game.toml"
RESOLUTION: Final = "tuning/resolution.toml"
CARDS: Final[Tagged[AnyCard]] = Tagged("category", CARD_MODELS)
CODEX_KINDS: Final = (
    *("cards", "decks", "rooms", "dungeons", "creatures"),
    *("classes", "parties", "scenarios", "equipment", "room_items"),
)
SCENARIO_FILE: Final = re.compile(r"(?P<path>.*\.toml)(?P<more>(\+[^/]*)?)")


@dataclass(frozen=True)
class Codex:
    """Every entry of the card game by its id, the numbers of its rules, and the catalog its modifiers come from."""

    cards: Mapping[str, AnyCard]
    decks: Mapping[str, Deck]
    rooms: Mapping[str, Room]
    dungeons: Mapping[str, Dungeon]
    creatures: Mapping[str, Creature]
    classes: Mapping[str, PartyClass]
    parties: Mapping[str, Party]
    scenarios: Mapping[str, Scenario]
    equipment: Mapping[str, Equipment]
    room_items: Mapping[str, RoomItem]
    rules: EncounterRules
    resolution: ResolutionTuning
    catalog: Catalog

    def of_kind(self, kind: str) -> Mapping[str, Any]:
        """The entries of a kind, of the card game or of the catalog."""
        entries: Mapping[str, Any] = getattr(self.catalog if kind in CATALOG_KINDS else self, kind)
        return entries

    def entry_ids(self) -> list[str]:
        """Every entry of the card game as kind:id."""
        return [f"{kind}:{entry}" for kind in CODEX_KINDS for entry in self.of_kind(kind)]

    @property
    def modifiers(self) -> dict[str, Modifier]:
        """The trials, intrusions, traits and items a scenario may put in force."""
        return {name: entry for kind in MODIFIER_KINDS for name, entry in self.of_kind(kind).items()}

    def members_of(self, scenario: Scenario) -> list[PartyClass]:
        """The classes of a scenario's party, seat by seat; none for a creature."""
        names = self.parties[scenario.party].members if scenario.party else scenario.members
        return [self.classes[name] for name in names]

    def scenario(self, name: str) -> Scenario:
        """A scenario by its id or its file, with more modifiers after plus signs: boar+frenzy."""
        written = SCENARIO_FILE.fullmatch(name)
        start, *more = [written["path"], *written["more"].split("+")[1:]] if written else name.split("+")
        if not written and start not in self.scenarios:
            raise UnknownNameError("scenario", start, list(self.scenarios))
        found = self._from_file(Path(start)) if written else self.scenarios[start]
        return self.with_modifiers(found, more)

    def _from_file(self, path: Path) -> Scenario:
        """The scenario in a designer's file, refused with every fault."""
        where, tables = shown_path(path), read_toml(path)
        if tables.get("id", path.stem) != path.stem:
            fault = Fault("id", tables["id"], "is not the name of its file", path.stem, where)
            raise ContentError(f"{where}: named unlike its file", [fault])
        return self._possible(validated(Scenario, tables, where), where)

    def _possible(self, scenario: Scenario, where: str) -> Scenario:
        named = {kind: list(self.of_kind(kind)) for kind in (*CODEX_KINDS, *CATALOG_KINDS)}
        slots = {piece.id: piece.slot for piece in self.equipment.values()}
        faults = [replace(fault, where=where) for fault in scenario_faults(scenario, named, slots)]
        if faults:
            raise ContentError(f"{where}: {len(faults)} fault(s) in the scenario", faults)
        return scenario

    def with_modifiers(self, scenario: Scenario, names: Iterable[str]) -> Scenario:
        """The scenario with more in force: modifiers for the whole run, equipment for seat 1 or the seat after an @,
        room items for every room."""
        modifiers, equipment, items = list(scenario.modifiers), dict(scenario.equipment), list[str]()
        known = [*self.modifiers, *self.equipment, *self.room_items]
        given = list(names)
        for name in given:
            plain, at, seat = name.partition("@")
            if at and plain in self.equipment and seat in {"1", "2", "3", "4"}:
                equipment[plain] = int(seat)
            elif at and plain in self.equipment:
                raise UnknownNameError("seat", seat, ["1", "2", "3", "4"])
            elif name in self.equipment:
                equipment[name] = 1
            elif name in self.room_items:
                items.append(name)
            elif name in self.modifiers:
                modifiers.append(name)
            else:
                raise UnknownNameError("modifier", name, known)
        if not given:
            return scenario
        fields = scenario.model_dump(exclude_unset=True) | {"modifiers": modifiers, "equipment": equipment}
        for stop in fields["rooms"]:
            stop["items"] = [*stop.get("items", []), *items]
        where = "+".join([scenario.id, *given])
        return self._possible(validated(Scenario, fields, where), where)


def scenario_digest(codex: Codex, scenario: Scenario) -> str:
    """Twelve hex digits of everything that decides a scenario: its own fields, all entries it uses, the rules."""
    rooms = [codex.rooms[stop.room] for stop in scenario.rooms]
    members = codex.members_of(scenario)
    creature = codex.creatures[scenario.creature] if scenario.creature else None
    decks = [codex.decks[room.deck] for room in rooms] + ([codex.decks[creature.deck]] if creature else [])
    cards = {name for kit in (*(deck.cards for deck in decks), *(member.cards for member in members)) for name in kit}
    pieces = (*scenario.modifiers, *scenario.equipment, *(item for stop in scenario.rooms for item in stop.items))
    modifiers = {**codex.modifiers, **codex.equipment, **codex.room_items}
    used = [
        *(codex.dungeons[scenario.dungeon], *rooms, *decks, *([creature] if creature else members)),
        *(codex.cards[name] for name in sorted(cards)),
        *(modifiers[name] for name in sorted(set(pieces))),
        *(codex.rules, codex.resolution),
    ]
    own = {key: value for key, value in deciding(scenario).items() if key != "id"}
    return digest_of([own, [deciding(entry) for entry in used]], digits=12)


def load_codex(folder: Path | None = None) -> Codex:
    """The shipped codex, read once; or the codex in a folder, refused with every fault at once."""
    return _shipped() if folder is None else _complete(Reader(folder))


@cache
def _shipped() -> Codex:
    return _complete(Reader(DATA))


def _complete(reader: Reader) -> Codex:
    return reader.complete(read_codex(reader), "codex")


def read_codex(reader: Reader) -> Codex | None:
    """The codex in the reader's folder, or nothing if it is faulty: the reader has the faults."""
    catalog = read_catalog(reader)
    cards = reader.entries_in_folder("cards", CARDS)
    decks = reader.entries("decks", Deck)
    rooms = reader.entries("rooms", Room)
    dungeons = reader.entries("dungeons", Dungeon)
    creatures = reader.entries("creatures", Creature)
    classes = reader.entries("classes", PartyClass)
    parties = reader.entries("parties", Party)
    scenarios = reader.entry_files("scenarios", Scenario)
    equipment = reader.entries("equipment", Equipment)
    room_items = reader.entries("room_items", RoomItem)
    rules = reader.single(CARD_GAME, EncounterRules)
    resolution = reader.single(RESOLUTION, ResolutionTuning)
    _check_texts(reader, cards, equipment, room_items)
    _check_modifier_ids(reader)
    _check_decks(reader, decks, cards, rules)
    _check_owners(reader, decks, rooms, creatures, cards)
    _check_parties(reader, classes, parties, cards)
    slots = {piece.id: piece.slot for piece in equipment.values()}
    for scenario in scenarios.values():
        reader.faults_at(reader.home("scenarios", scenario.id), scenario_faults(scenario, reader.named, slots))
    if reader.faults or catalog is None or rules is None or resolution is None:
        return None
    return Codex(
        *(cards, decks, rooms, dungeons, creatures, classes, parties, scenarios, equipment, room_items),
        *(rules, resolution, catalog),
    )


def _check_texts(
    reader: Reader,
    cards: Mapping[str, AnyCard],
    equipment: Mapping[str, Equipment],
    room_items: Mapping[str, RoomItem],
) -> None:
    """The Description Test: within a category no two cards read alike, nor two pieces of equipment [GDD 13.1]."""
    for category in CARD_MODELS:
        alike = {card.id: card for card in cards.values() if card.category == category}
        reader.distinct_texts("cards", alike, card_text)
    reader.distinct_texts("equipment", equipment, Equipment.text)
    reader.distinct_texts("room_items", room_items, RoomItem.text)


def _check_modifier_ids(reader: Reader) -> None:
    """A name like boar+frenzy must mean one thing: no two modifiers of any kind share an id."""
    owners: dict[str, str] = {}
    for kind in (*MODIFIER_KINDS, "equipment", "room_items"):
        for name in reader.named[kind]:
            first = owners.setdefault(name, kind)
            if first != kind:
                problem = f"is already the id of one of the {first}"
                reader.fault(reader.home(kind, name), "id", name, problem, expected="an id of its own")


def _check_decks(
    reader: Reader, decks: Mapping[str, Deck], cards: Mapping[str, AnyCard], rules: EncounterRules | None
) -> None:
    """Decks hold known cards of their own side, in numbers that play."""
    for deck in decks.values():
        where = reader.home("decks", deck.id)
        reader.known("card", deck.cards, reader.named["cards"], where=where, field="cards")
        _check_sides(reader, deck.cards, cards, deck.side, where)
        if rules is not None and set(deck.cards) <= set(cards):
            reader.faults_at(where, deck_faults(deck, cards, rules))


def _check_sides(reader: Reader, names: Iterable[str], cards: Mapping[str, AnyCard], side: str, where: str) -> None:
    for name in names:
        if name in cards and cards[name].side != side:
            reader.fault(where, "cards", name, f"is a card of the {cards[name].side}", expected=f"cards of the {side}")


def _check_owners(
    reader: Reader,
    decks: Mapping[str, Deck],
    rooms: Mapping[str, Room],
    creatures: Mapping[str, Creature],
    cards: Mapping[str, AnyCard],
) -> None:
    """Rooms have a dungeon's deck with one Covenant, creatures a visitor's (P4)."""
    for kind, side, owners in (("rooms", "dungeon", rooms), ("creatures", "visitor", creatures)):
        for owner in owners.values():
            where = reader.home(kind, owner.id)
            reader.known("deck", [owner.deck], reader.named["decks"], where=where, field="deck")
            if owner.deck in decks and decks[owner.deck].side != side:
                right = ", ".join(deck.id for deck in decks.values() if deck.side == side)
                reader.fault(where, "deck", owner.deck, f"is not a deck of the {side}", expected=right)
    for name in dict.fromkeys(room.deck for room in rooms.values()):
        if name in decks and set(decks[name].cards) <= set(cards):
            reader.faults_at(reader.home("decks", name), covenant_faults(decks[name], cards))


def _check_parties(
    reader: Reader, classes: Mapping[str, PartyClass], parties: Mapping[str, Party], cards: Mapping[str, AnyCard]
) -> None:
    """Classes bring known visitors' cards, parties known classes, both in numbers that play."""
    for kit in classes.values():
        where = reader.home("classes", kit.id)
        reader.known("card", kit.cards, reader.named["cards"], where=where, field="cards")
        _check_sides(reader, kit.cards, cards, "visitor", where)
        if set(kit.cards) <= set(cards):
            reader.faults_at(where, kit_faults(kit, cards))
    for party in parties.values():
        where = reader.home("parties", party.id)
        reader.known("class", party.members, reader.named["classes"], where=where, field="members")
        kits = [classes[name] for name in party.members if name in classes and set(classes[name].cards) <= set(cards)]
        if len(kits) == len(party.members):
            reader.faults_at(where, party_faults(kits, cards))
