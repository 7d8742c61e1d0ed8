"""Generated parts about modifiers: every effect code, and the entries that use it, in the card game's terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from cartomancer.content.codex import load_codex
from cartomancer.content.models.effects import Effect, EffectCode, Modifier, Tier
from parts.markdown import code, table

# What an effect comes to in a fight; behind the bar, what only the list of codes adds. {n}: its size; {v}: the same
# with its sign; {first}: first, or first N; {s}: a plural's s; others: `_numbers` and the numbers of the card game.
IN_A_FIGHT: Final[dict[EffectCode, str]] = {
    "alertness": "opening strikes at its side do not happen",
    "armour": "{v} armour when a room begins|: a store that damage from cards and dice uses up, never below 0",
    "armour_pierce": "its Strikes pass {n} armour|, which is not used up",
    "backline_adds": (
        "each round the standing member with the smallest starting vitality loses {n} × `add_damage` ({add_damage})"
        "|, past guards; nothing drives these off"
    ),
    "banish": "the next {n} reinforcement{s} of its side turn away",
    "block_percent": "{v} % on the Ward, Fortify, armour and React power of its side|, rounded half up",
    "bounty": (
        "the member's knock-out costs {n} × (knock-outs so far) more resolve and nerve|; a creature has no morale "
        "cascade to worsen"
    ),
    "contest": "{v} to its contested rolls|, striking and defending",
    "counter": (
        "whoever strikes at it loses `counter_damage` ({counter_damage}) of the primary reducer, for the {first} "
        "Strike{s} of each round|, before the roll; guards count"
    ),
    "damage": "{v} power on its Strikes|, which the tier then scales; power never falls below 1",
    "damage_growth": "{v} power on its Strikes more each round, first in round {start}",
    "draw": "{v} card{s} at each round's end|; a hand is still filled up to `least_hand`",
    "execute_percent": (
        "its Strikes deal {n} % more when the struck reducer, or the struck member, is below {below} % of its start"
    ),
    "first_hit_guard": "the first damage from cards and dice at its side each round shrinks by {n}",
    "grant_keyword": "its Strikes have {keyword}|; a Disrupt that strips takes it away",
    "guard": "all damage from cards and dice at its side shrinks by {n} a hit",
    "hazard": "its side's primary reducer loses {n} each round|, past guards",
    "healing_percent": "{v} % on the healing of its side|, rally and Drain included; at least 1 is left",
    "health": "{v} for its primary reducer when the run begins",
    "hex": (
        "{n} random card{s} in the other side's hand cannot be played for a round|, chosen when its turn begins; they "
        "can still be activated"
    ),
    "hex_guard": "the {first} card{s} that hexes would lock stay free",
    "injury": "the member loses {n} vitality when the run begins|, but keeps at least 1; an eased injury does nothing",
    "locked_cards": "{n} random card{s} in its side's hand cannot be played|, as with a hex",
    "no_consumables": "what its side's consumable items do is out of force",
    "no_retreat": "the visitor cannot retreat",
    "opening_strike": "{n} damage at the other side's primary reducer when a room begins|; guards count",
    "panic_immunity": "the {first} time{s} a win check finds nerve at 0, nerve becomes 1 and the room goes on",
    "poison": "each hit lays {n} Erode on the reducer it struck|, also where the room presses it already",
    "poison_guard": "{n} less of each poisoning",
    "reducer": "{v} {resource}, and as much on its starting value",
    "regeneration": "{v} for its weakest reducer each round|; below 0 in sum it does nothing",
    "reinforcements": (
        "{n} more reinforcement{s} in every round divisible by {every}; each costs the other side `add_damage` "
        "({add_damage}) of its primary reducer a round; a devastating hit drives one off|; past guards, and "
        "`most_adds` ({most_adds}) of them at most"
    ),
    "rescue": "the first member that falls below {below} % of its vitality in a room regains {n}|, unless Pierced",
    "shed_debuff": "its side shrugs off the {first} Disrupt, Entangle, Erode or poison of a room",
    "skill_tax": "the first card each round that is neither Strike nor Energy costs {n} more",
    "splash": "{type}Strikes that hit also take {n} {resource}|, past guards",
    "stress": "{minus} nerve for the visitor when the run begins",
    "strip_ward": "its side shrugs off {n} fewer (`shed_debuff`)",
    "supplies": "{v} card{s} in the opening hand|, which always holds what it must and at most `hand_cap`",
    "tempo": "{v} to initiative, and each point above 0 is a temporary energy each turn",
    "tempo_growth": "{v} tempo more each round, first in round {start}",
    "threat": (
        "{v} threat for the member|: untargeted harm finds the most threatened, Strikes at a threatened one have "
        "{threat_power} more power (`threat_power`), until cleansed or the room ends"
    ),
    "weakness": "{n} less power on the member's Strikes, one less of it after each turn of the visitor",
}
ANY: Final[dict[str, str]] = {
    "n": "N",
    "v": "±N",
    "minus": "∓N",
    "first": "first N",
    "s": "s",
    "start": "2, or in its `from_turn`",
    "every": "`every`",
    "below": "`below_percent`",
    "resource": "of its `resource`",
    "keyword": "its `keyword`",
    "type": "",
}


def _numbers(effect: Effect) -> dict[str, Any]:
    """What the words of an effect are filled with."""
    sign, opposite = ("+", "−") if effect.value > 0 else ("−", "+")
    size = abs(effect.value)
    return {
        "n": size,
        "v": f"{sign}{size}",
        "minus": f"{opposite}{size}",
        "first": "first" if size == 1 else f"first {size}",
        "s": "" if size == 1 else "s",
        "start": effect.from_turn or 2,
        "every": effect.every,
        "below": effect.below_percent,
        "resource": effect.resource,
        "keyword": (effect.keyword or "").capitalize(),
        "type": f"{effect.type.capitalize()} " if effect.type else "",
    }


def _in_a_fight(name: EffectCode, effect: Effect | None = None) -> str:
    """What a code, or one effect of it, comes to."""
    said, _, more = IN_A_FIGHT[name].partition("|")
    rules = load_codex().rules.model_dump()
    if effect is None:
        return (said + more).format(**ANY, **rules)
    said = said.format(**_numbers(effect), **rules)
    if effect.turns:
        said += ", in round 1 of a room" if effect.turns == 1 else f", in rounds 1 to {effect.turns} of a room"
    return said


def effect_codes() -> str:
    """Every effect code: what it does in a fight, and who uses it."""
    missing = set(get_args(EffectCode)) ^ set(IN_A_FIGHT)
    if missing:
        raise SystemExit(f"docs/parts/modifier_parts.py does not agree with the effect codes: {', '.join(missing)}")
    codex = load_codex()
    entries = [*codex.modifiers.values(), *codex.equipment.values(), *codex.room_items.values()]
    rows = []
    for name in get_args(EffectCode):
        users = [entry.title for entry in entries if any(effect.code == name for effect in entry.effects)]
        rows.append((code(name), _in_a_fight(name), ", ".join(users) or "–"))
    return table(("code", "in a fight", "used by"), rows)


def contract_modifiers() -> str:
    """Trials, intrusions and traits as the card game plays them."""
    catalog = load_codex().catalog
    kinds: dict[str, Mapping[str, Modifier]] = {
        "trial": catalog.trials,
        "intrusion": catalog.intrusions,
        "trait": catalog.traits,
    }
    rows = [
        (kind, code(name), entry.text(), "; ".join(_in_a_fight(effect.code, effect) for effect in entry.effects))
        for kind, entries in kinds.items()
        for name, entry in entries.items()
    ]
    return table(("", "id", "text", "in a fight"), rows)


def equipment() -> str:
    """Equipment by tier."""
    pieces = load_codex().equipment.values()
    rows = [
        (piece.tier, piece.title, piece.slot, piece.text())
        for tier in get_args(Tier)
        for piece in pieces
        if piece.tier == tier
    ]
    return table(("tier", "piece", "slot", "text"), rows)


def room_items() -> str:
    """Room items by tier."""
    items = load_codex().room_items.values()
    rows = [(item.tier, item.title, item.text()) for tier in get_args(Tier) for item in items if item.tier == tier]
    return table(("tier", "item", "text"), rows)
