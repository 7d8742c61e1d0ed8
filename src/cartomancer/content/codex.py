"""The codex: every entry of the card game, validated one by one and against each other.

>>> codex = load_codex()
>>> codex.scenario("boar").creature
'thornback_boar'
>>> codex.scenario("boar+frenzy+iron_shield").equipment
{'iron_shield': 1}
>>> codex.scenario("guardian:rng").party
'standard_company'
>>> codex.scenario("match:knight-knight-cleric-rogue/root_hollow-veil_breach").members
['knight', 'knight', 'cleric', 'rogue']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from cartomancer.content.catalog import CATALOG_KINDS, Catalog, read_catalog
from cartomancer.content.entries import CODEX_KINDS, NAME_ALONE, Entries
from cartomancer.content.matches import MATCH, read_match
from cartomancer.content.models.base import deciding
from cartomancer.content.models.bestiary import Enemy
from cartomancer.content.models.cards import AnyCard
from cartomancer.content.models.encounter import (
    PARTY_PROFILE,
    Deck,
    Dungeon,
    PartyClass,
    Place,
    Scenario,
    ScenarioRoom,
)
from cartomancer.content.models.profile import Profile
from cartomancer.content.models.targets import TargetSet
from cartomancer.content.packs import PACK, as_deck, as_dungeon, read_pack, with_vigour
from cartomancer.content.reader import Reader, repeated, unknown_names
from cartomancer.content.swaps import Holder, flex_cards, played_faults, pool_only, slot_faults, with_swaps
from cartomancer.content.toml_files import DATA, nearest, read_toml, shown_path, validated
from cartomancer.content.training import TRAINED, trained
from cartomancer.errors import CartomancerError, ContentError, Fault, UnknownNameError
from cartomancer.seals import digest_of

GUARDIAN: Final = "guardian:"
STANDARD_PARTY: Final = "standard_company"
SEATS: Final = ("1", "2", "3", "4")
SCENARIO_FILE: Final = re.compile(r"(?P<path>.*\.toml)(?P<more>(\+[^/]*)?)")


class Codex(Entries):
    """The entries of the card game, and the scenarios that can be made of them."""

    # --- what a scenario is played with: swaps are applied here and nowhere else --------------------------------------

    def place(self, name: str) -> Place:
        """Where a fight is: a room, or the open ground of a theme."""
        return self.rooms.get(name) or self.themes[name]

    def place_kind(self, name: str) -> str:
        """The kind of content a place is."""
        return "rooms" if name in self.rooms else "themes"

    def card(self, name: str) -> AnyCard:
        """A card by its id; with a plus sign after it, as training has made it (C4)."""
        return trained(self.cards, name) if name.endswith(TRAINED) else self.cards[name]

    def pack_of(self, scenario: Scenario) -> list[Enemy]:
        """The enemies of a scenario, its leader first; none where it has a dungeon."""
        return [self.catalog.enemies[name] for name in scenario.enemies]

    def dungeon_of(self, scenario: Scenario) -> Dungeon:
        """A scenario's dungeon; a guardian in its lair is one, and so is a pack (C1)."""
        guardian = self.catalog.guardians.get(scenario.dungeon)
        if scenario.enemies:
            found = as_dungeon(self.pack_of(scenario))
        else:
            found = guardian.dungeon() if guardian else self.dungeons[scenario.dungeon]
        return found if scenario.vigour_percent == 100 else with_vigour(found, scenario.vigour_percent)

    def room_decks(self, scenario: Scenario) -> list[Deck]:
        """The decks of a scenario's rooms as they are played, room by room."""
        if scenario.enemies:
            return [as_deck(self.pack_of(scenario), self.pack_decks)]
        names = [stop.room for stop in scenario.rooms]
        return [with_swaps(self.decks[self.rooms[name].deck], scenario.swaps.get(name)) for name in names]

    def creature_deck(self, scenario: Scenario) -> Deck | None:
        """The deck of a scenario's creature as it is played."""
        if scenario.creature is None:
            return None
        return with_swaps(self.decks[self.creatures[scenario.creature].deck], scenario.swaps.get(scenario.creature))

    def members_of(self, scenario: Scenario) -> list[PartyClass]:
        """The classes of a scenario's party as they are played, seat by seat; none for a creature."""
        names = self.parties[scenario.party].members if scenario.party else scenario.members
        return [with_swaps(self.classes[name], scenario.swaps.get(name)) for name in names]

    def _holders(self, scenario: Scenario) -> dict[str, Holder | None]:
        """Whose cards may be swapped: rooms and creature have a deck, classes a kit; nothing where that is faulty."""
        holders: dict[str, Holder | None] = {}
        rooms = {stop.room: self.rooms.get(stop.room) for stop in scenario.rooms}
        creatures = {name: self.creatures.get(name) for name in [scenario.creature] if name}
        for name, owner in {**rooms, **creatures}.items():
            holders[name] = self.decks.get(owner.deck) if owner else None
        party = self.parties.get(scenario.party or "")
        members = party.members if party else scenario.members
        for name in members if members or scenario.creature else self.classes:  # of a faulty party anybody may be one
            holders[name] = self.classes.get(name)
        return holders

    def swap_faults(self, scenario: Scenario) -> Iterator[Fault]:
        """What is wrong with a scenario's swaps [GDD 8.5, 16.5]; a guardian's own cards need no pool."""
        holders = self._holders(scenario)
        guardian = self.catalog.guardians.get(scenario.dungeon)
        pools = {side: self.generic_cards(side) for side in ("dungeon", "visitor")}
        pools["dungeon"] += guardian.swaps.values() if guardian else []
        for owner, swaps in scenario.swaps.items():
            field = f"swaps.{owner}"
            if owner not in holders:
                yield Fault("swaps", owner, "has no cards in this scenario", nearest(owner, list(holders)))
            elif (holder := holders[owner]) is not None:
                side = holder.side if isinstance(holder, Deck) else "visitor"
                faults = [*slot_faults(holder, swaps, field), *pool_only(swaps, pools[side], side, field)]
                yield from faults or played_faults(holder, swaps, self.cards, self.rules, field)

    # --- who plays ----------------------------------------------------------------------------------------------------

    def dungeon_profiles(self, scenario: Scenario) -> list[Profile]:
        """How the dungeon plays, room by room: the room's word, else the scenario's, else the dungeon's own."""
        usual = scenario.dungeon_profile or self.dungeon_of(scenario).profile
        return [self.profiles[stop.profile or usual] for stop in scenario.rooms]

    def visitor_profile(self, scenario: Scenario) -> Profile:
        """How the visitor plays: the scenario's word, else the creature's or the party's own."""
        own = self.creatures[scenario.creature].profile if scenario.creature else PARTY_PROFILE
        own = self.parties[scenario.party].profile if scenario.party else own
        return self.profiles[scenario.visitor_profile or own]

    def player_faults(self, scenario: Scenario) -> Iterator[Fault]:
        """Profiles a scenario names that are unknown or of the other side."""
        for field, side in (("dungeon_profile", "dungeon"), ("visitor_profile", "visitor")):
            yield from self.profile_faults(getattr(scenario, field), side, field)
        for number, stop in enumerate(scenario.rooms, 1):
            yield from self.profile_faults(stop.profile, "dungeon", f"rooms[{number}].profile")

    def notation_faults(self, asked: TargetSet) -> Iterator[Fault]:
        """What is wrong with the scenario of a set of targets, where it is written out in one line."""
        try:
            if asked.scenario is not None and not NAME_ALONE.fullmatch(asked.scenario):
                self.scenario(asked.scenario)
        except CartomancerError as error:
            yield from error.faults or (Fault("scenario", asked.scenario, str(error)),)

    # --- scenarios by name --------------------------------------------------------------------------------------------

    @property
    def fights(self) -> list[str]:
        """What is shipped to be played, by name: every scenario, every guardian in its lair, every pack."""
        lairs, packs = (
            (f"{GUARDIAN}{name}" for name in self.catalog.guardians),
            (f"{PACK}{name}" for name in self.packs),
        )
        return [*self.scenarios, *lairs, *packs]

    def scenario(self, name: str) -> Scenario:
        """A scenario by its id or its file, guardian:ID or pack:ID against the standard company, match:VISITOR/ROOMS;
        modifiers, equipment, room items and swaps follow after plus signs: boar+frenzy+shifting_stone=thick_wall."""
        written = SCENARIO_FILE.fullmatch(name)
        start, *more = [written["path"], *written["more"].split("+")[1:]] if written else name.split("+")
        if written:
            found = self._from_file(Path(start))
        elif start.startswith(GUARDIAN):
            found = self._at_lair(start.removeprefix(GUARDIAN))
        elif start.startswith(PACK):
            found = self._of_pack(start)
        elif start.startswith(MATCH):
            found = self._of_match(start)
        elif start in self.scenarios:
            found = self.scenarios[start]
        else:
            raise UnknownNameError("scenario", start, list(self.scenarios))
        return self.with_modifiers(found, more)

    def _at_lair(self, name: str) -> Scenario:
        """The fight with a guardian that needs no file."""
        if name not in self.catalog.guardians:
            raise UnknownNameError("guardian", name, list(self.catalog.guardians))
        guardian = self.catalog.guardians[name]
        found = {"id": f"guardian-{name}", "title": guardian.title, "summary": guardian.summary}
        return self._possible({**found, "guardian": name, "party": STANDARD_PARTY}, f"{GUARDIAN}{name}")

    def _of_pack(self, name: str) -> Scenario:
        """The fight with a pack that needs no file (C1)."""
        written = read_pack(name)
        pack = self.packs.get(written.enemies[0]) if len(written.enemies) == 1 else None
        enemies = pack.enemies if pack else list(written.enemies)
        if faults := [*unknown_names("enemy or pack", enemies, [*self.packs, *self.catalog.enemies], "enemies")]:
            raise ContentError(f"{name}: {len(faults)} fault(s)", faults)
        title = pack.title if pack else ", ".join(self.catalog.enemies[enemy].title for enemy in enemies)
        visitor = written.visitor or STANDARD_PARTY
        found = {"id": "pack-" + "-".join(written.enemies).replace("_", "-"), "title": title, "enemies": enemies}
        kind = "creature" if visitor in self.creatures else "party"
        return self._possible({**found, "summary": pack.summary if pack else "", kind: visitor}, name)

    def _of_match(self, name: str) -> Scenario:
        """The fight that a match writes down, refused with every fault [GDD 18.4]."""
        match, named = read_match(name), {kind: list(self.of_kind(kind)) for kind in CODEX_KINDS}
        faults = [*match.faults(named), *self.profile_faults(match.profile, "dungeon", "profile")]
        ContentError.refuse(name, "{n} fault(s)", faults)
        return self._possible(match.fields(named, self.rules.match_rounds), name)

    def _from_file(self, path: Path) -> Scenario:
        """The scenario in a designer's file, refused with every fault."""
        where, tables = shown_path(path), read_toml(path)
        if tables.get("id", path.stem) != path.stem:
            fault = Fault("id", tables["id"], "is not the name of its file", path.stem, where)
            raise ContentError(f"{where}: named unlike its file", [fault])
        return self._possible(tables, where)

    def _possible(self, fields: Mapping[str, Any], where: str) -> Scenario:
        """The scenario of these fields spelled out, refused with every fault."""
        scenario = spelled_out(validated(Scenario, fields, where), self.catalog)
        named = {kind: list(self.of_kind(kind)) for kind in (*CODEX_KINDS, *CATALOG_KINDS)}
        unknown = self.scenario_faults(scenario, named)
        found = [*unknown, *self.swap_faults(scenario), *self.player_faults(scenario)]
        ContentError.refuse(where, "{n} fault(s) in the scenario", found)
        return scenario

    def _swapped_by_name(self, scenario: Scenario, names: Iterable[str]) -> dict[str, dict[str, str]]:
        """The scenario's swaps and those written OUT=IN: each goes wherever OUT is in a flex slot, or else is."""
        swaps = {owner: dict(own) for owner, own in scenario.swaps.items()}
        holders = {owner: holder for owner, holder in self._holders(scenario).items() if holder is not None}
        written = [name.partition("=")[::2] for name in names]
        if faults := [*repeated((taken for taken, _ in written), "swaps", "each card once", "is swapped twice")]:
            raise ContentError(f"{scenario.id}: {len(faults)} fault(s) in the swaps", faults)
        for taken, given in written:
            held = [owner for owner, holder in holders.items() if taken in holder.cards]
            if not held:
                known = dict.fromkeys(card for holder in holders.values() for card in holder.cards)
                raise UnknownNameError("card in these decks", taken, list(known))
            for owner in [owner for owner in held if taken in flex_cards(holders[owner])] or held:
                swaps.setdefault(owner, {})[taken] = given
        return swaps

    def with_modifiers(self, scenario: Scenario, names: Iterable[str]) -> Scenario:
        """The scenario with more in force: modifiers for the whole run, equipment for seat 1 or the seat after an @,
        room items for every room, swaps for every deck with the card in a flex slot."""
        given = list(names)
        if not given:
            return scenario
        modifiers, equipment, items = list(scenario.modifiers), dict(scenario.equipment), list[str]()
        swaps = self._swapped_by_name(scenario, [name for name in given if "=" in name])
        for name in [name for name in given if "=" not in name]:
            piece, at, seat = name.partition("@")
            if piece in self.equipment:
                if at and seat not in SEATS:
                    raise UnknownNameError("seat", seat, SEATS)
                equipment[piece] = int(seat or 1)
            elif name in self.room_items:
                items.append(name)
            elif name in self.modifiers:
                modifiers.append(name)
            else:
                raise UnknownNameError("modifier", name, [*self.modifiers, *self.equipment, *self.room_items])
        fields = scenario.model_dump(exclude_unset=True)
        fields |= {"modifiers": modifiers, "equipment": equipment, "swaps": swaps}
        for stop in fields["rooms"]:
            stop["items"] = [*stop.get("items", []), *items]
        return self._possible(fields, "+".join([scenario.id, *given]))


