"""A fight as a story: events in, sentences out.

>>> from cartomancer.encounters.encounter import Encounter
>>> fight = Encounter("boar", seed=42)
>>> narrator = Narrator(fight.packed)
>>> narrator.sentences(fight.opening)[0]
'The Thornback Boar enters Root Hollow.'
>>> narrator.sentences(fight.apply("keep") + fight.apply("keep"))[:2]
['Round 1.', 'The room takes 1 vitality from the Thornback Boar.']

Every change of a reducer, of trust, of energy and of piles names its owner and what made it. A narrator remembers what
it needs for that between two calls, such as which card laid the Erode that acts now, so it must hear a run from its
start. One that speaks to a side tells only what that side may know: neither name nor price of a veiled Offer, no card
that left a hand unseen. Sides hear of a hit in a line of its own, so that its words are the same whether or not the
defender could have answered it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from cartomancer.content.codex import Codex
from cartomancer.content.rules_text import counted, listed
from cartomancer.encounters.agents import AGENTS, IT
from cartomancer.encounters.event import HIDDEN, Event
from cartomancer.encounters.events import TABLE, clause_of, redacted
from cartomancer.encounters.packing import Packed
from cartomancer.encounters.sentences import Kind, Titles, halves

HEADINGS: Final = {Kind.ROOM, Kind.ROUND, Kind.TURN}
LAYING: Final = {  # events that lay something which acts later, and the cause it acts by
    "erode_laid": "erode",
    "disrupted": "thorns",
    "binding_laid": "binding_cost",
    "dependency_laid": "dependency_cost",
}
ROUND_OVER: Final = "the round is over"
UNSEEN: Final = "a card"


@dataclass(frozen=True)
class Line:
    """One line of the story, and what it is: a heading or something that happened."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class _Doer:
    """What makes a change, as the sentence calls it."""

    name: str
    many: bool = False

    def does(self, verb: str) -> str:
        """With its verb: Drain gives, thorns give."""
        first, _, rest = verb.partition(" ")
        return f"{self.name} {first.removesuffix('s') if self.many else first} {rest}".rstrip()


@dataclass(frozen=True)
class _Effect:
    """What follows from a deed: a clause; or points or cards that go somewhere, told together with others like them."""

    text: str = ""
    begins: str = ""  # how a clause begins that several share: Gore takes
    what: str = ""
    whose: str = ""  # from or to whom


@dataclass
class _Draft:
    """A line that effects are still added to."""

    kind: Kind
    head: str = ""
    subject: str = ""  # whom the head is about
    card: str = ""  # the title of the card it is about
    clear: bool = True  # whether "it" means that card
    effects: list[_Effect] = field(default_factory=list)

    def line(self) -> Line | None:
        """The finished line; nothing if there is nothing to tell."""
        parts = _clauses(self.effects)
        if self.head:
            parts = [self.head, *self._pronouns(parts)]
        kind = self.kind if self.kind in HEADINGS else Kind.DEED
        return Line(kind, " ".join(map(sentence, parts))) if parts else None

    def _pronouns(self, clauses: list[str]) -> list[str]:
        """Whoever the head is about becomes 'it', as long as nobody else is spoken of."""
        if not self.head.startswith(self.subject or "?"):
            return clauses
        found = list(clauses)
        for index, clause in enumerate(clauses):
            if clause.startswith(f"{self.subject}'s "):
                found[index] = "its" + clause.removeprefix(f"{self.subject}'s")
            elif clause.startswith(f"{self.subject} "):
                found[index] = "it" + clause.removeprefix(self.subject)
            else:
                break
        return found


def sentence(clause: str) -> str:
    """A clause with a capital and a full stop."""
    return f"{clause[0].upper()}{clause[1:]}."


def _clauses(effects: Sequence[_Effect]) -> list[str]:
    """Effects in words: what begins alike is told in one breath, owner by owner."""
    found: list[str] = []
    for _, alike in groupby(effects, key=lambda effect: effect.begins or id(effect)):
        group = list(alike)
        if not group[0].begins:
            found.append(group[0].text)
            continue
        owned = groupby(group, key=lambda effect: effect.whose)
        parts = [f"{_things([effect.what for effect in several])} {whose}".rstrip() for whose, several in owned]
        found.append(f"{group[0].begins} {listed(parts)}")
    return found


