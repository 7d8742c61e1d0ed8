"""What the entries of the codex ask of each other: a reader collects whatever does not fit, with what would.

A rule of one entry yields faults without a place; whoever read the entry knows where it stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from cartomancer.content import deck_rules
from cartomancer.content.catalog import MODIFIER_KINDS
from cartomancer.content.entries import Entries
from cartomancer.content.models.cards import CARD_MODELS
from cartomancer.content.models.encounter import PARTY_SIZE, Scenario
from cartomancer.content.models.profile import Profile
from cartomancer.content.models.targets import TargetSet
from cartomancer.content.reader import Reader, repeated, unknown_names
from cartomancer.content.rules_text import card_text
from cartomancer.content.swaps import played_faults, slot_faults
from cartomancer.errors import Fault

Named = Mapping[str, Sequence[str]]  # the ids of every kind


def check_texts(reader: Reader, found: Entries) -> None:
    """The Description Test: within a category no two cards read alike, nor two pieces of equipment [GDD 13.1]."""
    for category in CARD_MODELS:
        alike = {card.id: card for card in found.cards.values() if card.category == category}
        reader.distinct_texts("cards", alike, card_text)
    for kind in ("equipment", "room_items"):
        reader.distinct_texts(kind, found.of_kind(kind), lambda piece: piece.text())


def check_modifier_ids(reader: Reader) -> None:
    """A name like boar+frenzy must mean one thing: no two modifiers of any kind share an id."""
    owners: dict[str, str] = {}
    for kind in (*MODIFIER_KINDS, "equipment", "room_items"):
        for name in reader.named[kind]:
            first = owners.setdefault(name, kind)
            if first != kind:
                problem = f"is already the id of one of the {first}"
                reader.fault(reader.home(kind, name), "id", name, problem, expected="an id of its own")


def check_decks(reader: Reader, found: Entries) -> None:
    """Decks hold known cards of their own side, in numbers that play; so do pools, of cards that fit anywhere
    [GDD 15.5]."""
    for deck in found.decks.values():
        where = reader.home("decks", deck.id)
        if _check_cards(reader, found, deck.cards, deck.side, where) and found.rules is not None:
            reader.faults_at(where, deck_rules.deck_faults(deck, found.cards, found.rules))
    for pool in found.pools.values():
        where = reader.home("pools", pool.id)
        if _check_cards(reader, found, pool.cards, pool.side, where):
            reader.faults_at(where, deck_rules.pool_faults(pool, found.cards))


def _check_cards(
    reader: Reader, found: Entries, names: Collection[str], side: str, where: str, field: str = "cards"
) -> bool:
    """The cards are known and of that side; returns whether all could be read, faulty ones being reported already."""
    reader.known("card", names, reader.named["cards"], where=where, field=field)
    read = [found.cards[name] for name in names if name in found.cards]
    for card in read:
        if card.side != side:
            reader.fault(where, field, card.id, f"is a card of the {card.side}", expected=f"cards of the {side}")
    return len(read) == len(names)


def check_lairs(reader: Reader, found: Entries) -> None:
    """A guardian has a name of its own, a lair that exists, and known cards of the dungeon for its flex slots."""
    for guardian in found.catalog.guardians.values():
        where = reader.home("guardians", guardian.id)
        if guardian.id in reader.named["dungeons"]:
            reader.fault(where, "id", guardian.id, "is already the id of a dungeon", expected="an id of its own")
        reader.known("room", [guardian.room], reader.named["rooms"], where=where, field="room")
        for taken, given in guardian.swaps.items():
            _check_cards(reader, found, [given], "dungeon", where, f"swaps.{taken}")
        deck = found.decks.get(found.rooms[guardian.room].deck) if guardian.room in found.rooms else None
        if deck is not None:
            faults = [*slot_faults(deck, guardian.swaps, "swaps")]
            reader.faults_at(where, faults or played_faults(deck, guardian.swaps, found.cards, found.rules, "swaps"))


def check_owners(reader: Reader, found: Entries) -> None:
    """Rooms have a dungeon's deck with one Covenant, creatures a visitor's (P4)."""
    decks = found.decks
    for kind, side in (("rooms", "dungeon"), ("creatures", "visitor")):
        for owner in found.of_kind(kind).values():
            where = reader.home(kind, owner.id)
            reader.known("deck", [owner.deck], reader.named["decks"], where=where, field="deck")
            if owner.deck in decks and decks[owner.deck].side != side:
                right = ", ".join(deck.id for deck in decks.values() if deck.side == side)
                reader.fault(where, "deck", owner.deck, f"is not a deck of the {side}", expected=right)
    for name in dict.fromkeys(room.deck for room in found.rooms.values()):
        if name in decks and set(decks[name].cards) <= set(found.cards):
            reader.faults_at(reader.home("decks", name), deck_rules.covenant_faults(decks[name], found.cards))


def check_profiles(reader: Reader, found: Entries) -> None:
    """Whoever plays has a profile of its side; a profile that courts like another names one of its side."""
    for profile in found.profiles.values():
        if profile.courts_like is not None:
            where = reader.home("profiles", profile.id)
            reader.faults_at(where, profile_faults(profile.courts_like, profile.side, found.profiles, "courts_like"))
    players = {"dungeons": "dungeon", "guardians": "dungeon", "creatures": "visitor", "parties": "visitor"}
    for kind, side in players.items():
        for owner in found.of_kind(kind).values() if found.catalog or kind != "guardians" else ():
            where = reader.home(kind, owner.id)
            reader.faults_at(where, profile_faults(owner.profile, side, found.profiles, "profile"))


def profile_faults(name: str | None, side: str, profiles: Mapping[str, Profile], field: str) -> Iterator[Fault]:
    """A profile that is named and unknown, or of the other side."""
    known = profiles.get(name or "")
    if known is not None and known.side != side:
        fitting = [profile.id for profile in profiles.values() if profile.side == side]
        yield Fault(field, name, f"is a profile of the {known.side}", ", ".join(fitting))
    elif name is not None:
        yield from unknown_names("profile", [name], list(profiles), field)


def check_parties(reader: Reader, found: Entries) -> None:
    """Classes bring known visitors' cards, parties known classes, both in numbers that play."""
    for kit in found.classes.values():
        where = reader.home("classes", kit.id)
        if _check_cards(reader, found, kit.cards, "visitor", where):
            reader.faults_at(where, deck_rules.kit_faults(kit, found.cards))
        reader.faults_at(where, deck_rules.flex_faults(kit))
    for party in found.parties.values():
        where = reader.home("parties", party.id)
        reader.known("class", party.members, reader.named["classes"], where=where, field="members")
        members = [found.classes[name] for name in party.members if name in found.classes]
        kits = [kit for kit in members if set(kit.cards) <= set(found.cards)]
        if len(kits) == len(party.members):
            reader.faults_at(where, deck_rules.party_faults(kits, found.cards))


