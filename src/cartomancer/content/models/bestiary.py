"""Who fights on maps: enemies by theme, packs, guardians; how encounters grow with the party [Guardian], C1."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from cartomancer.content.models.base import Complaints, Entry, Identifier, Percent, Strict, exactly, setting
from cartomancer.content.models.encounter import MOST_ENEMIES, Attributes, Copies, Dungeon, Stat, Swaps

Tier = Literal["basic", "elite"]
Health = Annotated[int, Field(ge=1, le=10_000)]
Count = Annotated[int, Field(ge=0, le=12)]
Budget = Annotated[int, Field(ge=0, le=200)]
Share = Annotated[int, Field(ge=1, le=1000)]

Part = Annotated[int, Field(ge=0, le=40)]

MOST_PLAYERS = 4
KIT_SIZE: Final = (4, 6)


class Enemy(Entry):
    """An enemy of one theme: what it adds to the pack it fights in (C1)."""

    theme: Identifier = Field(description="The theme of the acts it appears in.")
    tier: Tier = Field(description="Basic enemies fill combats and escort elites.")
    health: Health = Field(description="Its health before the party's size counts.")
    cost: int = Field(ge=1, le=50, description="What it takes from an encounter's budget.")
    structure: Part = Field(description="What it adds to the pack's structure.")
    veil: Part = Field(description="What it adds to the pack's veil.")
    presence: Part = Field(description="What it adds to the pack's presence.")
    attributes: Attributes = setting(Attributes(), "Bonuses to contested rolls; the best in the pack counts.")
    kit: dict[Identifier, Copies] = Field(min_length=1, description="The cards it brings: four to six.")
    profile: Identifier = setting("aggressive", "How a pack plays that it leads: its first enemy's counts.")
    traits: list[Identifier] = setting(list, "Traits in force while it fights; elites carry one.", max_length=2)

    def complaints(self) -> Complaints:
        size = sum(self.kit.values())
        low, high = KIT_SIZE
        yield "kit", not low <= size <= high, f"a kit has {low} to {high} cards, not {size} (C1)"
        yield "traits", len(set(self.traits)) != len(self.traits), "a trait is listed twice"
        yield "traits", self.tier == "elite" and not self.traits, "an elite carries a trait"


class Pack(Entry):
    """Enemies that fight together: what a party is to the visitor, a pack is to the dungeon (C1)."""

    theme: Identifier = Field(description="The theme of the maps it roams.")
    tier: Tier = Field(description="Basic packs fill combats, elite ones elite nodes.")
    danger: int = Field(ge=1, le=5, description="How dangerous it is: later nodes draw higher ones (C12).")
    players: int = setting(4, "The smallest number of players that meets it.", ge=1, le=MOST_PLAYERS)
    enemies: list[Identifier] = Field(
        min_length=1, max_length=MOST_ENEMIES, description="Who is in it; its first leads it."
    )


class Guardian(Entry):
    """A boss in its lair. Some guard an act of guardian maps, the others wait wherever a map wants a boss."""

    act: int | None = setting(None, "The act it guards; without one it guards none.", ge=1, le=5)
    theme: Identifier = Field(description="The theme of the act it guards, or would guard.")
    health: Health = Field(description="Its health on guardian maps, against a single player.")
    structure: Stat = Field(description="Physical integrity; at 0 it is Overcome.")
    veil: Stat = Field(description="Magical energy; at 0 it is Inert.")
    presence: Stat = Field(description="Authority; at 0 it is Dominated.")
    attributes: Attributes = setting(Attributes(), "Bonuses to contested rolls.")
    room: Identifier = Field(description="Its lair: the room it is fought in.")
    profile: Identifier = setting("aggressive", "How it plays.")
    traits: list[Identifier] = Field(min_length=1, max_length=4, description="Boss traits it has [Contracts 4].")
    vigour_percent: int = setting(
        40, "What it has of its values at the end of a map, where the party that meets it is worn.", ge=10, le=200
    )
    swaps: Swaps = Field(
        min_length=1, max_length=3, description="Flex cards of the lair's deck and the signature cards in their places."
    )

    def complaints(self) -> Complaints:
        yield "traits", len(set(self.traits)) != len(self.traits), "a trait is listed twice"

    def dungeon(self) -> Dungeon:
        """What it is in a fight: a dungeon of one room."""
        return Dungeon.model_validate({name: getattr(self, name) for name in Dungeon.model_fields})


def _by_players(description: str) -> object:
    return exactly(MOST_PLAYERS, f"{description}, for 1 to 4 players.")


class EncounterTuning(Strict):
    """How encounters are composed, and how they grow with the number of players."""

    themes: list[Identifier] = Field(min_length=1, description="The themes in the order of the acts.")
    portal_guardian: Identifier = Field(description="Who waits beyond the portal (M13).")
    health_spread_percent: Percent = Field(description="How far an enemy's health may lie from its base, either way.")
    combat_enemies_least: Annotated[list[Count], _by_players("The fewest enemies in a combat")]
    combat_enemies_most: Annotated[list[Count], _by_players("The most enemies in a combat")]
    combat_budget: Annotated[list[Budget], _by_players("What a combat's enemies may cost together")]
    elite_count: Annotated[list[Count], _by_players("Elite enemies in an elite node")]
    elite_budget: Annotated[list[Budget], _by_players("What its elite enemies may cost together")]
    escort_count: Annotated[list[Count], _by_players("Basic enemies beside them")]
    escort_budget: Annotated[list[Budget], _by_players("What the escort may cost together")]
    basic_health_percent: Annotated[list[Share], _by_players("Health of basic enemies")]
    elite_health_percent: Annotated[list[Share], _by_players("Health of elite enemies")]
    guardian_health_percent: Annotated[list[Share], _by_players("Health of guardians")]

    def complaints(self) -> Complaints:
        pairs = zip(self.combat_enemies_least, self.combat_enemies_most, strict=True)
        wrong = any(not 1 <= least <= most for least, most in pairs)
        right = "must be at least 1 and must not exceed combat_enemies_most"
        yield "combat_enemies_least", wrong, f"combat_enemies_least {right}"
        none = min(self.elite_count) < 1
        yield "elite_count", none, "elite_count must be at least 1: an elite node holds an elite enemy"
