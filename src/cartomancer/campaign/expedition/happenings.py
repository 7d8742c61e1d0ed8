"""The table of happenings: every event of a run between its fights, its fields, and how it is told.

>>> tell(Happening("gold", {"points": 14, "cause": "reward of a combat"}))
'+14 gold: reward of a combat.'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

SENTENCES: Final[Mapping[str, str]] = {
    "entered": "{place}: {title}.",
    "resolved": "The unknown turns out to be {outcome}.",
    "rival": "{title}: {text}",
    "fight": "{title} bars the way.",
    "ended": "The fight ends: {outcome} after {rounds} round(s).",
    "gold": "{points:+} gold: {cause}.",
    "supplies": "{points:+} supplies: {cause}.",
    "vitality": "{who} {change} {points} vitality: {cause}.",
    "returned": "{who} comes round with {points} vitality.",
    "resolve": "{points:+} resolve: {cause}.",
    "nerve": "{points:+} nerve: {cause}.",
    "hook": "The hook {hook} is at step {step} now{whose}: {cause}.",
    "item": "{title} joins the packs: {cause}.",
    "used": "{title} is used up: {text}",
    "sold": "{title} is sold for {points} gold.",
    "gear": "{title} is worn by {who}.",
    "trained": "{who} trains {title}.",
    "swapped": "{who} carries {title} instead of {instead}.",
    "token": "{points} {token}: {cause}.",
    "modifier": "{title} is in force for {fights}: {cause}.",
    "told": "{text}",
    "declined": "The trial {title} is declined.",
    "accepted": "The trial {title} is accepted.",
    "fragment": "A fragment of memory, number {points}.",
    "heat": "{points:+} rival heat: {cause}.",
    "rested": "The deck is shuffled anew.",
    "passed": "{text}",
    "over": "The run is over: {outcome}.",
}


@dataclass(frozen=True)
class Happening:
    """One thing that happened to a party."""

    kind: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {"kind": self.kind, **self.fields}


def tell(happening: Happening) -> str:
    """It, in a sentence."""
    return SENTENCES[happening.kind].format(**happening.fields)
