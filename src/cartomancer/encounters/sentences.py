"""The words for events: what everything is called, and the clauses that depend on their numbers.

A clause has neither capital nor full stop: `narration` puts clauses together. Most are templates in the table of
`events`, whose fields are found by `Words`; the others are functions here.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.cards import Trap
from cartomancer.content.rules_text import counted, listed
from cartomancer.encounters import names
from cartomancer.encounters.event import Event
from cartomancer.encounters.kernel.codes import Outcome
from cartomancer.encounters.packing import Packed

ENDINGS: Final = {
    Outcome.KILL: "{visitor} is slain",
    Outcome.BREAK: "{visitor} is broken",
    Outcome.PANIC: "{visitor} panics",
    Outcome.BOND: "both are bound",
    Outcome.OVERCOME: "{dungeon} is overcome",
    Outcome.INERT: "{dungeon} falls inert",
    Outcome.DOMINATE: "{dungeon} is dominated",
    Outcome.SURVIVE: "{visitor} comes through",
}


class Kind(Enum):
    """How a clause joins its neighbours."""

    ROOM = "room"  # headings: lines of their own that nothing is added to
    ROUND = "round"
    TURN = "turn"
    DEED = "deed"  # begins a line; effects follow as sentences
    CAUSE = "cause"  # begins a line and waits for effects, which follow a colon; silent without any
    EFFECT = "effect"  # added to the line before
    PREFIX = "prefix"  # goes before the next effect; silent without one
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
        dungeon = _named(self.dungeon) if guardian else _the(self.dungeon)
        self.sides = (dungeon, _the(self.visitor) if scenario.creature else "the party")

    def _title(self, kind: str, name: str) -> str:
        entry = self.codex.of_kind(kind).get(name)
        return str(entry.title) if entry else name.replace("_", " ").title()

    def who(self, side: str) -> str:
        """A side as sentences speak of it."""
        return self.sides[names.side_code(side)]

    def card(self, name: str) -> str:
        """A card's title."""
        return self.cards[name].title

    def room(self, name: str) -> str:
        """A room's title."""
        return self._title("rooms", name)

    def member(self, seat: int) -> str:
        """A member's title; with its seat where a class sits twice."""
        name = self.packed.members[seat]
        kind = "creatures" if self.packed.scenario.creature else "classes"
        title = self._title(kind, name)
        return title if self.packed.members.count(name) == 1 else f"{title} in seat {seat + 1}"

    def reducer(self, name: str, seat: int | None = None) -> str:
        """A reducer's name; a party's vitality with the member it belongs to."""
        if name == "vitality" and seat is not None and len(self.packed.members) > 1:
            return f"the {self.member(seat)}'s {name}"
        return name

    def tier(self, name: str, hit: str) -> str:
        """A tier of a contested roll: 'a strong hit', 'a reversal'."""
        tier = next(tier for tier in self.codex.resolution.tiers if tier.id == name)
        article = "an" if tier.id[0] in "aeiou" else "a"
        return f"{article} {tier.id} {hit}" if tier.attacker_percent else f"{article} {tier.id}"


def _the(title: str) -> str:
    return f"the {title.removeprefix('The ')}"


def _named(title: str) -> str:
    """A proper name inside a sentence: RNG, Grandmother Moss, the House."""
    return _the(title) if title.startswith("The ") else title


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
        titles, event = self.titles, self.event
        match word:
            case "who":
                return titles.who(event.side)
            case "foe":
                return next(who for side, who in zip(names.SIDES, titles.sides, strict=True) if side != event.side)
            case "dungeon" | "visitor":
                return titles.who(word)
            case "card":
                return titles.card(event.card)
            case "room":
                return titles.room(event.room)
            case "member":
                return titles.member(event.seat)
            case "type":
                return event.type.capitalize()
        value = getattr(event, word)
        return _Number(value) if isinstance(value, int) else value


# --- clauses that depend on their numbers -----------------------------------------------------------------------------


def played(titles: Titles, event: Event) -> str:
    verb = "strikes with" if titles.cards[event.card].category == "strike" else "plays"
    return f"{titles.who(event.side)} {verb} {titles.card(event.card)}"


def dealt(titles: Titles, event: Event) -> str:
    after = f" after {counted(event.mulligans, 'mulligan')}" if event.mulligans else ""
    return f"{titles.who(event.side)} is dealt {counted(event.cards, 'card')}{after}"


def pressed(titles: Titles, event: Event) -> str:
    return "the room presses" if event.points < 0 else "the room soothes"


