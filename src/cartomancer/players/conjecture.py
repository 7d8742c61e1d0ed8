"""What the other side could have chosen, as far as a side may know: its options put together from what is seen.

>>> from cartomancer.encounters import Encounter
>>> fight = Encounter("boar", seed=809).play(["keep", "keep", "end"])
>>> before, ended = fight.copy(), fight.apply("end")[0]
>>> found = conjecture(before, "dungeon", ended)
>>> found.energy, found.hand, found.seen, round(found.may_hold["strike"], 2)
(1, 7, (), 0.98)
>>> found.besides
('discard a card for energy',)

Everything comes from the side's own view and from its tracker of the opponent's deck: which cards it has seen, and the
odds of those it has not. Whether a defender could have answered a hit is never told, for only one that could is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cartomancer.content.models.cards import ActionCard, AnyCard
from cartomancer.content.models.vocabulary import OTHER_SIDE
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.event import Event
from cartomancer.encounters.kernel.legal import may_retreat
from cartomancer.encounters.names import SIDES
from cartomancer.encounters.observation import observe
from cartomancer.players.tracker import track

TURN: Final = "turn"
END: Final = "end its turn"
ACTIVATE: Final = "discard a card for energy"
RESTRAIN: Final = "hold a Strike back for trust"
RETREAT: Final = "retreat"
DEEDS: Final = {  # events that show a decision, and what was decided upon
    **dict.fromkeys(
        ("card_played", "trap_laid", "card_activated", "offered", "test_put", "restrained", "retreated", "turn_ended"),
        TURN,
    ),
    **dict.fromkeys(("offer_accepted", "offer_refused"), "offer"),
    "covenant_refused": "covenant",
    **dict.fromkeys(("cooperated", "defected"), "test"),
    "reacted": "react",
}
CHOSEN: Final = {  # events that show which of these was chosen
    "turn_ended": END,
    "card_activated": ACTIVATE,
    "restrained": RESTRAIN,
    "retreated": RETREAT,
    "offer_accepted": "accept",
    "offer_refused": "refuse",
    "covenant_refused": "refuse",
    "cooperated": "cooperate",
    "defected": "defect",
}
UNASKED: Final = ("bound", "unheard")  # fields of events that say that nobody was asked
ANSWERS: Final = {
    "offer": ("accept", "refuse"),
    "covenant": ("accept", "refuse"),
    "test": ("cooperate", "defect"),
    "react": ("take the hit",),
}


@dataclass(frozen=True)
class Conjecture:
    """The other side's options, as far as a side can tell."""

    kind: str  # of the decision: turn, react, offer, covenant, test
    energy: int
    hand: int
    seen: tuple[str, ...]  # cards in its hand that were seen and that it could have paid for, by id
    may_hold: Mapping[str, float]  # categories that it could have played then, and the chance that it held one unseen
    besides: tuple[str, ...]  # what needs no card of a kind


def decided(event: Event, side: str) -> str | None:
    """What the other side has decided upon, where an event that a side may see shows it."""
    if event.side == side or any(event.fields.get(name) for name in UNASKED):
        return None
    return DEEDS.get(event.kind)


def conjecture(encounter: Encounter, side: str, deed: Event) -> Conjecture:
    """What the other side may do at a decision of its own that a deed shows; of what needs no card, all but that."""
    kind = DEEDS[deed.kind]
    view, tracker = observe(encounter, side), track(encounter, side)
    them, cards = view["opponent"], {card.id: card for card in encounter.packed.cards}
    answers = ANSWERS.get(kind)
    react = kind == "react"
    seen, may_hold = tuple[str, ...](), dict[str, float]()
    if react or kind == TURN:
        seen = tuple(name for name in dict.fromkeys(them["shown"]) if _can_pay(cards[name], them, react))
        may_hold = {
            name: tracker.chance_unseen(name)
            for name in tracker.unseen
            if (name == "react") is react and tracker.chance_unseen(name)
        }
    return Conjecture(
        kind=kind,
        energy=them["energy"],
        hand=them["hand_size"],
        seen=seen,
        may_hold=may_hold,
        besides=tuple(one for one in answers or _without_cards(encounter, view) if one != CHOSEN.get(deed.kind)),
    )


def _can_pay(card: AnyCard, them: Mapping[str, Any], react: bool) -> bool:
    """Whether the other side could pay for a card that it may play now, by what everybody sees."""
    if (card.category == "react") is not react:
        return False
    if not isinstance(card, ActionCard):
        return True
    cost = card.cost - (card.type in them["attuned"])
    held: int = them["energy"] + them["typed_energy"].get(card.type, 0)
    return cost <= held


def _without_cards(encounter: Encounter, view: Mapping[str, Any]) -> Iterator[str]:
    """What a side may do in its turn whatever its cards are."""
    yield END
    if view["opponent"]["hand_size"]:
        yield ACTIVATE
    if view["trust"] > 0:
        yield RESTRAIN
    if may_retreat(encounter.packed.tables, encounter.state, SIDES.index(OTHER_SIDE[view["side"]])):
        yield RETREAT
