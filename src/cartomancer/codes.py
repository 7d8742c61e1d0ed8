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
    *("none", "monster", "elite", "shop", "port", "treasure", "unknown", "event", "boss"),
    *("combat", "rest", "cache", "rival_intrusion", "shrine", "memory_shrine", "trap"),
)
KIND_CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(KIND_NAMES) if code}

# --- map families that kernels tell apart -----------------------------------------------------------------------------
VOYAGE: Final = 0
CONTRACT: Final = 1
GUARDIAN: Final = 2
OUTSIDE: Final = 3  # drawn in Python: the compiled generators do not know it

# --- named random streams: a new roll in one can never shift another ------------------------------------------------
STREAM_SKELETON: Final = 0
STREAM_TYPES: Final = 1
STREAM_TREASURE: Final = 2
STREAM_REPAIR: Final = 3
MAP_STREAMS: Final = 4  # the streams above live in every graph
STREAM_UNKNOWN: Final = 16
STREAM_CACHE: Final = 17
STREAM_TRAITS: Final = 18
STREAM_SHOP: Final = 19
STREAM_TRIAL: Final = 20
STREAM_INTRUSION: Final = 21
STREAM_ENCOUNTER: Final = 22
STREAM_WALK: Final = 23
STREAM_COSMETIC: Final = 24
STREAM_FIGHT: Final = 32  # an encounter's own: dice, two decks, chance
STREAM_PLAYOUT: Final = 40  # both sides of a random playout
STREAM_OPPONENT: Final = 41  # a random player in a game with people
STREAM_PLAYER: Final = 42  # the computer players of both sides
STREAM_BATCH: Final = 43  # the seeds of a batch's runs
STREAM_SAMPLE: Final = 44  # which compositions are sampled
STREAM_SEARCH: Final = 45  # the steps a tuner tries
STREAM_STUDY: Final = 46  # which decisions of a run are studied, and their rollouts
STREAM_RUN: Final = 47  # what is rolled on the nodes of a run
STREAM_EXPLORER: Final = 48  # the choices of a random explorer
