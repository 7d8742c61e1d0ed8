"""The words for events: what everything is called, and what is said depending on the numbers.

Events are told by templates in the table of `events`: clauses with neither capital nor full stop, which `narration`
puts together. Their words are found by `Words`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Final

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.cards import Energy
from cartomancer.content.rules_text import counted, listed
from cartomancer.encounters import names
from cartomancer.encounters.event import HIDDEN, Event
from cartomancer.encounters.kernel.codes import Outcome
from cartomancer.encounters.packing import Packed

ENDINGS: Final = {
    "kill": "{visitor} is slain",
    "break": "{visitor} is broken",
    "panic": "{visitor} panics",
    "bond": "both are bound",
    "overcome": "{dungeon} is overcome",
    "inert": "{dungeon} falls inert",
    "dominate": "{dungeon} is dominated",
    "survive": "{visitor} comes through",
}


class Kind(Enum):
    """How a clause joins its neighbours."""

    ROOM = "room"  # headings: lines of their own that nothing is added to
    ROUND = "round"
    TURN = "turn"
    DEED = "deed"  # begins a line; effects follow as sentences
    CAUSE = "cause"  # begins a line that says nothing but its effects
    EFFECT = "effect"  # added to the line before
    SILENT = "silent"  # for programs


class Titles:
    """What sides, members, rooms, cards and tiers are called."""

    def __init__(self, packed: Packed, codex: Codex | None = None) -> None:
        self.packed, self.codex = packed, codex or load_codex()
        self.cards = {card.id: card for card in packed.cards}
        scenario = packed.scenario
        guardian = self.codex.catalog.guardians.get(scenario.dungeon)
        self.dungeon = guardian.title if guardian else self._title("dungeons", scenario.dungeon)
        if scenario.creature:
            self.visitor = self._title("creatures", scenario.creature)
        else:
            self.visitor = self._title("parties", scenario.party) if scenario.party else "The Party"
        proper = guardian and not self.dungeon.startswith("The ")  # RNG, Grandmother Moss; but the House
        dungeon = self.dungeon if proper else _the(self.dungeon)
        if scenario.enemies:
            self.dungeon, dungeon = scenario.title, "the pack"
        self.sides = (dungeon, _the(self.visitor) if scenario.creature else "the party")

    def _title(self, kind: str, name: str) -> str:
        entry = self.codex.of_kind(kind).get(name)
        return str(entry.title) if entry else name.replace("_", " ").title()

    def who(self, side: str) -> str:
        """A side as sentences speak of it."""
        return self.sides[names.side_code(side)]

    def foe(self, side: str) -> str:
        """The side across from it."""
        return self.sides[1 - names.side_code(side)]

    def card(self, name: str) -> str:
        """A card's title."""
        return self.cards[name].title

    def room(self, name: str) -> str:
        """The title of a room, or of the ground a pack is met on."""
        return self._title(self.codex.place_kind(name), name)

    def member(self, seat: int) -> str:
        """A member's title; with its seat where a class sits twice."""
        name = self.packed.members[seat]
        kind = "creatures" if self.packed.scenario.creature else "classes"
        title = self._title(kind, name)
        return title if self.packed.members.count(name) == 1 else f"{title} in seat {seat + 1}"

    def owner(self, event: Event) -> str:
        """Whose reducer an event is about: the side's; of a party's vitality, the member's."""
        seat = event.fields.get("seat")
        if seat is not None and len(self.packed.members) > 1:
            return f"the {self.member(seat)}"
        return self.who(event.side)

    def source(self, event: Event) -> str:
        """What a cause acts by: the title of a card or a modifier; a card that may not be seen has none."""
        name = event.fields.get("source", HIDDEN)
        if name in self.cards:
            return self.card(name)
        return "a hidden card" if name == HIDDEN else self.modifier(name)

    def modifier(self, name: str) -> str:
        """A modifier's title."""
        kinds = (self.codex.modifiers, self.codex.equipment, self.codex.room_items)
        return next((str(kind[name].title) for kind in kinds if name in kind), name.replace("_", " ").title())

    def tier(self, name: str, hit: str) -> str:
        """A tier of a contested roll: 'a strong hit', 'a reversal'."""
        article = "an" if name[0] in "aeiou" else "a"
        return f"{article} {name} {hit}" if self.is_hit(name) else f"{article} {name}"

    def is_hit(self, name: str) -> bool:
        """Whether a Strike of this tier hits."""
        return any(tier.attacker_percent > 0 for tier in self.codex.resolution.tiers if tier.id == name)


