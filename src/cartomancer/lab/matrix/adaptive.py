"""Spending games where the verdict is open: which cells play on, and how many games [GDD 18.5, 18.6].

A cell's verdict is where its rate lies among 30 %, 50 % and 70 %: lopsided for the visitor, in the visitor's favour, in
the dungeon's favour, lopsided for the dungeon. It is settled once its confidence sequence holds none of these marks
(`bounds.sequence_bounds`; stopping then is honest). A cell whose true rate is on a mark never settles, so the games are
bounded: all cells together get at most what as many cells with a fixed number of games would get.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from cartomancer.intervals import Numbers
from cartomancer.lab.matrix.bounds import sequence_bounds

MARKS: Final = (0.3, 0.5, 0.7)
FIRST_GAMES: Final = 40  # of every cell, before anything is judged
STEP: Final = 1_000  # games of a cell that are played at once: all of them are kept or none


@dataclass(frozen=True)
class Verdicts:
    """Where the rates of many cells lie, as far as it is known."""

    low: Numbers
    high: Numbers

    @property
    def inside(self) -> Numbers:
        """Of every mark, whether it is inside each interval."""
        return np.array([(self.low <= mark) & (mark <= self.high) for mark in MARKS])

    @property
    def settled(self) -> Numbers:
        """Whether no mark is left inside the interval."""
        return np.asarray(~self.inside.any(axis=0))

    @property
    def band(self) -> Numbers:
        """0 below 30 %, 1 below 50 %, 2 below 70 %, 3 above; of a cell that is open, where its interval's middle is."""
        return np.searchsorted(MARKS, (self.low + self.high) / 2)


def next_games(points: Numbers, games: Numbers, budget: int) -> Numbers:
    """How many more games each cell plays now: of the open cells those with the fewest games, as many again (at most
    `STEP`), at most `budget` in all.

    Where the budget is too small for all, cells come first whose rate is farthest from the marks still in question:
    they settle with the fewest games.

    Whatever part of a round has been played already, this gives the rest of it: cells of a round have equally many
    games, and those that have played it have more. So a run that was stopped goes on to the same end.
    """
    judged = Verdicts(*sequence_bounds(points, games))
    still_open = ~judged.settled
    fewest = games[still_open].min(initial=np.iinfo(np.int64).max)
    wanted = np.where(still_open & (games == fewest), np.clip(games, FIRST_GAMES, STEP), 0)
    if int(wanted.sum()) <= budget:
        return wanted
    off = np.abs(points / np.maximum(games, 1) - np.array(MARKS)[:, None])
    order = np.argsort(-np.where(judged.inside, off, 1.0).min(axis=0), kind="stable")
    order = order[wanted[order] > 0]
    affordable = np.cumsum(wanted[order]) <= budget
    found = np.zeros_like(wanted)
    found[order[affordable]] = wanted[order[affordable]]
    return found
