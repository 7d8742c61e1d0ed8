"""A closer look at a batch: how its runs went, not only how they ended.

>>> found = survey("boar", runs=20, seed=7)
>>> found.runs, found.momentum()[0]["reached"]
(20, 20)

A survey plays the very runs `simulate` plays and counts while they go on: what both sides had left at every round's end
[GDD 10.5], which cards were played, which keywords and triggers did something [GDD 9], and what took and gave the
points of every reducer. It is slower than `simulate`, so reports survey only part of a large batch.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.encounters import names
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.causes import Cause
from cartomancer.encounters.kernel.events import new_log
from cartomancer.encounters.kernel.layout import MOST_CARDS, MOST_ROOMS
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import CartomancerError
from cartomancer.intervals import Rate, mean_interval
from cartomancer.jit import prefer_compiled, records, wrapping
from cartomancer.lab.kernel.counting import KEPT, MOST_ROUNDS, MOST_RUN_EVENTS, NOTES, TALLY, WATCHED, survey_runs
from cartomancer.lab.kernel.facts import FACTS
from cartomancer.lab.measures.cards import could_column, line_name, played_name
from cartomancer.lab.measures.combo_lines import CountedLine, lines_of, packed_lines
from cartomancer.lab.measures.effects import drained_column
from cartomancer.lab.measures.estimates import Counts, Estimate
from cartomancer.lab.measures.initiative import worth_column
from cartomancer.lab.measures.losses import GROUP_OF, GROUPS
from cartomancer.lab.measures.measure import Evidence
from cartomancer.lab.measures.registry import read_off
from cartomancer.lab.report.card_usage import CardUse, card_uses
from cartomancer.lab.results import plain
from cartomancer.players.kernel.layout import RUN
from cartomancer.players.policies import PlayerSpec, Policies, pack_policies
from cartomancer.players.simulation import Progress, Simulation, check_size, in_pieces, thread_memory

POINTS: Final = ("lost", "gained", "last_points")  # what is counted of a cause


@dataclass(frozen=True)
class CauseShare:
    """What one cause did to one reducer in the surveyed runs."""

    side: str
    reducer: str
    cause: str
    lost: int  # points
    gained: int
    last_points: int  # runs that ended by depletion of this reducer, whose last point this cause took
    runs: int  # surveyed


@dataclass(frozen=True)
class Survey:
    """Surveyed runs and what was counted in them."""

    simulation: Simulation  # the same runs, as `simulate` gives them
    tally: Any
    watched: Any  # run by run, as `lab/kernel/counting.py` keeps them
    lines: tuple[CountedLine, ...]  # the combo lines that were looked for

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
                "won_by": dict(zip(codes.WINNERS, reached.tolist(), strict=True)),
            }
            for p, side in enumerate(names.SIDES):
                when = [self._shares(at, p, slice(w, w + 1)) if games else None for w, games in enumerate(reached)]
                row[side] = self._shares(at, p, slice(None)) | {"when": dict(zip(codes.WINNERS, when, strict=True))}
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
        for place, fact in enumerate(FACTS):
            row: dict[str, Any] = {"name": fact.name, "keyword": bool(fact.keyword), "meaning": fact.meaning}
            for p, side in enumerate(names.SIDES):
                times, runs = (int(self.tally[field][place, p]) for field in ("fired", "fired_runs"))
                row[side] = {"times": times, "a_run": times / self.runs, "runs": Rate(runs, self.runs).as_dict()}
            found.append(row)
        return found

    def causes(self) -> list[CauseShare]:
        """Where points came from and went, for both sides: every reducer, every cause that did something to it."""
        return [
            CauseShare(side, reducer, cause.word, **counts, runs=self.runs)
            for p, side in enumerate(names.SIDES)
            for r, reducer in enumerate(names.RESOURCES[p])
            for cause in Cause
            if any((counts := {field: int(self.tally[field][p, r, cause]) for field in POINTS}).values())
        ]

    def causes_table(self) -> list[dict[str, Any]]:
        """The same, as rows of plain values."""
        return [asdict(share) for share in self.causes()]

    @cached_property
    def columns(self) -> Counts:
        """What was counted of every run, of each side."""
        found: dict[str, Any] = {"runs": np.ones(self.runs, np.int64)}
        last = GROUP_OF[self.watched["last_cause"]]
        for p, side in enumerate(names.SIDES):
            for field in ("turns", "cards", "strikes", "strikes_drawn", *KEPT):
                found[f"{field}_{side}"] = self.watched[field][:, p].astype(np.int64)
            lost, depleted = self.watched["lost"][:, p].astype(np.int64), self.watched["depleted"] == p
            found[f"rounds_{side}"] = self.simulation.rows["rounds"].astype(np.int64)
            found[f"lost_{side}"], found[f"depleted_{side}"] = lost.sum(axis=1), depleted.astype(np.int64)
            for place, group in enumerate(GROUPS):
                found[f"lost_to_{group}_{side}"] = lost[:, place == GROUP_OF].sum(axis=1)
                found[f"last_point_to_{group}_{side}"] = (depleted & (last == place)).astype(np.int64)
            for r, resource in enumerate(names.RESOURCES[p]):
                found[drained_column(resource)] = self.watched["drained"][:, p, r].astype(np.int64)
            found[worth_column(side)] = np.rint(1000 * self.simulation.worths(side)).astype(np.int64)
        for field in ("began", "turns_betrayed", "turns_spared"):
            found[field] = self.watched[field].astype(np.int64)
        return found | self._of_cards()

    def _of_cards(self) -> dict[str, Any]:
        """Which runs could show a card or a combo line, and which did."""
        packed, rows = self.simulation.packed, self.simulation.rows
        here = np.arange(rows["room_path"].shape[1]) < rows["rooms_entered"][:, None]
        entered = [((rows["room_path"] == place) & here).any(axis=1) for place in range(len(packed.rooms))]
        shown: dict[str, tuple[Any, list[Any]]] = {}
        for number, card in enumerate(packed.cards):
            rooms = [came for came, deck in zip(entered, packed.decks[0], strict=True) if number in deck]
            shown[played_name(card.id)] = self.watched["plays"][:, number] > 0, rooms or entered
        for place, line in enumerate(self.lines):
            done = self.watched["steps"][:, place] == len(line.steps)
            shown[line_name(line.name)] = done, [entered[room] for room in line.rooms]
        columns: dict[str, Any] = {}
        for name, (did, rooms) in shown.items():
            columns[name], columns[could_column(name)] = did.astype(np.int64), np.any(rooms, axis=0).astype(np.int64)
        return columns

    def measures(self) -> dict[str, Estimate]:
        """Every measure that a survey shows: how active both sides were, and what took their points."""
        return read_off(Evidence.SURVEY, self.columns)

    def as_dict(self) -> dict[str, Any]:
        """All of it, in plain numbers."""
        return {
            "n": self.runs,
            "result_hash": self.simulation.result_hash,
            "momentum": self.momentum(),
            "cards": [use.as_dict() for use in self.card_usage()],
            "keywords": self.keyword_rates(),
            "causes": self.causes_table(),
            "measures": plain(self.measures()),
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
    prefer_compiled()
    packed = scenario if isinstance(scenario, Packed) else pack(scenario, codex)
    policies = pack_policies(packed, dungeon, visitor, codex)
    lines = lines_of(packed, codex)
    rows, watched, total = records(runs, RUN), records(runs, WATCHED), np.zeros((), TALLY)

    def play(piece: tuple[int, int]) -> Any:
        first, count = piece
        mine = slice(first, first + count)
        return _survey(packed, policies, lines, seed, first, rows[mine], watched[mine])

    def add(tally: Any) -> None:
        for field in TALLY.names or ():
            total[field] += tally[field]

    finished = in_pieces(play, runs, policies, threads, progress, add)
    if total["overflows"]:
        raise CartomancerError(f"{packed.name}: {total['overflows']} runs had more events than a survey can hold")
    return Survey(Simulation(packed, policies, seed, rows[:finished]), total, watched[:finished], lines)


def _survey(
    packed: Packed,
    policies: Policies,
    lines: tuple[CountedLine, ...],
    seed: int,
    first: int,
    rows: Any,
    watched: Any,
) -> Any:
    """Some consecutive runs on this thread, written into their rows; the tally of them."""
    held = np.zeros((MOST_ROOMS + 1, MOST_CARDS), np.int8)
    for room, deck in enumerate(packed.decks[0]):
        held[room, list(deck)] = 1
    held[MOST_ROOMS, list(packed.decks[1])] = 1
    tables, thinking, *memory = thread_memory(packed.tables, policies.table)
    log, notes, tally = new_log(MOST_RUN_EVENTS), records(2, NOTES), records(1, TALLY)
    told = held, packed_lines(lines)
    with wrapping():
        survey_runs(tables, thinking, *told, *memory, log, np.uint64(seed), first, rows, watched, notes, tally)
    return tally[0]
