"""Who decides in a fight: computer players, many runs between them, why they choose, who is stronger.

>>> from cartomancer.players import Player, duel
>>> duel("boar", Player("heuristic"), Player("random"), pairs=10).share > 0.5
True

One's own player is any object with `choose(encounter)`. Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cartomancer.lazy import lazily

if TYPE_CHECKING:
    from cartomancer.players.duels import Duel, Ladder, duel, ladder
    from cartomancer.players.explanation import Explanation
    from cartomancer.players.player import Chooser, Player, Players, make_players, play_out
    from cartomancer.players.policies import PlayerSpec, player_spec
    from cartomancer.players.reasons import explain
    from cartomancer.players.simulation import Simulation, simulate

__all__ = [
    "Chooser",
    "Duel",
    "Explanation",
    "Ladder",
    "Player",
    "PlayerSpec",
    "Players",
    "Simulation",
    "duel",
    "explain",
    "ladder",
    "make_players",
    "play_out",
    "player_spec",
    "simulate",
]
__getattr__, __dir__ = lazily(
    __name__,
    {
        "duels": ("Duel", "Ladder", "duel", "ladder"),
        "explanation": ("Explanation",),
        "player": ("Chooser", "Player", "Players", "make_players", "play_out"),
        "policies": ("PlayerSpec", "player_spec"),
        "reasons": ("explain",),
        "simulation": ("Simulation", "simulate"),
    },
)
