"""Actions as people write them: one integer, one readable form, and the reason when it is not allowed.

An action is verb · 64 + argument. Cards are written with their category and id (`strike crushing_grip`), targets with
an arrow (`→ rogue`). Two copies of a card in hand are the same action to a reader; the first one is meant.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from cartomancer.content.models.cards import AnyCard
from cartomancer.encounters import names
from cartomancer.encounters.kernel.codes import VERB_SPAN, Awaiting, Refusal, Verb
from cartomancer.encounters.kernel.energy import cost_of
from cartomancer.encounters.kernel.layout import MOST_OPTIONS, card_of, number_of
from cartomancer.encounters.kernel.legal import legal_actions, refusal
from cartomancer.encounters.packing import Packed
from cartomancer.errors import IllegalActionError, UnknownNameError
from cartomancer.jit import wrapping

SPAN: Final = int(VERB_SPAN)
WITH_CARD: Final = {verb for verb in Verb if verb.argument == "card"}
ALONE: Final = {verb.word: verb for verb in Verb if not verb.argument}
# how the words of an action that uses a card may begin
CARD_WORDS: Final = {verb.word: verb for verb in WITH_CARD} | dict.fromkeys(names.CATEGORIES, Verb.PLAY)
CARD_WORDS["react"] = Verb.ANSWER


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


def card_at(packed: Packed, state: Any, side: int, instance: int) -> AnyCard:
    """The card that an instance is."""
    return packed.cards[int(number_of(packed.tables, state, side, instance))]


def verb_of(action: int) -> str:
    """The word of an action's verb."""
    return Verb(split(action)[0]).word


def hand_of(state: Any) -> list[int]:
    """The instances that the pending side holds."""
    mine = state["sides"][int(state["actor"])]
    return [int(instance) for instance in mine["hand"][: mine["hand_size"]]]


def text_of(packed: Packed, state: Any, action: int) -> str:
    """The readable form of an action of the pending side."""
    number, argument = split(action)
    verb, side = Verb(number), int(state["actor"])
    match verb.argument:
        case "card":
            card = card_at(packed, state, side, argument)
            return f"{card.category if verb == Verb.PLAY else verb.word} {card.id}"
        case "member":
            return f"{verb.word} {seat_names(packed)[argument]}"
        case "reducer":
            return f"{verb.word} {names.RESOURCES[1 - side][argument]}"
    return verb.word


def parse(packed: Packed, state: Any, text: str) -> int:
    """The action that a text means, or an IllegalActionError with what would be allowed."""
    words = text.replace("->", "→ ").replace("→", "→ ").split()
    if words and words[0] == "target":
        words[0] = "→"
    wanted = " ".join(words)
    forms: dict[str, int] = {}
    for action in legal(packed, state):
        shown = text_of(packed, state, action)
        forms.setdefault(shown, action)
        if split(action)[0] == Verb.PLAY:
            forms.setdefault(f"play {shown.split()[1]}", action)
    if wanted not in forms:
        _refuse(packed, state, wanted, [form for form in forms if not form.startswith("play ")])
    return forms[wanted]


def _refuse(packed: Packed, state: Any, wanted: str, forms: list[str]) -> None:
    """Say why a text is no legal action: an illegal one has a reason, anything else is not understood."""
    word, _, name = wanted.partition(" ")
    if word in CARD_WORDS and name:
        side = int(state["actor"])
        held = {card_at(packed, state, side, instance).id: instance for instance in hand_of(state)}
        if name not in held:
            raise IllegalActionError(str(UnknownNameError("card in hand", name, sorted(held))))
        category = card_at(packed, state, side, held[name]).category
        if word in names.CATEGORIES and category != word:
            raise IllegalActionError(f"'{wanted}' is not allowed: {name} is no {word} but {category}")
        check(packed, state, CARD_WORDS[word] * SPAN + held[name], f"'{wanted}'")
    if wanted in ALONE:
        check(packed, state, ALONE[wanted] * SPAN, f"'{wanted}'")
    raise IllegalActionError(str(UnknownNameError("action", wanted, forms)))


def check(packed: Packed, state: Any, action: int, shown: str) -> None:
    """Refuse an action that is not legal now, with the rules' reason."""
    with wrapping():
        reason = Refusal(int(refusal(packed.tables, state, action)))
    if reason:
        why = reason.meaning.format_map(_facts(packed, state, action))
        raise IllegalActionError(f"{shown} is not allowed: {why}", reason.word)


def _facts(packed: Packed, state: Any, action: int) -> dict[str, Any]:
    """What a refusal's sentence may name."""
    actor, rules, (verb, argument) = int(state["actor"]), packed.tables["rules"], split(action)
    mine = state["sides"][actor]
    found = {
        "side": names.SIDES[actor],
        "question": Awaiting(int(state["awaiting"])).meaning,
        "verb": Verb(verb).word if 0 <= verb < len(Verb) else "",
        "argument": argument,
        "traps": int(mine["trap_count"]),
        "trust": int(state["trust"]) // 2,
        "covenant_trust": rules["trust_tiers"][2],
        "retreat_from": rules["retreat_from"],
    }
    if argument in hand_of(state):
        card = card_of(packed.tables, state, actor, argument)
        found |= {
            "card": card_at(packed, state, actor, argument).title,
            "cost": int(cost_of(state, actor, card)),
            "energy": int(mine["energy"]) + int(mine["temporary"]) + int(mine["typed_energy"][card["card_type"]]),
        }
    return found
