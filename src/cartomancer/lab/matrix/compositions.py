"""Legal compositions of both sides: counted, listed, drawn, found again by number, and varied [GDD 18.4, 18.5].

>>> space = Compositions.of(load_codex())
>>> len(space.parties), len(space.dungeons.of_length(2))
(330, 72)
>>> space.parties.members(1), space.dungeons[0].rooms
(('knight', 'knight', 'knight', 'battlemage'), ('root_hollow', 'living_root_sanctuary'))
>>> space.name(1, 0)
'match:knight-knight-knight-battlemage/root_hollow-living_root_sanctuary'

A number never depends on what else was asked for: cell (party, dungeon) is the same match in every matrix of a codex.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations
from typing import Final

from cartomancer.codes import STREAM_SAMPLE
from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.deck_rules import party_faults
from cartomancer.content.matches import Match
from cartomancer.content.models.encounter import PARTY_SIZE
from cartomancer.errors import CartomancerError, Fault, UnknownNameError
from cartomancer.rng import Stream

LENGTHS: Final = (2, 3, 4)  # rooms of a standard run [GDD 18.4]
WORD: Final = 30  # random bits drawn at once


@dataclass(frozen=True)
class Parties:
    """Every multiset of four classes, then the named parties.

    The seats of a composition are in the order of the classes; a named party keeps the seats it has.
    """

    classes: tuple[str, ...]
    named: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @cached_property
    def _multisets(self) -> list[tuple[str, ...]]:
        return [*combinations_with_replacement(self.classes, PARTY_SIZE)]

    def __len__(self) -> int:
        """How many multisets: C-multichoose-4 [GDD 18.5]."""
        return len(self._multisets)

    def members(self, index: int) -> tuple[str, ...]:
        """The classes of a party, seat by seat."""
        return self.named[index - len(self)][1] if index >= len(self) else self._multisets[index]

    def label(self, index: int) -> tuple[str, ...]:
        """How a match writes the party: its name if it has one, else its classes."""
        return (self.named[index - len(self)][0],) if index >= len(self) else self.members(index)

    def index(self, members: Iterable[str]) -> int:
        """The number of four classes, in whatever order."""
        given = list(members)
        for name in given:
            if name not in self.classes:
                raise UnknownNameError("class", name, self.classes)
        if len(given) != PARTY_SIZE:
            raise CartomancerError(f"{'-'.join(given)}: a party has {PARTY_SIZE} members, not {len(given)}")
        return self._multisets.index(tuple(sorted(given, key=self.classes.index)))

    def find(self, text: str) -> int:
        """The number of a named party or of four classes joined by '-'."""
        names = [name for name, _ in self.named]
        if text in names:
            return len(self) + names.index(text)
        if "-" not in text:
            raise UnknownNameError("party", text, names)
        return self.index(text.split("-"))

    def neighbours(self, index: int) -> list[int]:
        """The compositions that differ from this one in one member."""
        members = self.members(index)
        exchanged = {
            self.index([*members[:seat], name, *members[seat + 1 :]])
            for seat, own in enumerate(members)
            for name in self.classes
            if name != own
        }
        return sorted(exchanged)


@dataclass(frozen=True)
class DungeonComposition:
    """Rooms in their order, and how the dungeon plays in all of them; its own way without a profile."""

    rooms: tuple[str, ...]
    profile: str | None = None

    def __str__(self) -> str:
        return "-".join(self.rooms) + (f"/{self.profile}" if self.profile else "")


@dataclass(frozen=True)
class Dungeons:
    """Every sequence of two to four different rooms, the short ones first; then all again under each profile."""

    rooms: tuple[str, ...]
    profiles: tuple[str, ...] = ()

    @cached_property
    def _sequences(self) -> list[tuple[str, ...]]:
        return [rooms for length in LENGTHS for rooms in permutations(self.rooms, length)]

    @property
    def sequences(self) -> int:
        """How many sequences of rooms."""
        return len(self._sequences)

    @property
    def _ways(self) -> tuple[str | None, ...]:
        return (None, *self.profiles)

    def __len__(self) -> int:
        return self.sequences * len(self._ways)

    def __getitem__(self, index: int) -> DungeonComposition:
        way, rank = divmod(index, self.sequences)
        return DungeonComposition(self._sequences[rank], self._ways[way])

    def index(self, dungeon: DungeonComposition) -> int:
        """The number of a dungeon."""
        rooms = dungeon.rooms
        for name in rooms:
            if name not in self.rooms:
                raise UnknownNameError("room", name, self.rooms)
        if rooms not in self._sequences:
            raise CartomancerError(f"{dungeon}: a run has {LENGTHS[0]} to {LENGTHS[-1]} different rooms [GDD 18.4]")
        if dungeon.profile not in self._ways:
            raise UnknownNameError("profile of the dungeon", str(dungeon.profile), self.profiles)
        return self._ways.index(dungeon.profile) * self.sequences + self._sequences.index(rooms)

    def find(self, text: str) -> int:
        """The number of rooms joined by '-', perhaps with /PROFILE after them."""
        rooms, _, profile = text.partition("/")
        return self.index(DungeonComposition(tuple(rooms.split("-")), profile or None))

    def of_length(self, *lengths: int, profile: str | None = None) -> range:
        """The numbers of the dungeons with so many rooms; the lengths are consecutive."""
        for length in lengths:
            if length not in LENGTHS:
                raise CartomancerError(f"{length} rooms: a run has {LENGTHS[0]} to {LENGTHS[-1]} [GDD 18.4]")
        before = self._ways.index(profile) * self.sequences
        first, end = (bisect_left(self._sequences, rooms, key=len) for rooms in (min(lengths), max(lengths) + 1))
        return range(before + first, before + end)

    def neighbours(self, index: int) -> list[int]:
        """The dungeons that differ from this one in one room, in the order of two rooms, or in the profile."""
        here = self[index]
        rooms = here.rooms
        fresh = [name for name in self.rooms if name not in rooms]
        changed = [(*rooms[:at], name, *rooms[at + 1 :]) for at in range(len(rooms)) for name in fresh]
        for first, second in combinations(range(len(rooms)), 2):
            order = list(rooms)
            order[first], order[second] = order[second], order[first]
            changed.append(tuple(order))
        found = [DungeonComposition(order, here.profile) for order in changed]
        found += [DungeonComposition(rooms, way) for way in self._ways if way != here.profile]
        return sorted(map(self.index, found))


@dataclass(frozen=True)
class Compositions:
    """Both sides' compositions of a codex, and the matches between them."""

    codex: Codex
    parties: Parties
    dungeons: Dungeons

    @staticmethod
    def of(codex: Codex | None = None) -> Compositions:
        """The compositions that a codex allows."""
        found = codex or load_codex()
        named = tuple((party.id, tuple(party.members)) for party in found.parties.values())
        ways = tuple(profile.id for profile in found.profiles.values() if profile.side == "dungeon")
        return Compositions(found, Parties(tuple(found.classes), named), Dungeons(tuple(found.rooms), ways))

    def name(self, party: int, dungeon: int) -> str:
        """A cell as the scenario that commands take."""
        here = self.dungeons[dungeon]
        return str(Match(self.parties.label(party), here.rooms, here.profile))

    def cell(self, match: Match) -> tuple[int, int]:
        """A match as a cell; four classes in any order are one composition."""
        dungeon = DungeonComposition(match.rooms, match.profile)
        return self.parties.find("-".join(match.visitor)), self.dungeons.index(dungeon)

    def legal(self, parties: Iterable[int]) -> tuple[list[int], dict[int, list[Fault]]]:
        """The parties that may play, 32 to 48 cards with four Energy [GDD 16.5, 18.4], and the faults of the others."""
        kits = {index: [self.codex.classes[name] for name in self.parties.members(index)] for index in parties}
        judged = {index: [*party_faults(kit, self.codex.cards)] for index, kit in kits.items()}
        return [index for index, faults in judged.items() if not faults], {k: v for k, v in judged.items() if v}

    def probe(self, party: int, dungeon: int) -> list[tuple[int, int]]:
        """The cells around a flagged one: those that differ in one thing on one side [GDD 18.6 P2]."""
        other_parties, _ = self.legal(self.parties.neighbours(party))
        other_dungeons = self.dungeons.neighbours(dungeon)
        return [*((one, dungeon) for one in other_parties), *((party, one) for one in other_dungeons)]


