"""The words for events: what everything is called, and one clause for every event code.

A clause has neither capital nor full stop: `narration` puts clauses together. Most are templates; what their fields
mean stands in `Words`. The few that depend on their numbers are functions.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.rules_text import counted, listed
from cartomancer.encounters import names
from cartomancer.encounters.encounter import Event, winner_of
from cartomancer.encounters.kernel import codes, events
from cartomancer.encounters.packing import Packed

EVENT_NAMES: Final[dict[int, str]] = {
    int(value): name.lower()
    for name, value in vars(events).items()
    if isinstance(value, np.int64) and name.isupper() and not name.startswith("BY_")
}
GUARDS: Final = ("guard", "armour", "Fortify", "Ward")
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
    CAUSE = "cause"  # begins a line and waits for effects, which follow a colon; silent without any
    EFFECT = "effect"  # added to the line before
    PREFIX = "prefix"  # goes before the next effect; silent without one


class Titles:
    """What sides, members, rooms, cards and tiers are called."""

    def __init__(self, packed: Packed, codex: Codex | None = None) -> None:
        self.packed, self.codex = packed, codex or load_codex()
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

    def card(self, number: int) -> str:
        """A card's title by its number."""
        return self.packed.cards[number].title

    def room(self, number: int) -> str:
        """A room's title by its place in the scenario."""
        return self._title("rooms", self.packed.rooms[number])

    def member(self, seat: int) -> str:
        """A member's title; with its seat where a class sits twice."""
        name = self.packed.members[seat]
        kind = "creatures" if self.packed.scenario.creature else "classes"
        title = self._title(kind, name)
        return title if self.packed.members.count(name) == 1 else f"{title} in seat {seat + 1}"

    def reducer(self, side: int, place: int, seat: int = -1) -> str:
        """A reducer's name; a party's vitality with the member it belongs to."""
        name = names.RESOURCES[side][place]
        if side == codes.VISITOR and place == codes.FIRST and seat >= 0 and len(self.packed.members) > 1:
            return f"the {self.member(seat)}'s {name}"
        return name

    def tier(self, number: int, hit: str) -> str:
        """A tier of a contested roll: 'a strong hit', 'a reversal'."""
        tier = self.codex.resolution.tiers[number]
        article = "an" if tier.id[0] in "aeiou" else "a"
        return f"{article} {tier.id} {hit}" if tier.attacker_percent else f"{article} {tier.id}"


def _the(title: str) -> str:
    return f"the {title.removeprefix('The ')}"


def _named(title: str) -> str:
    """A proper name inside a sentence: RNG, Grandmother Moss, the House."""
    return _the(title) if title.startswith("The ") else title


def halves(number: int) -> str:
    """Half points as people read them.

    >>> halves(7), halves(1), halves(4)
    ('3½', '½', '2')
    """
    whole, rest = divmod(abs(number), 2)
    return f"{whole}½" if rest and whole else "½" if rest else str(whole)


def keyword_list(mask: int) -> list[str]:
    """Keywords of a mask, as rules text writes them."""
    return [name.capitalize() for name in names.keyword_names(mask)]


class Words:
    """The fields of a template, found when they are asked for."""

    def __init__(self, titles: Titles, event: Event) -> None:
        self.titles, self.event = titles, event

    def __getitem__(self, field: str) -> Any:
        titles, event = self.titles, self.event
        match field:
            case "who":
                return titles.sides[event.side]
            case "foe":
                return titles.sides[1 - event.side]
            case "dungeon" | "visitor":
                return titles.sides[names.side_code(field)]
            case "points":  # the second number, which most events have
                return event.b
            case "card":
                return titles.card(event.a)
            case "room":
                return titles.room(event.a)
            case "reducer":
                return titles.reducer(event.side, event.a)
            case "member":
                return titles.member(event.a)
            case "type":
                return names.CARD_TYPES[event.a].capitalize()
            case "cards":
                return counted(event.a, "card")
            case "rounds":
                return counted(event.a, "round")
            case "rounds_c":
                return counted(event.c, "round")
            case _:
                return getattr(event, field)


# --- clauses that depend on their numbers -----------------------------------------------------------------------------


def _played(titles: Titles, event: Event) -> str:
    card = titles.packed.cards[event.a]
    verb = "strikes with" if card.category == "strike" else "plays"
    return f"{titles.sides[event.side]} {verb} {card.title}"


