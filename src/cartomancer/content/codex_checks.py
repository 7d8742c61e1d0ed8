"""What the entries of the codex ask of each other: a reader collects whatever does not fit, with what would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cartomancer.content.deck_rules import (
    covenant_faults,
    deck_faults,
    flex_faults,
    kit_faults,
    party_faults,
    pool_faults,
)
from cartomancer.content.models.bestiary import Guardian
from cartomancer.content.models.cards import CARD_MODELS, AnyCard
from cartomancer.content.models.encounter import Creature, Deck, Dungeon, EncounterRules, Party, PartyClass, Pool, Room
from cartomancer.content.models.equipment import Equipment, RoomItem
from cartomancer.content.models.profile import Profile
from cartomancer.content.reader import Reader, unknown_names
from cartomancer.content.rules_text import card_text
from cartomancer.content.scenario_rules import MODIFIER_KINDS
from cartomancer.content.swaps import played_faults, slot_faults
from cartomancer.errors import Fault


def check_texts(
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


def check_modifier_ids(reader: Reader) -> None:
    """A name like boar+frenzy must mean one thing: no two modifiers of any kind share an id."""
    owners: dict[str, str] = {}
    for kind in (*MODIFIER_KINDS, "equipment", "room_items"):
        for name in reader.named[kind]:
            first = owners.setdefault(name, kind)
            if first != kind:
                problem = f"is already the id of one of the {first}"
                reader.fault(reader.home(kind, name), "id", name, problem, expected="an id of its own")


def check_decks(
    reader: Reader, decks: Mapping[str, Deck], cards: Mapping[str, AnyCard], rules: EncounterRules | None
) -> None:
    """Decks hold known cards of their own side, in numbers that play."""
    for deck in decks.values():
        where = reader.home("decks", deck.id)
        reader.known("card", deck.cards, reader.named["cards"], where=where, field="cards")
        check_sides(reader, deck.cards, cards, deck.side, where)
        if rules is not None and set(deck.cards) <= set(cards):
            reader.faults_at(where, deck_faults(deck, cards, rules))


def check_pools(reader: Reader, pools: Mapping[str, Pool], cards: Mapping[str, AnyCard]) -> None:
    """Pools hold known cards of their own side that fit anywhere [GDD 15.5]."""
    for pool in pools.values():
        where = reader.home("pools", pool.id)
        reader.known("card", pool.cards, reader.named["cards"], where=where, field="cards")
        check_sides(reader, pool.cards, cards, pool.side, where)
        if set(pool.cards) <= set(cards):
            reader.faults_at(where, pool_faults(pool, cards))


def check_lairs(
    reader: Reader,
    guardians: Mapping[str, Guardian],
    rooms: Mapping[str, Room],
    decks: Mapping[str, Deck],
    cards: Mapping[str, AnyCard],
    rules: EncounterRules,
) -> None:
    """A guardian has a name of its own, a lair that exists, and known cards of the dungeon for its flex slots."""
    for guardian in guardians.values():
        where = reader.home("guardians", guardian.id)
        if guardian.id in reader.named["dungeons"]:
            reader.fault(where, "id", guardian.id, "is already the id of a dungeon", expected="an id of its own")
        reader.known("room", [guardian.room], reader.named["rooms"], where=where, field="room")
        for taken, given in guardian.swaps.items():
            field = f"swaps.{taken}"
            reader.known("card", [given], reader.named["cards"], where=where, field=field)
            check_sides(reader, [given], cards, "dungeon", where, field)
        deck = decks.get(rooms[guardian.room].deck) if guardian.room in rooms else None
        if deck is not None:
            faults = [*slot_faults(deck, guardian.swaps, "swaps")]
            reader.faults_at(where, faults or played_faults(deck, guardian.swaps, cards, rules, "swaps"))


def check_sides(
    reader: Reader, names: Iterable[str], cards: Mapping[str, AnyCard], side: str, where: str, field: str = "cards"
) -> None:
    for name in names:
        if name in cards and cards[name].side != side:
            reader.fault(where, field, name, f"is a card of the {cards[name].side}", expected=f"cards of the {side}")


def check_owners(
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


def check_profiles(
    reader: Reader,
    profiles: Mapping[str, Profile],
    dungeons: Mapping[str, Dungeon],
    creatures: Mapping[str, Creature],
    parties: Mapping[str, Party],
    guardians: Mapping[str, Guardian],
) -> None:
    """Whoever plays has a profile of its side; a profile that courts like another names one of its side."""
    for profile in profiles.values():
        if profile.courts_like is not None:
            where = reader.home("profiles", profile.id)
            reader.faults_at(where, profile_faults(profile.courts_like, profile.side, profiles, "courts_like"))
    for kind, side, owners in (
        ("dungeons", "dungeon", dungeons),
        ("guardians", "dungeon", guardians),
        ("creatures", "visitor", creatures),
        ("parties", "visitor", parties),
    ):
        for owner in owners.values():
            reader.faults_at(reader.home(kind, owner.id), profile_faults(owner.profile, side, profiles, "profile"))


def profile_faults(name: str, side: str, profiles: Mapping[str, Profile], field: str) -> Iterator[Fault]:
    """A profile that is unknown, or of the other side."""
    fitting = [profile.id for profile in profiles.values() if profile.side == side]
    yield from unknown_names("profile", [name], list(profiles), field)
    if name in profiles and profiles[name].side != side:
        yield Fault(field, name, f"is a profile of the {profiles[name].side}", ", ".join(fitting))


def check_parties(
    reader: Reader, classes: Mapping[str, PartyClass], parties: Mapping[str, Party], cards: Mapping[str, AnyCard]
) -> None:
    """Classes bring known visitors' cards, parties known classes, both in numbers that play."""
    for kit in classes.values():
        where = reader.home("classes", kit.id)
        reader.known("card", kit.cards, reader.named["cards"], where=where, field="cards")
        check_sides(reader, kit.cards, cards, "visitor", where)
        if set(kit.cards) <= set(cards):
            reader.faults_at(where, kit_faults(kit, cards))
        reader.faults_at(where, flex_faults(kit))
    for party in parties.values():
        where = reader.home("parties", party.id)
        reader.known("class", party.members, reader.named["classes"], where=where, field="members")
        kits = [classes[name] for name in party.members if name in classes and set(classes[name].cards) <= set(cards)]
        if len(kits) == len(party.members):
            reader.faults_at(where, party_faults(kits, cards))
