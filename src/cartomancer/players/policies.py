"""Profiles to tables: who plays a scenario's sides, packed into the one record the players' kernels read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from operator import mul
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.profile import Profile
from cartomancer.content.models.vocabulary import OTHER_SIDE, RESOURCES
from cartomancer.encounters import names
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.layout import MOST_ROOMS
from cartomancer.encounters.odds import MODES, contest_shares
from cartomancer.encounters.packing import Packed
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.jit import records
from cartomancer.players.kernel.layout import MOST_BONUS, POLICIES, TEMPERAMENT
from cartomancer.players.kernel.player_codes import Goal, Kind, Stance
from cartomancer.seals import digest_of

KINDS: Final[dict[str, Kind]] = {kind.name.lower(): kind for kind in Kind}
DEFAULT_ROLLOUTS: Final = 12
MOST_ROLLOUTS: Final = 10_000
HEALER_ROLE: Final = "support"
THREAT_ROLE: Final = "damage"


@dataclass(frozen=True)
class PlayerSpec:
    """Who plays one side: random, heuristic, heuristic:PROFILE, smart, smart@ROLLOUTS, smart@48:PROFILE."""

    kind: str = "heuristic"
    profile: str | None = None  # instead of the scenario's own
    rollouts: int = DEFAULT_ROLLOUTS

    def __str__(self) -> str:
        shown = f"{self.kind}@{self.rollouts}" if self.kind == "smart" else self.kind
        return f"{shown}:{self.profile}" if self.profile else shown


def player_spec(text: str, side: str | None = None, codex: Codex | None = None) -> PlayerSpec:
    """A player as written; its profile must be one of the side, if a side is given.

    >>> player_spec("smart@48:aggressive", "dungeon")
    PlayerSpec(kind='smart', profile='aggressive', rollouts=48)
    >>> str(player_spec("nurturing", "dungeon"))
    'heuristic:nurturing'
    """
    profiles = (codex or load_codex()).profiles
    head, _, profile = text.partition(":")
    kind, at, rollouts = head.partition("@")
    if not profile and not at and kind in profiles:
        kind, profile = "heuristic", kind
    fitting = [name for name, found in profiles.items() if side in (None, found.side)]
    if kind not in KINDS:
        raise UnknownNameError("player", kind, [*KINDS, *fitting])
    if profile and profile not in fitting:
        raise UnknownNameError(f"profile of the {side}" if side else "profile", profile, fitting)
    if at and (kind != "smart" or not rollouts.isdigit() or not 1 <= int(rollouts) <= MOST_ROLLOUTS):
        raise CartomancerError(f"'{text}': rollouts belong to a smart player, 1 to {MOST_ROLLOUTS}: smart@48")
    return PlayerSpec(kind, profile or None, int(rollouts) if at else DEFAULT_ROLLOUTS)


@dataclass(frozen=True)
class Policies:
    """Who plays both sides of a scenario, as the kernels read it."""

    table: Any
    dungeon: PlayerSpec
    visitor: PlayerSpec
    digest: str  # of everything that decides how they play

    def of(self, side: str) -> PlayerSpec:
        """Who plays a side."""
        return self.dungeon if side == "dungeon" else self.visitor


def pack_policies(
    packed: Packed,
    dungeon: PlayerSpec | str | None = None,
    visitor: PlayerSpec | str | None = None,
    codex: Codex | None = None,
) -> Policies:
    """The policies of both players of a scenario."""
    source = codex or load_codex()
    specs = _as_spec(dungeon, "dungeon", source), _as_spec(visitor, "visitor", source)
    table = records(1, POLICIES)[0]
    for p, spec in enumerate(specs):
        policy = table["sides"][p]
        policy["kind"] = KINDS[spec.kind]
        policy["rollouts"] = spec.rollouts
        profiles, decks = profiles_of(source, packed, p, spec), packed.decks[0]
        if p == codes.VISITOR:  # the same in every room there may be
            profiles, decks = profiles[:1] * MOST_ROOMS, (packed.decks[1],) * MOST_ROOMS
        for room, (profile, deck) in enumerate(zip(profiles, decks, strict=True)):
            _fill_profile(policy["profiles"][room], profile, source)
            reacts = [k for k, number in enumerate(deck) if packed.cards[number].category == "react"]
            policy["reacts"][room] = len(reacts)
            policy["react_cards"][room] = sum(1 << k for k in reacts)
    _fill(table["thinking"], source.thinking.model_dump())
    tiers = tuple((tier.least_margin, tier.attacker_percent, tier.defender_percent) for tier in source.resolution.tiers)
    table["dealt"], table["back"], table["hits"], table["fails"] = _odds(tiers)
    for number, member in enumerate(source.members_of(packed.scenario)):
        policy["healers"][number] = member.role == HEALER_ROLE
        policy["threats"][number] = member.role == THREAT_ROLE
    described = [table.tobytes().hex(), [str(spec) for spec in specs]]
    return Policies(table, *specs, digest=digest_of(described, digits=12))


def _as_spec(player: PlayerSpec | str | None, side: str, codex: Codex) -> PlayerSpec:
    return player_spec(player, side, codex) if isinstance(player, str) else player or PlayerSpec()


def profiles_of(codex: Codex, packed: Packed, p: int, spec: PlayerSpec) -> list[Profile]:
    """The profile of a side in every room."""
    if spec.profile:
        return [codex.profiles[spec.profile]] * len(packed.rooms)
    if p == codes.DUNGEON:
        return codex.dungeon_profiles(packed.scenario)
    return [codex.visitor_profile(packed.scenario)] * len(packed.rooms)


def _fill_profile(record: Any, profile: Profile, codex: Codex) -> None:
    record["goal"] = Goal[profile.goal.upper()]
    _fill(record, profile.model_dump(include={"betrays_at", "courts_from"}))
    courting = codex.profiles[profile.courts_like] if profile.courts_like else profile
    _fill_weights(record["weights"][Stance.FIGHTING], profile)
    _fill_weights(record["weights"][Stance.COURTING], courting)


def _fill_weights(record: Any, profile: Profile) -> None:
    categories = profile.weights.model_dump()
    record["restraint"] = categories.pop("restraint")
    for name, value in categories.items():
        record["categories"][names.CATEGORIES.index(name)] = value
    record["targets"] = [profile.targets[name] for name in RESOURCES[OTHER_SIDE[profile.side]]]  # type: ignore[index]
    _fill(record, profile.members.model_dump() | profile.model_dump(include=set(TEMPERAMENT)))


def _fill(record: Any, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        record[name] = value


@cache
def _odds(tiers: tuple[tuple[int, int, int], ...]) -> np.ndarray[Any, Any]:
    """Expected shares of the power dealt and taken, the chances to hurt and to fail: thousandths by mode and bonus."""
    margins = tuple(margin for margin, _, _ in tiers)
    counted = [(10 * attack, 10 * back, 1000 * bool(attack), 1000 * (back >= 100)) for _, attack, back in tiers]
    found = np.zeros((4, len(MODES), 2 * MOST_BONUS + 1), np.int32)
    for mode in MODES.values():
        for bonus in range(-MOST_BONUS, MOST_BONUS + 1):
            shares = contest_shares(margins, bonus, mode, MODES["plain"])
            for k, thousandths in enumerate(zip(*counted, strict=True)):
                found[k, mode, bonus + MOST_BONUS] = round(sum(map(mul, shares, thousandths)))
    return found
