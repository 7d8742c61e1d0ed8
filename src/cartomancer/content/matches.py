"""Matches: a scenario written in one line, without a file [GDD 18.4].

`match:VISITOR/ROOMS` or `match:VISITOR/ROOMS/PROFILE`. The visitor is four classes joined by '-', seat by seat, or a
party, or a creature; one to four rooms are joined by '-', in their order; the profile is how the dungeon plays in all
of them, instead of its own.

>>> read_match("match:knight-knight-cleric-rogue/root_hollow-veil_breach/tactical")
Match(visitor=('knight', 'knight', 'cleric', 'rogue'), rooms=('root_hollow', 'veil_breach'), profile='tactical')
>>> str(read_match("match:thornback_boar/root_hollow"))
'match:thornback_boar/root_hollow'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cartomancer.content.models.encounter import MOST_ROOMS, PARTY_SIZE
from cartomancer.content.reader import repeated, unknown_names
from cartomancer.errors import Fault, NotationError

MATCH: Final = "match:"
MATCH_DUNGEON: Final = "verdant_maw"
FORM: Final = "match:CLASS-CLASS-CLASS-CLASS/ROOM-ROOM or match:PARTY/ROOM-ROOM/PROFILE"


@dataclass(frozen=True)
class Match:
    """Who meets which rooms, as written."""

    visitor: tuple[str, ...]  # four classes, or one party or creature
    rooms: tuple[str, ...]
    profile: str | None = None

    def __str__(self) -> str:
        parts = ["-".join(self.visitor), "-".join(self.rooms), *([self.profile] if self.profile else [])]
        return MATCH + "/".join(parts)

    def faults(self, named: Mapping[str, Sequence[str]]) -> Iterator[Fault]:
        """What keeps it from being a scenario, given the ids of every kind."""
        if len(self.visitor) == 1:
            visitors = [*named["parties"], *named["creatures"]]
            yield from unknown_names("party or creature", self.visitor, visitors, "visitor")
        else:
            yield from unknown_names("class", self.visitor, named["classes"], "members")
            if len(self.visitor) != PARTY_SIZE:
                yield Fault("members", len(self.visitor), "is not the size of a party", f"{PARTY_SIZE} classes")
        yield from unknown_names("room", self.rooms, named["rooms"], "rooms")
        yield from repeated(self.rooms, "rooms", "different rooms [GDD 18.4]", "is there more than once")
        if len(self.rooms) > MOST_ROOMS:
            yield Fault("rooms", len(self.rooms), "is too many", f"1 to {MOST_ROOMS} rooms")

    def fields(self, named: Mapping[str, Sequence[str]], rounds: Sequence[int]) -> dict[str, Any]:
        """The fields of the scenario it stands for; a room lasts the shorter, the more rooms there are."""
        kind = "members" if len(self.visitor) > 1 else "party" if self.visitor[0] in named["parties"] else "creature"
        shown = [name.replace("_", " ") for name in (", ".join(self.visitor), ", then ".join(self.rooms))]
        found: dict[str, Any] = {
            "id": str(self).translate(str.maketrans(":/", "--")),
            "title": f"{shown[0]} against {shown[1]}",
            "dungeon": MATCH_DUNGEON,
            kind: list(self.visitor) if kind == "members" else self.visitor[0],
            "rooms": [{"room": room, "round_limit": rounds[len(self.rooms) - 1]} for room in self.rooms],
        }
        return found | ({"dungeon_profile": self.profile} if self.profile else {})


def read_match(text: str) -> Match:
    """The match of a name that begins with match:."""
    parts = [part.split("-") for part in text.removeprefix(MATCH).split("/")]
    if not text.startswith(MATCH) or len(parts) not in {2, 3} or not all(map(all, parts)):
        raise NotationError(f"not a match: '{text}' (right would be: {FORM})")
    profile = "-".join(parts[2]) if len(parts) == 3 else None
    return Match(tuple(parts[0]), tuple(parts[1]), profile)
