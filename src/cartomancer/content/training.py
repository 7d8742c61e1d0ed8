"""Training: what a card becomes when a party upgrades it, by its category (C4).

>>> from cartomancer.content.codex import load_codex
>>> codex = load_codex()
>>> codex.card("oathbound_cut+").power - codex.card("oathbound_cut").power, codex.card("oathbound_cut+").title
(1, 'Oathbound Cut +')
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from cartomancer.content.models.cards import AnyCard

TRAINED: Final = "+"
MOST: Final = 9

# What training looks for, by category, in this order: the first that a card has is what gets better by one.
BETTER: Final[dict[str, tuple[str, ...]]] = {
    "strike": ("power",),
    "empower": ("power", "ward", "cost"),
    "disrupt": ("thorns", "cost", "reveal", "disadvantage"),
    "counter": ("chip", "fortify", "punish", "cost"),
    "react": ("power", "absorb"),
    "trap": ("power", "energy_loss", "cost"),
    "reshape": ("heal", "restore", "ward", "fortify", "draw", "calm", "cost"),
    "offer": ("benefit",),
    "test": ("cost",),
    "energy": ("amount",),
}


def improvement(card: AnyCard) -> dict[str, Any] | None:
    """The fields of the card that training changes; nothing where it cannot be trained."""
    for field in BETTER[card.category]:
        value = getattr(card, field)
        if field == "cost":
            if value:
                return {"cost": value - 1}
        elif field == "amount":
            if getattr(card, "kind", "") == "surge" and value < 3:
                return {"amount": value + 1}
        elif hasattr(value, "amount"):
            if value.amount:
                return {field: value.model_copy(update={"amount": value.amount + 1})}
        elif isinstance(value, bool):
            continue
        elif value and value < MOST:
            return {field: value + 1}
    cost = getattr(card, "cost", 0)
    return {"cost": cost - 1} if cost else None


def can_be_trained(card: AnyCard) -> bool:
    """Whether it can still get better: a card is trained once."""
    return not card.id.endswith(TRAINED) and improvement(card) is not None


def trained(cards: Mapping[str, AnyCard], name: str) -> AnyCard:
    """The trained card of a name that ends with a plus sign."""
    return _trained(_Identity(cards[name.removesuffix(TRAINED)]))


class _Identity:
    """A card by which one it is, not by what it says: so it can be a key."""

    def __init__(self, card: AnyCard) -> None:
        self.card = card

    def __hash__(self) -> int:
        return id(self.card)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.card is other.card


@lru_cache(maxsize=4096)
def _trained(key: _Identity) -> AnyCard:
    card = key.card
    change = improvement(card) or {}
    return card.model_copy(update={"id": card.id + TRAINED, "title": f"{card.title} {TRAINED}", **change})
