"""What the numbers of a scenario's runs mean, and so which measures it has."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.quality import QualityTuning
from cartomancer.encounters.packing import Packed
from cartomancer.lab.measures.combo_lines import CountedLine, lines_of


@dataclass(frozen=True)
class ScenarioContext:
    """The rooms, members and cards of a scenario, and what its content says of trust and healthy ranges."""

    rooms: tuple[str, ...]
    members: tuple[str, ...]  # seat by seat
    tiers: tuple[int, ...] = ()  # points of trust at which each tier begins
    scenario: str = ""
    cards: tuple[str, ...] = ()  # of both sides
    lines: tuple[CountedLine, ...] = ()
    rivals: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # of each side, profiles it does not play with here
    betrays_at: int = 0  # points of trust from which its dungeon betrays; 0 where it never means to
    is_party: bool = False
    is_straight: bool = True  # rooms can only be entered in the scenario's order, none left out
    quality: QualityTuning = field(default_factory=lambda: load_codex().quality, repr=False)

    @classmethod
    def of(cls, packed: Packed, codex: Codex | None = None) -> ScenarioContext:
        """The context of a packed scenario."""
        content = codex or load_codex()
        dungeons = content.dungeon_profiles(packed.scenario)
        own = {*(one.id for one in dungeons), content.visitor_profile(packed.scenario).id}
        others = [one for one in content.profiles.values() if one.id not in own]
        return cls(
            rooms=packed.rooms,
            members=packed.members,
            tiers=tuple(content.rules.trust_tiers),
            scenario=packed.name,
            cards=tuple(card.id for card in packed.cards),
            lines=lines_of(packed, content),
            rivals=(
                tuple(one.id for one in others if one.side == "dungeon"),
                tuple(one.id for one in others if one.side == "visitor"),
            ),
            betrays_at=min((one.betrays_at for one in dungeons if one.goal == "betray"), default=0),
            is_party=packed.scenario.creature is None,
            is_straight=all(goal == "end" for stop in packed.scenario.rooms for goal in stop.next.values()),
            quality=content.quality,
        )

    @property
    def places(self) -> range:
        """The places of a run's rooms in the order entered, from 1."""
        return range(1, len(self.rooms) + 1)

    def room_at(self, place: int) -> str | None:
        """The room that every run entered at this place, if there can be no other."""
        return self.rooms[place - 1] if self.is_straight or place == 1 else None

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The members by their names; those of a doubled class are told apart by a number."""
        return tuple(
            f"{name} {self.members[: seat + 1].count(name)}" if self.members.count(name) > 1 else name
            for seat, name in enumerate(self.members)
        )
