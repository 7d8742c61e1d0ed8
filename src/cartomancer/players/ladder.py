"""Who is stronger: mirrored games between two players, sides swapped on the same shuffles, with intervals [GDD 7.2].

A mirrored game is two runs of one seed: one plays the dungeon and the other the visitor, then the other way round. Who
wins a run is E17's matter; a Bond is won by nobody. Most scenarios favour one side, so the two runs often cancel out;
then the player that left its opponent in worse shape over both runs has the better of it: by the mean share of the
reducers at the end, one's own less the opponent's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.encounters import names
from cartomancer.encounters.encounter import winner_of
from cartomancer.encounters.packing import pack
from cartomancer.intervals import wilson
from cartomancer.players.policies import player_spec
from cartomancer.players.simulation import simulate

COMBAT: Final = ("boar", "moth", "standard-company", "standard-gauntlet", "arcane-gauntlet", "psychological-horror")
PLAYOUTS: Final = (3, 12, 48)


@dataclass(frozen=True)
class Duel:
    """Mirrored games of one player against another."""

    scenario: str
    first: str
    second: str
    pairs: int
    won: int  # mirrored games the first player has the better of
    drawn: int
    runs_won: tuple[int, int]  # runs the first player won as dungeon, as visitor

    @property
    def share(self) -> float:
        """Mirrored games won; drawn ones count half."""
        return (self.won + self.drawn / 2) / self.pairs

    @property
    def interval(self) -> list[float]:
        """Its 95 % interval."""
        return wilson(self.won + self.drawn / 2, self.pairs)

    def sentence(self) -> str:
        """The duel in one line."""
        low, high = self.interval
        dungeon, visitor = (100 * runs / self.pairs for runs in self.runs_won)
        return (
            f"{self.scenario}: {self.first} has the better of {self.second} in {100 * self.share:.1f} % "
            f"({100 * low:.1f}–{100 * high:.1f}) of {self.pairs:,} mirrored games; "
            f"runs won as dungeon {dungeon:.1f} %, as visitor {visitor:.1f} %"
        )


def duel(
    scenario: str,
    first: str,
    second: str,
    pairs: int,
    seed: int = 0,
    threads: int | None = None,
    codex: Codex | None = None,
) -> Duel:
    """Mirrored games between two players, as `player_spec` reads them."""
    packed = pack(scenario, codex)
    points, margins, won = np.zeros(pairs), np.zeros(pairs), []
    for side, (dungeon, visitor) in (("dungeon", (first, second)), ("visitor", (second, first))):
        seats = player_spec(dungeon, "dungeon", codex), player_spec(visitor, "visitor", codex)
        rows = simulate(packed, pairs, seed, *seats, threads=threads, codex=codex).rows
        ours, theirs = _won(rows, side), _won(rows, "visitor" if side == "dungeon" else "dungeon")
        points += ours.astype(float) - theirs
        margins += rows["margin"].astype(float) * (1 if side == "dungeon" else -1)
        won.append(int(ours.sum()))
    better = np.where(points != 0, points, margins)
    return Duel(packed.name, first, second, pairs, int((better > 0).sum()), int((better == 0).sum()), (won[0], won[1]))


def _won(rows: Any, side: str) -> Any:
    """Which runs a side won alone (E17)."""
    endings = [code for code, name in enumerate(names.OUTCOMES) if code and winner_of(name) == side]
    return np.isin(rows["outcome"], endings)


def climb(scenario: str, pairs: int, seed: int = 0, playouts: tuple[int, ...] = PLAYOUTS) -> list[Duel]:
    """Monte Carlo players with ever more playouts, each against the heuristic one."""
    return [duel(scenario, f"smart@{count}", "heuristic", pairs, seed) for count in playouts]
