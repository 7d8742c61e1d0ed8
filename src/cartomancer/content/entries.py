"""Everything the card game is made of: entries by their kind and id, the numbers of its rules, the catalog; and what
the entries ask of each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cartomancer.content import deck_rules
from cartomancer.content.catalog import BEINGS, CATALOG_KINDS, MODIFIER_KINDS, Catalog
from cartomancer.content.models import encounter
from cartomancer.content.models.bestiary import Pack
from cartomancer.content.models.cards import CARD_MODELS, AnyCard
from cartomancer.content.models.effects import Equipment, Modifier, RoomItem
from cartomancer.content.models.events import Event
from cartomancer.content.models.expedition import ExpeditionTuning
from cartomancer.content.models.profile import EndingsTuning, Profile, ThinkingTuning
from cartomancer.content.models.quality import QualityTuning
from cartomancer.content.models.targets import TargetSet
from cartomancer.content.models.tuning import ResolutionTuning
from cartomancer.content.packs import PackDeckTuning
from cartomancer.content.reader import Reader, kinds_in, repeated, unknown_names
from cartomancer.content.rules_text import card_text
from cartomancer.content.swaps import played_faults, slot_faults
from cartomancer.errors import Fault

Named = Mapping[str, Sequence[str]]  # the ids of every kind
NAME_ALONE: Final = re.compile("[a-z0-9_-]+")  # of a scenario, without modifiers, and no match


@dataclass(frozen=True, kw_only=True)
class Entries:
    """Every entry of the card game by its id, the numbers of its rules, and the catalog its modifiers come from."""

    cards: Mapping[str, AnyCard]
    decks: Mapping[str, encounter.Deck]
    pools: Mapping[str, encounter.Pool]
    rooms: Mapping[str, encounter.Room]
    profiles: Mapping[str, Profile]
    dungeons: Mapping[str, encounter.Dungeon]
    creatures: Mapping[str, encounter.Creature]
    classes: Mapping[str, encounter.PartyClass]
    parties: Mapping[str, encounter.Party]
    scenarios: Mapping[str, encounter.Scenario]
    themes: Mapping[str, encounter.Theme]
    packs: Mapping[str, Pack]
    events: Mapping[str, Event]
    equipment: Mapping[str, Equipment]
    room_items: Mapping[str, RoomItem]
    targets: Mapping[str, TargetSet]
    rules: encounter.EncounterRules
    pack_decks: PackDeckTuning
    expedition: ExpeditionTuning
    resolution: ResolutionTuning
    thinking: ThinkingTuning
    endings: EndingsTuning
    quality: QualityTuning
    catalog: Catalog

    def of_kind(self, kind: str) -> Mapping[str, Any]:
        """The entries of a kind, of the card game or of the catalog."""
        entries: Mapping[str, Any] = getattr(self.catalog if kind in CATALOG_KINDS else self, kind)
        return entries

    @property
    def modifiers(self) -> dict[str, Modifier]:
        """The trials, intrusions, traits and items a scenario may put in force."""
        return {name: entry for kind in MODIFIER_KINDS for name, entry in self.of_kind(kind).items()}

    def generic_cards(self, side: str) -> list[str]:
        """The cards of a side's pools."""
        return [name for pool in self.pools.values() if pool.side == side for name in pool.cards]

    # --- what they ask of each other: a reader collects whatever does not fit, with what would ------------------------

    def check_texts(self, reader: Reader) -> None:
        """The Description Test: within a category no two cards read alike, nor two pieces of equipment [GDD 13.1]."""
        for category in CARD_MODELS:
            alike = {card.id: card for card in self.cards.values() if card.category == category}
            reader.distinct_texts("cards", alike, card_text)
        for kind in ("equipment", "room_items"):
            reader.distinct_texts(kind, self.of_kind(kind), lambda piece: piece.text())

    def check_modifier_ids(self, reader: Reader) -> None:
        """A name like boar+frenzy must mean one thing: no two modifiers of any kind share an id."""
        owners: dict[str, str] = {}
        for kind in (*MODIFIER_KINDS, "equipment", "room_items"):
            for name in reader.named[kind]:
                first = owners.setdefault(name, kind)
                if first != kind:
                    problem = f"is already the id of one of the {first}"
                    reader.fault(reader.home(kind, name), "id", name, problem, expected="an id of its own")

    def check_decks(self, reader: Reader) -> None:
        """Decks hold known cards of their own side, in numbers that play; so do pools, of cards that fit anywhere
        [GDD 15.5]."""
        for deck in self.decks.values():
            where = reader.home("decks", deck.id)
            if self._check_cards(reader, deck.cards, deck.side, where) and self.rules is not None:
                reader.faults_at(where, deck_rules.deck_faults(deck, self.cards, self.rules))
            for name, steps in deck.lines.items():
                asked = [step.card for step in steps if step.card is not None]
                reader.known("card of the deck", asked, list(deck.cards), where=where, field=f"lines.{name}")
        for pool in self.pools.values():
            where = reader.home("pools", pool.id)
            if self._check_cards(reader, pool.cards, pool.side, where):
                reader.faults_at(where, deck_rules.pool_faults(pool, self.cards))

    def _check_cards(self, reader: Reader, names: Collection[str], side: str, where: str, field: str = "cards") -> bool:
        """The cards are known and of that side. Returns whether all could be read: faulty ones are reported already."""
        reader.known("card", names, reader.named["cards"], where=where, field=field)
        read = [self.cards[name] for name in names if name in self.cards]
        for card in read:
            if card.side != side:
                reader.fault(where, field, card.id, f"is a card of the {card.side}", expected=f"cards of the {side}")
        return len(read) == len(names)

    def check_lairs(self, reader: Reader) -> None:
        """A guardian has a name of its own, a lair that exists, and known cards of the dungeon for its flex slots."""
        for guardian in self.catalog.guardians.values():
            where = reader.home("guardians", guardian.id)
            if guardian.id in reader.named["dungeons"]:
                reader.fault(where, "id", guardian.id, "is already the id of a dungeon", expected="an id of its own")
            reader.known("room", [guardian.room], reader.named["rooms"], where=where, field="room")
            for taken, given in guardian.swaps.items():
                self._check_cards(reader, [given], "dungeon", where, f"swaps.{taken}")
            deck = self.decks.get(self.rooms[guardian.room].deck) if guardian.room in self.rooms else None
            if deck is not None:
                faults = [*slot_faults(deck, guardian.swaps, "swaps")]
                reader.faults_at(where, faults or played_faults(deck, guardian.swaps, self.cards, self.rules, "swaps"))

    def check_packs(self, reader: Reader) -> None:
        """Enemies and guardians belong to themes that exist, enemies bring known cards of the dungeon; an elite pack
        holds an elite enemy, a basic one none."""
        themes = reader.named["themes"]
        for name in themes:
            if name in reader.named["rooms"]:
                where = reader.home("themes", name)
                reader.fault(where, "id", name, "is already the id of a room", expected="an id of its own")
        enemies = self.catalog.enemies if self.catalog else {}
        for kind in BEINGS if self.catalog else ():
            for being in self.of_kind(kind).values():
                reader.known("theme", [being.theme], themes, where=reader.home(kind, being.id), field="theme")
        for enemy in enemies.values():
            self._check_cards(reader, enemy.kit, "dungeon", reader.home("enemies", enemy.id), "kit")
        for pack in self.packs.values():
            where = reader.home("packs", pack.id)
            reader.known("theme", [pack.theme], themes, where=where, field="theme")
            reader.known("enemy", pack.enemies, reader.named["enemies"], where=where, field="enemies")
            if pack.id in reader.named["enemies"]:
                reader.fault(where, "id", pack.id, "is already the id of an enemy", expected="an id of its own")
            tiers = {enemies[name].tier for name in pack.enemies if name in enemies}
            if tiers and ("elite" in tiers) != (pack.tier == "elite"):
                right = "elite: an elite enemy is in it" if "elite" in tiers else "basic: no elite enemy is in it"
                reader.fault(where, "tier", pack.tier, "does not fit its enemies", expected=right)

    def check_events(self, reader: Reader) -> None:
        """Events belong to themes that exist; what they change and ask for does, too (C10)."""
        for event in self.events.values():
            where = reader.home("events", event.id)
            reader.known("theme", event.themes, reader.named["themes"], where=where, field="themes")
            for number, choice in enumerate(event.choices, 1):
                field, hooks = f"choices[{number}]", reader.named["hooks"]
                reader.known("hook", [choice.needs.hook], hooks, where=where, field=f"{field}.needs.hook")
                changes = [change for outcome in choice.outcomes for change in outcome.changes]
                named = {
                    "hook": (hooks, [change.hook for change in changes]),
                    "item": (reader.named["items"], [change.item for change in changes]),
                    "modifier": (
                        [name for kind in MODIFIER_KINDS for name in reader.named[kind]],
                        [change.modifier for change in changes],
                    ),
                }
                for what, (known, given) in named.items():
                    reader.known(what, given, known, where=where, field=f"{field}.{what}")

    def check_owners(self, reader: Reader) -> None:
        """Rooms have a dungeon's deck with one Covenant, creatures a visitor's (P4)."""
        decks = self.decks
        for kind, side in (("rooms", "dungeon"), ("creatures", "visitor")):
            for owner in self.of_kind(kind).values():
                where = reader.home(kind, owner.id)
                reader.known("deck", [owner.deck], reader.named["decks"], where=where, field="deck")
                if owner.deck in decks and decks[owner.deck].side != side:
                    right = ", ".join(deck.id for deck in decks.values() if deck.side == side)
                    reader.fault(where, "deck", owner.deck, f"is not a deck of the {side}", expected=right)
        for name in dict.fromkeys(room.deck for room in self.rooms.values()):
            if name in decks and set(decks[name].cards) <= set(self.cards):
                reader.faults_at(reader.home("decks", name), deck_rules.covenant_faults(decks[name], self.cards))

    def check_profiles(self, reader: Reader) -> None:
        """Whoever plays has a profile of its side; a profile that courts like another names one of its side."""
        for profile in self.profiles.values():
            where = reader.home("profiles", profile.id)
            reader.faults_at(where, self.profile_faults(profile.courts_like, profile.side, "courts_like"))
            reader.faults_at(where, self._courting_faults(profile))
        players = {
            **dict.fromkeys(("dungeons", "guardians", "enemies"), "dungeon"),
            **dict.fromkeys(("creatures", "parties"), "visitor"),
        }
        for kind, side in players.items():
            for owner in self.of_kind(kind).values() if self.catalog or kind not in BEINGS else ():
                where = reader.home(kind, owner.id)
                reader.faults_at(where, self.profile_faults(owner.profile, side, "profile"))

    def _courting_faults(self, profile: Profile) -> Iterator[Fault]:
        """Whoever courts like another that courts like a third, and so on, must not come back to where it began."""
        way = [profile.id]
        while (following := self.profiles.get(way[-1])) and following.courts_like and following.courts_like not in way:
            way.append(following.courts_like)
        if following and following.courts_like == profile.id:
            problem = f"goes round in a circle: {' → '.join([*way, profile.id])}"
            yield Fault("courts_like", profile.courts_like, problem, "a profile that courts in a way of its own")

    def profile_faults(self, name: str | None, side: str, field: str) -> Iterator[Fault]:
        """A profile that is named and unknown, or of the other side."""
        known = self.profiles.get(name or "")
        if known is not None and known.side != side:
            fitting = [profile.id for profile in self.profiles.values() if profile.side == side]
            yield Fault(field, name, f"is a profile of the {known.side}", ", ".join(fitting))
        elif name is not None:
            yield from unknown_names("profile", [name], list(self.profiles), field)

    def check_parties(self, reader: Reader) -> None:
        """Classes bring known visitors' cards, parties known classes, both in numbers that play."""
        for kit in self.classes.values():
            where = reader.home("classes", kit.id)
            if self._check_cards(reader, kit.cards, "visitor", where):
                reader.faults_at(where, deck_rules.kit_faults(kit, self.cards))
            reader.faults_at(where, deck_rules.flex_faults(kit))
        for party in self.parties.values():
            where = reader.home("parties", party.id)
            reader.known("class", party.members, reader.named["classes"], where=where, field="members")
            members = [self.classes[name] for name in party.members if name in self.classes]
            kits = [kit for kit in members if set(kit.cards) <= set(self.cards)]
            if len(kits) == len(party.members):
                reader.faults_at(where, deck_rules.party_faults(kits, self.cards))

    def scenario_faults(self, scenario: encounter.Scenario, named: Named) -> Iterator[Fault]:
        """What a scenario names is among the ids of its kind, and gear fits whoever wears it [GDD 17.7, 18.4]."""
        yield from unknown_names("guardian", [scenario.guardian], named["guardians"], "guardian")
        yield from unknown_names("enemy", scenario.enemies, named["enemies"], "enemies")
        dungeons = [*named["dungeons"], *named["guardians"]]
        yield from unknown_names("dungeon", [scenario.dungeon], dungeons, "dungeon")
        for number, stop in enumerate(scenario.rooms, 1):
            places = named["themes"] if scenario.enemies else named["rooms"]
            yield from unknown_names("room", [stop.room], places, f"rooms[{number}].room")
            yield from unknown_names("room item", stop.items, named["room_items"], f"rooms[{number}].items")
            yield from repeated(stop.items, f"rooms[{number}].items")
        yield from unknown_names("creature", [scenario.creature], named["creatures"], "creature")
        yield from unknown_names("party", [scenario.party], named["parties"], "party")
        yield from unknown_names("class", scenario.members, named["classes"], "members")
        modifiers = [name for kind in MODIFIER_KINDS for name in named[kind]]
        yield from unknown_names("modifier", scenario.modifiers, modifiers, "modifiers")
        yield from repeated(scenario.modifiers, "modifiers")
        yield from unknown_names("equipment", scenario.equipment, named["equipment"], "equipment")
        yield from self._seat_faults(scenario)

    def _seat_faults(self, scenario: encounter.Scenario) -> Iterator[Fault]:
        """A creature has seat 1 only; nobody wears two things in one slot."""
        seats = 1 if scenario.creature is not None else encounter.PARTY_SIZE
        right = "1: a creature has one seat" if seats == 1 else f"1 to {seats}"
        if scenario.targeted_seat > seats:
            yield Fault("targeted_seat", scenario.targeted_seat, "is not a seat", right)
        worn: dict[tuple[int, str], str] = {}
        for name, seat in scenario.equipment.items():
            if not 1 <= seat <= seats:
                yield Fault(f"equipment.{name}", seat, "is not a seat", right)
            elif name in self.equipment:
                slot = self.equipment[name].slot
                first = worn.setdefault((seat, slot), name)
                if first != name:
                    problem = f"is where '{first}' is worn already ({slot})"
                    yield Fault(f"equipment.{name}", seat, problem, "one piece for each slot of a seat")

    def target_faults(self, asked: TargetSet, named: Named) -> Iterator[Fault]:
        """What a set of targets names exists, and reasons are given for rows that are there. Which measures a scenario
        has, the lab knows."""
        if asked.scenario and NAME_ALONE.fullmatch(asked.scenario):  # what else is written, is read when all is there
            yield from unknown_names("scenario", [asked.scenario], named["scenarios"], "scenario")
        yield from self.profile_faults(asked.dungeon_profile, "dungeon", "dungeon_profile")
        yield from unknown_names("party", asked.parties, named["parties"], "parties")
        yield from repeated(asked.parties, "parties")
        rows = list(asked.targets)
        if asked.parties:
            scenario = self.scenarios.get(asked.scenario or "")
            if scenario is None or self.quality is None:
                return  # its rows are not known
            measures = self.quality.party_measures(len(scenario.rooms))
            rows = [f"{party}.{measure}" for party in asked.parties for measure in measures]
        yield from unknown_names("row of this set", asked.exceptions, rows, "exceptions")


# Targets are what is wished of the game, and no part of it.
CODEX_KINDS: Final = tuple(kind for kind in kinds_in(Entries) if kind != "targets")
