"""What decks, pools, kits and parties must hold to be playable [GDD 8.1, 8.5, 15.5, 16.5].

A rule yields faults without a place; whoever read the entry knows where it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeVar, get_args

from cartomancer.content.models.cards import AnyCard, Empower, Offer
from cartomancer.content.models.encounter import Deck, EncounterRules, PartyClass, Pool
from cartomancer.content.models.vocabulary import Category
from cartomancer.content.reader import repeated
from cartomancer.errors import Fault
from cartomancer.tables import table_beside

Range = tuple[int, int]
Mark = TypeVar("Mark")
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)

DECK_SIZE: Final = (15, 18)
DECK_ENERGY: Final = 3
ENERGY_PERCENT: Final = (20, 40)
CORE_SIZE: Final = (8, 10)
KIT_SIZE: Final = (8, 12)
KIT_ENERGY: Final = 1
KIT_FLEX: Final = (2, 3)
PARTY_DECK_SIZE: Final = (32, 48)
PARTY_ENERGY: Final = 4

_TABLE: Final = table_beside(__file__, "composition.toml")
COMPOSITION: Final[dict[str, dict[str, Range]]] = {
    identity: {category: (least, most) for category, (least, most) in row.items()} for identity, row in _TABLE.items()
}


def counted(amounts: Mapping[str, int], cards: Mapping[str, AnyCard]) -> Counter[str]:
    """How many cards of each category these are.

    >>> from cartomancer.content.codex import load_codex
    >>> codex = load_codex()
    >>> counted(codex.decks["root_hollow"].cards, codex.cards)["strike"]
    4
    """
    return tally(amounts, cards, lambda card: [card.category])


def tally(
    amounts: Mapping[str, int], cards: Mapping[str, AnyCard], marks: Callable[[AnyCard], Iterable[Mark]]
) -> Counter[Mark]:
    """How often these cards bear each mark, copies counted."""
    return Counter(mark for name, copies in amounts.items() for mark in [*marks(cards[name])] * copies)


def deck_faults(deck: Deck, cards: Mapping[str, AnyCard], rules: EncounterRules) -> Iterator[Fault]:
    """Size, energy, the opening hand, the composition table and the core of a deck."""
    counts, size = counted(deck.cards, cards), deck.size()
    yield from _within("cards", size, DECK_SIZE, "cards")
    yield from _composed(deck, counts)
    energy = counts["energy"]
    yield from _at_least("energy", energy, max(DECK_ENERGY, rules.opening_energy), "Energy cards")
    yield from _at_least("actions", size - energy, rules.opening_actions, "action cards")
    low, high = ENERGY_PERCENT
    if not low * size <= 100 * energy <= high * size:
        share = f"{100 * energy / size:.0f} %"
        yield Fault("energy", share, "is not a share of Energy cards that plays well", f"{low} to {high} %")
    yield from _core(deck)


def _composed(deck: Deck, counts: Counter[str]) -> Iterator[Fault]:
    """The composition table, except where the deck departs from it on purpose [GDD 8.1]."""
    if deck.identity == "visitor" and deck.side == "dungeon":
        yield Fault("identity", "visitor", "is not for a dungeon's deck", ", ".join(COMPOSITION))
    for category, allowed in COMPOSITION.get(deck.identity, {}).items():
        inside = allowed[0] <= counts[category] <= allowed[1]
        if category in deck.waived and inside:
            problem = f"is not needed: {counts[category]} is what the table allows"
            yield Fault("waived", category, problem, "leave it out")
        elif category not in deck.waived and not inside:
            problem = f"does not fit the {deck.identity} row of the composition table"
            yield Fault(category, counts[category], problem, f"{_shown(allowed)}, or {category} in waived")


def _core(deck: Deck) -> Iterator[Fault]:
    """Eight to ten locked cards; creatures' decks may have none [GDD 8.5]."""
    missing = [name for name in deck.core if name not in deck.cards]
    for name in missing:
        yield Fault("core", name, "is not a card of this deck", "one of its cards")
    doubled = [*repeated(deck.core, "core", "each card once: all its copies are locked")]
    yield from doubled
    if not missing and not doubled and (deck.core or deck.side == "dungeon"):
        yield from _within("core", sum(deck.cards[name] for name in deck.core), CORE_SIZE, "locked cards")


def covenant_faults(deck: Deck, cards: Mapping[str, AnyCard]) -> Iterator[Fault]:
    """A room's deck holds exactly one Covenant (P4)."""
    held = [(name, cards[name]) for name in deck.cards]
    found = [name for name, card in held if isinstance(card, Offer) and card.covenant for _ in range(deck.cards[name])]
    if len(found) != 1:
        yield Fault("covenant", ", ".join(found) or None, "must be in a room's deck exactly once", "one Covenant")


def pool_faults(pool: Pool, cards: Mapping[str, AnyCard]) -> Iterator[Fault]:
    """A generic card seals no Bond and sets nothing up: it has no trigger and grants no keyword [GDD 15.5]."""
    yield from repeated(pool.cards, "cards", "each card once")
    for name in pool.cards:
        card = cards[name]
        if isinstance(card, Offer) and card.covenant:
            yield Fault("cards", name, "is a Covenant", "cards that fit any room")
        if getattr(card, "trigger", None) is not None:
            yield Fault("cards", name, "has a trigger", "cards that need nothing of others")
        if isinstance(card, Empower) and card.keywords:
            yield Fault("cards", name, "grants keywords", "cards that enable nothing")


def kit_faults(kit: PartyClass, cards: Mapping[str, AnyCard]) -> Iterator[Fault]:
    """A class brings 8 to 12 cards, Energy among them [GDD 16.5]."""
    yield from _within("cards", kit.size(), KIT_SIZE, "cards")
    yield from _at_least("energy", counted(kit.cards, cards)["energy"], KIT_ENERGY, "Energy card")


def flex_faults(kit: PartyClass) -> Iterator[Fault]:
    """Two or three cards of a class are in flex slots, or none [GDD 16.5]."""
    for name in kit.flex:
        if name not in kit.cards:
            yield Fault("flex", name, "is not one of its cards", "cards it brings")
    yield from repeated(kit.flex, "flex", "each card once")
    if kit.flex:
        yield from _within("flex", len(kit.flex), KIT_FLEX, "flex slots, or none")


def party_faults(kits: list[PartyClass], cards: Mapping[str, AnyCard]) -> Iterator[Fault]:
    """Four kits are one deck of 32 to 48 cards with at least four Energy cards [GDD 16.5, 18.4]."""
    yield from _within("members", sum(kit.size() for kit in kits), PARTY_DECK_SIZE, "cards together")
    energy = sum(counted(kit.cards, cards)["energy"] for kit in kits)
    yield from _at_least("members", energy, PARTY_ENERGY, "Energy cards together")


def _within(field: str, count: int, allowed: Range, what: str) -> Iterator[Fault]:
    if not allowed[0] <= count <= allowed[1]:
        size = "few" if count < allowed[0] else "many"
        yield Fault(field, count, f"is too {size}", f"{_shown(allowed)} {what}")


def _at_least(field: str, count: int, least: int, what: str) -> Iterator[Fault]:
    if count < least:
        yield Fault(field, count, "is too few", f"at least {least} {what}")


def _shown(allowed: Range) -> str:
    return str(allowed[0]) if allowed[0] == allowed[1] else f"{allowed[0]} to {allowed[1]}"
