"""Who is stronger: mirrored games between players, sides swapped on the same shuffles, with intervals [GDD 7.2].

A mirrored game is two runs of one seed: one plays the dungeon and the other the visitor, then the other way round. Who
wins a run is E17's matter; a Bond is won by nobody. Most scenarios favour one side, so the two runs often cancel out;
then the player that left its opponent in worse shape over both runs has the better of it: by the mean share of the
reducers at the end, one's own less the opponent's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import CartomancerError
from cartomancer.figures import percent
from cartomancer.intervals import wilson
from cartomancer.jit import records, wrapping
from cartomancer.players.kernel.layout import RUN
from cartomancer.players.kernel.matches import note_run
from cartomancer.players.player import Chooser, Player, play_out
from cartomancer.players.policies import PlayerSpec, player_spec
from cartomancer.players.simulation import Progress, check_size, going_on, run_seed, simulate

COMBAT: Final = ("boar", "moth", "standard-company", "standard-gauntlet", "arcane-gauntlet", "psychological-horror")
RUNS_A_PAIR: Final = 2
Contestant = str | PlayerSpec | Chooser  # a computer player as written or read, or one's own


@dataclass(frozen=True, kw_only=True)
class Score:
    """Mirrored games of a player, counted."""

    pairs: int
    won: int  # mirrored games it has the better of
    drawn: int

    @property
    def share(self) -> float:
        """Mirrored games won; drawn ones count half."""
        return (self.won + self.drawn / 2) / self.pairs

    @property
    def interval(self) -> list[float]:
        """Its 95 % interval."""
        return wilson(self.won + self.drawn / 2, self.pairs)

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return asdict(self) | {"share": self.share, "interval": self.interval}


@dataclass(frozen=True, kw_only=True)
class Duel(Score):
    """Mirrored games of one player against another."""

    scenario: str
    first: str
    second: str
    runs_won: tuple[int, int]  # runs the first player won as dungeon, as visitor

    def sentence(self) -> str:
        """The duel in one line."""
        low, high = self.interval
        dungeon, visitor = (percent(runs / self.pairs) for runs in self.runs_won)
        return (
            f"{self.scenario}: {self.first} has the better of {self.second} in {percent(self.share)} "
            f"({100 * low:.1f}–{100 * high:.1f}) of {self.pairs:,} mirrored games; "
            f"runs won as dungeon {dungeon}, as visitor {visitor}"
        )

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return super().as_dict() | {"runs_won": {"dungeon": self.runs_won[0], "visitor": self.runs_won[1]}}


def duel(
    scenario: str | Packed,
    first: Contestant,
    second: Contestant,
    pairs: int,
    seed: int = 0,
    threads: int | None = None,
    codex: Codex | None = None,
    progress: Progress = lambda done: None,
) -> Duel:
    """Mirrored games between two players: computer players, as `player_spec` reads them, or one's own.

    Games between computer players are compiled and use all cores; with a player of one's own they are played decision
    by decision, on the same shuffles. `progress` is told how many runs are finished.
    """
    packed = scenario if isinstance(scenario, Packed) else pack(scenario, codex)
    points, margins, won = np.zeros(pairs), np.zeros(pairs), list[int]()
    for side, sign, players in ((codes.DUNGEON, 1, (first, second)), (codes.VISITOR, -1, (second, first))):
        rows = _runs(packed, players, pairs, seed, threads, codex, going_on(progress, pairs * len(won)))
        losers = codes.LOSER_OF[rows["outcome"]]  # nobody loses a Bond (E17)
        points += (losers == 1 - side).astype(float) - (losers == side)
        margins += rows["margin"].astype(float) * sign
        won.append(int((losers == 1 - side).sum()))
    better = np.where(points != 0, points, margins)
    return Duel(
        pairs=pairs,
        won=int((better > 0).sum()),
        drawn=int((better == 0).sum()),
        scenario=packed.name,
        first=name_of(first),
        second=name_of(second),
        runs_won=(won[0], won[1]),
    )


def name_of(player: Contestant) -> str:
    """What a player is called: a computer player as written, one's own by its `name` or its class."""
    if isinstance(player, (str, PlayerSpec, Player)):
        return str(player)
    return str(getattr(player, "name", type(player).__name__))


def _runs(
    packed: Packed,
    players: tuple[Contestant, Contestant],
    runs: int,
    seed: int,
    threads: int | None,
    codex: Codex | None,
    progress: Progress,
) -> Any:
    """The runs of a batch between a dungeon's and a visitor's player: compiled if both are computer players."""
    dungeon, visitor = players
    if _is_computer(dungeon, codex) and _is_computer(visitor, codex):
        specs = player_spec(str(dungeon), "dungeon", codex), player_spec(str(visitor), "visitor", codex)
        rows = simulate(packed, runs, seed, *specs, threads=threads, progress=progress, codex=codex).rows
        if len(rows) < runs:
            raise KeyboardInterrupt  # half a duel says nothing
        return rows
    check_size(runs, threads)
    rows = records(runs, RUN)
    choosers = [Player(str(player), codex) if isinstance(player, (str, PlayerSpec)) else player for player in players]
    for index in range(runs):
        fight = play_out(Encounter(packed, run_seed(seed, index)), *choosers)
        with wrapping():
            note_run(packed.tables, fight.state, rows[index])
        progress(index + 1)
    return rows


def _is_computer(player: Contestant, codex: Codex | None) -> bool:
    """Whether a player is a computer's, and of this content."""
    if isinstance(player, Player):
        return player.codex is None or player.codex is codex
    return isinstance(player, (str, PlayerSpec))


@dataclass(frozen=True, kw_only=True)
class Standing(Score):
    """A player's mirrored games against everybody else on a ladder."""

    player: str


@dataclass(frozen=True)
class Ladder:
    """Duels of everybody against everybody."""

    players: tuple[str, ...]
    duels: tuple[Duel, ...]

    def standings(self) -> list[Standing]:
        """The players, the strongest first."""
        return sorted(map(self._standing, self.players), key=lambda standing: -standing.share)

    def _standing(self, player: str) -> Standing:
        mine = [found for found in self.duels if player in (found.first, found.second)]
        won = sum(found.won if found.first == player else found.pairs - found.won - found.drawn for found in mine)
        drawn = sum(found.drawn for found in mine)
        return Standing(pairs=sum(found.pairs for found in mine), won=won, drawn=drawn, player=player)

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        standings = [standing.as_dict() for standing in self.standings()]
        return {"standings": standings, "duels": [found.as_dict() for found in self.duels]}


def ladder(
    players: Sequence[Contestant],
    scenarios: Iterable[str] = COMBAT,
    pairs: int = 100,
    seed: int = 0,
    threads: int | None = None,
    codex: Codex | None = None,
    progress: Progress = lambda done: None,
) -> Ladder:
    """Duels of everybody against everybody in every scenario; `progress` is told how many runs are finished."""
    called = [name_of(player) for player in players]
    if len(called) < 2 or len(set(called)) < len(called):
        raise CartomancerError(f"a ladder needs two or more different players: {', '.join(called) or 'none'} given")
    duels: list[Duel] = []
    for scenario in [pack(name, codex) for name in scenarios]:
        for first, second in combinations(players, 2):
            told = going_on(progress, RUNS_A_PAIR * pairs * len(duels))
            duels.append(duel(scenario, first, second, pairs, seed, threads, codex, told))
    return Ladder(tuple(called), tuple(duels))
