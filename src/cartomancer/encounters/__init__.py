"""The card game: encounters between a dungeon and its visitor, played decision by decision.

`kernel` holds the rules on flat state; everything here is the readable face above it. Start with `Encounter`.
"""

from cartomancer.encounters.encounter import RULESET, Decision, Encounter, Outcome
from cartomancer.encounters.event import Event
from cartomancer.encounters.events import redacted
from cartomancer.encounters.narration import Narrator
from cartomancer.encounters.observation import observe
from cartomancer.encounters.odds import ContestOdds, contest_odds
from cartomancer.encounters.playouts import Playouts, random_playouts
from cartomancer.encounters.replay import (
    Replay,
    from_notation,
    load_replay,
    notation,
    play_replay,
    read_replay,
    record,
)
from cartomancer.errors import DivergedError, IllegalActionError, ReplayError

__all__ = [
    "RULESET",
    "ContestOdds",
    "Decision",
    "DivergedError",
    "Encounter",
    "Event",
    "IllegalActionError",
    "Narrator",
    "Outcome",
    "Playouts",
    "Replay",
    "ReplayError",
    "contest_odds",
    "from_notation",
    "load_replay",
    "notation",
    "observe",
    "play_replay",
    "random_playouts",
    "read_replay",
    "record",
    "redacted",
]
