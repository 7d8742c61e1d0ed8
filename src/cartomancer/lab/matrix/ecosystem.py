"""Whether a matrix is an ecosystem: its three rules, who beats whom by strength alone, who by matchup [GDD 14.1, 18.5].

Everything here works on tables with a row for each dungeon and a column for each party; a value is the dungeon's share
of the cell (its wins and half the Bonds). A party's share is the rest.

Rules are judged on bounds, so a verdict is one of *kept*, *broken* and *open* (more games would tell):

1. No composition wins 70 % or more against every opponent. Broken if the lower bounds of all its shares are above 70 %
   (if one share were lower, all bounds would be wrong with at most the error of one); open if all shares are.
2. Every composition has a favourable (over 55 %) and an unfavourable (under 45 %) matchup. It has one if a bound says
   so, corrected for the number of opponents among which the best is looked for; it has none if all bounds say so.
   A composition that met a single opponent breaks neither rule: it has not met everybody, and both stay open.
3. Lopsided cells (70 % or more for a side) keep agency: broken where the interval of the mean number of lead changes,
   corrected for the number of lopsided cells, lies below the content's severe bound (1.0); open where only the mean
   does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np

from cartomancer.intervals import ERROR, Numbers
from cartomancer.lab.matrix.matchups import Matrix
from cartomancer.lab.results import HIDDEN, Result

DOMINANT: Final = 0.70  # [GDD 18.5 rule 1]
FAVOURABLE: Final = 0.55  # favourable and unfavourable: beyond the 45 to 55 % that nobody would call either


@dataclass(frozen=True)
class Judgement(Result):
    """One composition under rules 1 and 2: what speaks for a rule's verdict, which is where it is listed."""

    side: str
    name: str
    opponents: int
    share: float  # its mean share over its opponents
    worst: float  # its share against its hardest opponent …
    worst_low: float  # … and the least lower bound of all its shares
    best: float
    index: int = field(metadata=HIDDEN)
    dominates: str = field(metadata=HIDDEN)  # broken, open, kept
    favourable: str = field(metadata=HIDDEN)  # has, open, none: a matchup over 55 %
    unfavourable: str = field(metadata=HIDDEN)


@dataclass(frozen=True)
class LopsidedCell:
    """A cell that one side wins 70 % or more of, and in which the lead hardly changes."""

    cell: str  # its scenario
    dungeon_share: float
    agency: float
    interval: tuple[float, float]  # of the agency: 95 % for all lopsided cells together


@dataclass(frozen=True)
class NoDomination:
    """Rule 1."""

    title: ClassVar = "No composition wins 70 % or more against every opponent"
    verdict: str
    dominating: Sequence[Judgement]  # the surest first
    suspected: Sequence[Judgement]

    @property
    def words(self) -> str:
        """What speaks for the verdict, in a sentence."""
        sides = [one.side for one in self.dominating]
        return (
            f"{sides.count('dungeon')} dungeons and {sides.count('party')} parties do, with every lower bound above "
            f"70 %; {len(self.suspected)} more would by their shares alone."
        )

    @property
    def breaking(self) -> Mapping[str, Sequence[Judgement]]:
        """Who breaks it, and how."""
        return {"dominating": self.dominating}


@dataclass(frozen=True)
class GoodAndBadMatchups:
    """Rule 2."""

    title: ClassVar = "Every composition has a favourable and an unfavourable matchup"
    verdict: str
    without_favourable: Sequence[Judgement]
    without_unfavourable: Sequence[Judgement]
    undecided: int

    @property
    def words(self) -> str:
        """What speaks for the verdict, in a sentence."""
        return (
            f"{len(self.without_favourable)} have no matchup over 55 %, {len(self.without_unfavourable)} none under "
            f"45 %; of {self.undecided} more it is not certain."
        )

    @property
    def breaking(self) -> Mapping[str, Sequence[Judgement]]:
        """Who breaks it, and how."""
        return {"without favourable": self.without_favourable, "without unfavourable": self.without_unfavourable}


@dataclass(frozen=True)
class LopsidedAgency:
    """Rule 3."""

    title: ClassVar = "Lopsided matchups keep agency"
    verdict: str
    lopsided: int
    without_agency: int
    suspected: int
    cells: Sequence[LopsidedCell]  # the least agency first

    @property
    def words(self) -> str:
        """What speaks for the verdict, in a sentence."""
        return (
            f"{self.without_agency:,} of {self.lopsided:,} cells that a side surely wins 70 % of surely have fewer "
            f"than 1.0 lead changes a run; {self.suspected:,} more have by their means alone."
        )


