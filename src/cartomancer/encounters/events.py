"""The table of events: every event's name, its fields, who may see them, and how it is told.

>>> TABLE["hurt"].fields, TABLE["hurt"].caused
(('reducer', 'points', 'seat'), True)

Codes, `Event` objects, JSON logs, narration, the survey and docs/protocol.md all come from here. The kernel writes rows
of numbers; `read` gives them names; `redacted` takes out what a side may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, Final

from cartomancer.encounters import names
from cartomancer.encounters.event import HIDDEN, Event
from cartomancer.encounters.kernel.causes import Cause
from cartomancer.encounters.kernel.codes import CardType, Category, Guard, Keyword, Modifier, Outcome, TrustTier
from cartomancer.encounters.kernel.events import Happening
from cartomancer.encounters.packing import Packed
from cartomancer.encounters.sentences import Kind, Titles, Words


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
    "outcome": Field("one of the nine", lambda packed, side, number: Outcome(number).word),
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
    clause: str
    fields: tuple[str, ...]
    caused: bool  # whether cause and source follow
    seen: Mapping[str, Seen]  # of the fields that not everybody may see

    @property
    def kind(self) -> str:
        """Its name."""
        return self.happening.word

    def visibility(self, name: str) -> Seen:
        """Who may see a field; the source of a cause may be a card that is not known yet."""
        return self.seen.get(name, Seen.ONCE_KNOWN if name == "source" else Seen.EVERYBODY)


def _row(told: Kind, happening: Happening, clause: str, fields: str = "", card: Seen = Seen.EVERYBODY) -> Row:
    """A row; after its last field "cause" says that cause and source follow."""
    named = fields.split()
    caused = named[-1:] == ["cause"]
    seen = {} if card is Seen.EVERYBODY else {"card": card}
    return Row(happening, told, clause, tuple(named[:-1] if caused else named), caused, seen)


_H = Happening
_deed, _cause, _effect = partial(_row, Kind.DEED), partial(_row, Kind.CAUSE), partial(_row, Kind.EFFECT)
_silent = partial(_row, Kind.SILENT)
ROWS: Final = (
    _row(Kind.ROOM, _H.ROOM_ENTERED, "{visitor} enters {room}", "room"),
    _deed(_H.HAND_DEALT, "{who} is dealt {cards:card}{after}", "cards mulligans cause"),
    _deed(
        _H.INITIATIVE,
        "initiative: {dungeon} rolls {dungeon_roll}, {visitor} {visitor_roll}",
        "dungeon_roll visitor_roll",
    ),
    _row(Kind.ROUND, _H.ROUND_BEGAN, "round {round}", "round"),
    _cause(_H.AUTO_EFFECT, "the room {presses}", "reducer points"),
    _cause(_H.BOUND, "a binding takes its due", "reducer points"),
    _cause(_H.ERODED, "Erode gnaws", "reducer points"),
    _cause(_H.ESCALATED, "the fight escalates", "points"),
    _row(Kind.TURN, _H.TURN_BEGAN, "{who}'s turn: {energy} energy, {cards} in hand", "energy cards"),
    _deed(_H.TURN_ENDED, "{who} ends its turn"),
    _deed(_H.CARD_PLAYED, "{who} {plays} {card}", "card paid"),
    _deed(_H.CARD_ACTIVATED, "{who} discards {card} for 1 energy", "card"),
    _deed(_H.TRAP_LAID, "{who} lays a Trap face-down", "card", card=Seen.OWNER),
    _effect(_H.ENERGY_CHANGED, "{energy_given}", "points pool temporary cause"),
    _effect(_H.DREW, "{who} draws {cards:card}", "cards cause"),
    _deed(_H.STRIKE_ROLLED, "{attack} against {defence}, {hit}", "attack defence tier"),
    _effect(_H.HURT, "{whose} falls by {points}", "reducer points seat cause"),
    _effect(_H.HEALED, "{whose} rises by {points}", "reducer points seat cause"),
    _effect(_H.GUARDED, "{who}'s {guard} stops {points}", "reducer points guard cause"),
    _deed(_H.REACTED, "{who} answers with {card}: {prevented}", "card points tier"),
    _silent(_H.REFLECTED, "{points} thrown back", "points"),
    _effect(_H.ENTANGLED, "{who} is Entangled", "cause"),
    _effect(_H.ERODE_LAID, "{whose} will erode by {points} next round", "reducer points cause"),
    _effect(_H.ERODE_SUPPRESSED, "Erode adds nothing to the room's pressure on {whose}", "reducer points cause"),
    _silent(_H.SPILLED, "an excess of {points} spills over", "reducer points"),
    _silent(_H.RALLIED, "{who} rallies"),
    _effect(_H.EMPOWERED, "{who}'s next Strike has {gains}", "power keywords advantage cause"),
    _effect(_H.DISRUPTED, "{who}'s next Strike {suffers}", "handicaps thorns cause"),
    _effect(_H.BUFF_REMOVED, "{removal}", "category stolen cause"),
    _silent(_H.THORNS, "thorns", "reducer points"),
    _effect(_H.TARGET_SCRAMBLED, "the blow goes astray towards {target}", "target"),
    _effect(_H.STRIPPED, "its keywords are stripped"),
    _effect(_H.WARD_GAINED, "{who} has Ward {points}", "points cause"),
    _effect(_H.FORTIFY_GAINED, "{whose} is fortified by {points} for {rounds:round}", "reducer points rounds cause"),
    _effect(_H.ARMOUR_CHANGED, "{who} has armour {points}", "points cause"),
    _deed(_H.TRAP_SPRUNG, "{who}'s Trap springs: {card}", "card"),
    _effect(_H.TRAP_DISARMED, "{who}'s Trap {card} is removed", "card cause"),
    _effect(_H.CALMED, "the room spares {who} for {rounds:round}", "rounds cause"),
    _effect(_H.CLEANSED, "{who} shakes off what clung to it", "cause"),
    _effect(_H.RESTORED, "the {member} returns with {points} vitality", "reducer points seat cause"),
    _effect(_H.RESTORATION_BEGUN, "the {member} will be back next turn with {value} vitality", "seat value cause"),
    _effect(_H.RESTORATION_STOPPED, "the {member} is kept down", "seat cause"),
    _effect(_H.KNOCKED_OUT, "{bearer} {falls}", "seat cards cause"),
    _silent(_H.MORALE_CASCADE, "morale cracks", "points"),
    _deed(_H.OFFERED, "{who} {proposes}", "card trust_tier", card=Seen.ONCE_KNOWN),
    _deed(_H.OFFER_ACCEPTED, "{who} accepts {card}{bound}", "card bound"),
    _deed(_H.OFFER_REFUSED, "{who} {refuses}", "card unheard", card=Seen.ONCE_KNOWN),
    _deed(_H.COVENANT_REFUSED, "{who} refuses the Covenant {card}", "card"),
    _effect(_H.TRUST_CHANGED, "trust {moves} by {change} to {trust}", "trust change cause"),
    _effect(_H.EXPOSED, "the next {type} Strike at {who} deals {points} more", "type points cause"),
    _effect(
        _H.BINDING_LAID,
        "a binding will take {points} {reducer} from {who} in each round, for {rounds:round}",
        "reducer points rounds cause",
    ),
    _effect(_H.DEPENDENCY_LAID, "{who} will lose {points} {reducer} if trust falls", "reducer points cause"),
    _silent(_H.DEPENDENCY_BROKE, "a dependency breaks", "reducer points"),
    _effect(_H.EXTRACTED, "{extraction}", "gain points cause"),
    _effect(_H.TEST_PUT, "{foe} must cooperate or defect", "card"),
    _deed(_H.COOPERATED, "{who} cooperates"),
    _deed(_H.DEFECTED, "{who} defects", "power"),
    _deed(_H.BETRAYED, "{foe} betrays a trust of {points}", "reducer points"),
    _deed(_H.SCORNED, "{foe} scorns a trust of {points}", "points"),
    _deed(_H.RESTRAINED, "{who} holds back {card}", "card"),
    _deed(_H.RETREATED, "{who} retreats"),
    _deed(_H.ROOM_ENDED, "{room} ends in {outcome}: {ending}", "outcome room"),
    _deed(
        _H.BOND_EFFECTS,
        "the Bond restores {percent} % of {visitor}, and {dungeon} holds {insight} Insight",
        "percent insight",
    ),
    _deed(_H.RUN_ENDED, "the run ends: {winner}", "outcome"),
    _effect(_H.MEMBER_RETURNED, "the {member} gets up again with {points} vitality", "reducer points seat cause"),
    _silent(_H.STRUCK_BACK, "{who} strikes back", "points"),
    _deed(_H.REINFORCED, "{who}'s reinforcements number {adds}", "adds"),
    _cause(_H.HAZARD, "a hazard of {points} meets {who}", "points"),
    _deed(_H.LOCKED, "{cards} of {who}'s cards cannot be played this round", "cards"),
    _effect(_H.SHED, "{who} shrugs it off", "cause"),
    _effect(_H.RESCUED, "{source} rescues the {member}, who regains {points} vitality", "reducer points seat cause"),
    _deed(_H.PANIC_SHRUGGED, "{who} masters its panic and keeps {points} nerve", "reducer points seat cause"),
    _cause(_H.OPENING_STRIKE, "{who} strikes first", "points"),
    _silent(_H.SELF_COST, "its own price", "reducer points"),
    _effect(_H.DISCARDED, "{card} leaves {who}'s hand with its fallen owner", "card cause", card=Seen.OWNER),
    _effect(_H.REVEALED, "{who} must show {card}", "card cause"),
    _effect(_H.CARD_LOST, "{who} must discard {card}", "card cause"),
    _cause(_H.REGENERATED, "{who} grows back"),
    _silent(_H.SPLASHED, "the blow splashes", "reducer points"),
    _effect(_H.WEAKENED, "{who} gives up {points} {reducer} for the rest of the run", "reducer points cause"),
    _deed(_H.BURDENED, "{bearer} starts with {modifier} {value}", "modifier seat value cause"),
    _effect(_H.DRIVEN_OFF, "one of {who}'s reinforcements is driven off", "adds"),
    _cause(_H.ADDS_BITE, "{who}'s reinforcements bite", "adds back_adds"),
    _effect(_H.SHUFFLED, "{who} shuffles its discards into its draw pile", "cards cause"),
    _effect(_H.RESIZED, "{resized}", "reducer points seat cause"),
    _silent(_H.ROUND_ENDED, "a round is over: what {who} has left", "first second third"),
    _silent(_H.KEYWORD_FIRED, "{keyword} did something", "keyword card"),
    _silent(_H.TRIGGERED, "the trigger of {card} changed what it did", "card"),
)
SOURCES: Final[dict[str, Callable[[Packed, int], str]]] = {
    "card": lambda packed, number: packed.cards[number].id,
    "modifier": lambda packed, number: packed.modifiers[number],
    "room": lambda packed, number: packed.rooms[number],
}
TABLE: Final[dict[str, Row]] = {row.kind: row for row in ROWS}
_BY_CODE: Final[dict[int, Row]] = {int(row.happening): row for row in ROWS}


# --- reading and redacting --------------------------------------------------------------------------------------------


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
        if Cause(cause).source and source >= 0:
            found["source"] = SOURCES[Cause(cause).source](packed, source)
    return Event(row.kind, names.SIDES[side], found, names.SIDES[secret] if secret >= 0 else "")


def redacted(event: Event, viewer: str | None) -> Event:
    """The event as a side, or the public, may see it; nobody's viewer is a spectator who sees everything.

    >>> trap = Event("trap_laid", "dungeon", {"card": "deadfall"})
    >>> [redacted(trap, viewer).card for viewer in ("visitor", "dungeon", "public")]
    ['hidden', 'deadfall', 'hidden']
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
    return "" if row.told is Kind.SILENT else row.clause.format_map(Words(titles, event))
