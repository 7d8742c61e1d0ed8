"""What a card can do for a combo line, in the words of content; and what waits on a side to act [GDD 4.4]."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cartomancer.encounters.kernel.codes import REDUCERS, Code, constants

if TYPE_CHECKING:

    def __getattr__(name: str) -> np.int64: ...


@constants()
class Deed(Code):
    """A deed of a card."""

    PLAYED = 1, "it is played"
    LANDED = 2, "its Strike takes points"
    EMPOWERED = 3, "its Strike takes points with an Empower on it"
    TRIGGERED = 4, "its trigger changes what it does"
    ENTANGLED = 5, "it Entangles"
    ERODED = 6, "the Erode it laid takes points"
    DRAINED = 7, "its Drain heals"
    SPILLED = 8, "its Overwhelm spills over"
    STOLE = 9, "it steals an Empower"
    SCRAMBLED = 10, "what it laid on a Strike turns it to another target"
    STRIPPED = 11, "what it laid on a Strike takes its keywords"
    WARDED = 12, "the Ward it gave stops points"
    COOPERATED = 13, "its Test is met with cooperation"
    ACCEPTED = 14, "its Offer is accepted"
    SPRUNG = 15, "its Trap springs"


# of which card waits on a side: a Ward, a handicap, and Erode of each reducer
WARD = np.int64(0)
STRIP = np.int64(1)
SCRAMBLE = np.int64(2)
ERODE = np.int64(3)
MARKS = 3 + REDUCERS
