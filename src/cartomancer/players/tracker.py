"""The deck tracker: what a side can tell of both decks from what it has seen [GDD 7.2].

How many cards of each category a deck has is public (E49), and so is every card that was played openly. What is left is
hidden, and any of it may be in any hidden place: odds are exact for that. A Monte Carlo player deals by the same odds
before every rollout. Lists are sorted by name: the order in which cards lie in a pile must not show through them.

>>> from cartomancer.encounters import Encounter
>>> tracker = track(Encounter("boar", seed=42), "visitor")
>>> tracker.hidden_hand, round(tracker.chance_held("strike"), 3)
(7, 0.892)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

from cartomancer.content.models.cards import AnyCard
from cartomancer.encounters import names
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.layout import number_of


@dataclass(frozen=True)
class DeckTracker:
    """What a side knows of its own draw pile and of the opponent's deck."""

    draw: Mapping[str, int]  # one's own draw pile by category: its cards are known, their order is not
    seen: Mapping[str, int]  # the opponent's cards that were seen since they were last shuffled away, by title
    unseen: Mapping[str, int]  # its cards that may be anywhere hidden, by category
    shown: Mapping[str, int]  # cards in its hand that were seen, by category
    hidden_hand: int
    hidden_traps: int

    def chance_drawn(self, category: str, cards: int = 1) -> float:
        """The chance that one's own next cards have one of a category, as far as the pile lasts."""
        return _at_least_one(self.draw.get(category, 0), sum(self.draw.values()), cards)

    def chance_held(self, category: str) -> float:
        """The chance that the opponent holds a card of a category in its hand."""
        return 1.0 if self.shown.get(category) else self.chance_unseen(category)

    def chance_unseen(self, category: str) -> float:
        """The chance that the cards of its hand that were not seen have one of a category."""
        laid = self.hidden_traps  # some of the hidden Traps lie face-down
        fitting = self.unseen.get(category, 0) - (laid if category == "trap" else 0)
        return _at_least_one(fitting, sum(self.unseen.values()) - laid, self.hidden_hand)

    @property
    def depleted(self) -> list[str]:
        """Categories of the opponent's deck of which nothing is left to fear until it shuffles."""
        return [name for name, left in self.unseen.items() if not left and not self.shown.get(name)]

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "own_draw": {name: self.chance_drawn(name) for name in self.draw},
            "opponent_seen": dict(self.seen),
            "opponent_unseen": dict(self.unseen),
            "opponent_hidden_hand": self.hidden_hand,
            "opponent_holds": {name: self.chance_held(name) for name in self.unseen},
            "opponent_depleted": self.depleted,
        }


def track(encounter: Encounter, side: str) -> DeckTracker:
    """What a side can tell now."""
    viewer = names.side_code(side)
    mine, theirs = encounter.state["sides"][viewer], encounter.state["sides"][1 - viewer]
    known, gone = int(theirs["known"]), int(theirs["gone"])
    hand, laid = _pile(theirs, "hand"), [int(k) for k in theirs["traps"][: int(theirs["trap_count"])]]
    deck = {k for k in _deck(encounter, 1 - viewer) if gone >> k & 1}
    deck |= {*hand, *laid, *_pile(theirs, "draw"), *_pile(theirs, "discard")}
    hidden = [k for k in deck if not known >> k & 1]
    used = [k for k in deck if known >> k & 1 and k not in hand]
    every = {card.category for card in _cards(encounter, 1 - viewer, _deck(encounter, 1 - viewer))}
    unseen = _categories(_cards(encounter, 1 - viewer, hidden))
    return DeckTracker(
        draw=_categories(_cards(encounter, viewer, _pile(mine, "draw"))),
        seen=_counts(card.title for card in _cards(encounter, 1 - viewer, used)),
        unseen={name: unseen.get(name, 0) for name in sorted(every)},
        shown=_categories(_cards(encounter, 1 - viewer, [k for k in hand if known >> k & 1])),
        hidden_hand=sum(not known >> k & 1 for k in hand),
        hidden_traps=sum(not known >> k & 1 for k in laid),
    )


def _pile(record: Any, name: str) -> list[int]:
    return [int(k) for k in record[name][: int(record[f"{name}_size"])]]


def _deck(encounter: Encounter, side: int) -> range:
    """The instances of a side's deck list."""
    decks = encounter.packed.decks
    return range(len(decks[1] if side == codes.VISITOR else decks[0][int(encounter.state["room"])]))


def _cards(encounter: Encounter, side: int, instances: Iterable[int]) -> list[AnyCard]:
    packed, state = encounter.packed, encounter.state
    return [packed.cards[int(number_of(packed.tables, state, side, k))] for k in instances]


def _categories(cards: Iterable[AnyCard]) -> dict[str, int]:
    return _counts(card.category for card in cards)


def _counts(found: Iterable[str]) -> dict[str, int]:
    """How many of each, by name."""
    return dict(sorted(Counter(found).items()))


def _at_least_one(fitting: int, total: int, drawn: int) -> float:
    """The chance that some cards drawn from a set include a fitting one."""
    drawn = min(drawn, total)
    return 1 - comb(total - fitting, drawn) / comb(total, drawn) if fitting > 0 else 0.0
