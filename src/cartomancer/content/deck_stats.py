"""What a deck is made of, counted: energy curve, categories against the composition table, keywords, Strikes [GDD 8].

>>> from cartomancer.content.codex import load_codex
>>> hollow = stats_named(load_codex(), "root_hollow")
>>> sum(hollow.curve) + hollow.categories["energy"].count == hollow.size
True
>>> hollow.categories["trap"].allowed, hollow.categories["trap"].verdict
((1, 2), 'in range')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args

from cartomancer.content.codex import Codex
from cartomancer.content.deck_rules import CATEGORIES, COMPOSITION, Range, counted, tally
from cartomancer.content.kinds import Found, kind_named, only_one
from cartomancer.content.models.cards import ActionCard, AnyCard, Offer, Strike
from cartomancer.content.models.encounter import Deck, Party, PartyClass
from cartomancer.content.models.vocabulary import OTHER_SIDE, RESOURCES, CostType, Keyword
from cartomancer.content.rules_text import card_text
from cartomancer.errors import UnknownNameError

Verdict = Literal["in range", "waived", "out of range"]
Holder = Deck | PartyClass | Party

COSTS: Final = range(5)  # 0 to 3, and 4 for a Covenant (E6)
HOLDERS: Final = ("deck", "class", "party")
POOLS: Final = RESOURCES["visitor"]
# What gives a card a keyword or lets it lay a condition: the field of its name, set.
SIGNS: Final = (
    *("entangle", "erode", "ward", "fortify", "exhaust", "advantage"),
    *("disadvantage", "thorns", "strip", "randomise", "calm"),
)
DEBTS: Final[dict[CostType, str]] = {"binding": "bound", "exposure": "exposed", "dependency": "dependent"}
KEYWORDS: Final[tuple[str, ...]] = tuple(dict.fromkeys([*get_args(Keyword), *SIGNS, *DEBTS.values()]))


def keywords_of(card: AnyCard) -> list[str]:
    """The keywords and conditions a card has, grants or lays, some only while its trigger holds [GDD 9].

    >>> from cartomancer.content.models.cards import CARD
    >>> named = {"id": "grip", "title": "Grip", "side": "dungeon", "category": "strike", "type": "physical", "cost": 2}
    >>> bonus = {"when": "opponent_eroded", "keywords": ["drain"]}
    >>> grip = {**named, "target": "vitality", "power": 3, "keywords": ["entangle"], "trigger": bonus, "exhaust": True}
    >>> keywords_of(CARD.validate_python(grip))
    ['entangle', 'drain', 'exhaust']
    """
    found = {*card.granted(), *(name for name in SIGNS if getattr(card, name, None))}
    if getattr(card, "absorb", None):
        found.add("fortify")
    if (trigger := getattr(card, "trigger", None)) and trigger.advantage:
        found.add("advantage")
    if isinstance(card, Offer):
        found |= {DEBTS.get(card.price.type, ""), "ward" if card.benefit.ward else ""}
    return [name for name in KEYWORDS if name in found]


def power_of(card: AnyCard) -> int:
    """The power printed on a card: a Strike's, an Empower's, a React's or a Trap's; 0 for the rest."""
    return int(getattr(card, "power", 0))


def card_facts(card: AnyCard) -> dict[str, Any]:
    """What is printed on a card."""
    return {
        "category": card.category,
        "type": card.type if isinstance(card, ActionCard) else None,
        "cost": card.cost if isinstance(card, ActionCard) else None,
        "power": power_of(card),
        "keywords": keywords_of(card),
        "text": card_text(card),
        "summary": card.summary,
    }


# --- who has which cards ----------------------------------------------------------------------------------------------


def cards_of(codex: Codex, holder: Holder) -> dict[str, int]:
    """Cards and copies: a deck's, a class's, or those of all members of a party [GDD 16.5]."""
    if not isinstance(holder, Party):
        return dict(holder.cards)
    return dict(sum((Counter(codex.classes[name].cards) for name in holder.members), Counter[str]()))


def by_category(codex: Codex, amounts: Mapping[str, int]) -> list[AnyCard]:
    """The cards, category by category and cheap ones first."""
    cards = [codex.cards[name] for name in amounts]
    return sorted(cards, key=lambda card: (CATEGORIES.index(card.category), getattr(card, "cost", 0)))


def holders_of(codex: Codex, card: str) -> dict[str, int]:
    """The decks, classes, pools and guardians with a card, as kind:id, and their copies of it."""
    found = {}
    for name, one in holder_names(codex).items():
        if isinstance(one.entry, Deck | PartyClass) and card in one.entry.cards:
            found[name] = one.entry.cards[card]
    pools = {f"pool:{pool.id}": list(pool.cards) for pool in codex.pools.values()}
    lairs = {f"guardian:{one.id}": list(one.swaps.values()) for one in codex.catalog.guardians.values()}
    return found | {name: cards.count(card) for name, cards in {**pools, **lairs}.items() if card in cards}


def pools_of(codex: Codex, party: Party) -> dict[str, int]:
    """What the members bring together."""
    return {pool: sum(getattr(codex.classes[name], pool) for name in party.members) for pool in POOLS}


def holder_facts(codex: Codex, holder: Holder) -> dict[str, Any]:
    """What a deck, a kit or a party's combined deck holds: its size, its categories, its cards with what is on them."""
    amounts = cards_of(codex, holder)
    core = set(holder.core) if isinstance(holder, Deck) else set()
    cards = [
        {"id": card.id, "title": card.title, "copies": amounts[card.id], "core": card.id in core, **card_facts(card)}
        for card in by_category(codex, amounts)
    ]
    return {"size": sum(amounts.values()), "categories": dict(counted(amounts, codex.cards)), "cards": cards}


