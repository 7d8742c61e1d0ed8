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

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.lab.matrix.bounds import ERROR, Numbers
from cartomancer.lab.matrix.matchups import Matrix

DOMINANT: Final = 0.70  # [GDD 18.5 rule 1]
FAVOURABLE: Final = 0.55  # favourable and unfavourable: beyond the 45 to 55 % that nobody would call either
SIDES: Final = ("dungeon", "party")


@dataclass(frozen=True)
class Judgement:
    """One composition under rules 1 and 2."""

    side: str
    index: int
    name: str
    opponents: int
    share: float  # its mean share over its opponents
    worst: float  # its share against its hardest opponent …
    worst_low: float  # … and the least lower bound of all its shares
    best: float
    dominates: str  # broken, open, kept
    favourable: str  # has, open, none: a matchup over 55 %
    unfavourable: str


@dataclass(frozen=True)
class LopsidedCell:
    """A cell that one side wins 70 % or more of, and in which the lead hardly changes."""

    cell: int
    name: str
    share: float  # the dungeon's
    agency: float
    agency_interval: tuple[float, float]  # 95 % for all lopsided cells together


def judged(matrix: Matrix) -> list[Judgement]:
    """Every composition of both sides under rules 1 and 2, dungeons first."""
    found: list[Judgement] = []
    for side in SIDES:
        rows = matrix.dungeons if side == "dungeon" else matrix.parties
        cells = _by_composition(matrix, side)
        looked_among = max(map(len, cells), default=1)
        share = 1 - matrix.share if side == "party" else matrix.share
        low, high = _sided(matrix.bounds(), side)
        wide_low, wide_high = _sided(matrix.bounds(ERROR / looked_among), side)
        for row, index in enumerate(rows):
            mine = cells[row]
            several = len(mine) > 1
            found.append(
                Judgement(
                    side=side,
                    index=int(index),
                    name=matrix.dungeon_name(int(index)) if side == "dungeon" else matrix.party_name(int(index)),
                    opponents=len(mine),
                    share=float(share[mine].mean()),
                    worst=float(share[mine].min()),
                    worst_low=float(low[mine].min()),
                    best=float(share[mine].max()),
                    dominates=_verdict(
                        several and bool((low[mine] > DOMINANT).all()), bool((share[mine] >= DOMINANT).all())
                    ),
                    favourable=_has(wide_low[mine] > FAVOURABLE, several & (high[mine] < FAVOURABLE)),
                    unfavourable=_has(wide_high[mine] < 1 - FAVOURABLE, several & (low[mine] > 1 - FAVOURABLE)),
                )
            )
    return found


def _by_composition(matrix: Matrix, side: str) -> list[Numbers]:
    """The cells of each composition of a side."""
    _, inverse, counts = np.unique(matrix.cells[side], return_inverse=True, return_counts=True)
    return np.split(np.argsort(inverse, kind="stable"), np.cumsum(counts)[:-1])


def _sided(bounds: tuple[Numbers, Numbers], side: str) -> tuple[Numbers, Numbers]:
    low, high = bounds
    return (1 - high, 1 - low) if side == "party" else (low, high)


def _verdict(surely: bool, apparently: bool) -> str:
    return "broken" if surely else "open" if apparently else "kept"


def _has(one: Numbers, not_any: Numbers) -> str:
    return "has" if bool(one.any()) else "none" if bool(not_any.all()) else "open"


def lopsided_cells(matrix: Matrix) -> list[LopsidedCell]:
    """Rule 3: cells whose lower bound is 70 % for a side, with an agency surely below 1.0; the least agency first."""
    low, high = matrix.bounds()
    games = np.maximum(matrix.cells["games"], 1)
    spread = np.sqrt(np.maximum(matrix.cells["lead_changes_squared"] / games - matrix.agency**2, 0) / games)
    lopsided = (low >= DOMINANT) | (high <= 1 - DOMINANT)
    half = spread * _deviations(ERROR / max(int(lopsided.sum()), 1))
    flat = np.flatnonzero(lopsided & (matrix.agency + half < matrix.least_agency))
    ordered = flat[np.argsort(matrix.agency[flat], kind="stable")]
    return [
        LopsidedCell(
            cell=int(cell),
            name=matrix.name(int(cell)),
            share=float(matrix.share[cell]),
            agency=float(matrix.agency[cell]),
            agency_interval=(float((matrix.agency - half)[cell]), float((matrix.agency + half)[cell])),
        )
        for cell in ordered
    ]


def _deviations(error: float) -> float:
    """How many standard deviations a two-sided interval of this error reaches."""
    from scipy.special import ndtri

    return float(ndtri(1 - error / 2))


def rules(matrix: Matrix) -> dict[str, Any]:
    """The three rules with their verdicts and what speaks for them, in plain numbers."""
    found, flat = judged(matrix), lopsided_cells(matrix)
    low, high = matrix.bounds()
    lopsided = (low >= DOMINANT) | (high <= 1 - DOMINANT)
    quiet = int((lopsided & (matrix.agency < matrix.least_agency)).sum())
    dominating = [one for one in found if one.dominates == "broken"]
    suspected = [one for one in found if one.dominates == "open"]
    without = [one for one in found if "none" in {one.favourable, one.unfavourable}]
    unsure = [one for one in found if one not in without and "open" in {one.favourable, one.unfavourable}]
    return {
        "no_domination": {
            "verdict": "broken" if dominating else "open" if suspected else "kept",
            "dominating": [_plain(one) for one in sorted(dominating, key=lambda one: -one.worst_low)],
            "suspected": [_plain(one) for one in suspected],
        },
        "good_and_bad_matchups": {
            "verdict": "broken" if without else "open" if unsure else "kept",
            "without_favourable": [_plain(one) for one in found if one.favourable == "none"],
            "without_unfavourable": [_plain(one) for one in found if one.unfavourable == "none"],
            "undecided": len(unsure),
        },
        "agency_in_lopsided_cells": {
            "verdict": "broken" if flat else "open" if quiet else "kept",
            "lopsided": int(lopsided.sum()),
            "without_agency": len(flat),
            "suspected": quiet - len(flat),
            "cells": [
                {"cell": one.name, "dungeon_share": one.share, "agency": one.agency, "interval": [*one.agency_interval]}
                for one in flat
            ],
        },
    }


def _plain(one: Judgement) -> dict[str, Any]:
    return {
        "side": one.side,
        "name": one.name,
        "opponents": one.opponents,
        "share": one.share,
        "worst": one.worst,
        "worst_low": one.worst_low,
        "best": one.best,
    }
