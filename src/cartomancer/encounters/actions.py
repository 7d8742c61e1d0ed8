"""Actions as people write them: one integer, one readable form, and the reason when it is not allowed.

An action is verb · 64 + argument. Cards are written with their category and id (`strike crushing_grip`), targets with
an arrow (`→ rogue`). Two copies of a card in hand are the same action to a reader; the first one is meant.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from cartomancer.encounters import names
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.energy import cost_of
from cartomancer.encounters.kernel.layout import MOST_OPTIONS, card_of
from cartomancer.encounters.kernel.legal import can_bear_self_cost, legal_actions, may_retreat
from cartomancer.encounters.packing import Packed
from cartomancer.errors import IllegalActionError, UnknownNameError
from cartomancer.jit import wrapping

SPAN: Final = int(codes.VERB_SPAN)
WITH_CARD: Final = {int(codes.PLAY), int(codes.ACTIVATE), int(codes.RESTRAIN), int(codes.ANSWER)}
ALONE: Final = {"end", "retreat", "keep", "mulligan", "take", "accept", "refuse", "cooperate", "defect"}
WITH_TARGET: Final = {int(codes.HIT_RESOURCE), int(codes.HIT_SEAT)}
# what may be asked: the verbs that answer it, and how it is put
ANSWERS: Final[dict[int, tuple[Any, ...]]] = {
    int(codes.AWAIT_MULLIGAN): (codes.KEEP, codes.MULLIGAN),
    int(codes.AWAIT_TURN): (codes.END_TURN, codes.PLAY, codes.ACTIVATE, codes.RESTRAIN, codes.RETREAT),
    int(codes.AWAIT_RESOURCE): (codes.HIT_RESOURCE,),
    int(codes.AWAIT_SEAT): (codes.HIT_SEAT,),
    int(codes.AWAIT_REACT): (codes.ANSWER, codes.TAKE_HIT),
    int(codes.AWAIT_OFFER): (codes.ACCEPT, codes.REFUSE),
    int(codes.AWAIT_COVENANT): (codes.ACCEPT, codes.REFUSE),
    int(codes.AWAIT_TEST): (codes.COOPERATE, codes.DEFECT),
}
QUESTIONS: Final = (
    *("nothing", "keep the hand or deal again", "play or activate a card or end the turn"),
    *("name the resource the Strike hits", "name the member the Strike hits", "react or take the hit"),
    *("accept or refuse the Offer", "accept or refuse the Covenant", "cooperate or defect"),
)


def split(action: int) -> tuple[int, int]:
    """(verb, argument)"""
    return divmod(action, SPAN)


def seat_names(packed: Packed) -> list[str]:
    """Members as actions name them: the class, with its seat where a class sits twice."""
    return [
        name if packed.members.count(name) == 1 else f"{name}@{seat + 1}" for seat, name in enumerate(packed.members)
    ]


def legal(packed: Packed, state: Any) -> list[int]:
    """Every legal action, in a fixed order."""
    options = np.zeros(MOST_OPTIONS, np.int16)
    with wrapping():
        count = int(legal_actions(packed.tables, state, options))
    return [int(action) for action in options[:count]]


def card_id(packed: Packed, state: Any, side: int, instance: int) -> str:
    """The id of the card that an instance is."""
    return packed.cards[int(card_of(packed.tables, state, side, instance))].id


def text_of(packed: Packed, state: Any, action: int) -> str:
    """The readable form of an action of the pending side."""
    verb, argument = split(action)
    side = int(state["actor"])
    if verb in WITH_CARD:
        card = packed.cards[int(card_of(packed.tables, state, side, argument))]
        return f"{card.category if verb == codes.PLAY else names.VERBS[verb]} {card.id}"
    if verb == codes.HIT_SEAT:
        return f"→ {seat_names(packed)[argument]}"
    if verb == codes.HIT_RESOURCE:
        return f"→ {names.RESOURCES[1 - side][argument]}"
    return names.VERBS[verb]


def parse(packed: Packed, state: Any, text: str) -> int:
    """The action that a text means, or an IllegalActionError with what would be allowed."""
    words = text.replace("->", "→ ").replace("→", "→ ").split()
    if words and words[0] == "target":
        words[0] = "→"
    wanted = " ".join(words)
    forms: dict[str, int] = {}
    for action in legal(packed, state):
        shown = text_of(packed, state, action)
        verb, _ = split(action)
        forms.setdefault(shown, action)
        if verb == codes.PLAY:
            forms.setdefault(f"play {shown.split()[1]}", action)
    if wanted in forms:
        return forms[wanted]
    raise IllegalActionError(_why_text(packed, state, wanted, list(forms)))


def _why_text(packed: Packed, state: Any, wanted: str, forms: list[str]) -> str:
    """Why a text is no legal action: an illegal one has a reason, anything else is not understood."""
    verb, _, name = wanted.partition(" ")
    side = int(state["actor"])
    verbs = dict.fromkeys(names.CATEGORIES, codes.PLAY) | {"play": codes.PLAY}
    verbs |= {"activate": codes.ACTIVATE, "restrain": codes.RESTRAIN, "react": codes.ANSWER}
    if verb in verbs and name:
        hand = state["sides"][side]["hand"][: state["sides"][side]["hand_size"]]
        held = {card_id(packed, state, side, int(instance)): int(instance) for instance in hand}
        if name in held and verb in names.CATEGORIES:
            category = packed.cards[int(card_of(packed.tables, state, side, held[name]))].category
            if category != verb:
                return f"'{wanted}' is not allowed: {name} is no {verb} but {category}"
        if name in held:
            return f"'{wanted}' is not allowed: {why_not(packed, state, int(verbs[verb]) * SPAN + held[name])}"
        return str(UnknownNameError("card in hand", name, sorted(held)))
    if wanted in ALONE:
        return f"'{wanted}' is not allowed: {why_not(packed, state, names.VERBS.index(wanted) * SPAN)}"
    shown = [form for form in forms if not form.startswith("play ")]
    return str(UnknownNameError("action", wanted, shown))


def why_not(packed: Packed, state: Any, action: int) -> str:
    """Why an action is not legal now; an empty text when it is."""
    if action in legal(packed, state):
        return ""
    awaiting, side = int(state["awaiting"]), int(state["actor"])
    verb, argument = split(action)
    if awaiting == codes.OVER:
        return "the run is over"
    if verb not in ANSWERS[awaiting]:
        who = names.SIDES[side]
        return f"the {who} is asked to {QUESTIONS[awaiting]}"
    if verb in WITH_CARD:
        return _why_not_card(packed, state, side, verb, argument)
    if argument and verb not in WITH_TARGET:
        return f"'{names.VERBS[verb]}' stands alone: it takes no {argument}"
    if verb == codes.RETREAT:
        return _why_not_retreat(packed, state, side)
    if verb == codes.MULLIGAN:
        return "no mulligan is left"
    if verb == codes.HIT_SEAT:
        return "that member does not stand" if argument < len(packed.members) else "there is no such seat"
    return "there is no such choice"


def _why_not_retreat(packed: Packed, state: Any, side: int) -> str:
    rules = packed.tables["rules"]
    if side != codes.VISITOR:
        return "a dungeon cannot leave itself"
    if not packed.tables["retreat"]:
        return "this scenario allows no retreat"
    if state["round_no"] < rules["retreat_from"]:
        return f"retreat is possible from round {rules['retreat_from']} on"
    if state["sides"][side]["held"]:
        return "the visitor is Entangled"
    return "a modifier forbids retreat" if not may_retreat(packed.tables, state, side) else ""


def _why_not_card(packed: Packed, state: Any, side: int, verb: int, instance: int) -> str:
    """Why a card cannot be used as wanted."""
    mine, theirs, tables = state["sides"][side], state["sides"][1 - side], packed.tables
    if instance not in mine["hand"][: mine["hand_size"]]:
        return "that card is not in hand"
    number = int(card_of(tables, state, side, instance))
    card, record = packed.cards[number], tables["cards"][number]
    if verb == codes.ACTIVATE:
        return "Energy cards are played, not activated"
    if verb == codes.RESTRAIN:
        if card.category != "strike":
            return "Restraint discards a Strike"
        return "Restraint needs some trust, no Offer or Test in hand, and no Strike or Restraint this turn"
    if int(mine["locked"]) >> instance & 1:
        return f"{card.title} is locked this round"
    if verb == codes.PLAY and card.category == "react":
        return "a React answers a Strike that hits; it is not played in one's own turn"
    if verb == codes.ANSWER and card.category != "react":
        return f"{card.title} is no React"
    cost = int(cost_of(state, side, record))
    have = int(mine["energy"]) + int(mine["temporary"]) + int(mine["typed_energy"][record["card_type"]])
    if cost > have:
        return f"{card.title} costs {cost} energy, {have} left"
    if card.category == "strike" and not can_bear_self_cost(tables, state, side, instance, record):
        return f"{card.title} would cost the last of what it is paid with"
    if card.category == "trap":
        return f"{int(mine['trap_count'])} Traps are laid already"
    if card.category == "counter" and not theirs["empowered"]:
        return "there is nothing to counter"
    if card.category == "reshape":
        return "nobody can be restored"
    if card.category == "offer" and record["covenant"]:
        return f"a Covenant needs trust {tables['rules']['trust_tiers'][2]}, trust is {int(state['trust']) // 2}"
    return "the acceptor cannot take on more lasting debts"