def _the(title: str) -> str:
    return f"the {title.removeprefix('The ')}"


def halves(points: float) -> str:
    """Whole and half points as people read them, without a sign.

    >>> halves(3.5), halves(-0.5), halves(2.0)
    ('3½', '½', '2')
    """
    whole, rest = divmod(abs(round(2 * points)), 2)
    return f"{whole}½" if rest and whole else "½" if rest else str(whole)


class _Number(int):
    """A number that a template may count things with: {cards:card} is '1 card' or '2 cards'."""

    def __format__(self, noun: str) -> str:
        return counted(int(self), noun) if noun else str(int(self))


class Words:
    """The words of a template, found when they are asked for: sides by who they are, fields by what they mean."""

    def __init__(self, titles: Titles, event: Event) -> None:
        self.titles, self.event = titles, event

    def __getitem__(self, word: str) -> Any:
        if word in WORDS:
            return WORDS[word](self.titles, self.event)
        value = getattr(self.event, word)
        return _Number(value) if isinstance(value, int) else value


def _falls(titles: Titles, event: Event) -> str:
    if len(titles.packed.members) == 1:
        return "goes down"
    if not event.cards:
        return "is knocked out"
    leave = "leaves" if event.cards == 1 else "leave"
    return f"is knocked out, and {event.cards} of its cards {leave} the piles"


def _energy_given(titles: Titles, event: Event) -> str:
    """Energy is told where cards and modifiers give or take it; paying, refreshing and forgetting it go without
    saying. A Siphon grows the pool unless what it gave is temporary [GDD 4.2]."""
    who, card = titles.who(event.side), titles.cards.get(event.fields.get("source", HIDDEN))
    if event.cause == "energy" and isinstance(card, Energy):
        if card.kind == "surge":
            kind = f" for {card.for_type.capitalize()} cards" if card.for_type else ""
            return f"{who} has {card.amount} more energy{kind} this turn"
        if card.kind == "siphon" and event.temporary:
            return f"{who}'s energy pool is {event.pool}, with {event.temporary} more this turn"
        then = f", and its next {card.for_type.capitalize()} card costs 1 less" if card.for_type else ""
        return f"{who}'s energy pool {'grows to' if event.points else 'stays at'} {event.pool}{then}"
    if event.cause in {"trap", "strike", "modifier"} and event.points:
        return f"{who} {'gains' if event.points > 0 else 'loses'} {abs(event.points)} energy"
    return ""


def _resized(titles: Titles, event: Event) -> str:
    """A reducer that modifiers make larger or smaller; bargains that do it tell of it themselves."""
    if event.cause != "modifier" or not event.points:
        return ""
    moves = "rise" if event.points > 0 else "fall"
    return f"{_whose(titles, event)} and its start {moves} by {abs(event.points)}: {titles.source(event)}"


def _whose(titles: Titles, event: Event) -> str:
    """A reducer with its owner."""
    return f"{titles.owner(event)}'s {event.reducer}"


def _gains(titles: Titles, event: Event) -> str:
    gains = [f"+{event.power} power"] if event.power else []
    gains += (["advantage"] if event.advantage else []) + [word.capitalize() for word in event.keywords]
    return listed(gains)


def _suffers(titles: Titles, event: Event) -> str:
    suffers = ["rolls with disadvantage"] if "disadvantage" in event.handicaps else []
    suffers += [f"meets thorns of {event.thorns}"] if event.thorns else []
    suffers += ["loses its keywords"] if "strip" in event.handicaps else []
    suffers += ["hits a random resource"] if "randomise" in event.handicaps else []
    return listed(suffers)


