"""A closer look at a batch: how its runs went, not only how they ended.

>>> found = survey("boar", runs=20, seed=7)
>>> found.runs, found.momentum()[0]["reached"]
(20, 20)

A survey plays the very runs `simulate` plays and counts while they go on: what both sides had left at every round's end
[GDD 10.5], which cards were played, and which keywords and triggers did something [GDD 9]. It is slower than
`simulate`, so reports survey only part of a large batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.encounters import names
from cartomancer.encounters.kernel.events import new_log
from cartomancer.encounters.kernel.layout import MOST_CARDS, MOST_OPTIONS, MOST_ROOMS, STATE, TABLES
from cartomancer.encounters.packing import Packed, pack
from cartomancer.intervals import Rate, mean_interval
from cartomancer.jit import records, wrapping
from cartomancer.lab.kernel import survey as kernel
from cartomancer.lab.kernel.survey import MOST_ROUNDS, NOTES, STATES, TALLY, survey_runs
from cartomancer.lab.report.card_usage import CardUse, card_uses
from cartomancer.players.kernel.layout import POLICIES, RUN, WORKSPACE
from cartomancer.players.policies import PlayerSpec, Policies, pack_policies
from cartomancer.players.simulation import Progress, Simulation, check_size, in_pieces

WINNERS: Final = (*names.SIDES, "both")
# What is counted besides cards: its name, and what the count means. A keyword counts when it did something.
FACTS: Final[dict[str, str]] = {
    "entangle": "the opponent was entangled",
    "erode": "points were laid that the opponent loses next round",
    "drain": "damage healed the striker",
    "overwhelm": "excess damage spilled to another resource",
    "resonate": "power gained from the same type twice in a row",
    "cleave": "a hit shared among all standing members",
    "focused": "a Strike drawn to the weakest of several members",
    "piercing": "a wound that cannot be healed in its room",
    "erode_suppressed": "Erode without effect: the room presses that resource already",
    "trigger": "a card's trigger changed what it did",
    "trap_laid": "Traps laid",
    "trap_sprung": "Traps that sprang",
    "trap_disarmed": "the opponent's Traps removed",
    "react": "Reacts played",
    "offer_made": "Offers and Covenants made",
    "offer_accepted": "Offers and Covenants this side accepted",
    "offer_refused": "Offers this side refused",
    "covenant_refused": "Covenants this side refused",
    "test_put": "Tests put to the opponent",
    "test_cooperated": "Tests in which this side cooperated",
    "test_defected": "Tests in which this side defected",
    "restraint": "Strikes held back",
    "activation": "cards discarded for energy",
    "rally": "clean hits that gave heart",
    "betrayal": "trust betrayed by a Strike",
    "scorn": "a cooperating dungeon struck",
    "knock_out": "members of the party knocked out",
}
KEYWORDS: Final = tuple(names.KEYWORDS)


@dataclass(frozen=True)
class Survey:
    """Surveyed runs and what was counted in them."""

    simulation: Simulation  # the same runs, as `simulate` gives them
    tally: Any

    @property
    def runs(self) -> int:
        """How many runs were surveyed."""
        return self.simulation.runs

    def momentum(self) -> list[dict[str, Any]]:
        """Round by round: how many runs reached it, and what both sides had left at its end, in shares of the start.

        Means are over the runs that reached the round, all of them and those of each winner.
        """
        found = []
        for at in range(MOST_ROUNDS):
            reached = self.tally["reached"][:, at]
            if not reached.sum():
                break
            row: dict[str, Any] = {
                "round": at + 1,
                "reached": int(reached.sum()),
                "share_of_runs": int(reached.sum()) / self.runs,
                "won_by": {winner: int(reached[w]) for w, winner in enumerate(WINNERS)},
            }
            for p, side in enumerate(names.SIDES):
                row[side] = self._shares(at, p, slice(None)) | {
                    "when": {
                        winner: self._shares(at, p, slice(w, w + 1)) if reached[w] else None
                        for w, winner in enumerate(WINNERS)
                    }
                }
            found.append(row)
        return found

    def _shares(self, at: int, p: int, winners: slice) -> dict[str, Any]:
        count = int(self.tally["reached"][winners, at].sum())
        sums = self.tally["shares"][winners, at, p].sum(axis=0)
        whole = 1000 * len(sums)  # a share's unit, for the sum of all three
        squares = int(self.tally["squares"][winners, at, p].sum())
        mean, interval = mean_interval(int(sums.sum()) / whole, squares / whole**2, count)
        each = {name: int(total) / 1000 / count for name, total in zip(names.RESOURCES[p], sums, strict=True)}
        return {"mean": mean, "interval": interval, "shares": each}

    @cached_property
    def _cards(self) -> list[CardUse]:
        return card_uses(self.simulation.packed, self.tally)

    def card_usage(self) -> list[CardUse]:
        """Every card of both decks: how often it is played, and what playing it has to do with winning."""
        return self._cards

    def keyword_rates(self) -> list[dict[str, Any]]:
        """Everything counted but cards, for both sides: times a run, and the share of runs in which it happened."""
        found = []
        for fact, (name, meaning) in enumerate(FACTS.items()):
            row: dict[str, Any] = {"name": name, "keyword": name in KEYWORDS, "meaning": meaning}
            for p, side in enumerate(names.SIDES):
                times, runs = (int(self.tally[field][fact, p]) for field in ("fired", "fired_runs"))
                row[side] = {"times": times, "a_run": times / self.runs, "runs": Rate(runs, self.runs).as_dict()}
            found.append(row)
        return found

    def as_dict(self) -> dict[str, Any]:
        """All of it, in plain numbers."""
        return {
            "n": self.runs,
            "result_hash": self.simulation.result_hash,
            "momentum": self.momentum(),
            "cards": [use.as_dict() for use in self.card_usage()],
            "keywords": self.keyword_rates(),
        }


def survey(
    scenario: str | Packed,
    runs: int,
    seed: int = 0,
    dungeon: PlayerSpec | None = None,
    visitor: PlayerSpec | None = None,
    threads: int | None = None,
    progress: Progress = lambda done: None,
    codex: Codex | None = None,
) -> Survey:
    """Survey the first runs of a batch. An interrupt ends it early: the result has the leading finished runs."""
    check_size(runs, threads)
    packed = scenario if isinstance(scenario, Packed) else pack(scenario, codex)
    policies = pack_policies(packed, dungeon, visitor, codex)
    rows, total = records(runs, RUN), np.zeros((), TALLY)

    def play(piece: tuple[int, int]) -> Any:
        first, count = piece
        return _survey(packed, policies, seed, first, rows[first : first + count])

    def add(tally: Any) -> None:
        for field in TALLY.names or ():
            total[field] += tally[field]

    finished = in_pieces(play, runs, policies, threads, progress, add)
    return Survey(Simulation(packed, policies, seed, rows[:finished]), total)


def _survey(packed: Packed, policies: Policies, seed: int, first: int, rows: Any) -> Any:
    """Some consecutive runs on this thread, written into their rows; the tally of them."""
    tables, plain, thinking = records(1, TABLES), records(1, TABLES), records(1, POLICIES)
    tables[0], plain[0], thinking[0] = packed.tables, packed.tables, policies.table
    for field in ("bonus", "bonus_keywords", "bonus_advantage"):
        plain["cards"][field] = 0
    held = np.zeros((MOST_ROOMS + 1, MOST_CARDS), np.int8)
    for room, deck in enumerate(packed.decks[0]):
        held[room, list(deck)] = 1
    held[MOST_ROOMS, list(packed.decks[1])] = 1
    memory = (records(1, STATE), records(STATES, STATE), np.zeros(MOST_OPTIONS, np.int16), records(1, WORKSPACE))
    logs = (new_log(), new_log(1))
    notes, tally = records(2, NOTES), records(1, TALLY)
    with wrapping():
        survey_runs(tables, plain, thinking, held, *memory, logs, np.uint64(seed), first, rows, notes, tally)
    return tally[0]


assert len(FACTS) == kernel.FACTS
