"""The rules record: everything a generator may vary, packed to integers. Nothing a designer turns is a constant."""

from __future__ import annotations

import numpy as np

from cartomancer.codes import KINDS
from cartomancer.maps.kernel.graph import MAX_ROWS

MAX_STEPS = 8
MAX_ACTS = 5
MAX_LAYERS = 16
MAX_REQUIREMENTS = 8
MAX_GUARANTEES = 4
NO_CAP = 255

# floor plans of a guardian map
FLOOR_ENTRANCE = 0
FLOOR_RANDOM = 1
FLOOR_MEMORY = 2
FLOOR_BOSS = 3
FLOOR_PORTAL = 4

VOYAGE_RULES = np.dtype(
    [
        ("paths", np.int64),
        ("rerolls", np.int64),
        ("search_steps", np.int64),
        ("search_attempts", np.int64),
        ("no_repeat", np.int64),  # kinds that may not follow themselves
        ("split_unique", np.int64),
        ("treasure_first", np.int64),  # single treasure: its row window, 0-based; first > last: none
        ("treasure_last", np.int64),
        ("fixed", np.uint8, MAX_ROWS),  # the kind a whole row is made of, 0: free
        ("fixed_rule", np.uint8, MAX_ROWS),
        ("banned", np.uint16, MAX_ROWS),  # kinds a row may not hold
        ("ban_rule", np.uint8, (MAX_ROWS, KINDS)),  # and the rule that bans each
        ("cumulative", np.int32, (MAX_ROWS, KINDS)),  # running sums of the odds left after the row's bans
    ],
    align=True,
)

REQUIREMENT = np.dtype(
    [
        ("kinds", np.int64),
        ("need", np.int64),
        ("distinct", np.int64),  # count different kinds instead of steps
        ("first", np.int64),
        ("last", np.int64),
        ("rule", np.int64),
        ("number", np.int64),  # its place among all requirements, for explanations
    ],
    align=True,
)

GUARANTEE = np.dtype(
    [
        ("kinds", np.int64),
        ("need", np.int64),
        ("first", np.int64),
        ("last", np.int64),
        ("step", np.int64),  # the step that is forced if they are too few
        ("lanes", np.int64),
        ("kind", np.int64),
        ("rule", np.int64),
        ("number", np.int64),  # its place among all requirements, for explanations
    ],
    align=True,
)

CONTRACT_RULES = np.dtype(
    [
        ("single", np.uint8, MAX_STEPS),  # the step has one node, where the lanes meet
        ("table", np.int64, (MAX_STEPS, 2, KINDS)),
        ("cap", np.uint8, KINDS),
        ("relief_if_step", np.int64),  # −1: no such rule
        ("relief_if_kind", np.int64),
        ("relief_step", np.int64),
        ("relief_kinds", np.int64),
        ("per_path", np.int64),
        ("switching", np.int64),
        ("requirement_count", np.int64),
        ("guarantee_count", np.int64),
        ("requirements", REQUIREMENT, MAX_REQUIREMENTS),
        ("guarantees", GUARANTEE, MAX_GUARANTEES),
    ],
    align=True,
)

GUARDIAN_RULES = np.dtype(
    [
        ("floor", np.uint8, MAX_LAYERS),
        ("act", np.uint8, MAX_LAYERS),
        ("fixed", np.uint8, MAX_LAYERS),
        ("nodes_least", np.int64),
        ("nodes_most", np.int64),
        ("edges_most", np.int64),
        ("quiet_layers", np.int64),
        ("quiet_kinds", np.int64),
        ("run_cap", np.uint8, KINDS),
        ("act_cap", np.uint8, KINDS),
        ("weights", np.int32, (MAX_ACTS, KINDS)),
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("family", np.int64),
        ("rows", np.int64),
        ("slots", np.int64),
        ("danger", np.int32, KINDS),
        ("odds", np.int32, (MAX_ROWS, KINDS)),  # of a family from outside; the others have tables of their own
        ("voyage", VOYAGE_RULES),
        ("contract", CONTRACT_RULES),
        ("guardian", GUARDIAN_RULES),
    ],
    align=True,
)