def scenario_digest(codex: Codex, scenario: Scenario) -> str:
    """Twelve hex digits of everything that decides a scenario: its own fields, all entries it uses, the rules."""
    rooms = [codex.place(stop.room) for stop in scenario.rooms]
    # what might be swapped decides nothing, what is swapped does
    members = [member.model_copy(update={"flex": []}) for member in codex.members_of(scenario)]
    creature = codex.creatures[scenario.creature] if scenario.creature else None
    own_deck = codex.creature_deck(scenario)
    decks = codex.room_decks(scenario) + ([own_deck] if own_deck else [])
    cards = {name for kit in (*(deck.cards for deck in decks), *(member.cards for member in members)) for name in kit}
    pieces = (*scenario.modifiers, *scenario.equipment, *(item for stop in scenario.rooms for item in stop.items))
    modifiers = {**codex.modifiers, **codex.equipment, **codex.room_items}
    used = [
        *(codex.dungeon_of(scenario), *rooms, *decks, *([creature] if creature else members)),
        *(codex.cards[name] for name in sorted(cards)),
        *(modifiers[name] for name in sorted(set(pieces))),
        *(codex.rules, codex.resolution),
    ]
    own = {key: value for key, value in deciding(scenario).items() if key != "id"}
    return digest_of([own, [deciding(entry) for entry in used]], digits=12)


