"""Cartomancer: maps and card encounters of roguelike deckbuilders, and the proof that they are good.

>>> import cartomancer as cm
>>> cm.check(cm.generate_map("voyage", seed=42)).ok
True
>>> fight = cm.play_out(cm.Encounter("boar", seed=42), cm.Player("heuristic"), cm.Player("random"))
>>> fight.outcome.winner in {"dungeon", "visitor", "both"}
True

Everything a toolsmith or a researcher needs is here by an obvious name; a name's module is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cartomancer.content.codex import load_codex as load_content
    from cartomancer.encounters.encounter import Decision, Encounter, Event, Outcome
    from cartomancer.encounters.narration import Narrator
    from cartomancer.encounters.observation import observe
    from cartomancer.encounters.replay import (
        Replay,
        from_notation,
        load_replay,
        notation,
        play_replay,
        read_replay,
        record,
    )
    from cartomancer.errors import CartomancerError, IllegalActionError
    from cartomancer.lab.matrix.matchups import Matrix, matrix
    from cartomancer.lab.measures.metrics import quality
    from cartomancer.lab.report.survey import survey
    from cartomancer.lab.tuner.tuner import tune
    from cartomancer.maps.analysis import analyse
    from cartomancer.maps.auditing import audit
    from cartomancer.maps.checking import check
    from cartomancer.maps.draw_svg import draw_svg
    from cartomancer.maps.draw_text import draw_text
    from cartomancer.maps.generation import generate as generate_map
    from cartomancer.maps.model import Map, Node
    from cartomancer.maps.notation import read_map
    from cartomancer.maps.repairing import repair
    from cartomancer.maps.searching import search as search_maps
    from cartomancer.players.duels import duel, ladder
    from cartomancer.players.player import Chooser, Player, play_out
    from cartomancer.players.reasons import explain
    from cartomancer.players.simulation import Simulation, run_of, simulate

__version__ = "0.1.0"

# Every name, with its module and what it is called there.
_HOMES: Final = {
    # maps
    "Map": ("maps.model", "Map"),
    "Node": ("maps.model", "Node"),
    "generate_map": ("maps.generation", "generate"),
    "read_map": ("maps.notation", "read_map"),
    "check": ("maps.checking", "check"),
    "repair": ("maps.repairing", "repair"),
    "analyse": ("maps.analysis", "analyse"),
    "audit": ("maps.auditing", "audit"),
    "search_maps": ("maps.searching", "search"),
    "draw_text": ("maps.draw_text", "draw_text"),
    "draw_svg": ("maps.draw_svg", "draw_svg"),
    # encounters
    "Encounter": ("encounters.encounter", "Encounter"),
    "Decision": ("encounters.encounter", "Decision"),
    "Event": ("encounters.encounter", "Event"),
    "Outcome": ("encounters.encounter", "Outcome"),
    "Narrator": ("encounters.narration", "Narrator"),
    "observe": ("encounters.observation", "observe"),
    "Replay": ("encounters.replay", "Replay"),
    "record": ("encounters.replay", "record"),
    "notation": ("encounters.replay", "notation"),
    "from_notation": ("encounters.replay", "from_notation"),
    "read_replay": ("encounters.replay", "read_replay"),
    "load_replay": ("encounters.replay", "load_replay"),
    "play_replay": ("encounters.replay", "play_replay"),
    # players
    "Player": ("players.player", "Player"),
    "Chooser": ("players.player", "Chooser"),
    "play_out": ("players.player", "play_out"),
    "explain": ("players.reasons", "explain"),
    "duel": ("players.duels", "duel"),
    "ladder": ("players.duels", "ladder"),
    "Simulation": ("players.simulation", "Simulation"),
    "simulate": ("players.simulation", "simulate"),
    "run_of": ("players.simulation", "run_of"),
    # lab
    "quality": ("lab.measures.metrics", "quality"),
    "survey": ("lab.report.survey", "survey"),
    "Matrix": ("lab.matrix.matchups", "Matrix"),
    "matrix": ("lab.matrix.matchups", "matrix"),
    "tune": ("lab.tuner.tuner", "tune"),
    # content and errors
    "load_content": ("content.codex", "load_codex"),
    "CartomancerError": ("errors", "CartomancerError"),
    "IllegalActionError": ("errors", "IllegalActionError"),
}
__all__ = list(_HOMES)  # noqa: PLE0605 (a list of the table's names)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    module, found = _HOMES[name]
    return getattr(import_module(f"{__name__}.{module}"), found)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
