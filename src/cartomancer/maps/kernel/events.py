"""The kernels' words for what happens to a map: marks on cells, log events, rule codes.

They are NumPy integers, not Python ones: numba would compile a function anew for every literal it is called with.
"""

from __future__ import annotations

import numpy as np

NOTHING = np.int64(0)  # an event's unused field
STOOD = np.int64(1)  # a roll that was not banned
NOWHERE = np.int64(-1)  # an event's missing row or slot

# --- cell flags -----------------------------------------------------------------------------------------------------
LOCKED = np.int64(1)  # fixed by the rules: no repair may touch it
FORCED = np.int64(2)  # a guarantee put its type here
WAIVED = np.int64(4)  # the last resort: Monster although a rule says no

# --- log events (what a generator did, in order) --------------------------------------------------------------------
EVENT_FIXED = np.int64(1)  # row, slot, kind, rule
EVENT_WEIGHED = np.int64(2)  # row, slot, kinds forbidden by: the row, a repeat, a split
EVENT_ROLLED = np.int64(3)  # row, slot, kind, 1 if it stood
EVENT_NARROWED = np.int64(4)  # row, slot, kind drawn among what is allowed
EVENT_SEARCHED = np.int64(5)  # row, slot, 1 if a retyped neighbourhood made room
EVENT_WAIVED = np.int64(6)  # row, slot, kind
EVENT_FORCED = np.int64(7)  # row, slot, kind, rule, which requirement
EVENT_VIOLATION = np.int64(8)  # row, slot, rule, other row, other slot
EVENT_FIELDS = 6

# --- rules: one code per rule object of the families and of `cartomancer.maps.rulebook` -------------------------------
RULE_FIRST_ROW = np.int64(1)
RULE_TREASURE_ROW = np.int64(2)
RULE_PRE_BOSS_PORTS = np.int64(3)
RULE_BOSS_ROW = np.int64(4)
RULE_ROW_BAN = np.int64(5)
RULE_ELITE_UNLOCK = np.int64(6)
RULE_NO_REPEAT = np.int64(7)
RULE_SPLIT_UNIQUE = np.int64(8)
RULE_SINGLE_TREASURE = np.int64(9)
RULE_STEP_TABLE = np.int64(10)
RULE_STEP_CAP = np.int64(11)
RULE_RELIEF = np.int64(12)
RULE_REQUIREMENT = np.int64(13)
RULE_GUARANTEE = np.int64(14)
RULE_FLOOR_PLAN = np.int64(15)
RULE_ACT_TABLE = np.int64(16)
RULE_RUN_CAP = np.int64(17)
RULE_ACT_CAP = np.int64(18)
RULE_QUIET_LAYERS = np.int64(19)
RULE_REACHABLE = np.int64(20)
RULE_ONWARD = np.int64(21)
RULE_ONE_BOSS = np.int64(22)
RULE_STEP = np.int64(23)
RULE_NO_CROSSING = np.int64(24)
RULE_TWO_STARTS = np.int64(25)
RULE_LAYER_SIZE = np.int64(26)
RULE_EDGE_COUNT = np.int64(27)
RULE_LANES = np.int64(28)
RULE_PATHS = np.int64(29)
RULE_DETAILS = np.int64(30)
RULE_DISTINCT_SIBLINGS = np.int64(31)
RULE_OUTSIDE = 32  # a family from outside numbers its rules from here on
RULE_CODES = 64
