"""What made a change, in words: "Drain", "Gore's backlash", "the room". A story names it with every change.

>>> AGENTS["reversal"].full("Gore", foe="the boar"), AGENTS["reversal"].short
("Gore's backlash", 'the backlash')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cartomancer.encounters.kernel.causes import Cause

IT: Final = "it"


@dataclass(frozen=True)
class Agent:
    """The words for a cause: in full, and in a line that is about its card already."""

    long: str  # {source} is its card or modifier, in {whose} possessive; {foe} the side across from the one it befalls
    short: str = ""  # as the long one, where there is none
    laid: str = ""  # of what lay there before it acted, where the story knows which cards laid it
    many: bool = False

    def full(self, source: str, foe: str) -> str:
        """The words in full."""
        return _named(self.long, source, foe)

    def of(self, laid: str) -> str:
        """The words for what some cards laid."""
        return _named(self.laid, laid)


def _named(words: str, source: str, foe: str = "") -> str:
    return words.format(source=source, whose=f"{source}'" if source.endswith("s") else f"{source}'s", foe=foe)


def _card(part: str = "", short: str = "") -> Agent:
    """A card, or a part of it."""
    return Agent(f"{{whose}} {part}", short or part) if part else Agent("{source}", IT)


_WORDS: Final[dict[Cause, Agent]] = {
    Cause.NOTHING: Agent("the course of the game"),
    **dict.fromkeys(
        (
            *(Cause.PLAY, Cause.ACTIVATION, Cause.STRIKE, Cause.TRAP, Cause.REACT, Cause.COUNTER, Cause.EMPOWER),
            *(Cause.DISRUPT, Cause.RESHAPE, Cause.RESTORATION, Cause.ENERGY, Cause.OFFER, Cause.TEST),
        ),
        _card(),
    ),
    Cause.CLEAVE: _card("Cleave"),
    Cause.REVERSAL: _card("backlash", "the backlash"),
    Cause.DRAIN: _card("Drain"),
    Cause.OVERWHELM: _card("Overwhelm"),
    Cause.RALLY: Agent("the rally"),
    Cause.SELF_COST: _card("own price", "its own price"),
    Cause.REFLECT: Agent("what {source} throws back", "what it throws back"),
    Cause.ERODE: Agent("Erode", laid="{whose} Erode"),
    Cause.THORNS: Agent("thorns", laid="the thorns of {source}", many=True),
    Cause.FLAT_COST: _card("price", "its price"),
    Cause.BINDING_COST: Agent("a binding", laid="the binding of {source}"),
    Cause.EXPOSURE_COST: _card("price", "its price"),
    Cause.EXTRACTION_COST: _card("price", "its price"),
    Cause.DEPENDENCY_COST: Agent("a broken dependency", laid="the broken dependency of {source}"),
    Cause.REFUSAL: Agent("the good will shown"),
    Cause.COVENANT: Agent("the refused Covenant"),
    Cause.DEFECTION: Agent("the defection"),
    Cause.RESTRAINT: Agent("the restraint"),
    Cause.BETRAYAL: Agent("the betrayal"),
    Cause.SCORN: Agent("the scorn"),
    Cause.BOND: Agent("the Bond"),
    Cause.ROOM: Agent("the room"),
    Cause.ESCALATION: Agent("the escalation"),
    Cause.CASCADE: Agent("the shock"),
    Cause.KNOCK_OUT: Agent("the fall"),
    Cause.DEAL: Agent("the deal"),
    Cause.MULLIGAN: Agent("the mulligan"),
    Cause.ROUND: Agent("the round"),
    Cause.TURN: Agent("the turn"),
    Cause.PASSAGE: Agent("the way between the rooms"),
    **dict.fromkeys(
        (Cause.MODIFIER, Cause.HAZARD, Cause.REGENERATION, Cause.RESCUE, Cause.COMPOSURE), Agent("{source}")
    ),
    Cause.REINFORCEMENTS: Agent("{foe}'s reinforcements", many=True),
    Cause.OPENING_STRIKE: Agent("the opening strike"),
    Cause.COUNTERSTRIKE: Agent("the counterstrike"),
    Cause.SPLASH: Agent("the splash"),
    Cause.POISON: Agent("venom"),
}
AGENTS: Final[dict[str, Agent]] = {cause.word: agent for cause, agent in _WORDS.items()}
