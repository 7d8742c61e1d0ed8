"""What a person may type to choose: keys that mean the same for a whole turn.

A key belongs to a choice, or to a card of the hand whatever becomes of it, from the first time it is offered until the
turn ends. A card that leaves takes its key along; a new card gets a new one. Giving a card up, for energy or for trust,
is a choice of its own that names a card by its key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from cartomancer.encounters import Encounter, Titles
from cartomancer.encounters.actions import card_at, hand_of, split, verb_of
from cartomancer.encounters.names import SIDES

GIVEN_UP: Final = {  # verbs that discard a card, and what for
    "activate": "discard a card for 1 energy",
    "restrain": "discard a Strike for trust",
}
_Name = tuple[str, int]  # a card's id or an action as it is written, and the seat of the card's owner
Choices = Mapping[int, tuple[int, str]]  # actions and how they are written, by key


@dataclass(frozen=True)
class Menu:
    """What can be chosen now: by key, and the cards that can be given up, by verb and the card's key."""

    actions: Choices
    given_up: Mapping[str, Choices]
    cards: Mapping[_Name, int]  # keys of the cards in hand
    names: Mapping[int, str]  # what every key of this turn means: a card's id, or a choice as it is written

    def choices(self) -> Iterator[tuple[str, int, str]]:
        """Every choice: what is typed to take it (3, activate 4), the action, how it is written."""
        for verb, group in {"": self.actions, **self.given_up}.items():
            yield from ((f"{verb} {key}".strip(), action, text) for key, (action, text) in group.items())


class Keys:
    """The keys of one side's choices; they hold for a turn and for each kind of question in it."""

    def __init__(self, side: str) -> None:
        self.side = side
        self._turn: tuple[int, ...] = ()
        self._given: dict[str, list[_Name]] = {}

    def menu(self, encounter: Encounter) -> Menu:
        """The choices of the side, which is asked, by their keys; what has none yet gets the next."""
        decision = encounter.decision
        assert decision is not None
        turn = tuple(int(encounter.state[name]) for name in ("rooms_entered", "round_no", "turn"))
        if turn != self._turn:
            self._turn, self._given = turn, {}
        names = self._given.setdefault(decision.kind, [])
        legal = {action: _name(encounter, action) for action in encounter.legal()}
        held = [_card(encounter, instance) for instance in hand_of(encounter.state)] if decision.kind == "turn" else []
        for name in (*(name for action, name in legal.items() if name not in held), *held):
            if name not in names:
                names.append(name)
        groups: dict[str, dict[int, tuple[int, str]]] = {"": {}}
        copies, titles = [card for card, _ in names], Titles(encounter.packed)
        for action, name in legal.items():
            group = groups.setdefault(verb if (verb := verb_of(action)) in GIVEN_UP else "", {})
            owner = f" (the {titles.member(name[1])}'s)" if copies.count(name[0]) > 1 else ""
            group.setdefault(names.index(name) + 1, (action, encounter.text_of(action) + owner))
        actions = dict(sorted(groups.pop("").items()))
        given_up = {verb: dict(sorted(group.items())) for verb, group in groups.items()}
        keys = {name: names.index(name) + 1 for name in held}
        return Menu(actions, given_up, keys, {key: name for key, (name, _) in enumerate(names, 1)})


def _card(encounter: Encounter, instance: int) -> _Name:
    """A card of the side that is asked: its id, and the seat of a party's member whose it is."""
    side = int(encounter.state["actor"])
    seat = int(encounter.packed.tables["visitor"]["owner"][instance]) if SIDES[side] == "visitor" else 0
    return card_at(encounter.packed, encounter.state, side, instance).id, seat


def _name(encounter: Encounter, action: int) -> _Name:
    """What a key belongs to: the card that is played or given up, else the choice itself."""
    _, argument = split(action)
    uses_card = verb_of(action) in {"play", "react", *GIVEN_UP}
    return _card(encounter, argument) if uses_card else (encounter.text_of(action), 0)
