"""Which decisions may be taken back: those after which nobody has rolled dice, answered, or learnt anything.

>>> fight = Encounter("boar", seed=809).play(["keep", "keep"])
>>> why_final(fight, fight.copy().play(["energy stone_memory"]))
''
>>> why_final(fight, fight.copy().play(["end"]))
'it is the other side that decides now'
"""

from __future__ import annotations

import numpy as np

from cartomancer.encounters.actions import split
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel.codes import Verb


def why_final(before: Encounter, after: Encounter) -> str:
    """Why the decision that leads from one position to the next cannot be taken back; nothing where it can.

    Dice, draws and every other chance come from the random streams, so a stream that moved tells all of them. A card
    played past face-down Traps shows at least which of them do not wait for it.
    """
    side = int(before.state["actor"])
    was, now = (fight.state["sides"][1 - side] for fight in (before, after))
    if not np.array_equal(before.state["streams"], after.state["streams"]):
        return "dice were rolled or cards drawn"
    if int(was["known"]) != int(now["known"]):
        return "it showed a hidden card"
    if int(was["trap_count"]) and split(after.actions[-1])[0] == Verb.PLAY:
        return "it was played past a face-down Trap, which says something about the Trap"
    if after.decision is None or int(after.state["actor"]) != side:
        return "it is the other side that decides now"
    return ""