def _dealt(titles: Titles, event: Event) -> str:
    after = f" after {counted(event.b, 'mulligan')}" if event.b else ""
    return f"{titles.sides[event.side]} is dealt {counted(event.a, 'card')}{after}"


def _pressed(titles: Titles, event: Event) -> str:
    return "the room presses" if event.b < 0 else "the room soothes"


def _energy(titles: Titles, event: Event) -> str:
    extra = f", and {event.b} more this turn" if event.b else ""
    return f"its energy pool is {event.a}{extra}"


def _rolled(titles: Titles, event: Event) -> str:
    return f"{event.a} against {event.b}, {titles.tier(event.c, 'hit')}"


def _scrambled(titles: Titles, event: Event) -> str:
    return f"the blow goes astray towards {names.RESOURCES[1 - event.side][event.a]}"


def _knocked_out(titles: Titles, event: Event) -> str:
    if len(titles.packed.members) == 1:
        return f"{titles.sides[event.side]} goes down"
    left = f", and {counted(event.b, 'card')} with it" if event.b else ""
    return f"the {titles.member(event.a)} is knocked out{left}"


def _reacted(titles: Titles, event: Event) -> str:
    prevents = f"{titles.tier(event.c, 'defence')} prevents {event.b}" if event.b else "it prevents nothing"
    return f"{titles.sides[event.side]} answers with {titles.card(event.a)}: {prevents}"


def _empowered(titles: Titles, event: Event) -> str:
    gains = [f"+{event.a} power"] if event.a else []
    gains += (["advantage"] if event.c else []) + keyword_list(event.b)
    return f"{titles.sides[event.side]}'s next Strike has {listed(gains)}"


def _disrupted(titles: Titles, event: Event) -> str:
    suffers = ["rolls with disadvantage"] if event.a else []
    suffers += [f"meets thorns of {event.b}"] if event.b else []
    suffers += ["loses its keywords"] if event.c & 1 else []
    suffers += ["hits a random resource"] if event.c & 2 else []
    return f"{titles.sides[event.side]}'s next Strike {listed(suffers)}"


def _removed(titles: Titles, event: Event) -> str:
    me, them = titles.sides[event.side], titles.sides[1 - event.side]
    if event.a == 2:
        return f"the Disrupt on {me} is gone"
    return f"{me} steals {them}'s Empower" if event.b else f"{them}'s Empower is gone"


def _guarded(titles: Titles, event: Event) -> str:
    return f"{titles.sides[event.side]}'s {GUARDS[event.c]} stops {event.b}"


def _offered(titles: Titles, event: Event) -> str:
    card = titles.packed.cards[event.a]
    what = "the Covenant" if getattr(card, "covenant", False) else "an Offer:"
    return f"{titles.sides[event.side]} {'proposes' if what == 'the Covenant' else 'makes'} {what} {card.title}"


def _accepted(titles: Titles, event: Event) -> str:
    bound = ", bound by its trust" if event.b else ""
    return f"{titles.sides[event.side]} accepts {titles.card(event.a)}{bound}"


def _refused(titles: Titles, event: Event) -> str:
    return _turned_down(titles, event) or f"{titles.sides[event.side]} refuses {titles.card(event.a)}"


def _refused_veiled(titles: Titles, event: Event) -> str:
    return _turned_down(titles, event) or f"{titles.sides[event.side]} refuses the veiled Offer"


def _turned_down(titles: Titles, event: Event) -> str:
    return f"{titles.sides[event.side]} was betrayed and hears no Offer" if event.b else ""


def _trust(titles: Titles, event: Event) -> str:
    way = "rises" if event.b > 0 else "falls"
    return f"trust {way} by {halves(event.b)} to {halves(event.a)}"


def _extracted(titles: Titles, event: Event) -> str:
    who = titles.sides[event.side]
    if event.a == codes.EXTRACT_ENERGY:
        return f"{who} gains {event.b} energy for the next room"
    if event.a == codes.EXTRACT_INSIGHT:
        return f"{who} gains {event.b} Insight"
    return f"{who}'s {names.RESOURCES[event.side][event.a]} grows by {event.b} for good"


def _burdened(titles: Titles, event: Event) -> str:
    what = next(name for name, code in names.MODIFIERS.items() if code == event.a)
    who = titles.sides[event.side] if len(titles.packed.members) == 1 else f"the {titles.member(event.b)}"
    return f"{who} starts with {what.replace('_', ' ')} {event.c}"


