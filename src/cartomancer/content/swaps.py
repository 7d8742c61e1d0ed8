"""Swaps: other cards in the flex slots of a deck or a kit, one for one [GDD 8.5, 15.1, 16.5].

>>> swapped({"deep_root": 3, "deadfall": 1}, {"deep_root": "thick_wall"})
{'deep_root': 2, 'thick_wall': 1, 'deadfall': 1}
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from cartomancer.content.deck_rules import covenant_faults, deck_faults, kit_faults
from cartomancer.content.models.cards import AnyCard
from cartomancer.content.models.encounter import MOST_COPIES, Deck, EncounterRules, PartyClass
from cartomancer.content.toml_files import nearest
from cartomancer.errors import Fault

Holder = Deck | PartyClass
AnyHolder = TypeVar("AnyHolder", Deck, PartyClass)


def swapped(cards: Mapping[str, int], swaps: Mapping[str, str]) -> dict[str, int]:
    """The cards with one copy of each that is taken out replaced, in its place."""
    after: dict[str, int] = {}
    for name, copies in cards.items():
        stay = copies - 1 if name in swaps else copies
        if stay:
            after[name] = after.get(name, 0) + stay
        if name in swaps:
            after[swaps[name]] = after.get(swaps[name], 0) + 1
    return after


def with_swaps(holder: AnyHolder, swaps: Mapping[str, str] | None) -> AnyHolder:
    """The deck or kit as it is played."""
    return holder.model_copy(update={"cards": swapped(holder.cards, swaps)}) if swaps else holder


def flex_cards(holder: Holder) -> list[str]:
    """What may be taken out: all but a deck's core, only the named ones of a kit."""
    if isinstance(holder, PartyClass):
        return list(holder.flex)
    return [name for name in holder.cards if name not in holder.core]


def slot_faults(holder: Holder, swaps: Mapping[str, str], field: str) -> Iterator[Fault]:
    """Only flex cards of this deck or kit are taken out."""
    flex = flex_cards(holder)
    for taken in swaps:
        if taken not in holder.cards:
            yield Fault(field, taken, "is not one of its cards", nearest(taken, flex))
        elif taken not in flex:
            yield Fault(field, taken, "is locked", ", ".join(flex) or "nothing: there are no flex slots")


def pool_only(swaps: Mapping[str, str], pool: Collection[str], side: str, field: str) -> Iterator[Fault]:
    """Only cards of the side's pools are put in."""
    for taken, given in swaps.items():
        if given not in pool:
            yield Fault(f"{field}.{taken}", given, f"is not in a pool of the {side}", nearest(given, list(pool)))


def played_faults(
    holder: Holder, swaps: Mapping[str, str], cards: Mapping[str, AnyCard], rules: EncounterRules, field: str
) -> Iterator[Fault]:
    """What the swaps break: the deck or kit keeps its size, its Energy, its row of the table, its Covenant.

    A category that a deck waives may come back into its row. What was wrong before is reported with the deck.
    """
    after = swapped(holder.cards, swaps)
    if not set(holder.cards) | set(after) <= set(cards):
        return
    for name, copies in after.items():
        if copies > MOST_COPIES:
            yield Fault(f"{field}[{name}]", copies, "is too many", f"at most {MOST_COPIES} copies")
    before = _holder_faults(holder, cards, rules)
    for fault in _holder_faults(holder.model_copy(update={"cards": after}), cards, rules):
        if fault not in before and fault.field != "waived":
            yield replace(fault, field=f"{field}[{fault.field}]")


def _holder_faults(holder: Holder, cards: Mapping[str, AnyCard], rules: EncounterRules) -> list[Fault]:
    if isinstance(holder, PartyClass):
        return [*kit_faults(holder, cards)]
    covenant = covenant_faults(holder, cards) if holder.side == "dungeon" else ()
    return [*deck_faults(holder, cards, rules), *covenant]
