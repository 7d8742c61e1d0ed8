"""A matrix summed up: each composition, the ecosystem's rules, the structure, the meta [GDD 18.5].

Everything here says itself as JSON by its fields (`measures.estimates.plain`). Cells of a matrix share their seeds, so
their errors go together to an unknown degree. The interval of a mean over cells is therefore the mean of the cells'
intervals: right if they go together entirely, wider than needed otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.errors import CartomancerError
from cartomancer.intervals import Numbers
from cartomancer.lab.columns import OUTCOME_CODES
from cartomancer.lab.matrix.adaptive import MARKS, Verdicts
from cartomancer.lab.matrix.decomposition import equilibrium, structure
from cartomancer.lab.matrix.ecosystem import Rules, rules
from cartomancer.lab.matrix.matchups import Matrix, Side
from cartomancer.lab.measures.estimates import bits
from cartomancer.lab.results import plain

EXTREMES: Final = 4  # compositions named at each end of a component
MOST_META: Final = 2_000_000  # cells of a meta game that is solved in reasonable time
BANDS: Final = ("party 70 % or more", "party favoured", "dungeon favoured", "dungeon 70 % or more")


@dataclass(frozen=True)
class Share:
    """A mean share with the mean of its cells' intervals."""

    mean: float
    interval: Sequence[float]


@dataclass(frozen=True)
class Meeting:
    """What a composition wins of the games with one opponent."""

    opponent: str
    share: float


@dataclass(frozen=True)
class CompositionSummary:
    """A composition over all its opponents."""

    name: str
    opponents: int
    share: Share
    best: Meeting
    worst: Meeting
    agency: float
    diversity: float


@dataclass(frozen=True)
class CellSummary:
    """One cell."""

    scenario: str
    games: int
    dungeon_share: float
    interval: Sequence[float]
    agency: float
    diversity: float
    outcomes: Mapping[str, int]


@dataclass(frozen=True)
class Bands:
    """How many cells lie where among 30, 50 and 70 %, and how many of these verdicts are settled."""

    counts: Mapping[str, int]
    settled: int


@dataclass(frozen=True)
class Ends:
    """The compositions of a side with the largest loadings of either sign."""

    positive: Sequence[str]
    negative: Sequence[str]


@dataclass(frozen=True)
class Pattern:
    """A component of the matchups with those who make it."""

    share_of_rest: float
    beyond_noise: bool
    dungeons: Ends
    parties: Ends


@dataclass(frozen=True)
class Brought:
    """A composition that well-advised players would bring, and how often."""

    name: str
    weight: float


@dataclass(frozen=True)
class Meta:
    """What the meta game settles on; no value where it could not be solved, and why."""

    value: float | None
    dungeons: Sequence[Brought]
    parties: Sequence[Brought]
    note: str
    guessed_cells: int

    def as_dict(self) -> dict[str, Any]:
        """By its fields; a note only where there is one."""
        return {name: plain(value) for name, value in vars(self).items() if name != "note" or value}


@dataclass(frozen=True)
class StructureSummary:
    """Strength, matchups and the meta."""

    grand_mean: float
    transitive: float
    matchup: float
    noise: float
    components: Sequence[Pattern]
    meta: Meta
    strength: Mapping[str, Mapping[str, float]]  # effects in logits, each in favour of its own side


@dataclass(frozen=True)
class Summary:
    """Everything a report needs."""

    cells: int
    games: int
    seed: int
    players: Mapping[str, str]
    intervals: str
    dungeon_share: Share
    bands: Bands
    agency: float
    result_hash: str
    dungeons: Sequence[CompositionSummary]
    parties: Sequence[CompositionSummary]
    rules: Rules
    structure: StructureSummary | None  # nothing where one side has a single composition


def summary(matrix: Matrix) -> Summary:
    """The matrix summed up."""
    how, cells, band = matrix.settings, matrix.cells, np.searchsorted(MARKS, matrix.share, side="right")
    return Summary(
        cells=len(cells),
        games=int(cells["games"].sum()),
        seed=how.seed,
        players={"dungeon": str(how.dungeon), "visitor": str(how.visitor)},
        intervals="confidence sequences, 95 % at all times" if matrix.peeked else "Wilson, 95 %",
        dungeon_share=_mean(matrix, matrix.sides["dungeon"], np.arange(len(cells))),
        bands=Bands(
            counts={label: int((band == k).sum()) for k, label in enumerate(BANDS)},
            settled=int(Verdicts(*matrix.bounds()).settled.sum()),
        ),
        agency=float(matrix.agency.mean()),
        result_hash=matrix.result_hash,
        dungeons=compositions(matrix, "dungeon"),
        parties=compositions(matrix, "party"),
        rules=rules(matrix),
        structure=_structure(matrix),
    )