def _removal(titles: Titles, event: Event) -> str:
    me, them = titles.who(event.side), titles.foe(event.side)
    if event.category == "disrupt":
        return f"the Disrupt on {me} is gone"
    return f"{me} steals {them}'s Empower" if event.stolen else f"{them}'s Empower is gone"


def _proposes(titles: Titles, event: Event) -> str:
    if event.card == HIDDEN:
        return "makes an Offer and veils its price"
    deed = "proposes the Covenant" if getattr(titles.cards[event.card], "covenant", False) else "makes an Offer:"
    return f"{deed} {titles.card(event.card)}"


def _refuses(titles: Titles, event: Event) -> str:
    if event.unheard:
        return "was betrayed and hears no Offer"
    return "refuses the veiled Offer" if event.card == HIDDEN else f"refuses {titles.card(event.card)}"


def _extraction(titles: Titles, event: Event) -> str:
    who = titles.who(event.side)
    match event.gain:
        case "energy":
            return f"as its price {who} gains {event.points} energy for the next room"
        case "insight":
            return f"as its price {who} gains {event.points} Insight"
    return f"as its price {who}'s {event.gain} grows by {event.points} for good"


def _winner(titles: Titles, event: Event) -> str:
    return winner_words(Outcome[event.outcome.upper()].winner, titles)


def winner_words(winner: str, titles: Titles) -> str:
    """Who has won, in a clause."""
    if winner == "both":
        return "both sides win"
    return f"{titles.who(winner)} wins" if winner in names.SIDES else "nobody wins"


# what templates name besides the numbers of an event
WORDS: Final[dict[str, Callable[[Titles, Event], str]]] = {
    "who": lambda titles, event: titles.who(event.side),
    "foe": lambda titles, event: titles.foe(event.side),
    "dungeon": lambda titles, event: titles.sides[0],
    "visitor": lambda titles, event: titles.sides[1],
    "card": lambda titles, event: "a card" if event.card == HIDDEN else titles.card(event.card),
    "room": lambda titles, event: titles.room(event.room),
    "member": lambda titles, event: titles.member(event.seat),
    "bearer": lambda titles, event: (
        titles.who(event.side) if len(titles.packed.members) == 1 else f"the {titles.member(event.seat)}"
    ),
    "type": lambda titles, event: event.type.capitalize(),
    "guard": lambda titles, event: event.guard if event.guard in {"guard", "armour"} else event.guard.capitalize(),
    "modifier": lambda titles, event: event.modifier.replace("_", " "),  # an effect's name
    "after": lambda titles, event: f" after {counted(event.mulligans, 'mulligan')}" if event.mulligans else "",
    "presses": lambda titles, event: "presses" if event.points < 0 else "soothes",
    "whose": _whose,
    "source": Titles.source,
    "resized": _resized,
    "plays": lambda titles, event: "strikes with" if titles.cards[event.card].category == "strike" else "plays",
    "hit": lambda titles, event: titles.tier(event.tier, "hit"),
    "prevented": lambda titles, event: (
        f"{titles.tier(event.tier, 'defence')} prevents {event.points}" if event.points else "it prevents nothing"
    ),
    "energy_given": _energy_given,
    "gains": _gains,
    "suffers": _suffers,
    "removal": _removal,
    "falls": _falls,
    "proposes": _proposes,
    "bound": lambda titles, event: ", bound by its trust" if event.bound else "",
    "refuses": _refuses,
    "moves": lambda titles, event: "rises" if event.change > 0 else "falls",
    "change": lambda titles, event: halves(event.change),
    "trust": lambda titles, event: halves(event.trust),
    "extraction": _extraction,
    "outcome": lambda titles, event: event.outcome.capitalize(),
    "ending": lambda titles, event: ENDINGS[event.outcome].format(dungeon=titles.sides[0], visitor=titles.sides[1]),
    "winner": _winner,
}