def energy(titles: Titles, event: Event) -> str:
    """Energy is told where cards give or take it; paying, refreshing and forgetting it go without saying."""
    if event.cause == "energy":
        extra = f", and {event.temporary} more this turn" if event.temporary else ""
        return f"its energy pool is {event.pool}{extra}"
    if event.cause == "trap":
        trap = titles.cards[event.source]
        return f"{titles.who(event.side)} loses {trap.energy_loss if isinstance(trap, Trap) else 0} energy"
    return ""


def rolled(titles: Titles, event: Event) -> str:
    return f"{event.attack} against {event.defence}, {titles.tier(event.tier, 'hit')}"


def knocked_out(titles: Titles, event: Event) -> str:
    if len(titles.packed.members) == 1:
        return f"{titles.who(event.side)} goes down"
    left = f", and {counted(event.cards, 'card')} with it" if event.cards else ""
    return f"the {titles.member(event.seat)} is knocked out{left}"


def reacted(titles: Titles, event: Event) -> str:
    prevents = (
        f"{titles.tier(event.tier, 'defence')} prevents {event.points}" if event.points else "it prevents nothing"
    )
    return f"{titles.who(event.side)} answers with {titles.card(event.card)}: {prevents}"


def empowered(titles: Titles, event: Event) -> str:
    gains = [f"+{event.power} power"] if event.power else []
    gains += (["advantage"] if event.advantage else []) + [word.capitalize() for word in event.keywords]
    return f"{titles.who(event.side)}'s next Strike has {listed(gains)}"


def disrupted(titles: Titles, event: Event) -> str:
    suffers = ["rolls with disadvantage"] if "disadvantage" in event.handicaps else []
    suffers += [f"meets thorns of {event.thorns}"] if event.thorns else []
    suffers += ["loses its keywords"] if "strip" in event.handicaps else []
    suffers += ["hits a random resource"] if "randomise" in event.handicaps else []
    return f"{titles.who(event.side)}'s next Strike {listed(suffers)}"


def removed(titles: Titles, event: Event) -> str:
    me, them = (Words(titles, event)[word] for word in ("who", "foe"))
    if event.category == "disrupt":
        return f"the Disrupt on {me} is gone"
    return f"{me} steals {them}'s Empower" if event.stolen else f"{them}'s Empower is gone"


def guarded(titles: Titles, event: Event) -> str:
    guard = event.guard if event.guard in {"guard", "armour"} else event.guard.capitalize()
    return f"{titles.who(event.side)}'s {guard} stops {event.points}"


def offered(titles: Titles, event: Event) -> str:
    deed = "proposes the Covenant" if getattr(titles.cards[event.card], "covenant", False) else "makes an Offer:"
    return f"{titles.who(event.side)} {deed} {titles.card(event.card)}"


def accepted(titles: Titles, event: Event) -> str:
    bound = ", bound by its trust" if event.bound else ""
    return f"{titles.who(event.side)} accepts {titles.card(event.card)}{bound}"


def refused(titles: Titles, event: Event) -> str:
    return _unheard(titles, event) or f"{titles.who(event.side)} refuses {titles.card(event.card)}"


def refused_veiled(titles: Titles, event: Event) -> str:
    return _unheard(titles, event) or f"{titles.who(event.side)} refuses the veiled Offer"


def _unheard(titles: Titles, event: Event) -> str:
    return f"{titles.who(event.side)} was betrayed and hears no Offer" if event.unheard else ""


def trust(titles: Titles, event: Event) -> str:
    way = "rises" if event.change > 0 else "falls"
    return f"trust {way} by {halves(event.change)} to {halves(event.trust)}"


def extracted(titles: Titles, event: Event) -> str:
    who = titles.who(event.side)
    match event.gain:
        case "energy":
            return f"{who} gains {event.points} energy for the next room"
        case "insight":
            return f"{who} gains {event.points} Insight"
    return f"{who}'s {event.gain} grows by {event.points} for good"


def burdened(titles: Titles, event: Event) -> str:
    who = titles.who(event.side) if len(titles.packed.members) == 1 else f"the {titles.member(event.seat)}"
    return f"{who} starts with {event.modifier.replace('_', ' ')} {event.value}"


def room_ended(titles: Titles, event: Event) -> str:
    ending = ENDINGS[Outcome[event.outcome.upper()]].format(dungeon=titles.sides[0], visitor=titles.sides[1])
    return f"{titles.room(event.room)} ends in {event.outcome.capitalize()}: {ending}"


def run_ended(titles: Titles, event: Event) -> str:
    winner = Outcome[event.outcome.upper()].winner
    return f"the run ends: {'both sides win' if winner == 'both' else f'{titles.who(winner)} wins'}"
