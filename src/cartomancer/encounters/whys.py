"""Why things happened: every roll and every change of some events, with its cause and the rule behind it.

>>> from cartomancer.encounters.encounter import Encounter
>>> fight = Encounter("boar", seed=42).play(["keep"])
>>> whys(Titles(fight.packed), fight.apply("keep"))[0]
"The Thornback Boar's vitality falls by 1: the room's auto-effects (Root Hollow)."
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cartomancer.content.rules_text import card_text
from cartomancer.encounters.event import HIDDEN, Event
from cartomancer.encounters.events import TABLE, clause_of
from cartomancer.encounters.kernel.causes import Cause
from cartomancer.encounters.sentences import Kind, Titles

UNTOLD = {Cause.NOTHING.word, Cause.PLAY.word, Cause.ROUND.word, Cause.DEAL.word, Cause.TURN.word}


def whys(titles: Titles, happened: Iterable[Event]) -> list[str]:
    """What a side may be told, as it is told, of the events it may see: redact them before."""
    return [f"{clause[0].upper()}{clause[1:]}." for event in happened for clause in _clauses(titles, event)]


def _clauses(titles: Titles, event: Event) -> Iterator[str]:
    clause = clause_of(titles, event)
    if event.kind == "strike_rolled":
        yield _roll(titles, event)
    elif event.kind in {"card_played", "trap_sprung", "reacted"}:
        yield f"{clause}: {card_text(titles.cards[event.card]).removesuffix('.')}"
    elif TABLE[event.kind].told is Kind.EFFECT and event.fields.get("cause", Cause.NOTHING.word) not in UNTOLD:
        if event.fields.get("points") != 0:
            yield f"{clause}: {_cause(titles, event)}"


def _roll(titles: Titles, event: Event) -> str:
    """A contested roll with its margin, and what its tier does [GDD 4.9]."""
    margin = event.attack - event.defence
    tier = next(tier for tier in titles.codex.resolution.tiers if tier.id == event.tier)
    hits = f"{tier.attacker_percent} % of the power hits" if tier.attacker_percent else "nothing hits"
    back = f"{tier.defender_percent} % comes back" if tier.defender_percent else "nothing comes back"
    return f"{event.attack} against {event.defence} is a margin of {margin:+d}, {tier.id}: {hits}, {back}"


def _cause(titles: Titles, event: Event) -> str:
    """The rule behind a change, and the card, modifier or room it acts by."""
    cause = Cause[event.cause.upper()]
    source = event.fields.get("source")
    if not source or source == HIDDEN:
        return cause.meaning
    titled: dict[str, Callable[[str], str]] = {"card": titles.card, "room": titles.room}
    title = titled[cause.source](source) if cause.source in titled else str(source).replace("_", " ")
    return f"{cause.meaning} ({title})"
