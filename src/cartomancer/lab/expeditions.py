"""Many whole runs between computer explorers and heuristic fights: how far they get, what ends them, what is chosen.

>>> found = simulate_runs("contract:short", runs=4, seed=7)
>>> found.runs, sum(found.endings.values())
(4, 4)

Run `index` of a batch has a seed of its own, from which its map is drawn; so pieces join, and any run can be walked
again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from cartomancer import maps
from cartomancer.campaign.expedition import WON, Expedition, drawn_for, explorer, members_named
from cartomancer.content.codex import load_codex
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.intervals import mean_interval, wilson
from cartomancer.jit import prefer_compiled
from cartomancer.players import run_seed
from cartomancer.seals import digest_of

Progress = Callable[[int], None]
MOST_RUNS: Final = 1_000_000


@dataclass
class RunRow:
    """What is kept of one run."""

    index: int
    seed: int
    ending: str = ""
    row: int = 0
    nodes: int = 0
    gold: int = 0
    fallen: int = 0
    hooks: int = 0
    seconds: int = 0  # of play, by the pacing table of the map's family
    digest: str = ""
    fights: list[tuple[str, str]] = field(default_factory=list)  # (kind of node, how it ended)
    entered: list[str] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)  # the kinds of all nodes that could have been entered


@dataclass(frozen=True)
class ExpeditionBatch:
    """A batch of whole runs."""

    preset: str
    party: str
    explorer: str
    seed: int
    rows: tuple[RunRow, ...]

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.rows)

    @property
    def endings(self) -> dict[str, int]:
        """How often each ending came, the commonest first."""
        return dict(Counter(row.ending for row in self.rows).most_common())

    @property
    def result_hash(self) -> str:
        """Sixteen hex digits of all ways and final states, in order."""
        text = "".join(row.digest for row in self.rows)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def fights(self, *kinds: str) -> dict[str, int]:
        """How the fights on these kinds of nodes ended; on all of them without any."""
        ended = (end for row in self.rows for kind, end in row.fights if not kinds or kind in kinds)
        return dict(Counter(ended).most_common())

    def choices(self) -> dict[str, tuple[int, int]]:
        """For each kind of node: how often it was entered, and how often it could have been."""
        entered = Counter(kind for row in self.rows for kind in row.entered)
        offered = Counter(kind for row in self.rows for kind in row.offered)
        return {kind: (entered[kind], offered[kind]) for kind, _ in offered.most_common()}

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        runs = self.runs
        gold = [row.gold for row in self.rows]
        fights = {kind: self.fights(kind) for kind in sorted({kind for row in self.rows for kind, _ in row.fights})}
        return {
            "preset": self.preset,
            "party": self.party,
            "explorer": self.explorer,
            "seed": self.seed,
            "n": runs,
            "endings": {
                name: {"runs": count, "rate": count / runs, "interval": wilson(count, runs)}
                for name, count in self.endings.items()
            },
            "reached_row": _by_row(self.rows),
            "gold_mean": sum(gold) / runs,
            "gold_interval": mean_interval(sum(gold), sum(points * points for points in gold), runs)[1],
            "fallen_mean": sum(row.fallen for row in self.rows) / runs,
            "minutes_mean": sum(row.seconds for row in self.rows) / runs / 60,
            "fights": {kind: {**ends, "won": _share_won(ends)} for kind, ends in fights.items()},
            "chosen": {
                kind: {"entered": entered, "offered": offered, "share": entered / offered if offered else None}
                for kind, (entered, offered) in self.choices().items()
            },
            "result_hash": self.result_hash,
        }


def _by_row(rows: tuple[RunRow, ...]) -> dict[str, float]:
    """The share of the runs that reached each row."""
    most = max(row.row for row in rows)
    return {str(number): sum(row.row >= number for row in rows) / len(rows) for number in range(1, most + 1)}


def _share_won(ends: Mapping[str, int]) -> float:
    return sum(ends.get(name, 0) for name in WON) / max(1, sum(ends.values()))


def is_preset(text: str) -> bool:
    """Whether a text names a preset of maps: voyage:guide."""
    family, _, preset = text.partition(":")
    return family in maps.family_names() and not set(preset) & set("/@")


def simulate_runs(
    preset: str,
    runs: int,
    seed: int = 0,
    party: str = "standard_company",
    who: str = "balanced",
    progress: Progress = lambda done: None,
) -> ExpeditionBatch:
    """Let an explorer walk many maps of a preset. An interrupt ends it early: the result has the finished runs."""
    if not 1 <= runs <= MOST_RUNS:
        raise CartomancerError(f"{runs} runs: a batch has 1 to {MOST_RUNS:,}")
    if not is_preset(preset):
        raise UnknownNameError("preset of maps", preset, [f"{name}:PRESET" for name in maps.family_names()])
    prefer_compiled()
    rows: list[RunRow] = []
    try:
        for index in range(runs):
            rows.append(_walked(preset, index, run_seed(seed, index), party, who))
            progress(len(rows))
    except KeyboardInterrupt:
        if not rows:
            raise
    return ExpeditionBatch(preset, party, who, seed, tuple(rows))


def _walked(preset: str, index: int, seed: int, party: str, who: str) -> RunRow:
    """One run, from its map to its end."""
    family, _, name = preset.partition(":")
    members = members_named(load_codex(), party)
    drawn = drawn_for(family, name or None, seed, len(members))
    expedition, chooser, row = Expedition(drawn, members), explorer(who), RunRow(index, seed)
    pace = drawn.rules.seconds_by_type()
    while (asked := expedition.decision) is not None:
        if asked.kind == "way":
            row.offered += [node.type for node in expedition.run.journey.available()]
        action = chooser.weigh(expedition)[0].option.action
        kind = expedition.run.stops[-1].data.get("kind", "") if expedition.run.stops else ""
        for one in expedition.apply(action):
            if one.kind == "ended":
                row.fights.append((kind, one.fields["outcome"]))
            elif one.kind == "returned":
                row.fallen += 1
            elif one.kind == "entered":
                row.entered.append(expedition.run.node.type)
                row.seconds += pace.get(expedition.run.node.type, 0) + drawn.rules.choice_seconds
    outcome = expedition.outcome
    assert outcome is not None
    row.ending, row.row, row.nodes, row.gold = outcome.ending, outcome.row, outcome.nodes, outcome.gold
    row.hooks = sum(outcome.hooks.values())
    run = expedition.run
    row.digest = digest_of([expedition.actions, asdict(run.party), run.gold, run.items, outcome.hooks], digits=16)
    return row
