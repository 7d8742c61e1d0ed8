"""Eight characters: how often two profiles of a side would choose differently, asked at the same decisions [GDD 7.1].

>>> found = choices("boar", "visitor", ["feral_aggressive", "cautious_explorer"], runs=5)
>>> found.share("feral_aggressive", "cautious_explorer").value > 1
True

Every profile is asked as a heuristic player, in the runs that the scenario's own players play. Below the trust from
which Offers bind a deceptive dungeon wears its mask and is a nurturing one (D1): of such a pair only what it decides
from there on counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex, load_codex
from cartomancer.encounters import names
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import CartomancerError
from cartomancer.jit import prefer_compiled, records, wrapping
from cartomancer.lab.kernel.choices import CHOICES, MOST_PROFILES, compare_choices
from cartomancer.lab.measures.estimates import Estimate, share
from cartomancer.players.kernel.layout import POLICIES
from cartomancer.players.policies import PlayerSpec, Policies, pack_policies
from cartomancer.players.simulation import Progress, check_size, going_on, in_pieces, thread_memory

RUNS: Final = 200  # of each scenario, where nobody says how many
LEAST_DECISIONS: Final = 50  # with fewer two profiles have not met
BELOW, BOUND = 0, 1  # the trust from which Offers bind


@dataclass(frozen=True)
class Choices:
    """How the profiles of a side choose in the runs of a scenario."""

    profiles: tuple[str, ...]
    rows: Any  # one record a run
    masks: frozenset[frozenset[str]]  # pairs that are the same below the trust from which Offers bind

    def share(self, one: str, other: str) -> Estimate:
        """The percentage of unforced decisions in which two profiles differ."""
        first, second = sorted((self.profiles.index(one), self.profiles.index(other)))
        counted = slice(BOUND if frozenset({one, other}) in self.masks else BELOW, None)
        differ = self.rows["differ"][:, counted, first, second].sum(axis=1).astype(np.int64)
        decisions = self.rows["decisions"][:, counted].sum(axis=1).astype(np.int64)
        if decisions.sum() < LEAST_DECISIONS:
            return Estimate(None)
        return share(differ, decisions, np.ones(len(self.rows), np.int64))


def choices(
    scenario: str | Packed,
    side: str,
    profiles: Sequence[str],
    runs: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda done: None,
    codex: Codex | None = None,
) -> Choices:
    """Ask these profiles of a side at its decisions in the runs of a batch."""
    if not 2 <= len(profiles) <= MOST_PROFILES:
        raise CartomancerError(f"{len(profiles)} profiles: 2 to {MOST_PROFILES} can be compared")
    check_size(runs, threads)
    prefer_compiled()
    source = codex or load_codex()
    packed = scenario if isinstance(scenario, Packed) else pack(scenario, codex)
    own = pack_policies(packed, codex=codex)
    asked = [pack_policies(packed, **{side: PlayerSpec("heuristic", profile)}, codex=codex) for profile in profiles]
    rows = records(runs, CHOICES)

    def play(piece: tuple[int, int]) -> int:
        first, count = piece
        _compare(packed, own, asked, names.side_code(side), seed, first, rows[first : first + count])
        return count

    if in_pieces(play, runs, own, threads, progress) < runs:
        raise KeyboardInterrupt
    masks = {frozenset({one.id, one.courts_like}) for one in source.profiles.values() if one.goal == "betray"}
    return Choices(tuple(profiles), rows, frozenset(frozenset(filter(None, pair)) for pair in masks))


def _compare(
    packed: Packed, own: Policies, asked: Sequence[Policies], p: int, seed: int, first: int, rows: Any
) -> None:
    """Some consecutive runs on this thread."""
    tables, _, *memory = thread_memory(packed.tables, own.table)
    policies = records(1 + len(asked), POLICIES)
    for place, one in enumerate((own, *asked)):
        policies[place] = one.table
    with wrapping():
        compare_choices(tables, policies, *memory, np.uint64(seed), first, np.int64(p), rows)


@dataclass(frozen=True)
class Characters:
    """How all profiles choose, in every scenario and seat."""

    seats: Mapping[tuple[str, str], Choices]  # by scenario and side

    def widest(self, one: str, other: str) -> tuple[str, Estimate]:
        """The scenario in which two profiles of a side differ most, and how often they do there."""
        best = ("", Estimate(None))
        for (scenario, _), found in self.seats.items():
            if {one, other} <= set(found.profiles):
                estimate = found.share(one, other)
                if estimate.value is not None and (best[1].value is None or estimate.value > best[1].value):
                    best = (scenario, estimate)
        return best


def characters(
    codex: Codex,
    runs: int = RUNS,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda done: None,
) -> Characters:
    """Ask every profile of both sides in every scenario of the content."""
    seats: dict[tuple[str, str], Choices] = {}
    for scenario in codex.scenarios:
        packed = pack(scenario, codex)
        for side in names.SIDES:
            profiles = [one.id for one in codex.profiles.values() if one.side == side]
            told = going_on(progress, runs * len(seats))
            seats[scenario, side] = choices(packed, side, profiles, runs, seed, threads, told, codex)
    return Characters(seats)
