"""Generated parts about what meets whom: starting values, rooms, classes, scenarios."""

from __future__ import annotations

from collections import Counter

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.encounter import AutoEffect, Scenario
from parts.markdown import code, table


def starting_values() -> str:
    """What dungeons, creatures and parties start with."""
    codex = load_codex()
    rows: list[tuple[object, ...]] = []
    for dungeon in codex.dungeons.values():
        values = (f"structure {dungeon.structure}", f"veil {dungeon.veil}", f"presence {dungeon.presence}")
        rows.append((dungeon.title, "dungeon", *values, "–"))
    for creature in codex.creatures.values():
        values = (f"vitality {creature.vitality}", f"resolve {creature.resolve}", f"nerve {creature.nerve}")
        rows.append((creature.title, "creature", *values, creature.trust))
    for party in codex.parties.values():
        members = [codex.classes[name] for name in party.members]
        each = " + ".join(str(member.vitality) for member in members)
        values = (f"vitality {each}", *(f"{n} {sum(getattr(m, n) for m in members)}" for n in ("resolve", "nerve")))
        rows.append((party.title, "party", *values, 0))
    return table(("who", "is a", "first", "second", "third", "trust"), rows)


def _pressure(effect: AutoEffect) -> str:
    every = "each round" if effect.every == 1 else f"every {effect.every} rounds"
    return f"{effect.resource} {'+' if effect.change > 0 else '−'}{abs(effect.change)} {every}"


def rooms() -> str:
    """The rooms with their pressure and limits."""
    codex = load_codex()
    rows = (
        (
            room.title,
            f"{codex.decks[room.deck].identity}, {codex.decks[room.deck].size()} cards",
            "; ".join(_pressure(effect) for effect in room.auto_effects) or "none",
            room.round_limit,
        )
        for room in codex.rooms.values()
    )
    return table(("room", "deck", "pressure", "cleared after round"), rows)


def classes() -> str:
    """The classes and what they bring."""
    codex = load_codex()
    rows = []
    for kit in codex.classes.values():
        kinds = Counter[str]()
        for name, copies in kit.cards.items():
            kinds[codex.cards[name].category] += copies
        cards = ", ".join(f"{count} {name}" for name, count in kinds.most_common())
        rows.append((kit.title, kit.role, kit.focus, kit.vitality, f"+{kit.resolve}", f"+{kit.nerve}", cards))
    return table(("class", "role", "focus", "vitality", "resolve", "nerve", "cards"), rows)


def parties() -> str:
    """The named parties."""
    codex = load_codex()
    rows = (
        (party.title, ", ".join(codex.classes[name].title for name in party.members), party.summary)
        for party in codex.parties.values()
    )
    return table(("party", "seats 1 to 4", "what it is"), rows)


def _visitor(codex: Codex, scenario: Scenario) -> str:
    if scenario.creature:
        return codex.creatures[scenario.creature].title
    if scenario.party:
        return codex.parties[scenario.party].title
    return ", ".join(codex.classes[name].title for name in scenario.members)


def scenarios() -> str:
    """The shipped scenarios: who walks through what."""
    codex = load_codex()
    rows = []
    for scenario in codex.scenarios.values():
        stops = []
        for stop in scenario.rooms:
            ends = [outcome for outcome, goal in stop.next.items() if goal == "end"]
            more = [f"limit {stop.round_limit}"] if stop.round_limit else []
            more += [f"with {codex.room_items[name].title}" for name in stop.items]
            more += [f"{', '.join(ends)} end the run"] if ends else []
            stops.append(codex.rooms[stop.room].title + (f" ({'; '.join(more)})" if more else ""))
        leaves = "yes" if scenario.retreat else "no"
        rows.append((code(scenario.id), _visitor(codex, scenario), " → ".join(stops), leaves))
    return table(("scenario", "visitor", "rooms", "retreat"), rows)