def sample(total: int, count: int, seed: int) -> list[int]:
    """`count` different numbers below `total` in rising order, each such set as likely (Floyd's method).

    >>> sample(10**12, 3, seed=7)
    [151988719286, 606116124836, 756454498146]
    """
    if not 0 <= count <= total:
        raise CartomancerError(f"{count} of {total:,}: a sample cannot be larger than what it is drawn from")
    stream, found = Stream(seed, STREAM_SAMPLE), set[int]()
    for last in range(total - count, total):
        drawn = _below(stream, last + 1)
        found.add(last if drawn in found else drawn)
    return sorted(found)


def _below(stream: Stream, n: int) -> int:
    """A number in 0 … n−1, each exactly as likely: as many bits as n has, drawn again while they are too many."""
    bits = (n - 1).bit_length()
    while True:
        drawn = 0
        for at in range(0, bits, WORD):
            drawn = drawn << min(WORD, bits - at) | stream.below(1 << min(WORD, bits - at))
        if drawn < n:
            return drawn


def sampled_cells(parties: Sequence[int], dungeons: Sequence[int], count: int, seed: int) -> Iterator[tuple[int, int]]:
    """Some of the cells between these parties and dungeons, without listing all of them."""
    for index in sample(len(parties) * len(dungeons), count, seed):
        yield parties[index // len(dungeons)], dungeons[index % len(dungeons)]
