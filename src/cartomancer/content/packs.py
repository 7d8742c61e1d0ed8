"""Packs: enemies that fight together, as the dungeon of one room (C1).

`pack:NAME` is a pack of the content, `pack:ENEMY-ENEMY` any one to six enemies, its leader first; both may be followed
by a party or a creature: `pack:grave_watch/arcane_expedition`.

>>> read_pack("pack:gravehound-mourner/arcane_expedition")
PackNotation(enemies=('gravehound', 'mourner'), visitor='arcane_expedition')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cartomancer.content.models.base import Strict, setting
from cartomancer.content.models.bestiary import Enemy
from cartomancer.content.models.encounter import Attributes, Deck, Dungeon
from cartomancer.errors import NotationError

PACK: Final = "pack:"
FORM: Final = "pack:NAME or pack:ENEMY-ENEMY, and /PARTY after it"
OWN_DECK: Final = "pack"
VALUES: Final = ("structure", "veil", "presence")


class PackDeckTuning(Strict):
    """How the kits of a pack's enemies become a deck."""

    energy_card: str = setting("deep_root", "The Energy card that fills up a pack's deck.")
    energy_percent: int = setting(26, "Its share of the deck.", ge=10, le=50)
    least_energy: int = setting(3, "The fewest of it.", ge=1, le=9)


@dataclass(frozen=True)
class PackNotation:
    """A pack as written: its name or its enemies, and who meets it."""

    enemies: tuple[str, ...]
    visitor: str | None = None


def read_pack(text: str) -> PackNotation:
    """The pack that a notation means."""
    names, slash, visitor = text.removeprefix(PACK).partition("/")
    if not names or (slash and not visitor):
        raise NotationError(f"'{text}' is no pack: {FORM}")
    return PackNotation(tuple(names.split("-")), visitor or None)


def as_dungeon(enemies: Sequence[Enemy]) -> Dungeon:
    """The enemies' values together, at least 1 each; of attributes the best counts, and the first leads."""
    values = {name: max(1, sum(getattr(enemy, name) for enemy in enemies)) for name in VALUES}
    best = {kind: max(getattr(enemy.attributes, kind) for enemy in enemies) for kind in Attributes.model_fields}
    leader = enemies[0]
    return Dungeon(id=OWN_DECK, title=leader.title, attributes=Attributes(**best), profile=leader.profile, **values)


def with_vigour(dungeon: Dungeon, percent: int) -> Dungeon:
    """The dungeon with a share of its values, rounded half up, at least 1 each (C12)."""
    return dungeon.model_copy(update={name: max(1, (getattr(dungeon, name) * percent + 50) // 100) for name in VALUES})


def as_deck(enemies: Sequence[Enemy], tuning: PackDeckTuning) -> Deck:
    """The sum of the enemies' kits, filled up with Energy to its usual share."""
    cards: Counter[str] = Counter()
    for enemy in enemies:
        cards.update(enemy.kit)
    share = tuning.energy_percent
    wanted = max(tuning.least_energy, -(-cards.total() * share // (100 - share)))
    cards[tuning.energy_card] += wanted
    return Deck.model_construct(id=OWN_DECK, title=OWN_DECK, side="dungeon", identity="aggressive", cards=dict(cards))
