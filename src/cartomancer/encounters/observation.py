"""What one side may know of an encounter, and nothing more.

Hidden are: the opponent's hand, draw pile and face-down Traps, the order of one's own draw pile, all random streams,
and of a veiled Offer everything but benefit and investment [Bond 3.2].
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from cartomancer.content.models.cards import Offer
from cartomancer.content.rules_text import card_text
from cartomancer.encounters import names
from cartomancer.encounters.actions import seat_names
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel.codes import Side
from cartomancer.encounters.kernel.energy import cost_of
from cartomancer.encounters.kernel.layout import MOST_INSTANCES, card_of, number_of
from cartomancer.encounters.kernel.trust import trust_tier
from cartomancer.encounters.packing import Packed

HIDDEN = -1


def veiled(state: Any, side: int) -> Any:
    """A copy of the state with everything blanked that this side may not know."""
    seen = state.copy()
    mine, theirs = seen["sides"][side], seen["sides"][1 - side]
    seen["streams"] = 0
    size = int(mine["draw_size"])
    mine["draw"][:size] = np.sort(mine["draw"][:size])
    for pile in (mine, theirs):
        for name, count in (("hand", "hand_size"), ("draw", "draw_size"), ("discard", "discard_size")):
            pile[name][int(pile[count]) :] = HIDDEN  # what lies behind the end of a pile is history
        pile["traps"][int(pile["trap_count"]) :] = HIDDEN
    for name in ("hand", "draw", "traps"):
        theirs[name] = HIDDEN
    known = int(theirs["known"])
    discards = theirs["discard"][: int(theirs["discard_size"])]
    discards[[not known >> int(instance) & 1 for instance in discards]] = HIDDEN
    theirs["gone"] = int(theirs["gone"]) & known
    theirs["locked"] = 0
    theirs["last_type"] = HIDDEN  # a face-down Trap has one too
    flight = seen["flight"]
    if int(flight["striker"]) == 1 - side and not known >> int(flight["instance"]) & 1:
        flight["card"] = HIDDEN
        flight["instance"] = HIDDEN
    return seen


def observe(encounter: Encounter, side: str) -> dict[str, Any]:
    """The encounter as this side sees it, in names and plain numbers."""
    packed, viewer = encounter.packed, names.side_code(side)
    state = veiled(encounter.state, viewer)
    decision = encounter.decision
    found: dict[str, Any] = {
        "scenario": packed.name,
        "side": side,
        "room": packed.rooms[int(state["room"])],
        "room_number": int(state["rooms_entered"]),
        "round": int(state["round_no"]),
        "round_limit": int(packed.tables["dungeon"]["rooms"][int(state["room"])]["round_limit"]),
        "trust": int(state["trust"]) / 2,
        "trust_tier": int(trust_tier(packed.tables, encounter.state)),
        "insight": int(state["insight"]),
        "awaiting": None if decision is None else {"kind": decision.kind, "side": decision.side},
        "me": _side(packed, state, viewer, True),
        "opponent": _side(packed, state, 1 - viewer, False),
    }
    if decision is not None and decision.side == side:
        found["legal"] = [{"action": action, "text": encounter.text_of(action)} for action in encounter.legal()]
        if decision.kind in {"offer", "covenant"}:
            found["offer"] = _offer(packed, encounter.state, state)
        if decision.kind == "react":
            found["strike"] = _strike(packed, state)
        if decision.kind == "test":
            card = packed.cards[int(state["flight"]["card"])]
            found["test"] = {"card": card.id, "text": card_text(card)}
    return found


def _side(packed: Packed, state: Any, side: int, own: bool) -> dict[str, Any]:
    record = state["sides"][side]
    found: dict[str, Any] = {
        "reducers": {
            name: [int(record["reducers"][r]), int(record["starts"][r])] for r, name in enumerate(names.RESOURCES[side])
        },
        "energy": int(record["energy"]) + int(record["temporary"]),
        "pool": int(record["pool"]),
        "typed_energy": {
            name: int(record["typed_energy"][k]) for k, name in enumerate(names.CARD_TYPES) if record["typed_energy"][k]
        },
        "attuned": [name for k, name in enumerate(names.CARD_TYPES) if record["attuned"][k]],
        "hand_size": int(record["hand_size"]),
        "draw_size": int(record["draw_size"]),
        "discard": [_card_name(packed, state, side, int(instance)) for instance in _pile(record, "discard")],
        "exhausted": _exhausted(packed, state, side),
        "deck": _deck(packed, state, side),
        "traps": int(record["trap_count"]),
        "conditions": conditions_of(record, side),
    }
    if side == Side.VISITOR:
        found["members"] = _members(packed, state)
    if own:
        found["hand"] = [_card_name(packed, state, side, int(instance)) for instance in _pile(record, "hand")]
        found["draw"] = sorted(_card_name(packed, state, side, int(instance)) for instance in _pile(record, "draw"))
        found["laid"] = [_card_name(packed, state, side, int(k)) for k in record["traps"][: int(record["trap_count"])]]
        found["costs"] = [
            int(cost_of(state, side, card_of(packed.tables, state, side, int(instance))))
            for instance in _pile(record, "hand")
        ]
        locked = int(record["locked"])
        found["locked"] = [
            _card_name(packed, state, side, int(instance))
            for instance in _pile(record, "hand")
            if locked >> int(instance) & 1
        ]
    return found


def _pile(record: Any, name: str) -> Any:
    return record[name][: int(record[f"{name}_size"])]


def _card_name(packed: Packed, state: Any, side: int, instance: int) -> str:
    return "hidden" if instance == HIDDEN else packed.cards[int(number_of(packed.tables, state, side, instance))].id


def _deck(packed: Packed, state: Any, side: int) -> dict[str, int]:
    """The deck list, which both sides know (E49): cards and copies."""
    numbers = packed.decks[1] if side == Side.VISITOR else packed.decks[0][int(state["room"])]
    return dict(Counter(packed.cards[number].id for number in numbers))


def _exhausted(packed: Packed, state: Any, side: int) -> list[str]:
    gone = int(state["sides"][side]["gone"])
    return [_card_name(packed, state, side, k) for k in range(MOST_INSTANCES) if gone >> k & 1]


def _members(packed: Packed, state: Any) -> list[dict[str, Any]]:
    fields = ("vitality", "start", "down", "pierced", "threat", "weakness", "bounty")
    return [
        {"name": name} | {field: int(state["members"][seat][field]) for field in fields}
        for seat, name in enumerate(packed.members)
    ]


def conditions_of(record: Any, side: int) -> dict[str, Any]:
    """Everything that lies on a side, by name; what is absent is not listed."""
    resources = names.RESOURCES[side]
    found: dict[str, Any] = {}
    for field in (
        "entangled",
        "held",
        "ward",
        "armour",
        "calm",
        "betrayed",
        "refuses",
        "scorned",
        "shed",
        "adds",
        "back_adds",
    ):
        if record[field]:
            found[field] = int(record[field])
    for field in ("erode", "fortify", "thorns"):
        points = {name: int(record[field][r]) for r, name in enumerate(resources) if record[field][r]}
        if points:
            found[field] = points
    if record["empowered"]:
        found["empowered"] = {
            "power": int(record["empower_power"]),
            "advantage": bool(record["empower_advantage"]),
            "keywords": names.keyword_names(int(record["empower_keywords"])),
        }
    for field in ("disadvantage", "strip", "randomise"):
        if record[field]:
            found[field] = True
    exposed = {name: int(record["exposure"][k]) for k, name in enumerate(names.CARD_TYPES) if record["exposure"][k]}
    if exposed:
        found["exposed"] = exposed
    bindings = [
        {"resource": resources[int(at)], "amount": int(amount), "rounds": int(rounds)}
        for at, amount, rounds in zip(record["binding_at"], record["binding"], record["binding_rounds"], strict=True)
        if amount
    ]
    if bindings:
        found["bindings"] = bindings
    debts = [
        {"resource": resources[int(at)], "at_stake": int(amount), "trust": int(trust) / 2}
        for at, amount, trust in zip(
            record["dependency_at"], record["dependency"], record["dependency_trust"], strict=True
        )
        if amount
    ]
    if debts:
        found["dependencies"] = debts
    return found


def _offer(packed: Packed, state: Any, seen: Any) -> dict[str, Any]:
    """An Offer as its acceptor sees it: a veiled one without name and cost."""
    card = packed.cards[int(state["flight"]["card"])]
    assert isinstance(card, Offer)
    found: dict[str, Any] = {
        "benefit": card.benefit.model_dump(exclude_defaults=True),
        "trust": card.trust,
        "covenant": card.covenant,
    }
    if int(seen["flight"]["card"]) == HIDDEN:
        return found | {"card": "hidden", "cost": "hidden"}
    return found | {"card": card.id, "cost": card.price.model_dump(exclude_defaults=True), "text": card_text(card)}


def _strike(packed: Packed, seen: Any) -> dict[str, Any]:
    flight = seen["flight"]
    target, seat = int(flight["target"]), int(flight["seat"])
    return {
        "card": packed.cards[int(flight["card"])].id,
        "damage": int(flight["damage"]),
        "target": names.RESOURCES[1 - int(flight["striker"])][target],
        "member": seat_names(packed)[seat] if seat >= 0 and len(packed.members) > 1 else None,
        "keywords": names.keyword_names(int(flight["keywords"])),
    }
