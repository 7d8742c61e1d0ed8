"""The players' words: goals, stances, modes, kinds of players, and the parts a score is made of."""

from __future__ import annotations

import numpy as np

# --- goals of a profile [Bond 8] --------------------------------------------------------------------------------------
HARM = np.int64(0)
BOND = np.int64(1)
BETRAY = np.int64(2)
ADAPT = np.int64(3)

# --- stances: a profile has weights for each --------------------------------------------------------------------------
FIGHTING = np.int64(0)
COURTING = np.int64(1)
STANCES = 2

# --- strategic modes [GDD 7.1] ----------------------------------------------------------------------------------------
AGGRESSIVE = np.int64(0)
BALANCED = np.int64(1)
DEFENSIVE = np.int64(2)
DESPERATE = np.int64(3)
MODES = 4

# --- kinds of players -------------------------------------------------------------------------------------------------
RANDOM = np.int64(0)
HEURISTIC = np.int64(1)
SMART = np.int64(2)

# --- scores: one row for each card in hand or option, one column for each part of its score ---------------------------
VALUE = np.int64(0)  # the sum of the parts
COST = np.int64(1)
DAMAGE = np.int64(2)  # expected damage to the target, as this profile values that target
LETHAL = np.int64(3)
KEYWORDS = np.int64(4)
TRIGGER = np.int64(5)
BACKLASH = np.int64(6)  # what comes back, self-cost, what an Exhaust is held for
TRUST = np.int64(7)
GUARD = np.int64(8)  # damage prevented: heal, ward, fortify, disrupt, counter
GAIN = np.int64(9)  # cards, traps, buffs
CHANCE = np.int64(10)  # of a reply: the weight or probability it is chosen with
MODE = np.int64(11)  # what mode and category weight made of the parts
COLUMNS = 12
ROWS = 16
PARTS = (
    *("value", "cost", "damage", "lethal", "keywords", "trigger"),
    *("backlash", "trust", "guard", "gain", "chance", "mode"),
)
assert len(PARTS) == COLUMNS
