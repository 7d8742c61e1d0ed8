"""The rules record: everything a generator may vary, packed to integers. Nothing a designer turns is a constant."""

from __future__ import annotations

import numpy as np

from cartomancer.codes import KINDS
from cartomancer.maps.kernel.graph import MAX_ROWS, numbers

MAX_STEPS = 8
MAX_ACTS = 5
MAX_LAYERS = 16
MAX_REQUIREMENTS = 8
MAX_GUARANTEES = 4
NO_CAP = 255

VOYAGE_RULES = np.dtype(
    [
        *numbers("paths", "rerolls", "search_steps", "search_attempts", "ignore_adjacency"),
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

# `number`: its place among all requirements, for explanations
# `distinct`: count different kinds instead of steps
REQUIREMENT = np.dtype(numbers("kinds", "need", "distinct", "first", "last", "rule", "number"), align=True)
# `step`: the one that is forced if the kinds are too few
GUARANTEE = np.dtype(numbers("kinds", "need", "first", "last", "step", "lanes", "kind", "rule", "number"), align=True)

CONTRACT_RULES = np.dtype(
    [
        ("single", np.uint8, MAX_STEPS),  # the step has one node, where the lanes meet
        ("table", np.int64, (MAX_STEPS, 2, KINDS)),
        ("cap", np.uint8, KINDS),
        # a relief_if_step of −1: no such rule
        *numbers("relief_if_step", "relief_if_kind", "relief_step", "relief_kinds"),
        *numbers("per_path", "switching", "requirement_count", "guarantee_count"),
        ("requirements", REQUIREMENT, MAX_REQUIREMENTS),
        ("guarantees", GUARANTEE, MAX_GUARANTEES),
    ],
    align=True,
)

GUARDIAN_RULES = np.dtype(
    [
        ("act", np.uint8, MAX_LAYERS),
        ("fixed", np.uint8, MAX_LAYERS),  # the kind a floor is made of, 0: a random floor
        *numbers("nodes_least", "nodes_most", "edges_most", "quiet_layers", "quiet_kinds", "distinct_siblings"),
        ("run_cap", np.uint8, KINDS),
        ("act_cap", np.uint8, KINDS),
        ("weights", np.int32, (MAX_ACTS, KINDS)),
    ],
    align=True,
)

RULES = np.dtype(
    [
        *numbers("family", "rows", "slots", "choice_seconds"),
        ("danger", np.int32, KINDS),
        ("seconds", np.int32, KINDS),  # of play that a node takes; all 0: the family has no pacing table
        ("odds", np.int32, (MAX_ROWS, KINDS)),  # of a family from outside; the others have tables of their own
        ("voyage", VOYAGE_RULES),
        ("contract", CONTRACT_RULES),
        ("guardian", GUARDIAN_RULES),
    ],
    align=True,
)
