"""What either side prepares before a run: gear for visitors, fittings for rooms [GDD 17.7]."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from cartomancer.content.models.effects import Effect, Modifier, sentence

Tier = Literal["common", "uncommon", "rare", "epic", "legendary"]
Slot = Literal["weapon", "armour", "accessory"]


class Equipment(Modifier):
    """Gear that one visitor wears; each has one slot of every kind."""

    tier: Tier = Field(description="How rare it is; rarer gear changes more than a number.")
    slot: Slot = Field(description="Where it is worn.")

    def text(self) -> str:
        """Its rules text: vitality and what Strikes splash are the wearer's own, everything else the whole party's."""
        return sentence([effect.phrase("the wearer" if _is_worn(effect) else "") for effect in self.effects])


def _is_worn(effect: Effect) -> bool:
    """Whether an effect is the wearer's alone."""
    return effect.code == "splash" or effect.resource == "vitality"


class RoomItem(Modifier):
    """Something installed in a room; it works there and nowhere else."""

    tier: Tier = Field(description="How rare it is.")

    def text(self) -> str:
        """Its rules text, with the dungeon as the side it strengthens."""
        phrases = [effect.phrase("the dungeon" if effect.side == "enemies" else "") for effect in self.effects]
        return sentence(phrases, "in this room ")