def _ending(titles: Titles, outcome: str) -> str:
    return ENDINGS[outcome].format(dungeon=titles.sides[0], visitor=titles.sides[1])


def _room_ended(titles: Titles, event: Event) -> str:
    outcome = names.OUTCOMES[event.a]
    return f"{titles.room(event.b)} ends in {outcome.capitalize()}: {_ending(titles, outcome)}"


def _run_ended(titles: Titles, event: Event) -> str:
    winner = winner_of(names.OUTCOMES[event.a])
    wins = "both sides win" if winner == "both" else f"{titles.sides[names.side_code(winner)]} wins"
    return f"the run ends: {wins}"


# --- every event ------------------------------------------------------------------------------------------------------

Clause = str | Callable[[Titles, Event], str]
CLAUSES: Final[dict[int, tuple[Kind, Clause]]] = {
    int(code): (kind, clause)
    for code, kind, clause in (
        (events.ROOM_ENTERED, Kind.ROOM, "{visitor} enters {room}"),
        (events.HAND_DEALT, Kind.DEED, _dealt),
        (events.INITIATIVE, Kind.DEED, "initiative: {dungeon} rolls {a}, {visitor} {b}"),
        (events.ROUND_BEGAN, Kind.ROUND, "round {a}"),
        (events.AUTO_EFFECT, Kind.CAUSE, _pressed),
        (events.BOUND, Kind.CAUSE, "a binding takes its due"),
        (events.ERODED, Kind.CAUSE, "Erode gnaws"),
        (events.ESCALATED, Kind.CAUSE, "the fight escalates"),
        (events.TURN_BEGAN, Kind.TURN, "{who}'s turn: {a} energy, {b} in hand"),
        (events.TURN_ENDED, Kind.DEED, "{who} ends its turn"),
        (events.CARD_PLAYED, Kind.DEED, _played),
        (events.CARD_ACTIVATED, Kind.DEED, "{who} discards {card} for 1 energy"),
        (events.TRAP_LAID, Kind.DEED, "{who} lays a Trap face-down"),
        (events.ENERGY_GAINED, Kind.EFFECT, _energy),
        (events.DREW, Kind.EFFECT, "{who} draws {cards}"),
        (events.STRIKE_ROLLED, Kind.DEED, _rolled),
        (events.HURT, Kind.EFFECT, "{reducer} falls by {points}"),
        (events.HEALED, Kind.EFFECT, "{reducer} rises by {points}"),
        (events.GUARDED, Kind.EFFECT, _guarded),
        (events.REACTED, Kind.DEED, _reacted),
        (events.REFLECTED, Kind.PREFIX, "{a} thrown back"),
        (events.ENTANGLED, Kind.EFFECT, "{who} is Entangled"),
        (events.ERODE_LAID, Kind.EFFECT, "{reducer} will erode by {points} next round"),
        (events.ERODE_SUPPRESSED, Kind.EFFECT, "Erode adds nothing to the room's pressure on {reducer}"),
        (events.SPILLED, Kind.PREFIX, "an excess of {points} spills over"),
        (events.RALLIED, Kind.EFFECT, "{who} rallies"),
        (events.EMPOWERED, Kind.EFFECT, _empowered),
        (events.DISRUPTED, Kind.EFFECT, _disrupted),
        (events.BUFF_REMOVED, Kind.EFFECT, _removed),
        (events.THORNS, Kind.PREFIX, "thorns"),
        (events.TARGET_SCRAMBLED, Kind.EFFECT, _scrambled),
        (events.STRIPPED, Kind.EFFECT, "its keywords are stripped"),
        (events.WARD_GAINED, Kind.EFFECT, "{who} has Ward {a}"),
        (events.FORTIFY_GAINED, Kind.EFFECT, "{reducer} is fortified by {points} for {rounds_c}"),
        (events.ARMOUR_CHANGED, Kind.EFFECT, "{who} has armour {a}"),
        (events.TRAP_SPRUNG, Kind.DEED, "{who}'s Trap springs: {card}"),
        (events.TRAP_DISARMED, Kind.EFFECT, "{who}'s Trap {card} is removed"),
        (events.CALMED, Kind.EFFECT, "the room spares {who} for {rounds}"),
        (events.CLEANSED, Kind.EFFECT, "{who} shakes off what clung to it"),
        (events.RESTORED, Kind.EFFECT, "the {member} returns with {points} vitality"),
        (events.KNOCKED_OUT, Kind.EFFECT, _knocked_out),
        (events.MORALE_CASCADE, Kind.PREFIX, "morale cracks"),
        (events.OFFERED, Kind.DEED, _offered),
        (events.OFFER_ACCEPTED, Kind.DEED, _accepted),
        (events.OFFER_REFUSED, Kind.DEED, _refused),
        (events.COVENANT_REFUSED, Kind.DEED, "{who} refuses the Covenant {card}"),
        (events.TRUST_CHANGED, Kind.EFFECT, _trust),
        (events.EXPOSED, Kind.EFFECT, "the next {type} Strike at {who} deals {points} more"),
        (events.BINDING_LAID, Kind.EFFECT, "a binding will take {points} {reducer} a round for {rounds_c}"),
        (events.DEPENDENCY_LAID, Kind.EFFECT, "{points} {reducer} will be lost if trust falls"),
        (events.DEPENDENCY_BROKE, Kind.PREFIX, "a dependency breaks"),
        (events.EXTRACTED, Kind.EFFECT, _extracted),
        (events.TEST_PUT, Kind.EFFECT, "{foe} must cooperate or defect"),
        (events.COOPERATED, Kind.DEED, "{who} cooperates"),
        (events.DEFECTED, Kind.DEED, "{who} defects"),
        (events.BETRAYED, Kind.CAUSE, "{foe} betrays a trust of {points}"),
        (events.SCORNED, Kind.CAUSE, "{foe} scorns a trust of {a}"),
        (events.RESTRAINED, Kind.DEED, "{who} holds back {card}"),
        (events.RETREATED, Kind.DEED, "{who} retreats"),
        (events.ROOM_ENDED, Kind.DEED, _room_ended),
        (events.BOND_EFFECTS, Kind.DEED, "the Bond restores {a} % of {visitor}, and {dungeon} holds {b} Insight"),
        (events.RUN_ENDED, Kind.DEED, _run_ended),
        (events.MEMBER_RETURNED, Kind.EFFECT, "the {member} gets up again with {points} vitality"),
        (events.STRUCK_BACK, Kind.PREFIX, "{who} strikes back"),
        (events.REINFORCED, Kind.DEED, "{who}'s reinforcements number {a}"),
        (events.HAZARD, Kind.CAUSE, "a hazard of {a} meets {who}"),
        (events.LOCKED, Kind.DEED, "{a} of {who}'s cards cannot be played this round"),
        (events.SHED, Kind.EFFECT, "{who} shrugs it off"),
        (events.RESCUED, Kind.EFFECT, "the {member} is rescued and regains {points} vitality"),
        (events.PANIC_SHRUGGED, Kind.DEED, "{who} masters its panic and keeps 1 nerve"),
        (events.OPENING_STRIKE, Kind.CAUSE, "{who} strikes first"),
        (events.SELF_COST, Kind.PREFIX, "its own price"),
        (events.DISCARDED, Kind.EFFECT, "{card} leaves the hand with its fallen owner"),
        (events.REGENERATED, Kind.CAUSE, "{who} grows back"),
        (events.SPLASHED, Kind.PREFIX, "the blow splashes"),
        (events.BURDENED, Kind.DEED, _burdened),
        (events.DRIVEN_OFF, Kind.EFFECT, "one of {who}'s reinforcements is driven off"),
        (events.ADDS_BITE, Kind.CAUSE, "{who}'s reinforcements bite"),
        (events.ENERGY_LOST, Kind.EFFECT, "{who} loses {a} energy"),
        (events.SHUFFLED, Kind.EFFECT, "{who} shuffles its discards"),
        (events.WEAKENED, Kind.EFFECT, "{who} gives up {points} {reducer} for the rest of the run"),
    )
}

# the same events for an eye that may not see the card
VEILED: Final[dict[int, Clause]] = {
    int(events.OFFERED): "{who} makes an Offer and veils its price",
    int(events.OFFER_REFUSED): _refused_veiled,
    int(events.DISCARDED): "a card leaves the hand with its fallen owner",
}


def clause_of(titles: Titles, event: Event, veiled: bool = False) -> str:
    """The clause of an event; a veiled one names no card."""
    clause = VEILED[event.code] if veiled else CLAUSES[event.code][1]
    return clause.format_map(Words(titles, event)) if isinstance(clause, str) else clause(titles, event)