def _things(named: Sequence[str]) -> str:
    """What several effects are about; cards that may not be seen are counted."""
    unseen = named.count(UNSEEN)
    return listed([name for name in named if name != UNSEEN] + ([counted(unseen, "card")] if unseen else []))


class Narrator:
    """Tells a run to a side, to the public, or to a spectator who may see everything."""

    def __init__(self, packed: Packed, viewer: str | None = None, codex: Codex | None = None) -> None:
        self.titles = Titles(packed, codex)
        self.viewer = viewer
        self._drafts: list[_Draft] = []
        self._strike = "the Strike"  # the last one declared
        self._awaits_answer = False  # whether the last thing told was its roll
        self._hits = False  # whether that was a hit, which a defender may be asked about
        self._laid: dict[tuple[str, str, str], tuple[str, ...]] = {}  # cards, by the cause they act by, side, reducer

    def sentences(self, happened: Iterable[Event]) -> list[str]:
        """What happened, in sentences; what belongs together stands in one text."""
        return [line.text for line in self.lines(happened)]

    def lines(self, happened: Iterable[Event]) -> list[Line]:
        """The same, with headings told apart."""
        self._drafts = []
        seen = (redacted(event, self.viewer) for event in happened)
        heard = [(event, clause) for event in seen if (clause := clause_of(self.titles, event))]
        for index, (event, clause) in enumerate(heard):
            if event.kind != "drew" or not _is_opening_draw([later for later, _ in heard[index:]]):
                self._hear(event, clause)
        return [line for draft in self._drafts if (line := draft.line()) is not None]

    # --- one event at a time -----------------------------------------------------------------------------------------

    def _hear(self, event: Event, clause: str) -> None:
        told = TABLE[event.kind].told
        landing, self._awaits_answer = self._awaits_answer, event.kind == "strike_rolled"
        if event.kind == "strike_rolled":
            self._hits = self.titles.is_hit(event.tier)
            self._roll(clause)
            self._forget("thorns", event.side)  # they have met this Strike
        elif told is Kind.EFFECT:
            if landing and (not self._drafts or (self._hits and self.viewer)):
                self._drafts.append(_Draft(Kind.DEED, f"{self._strike} lands", card=self._strike))
            self._follow(event, clause)
        else:
            self._begin(event, told, clause)

    def _begin(self, event: Event, told: Kind, clause: str) -> None:
        """A new line, unless the open one has the same cause."""
        if told is Kind.ROOM:
            self._laid = {}
        if told is Kind.CAUSE:
            if not self._drafts or (self._drafts[-1].kind, self._drafts[-1].subject) != (told, event.kind):
                self._drafts.append(_Draft(told, subject=event.kind))
            return
        name = event.fields.get("card", HIDDEN)
        card = "" if name == HIDDEN else self.titles.card(name)
        if event.kind == "card_played" and self.titles.cards[name].category == "strike":
            self._strike = card
        self._drafts.append(_Draft(told, clause, self.titles.who(event.side), card))

    def _roll(self, clause: str) -> None:
        """A roll ends the sentence that declared the Strike, if nothing came between."""
        last = self._drafts[-1] if self._drafts else None
        if last is not None and last.head.endswith(f"strikes with {self._strike}") and not last.effects:
            last.head += f": {clause}"
        else:
            self._drafts.append(_Draft(Kind.DEED, f"{self._strike}: {clause}", card=self._strike))

    def _follow(self, event: Event, clause: str) -> None:
        """An effect joins the open line; nothing is added to a heading."""
        if event.fields.get("cause") == "round" and not self._is_open(ROUND_OVER):
            self._drafts.append(_Draft(Kind.DEED, ROUND_OVER))
        elif not self._drafts or self._drafts[-1].kind in HEADINGS:
            self._drafts.append(_Draft(Kind.EFFECT))
        effect = self._effect(event, clause)
        if effect is not None:
            self._drafts[-1].effects.append(effect)
        self._remember(event)

    def _is_open(self, head: str) -> bool:
        return bool(self._drafts) and self._drafts[-1].head == head

    # --- who did it --------------------------------------------------------------------------------------------------

    def _effect(self, event: Event, clause: str) -> _Effect | None:
        """What an event adds to the line; nothing where no point was won or lost."""
        titles, points = self.titles, event.fields.get("points")
        match event.kind:
            case "hurt" | "healed" if not points:
                return None
            case "hurt":
                return self._moved(event, "takes", f"{points} {event.reducer}", f"from {titles.owner(event)}")
            case "healed":
                return self._moved(event, "gives back", f"{points} {event.reducer}", f"to {titles.owner(event)}")
            case "energy_changed" if event.fields.get("cause") != "energy":
                verb, way = ("takes", "from") if event.points < 0 else ("gives", "to")
                return self._moved(event, verb, f"{abs(event.points)} energy", f"{way} {titles.who(event.side)}")
            case "guarded":
                doer = self._doer(event)
                return _Effect(clause if doer.name == IT else f"{clause} of {doer.name}")
            case "trust_changed":
                turns = self._doer(event).does("raises" if event.change > 0 else "lowers")
                return _Effect(f"{turns} trust by {halves(event.change)} to {halves(event.trust)}")
            case "drew" if event.fields.get("cause") != "round":
                drawn = counted(event.cards, "card")
                return _Effect(f"{self._doer(event).does('lets')} {titles.who(event.side)} draw {drawn}")
            case "revealed" | "card_lost":
                deed = "show" if event.kind == "revealed" else "discard"
                forced = f"{self._doer(event).does('makes')} {titles.who(event.side)} {deed}"
                return _Effect(begins=forced, what=titles.card(event.card))
            case "discarded":
                what = UNSEEN if event.card == HIDDEN else titles.card(event.card)
                return _Effect(begins=f"{titles.who(event.side)}'s hand loses", what=what, whose="with the fallen")
            case "erode_suppressed":
                laid = self._name_of_laid("erode", event)
                return _Effect(clause.replace("Erode", AGENTS["erode"].of(laid), 1) if laid else clause)
        self._drafts[-1].clear = False  # somebody or something else is spoken of
        return _Effect(clause)

    def _moved(self, event: Event, verb: str, what: str, whose: str) -> _Effect:
        """Points that something takes or gives."""
        return _Effect(begins=self._doer(event).does(verb), what=what, whose=whose)

    def _doer(self, event: Event) -> _Doer:
        """What made a change, as the open line calls it: 'it' is the line's own card, as long as that is clear."""
        cause, draft, source = event.fields.get("cause", "nothing"), self._drafts[-1], self.titles.source(event)
        agent = AGENTS[cause]
        if agent.laid and (laid := self._name_of_laid(cause, event)):
            name = agent.of(laid)
        elif agent.short and source == draft.card and (agent.short != IT or draft.clear):
            name = agent.short
        else:
            name = agent.full(source, self.titles.foe(event.side))
        draft.clear = name == IT
        return _Doer(name, agent.many)

    # --- what was laid before -----------------------------------------------------------------------------------------

    def _remember(self, event: Event) -> None:
        """Which card laid what acts later; what has acted, or was taken away, is forgotten."""
        side, cause = event.side, event.fields.get("cause", "")
        if event.kind in LAYING and event.fields.get("thorns") != 0 and event.fields.get("source", HIDDEN) != HIDDEN:
            key = LAYING[event.kind], side, event.fields.get("reducer", "")
            names = dict.fromkeys((*self._laid.get(key, ()), self.titles.source(event)))
            self._laid = {**self._laid, key: tuple(names)}  # a copy of a narrator goes on by itself
        elif event.kind == "erode_suppressed" or (event.kind == "hurt" and cause in {"erode", "dependency_cost"}):
            self._forget("erode" if cause == "room" else cause, side, event.reducer)
        elif event.kind == "buff_removed" and event.category == "disrupt":
            self._forget("thorns", side)

    def _forget(self, cause: str, side: str, reducer: str = "") -> None:
        self._laid = {key: names for key, names in self._laid.items() if key != (cause, side, reducer)}

    def _name_of_laid(self, cause: str, event: Event) -> str:
        """The cards that laid what acts now; thorns lie on a whole side."""
        reducer = "" if cause == "thorns" else event.reducer
        return listed(self._laid.get((cause, event.side, reducer), ()))


def _is_opening_draw(ahead: Sequence[Event]) -> bool:
    """Whether a draw is part of dealing an opening hand, which is told once it is complete."""
    return next((event.kind == "hand_dealt" for event in ahead if event.kind != "drew"), False)