def scenario_faults(scenario: Scenario, named: Named, found: Entries) -> Iterator[Fault]:
    """What a scenario names exists, given the ids of every kind, and gear fits whoever wears it [GDD 17.7, 18.4]."""
    yield from unknown_names("guardian", [scenario.guardian], named["guardians"], "guardian")
    if scenario.guardian is None:  # else it would be spelled out: a guardian may be the dungeon
        yield from unknown_names("dungeon", [scenario.dungeon], [*named["dungeons"], *named["guardians"]], "dungeon")
    for number, stop in enumerate(scenario.rooms, 1):
        yield from unknown_names("room", [stop.room], named["rooms"], f"rooms[{number}].room")
        yield from unknown_names("room item", stop.items, named["room_items"], f"rooms[{number}].items")
        yield from repeated(stop.items, f"rooms[{number}].items")
    yield from unknown_names("creature", [scenario.creature], named["creatures"], "creature")
    yield from unknown_names("party", [scenario.party], named["parties"], "party")
    yield from unknown_names("class", scenario.members, named["classes"], "members")
    modifiers = [name for kind in MODIFIER_KINDS for name in named[kind]]
    yield from unknown_names("modifier", scenario.modifiers, modifiers, "modifiers")
    yield from repeated(scenario.modifiers, "modifiers")
    yield from unknown_names("equipment", scenario.equipment, named["equipment"], "equipment")
    yield from _seats(scenario, {piece.id: piece.slot for piece in found.equipment.values()})


def _seats(scenario: Scenario, slots: Mapping[str, str]) -> Iterator[Fault]:
    """A creature has seat 1 only; nobody wears two things in one slot."""
    seats = 1 if scenario.creature is not None else PARTY_SIZE
    right = "1: a creature has one seat" if seats == 1 else f"1 to {seats}"
    if scenario.targeted_seat > seats:
        yield Fault("targeted_seat", scenario.targeted_seat, "is not a seat", right)
    worn: dict[tuple[int, str], str] = {}
    for name, seat in scenario.equipment.items():
        if not 1 <= seat <= seats:
            yield Fault(f"equipment.{name}", seat, "is not a seat", right)
        elif name in slots:
            first = worn.setdefault((seat, slots[name]), name)
            if first != name:
                problem = f"is where '{first}' is worn already ({slots[name]})"
                yield Fault(f"equipment.{name}", seat, problem, "one piece for each slot of a seat")


def target_faults(asked: TargetSet, named: Named, found: Entries) -> Iterator[Fault]:
    """What a set of targets names exists, and reasons are given for rows that are there. Which measures a scenario
    has, the lab knows."""
    yield from unknown_names("scenario", [asked.scenario], named["scenarios"], "scenario")
    yield from profile_faults(asked.dungeon_profile, "dungeon", found.profiles, "dungeon_profile")
    yield from unknown_names("party", asked.parties, named["parties"], "parties")
    yield from repeated(asked.parties, "parties")
    rows = list(asked.targets)
    if asked.parties:
        scenario = found.scenarios.get(asked.scenario or "")
        if scenario is None or found.quality is None:
            return  # its rows are not known
        measures = found.quality.party_measures(len(scenario.rooms))
        rows = [f"{party}.{measure}" for party in asked.parties for measure in measures]
    yield from unknown_names("row of this set", asked.exceptions, rows, "exceptions")
