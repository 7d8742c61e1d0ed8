"""Games that were played, as commands are given them: a notation, a file, a run of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from cartomancer import encounters, players
from cartomancer.cli import arguments, output, terminal
from cartomancer.cli.arguments import FIRST
from cartomancer.errors import NotationError

GameArgument = Annotated[
    str,
    arguments.scenario_argument(
        "A notation (encounter:…), a replay or save file, or a run of a batch (boar@7:123: seed 7, run 123).",
        "GAME",
    ),
]


def opened(
    game: str, dungeon: str | None, visitor: str | None
) -> tuple[encounters.Encounter, players.Players, Mapping[str, str]]:
    """A game with all its decisions, its players unless told otherwise, and who played by the file."""
    if Path(game).suffix == ".json":
        replay = encounters.load_replay(Path(game))
        run, kept = encounters.play_replay(replay), dict(replay.players or {})
        return run, _players_of(run, dungeon or kept.get("dungeon"), visitor or kept.get("visitor")), kept
    written = game.startswith("encounter:")
    if not written and players.read_run_name(game) is None:
        raise NotationError(
            f"no game: '{game}' (right would be a notation, a replay or save file, or {game}@SEED:INDEX)"
        )
    run = arguments.position_from(game)
    choosers = _players_of(run, dungeon, visitor)
    if written:
        return run, choosers, {}
    with output.progress_bar(run.packed.name, 1):
        return players.play_out(run, choosers), choosers, {}


def _players_of(run: encounters.Encounter, dungeon: str | None, visitor: str | None) -> players.Players:
    """The players as named; the default one in place of persons and of `first`."""
    first, second = (None if name in {FIRST, terminal.PERSON} else name for name in (dungeon, visitor))
    return players.make_players(run.packed, *arguments.specs_of(first, second))
