"""What a survey counts besides cards and causes: events, and keywords that did something."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.events import EVENTS, Happening


class Fact(NamedTuple):
    """What is counted besides cards and causes: an event, or a keyword that did something."""

    name: str
    meaning: str
    event: Happening = Happening.KEYWORD_FIRED
    keyword: int = 0
    suffered: bool = False  # whether the event names the side that suffers it, not the one whose doing it is


FACTS = (
    Fact("entangle", "the opponent was entangled", keyword=codes.Keyword.ENTANGLE),
    Fact("erode", "points were laid that the opponent loses next round", keyword=codes.Keyword.ERODE),
    Fact("drain", "damage healed the striker", keyword=codes.Keyword.DRAIN),
    Fact("overwhelm", "excess damage spilled to another resource", keyword=codes.Keyword.OVERWHELM),
    Fact("resonate", "power gained from the same type twice in a row", keyword=codes.Keyword.RESONATE),
    Fact("cleave", "a hit shared among all standing members", keyword=codes.Keyword.CLEAVE),
    Fact("focused", "a Strike drawn to the weakest of several members", keyword=codes.Keyword.FOCUSED),
    Fact("piercing", "a wound that cannot be healed in its room", keyword=codes.Keyword.PIERCING),
    Fact(
        "erode_suppressed",
        "Erode without effect: the room presses that resource already",
        Happening.ERODE_SUPPRESSED,
        suffered=True,
    ),
    Fact("trigger", "a card's trigger changed what it did", Happening.TRIGGERED),
    Fact("trap_laid", "Traps laid", Happening.TRAP_LAID),
    Fact("trap_sprung", "Traps that sprang", Happening.TRAP_SPRUNG),
    Fact("trap_disarmed", "the opponent's Traps removed", Happening.TRAP_DISARMED, suffered=True),
    Fact("react", "Reacts played", Happening.REACTED),
    Fact("offer_made", "Offers and Covenants made", Happening.OFFERED),
    Fact("offer_accepted", "Offers and Covenants this side accepted", Happening.OFFER_ACCEPTED),
    Fact("offer_refused", "Offers this side refused", Happening.OFFER_REFUSED),
    Fact("covenant_refused", "Covenants this side refused", Happening.COVENANT_REFUSED),
    Fact("test_put", "Tests put to the opponent", Happening.TEST_PUT),
    Fact("test_cooperated", "Tests in which this side cooperated", Happening.COOPERATED),
    Fact("test_defected", "Tests in which this side defected", Happening.DEFECTED),
    Fact("restraint", "Strikes held back", Happening.RESTRAINED),
    Fact("activation", "cards discarded for energy", Happening.CARD_ACTIVATED),
    Fact("rally", "clean hits that gave heart", Happening.RALLIED),
    Fact("betrayal", "trust betrayed by a Strike", Happening.BETRAYED, suffered=True),
    Fact("scorn", "a cooperating dungeon struck", Happening.SCORNED, suffered=True),
    Fact("knock_out", "members of the party knocked out", Happening.KNOCKED_OUT, suffered=True),
)
_NO_FACT = -1
FACT_OF = np.full(EVENTS, _NO_FACT, np.int64)
FACT_OF_KEYWORD = np.full(int(max(codes.Keyword)) + 1, _NO_FACT, np.int64)
SUFFERED = np.zeros(EVENTS, np.int64)
for _place, _fact in enumerate(FACTS):
    if _fact.keyword:
        FACT_OF_KEYWORD[_fact.keyword] = _place
    else:
        FACT_OF[_fact.event] = _place
        SUFFERED[_fact.event] = _fact.suffered
