"""How content entries look in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.markup import escape
from rich.table import Table

from cartomancer.cli import output
from cartomancer.content.codex import Codex, scenario_digest
from cartomancer.content.deck_rules import CATEGORIES, counted
from cartomancer.content.kinds import KINDS, Found
from cartomancer.content.models.cards import ActionCard, Card, Energy, Offer
from cartomancer.content.models.encounter import (
    AutoEffect,
    Creature,
    Deck,
    Dungeon,
    Party,
    PartyClass,
    Room,
    Scenario,
)
from cartomancer.content.rules_text import card_text

PROSE = {"id", "title", "summary"}


def entry_json(codex: Codex, found: Found) -> dict[str, Any]:
    """An entry for programs: its fields, its generated text, and what follows from both."""
    entry = found.entry
    data: dict[str, Any] = {"kind": found.kind.name, "id": entry.id, "entry": entry.model_dump(mode="json")}
    if text := found.text():
        data["text"] = text
    if isinstance(entry, (Deck, PartyClass)):
        data |= {"size": entry.size(), "categories": dict(counted(entry.cards, codex.cards))}
    if isinstance(entry, Scenario):
        data["digest"] = scenario_digest(codex, entry)
    return data


def print_kinds(codex: Codex) -> None:
    """Every kind with its entries."""
    listed = _words("content", "kind", "entries", "ids")
    for kind in KINDS:
        names = list(kind.of(codex))
        listed.add_row(kind.name, str(len(names)), ", ".join(names))
    output.stdout().print(listed)


def print_entries(found: Iterable[Found]) -> None:
    """The entries of a kind: what each does, or is."""
    listed = _words("", "id", "title", "what it does")
    for one in found:
        listed.add_row(one.entry.id, escape(one.entry.title), escape(one.text() or one.entry.summary))
    output.stdout().print(listed)


def print_entry(codex: Codex, found: Found) -> None:
    """One entry in full."""
    console, entry = output.stdout(), found.entry
    console.print(f"{entry.title} ({found.kind.name} {entry.id})", style="bold", markup=False)
    for line in (entry.summary, found.text()):
        if line:
            console.print(line, markup=False)
    for label, value in _facts(codex, entry):
        console.print(f"  {label}: {value}", markup=False)
    if isinstance(entry, (Deck, PartyClass)):
        console.print(_card_table(codex, entry.cards))


def _facts(codex: Codex, entry: Any) -> list[tuple[str, str]]:
    """What is to be said of an entry beyond its text."""
    match entry:
        case Card():
            return _card_facts(codex, entry)
        case Deck():
            core = sum(entry.cards[name] for name in entry.core)
            waived = [("departs from the table in", ", ".join(entry.waived))] if entry.waived else []
            owners = [*(r.id for r in codex.rooms.values() if r.deck == entry.id)]
            owners += [c.id for c in codex.creatures.values() if c.deck == entry.id]
            return [
                ("side", entry.side),
                ("identity", entry.identity),
                ("cards", f"{entry.size()}, {core} of them locked"),
                *waived,
                ("played by", ", ".join(owners) or "nobody"),
            ]
        case Room():
            pressure = [_pressure(effect) for effect in entry.auto_effects]
            limit = f"{entry.round_limit} rounds"
            return [("deck", entry.deck), ("pressure", "; ".join(pressure) or "none"), ("cleared after", limit)]
        case Dungeon():
            return [("starts with", _numbers(entry, "structure", "veil", "presence")), *_attributes(entry)]
        case Creature():
            trust = [("trust", str(entry.trust))] if entry.trust else []
            stats = _numbers(entry, "vitality", "resolve", "nerve")
            return [("starts with", stats), *trust, ("deck", entry.deck), *_attributes(entry)]
        case PartyClass():
            stats = _numbers(entry, "vitality", "resolve", "nerve")
            return [("role", f"{entry.role}, {entry.focus} focus"), ("brings", stats), *_attributes(entry)]
        case Party():
            kits = [codex.classes[name] for name in entry.members]
            seats = [(f"seat {seat}", f"{kit.title} ({kit.role})") for seat, kit in enumerate(kits, 1)]
            totals = (f"{sum(getattr(kit, stat) for kit in kits)} {stat}" for stat in ("vitality", "resolve", "nerve"))
            return [*seats, ("together", ", ".join(totals)), ("deck", f"{sum(kit.size() for kit in kits)} cards")]
        case Scenario():
            return _scenario_facts(codex, entry)
        case _:
            fields = entry.model_dump(mode="json", exclude=PROSE | {"effects", "gains"}, exclude_defaults=True)
            return [(field.replace("_", " "), _short(value)) for field, value in fields.items()]


def _card_facts(codex: Codex, card: Card) -> list[tuple[str, str]]:
    kind = type(card).__name__
    if isinstance(card, ActionCard):
        covenant = ", a Covenant" if isinstance(card, Offer) and card.covenant else ""
        facts = [("category", kind + covenant), ("type", card.type), ("cost", str(card.cost))]
    else:
        facts = [("category", f"{kind}, {card.kind}" if isinstance(card, Energy) else kind)]
    holders: list[Deck | PartyClass] = [*codex.decks.values(), *codex.classes.values()]
    used = [f"{holder.id} ×{holder.cards[card.id]}" for holder in holders if card.id in holder.cards]
    return [("side", card.side), *facts, ("in", ", ".join(used) or "no deck yet")]


def _scenario_facts(codex: Codex, scenario: Scenario) -> list[tuple[str, str]]:
    kits = codex.members_of(scenario)
    visitor = scenario.creature or f"{scenario.party or 'a party'}: {', '.join(kit.id for kit in kits)}"
    facts = [("dungeon", scenario.dungeon), ("visitor", visitor)]
    for number, stop in enumerate(scenario.rooms, 1):
        limit = stop.round_limit or codex.rooms[stop.room].round_limit
        fitted = f", with {', '.join(stop.items)}" if stop.items else ""
        ways = "".join(f", {outcome} → {goal}" for outcome, goal in stop.next.items())
        facts.append((f"room {number}", f"{stop.room}, {limit} rounds{fitted}{ways}"))
    facts.append(("retreat", "allowed" if scenario.retreat else "not allowed"))
    facts += [(name, codex.modifiers[name].text()) for name in scenario.modifiers]
    facts += [(f"{name}, seat {seat}", codex.equipment[name].text()) for name, seat in scenario.equipment.items()]
    items = dict.fromkeys(item for stop in scenario.rooms for item in stop.items)
    facts += [(name, codex.room_items[name].text()) for name in items]
    return [*facts, ("digest", scenario_digest(codex, scenario))]


def _card_table(codex: Codex, amounts: Mapping[str, int]) -> Table:
    """Cards by category, with how many there are of each."""
    counts = counted(amounts, codex.cards)
    made = _words("", "category", "card", "copies", "cost", "type", "text")
    for category in CATEGORIES:
        cards = [codex.cards[name] for name in amounts if codex.cards[name].category == category]
        for number, card in enumerate(cards):
            cost, kind = (str(card.cost), card.type) if isinstance(card, ActionCard) else ("", "")
            head = "" if number else f"{category} {counts[category]}"
            made.add_row(head, card.id, str(amounts[card.id]), cost, kind, escape(card_text(card)))
    return made


def _pressure(effect: AutoEffect) -> str:
    often = "each round" if effect.every == 1 else f"every {effect.every} rounds"
    return f"{effect.resource} {effect.change:+d} {often}".replace("-", "−")


def _numbers(entry: Any, *names: str) -> str:
    return ", ".join(f"{getattr(entry, name)} {name}" for name in names)


def _attributes(entry: Any) -> list[tuple[str, str]]:
    bonuses = entry.attributes.model_dump(exclude_defaults=True)
    return [("contested rolls", ", ".join(f"{name} {value:+d}" for name, value in bonuses.items()))] if bonuses else []


def _short(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {inner}" for key, inner in value.items())
    return str(value)


def _words(title: str, *columns: str) -> Table:
    """A table of words: aligned left, names never broken."""
    made = output.table(title, *columns)
    for column in made.columns:
        column.justify = "left"
    made.columns[0].no_wrap = True
    return made
