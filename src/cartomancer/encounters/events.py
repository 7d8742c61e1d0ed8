"""The table of events: every event's name, its fields, who may see them, and how it is told.

>>> TABLE["hurt"].fields, TABLE["hurt"].caused
(('reducer', 'points', 'seat'), True)

Codes, `Event` objects, JSON logs, narration, the survey and docs/protocol.md all come from here. The kernel writes rows
of numbers; `read` gives them names; `redacted` takes out what a side may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from cartomancer.encounters import names, sentences
from cartomancer.encounters.event import Event
from cartomancer.encounters.kernel.causes import Cause
from cartomancer.encounters.kernel.codes import CardType, Category, Guard, Keyword, Modifier, Outcome, TrustTier
from cartomancer.encounters.kernel.events import Happening
from cartomancer.encounters.packing import Packed
from cartomancer.encounters.sentences import Kind, Titles, Words

HIDDEN: Final = "hidden"
Clause = str | Callable[[Titles, Event], str]


class Seen(Enum):
    """Who may see a field."""

    EVERYBODY = "everybody"
    OWNER = "its own side"
    ONCE_KNOWN = "everybody, but only its own side while the card is unknown to the other"


# --- fields: a name means the same in every event ---------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """A field: what it means, and its value in names or plain numbers; nothing leaves it out."""

    meaning: str
    value: Callable[[Packed, int, int], Any] = lambda packed, side, number: number


def _seat(packed: Packed, side: int, number: int) -> int | None:
    return number if number >= 0 else None


def _gain(packed: Packed, side: int, number: int) -> str:
    return (*names.RESOURCES[side], "energy", "insight")[number]


FIELDS: Final[dict[str, Field]] = {
    "room": Field("the room's id", lambda packed, side, number: packed.rooms[number]),
    "card": Field("the card's id", lambda packed, side, number: packed.cards[number].id),
    "cards": Field("how many cards"),
    "mulligans": Field("how many mulligans were used"),
    "dungeon_roll": Field("the dungeon's initiative"),
    "visitor_roll": Field("the visitor's initiative"),
    "round": Field("the room's round, from 1"),
    "reducer": Field("the side's reducer", lambda packed, side, number: names.RESOURCES[side][number]),
    "target": Field("a reducer of the other side", lambda packed, side, number: names.RESOURCES[1 - side][number]),
    "points": Field("how many points; signed where they can be won or lost"),
    "seat": Field("the member whose vitality it is, from 0; only where there is one", _seat),
    "energy": Field("energy to spend"),
    "paid": Field("energy paid"),
    "pool": Field("the energy pool now"),
    "temporary": Field("temporary energy now"),
    "attack": Field("the striker's total"),
    "defence": Field("the other side's total"),
    "tier": Field("the tier of the contested roll", lambda packed, side, number: packed.tiers[number]),
    "guard": Field("what stopped it", lambda packed, side, number: Guard(number).word),
    "power": Field("power the next Strike gains"),
    "keywords": Field("keywords the next Strike gains", lambda packed, side, number: names.keyword_names(number)),
    "advantage": Field("whether the next Strike has advantage", lambda packed, side, number: bool(number)),
    "handicaps": Field("what the next Strike suffers", lambda packed, side, number: names.handicap_names(number)),
    "thorns": Field("points the next Strike costs its side"),
    "category": Field("of the card whose effect is gone", lambda packed, side, number: Category(number).word),
    "stolen": Field("whether it went over to this side", lambda packed, side, number: bool(number)),
    "rounds": Field("for how many rounds"),
    "trust_tier": Field("how far the sides trust each other", lambda packed, side, number: TrustTier(number).word),
    "bound": Field("whether nobody was asked: trust binds", lambda packed, side, number: bool(number)),
    "unheard": Field("whether nobody was asked: it was betrayed", lambda packed, side, number: bool(number)),
    "trust": Field("trust now, in points and halves", lambda packed, side, number: number / 2),
    "change": Field("how much trust was won or lost", lambda packed, side, number: number / 2),
    "type": Field("the type of the Strikes meant", lambda packed, side, number: CardType(number).word),
    "gain": Field("what grows: energy, Insight, or a reducer", _gain),
    "outcome": Field("one of the eight", lambda packed, side, number: Outcome(number).word),
    "percent": Field("the share of their start that reducers regain"),
    "insight": Field("the dungeon's Insight now"),
    "adds": Field("reinforcements now"),
    "back_adds": Field("reinforcements at the back line"),
    "modifier": Field("the effect a member starts with", lambda packed, side, number: Modifier(number).word),
    "value": Field("how strong it is"),
    "first": Field("what is left of the side's first reducer, in thousandths of its start"),
    "second": Field("what is left of the second"),
    "third": Field("what is left of the third"),
    "keyword": Field("the keyword that did something", lambda packed, side, number: Keyword(number).word),
    "cause": Field("why: see the causes", lambda packed, side, number: Cause(number).word),
    "source": Field("the card, modifier or room behind the cause; only where there is one"),
}


# --- every event ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """What the table says about an event."""

    happening: Happening
    told: Kind
    clause: Clause
    fields: tuple[str, ...] = ()
    caused: bool = False  # whether cause and source follow
    seen: Mapping[str, Seen] = field(default_factory=dict)  # of the fields that not everybody may see
    veiled: Clause = ""  # how it is told to an eye that may not see the card

    @property
    def kind(self) -> str:
        """Its name."""
        return self.happening.word

    def visibility(self, name: str) -> Seen:
        """Who may see a field; the source of a cause may be a card that is not known yet."""
        return self.seen.get(name, Seen.ONCE_KNOWN if name == "source" else Seen.EVERYBODY)


def _row(happening: Happening, told: Kind, clause: Clause, fields: str = "", **more: Any) -> Row:
    """A row; after its last field "cause" says that cause and source follow."""
    named = fields.split()
    caused = named[-1:] == ["cause"]
    return Row(happening, told, clause, tuple(named[:-1] if caused else named), caused, **more)


_H = Happening
_UNKNOWN: Final = {"card": Seen.ONCE_KNOWN}
_OWN: Final = {"card": Seen.OWNER}
_TRAP_LAID: Final = "{who} lays a Trap face-down"
ROWS: Final = (
    _row(_H.ROOM_ENTERED, Kind.ROOM, "{visitor} enters {room}", "room"),
    _row(_H.HAND_DEALT, Kind.DEED, sentences.dealt, "cards mulligans cause"),
    _row(
        _H.INITIATIVE,
        Kind.DEED,
        "initiative: {dungeon} rolls {dungeon_roll}, {visitor} {visitor_roll}",
        "dungeon_roll visitor_roll",
    ),
    _row(_H.ROUND_BEGAN, Kind.ROUND, "round {round}", "round"),
    _row(_H.AUTO_EFFECT, Kind.CAUSE, sentences.pressed, "reducer points"),
    _row(_H.BOUND, Kind.CAUSE, "a binding takes its due", "reducer points"),
    _row(_H.ERODED, Kind.CAUSE, "Erode gnaws", "reducer points"),
    _row(_H.ESCALATED, Kind.CAUSE, "the fight escalates", "points"),
    _row(_H.TURN_BEGAN, Kind.TURN, "{who}'s turn: {energy} energy, {cards} in hand", "energy cards"),
    _row(_H.TURN_ENDED, Kind.DEED, "{who} ends its turn"),
    _row(_H.CARD_PLAYED, Kind.DEED, sentences.played, "card paid"),
    _row(_H.CARD_ACTIVATED, Kind.DEED, "{who} discards {card} for 1 energy", "card"),
    _row(
        _H.TRAP_LAID, Kind.DEED, "{who} lays a Trap face-down", "card", seen=_OWN, veiled="{who} lays a Trap face-down"
    ),
    _row(_H.ENERGY_CHANGED, Kind.EFFECT, sentences.energy, "points pool temporary cause"),
    _row(_H.DREW, Kind.EFFECT, "{who} draws {cards:card}", "cards cause"),
    _row(_H.STRIKE_ROLLED, Kind.DEED, sentences.rolled, "attack defence tier"),
    _row(_H.HURT, Kind.EFFECT, "{reducer} falls by {points}", "reducer points seat cause"),
    _row(_H.HEALED, Kind.EFFECT, "{reducer} rises by {points}", "reducer points seat cause"),
    _row(_H.GUARDED, Kind.EFFECT, sentences.guarded, "reducer points guard cause"),
    _row(_H.REACTED, Kind.DEED, sentences.reacted, "card points tier"),
    _row(_H.REFLECTED, Kind.PREFIX, "{points} thrown back", "points"),
    _row(_H.ENTANGLED, Kind.EFFECT, "{who} is Entangled", "cause"),
    _row(_H.ERODE_LAID, Kind.EFFECT, "{reducer} will erode by {points} next round", "reducer points cause"),
    _row(_H.ERODE_SUPPRESSED, Kind.EFFECT, "Erode adds nothing to the room's pressure on {reducer}", "reducer cause"),
    _row(_H.SPILLED, Kind.PREFIX, "an excess of {points} spills over", "reducer points"),
    _row(_H.RALLIED, Kind.EFFECT, "{who} rallies"),
    _row(_H.EMPOWERED, Kind.EFFECT, sentences.empowered, "power keywords advantage cause"),
    _row(_H.DISRUPTED, Kind.EFFECT, sentences.disrupted, "handicaps thorns cause"),
    _row(_H.BUFF_REMOVED, Kind.EFFECT, sentences.removed, "category stolen cause"),
    _row(_H.THORNS, Kind.PREFIX, "thorns", "reducer points"),
    _row(_H.TARGET_SCRAMBLED, Kind.EFFECT, "the blow goes astray towards {target}", "target"),
    _row(_H.STRIPPED, Kind.EFFECT, "its keywords are stripped"),
    _row(_H.WARD_GAINED, Kind.EFFECT, "{who} has Ward {points}", "points cause"),
    _row(
        _H.FORTIFY_GAINED,
        Kind.EFFECT,
        "{reducer} is fortified by {points} for {rounds:round}",
        "reducer points rounds cause",
    ),
    _row(_H.ARMOUR_CHANGED, Kind.EFFECT, "{who} has armour {points}", "points cause"),
    _row(_H.TRAP_SPRUNG, Kind.DEED, "{who}'s Trap springs: {card}", "card"),
    _row(_H.TRAP_DISARMED, Kind.EFFECT, "{who}'s Trap {card} is removed", "card cause"),
    _row(_H.CALMED, Kind.EFFECT, "the room spares {who} for {rounds:round}", "rounds cause"),
    _row(_H.CLEANSED, Kind.EFFECT, "{who} shakes off what clung to it", "cause"),
    _row(_H.RESTORED, Kind.EFFECT, "the {member} returns with {points} vitality", "reducer points seat cause"),
    _row(_H.KNOCKED_OUT, Kind.EFFECT, sentences.knocked_out, "seat cards cause"),
    _row(_H.MORALE_CASCADE, Kind.PREFIX, "morale cracks", "points"),
    _row(
        _H.OFFERED,
        Kind.DEED,
        sentences.offered,
        "card trust_tier",
        seen=_UNKNOWN,
        veiled="{who} makes an Offer and veils its price",
    ),
    _row(_H.OFFER_ACCEPTED, Kind.DEED, sentences.accepted, "card bound"),
    _row(
        _H.OFFER_REFUSED, Kind.DEED, sentences.refused, "card unheard", seen=_UNKNOWN, veiled=sentences.refused_veiled
    ),
    _row(_H.COVENANT_REFUSED, Kind.DEED, "{who} refuses the Covenant {card}", "card"),
    _row(_H.TRUST_CHANGED, Kind.EFFECT, sentences.trust, "trust change cause"),
    _row(_H.EXPOSED, Kind.EFFECT, "the next {type} Strike at {who} deals {points} more", "type points cause"),
    _row(
        _H.BINDING_LAID,
        Kind.EFFECT,
        "a binding will take {points} {reducer} a round for {rounds:round}",
        "reducer points rounds cause",
    ),
    _row(_H.DEPENDENCY_LAID, Kind.EFFECT, "{points} {reducer} will be lost if trust falls", "reducer points cause"),
    _row(_H.DEPENDENCY_BROKE, Kind.PREFIX, "a dependency breaks", "reducer points"),
    _row(_H.EXTRACTED, Kind.EFFECT, sentences.extracted, "gain points cause"),
    _row(_H.TEST_PUT, Kind.EFFECT, "{foe} must cooperate or defect", "card"),
    _row(_H.COOPERATED, Kind.DEED, "{who} cooperates"),
    _row(_H.DEFECTED, Kind.DEED, "{who} defects", "power"),
    _row(_H.BETRAYED, Kind.CAUSE, "{foe} betrays a trust of {points}", "reducer points"),
    _row(_H.SCORNED, Kind.CAUSE, "{foe} scorns a trust of {points}", "points"),
    _row(_H.RESTRAINED, Kind.DEED, "{who} holds back {card}", "card"),
    _row(_H.RETREATED, Kind.DEED, "{who} retreats"),
    _row(_H.ROOM_ENDED, Kind.DEED, sentences.room_ended, "outcome room"),
    _row(
        _H.BOND_EFFECTS,
        Kind.DEED,
        "the Bond restores {percent} % of {visitor}, and {dungeon} holds {insight} Insight",
        "percent insight",
    ),
    _row(_H.RUN_ENDED, Kind.DEED, sentences.run_ended, "outcome"),
    _row(
        _H.MEMBER_RETURNED,
        Kind.EFFECT,
        "the {member} gets up again with {points} vitality",
        "reducer points seat cause",
    ),
    _row(_H.STRUCK_BACK, Kind.PREFIX, "{who} strikes back", "points"),
    _row(_H.REINFORCED, Kind.DEED, "{who}'s reinforcements number {adds}", "adds"),
    _row(_H.HAZARD, Kind.CAUSE, "a hazard of {points} meets {who}", "points"),
    _row(_H.LOCKED, Kind.DEED, "{cards} of {who}'s cards cannot be played this round", "cards"),
    _row(_H.SHED, Kind.EFFECT, "{who} shrugs it off", "cause"),
    _row(_H.RESCUED, Kind.EFFECT, "the {member} is rescued and regains {points} vitality", "reducer points seat cause"),
    _row(_H.PANIC_SHRUGGED, Kind.DEED, "{who} masters its panic and keeps {points} nerve", "reducer points seat cause"),
    _row(_H.OPENING_STRIKE, Kind.CAUSE, "{who} strikes first", "points"),
    _row(_H.SELF_COST, Kind.PREFIX, "its own price", "reducer points"),
    _row(
        _H.DISCARDED,
        Kind.EFFECT,
        "{card} leaves the hand with its fallen owner",
        "card cause",
        seen=_OWN,
        veiled="a card leaves the hand with its fallen owner",
    ),
    _row(_H.REGENERATED, Kind.CAUSE, "{who} grows back"),
    _row(_H.SPLASHED, Kind.PREFIX, "the blow splashes", "reducer points"),
    _row(_H.WEAKENED, Kind.EFFECT, "{who} gives up {points} {reducer} for the rest of the run", "reducer points cause"),
    _row(_H.BURDENED, Kind.DEED, sentences.burdened, "modifier seat value cause"),
    _row(_H.DRIVEN_OFF, Kind.EFFECT, "one of {who}'s reinforcements is driven off", "adds"),
    _row(_H.ADDS_BITE, Kind.CAUSE, "{who}'s reinforcements bite", "adds back_adds"),
    _row(_H.SHUFFLED, Kind.EFFECT, "{who} shuffles its discards", "cards cause"),
    _row(_H.RESIZED, Kind.SILENT, "{reducer} and its start change together", "reducer points seat cause"),
    _row(_H.ROUND_ENDED, Kind.SILENT, "a round is over: what {who} has left", "first second third"),
    _row(_H.KEYWORD_FIRED, Kind.SILENT, "{keyword} did something", "keyword card"),
    _row(_H.TRIGGERED, Kind.SILENT, "the trigger of {card} changed what it did", "card"),
)
TABLE: Final[dict[str, Row]] = {row.kind: row for row in ROWS}
_BY_CODE: Final[dict[int, Row]] = {int(row.happening): row for row in ROWS}


# --- reading and redacting --------------------------------------------------------------------------------------------


def _source(packed: Packed, cause: Cause, number: int) -> str | None:
    if number < 0:
        return None
    match cause.source:
        case "card":
            return packed.cards[number].id
        case "modifier":
            return packed.modifiers[number]
        case "room":
            return packed.rooms[number]
    return None


def read(packed: Packed, numbers: Sequence[int]) -> Event:
    """An event from the kernel's numbers."""
    code, side, *values, cause, source, secret = numbers
    row = _BY_CODE[code]
    found = {
        name: value
        for name, number in zip(row.fields, values, strict=False)
        if (value := FIELDS[name].value(packed, side, number)) is not None
    }
    if row.caused:
        found["cause"] = Cause(cause).word
        if (behind := _source(packed, Cause(cause), source)) is not None:
            found["source"] = behind
    return Event(row.kind, names.SIDES[side], found, names.SIDES[secret] if secret >= 0 else "")


def redacted(event: Event, viewer: str | None) -> Event:
    """The event as a side may see it; nobody's viewer is a spectator who sees everything.

    >>> trap = Event("trap_laid", "dungeon", {"card": "deadfall"})
    >>> redacted(trap, "visitor").card, redacted(trap, "dungeon").card
    ('hidden', 'deadfall')
    """
    row = TABLE[event.kind]

    def hidden(name: str) -> bool:
        match row.visibility(name):
            case Seen.OWNER:
                return viewer != event.side
            case Seen.ONCE_KNOWN:
                return event.secret not in {"", viewer}
        return False

    fields = [name for name in event.fields if hidden(name)] if viewer else []
    return event.having(**dict.fromkeys(fields, HIDDEN)) if fields else event


def clause_of(titles: Titles, event: Event) -> str:
    """The clause of an event; one whose card is hidden names none. Some have nothing to tell."""
    row = TABLE[event.kind]
    if row.told is Kind.SILENT:
        return ""
    clause = row.veiled if event.fields.get("card") == HIDDEN else row.clause
    return clause.format_map(Words(titles, event)) if isinstance(clause, str) else clause(titles, event)