Rule = NoDomination | GoodAndBadMatchups | LopsidedAgency


@dataclass(frozen=True)
class Rules:
    """The three rules with their verdicts and what speaks for them."""

    no_domination: NoDomination
    good_and_bad_matchups: GoodAndBadMatchups
    agency_in_lopsided_cells: LopsidedAgency

    @property
    def all(self) -> tuple[Rule, ...]:
        """One after the other."""
        return self.no_domination, self.good_and_bad_matchups, self.agency_in_lopsided_cells


def judged(matrix: Matrix) -> list[Judgement]:
    """Every composition of both sides under rules 1 and 2, dungeons first."""
    found: list[Judgement] = []
    for side in matrix.sides.values():
        looked_among = max(map(len, side.cells), default=1)
        shares, (lows, highs) = side.own(matrix.share), side.own_bounds(matrix.bounds())
        wide_lows, wide_highs = side.own_bounds(matrix.bounds(ERROR / looked_among))
        for index, name, mine in zip(side.numbers, side.names, side.cells, strict=True):
            several, share, low, high = len(mine) > 1, shares[mine], lows[mine], highs[mine]
            found.append(
                Judgement(
                    side=side.name,
                    name=name,
                    opponents=len(mine),
                    share=float(share.mean()),
                    worst=float(share.min()),
                    worst_low=float(low.min()),
                    best=float(share.max()),
                    index=int(index),
                    dominates=_verdict(several and (low > DOMINANT).all(), (share >= DOMINANT).all()),
                    favourable=_has(wide_lows[mine] > FAVOURABLE, several & (high < FAVOURABLE)),
                    unfavourable=_has(wide_highs[mine] < 1 - FAVOURABLE, several & (low > 1 - FAVOURABLE)),
                )
            )
    return found


def _verdict(surely: object, apparently: object) -> str:
    return "broken" if surely else "open" if apparently else "kept"


def _has(one: Numbers, not_any: Numbers) -> str:
    return "has" if one.any() else "none" if not_any.all() else "open"


def lopsided(matrix: Matrix) -> Numbers:
    """Of every cell, whether a bound says that a side wins 70 % or more."""
    low, high = matrix.bounds()
    return np.asarray((low >= DOMINANT) | (high <= 1 - DOMINANT))


def lopsided_cells(matrix: Matrix) -> list[LopsidedCell]:
    """Rule 3: lopsided cells with an agency surely below 1.0; the least agency first."""
    from scipy.special import ndtri

    there, games, agency = lopsided(matrix), np.maximum(matrix.cells["games"], 1), matrix.agency
    spread = np.sqrt(np.maximum(matrix.cells["lead_changes_squared"] / games - agency**2, 0) / games)
    half = spread * float(ndtri(1 - ERROR / max(int(there.sum()), 1) / 2))
    flat = np.flatnonzero(there & (agency + half < matrix.least_agency))
    return [
        LopsidedCell(
            cell=matrix.name(cell),
            dungeon_share=float(matrix.share[cell]),
            agency=float(agency[cell]),
            interval=(float((agency - half)[cell]), float((agency + half)[cell])),
        )
        for cell in flat[np.argsort(agency[flat], kind="stable")]
    ]


def rules(matrix: Matrix) -> Rules:
    """The three rules, judged."""
    found, flat, there = judged(matrix), lopsided_cells(matrix), lopsided(matrix)
    quiet = int((there & (matrix.agency < matrix.least_agency)).sum())
    dominating = [one for one in found if one.dominates == "broken"]
    suspected = [one for one in found if one.dominates == "open"]
    without = [one for one in found if "none" in {one.favourable, one.unfavourable}]
    unsure = [one for one in found if one not in without and "open" in {one.favourable, one.unfavourable}]
    return Rules(
        NoDomination(
            verdict=_verdict(dominating, suspected),
            dominating=sorted(dominating, key=lambda one: -one.worst_low),
            suspected=suspected,
        ),
        GoodAndBadMatchups(
            verdict=_verdict(without, unsure),
            without_favourable=[one for one in found if one.favourable == "none"],
            without_unfavourable=[one for one in found if one.unfavourable == "none"],
            undecided=len(unsure),
        ),
        LopsidedAgency(
            verdict=_verdict(flat, quiet),
            lopsided=int(there.sum()),
            without_agency=len(flat),
            suspected=quiet - len(flat),
            cells=flat,
        ),
    )