def cell_list(matrix: Matrix) -> list[CellSummary]:
    """Every cell."""
    low, high = matrix.bounds()
    return [
        CellSummary(
            scenario=matrix.name(k),
            games=int(record["games"]),
            dungeon_share=float(matrix.share[k]),
            interval=(float(low[k]), float(high[k])),
            agency=float(matrix.agency[k]),
            diversity=diversity(record["outcomes"]),
            outcomes={name: int(record["outcomes"][code]) for name, code in OUTCOME_CODES.items()},
        )
        for k, record in enumerate(matrix.cells)
    ]


def diversity(outcomes: Numbers) -> float:
    """How evenly counted outcomes are spread [GDD 18.2.3]."""
    counts = [int(times) for times in outcomes[1:]]
    return (bits(counts) or 0.0) * (1 / math.log2(len(counts)))


def compositions(matrix: Matrix, side: str) -> list[CompositionSummary]:
    """Each composition of a side: its share, its best and worst opponent, agency, diversity; the strongest first."""
    own, other = matrix.sides[side], matrix.sides["party" if side == "dungeon" else "dungeon"]
    opponents, shares, found = np.searchsorted(other.numbers, matrix.cells[other.name]), own.own(matrix.share), []
    for name, mine in zip(own.names, own.cells, strict=True):
        best, worst = mine[shares[mine].argmax()], mine[shares[mine].argmin()]
        found.append(
            CompositionSummary(
                name=name,
                opponents=len(mine),
                share=_mean(matrix, own, mine),
                best=Meeting(other.names[opponents[best]], float(shares[best])),
                worst=Meeting(other.names[opponents[worst]], float(shares[worst])),
                agency=float(matrix.agency[mine].mean()),
                diversity=diversity(matrix.cells["outcomes"][mine].sum(axis=0)),
            )
        )
    return sorted(found, key=lambda one: (-one.share.mean, one.name))


def _mean(matrix: Matrix, side: Side, mine: Numbers) -> Share:
    mean, *ends = (side.own(float(values[mine].mean())) for values in (matrix.share, *matrix.bounds()))
    return Share(mean, sorted(ends))


def _structure(matrix: Matrix) -> StructureSummary | None:
    points, games = matrix.grid(matrix.points, 0.0), matrix.grid(matrix.cells["games"], 0.0)
    if min(points.shape) < 2:
        return None
    found = structure(points, games)
    share = matrix.grid(matrix.share)
    empty = np.isnan(share)
    dungeons, parties = matrix.sides["dungeon"].names, matrix.sides["party"].names
    return StructureSummary(
        grand_mean=float(1 / (1 + np.exp(-found.mean))),
        transitive=found.transitive,
        matchup=found.matchup,
        noise=found.noise,
        components=[
            Pattern(one.share, one.beyond_noise, _ends(one.dungeons, dungeons), _ends(one.parties, parties))
            for one in found.components
        ],
        meta=_meta(matrix, np.where(empty, found.predicted(), share), int(empty.sum())),
        strength={
            "dungeons": dict(zip(dungeons, found.dungeons.tolist(), strict=True)),
            "parties": dict(zip(parties, (-found.parties).tolist(), strict=True)),
        },
    )


def _ends(loadings: Numbers, compositions: Sequence[str]) -> Ends:
    order = np.argsort(loadings)
    return Ends(
        positive=[compositions[k] for k in order[::-1][:EXTREMES] if loadings[k] > 0],
        negative=[compositions[k] for k in order[:EXTREMES] if loadings[k] < 0],
    )


def _meta(matrix: Matrix, share: Numbers, guessed: int) -> Meta:
    try:
        if share.size > MOST_META:
            raise CartomancerError(f"not solved: more than {MOST_META:,} cells")
        found = equilibrium(share)
    except CartomancerError as error:
        return Meta(None, [], [], str(error), guessed)
    dungeons, parties = (
        [Brought(side.names[k], weight) for k, weight in found.support(name)] for name, side in matrix.sides.items()
    )
    return Meta(found.value, dungeons, parties, "", guessed)
