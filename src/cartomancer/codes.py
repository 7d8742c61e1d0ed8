"""The integer vocabulary of the kernels: node kinds, families, random streams, cell flags, log events.

Kernels speak in these numbers only; everything above them speaks in the names. A code never changes its
meaning once released: saved maps, replays and random streams depend on it.
"""

from __future__ import annotations

from typing import Final

# --- node kinds: four bits, shared by all families so that analytics need to know only one alphabet -------------
NONE: Final = 0
MONSTER: Final = 1
ELITE: Final = 2
SHOP: Final = 3
PORT: Final = 4
TREASURE: Final = 5
UNKNOWN: Final = 6
EVENT: Final = 7
BOSS: Final = 8
COMBAT: Final = 9
REST: Final = 10
CACHE: Final = 11
RIVAL_INTRUSION: Final = 12
SHRINE: Final = 13
MEMORY_SHRINE: Final = 14
TRAP: Final = 15
KINDS: Final = 16

KIND_NAMES: Final[tuple[str, ...]] = (
    "none",
    "monster",
    "elite",
    "shop",
    "port",
    "treasure",
    "unknown",
    "event",
    "boss",
    "combat",
    "rest",
    "cache",
    "rival_intrusion",
    "shrine",
    "memory_shrine",
    "trap",
)
KIND_CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(KIND_NAMES) if code}

# --- map families -------------------------------------------------------------------------------------------------
VOYAGE: Final = 0
CONTRACT: Final = 1
GUARDIAN: Final = 2
FAMILY_NAMES: Final[tuple[str, ...]] = ("voyage", "contract", "guardian")
FAMILY_KINDS: Final[dict[str, tuple[str, ...]]] = {
    "voyage": ("monster", "elite", "shop", "port", "treasure", "unknown", "event", "boss"),
    "contract": ("combat", "elite", "event", "rest", "cache", "shop", "rival_intrusion", "boss"),
    "guardian": ("combat", "elite", "rest", "shop", "shrine", "memory_shrine", "event", "trap", "boss"),
}

# --- named random streams: a new roll in one can never shift another ------------------------------------------------
STREAM_SKELETON: Final = 0
STREAM_TYPES: Final = 1
STREAM_TREASURE: Final = 2
STREAM_REPAIR: Final = 3
MAP_STREAMS: Final = 4  # the streams above live in every chart
STREAM_UNKNOWN: Final = 16
STREAM_CACHE: Final = 17
STREAM_TRAITS: Final = 18
STREAM_SHOP: Final = 19
STREAM_TRIAL: Final = 20
STREAM_INTRUSION: Final = 21
STREAM_ENCOUNTER: Final = 22
STREAM_WALK: Final = 23
STREAM_COSMETIC: Final = 24

# --- cell flags -----------------------------------------------------------------------------------------------------
LOCKED: Final = 1  # fixed by the rules: no repair may touch it
FORCED: Final = 2  # a guarantee put its type here
WAIVED: Final = 4  # the last resort: Monster although a rule says no

# --- log events (what a generator did, in order) --------------------------------------------------------------------
EVENT_FIXED: Final = 1  # row, slot, kind, rule
EVENT_WEIGHED: Final = 2  # row, slot, kinds forbidden by: the row, a repeat, a split
EVENT_ROLLED: Final = 3  # row, slot, kind, 1 if it stood
EVENT_NARROWED: Final = 4  # row, slot, kind drawn among what is allowed
EVENT_SEARCHED: Final = 5  # row, slot, 1 if a retyped neighbourhood made room
EVENT_WAIVED: Final = 6  # row, slot, kind
EVENT_FORCED: Final = 7  # row, slot, kind, rule
EVENT_VIOLATION: Final = 8  # row, slot, rule, other row, other slot
EVENT_FIELDS: Final = 6

# --- rules: one code per rule object of `cartomancer.maps.rulebook` -------------------------------------------------
RULE_FIRST_ROW: Final = 1
RULE_TREASURE_ROW: Final = 2
RULE_PRE_BOSS_PORTS: Final = 3
RULE_BOSS_ROW: Final = 4
RULE_ROW_BAN: Final = 5
RULE_ELITE_UNLOCK: Final = 6
RULE_NO_REPEAT: Final = 7
RULE_SPLIT_UNIQUE: Final = 8
RULE_SINGLE_TREASURE: Final = 9
RULE_STEP_TABLE: Final = 10
RULE_STEP_CAP: Final = 11
RULE_RELIEF: Final = 12
RULE_REQUIREMENT: Final = 13
RULE_GUARANTEE: Final = 14
RULE_FLOOR_PLAN: Final = 15
RULE_ACT_TABLE: Final = 16
RULE_RUN_CAP: Final = 17
RULE_ACT_CAP: Final = 18
RULE_QUIET_LAYERS: Final = 19
RULE_REACHABLE: Final = 20
RULE_ONWARD: Final = 21
RULE_ONE_BOSS: Final = 22
RULE_STEP: Final = 23
RULE_NO_CROSSING: Final = 24
RULE_TWO_STARTS: Final = 25
RULE_LAYER_SIZE: Final = 26
RULE_EDGE_COUNT: Final = 27
RULE_LANES: Final = 28
RULE_PATHS: Final = 29
RULE_CODES: Final = 30