def spelled_out(scenario: Scenario, catalog: Catalog | None) -> Scenario:
    """A scenario that names a guardian we know, with its lair as the only room, its values as the dungeon's, its
    traits in force and its signature cards in the deck; or a pack on the open ground of its leader's theme, with the
    traits of all in force. What the scenario swaps and puts in force itself comes on top."""
    if catalog is None:
        return scenario
    if scenario.enemies and not scenario.rooms and set(scenario.enemies) <= set(catalog.enemies):
        pack = [catalog.enemies[name] for name in scenario.enemies]
        in_force = dict.fromkeys([*(trait for enemy in pack for trait in enemy.traits), *scenario.modifiers])
        ground = [ScenarioRoom(room=pack[0].theme)]
        return scenario.model_copy(update={"rooms": ground, "modifiers": list(in_force)})
    guardian = catalog.guardians.get(scenario.guardian or "")
    if guardian is None:
        return scenario
    swaps = {**scenario.swaps, guardian.room: {**guardian.swaps, **scenario.swaps.get(guardian.room, {})}}
    rooms, traits = [ScenarioRoom(room=guardian.room)], [*guardian.traits, *scenario.modifiers]
    fields = {"guardian": None, "dungeon": guardian.id, "rooms": rooms, "modifiers": traits, "swaps": swaps}
    return scenario.model_copy(update=fields)


