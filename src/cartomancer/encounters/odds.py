"""Exact odds of contested rolls, by counting every roll of the dice: nothing is sampled.

>>> odds = contest_odds()
>>> {tier: str(share) for tier, share in odds.tiers.items()}
{'devastating': '7/72', 'strong': '103/432', 'partial': '551/1296', 'stalemate': '23/162', 'reversal': '7/72'}
>>> float(contest_odds(bonus=2, attacker="advantage").hit) > float(odds.hit)
True
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import load_codex
from cartomancer.content.models.tuning import ResolutionTuning
from cartomancer.content.tuning import load_resolution
from cartomancer.encounters.kernel.resolution import ADVANTAGE, DISADVANTAGE, PLAIN, keep_two, scaled, tier_of
from cartomancer.errors import UnknownNameError

MODES: Final[dict[str, int]] = {
    "plain": int(PLAIN),
    "advantage": int(ADVANTAGE),
    "disadvantage": int(DISADVANTAGE),
}
DIE: Final = range(1, 7)


@dataclass(frozen=True)
class ContestOdds:
    """The probability of every tier, and the mean damage a Strike of some power deals and takes."""

    tiers: dict[str, Fraction]
    hit: Fraction  # of a tier that hurts the defender alone, Strong or better, after which the attacker rallies
    dealt: Fraction
    taken: Fraction

    def as_dict(self) -> dict[str, Any]:
        shares = {tier: float(share) for tier, share in self.tiers.items()}
        return {"tiers": shares, "hit": float(self.hit), "dealt": float(self.dealt), "taken": float(self.taken)}


@cache
def roll_odds(mode: int) -> dict[int, Fraction]:
    """The probability of every sum that two kept dice can show."""
    counts = Counter(int(keep_two(*dice, mode)) for dice in product(DIE, repeat=3))
    return {total: Fraction(count, 216) for total, count in sorted(counts.items())}


def mode_code(name: str) -> int:
    """The code of a way to roll."""
    if name not in MODES:
        raise UnknownNameError("way to roll", name, list(MODES))
    return MODES[name]


def contest_shares(least_margins: tuple[int, ...], bonus: int, attacker: int, defender: int) -> list[Fraction]:
    """The probability of every tier, best first, by counting; ways to roll are codes."""
    margins = np.array(least_margins, np.int64)
    shares = [Fraction(0)] * len(least_margins)
    for (mine, p), (theirs, q) in product(roll_odds(attacker).items(), roll_odds(defender).items()):
        shares[int(tier_of(mine - theirs + bonus, margins, len(least_margins)))] += p * q
    return shares


def contest_odds(
    bonus: int = 0,
    attacker: str = "plain",
    defender: str = "plain",
    power: int = 4,
    tuning: ResolutionTuning | None = None,
    base: int | None = None,
) -> ContestOdds:
    """The odds of a Strike: `bonus` is the attacker's attribute minus the defender's (E10); a failed one throws back
    a share of `base`, of the shipped rules' base without it (E63)."""
    thrown = (load_codex().rules.reversal_base if base is None else base) or power
    tiers = (tuning or load_resolution()).tiers
    margins = tuple(tier.least_margin for tier in tiers)
    found = contest_shares(margins, bonus, mode_code(attacker), mode_code(defender))
    shares = {tier.id: share for tier, share in zip(tiers, found, strict=True)}
    dealt = sum((shares[tier.id] * int(scaled(power, tier.attacker_percent)) for tier in tiers), Fraction(0))
    taken = sum((shares[tier.id] * int(scaled(thrown, tier.defender_percent)) for tier in tiers), Fraction(0))
    clean = sum((shares[tier.id] for tier in tiers if tier.attacker_percent and not tier.defender_percent), Fraction(0))
    return ContestOdds(shares, clean, dealt, taken)
