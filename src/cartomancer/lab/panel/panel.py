"""The panel: simple players and one that thinks too well, each in either seat, against the players we ship.

A simple player must not do better than the heuristic in its seat: a game that rewards never striking, or passing, or
fleeing, is not played as it is meant. The exploiter, which trusts nothing but its rollouts, must not gain much on the
smart player. What a run is worth to a side is content (`tuning/endings.toml`); all players of a seat play the same
seeds, so that what luck does to all of them cancels out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.content.models.vocabulary import OTHER_SIDE
from cartomancer.encounters import names
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import CartomancerError
from cartomancer.intervals import mean_interval
from cartomancer.lab.measures.estimates import Counts
from cartomancer.lab.measures.exploits import ONLY_VISITORS, gain_column, simple_players
from cartomancer.lab.results import Result
from cartomancer.players.policies import SIMPLE, player_spec
from cartomancer.players.simulation import Progress, Simulation, going_on, replay_command, run_name, simulate

EXPLOITER, SMART, HEURISTIC, RANDOM = "exploiter", "smart", "heuristic", "random"
PANEL: Final = (*SIMPLE, RANDOM, EXPLOITER)
MOST_GAIN: Final = 0.02  # of a simple player on the heuristic, as a share of the best ending
MOST_GAIN_ON_SMART: Final = 0.10  # of the exploiter on the smart player


@dataclass(frozen=True)
class PanelSettings:
    """How a panel is played."""

    runs: int = 2000  # of each player that does not roll out
    thinking_runs: int = 60  # of each that does, and against one that does
    seed: int = 0
    panel: Sequence[str] = PANEL
    against: Sequence[str] = (HEURISTIC,)
    threads: int | None = None


@dataclass(frozen=True)
class Member(Result):
    """A member of the panel in a seat."""

    player: str
    worth: float  # its runs, on average
    standard: str  # whom it must not beat by much
    gain: float  # what its runs are worth more than the standard's, on average
    interval: tuple[float, float] | None
    wins: float  # the share of runs its side won, as a description
    runs: int
    verdict: str  # exploit: surely too good; suspect: it looks so; fair
    replay: str | None  # of an exploit or a suspect: the run it gained most in


@dataclass(frozen=True)
class Seat(Result):
    """The panel in one seat against one opponent."""

    side: str
    against: str
    standards: Mapping[str, float]  # what runs are worth to the players the panel is measured by
    members: tuple[Member, ...]


@dataclass(frozen=True)
class Panel(Result):
    """The panel of a scenario."""

    scenario: str
    seed: int
    seats: tuple[Seat, ...]

    @property
    def exploits(self) -> list[tuple[Seat, Member]]:
        """Those that surely do too well."""
        return [(seat, member) for seat in self.seats for member in seat.members if member.verdict == "exploit"]


def exploit(
    scenario: str | Packed,
    settings: PanelSettings | None = None,
    codex: Codex | None = None,
    progress: Progress = lambda done: None,
) -> Panel:
    """Let the panel play a scenario, in both seats. `progress` is told how many runs are finished."""
    asked = settings or PanelSettings()
    packed = scenario if isinstance(scenario, Packed) else pack(scenario, codex)
    finished = 0
    seats = []
    for side, against in seats_of(asked):
        table = _Table(packed, asked, side, against, codex, going_on(progress, finished))
        seats.append(table.seat())
        finished += table.runs
    return Panel(packed.name, asked.seed, tuple(seats))


def gains(
    packed: Packed,
    runs: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda done: None,
    codex: Codex | None = None,
) -> Counts:
    """What every simple player gains on the heuristic in each run, in thousandths: what `exploit.SIDE` is read off."""
    found: dict[str, Any] = {"runs": np.ones(runs, np.int64)}
    finished = 0
    for side in names.SIDES:
        asked = PanelSettings(runs=runs, seed=seed, panel=simple_players(side), threads=threads)
        table = _Table(packed, asked, side, HEURISTIC, codex, going_on(progress, finished))
        for name, worths in table.worths():
            found[gain_column(name, side)] = worths
        finished += table.runs
    return found


def gains_runs(runs: int) -> int:
    """How many runs that takes."""
    return runs * sum(1 + len(simple_players(side)) for side in names.SIDES)


def seats_of(settings: PanelSettings) -> Iterator[tuple[str, str]]:
    """Every seat and opponent."""
    return ((side, against) for side in names.SIDES for against in settings.against)


def panel_runs(settings: PanelSettings) -> int:
    """How many runs a panel plays."""
    return sum(sum(size for _, size in _lineup(settings, *seat)) for seat in seats_of(settings))


def _lineup(settings: PanelSettings, side: str, against: str) -> list[tuple[str, int]]:
    """Who plays in a seat against an opponent, the standards first, and how many runs."""
    unknown = [name for name in settings.panel if player_spec(name).kind not in PANEL]
    if unknown:
        raise CartomancerError(f"{', '.join(unknown)}: no member of the panel; there are {', '.join(PANEL)}")
    members = [name for name in settings.panel if side == "visitor" or name not in ONLY_VISITORS]
    standards = dict.fromkeys(_standard(name) for name in members)
    return [(name, _size(settings, name, against)) for name in (*standards, *members)]


def _standard(name: str) -> str:
    """Whom a member of the panel must not beat by much."""
    return SMART if player_spec(name).kind == EXPLOITER else HEURISTIC


def _size(settings: PanelSettings, name: str, against: str) -> int:
    thinks = player_spec(name).rollouts or player_spec(against).rollouts
    return settings.thinking_runs if thinks else settings.runs


class _Table:
    """One seat and one opponent: everybody plays the same seeds there."""

    def __init__(
        self,
        packed: Packed,
        settings: PanelSettings,
        side: str,
        against: str,
        codex: Codex | None,
        progress: Progress,
    ) -> None:
        self.packed, self.settings, self.side, self.against = packed, settings, side, against
        self.codex, self.progress = codex, progress
        self.lineup = _lineup(settings, side, against)

    @cached_property
    def runs(self) -> int:
        """How many runs are played here."""
        return sum(size for _, size in self.lineup)

    def seat(self) -> Seat:
        """Everybody's runs, and what they say."""
        played: dict[str, Simulation] = {}
        finished = 0
        for name, size in self.lineup:
            played[name] = self._play(name, size, finished)
            finished += size
        standards = {
            name: played[name] for name in dict.fromkeys(map(_standard, self.settings.panel)) if name in played
        }
        members = [
            self._member(name, played[name], played[_standard(name)])
            for name, _ in self.lineup
            if name not in standards
        ]
        worths = {name: float(found.worths(self.side).mean()) for name, found in standards.items()}
        ranked = sorted(members, key=lambda member: -member.gain)
        return Seat(self.side, self.against, worths, tuple(ranked))

    def worths(self) -> Iterator[tuple[str, Any]]:
        """What each member's runs are worth more than the heuristic's, in thousandths."""
        standard, finished = None, 0
        for name, size in self.lineup:
            found = np.rint(1000 * self._play(name, size, finished).worths(self.side)).astype(np.int64)
            finished += size
            if standard is None:
                standard = found
            else:
                yield name, found - standard

    def _play(self, name: str, size: int, finished: int) -> Simulation:
        players = {self.side: name, OTHER_SIDE[self.side]: self.against}
        found = simulate(
            self.packed,
            size,
            self.settings.seed,
            players["dungeon"],
            players["visitor"],
            threads=self.settings.threads,
            progress=going_on(self.progress, finished),
            codex=self.codex,
        )
        if found.runs < size:
            raise KeyboardInterrupt  # half a seat says nothing
        return found

    def _member(self, name: str, found: Simulation, standard: Simulation) -> Member:
        """What a member gained on its standard, run by run on the same seeds."""
        count = min(found.runs, standard.runs)
        gains = found.worths(self.side)[:count] - standard.worths(self.side)[:count]
        gain, interval = mean_interval(float(gains.sum()), float((gains**2).sum()), count)
        verdict = _verdict(gain, interval, MOST_GAIN_ON_SMART if _standard(name) == SMART else MOST_GAIN)
        return Member(
            player=str(getattr(found.policies, self.side)),
            worth=float(found.worths(self.side).mean()),
            standard=_standard(name),
            gain=gain,
            interval=(interval[0], interval[1]) if interval else None,
            wins=found.wins(self.side) / found.runs,
            runs=found.runs,
            verdict=verdict,
            replay=_replay(found, gains) if verdict != "fair" else None,
        )


def _verdict(gain: float, interval: list[float] | None, most: float) -> str:
    if interval and interval[0] > most:
        return "exploit"
    return "suspect" if gain > most else "fair"


def _replay(found: Simulation, gains: Any) -> str:
    """The command that plays the run again in which the most was gained."""
    run = run_name(found.packed.name, found.seed, int(np.argmax(gains)))
    return replay_command(run, found.policies.dungeon, found.policies.visitor)
