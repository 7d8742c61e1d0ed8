"""How content entries look in a terminal: lists, cards as boxes, decks as rows of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Column, Table
from rich.text import Text

from cartomancer.cli import output
from cartomancer.content import deck_stats
from cartomancer.content.codex import Codex, scenario_digest
from cartomancer.content.deck_rules import CATEGORIES, counted
from cartomancer.content.kinds import KINDS, Found, kind_named
from cartomancer.content.models.cards import ActionCard, AnyCard, Card, Empower, Energy, Offer
from cartomancer.content.models.encounter import AutoEffect, Creature, Deck, Dungeon, Party, PartyClass, Room, Scenario
from cartomancer.content.models.events import Event
from cartomancer.content.models.vocabulary import RESOURCES
from cartomancer.content.rules_text import card_text

BOX: Final = 35  # the narrowest box: 'Covenant · Environmental' and its cost fit on a line
SINGLE: Final = 50  # a card on its own
PROSE: Final = {"id", "title", "summary"}
COLOURS: Final = {
    "strike": "red",
    "offer": "green",
    "test": "bright_green",
    "trap": "magenta",
    "reshape": "blue",
    "empower": "yellow",
    "disrupt": "bright_magenta",
    "counter": "cyan",
    "react": "bright_blue",
    "energy": "default",
}
Fact = tuple[str, str]


# --- lists ------------------------------------------------------------------------------------------------------------


def print_kinds(codex: Codex) -> None:
    """Every kind with its entries."""
    kinds = [(kind.name, list(kind.of(codex))) for kind in KINDS]
    rows = ((name, str(len(ids)), ", ".join(ids)) for name, ids in kinds)
    output.show(output.word_table("content", ("kind", "entries", "ids"), rows))


def print_entries(found: Iterable[Found]) -> None:
    """The entries of a kind: what each does, or is."""
    rows = ((one.entry.id, escape(one.entry.title), escape(one.text() or one.entry.summary)) for one in found)
    output.show(output.word_table("", ("id", "title", "what it does"), rows))


# --- for programs -----------------------------------------------------------------------------------------------------


def entry_json(codex: Codex, found: Found) -> dict[str, Any]:
    """An entry for programs: its fields, its generated text, and what follows from both."""
    entry = found.entry
    data: dict[str, Any] = {"kind": found.kind.name, "id": entry.id, "entry": entry.model_dump(mode="json")}
    if text := found.text():
        data["text"] = text
    match entry:
        case Card():
            data |= deck_stats.card_facts(codex.cards[entry.id]) | {"held_by": deck_stats.holders_of(codex, entry.id)}
        case Deck() | PartyClass() | Party():
            data |= deck_stats.holder_facts(codex, entry)
        case Room() | Creature():
            data["deck"] = entry_json(codex, Found(kind_named("deck"), codex.decks[entry.deck]))
        case Scenario():
            data |= {"digest": scenario_digest(codex, entry), "profiles": _profiles(codex, entry)}
    if isinstance(entry, Room):
        data["pressure"] = [pressure(effect) for effect in entry.auto_effects]
    if isinstance(entry, Party):
        data["pools"] = deck_stats.pools_of(codex, entry)
    return data


# --- one entry --------------------------------------------------------------------------------------------------------


def print_entry(codex: Codex, found: Found) -> None:
    """One entry in full: a card as a box, what has a deck with the boxes of its cards."""
    console, entry = output.screen(), found.entry
    output.line(console, Text.assemble((entry.title, "bold"), (f" ({found.kind.name} {entry.id})", "dim")))
    if isinstance(entry, Card):
        console.print(card_box(codex.cards[entry.id], min(SINGLE, console.width)))
    else:
        for text in filter(None, (Text(entry.summary, style="italic"), Text(found.text()))):
            output.line(console, text)
    for label, value in _facts(codex, entry):
        output.line(console, Text.assemble((f"{label}: ", "dim"), value), indent=2)
    match entry:
        case Deck() | PartyClass():
            _print_cards(console, codex, entry)
        case Room() | Creature():
            console.print()
            print_entry(codex, Found(kind_named("deck"), codex.decks[entry.deck]))
        case Party():
            _counts(console, counted(deck_stats.cards_of(codex, entry), codex.cards))


def _facts(codex: Codex, entry: Any) -> list[Fact]:
    """What is to be said of an entry beyond its text."""
    match entry:
        case Card():
            used = []
            for name, copies in deck_stats.holders_of(codex, entry.id).items():
                kind, _, holder = name.partition(":")
                used.append(f"{kind} {holder}" if kind in {"pool", "guardian"} else f"{holder} ×{copies}")
            return [("side", entry.side), ("in", ", ".join(used) or "no deck yet")]
        case Deck():
            locked = sum(entry.cards[name] for name in entry.core)
            waived = [("departs from the table in", ", ".join(entry.waived))] if entry.waived else []
            holders = (codex.rooms, codex.creatures)
            owners = [owner.id for kind in holders for owner in kind.values() if owner.deck == entry.id]
            return [
                ("side", entry.side),
                ("identity", entry.identity),
                ("cards", f"{entry.size()}, {locked} of them core: locked" if locked else str(entry.size())),
                *waived,
                ("played by", ", ".join(owners) or "nobody"),
            ]
        case Room():
            words = "; ".join(pressure(effect) for effect in entry.auto_effects)
            return [("pressure", words or "none"), ("cleared after", f"{entry.round_limit} rounds")]
        case Dungeon():
            return [("starts with", _numbers(entry, *RESOURCES["dungeon"])), *_attributes(entry)]
        case Creature():
            trust = [("trust", str(entry.trust))] if entry.trust else []
            return [("starts with", _numbers(entry, *deck_stats.POOLS)), *trust, *_attributes(entry)]
        case PartyClass():
            role = [("role", entry.role), ("focus", entry.focus), ("brings", _numbers(entry, *deck_stats.POOLS))]
            return [*role, *_attributes(entry), ("cards", str(entry.size()))]
        case Party():
            kits = [codex.classes[name] for name in entry.members]
            seats = [
                (f"seat {seat}", f"{kit.title} ({kit.role}, {kit.focus}): {_numbers(kit, *deck_stats.POOLS)}")
                for seat, kit in enumerate(kits, 1)
            ]
            together = ", ".join(f"{value} {pool}" for pool, value in deck_stats.pools_of(codex, entry).items())
            size = sum(deck_stats.cards_of(codex, entry).values())
            return [*seats, ("together", together), ("deck", f"{size} cards")]
        case Scenario():
            return _scenario_facts(codex, entry)
        case Event():
            where = "Rival contracts" if entry.rival else ", ".join(entry.themes) or "every theme"
            asked = [(choice, choice.needs.phrase()) for choice in entry.choices]
            stakes = [(choice.label, choice.stakes() + (f" ({needs})" if needs else "")) for choice, needs in asked]
            return [("met in", where), *stakes]
        case _:
            fields = entry.model_dump(mode="json", exclude=PROSE | {"effects", "gains"}, exclude_defaults=True)
            return [(field.replace("_", " "), _short(value)) for field, value in fields.items()]


def _scenario_facts(codex: Codex, scenario: Scenario) -> list[Fact]:
    kits = codex.members_of(scenario)
    visitor = scenario.creature or f"{scenario.party or 'a party'}: {', '.join(kit.id for kit in kits)}"
    facts = [("dungeon", scenario.dungeon or ", ".join(scenario.enemies)), ("visitor", visitor)]
    for number, stop in enumerate(scenario.rooms, 1):
        limit = stop.round_limit or codex.place(stop.room).round_limit
        fitted = f", with {', '.join(stop.items)}" if stop.items else ""
        ways = "".join(f", {outcome} → {goal}" for outcome, goal in stop.next.items())
        facts.append((f"room {number}", f"{stop.room}, {limit} rounds{fitted}{ways}"))
    for owner, swaps in scenario.swaps.items():
        facts.append((f"swaps of {owner}", ", ".join(f"{taken} → {given}" for taken, given in swaps.items())))
    plays = _profiles(codex, scenario)
    rooms = [f"{profile} in room {number}" for number, profile in enumerate(plays["dungeon"], 1)]
    facts.append(("dungeon plays", ", ".join(rooms if len(set(plays["dungeon"])) > 1 else plays["dungeon"][:1])))
    facts.append(("visitor plays", plays["visitor"]))
    facts.append(("retreat", "allowed" if scenario.retreat else "not allowed"))
    facts += [(name, codex.modifiers[name].text()) for name in scenario.modifiers]
    facts += [(f"{name}, seat {seat}", codex.equipment[name].text()) for name, seat in scenario.equipment.items()]
    items = dict.fromkeys(item for stop in scenario.rooms for item in stop.items)
    facts += [(name, codex.room_items[name].text()) for name in items]
    return [*facts, ("digest", scenario_digest(codex, scenario))]


def _profiles(codex: Codex, scenario: Scenario) -> dict[str, Any]:
    """Who plays, unless a command says otherwise: the dungeon room by room, and the visitor."""
    rooms = [profile.id for profile in codex.dungeon_profiles(scenario)]
    return {"dungeon": rooms, "visitor": codex.visitor_profile(scenario).id}


def pressure(effect: AutoEffect) -> str:
    """What a room does by itself, in words [GDD 5.2]."""
    side = next(side for side, names in RESOURCES.items() if effect.resource in names)
    does = f"{'loses' if effect.change < 0 else 'gains'} {abs(effect.change)} {effect.resource}"
    return f"the {side} {does} {'each round' if effect.every == 1 else f'every {effect.every} rounds'}"


def _numbers(entry: Any, *names: str) -> str:
    return ", ".join(f"{getattr(entry, name)} {name}" for name in names)


def _attributes(entry: Any) -> list[Fact]:
    bonuses = entry.attributes.model_dump(exclude_defaults=True)
    return [("contested rolls", ", ".join(f"{name} {value:+d}" for name, value in bonuses.items()))] if bonuses else []


def _short(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {inner}" for key, inner in value.items())
    return str(value)


# --- cards as boxes ---------------------------------------------------------------------------------------------------


def card_box(card: AnyCard, width: int, mark: str = "", height: int | None = None) -> Panel:
    """A card: what it is and costs, its power and keywords, its rules text, its flavour; `mark` stands at its foot."""
    colour = COLOURS[card.category]
    columns = Column(ratio=1), Column(justify="right", no_wrap=True)
    head = Table.grid(*columns, expand=True, padding=(0, 1, 0, 0))
    cost = f"cost {card.cost}" if isinstance(card, ActionCard) else ""
    head.add_row(Text(_kind(card), style=colour), Text(cost, style="bold"))
    keywords, power = [name.capitalize() for name in deck_stats.keywords_of(card)], deck_stats.power_of(card)
    if keywords or power:
        shown = f"power {'+' if isinstance(card, Empower) else ''}{power}" if power else ""
        head.add_row(Text(" · ".join(keywords), style="bold"), Text(shown, style="bold"))
    parts: list[RenderableType] = [head, Text(), Text(card_text(card))]
    if card.summary:
        parts += [Text(), Text(card.summary, style="italic dim")]
    return Panel(
        Group(*parts),
        title=Text(card.title, style="bold"),
        title_align="left",
        subtitle=Text(mark, style="bold") if mark else None,
        subtitle_align="right",
        border_style=colour,
        width=width,
        height=height,
    )


def _kind(card: AnyCard) -> str:
    if isinstance(card, Energy):
        return f"Energy · {card.kind.capitalize()}"
    category = "Covenant" if isinstance(card, Offer) and card.covenant else card.category.capitalize()
    return f"{category} · {card.type.capitalize()}"


def _print_cards(console: Console, codex: Codex, holder: Deck | PartyClass) -> None:
    """How many cards of each category, then a box for each card; its foot says whether it is core, and its copies."""
    core = set(holder.core) if isinstance(holder, Deck) else set()
    _counts(console, counted(holder.cards, codex.cards))
    marked = []
    for card in deck_stats.by_category(codex, holder.cards):
        copies = holder.cards[card.id]
        words = ("core" if card.id in core else "", f"×{copies}" if copies > 1 else "")
        marked.append((card, " · ".join(filter(None, words))))
    across = max(1, console.width // BOX)  # as many boxes a row as fit, the boxes of a row equally high
    width = console.width // across
    for first in range(0, len(marked), across):
        row = marked[first : first + across]
        heights = [len(console.render_lines(card_box(card, width, mark))) for card, mark in row]
        made = Table.grid()
        made.add_row(*(card_box(card, width, mark, max(heights)) for card, mark in row))
        console.print(made)


def _counts(console: Console, counts: Mapping[str, int]) -> None:
    words = [(f"{name.capitalize()} {counts[name]}", COLOURS[name]) for name in CATEGORIES if counts[name]]
    output.line(console, Text(" · ").join(Text(word, style=colour) for word, colour in words), indent=2)
