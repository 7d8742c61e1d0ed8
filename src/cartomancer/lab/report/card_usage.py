"""Which cards are played, and what playing one has to do with winning.

A long run shows more cards, and who wins depends on how long a run lasts: a card seen in many won runs may only be a
card of long runs. So runs with and without a card are compared only where they lasted equally many rounds and gave the
card equal chances: a dungeon's card, as many rounds in the rooms whose decks have it; a visitor's card, as many rooms.
The differences of the owner's win rate are averaged with Mantel–Haenszel weights. The p value is that of the
Cochran–Mantel–Haenszel test without continuity correction. The interval takes the larger of Greenland and Robins'
standard error and the test's: theirs vanishes where one of the groups always wins, and would then contradict the test.

A Bond is both sides' win (E17).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any, Final

import numpy as np

from cartomancer.encounters import names
from cartomancer.encounters.packing import Packed
from cartomancer.intervals import Z95, wilson
from cartomancer.lab.measures.evidence import false_discovery
from cartomancer.lab.results import Result

LEAST_RUNS: Final = 10  # with the card and without it, for a stratum to be compared

Stratum = tuple[int, int, int, int]  # wins and runs with the card, wins and runs without it


@dataclass(frozen=True)
class Contribution:
    """The difference that goes with a card, among runs that are alike."""

    difference: float  # of the owner's win rate, with the card less without
    interval: tuple[float, float]
    p_value: float
    compared: int  # runs in the strata that could be compared
    q_value: float = 1.0  # among all cards of the survey: see `evidence.false_discovery`


@dataclass(frozen=True)
class CardUse(Result):
    """One card of one side in the surveyed runs."""

    card: str
    title: str
    side: str
    category: str
    copies: int  # in the side's deck; the most in any room, for the dungeon
    plays: int
    plays_a_run: float
    runs: float  # the share of runs in which it was played
    runs_interval: tuple[float, float]
    contribution: Contribution | None  # nothing where too few runs can be compared


def contribution(strata: Iterable[Stratum]) -> Contribution | None:
    """The Mantel–Haenszel difference over strata; those with too few runs on either side are left out.

    Two strata in which a card makes no difference, though it is played where winning is easy:

    >>> found = contribution([(45, 50, 90, 100), (10, 100, 5, 50)])
    >>> found.difference, round(found.p_value, 3), found.compared
    (0.0, 1.0, 300)
    >>> contribution([(9, 9, 50, 100)]) is None
    True
    """
    weights = weighted = variance = excess = spread = 0.0
    totals = np.zeros(4)
    for stratum in strata:
        won_with, with_it, won_without, without = stratum
        if with_it < LEAST_RUNS or without < LEAST_RUNS:
            continue
        both = with_it + without
        won, lost = won_with + won_without, both - won_with - won_without
        weight = with_it * without / both
        weights += weight
        weighted += weight * (won_with / with_it - won_without / without)
        variance += (
            won_with * (with_it - won_with) * without**2 / with_it
            + won_without * (without - won_without) * with_it**2 / without
        ) / both**2
        excess += won_with - with_it * won / both
        spread += with_it * without * won * lost / (both**2 * (both - 1))
        totals += stratum
    if not weights:
        return None
    difference, compared = weighted / weights, int(totals[1] + totals[3])
    error = math.sqrt(max(variance, spread)) / weights if spread else _error_of_equals(*totals)
    p_value = math.erfc(abs(excess) / math.sqrt(2 * spread)) if spread else 1.0
    low, high = max(-1.0, difference - Z95 * error), min(1.0, difference + Z95 * error)
    return Contribution(difference, (low, high), p_value, compared)


def _error_of_equals(won_with: float, with_it: float, won_without: float, without: float) -> float:
    """The standard error where runs alike all ended alike: Agresti and Caffo's, one win and one loss added to each."""
    rates = ((won_with + 1) / (with_it + 2), (won_without + 1) / (without + 2))
    return math.sqrt(sum(p * (1 - p) / (n + 2) for p, n in zip(rates, (with_it, without), strict=True)))


def card_uses(packed: Packed, tally: Any) -> list[CardUse]:
    """Every card of both decks, in the order of the decks: of the dungeon's rooms, the most copies in any."""
    decks = reduce(or_, map(Counter, packed.decks[0])), Counter(packed.decks[1])
    uses = [_use(packed, tally, p, card, copies) for p, deck in enumerate(decks) for card, copies in deck.items()]
    # so many cards are asked about that some must look telling by chance
    adjusted = iter(false_discovery([use.contribution.p_value for use in uses if use.contribution]))
    return [
        replace(use, contribution=replace(use.contribution, q_value=next(adjusted))) if use.contribution else use
        for use in uses
    ]


def _use(packed: Packed, tally: Any, p: int, card: int, copies: int) -> CardUse:
    plays, with_it = (int(tally[field][:, p, card].sum()) for field in ("plays", "runs_with"))
    runs = int(tally["runs"].sum())
    low, high = wilson(with_it, runs)
    return CardUse(
        card=packed.cards[card].id,
        title=packed.cards[card].title,
        side=names.SIDES[p],
        category=packed.cards[card].category,
        copies=copies,
        plays=plays,
        plays_a_run=plays / runs,
        runs=with_it / runs,
        runs_interval=(low, high),
        contribution=contribution(_strata(*(tally[field][..., p, card] for field in ("alike", "alike_with")))),
    )


def _strata(every: Any, played: Any) -> list[Stratum]:
    """Wins and runs with and without a card, for runs that are alike; the first index is whether its owner won."""
    without = every - played
    columns = (played[1], played.sum(axis=0), without[1], without.sum(axis=0))
    rows = np.stack([column.ravel() for column in columns], axis=1)
    return [(int(a), int(b), int(c), int(d)) for a, b, c, d in rows[rows[:, 1] > 0]]