# --- the numbers ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CategoryCount:
    """How many cards of a category there are, and what the composition table says of it, if it says anything."""

    count: int
    allowed: Range | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True)
class DeckStats:
    """The numbers of a deck, a class's kit or a party's combined deck; everything counts copies."""

    kind: str
    id: str
    title: str
    identity: str | None  # its row of the composition table; kits and parties have none
    size: int
    curve: tuple[int, ...]  # action cards by cost, 0 to 4
    mean_cost: float  # of an action card
    energy_share: float
    categories: Mapping[str, CategoryCount]
    keywords: Mapping[str, int]  # cards that have, grant or lay each
    asked: Mapping[str, int]  # cards whose trigger or Siphon asks about each board state
    strike_power: Mapping[str, int]  # sum over Strikes, by what they hit

    def as_dict(self) -> dict[str, Any]:
        """The same for programs."""
        return asdict(self)


def holder_names(codex: Codex) -> dict[str, Found]:
    """Everything that has cards to count, as kind:id."""
    kinds = map(kind_named, HOLDERS)
    return {f"{kind.name}:{entry.id}": Found(kind, entry) for kind in kinds for entry in kind.of(codex).values()}


def holder_named(codex: Codex, name: str) -> Found:
    """The one deck, class or party of that id, or of that kind:id."""
    first, colon, rest = name.partition(":")
    wanted = f"{kind_named(first).name}:{rest}" if colon else name
    holders = holder_names(codex)
    found = [one for key, one in holders.items() if wanted in {key, one.entry.id}]
    if not found:
        known = list(holders) if colon else list(dict.fromkeys(one.entry.id for one in holders.values()))
        raise UnknownNameError("deck, class or party", wanted, known)
    return only_one(found, name)


def stats_named(codex: Codex, name: str) -> DeckStats:
    """The numbers of one deck, class or party."""
    return stats_of(codex, holder_named(codex, name))


def all_deck_stats(codex: Codex) -> list[DeckStats]:
    """The numbers of every deck."""
    return [stats_of(codex, Found(kind_named("deck"), deck)) for deck in codex.decks.values()]


def stats_of(codex: Codex, found: Found) -> DeckStats:
    """The numbers of an entry that has cards."""
    entry = found.entry
    assert isinstance(entry, Holder)
    identity, waived = (entry.identity, entry.waived) if isinstance(entry, Deck) else (None, [])
    side = entry.side if isinstance(entry, Deck) else "visitor"
    amounts, row = cards_of(codex, entry), COMPOSITION.get(identity or "", {})
    counts, keywords = counted(amounts, codex.cards), tally(amounts, codex.cards, keywords_of)
    costs = tally(amounts, codex.cards, lambda card: [card.cost] if isinstance(card, ActionCard) else [])
    asked = tally(amounts, codex.cards, lambda card: [asked.when] if (asked := card.asks()) else [])
    power: Counter[str] = tally(
        amounts, codex.cards, lambda card: [card.target] * card.power if isinstance(card, Strike) else []
    )
    return DeckStats(
        kind=found.kind.name,
        id=entry.id,
        title=entry.title,
        identity=identity,
        size=counts.total(),
        curve=tuple(costs[cost] for cost in COSTS),
        mean_cost=round(sum(cost * cards for cost, cards in costs.items()) / max(1, costs.total()), 2),
        energy_share=round(counts["energy"] / counts.total(), 4),
        categories={name: _compared(counts[name], row.get(name), name in waived) for name in CATEGORIES},
        keywords={name: keywords[name] for name in KEYWORDS if keywords[name]},
        asked=dict(asked.most_common()),
        strike_power={**dict.fromkeys(RESOURCES[OTHER_SIDE[side]], 0), **power},
    )


def _compared(count: int, allowed: Range | None, waived: bool) -> CategoryCount:
    """A category's count beside its range in the identity's row [GDD 8.1]; visitors' decks have no row."""
    if allowed is None:
        return CategoryCount(count)
    inside = allowed[0] <= count <= allowed[1]
    return CategoryCount(count, allowed, "waived" if waived else "in range" if inside else "out of range")
