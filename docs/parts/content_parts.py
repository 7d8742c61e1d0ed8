"""Generated parts of the content guide: what decks must hold, what pools offer, where each kind lives."""

from __future__ import annotations

from cartomancer.content import deck_rules
from cartomancer.content.codex import load_codex
from cartomancer.content.deck_rules import CATEGORIES, COMPOSITION, Range, counted
from cartomancer.content.rules_text import card_text
from cartomancer.lab.kernel.deeds import Deed
from parts.markdown import code, table


def _range(allowed: Range) -> str:
    return str(allowed[0]) if allowed[0] == allowed[1] else f"{allowed[0]}–{allowed[1]}"


def composition() -> str:
    """The composition table, and what the shipped decks of each row hold [GDD 8.1]."""
    codex = load_codex()
    rows: list[tuple[object, ...]] = []
    for identity, row in COMPOSITION.items():
        rows.append((f"**{identity}**", *(_range(row[category]) for category in CATEGORIES), "–"))
        for deck in codex.decks.values():
            if deck.identity == identity:
                counts = counted(deck.cards, codex.cards)
                cells = [f"{counts[c]}*" if c in deck.waived else str(counts[c]) for c in CATEGORIES]
                rows.append((code(deck.id), *cells, deck.size()))
    return table(("deck", *CATEGORIES, "cards"), rows)


def deck_limits() -> str:
    """The numbers every deck, kit and party must keep to [GDD 8.5, 16.5]."""
    energy = f"{deck_rules.DECK_ENERGY} or more, and {_range(deck_rules.ENERGY_PERCENT)} % of the cards"
    rows = (
        (
            "a room's or a creature's deck",
            _range(deck_rules.DECK_SIZE),
            energy,
            f"{_range(deck_rules.CORE_SIZE)} in `core`",
        ),
        (
            "a class",
            _range(deck_rules.KIT_SIZE),
            f"{deck_rules.KIT_ENERGY} or more",
            f"all but {_range(deck_rules.KIT_FLEX)} in `flex`",
        ),
        ("a party", _range(deck_rules.PARTY_DECK_SIZE), f"{deck_rules.PARTY_ENERGY} or more", "its classes'"),
    )
    return table(("", "cards", "Energy", "locked"), rows)


def deeds() -> str:
    """What a card can do for a combo line [GDD 4.4]."""
    return table(("deed", "when"), [(code(deed.word), deed.meaning) for deed in Deed])


def pools() -> str:
    """The generic cards of both sides."""
    codex = load_codex()
    rows = []
    for pool in codex.pools.values():
        for name in pool.cards:
            card = codex.cards[name]
            rows.append((code(pool.id), code(name), card.category, getattr(card, "cost", "–"), card_text(card)))
    return table(("pool", "card", "category", "cost", "text"), rows)
