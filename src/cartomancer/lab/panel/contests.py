"""Who does better in a seat: others play a side's runs again, and each run's worth is compared.

>>> from cartomancer.encounters.packing import pack
>>> found = profile_gains(pack("boar"), 20, seed=7)
>>> sorted(name for name in found if name.endswith("visitor"))
['gain_as_cautious_explorer_visitor', 'gain_as_cooperative_visitor', 'gain_as_party_balanced_visitor']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.encounters import names
from cartomancer.encounters.packing import Packed
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Counts
from cartomancer.lab.measures.exploits import gain_column, profile_column
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import Array, Progress, Simulation, going_on, simulate

HEURISTIC, SMART, EXPLOITER = PlayerSpec("heuristic"), PlayerSpec("smart"), PlayerSpec("exploiter")
LADDER: Final = (HEURISTIC, SMART, EXPLOITER)  # each is measured by the one before


def thinking_gains(
    packed: Packed,
    runs: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda done: None,
    codex: Codex | None = None,
) -> Counts:
    """What the smart player gains on the heuristic in each run, and the exploiter on the smart one, in thousandths."""
    seats = _Seats(packed, runs, seed, threads, progress, codex)
    found = _columns(runs)
    for side in names.SIDES:
        worths = [seats.played(side, player).worths(side) for player in LADDER]
        for player, before, after in zip(LADDER[1:], worths, worths[1:], strict=False):
            found[gain_column(player.kind, side)] = _thousandths(after - before)
    return found


def profile_gains(
    packed: Packed,
    runs: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda done: None,
    codex: Codex | None = None,
) -> Counts:
    """What every other profile of a side gains on its own in each run, in thousandths: as the own profile counts it,
    for what an ending is worth to a dungeon depends on its goal. It takes seconds, of which progress is not told."""
    seats = _Seats(packed, runs, seed, threads, lambda done: progress(0), codex)
    found = _columns(runs)
    for side, profile in _rivals(packed, codex):
        own, other = seats.played(side, HEURISTIC), seats.played(side, PlayerSpec("heuristic", profile))
        gain = replace(other, policies=own.policies).worths(side) - own.worths(side)
        found[profile_column(profile, side)] = _thousandths(gain)
    return found


def thinking_runs(runs: int) -> int:
    """How many runs that takes."""
    return runs * (1 + 2 * len(LADDER[1:]))


def _rivals(packed: Packed, codex: Codex | None) -> Iterator[tuple[str, str]]:
    """Every side's other profiles."""
    for side, profiles in zip(names.SIDES, ScenarioContext.of(packed, codex).rivals, strict=True):
        yield from ((side, profile) for profile in profiles)


def _columns(runs: int) -> dict[str, Any]:
    return {"runs": np.ones(runs, np.int64)}


def _thousandths(worths: Array) -> Array:
    found: Array = np.rint(1000 * worths).astype(np.int64)
    return found


class _Seats:
    """Batches of a scenario against the heuristic, each played once."""

    def __init__(
        self, packed: Packed, runs: int, seed: int, threads: int | None, progress: Progress, codex: Codex | None
    ) -> None:
        self._packed, self._runs, self._seed = packed, runs, seed
        self._threads, self._progress, self._codex = threads, progress, codex
        self._played: dict[tuple[PlayerSpec, PlayerSpec], Simulation] = {}

    def played(self, side: str, player: PlayerSpec) -> Simulation:
        """The batch with this player in a seat."""
        pair = (player, HEURISTIC) if side == "dungeon" else (HEURISTIC, player)
        if pair not in self._played:
            told = going_on(self._progress, self._runs * len(self._played))
            found = simulate(
                self._packed, self._runs, self._seed, *pair, threads=self._threads, progress=told, codex=self._codex
            )
            if found.runs < self._runs:
                raise KeyboardInterrupt  # half a seat says nothing
            self._played[pair] = found
        return self._played[pair]
