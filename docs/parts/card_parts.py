"""Generated parts about cards: variants, conditions, energy, keywords, transactions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from cartomancer.content.codex import load_codex
from cartomancer.content.models.cards import CARD_MODELS, ActionCard, Card, Energy, Offer, Test
from cartomancer.content.models.encounter import EncounterRules
from cartomancer.content.models.vocabulary import CONDITIONS, Keyword
from cartomancer.content.rules_text import card_text
from parts.markdown import code, table


def card_variants() -> str:
    """What each category's cards can do: the fields of its model, each with a shipped card that has it."""
    codex = load_codex()
    common = {*ActionCard.model_fields, "category"}
    rows: list[tuple[str, str, str, str]] = []
    for category, model in CARD_MODELS.items():
        own = [card for card in codex.cards.values() if card.category == category]
        shown: set[str] = set()
        for name, field in model.model_fields.items():
            if name not in common or (name == "exhaust" and any(card.exhaust for card in own)):
                label = "" if shown else category.capitalize()
                rows.append((label, code(name), field.description or "", _example(own, name, shown)))
    return table(("category", "field", "meaning", "a shipped card that has it"), rows)


def _example(cards: Iterable[Card], field: str, shown: set[str]) -> str:
    """A card with this field set, one that was not shown yet if there is any."""
    found = [card for card in cards if getattr(card, field) and getattr(card, field) != _default(card, field)]
    fresh = [card for card in found if card.id not in shown]
    if not found:
        shown.add("")
        return "–"
    card = (fresh or found)[0]
    seen = card.id in shown
    shown.add(card.id)
    return f"*{card.title}*" if seen else f"*{card.title}*: {card_text(card)}"


def _default(card: Card, field: str) -> object:
    return type(card).model_fields[field].default


def conditions() -> str:
    """The board states a trigger, a Siphon or a modifier may ask about."""
    owners = {"self": "a reducer of one's own", "opponent": "a reducer of the opponent"}
    takes = {"": "–", "share": "`value` in percent; `resource`, or any of the three", "count": "`value`"}
    rows = []
    for name, rule in CONDITIONS.items():
        whose = owners.get(name.partition("_")[0], "")
        said = rule.phrase.format(foe="the opponent", whose=whose, n="`value`")
        said = said.replace("`value` %", "that share of its starting value")
        rows.append((code(name), said, takes[rule.asks]))
    return table(("`when`", "holds while", "takes"), rows)


def energy_cards() -> str:
    """The shipped Energy cards."""
    rows = (
        (card.kind.capitalize(), card.title, card.side, card_text(card))
        for card in sorted(
            (card for card in load_codex().cards.values() if isinstance(card, Energy)),
            key=lambda card: ("standard", "surge", "attune", "siphon").index(card.kind),
        )
    )
    return table(("kind", "card", "side", "text"), rows)


def keyword_cards() -> str:
    """Which shipped cards have or grant each keyword."""
    cards = load_codex().cards.values()
    rows = []
    for keyword in get_args(Keyword):
        have, grant = [], []
        for card in cards:
            trigger = getattr(card, "trigger", None)
            listed = keyword in getattr(card, "keywords", ())
            if getattr(card, keyword, None) is True or (listed and card.category == "strike"):
                have.append(card.title)
            elif listed:
                grant.append(card.title)
            if trigger is not None and keyword in trigger.keywords:
                have.append(f"{card.title} (while its trigger holds)")
            if keyword == "erode" and card.category == "trap" and card.erode:
                have.append(card.title)
        rows.append((keyword.capitalize(), ", ".join(have) or "–", ", ".join(grant) or "–"))
    return table(("keyword", "cards that have it", "Empowers that grant it"), rows)


def transactions() -> str:
    """The shipped Offers, Covenants and Tests."""
    found = [card for card in load_codex().cards.values() if isinstance(card, Offer | Test)]
    rows = []
    for card in sorted(found, key=lambda card: (card.side, _transaction(card))):
        rows.append((_transaction(card), card.title, card.side, card.cost, card_text(card)))
    return table(("", "card", "side", "energy", "text"), rows)


def _transaction(card: Offer | Test) -> str:
    if isinstance(card, Test):
        return "Test"
    return "Covenant" if card.covenant else f"Offer, {card.price.type}"


def card_game_tuning() -> str:
    """Every number of the card game with its value and its range."""
    rules = load_codex().rules
    described = EncounterRules.model_json_schema()["properties"]
    rows = []
    for name, entry in described.items():
        low, high = entry.get("minimum"), entry.get("maximum")
        words = ", ".join(entry.get("enum", ()))
        takes = f"{low} … {high}" if low is not None else words or f"{entry['minItems']} numbers"
        value = getattr(rules, name)
        shown = ", ".join(map(str, value)) if isinstance(value, list) else value
        rows.append((code(name), shown, takes, entry["description"]))
    return table(("key", "value", "takes", "meaning"), rows)
