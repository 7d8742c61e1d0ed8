"""Where an encounter command begins: a notation, a file, a run of a batch, the start of a scenario."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from cartomancer.cli.arguments import seed_or_random
from cartomancer.errors import NotationError

if TYPE_CHECKING:
    from cartomancer.encounters.encounter import Encounter


class Side(StrEnum):
    """Who is who."""

    dungeon = "dungeon"
    visitor = "visitor"


def position_from(source: str, seed: str | None = None) -> Encounter:
    """The encounter of a notation or a replay file, or the start of a run: of a batch's, or of a scenario's."""
    from cartomancer.encounters.encounter import Encounter
    from cartomancer.encounters.replay import from_notation, load_replay, play_replay

    written, recorded = source.startswith("encounter:"), Path(source).suffix == ".json"
    of_batch = None if written or recorded else run_of_batch(source)
    if (written or recorded or of_batch) and seed is not None:
        raise NotationError(f"{source} has its seed: leave out --seed")
    if written:
        return from_notation(source)
    if recorded:
        return play_replay(load_replay(Path(source)))
    return Encounter(*(of_batch or (source, seed_or_random(seed))))


def run_of_batch(source: str) -> tuple[str, int] | None:
    """Scenario and seed of a run that is named as part of a batch: boar@7:123."""
    if "@" not in source:
        return None
    from cartomancer.players.simulation import read_run_name, run_seed

    named = read_run_name(source)
    return named and (named[0], run_seed(*named[1:]))
