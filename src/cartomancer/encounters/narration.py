"""A fight as a story: events in, sentences out.

>>> from cartomancer.encounters.encounter import Encounter
>>> fight = Encounter("boar", seed=42)
>>> narrator = Narrator(fight.packed)
>>> narrator.sentences(fight.opening)[0]
'The Thornback Boar enters Root Hollow.'
>>> narrator.sentences(fight.apply("keep") + fight.apply("keep"))[:2]
['Round 1.', 'The room presses: vitality falls by 1.']

A narrator remembers what it needs between two calls, so it must hear a run from its start. One that speaks to a side
tells only what that side may know: neither name nor price of a veiled Offer, no card that left a hand unseen. Sides
hear of a hit in a line of its own, so that its words are the same whether or not the defender could have answered it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from cartomancer.content.codex import Codex
from cartomancer.content.rules_text import counted, listed
from cartomancer.encounters.event import HIDDEN, Event
from cartomancer.encounters.events import TABLE, clause_of, redacted
from cartomancer.encounters.packing import Packed
from cartomancer.encounters.sentences import Kind, Titles

CHANGES: Final = {"hurt": "fall", "healed": "rise"}
HEADINGS: Final = {Kind.ROOM, Kind.ROUND, Kind.TURN}


@dataclass(frozen=True)
class Line:
    """One line of the story, and what it is: a heading or something that happened."""

    kind: Kind
    text: str


@dataclass
class _Effect:
    """What follows from a deed: a text, or a change by points that may be told together with others like it."""

    text: str = ""
    change: str = ""
    what: str = ""
    points: int = 0
    prefix: str = ""

    @property
    def alike(self) -> object:
        """What effects have in common that can be told in one breath."""
        return (self.change, self.points, self.prefix, "'s " in self.what) if self.change else id(self)


@dataclass
class _Draft:
    """A line that effects are still added to."""

    kind: Kind
    head: str = ""
    subject: str = ""  # whom the head is about
    effects: list[_Effect] = field(default_factory=list)

    def line(self) -> Line | None:
        """The finished line; nothing if there is nothing to tell."""
        parts = _clauses(self.effects)
        if self.kind is Kind.CAUSE:
            parts[:1] = [f"{self.head}: {first}" for first in parts[:1]]
        elif self.head:
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
    """Effects in words: like ones together, a prefix before what it led to."""
    found: list[str] = []
    last = ""
    for _, alike in groupby(effects, key=lambda effect: effect.alike):
        group = list(alike)
        prefix, told = group[0].prefix, _told(group)
        if prefix and prefix == last:
            found[-1] += f", {told}"
        else:
            found.append(f"{prefix}: {told}" if prefix else told)
        last = prefix
    return found


def _told(group: Sequence[_Effect]) -> str:
    first = group[0]
    if not first.change:
        return first.text
    what = listed([effect.what for effect in group]) if first.what else counted(len(group), "card")
    verb = first.change if len(group) > 1 else f"{first.change}s"
    return f"{what} {verb} {'the hand with the fallen' if first.change == 'leave' else f'by {first.points}'}"


class Narrator:
    """Tells a run to a side, to the public, or to a spectator who may see everything."""

    def __init__(self, packed: Packed, viewer: str | None = None, codex: Codex | None = None) -> None:
        self.titles = Titles(packed, codex)
        self.viewer = viewer
        self._drafts: list[_Draft] = []
        self._strike = "the Strike"  # the last one declared
        self._awaits_answer = False  # whether the last thing told was its roll
        self._hits = False  # whether that was a hit, which a defender may be asked about
        self._prefix, self._reach = "", 0  # what the next changes follow from, and how many they are

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
        if told is Kind.PREFIX:
            self._prefix, self._reach = clause, 2 if event.kind == "morale_cascade" else 1
            return
        landing, self._awaits_answer = self._awaits_answer, event.kind == "strike_rolled"
        if event.kind == "strike_rolled":
            self._hits = self.titles.is_hit(event.tier)
            self._roll(clause)
        elif told is Kind.EFFECT:
            if landing and (not self._drafts or (self._hits and self.viewer)):
                self._drafts.append(_Draft(Kind.DEED, f"{self._strike} lands"))
            self._follow(event, clause)
        else:
            self._begin(event, told, clause)

    def _begin(self, event: Event, told: Kind, clause: str) -> None:
        """A new line, unless the open one has the same cause."""
        if event.kind == "card_played" and self.titles.cards[event.card].category == "strike":
            self._strike = self.titles.card(event.card)
        self._reach = 0
        same = told is Kind.CAUSE and self._drafts and self._drafts[-1].kind is told and self._drafts[-1].head == clause
        if not same:
            self._drafts.append(_Draft(told, clause, self.titles.who(event.side)))

    def _roll(self, clause: str) -> None:
        """A roll ends the sentence that declared the Strike, if nothing came between."""
        self._reach = 0
        last = self._drafts[-1] if self._drafts else None
        if last is not None and last.head.endswith(f"strikes with {self._strike}") and not last.effects:
            last.head += f": {clause}"
        else:
            self._drafts.append(_Draft(Kind.DEED, f"{self._strike}: {clause}"))

    def _follow(self, event: Event, clause: str) -> None:
        """An effect joins the open line; nothing is added to a heading."""
        if not self._drafts or self._drafts[-1].kind in HEADINGS:
            self._drafts.append(_Draft(Kind.EFFECT))
        effects = self._drafts[-1].effects
        if event.kind == "rallied" and effects and effects[-1].change == "rise":
            effects[-1].prefix = clause
            return
        effect = _Effect(clause)
        if event.kind == "discarded":
            effect = _Effect(change="leave", what="" if event.card == HIDDEN else self.titles.card(event.card))
        elif event.kind in CHANGES:
            what = self.titles.reducer(event.reducer, event.fields.get("seat"))
            effect = _Effect(change=CHANGES[event.kind], what=what, points=event.points)
        effect.prefix = self._spend_prefix(event)
        if effect.change in {"", "leave"} or effect.points:
            effects.append(effect)

    def _spend_prefix(self, event: Event) -> str:
        """The prefix of this effect: guards and losses belong to what led to them, anything else does not."""
        if event.kind not in {"hurt", "guarded"}:
            self._reach = 0
        prefix = self._prefix if self._reach else ""
        self._reach = max(self._reach - (event.kind == "hurt"), 0)
        return prefix


def _is_opening_draw(ahead: Sequence[Event]) -> bool:
    """Whether a draw is part of dealing an opening hand, which is told once it is complete."""
    return next((event.kind == "hand_dealt" for event in ahead if event.kind != "drew"), False)
