"""Rules as objects: sampler, validator, repair, explanation and docs all mean the same rule by the same id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.maps.kernel import events


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a map family."""

    code: np.signedinteger[Any]
    id: str
    title: str
    statement: str
    cite: str

    @property
    def family(self) -> str:
        return self.id.split(".")[0]


RULES: Final[tuple[Rule, ...]] = (
    Rule(
        events.RULE_FIRST_ROW,
        "voyage.first-row",
        "First row",
        "Every node of row 1 is a Monster.",
        "[Voyage P1]",
    ),
    Rule(
        events.RULE_TREASURE_ROW,
        "voyage.treasure-row",
        "Treasure row",
        "Every node of the treasure row, ⌈0.6·R⌉ kept between 3 and R−2, is a Treasure.",
        "[Voyage P1], M1",
    ),
    Rule(
        events.RULE_PRE_BOSS_PORTS,
        "voyage.pre-boss-ports",
        "Ports before the boss",
        "Every node of row R−1 is a Port.",
        "[Voyage P1]",
    ),
    Rule(
        events.RULE_BOSS_ROW,
        "voyage.boss-row",
        "Boss row",
        "Row R is the Boss, and no other row holds one.",
        "[Voyage P1]",
    ),
    Rule(
        events.RULE_ROW_BAN,
        "voyage.row-ban",
        "Row bans",
        "No Port on row R−2, and nothing that the preset's row_bans forbid on a row.",
        "[Voyage P1]",
    ),
    Rule(
        events.RULE_ELITE_UNLOCK,
        "voyage.elite-unlock",
        "Elite unlock",
        "No Elite before row ⌈0.35·R⌉, and never on row 1.",
        "[Voyage P1]",
    ),
    Rule(
        events.RULE_NO_REPEAT,
        "voyage.no-repeat",
        "No repeats",
        "Along an edge no Elite follows an Elite, no Shop a Shop, no Port a Port.",
        "[Voyage P2]",
    ),
    Rule(
        events.RULE_SPLIT_UNIQUE,
        "voyage.split-unique",
        "Different ways",
        "Ways that part at a node lead to different types, unless the row is uniform by design.",
        "[Voyage P2]",
    ),
    Rule(
        events.RULE_SINGLE_TREASURE,
        "voyage.single-treasure",
        "Single treasure",
        "Exactly one locked Treasure lies on a path within the window of rows.",
        "[Skeleton B.1], M2",
    ),
    Rule(
        events.RULE_STEP_TABLE,
        "contract.step-table",
        "Step tables",
        "A node's type comes from its step's table for its lane.",
        "[Contracts 2]",
    ),
    Rule(
        events.RULE_STEP_CAP,
        "contract.cap",
        "Caps",
        "No type appears in more steps than its cap allows.",
        "[Contracts 2], M7",
    ),
    Rule(
        events.RULE_RELIEF,
        "contract.relief",
        "Relief",
        "If the hard type appears in its step, every node of the relief step is one of the soft types.",
        "[Contracts 2.5]",
    ),
    Rule(
        events.RULE_REQUIREMENT,
        "contract.requirement",
        "Requirements",
        "Every map (or, by scope, every path) holds at least the required types.",
        "[Contracts 0, 2], M7, M9",
    ),
    Rule(
        events.RULE_GUARANTEE,
        "contract.guarantee",
        "Guarantees",
        "If a type is missing by a step, a step is forced to be it.",
        "[Contracts 2], M8",
    ),
    Rule(
        events.RULE_FLOOR_PLAN,
        "guardian.floor-plan",
        "Floor plan",
        "Entrances are combat, memory floors memory shrines, last floors guardians.",
        "[Guardian], M12",
    ),
    Rule(
        events.RULE_ACT_TABLE,
        "guardian.act-table",
        "Act tables",
        "A random node's type has a weight in its act's table.",
        "[Guardian]",
    ),
    Rule(
        events.RULE_RUN_CAP,
        "guardian.run-cap",
        "Run caps",
        "No more elites, rests and shops in a run than their caps.",
        "[Guardian], M12",
    ),
    Rule(
        events.RULE_ACT_CAP,
        "guardian.act-cap",
        "Act caps",
        "No more elites in an act than its cap.",
        "[Guardian], M12",
    ),
    Rule(
        events.RULE_QUIET_LAYERS,
        "guardian.quiet-layers",
        "Quiet layers",
        "The first layers hold neither elites nor rests.",
        "[Guardian: acceptance criterion 7], M12",
    ),
    Rule(
        events.RULE_REACHABLE,
        "map.reachable",
        "Reachable",
        "An edge leads to every node that is not on the first row.",
        "[Voyage P4], [Guardian: acceptance criterion 3]",
    ),
    Rule(
        events.RULE_ONWARD,
        "map.onward",
        "Onward",
        "Every node before the last row leads on, so every start reaches the boss.",
        "[Voyage P4]",
    ),
    Rule(
        events.RULE_ONE_BOSS,
        "map.one-boss",
        "One boss",
        "The last row is one boss node.",
        "[Voyage P1], [Contracts 0], [Guardian]",
    ),
    Rule(
        events.RULE_STEP,
        "voyage.step",
        "Steps",
        "An edge moves at most one column sideways, except into the boss.",
        "[Skeleton A], M3",
    ),
    Rule(
        events.RULE_NO_CROSSING,
        "voyage.no-crossing",
        "No crossings",
        "No two edges cross.",
        "[Skeleton A], M3",
    ),
    Rule(
        events.RULE_TWO_STARTS,
        "voyage.two-starts",
        "Two starts",
        "There are at least two nodes to start from.",
        "M3",
    ),
    Rule(
        events.RULE_PATHS,
        "voyage.paths",
        "Paths",
        "As many different paths as the rules ask for follow the edges, and every node lies on one.",
        "[Skeleton A], M3",
    ),
    Rule(
        events.RULE_DETAILS,
        "map.details",
        "Details",
        "What a node says of itself (its lane; its layer, floor, act, guardian, memory and kind of encounter) follows "
        "from its place and type.",
        "[Guardian: acceptance criterion 10]",
    ),
    Rule(
        events.RULE_LAYER_SIZE,
        "guardian.layer-size",
        "Layer size",
        "A random floor has as many nodes as the knobs allow, every other floor one.",
        "[Guardian], M12",
    ),
    Rule(
        events.RULE_EDGE_COUNT,
        "guardian.edge-count",
        "Edge count",
        "No node has more ways onward than the knob allows.",
        "[Guardian]",
    ),
    Rule(
        events.RULE_LANES,
        "contract.lanes",
        "Lanes",
        "Edges lead to either lane of the next step, or stay in their lane where lanes are locked.",
        "M10",
    ),
)

BY_CODE: Final[dict[int, Rule]] = {int(rule.code): rule for rule in RULES}
BY_ID: Final[dict[str, Rule]] = {rule.id: rule for rule in RULES}


# rules of nodes and edges, which no retyping can mend
GRAPH_RULES: Final[frozenset[int]] = frozenset(
    int(code)
    for code in (
        events.RULE_REACHABLE,
        events.RULE_ONWARD,
        events.RULE_STEP,
        events.RULE_NO_CROSSING,
        events.RULE_TWO_STARTS,
        events.RULE_PATHS,
        events.RULE_LAYER_SIZE,
        events.RULE_EDGE_COUNT,
        events.RULE_LANES,
        events.RULE_ONE_BOSS,
    )
)


def rules_of(family: str) -> list[Rule]:
    """The rules a family honours: its own and those of every map."""
    return [rule for rule in RULES if rule.family in {family, "map"}]