_in_use: Final = cache(lambda: load_codex(DATA))


def load_codex(folder: Path | None = None) -> Codex:
    """The codex in use, read once; or the codex in a folder, refused with every fault at once."""
    return _in_use() if folder is None else Reader(folder).complete(read_codex, "codex")


def read_codex(reader: Reader) -> Codex | None:
    """The codex in the reader's folder, or nothing if it is faulty: the reader has the faults."""
    catalog = read_catalog(reader)
    found = reader.record(Entries) | {"catalog": catalog}
    written: Mapping[str, Scenario] = found["scenarios"]
    found["scenarios"] = {name: spelled_out(scenario, catalog) for name, scenario in written.items()}
    draft = Codex(**found)  # whose numbers and catalog may be missing
    draft.check_texts(reader)
    draft.check_modifier_ids(reader)
    draft.check_decks(reader)
    draft.check_owners(reader)
    draft.check_packs(reader)
    draft.check_events(reader)
    draft.check_parties(reader)
    draft.check_profiles(reader)
    for scenario in draft.scenarios.values():
        reader.faults_at(reader.home("scenarios", scenario.id), draft.scenario_faults(scenario, reader.named))
    for asked in draft.targets.values():
        reader.faults_at(reader.home("targets", asked.id), draft.target_faults(asked, reader.named))
    if None in found.values():
        return None
    draft.check_lairs(reader)
    for asked in draft.targets.values():
        reader.faults_at(reader.home("targets", asked.id), draft.notation_faults(asked))
    for scenario in draft.scenarios.values():
        faults = (*draft.swap_faults(scenario), *draft.player_faults(scenario))
        reader.faults_at(reader.home("scenarios", scenario.id), faults)
    return None if reader.faults else draft
