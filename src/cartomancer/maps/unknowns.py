"""Unknown nodes: the resolver a game calls on entry.

>>> from cartomancer.content.models.voyage import UnknownRules
>>> resolver = UnknownResolver(seed=42, rules=UnknownRules())
>>> resolver.visit().outcome in OUTCOMES
True
>>> resolver.force_next("shop"); resolver.visit().outcome
'shop'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from cartomancer.codes import STREAM_UNKNOWN
from cartomancer.content.models.voyage import UnknownRules
from cartomancer.content.toml_files import validated
from cartomancer.errors import ContentError, Fault, ReplayError, UnknownNameError
from cartomancer.jit import wrapping
from cartomancer.maps.kernel.unknown import CANDIDATES, MILLION, chance, resolve, update_pity
from cartomancer.rng import MAX_SEED, stream_start

OUTCOMES: Final = ("battle", "treasure", "shop", "event")
MAP_TYPES: Final = ("monster", "treasure", "shop", "event")  # what the outcomes are called on a map
CANDIDATE_TYPES: Final = MAP_TYPES[:CANDIDATES]

FORMAT: Final = "cartomancer.unknown/1"
MOST: Final = 1_000_000  # visits, and with them pity


def odds_table(rules: UnknownRules) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Base chances and pity steps in millionths, a row each."""
    base = (rules.base_battle, rules.base_treasure, rules.base_shop)
    step = (rules.pity_battle, rules.pity_treasure, rules.pity_shop)
    return np.array([[round(value * MILLION) for value in row] for row in (base, step)], np.int64)


def banned_candidates(rules: UnknownRules, banned_types: Iterable[str], beside: Iterable[str] = ()) -> int:
    """The candidates that a row's bans and neighbours rule out, as a mask, as far as the rules heed them (M5, M30)."""
    names = {*(banned_types if rules.respect_row_bans else ()), *(() if rules.ignore_adjacency else beside)}
    return sum(1 << index for index, name in enumerate(CANDIDATE_TYPES) if name in names)


@dataclass(frozen=True)
class Resolution:
    """One resolved Unknown and everything that decided it."""

    act: int
    visit: int
    outcome: str
    chances: tuple[float, ...]
    pity_before: tuple[int, ...]
    pity_after: tuple[int, ...]
    banned: tuple[str, ...]
    forced: bool

    def as_dict(self) -> dict[str, Any]:
        return {key: list(value) if isinstance(value, tuple) else value for key, value in vars(self).items()}


class UnknownResolver:
    """Resolves Unknowns in the order they are entered. Every visit has a random stream of its own, so a forced or
    skipped visit never shifts a later one; only pity carries over."""

    def __init__(self, seed: int, rules: UnknownRules | None = None, pity: Iterable[int] = (0, 0, 0)) -> None:
        battle, treasure, shop = (int(value) for value in pity)
        self.seed = seed
        self.rules = rules or UnknownRules()
        self.visits = 0
        self.act = 1
        self._pity: np.ndarray[Any, np.dtype[np.int32]] = np.array([battle, treasure, shop], np.int32)
        self._odds = odds_table(self.rules)
        self._forced: str | None = None

    @property
    def pity(self) -> tuple[int, ...]:
        """Visits since the last Battle, Treasure and Shop."""
        return tuple(map(int, self._pity))

    def chances(self) -> tuple[float, ...]:
        """The chance of each candidate when its turn to be tried comes."""
        tried = zip(*self._odds, self._pity, strict=True)
        return tuple(int(chance(base, step, waited)) / MILLION for base, step, waited in tried)

    def force_next(self, outcome: str) -> None:
        """Make the next visit resolve to this outcome (a debug command, [Voyage P6])."""
        if outcome not in OUTCOMES:
            raise UnknownNameError("outcome", outcome, OUTCOMES)
        self._forced = outcome

    def enter_act(self, act: int, rules: UnknownRules | None = None) -> None:
        """Start an act, perhaps under rules of its own; per-act pity starts again with it (M31)."""
        if rules is not None:
            self.rules, self._odds = rules, odds_table(rules)
        if act != self.act and self.rules.pity_scope == "per_act":
            self._pity[:] = 0
        self.act = act

    def visit(self, banned_types: Iterable[str] = (), beside: Iterable[str] = ()) -> Resolution:
        """Resolve the Unknown just entered. `banned_types` are the types its row may not hold, `beside` those that
        adjacency rules forbid next to its neighbours."""
        before, odds = self.pity, self.chances()
        mask = banned_candidates(self.rules, banned_types, beside)
        forced = self._forced
        if forced is not None:
            outcome = OUTCOMES.index(forced)
            update_pity(self._pity, outcome)
            self._forced = None
        else:
            with wrapping():
                streams = np.zeros(1, np.uint64)
                streams[0] = stream_start(np.uint64(self.seed), STREAM_UNKNOWN, self.visits)
                outcome = int(resolve(streams, 0, self._odds[0], self._odds[1], self._pity, mask))
        self.visits += 1
        return Resolution(
            act=self.act,
            visit=self.visits,
            outcome=OUTCOMES[outcome],
            chances=odds,
            pity_before=before,
            pity_after=self.pity,
            banned=tuple(name for index, name in enumerate(OUTCOMES[:3]) if mask >> index & 1),
            forced=forced is not None,
        )

    def save(self) -> dict[str, Any]:
        """Everything needed to go on later."""
        return {
            "format": FORMAT,
            "seed": self.seed,
            "visits": self.visits,
            "act": self.act,
            "pity": list(self.pity),
            "forced": self._forced,
            "rules": self.rules.model_dump(mode="json"),
        }

    @classmethod
    def load(cls, data: Any) -> UnknownResolver:
        """The resolver as it was saved, or a ReplayError with every fault."""
        if not isinstance(data, dict):
            fault = Fault("file", data, "is not a JSON object", "format, seed, visits, act, pity, …")
            raise ReplayError("not a saved Unknown resolver", [fault])
        pity = data.get("pity")
        faults = [
            Fault(name, data.get(name), problem, expected)
            for name, good, problem, expected in (
                ("format", data.get("format") == FORMAT, "is not a format this version reads", FORMAT),
                ("seed", _whole(data.get("seed"), 0, MAX_SEED), "is not a seed", "a whole number from 0 to 2**64 − 1"),
                ("visits", _whole(data.get("visits"), 0, MOST), "is not a count", f"a whole number from 0 to {MOST}"),
                ("act", _whole(data.get("act"), 1, MOST), "is not an act", f"a whole number from 1 to {MOST}"),
                (
                    "pity",
                    isinstance(pity, list) and len(pity) == CANDIDATES and all(_whole(n, 0, MOST) for n in pity),
                    "is not what pity is counted by",
                    f"three counters from 0 to {MOST}: battle, treasure, shop",
                ),
                ("forced", data.get("forced") in (None, *OUTCOMES), "is no outcome", f"null, {', '.join(OUTCOMES)}"),
            )
            if not good
        ]
        try:
            rules = validated(UnknownRules, data.get("rules"), "rules")
        except ContentError as error:
            faults += [replace(fault, field=f"rules.{fault.field}", where="") for fault in error.faults]
        if faults:
            raise ReplayError("not a saved Unknown resolver", faults)
        resolver = cls(data["seed"], rules, data["pity"])
        resolver.visits, resolver.act, resolver._forced = data["visits"], data["act"], data["forced"]
        return resolver


def _whole(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most
