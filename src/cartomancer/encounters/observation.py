"""What one side, or everybody, may know of an encounter, and nothing more.

Hidden are, unless a card has shown them: the opponent's hand, draw pile and face-down Traps, and which cards its deck
has; the order of one's own draw pile, all random streams, of a veiled Offer everything but benefit and investment
[Bond 3.2], and what the opponent is asked: only a defender with a React it can pay for is asked about a hit, so that
being asked would give its hand away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Final

from cartomancer.content.models.cards import Offer
from cartomancer.content.rules_text import card_text
from cartomancer.encounters import names
from cartomancer.encounters.actions import card_at, seat_names
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.event import PUBLIC
from cartomancer.encounters.kernel.codes import Awaiting, Side
from cartomancer.encounters.kernel.energy import cost_of
from cartomancer.encounters.kernel.layout import MOST_INSTANCES, card_of
from cartomancer.encounters.kernel.trust import trust_tier
from cartomancer.encounters.packing import Packed

HIDDEN: Final = -1
PILES: Final = {"hand": "hand_size", "draw": "draw_size", "discard": "discard_size", "traps": "trap_count"}
MEMBER_FIELDS: Final = ("vitality", "start", "down", "rising", "pierced", "threat", "weakness", "bounty")
SHOWN: Final = {"shown": "hand", "shown_traps": "traps"}  # what cards have turned over of the other side's
COUNTED: Final = (
    *("entangled", "held", "ward", "armour", "calm", "betrayed", "refuses", "scorned", "shed", "adds", "back_adds"),
)


def veiled(state: Any, side: int) -> Any:
    """A copy of the state with everything blanked that this side may not know."""
    seen = state.copy()
    mine, theirs = seen["sides"][side], seen["sides"][1 - side]
    seen["streams"] = 0
    _pile(mine, "draw").sort()
    for record in (mine, theirs):
        for name, size in PILES.items():
            record[name][int(record[size]) :] = HIDDEN  # what lies behind the end of a pile is history
    theirs["draw"] = HIDDEN
    known = int(theirs["known"])
    for name in ("hand", "discard", "traps"):
        pile = _pile(theirs, name)
        pile[[instance < 0 or not known >> int(instance) & 1 for instance in pile]] = HIDDEN
    theirs["gone"] = int(theirs["gone"]) & known
    theirs["locked"] = 0
    theirs["last_type"] = HIDDEN  # a face-down Trap has one too
    flight = seen["flight"]
    if int(flight["striker"]) == 1 - side and not known >> int(flight["instance"]) & 1:
        flight["card"] = flight["instance"] = HIDDEN
    if int(seen["awaiting"]) != Awaiting.OVER and int(seen["actor"]) != side:
        seen["awaiting"] = seen["actor"] = HIDDEN
    seen["decisions"] = HIDDEN  # they count the hits that could have been answered
    return seen


def observe(encounter: Encounter, side: str) -> dict[str, Any]:
    """The encounter as this side sees it, in names and plain numbers."""
    packed, viewer = encounter.packed, names.side_code(side)
    state = veiled(encounter.state, viewer)
    decision = encounter.decision if encounter.decision and encounter.decision.side == side else None
    found: dict[str, Any] = {
        "scenario": packed.name,
        "side": side,
        **_standing(packed, state),
        "awaiting": decision and asdict(decision),  # of this side alone
        "me": _side(packed, state, viewer, True),
        "opponent": _side(packed, state, 1 - viewer, False),
    }
    if decision is not None:
        found["legal"] = [{"action": action, "text": encounter.text_of(action)} for action in encounter.legal()]
        if decision.kind in {"offer", "covenant"}:
            found["offer"] = _offer(packed, encounter.state, state)
        if decision.kind == "react":
            found["strike"] = _strike(packed, state)
        if decision.kind == "test":
            card = packed.cards[int(state["flight"]["card"])]
            found["test"] = {"card": card.id, "text": card_text(card)}
    return found


def public_view(encounter: Encounter) -> dict[str, Any]:
    """The encounter as everybody may see it: what both sides know, in names and plain numbers.

    >>> seen = public_view(Encounter("boar", seed=42))
    >>> seen["visitor"]["hand_size"], "hand" in seen["visitor"]
    (7, False)
    """
    packed, state = encounter.packed, encounter.state
    for side in Side:
        state = veiled(state, side)
    return {
        "scenario": packed.name,
        PUBLIC: True,
        **_standing(packed, state),
        **{names.SIDES[side]: _side(packed, state, side, False) for side in Side},
    }


def _standing(packed: Packed, state: Any) -> dict[str, Any]:
    """Where the fight stands, which everybody knows."""
    room = int(state["room"])
    return {
        "room": packed.rooms[room],
        "room_number": int(state["rooms_entered"]),
        "round": int(state["round_no"]),
        "round_limit": int(packed.tables["dungeon"]["rooms"][room]["round_limit"]),
        "turn": names.SIDES[int(state["turn"])] if state["round_no"] else None,  # whose it is; nobody's before round 1
        "trust": int(state["trust"]) / 2,
        "trust_tier": int(trust_tier(packed.tables, state)),
        "insight": int(state["insight"]),
    }


def _side(packed: Packed, state: Any, side: int, own: bool) -> dict[str, Any]:
    record = state["sides"][side]
    gone, locked, hand = int(record["gone"]), int(record["locked"]), _pile(record, "hand")

    def ids(instances: Iterable[Any]) -> list[str]:
        return ["hidden" if k == HIDDEN else card_at(packed, state, side, int(k)).id for k in instances]

    values = zip(names.RESOURCES[side], record["reducers"], record["starts"], strict=True)
    found: dict[str, Any] = {
        "reducers": {name: [int(now), int(start)] for name, now, start in values},
        "energy": int(record["energy"]) + int(record["temporary"]),
        "pool": int(record["pool"]),
        "typed_energy": _named(names.CARD_TYPES, record["typed_energy"]),
        "attuned": list(_named(names.CARD_TYPES, record["attuned"])),
        "hand_size": int(record["hand_size"]),
        "draw_size": int(record["draw_size"]),
        "discard": ids(_pile(record, "discard")),
        "exhausted": ids(k for k in range(MOST_INSTANCES) if gone >> k & 1),
        "deck": _deck(packed, state, side, own),
        "traps": int(record["trap_count"]),
        "conditions": _conditions(record, side),
    }
    if side == Side.VISITOR:
        found["members"] = [
            {"name": name} | {field: int(member[field]) for field in MEMBER_FIELDS}
            for name, member in zip(packed.members, state["members"], strict=False)
        ]
    if not own:
        found |= {name: sorted(ids(k for k in _pile(record, pile) if k != HIDDEN)) for name, pile in SHOWN.items()}
    else:
        cards = [card_of(packed.tables, state, side, int(k)) for k in hand]
        found |= {
            "hand": ids(hand),
            "draw": sorted(ids(_pile(record, "draw"))),
            "laid": ids(_pile(record, "traps")),
            "costs": [int(cost_of(state, side, card)) for card in cards],
            "owners": [int(packed.tables["visitor"]["owner"][k]) if side == Side.VISITOR else 0 for k in hand],
            "locked": ids(k for k in hand if locked >> int(k) & 1),
        }
    return found


def _pile(record: Any, name: str) -> Any:
    return record[name][: int(record[PILES[name]])]


def _named(words: Sequence[str], numbers: Any) -> dict[str, int]:
    """Numbers by their names; what is 0 is not listed."""
    return {word: int(number) for word, number in zip(words, numbers, strict=True) if number}


def _deck(packed: Packed, state: Any, side: int, own: bool) -> dict[str, int]:
    """One's own deck list, cards and copies; of another's only its composition by category and its Covenant (E49)."""
    numbers = packed.decks[1] if side == Side.VISITOR else packed.decks[0][int(state["room"])]
    cards = [packed.cards[number] for number in numbers]
    return dict(Counter(card.id if own or getattr(card, "covenant", False) else card.category for card in cards))


def _conditions(record: Any, side: int) -> dict[str, Any]:
    """Everything that lies on a side, by name; what is absent is not listed."""
    resources = names.RESOURCES[side]
    found: dict[str, Any] = {field: int(record[field]) for field in COUNTED}
    found |= {field: _named(resources, record[field]) for field in ("erode", "venom", "fortify", "thorns")}
    found["empowered"] = record["empowered"] and {
        "power": int(record["empower_power"]),
        "advantage": bool(record["empower_advantage"]),
        "keywords": names.keyword_names(int(record["empower_keywords"])),
    }
    found |= {field: bool(record[field]) for field in ("disadvantage", "strip", "randomise")}
    found["exposed"] = _named(names.CARD_TYPES, record["exposure"])
    bindings = zip(record["binding_at"], record["binding"], record["binding_rounds"], strict=True)
    found["bindings"] = [
        {"resource": resources[at], "amount": int(amount), "rounds": int(rounds)}
        for at, amount, rounds in bindings
        if amount
    ]
    debts = zip(record["dependency_at"], record["dependency"], record["dependency_trust"], strict=True)
    found["dependencies"] = [
        {"resource": resources[at], "at_stake": int(amount), "trust": int(trust) / 2}
        for at, amount, trust in debts
        if amount
    ]
    return {name: value for name, value in found.items() if value}


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
