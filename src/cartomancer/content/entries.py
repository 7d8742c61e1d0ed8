"""Everything the card game is made of: entries by their kind and id, the numbers of its rules, the catalog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cartomancer.content.catalog import CATALOG_KINDS, MODIFIER_KINDS, Catalog
from cartomancer.content.models import encounter
from cartomancer.content.models.cards import AnyCard
from cartomancer.content.models.effects import Equipment, Modifier, RoomItem
from cartomancer.content.models.profile import Profile, ThinkingTuning
from cartomancer.content.models.quality import QualityTuning
from cartomancer.content.models.targets import TargetSet
from cartomancer.content.models.tuning import ResolutionTuning
from cartomancer.content.reader import kinds_in


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
    equipment: Mapping[str, Equipment]
    room_items: Mapping[str, RoomItem]
    targets: Mapping[str, TargetSet]
    rules: encounter.EncounterRules
    resolution: ResolutionTuning
    thinking: ThinkingTuning
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


# Targets are what is wished of the game, and no part of it.
CODEX_KINDS: Final = tuple(kind for kind in kinds_in(Entries) if kind != "targets")
