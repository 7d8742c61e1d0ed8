"""Profiles to tables: who plays a scenario's sides, packed into the one record the players' kernels read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.base import digest_of
from cartomancer.content.models.profile import GOALS, Profile, ThinkingTuning
from cartomancer.content.models.tuning import ResolutionTuning
from cartomancer.content.models.vocabulary import OTHER_SIDE, RESOURCES
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.odds import MODES, contest_shares
from cartomancer.encounters.packing import Packed
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.jit import records
from cartomancer.players.kernel import player_codes
from cartomancer.players.kernel.layout import CATEGORIES, MOST_BONUS, POLICIES

KINDS: Final[dict[str, int]] = {
    "random": int(player_codes.RANDOM),
    "heuristic": int(player_codes.HEURISTIC),
    "smart": int(player_codes.SMART),
}
DEFAULT_PLAYOUTS: Final = 12
MOST_PLAYOUTS: Final = 10_000
HEALER_ROLE: Final = "support"
THREAT_ROLE: Final = "damage"


@dataclass(frozen=True)
class PlayerSpec:
    """Who plays one side: random, heuristic, heuristic:PROFILE, smart, smart@PLAYOUTS, smart@48:PROFILE."""

    kind: str = "heuristic"
    profile: str | None = None  # instead of the scenario's own
    playouts: int = DEFAULT_PLAYOUTS

    def __str__(self) -> str:
        shown = f"{self.kind}@{self.playouts}" if self.kind == "smart" else self.kind
        return f"{shown}:{self.profile}" if self.profile else shown


def player_spec(text: str, side: str, codex: Codex | None = None) -> PlayerSpec:
    """Who plays a side, as written.

    >>> player_spec("smart@48:aggressive", "dungeon")
    PlayerSpec(kind='smart', profile='aggressive', playouts=48)
    >>> str(player_spec("nurturing", "dungeon"))
    'heuristic:nurturing'
    """
    profiles = (codex or load_codex()).profiles
    head, _, profile = text.partition(":")
    kind, at, playouts = head.partition("@")
    if not profile and not at and kind in profiles:
        kind, profile = "heuristic", kind
    if kind not in KINDS:
        fitting = [name for name, found in profiles.items() if found.side == side]
        raise UnknownNameError("player", kind, [*KINDS, *fitting])
    if profile and (profile not in profiles or profiles[profile].side != side):
        fitting = [name for name, found in profiles.items() if found.side == side]
        raise UnknownNameError(f"profile of the {side}", profile, fitting)
    if at and (kind != "smart" or not playouts.isdigit() or not 1 <= int(playouts) <= MOST_PLAYOUTS):
        raise CartomancerError(f"'{text}': playouts belong to a smart player, 1 to {MOST_PLAYOUTS}: smart@48")
    return PlayerSpec(kind, profile or None, int(playouts) if at else DEFAULT_PLAYOUTS)


@dataclass(frozen=True)
class Policies:
    """Who plays both sides of a scenario, as the kernels read it."""

    table: Any
    dungeon: PlayerSpec
    visitor: PlayerSpec
    digest: str  # of everything that decides how they play


def pack_policies(
    packed: Packed, dungeon: PlayerSpec | None = None, visitor: PlayerSpec | None = None, codex: Codex | None = None
) -> Policies:
    """Seat two players in a scenario."""
    source = codex or load_codex()
    seats = (dungeon or PlayerSpec(), visitor or PlayerSpec())
    table = records(1, POLICIES)[0]
    for p, seat in enumerate(seats):
        table["kinds"][p] = KINDS[seat.kind]
        table["playouts"][p] = seat.playouts
        for room, profile in enumerate(profiles_of(source, packed, p, seat)):
            _fill_profile(table["profiles"][p][room], profile, source)
    _fill_thinking(table["thinking"], source.thinking)
    _fill_odds(table, source.resolution)
    for number, member in enumerate(source.members_of(packed.scenario)):
        table["healers"][number] = member.role == HEALER_ROLE
        table["threats"][number] = member.role == THREAT_ROLE
    _fill_reacts(table, packed)
    described = [table.tobytes().hex(), [str(seat) for seat in seats]]
    return Policies(table, *seats, digest=digest_of(described, digits=12))


def profiles_of(codex: Codex, packed: Packed, p: int, seat: PlayerSpec) -> list[Profile]:
    """The profile of a side in every room."""
    if seat.profile:
        return [codex.profiles[seat.profile]] * len(packed.rooms)
    if p == codes.DUNGEON:
        return codex.dungeon_profiles(packed.scenario)
    return [codex.visitor_profile(packed.scenario)] * len(packed.rooms)


def _fill_profile(record: Any, profile: Profile, codex: Codex) -> None:
    record["goal"] = GOALS.index(profile.goal)
    record["betrays_at"] = profile.betrays_at
    record["courts_from"] = profile.courts_from
    courting = codex.profiles[profile.courts_like] if profile.courts_like else profile
    _fill_weights(record["weights"][player_codes.FIGHTING], profile)
    _fill_weights(record["weights"][player_codes.COURTING], courting)


def _fill_weights(record: Any, profile: Profile) -> None:
    weights = profile.weights.model_dump()
    record["categories"] = [weights[category] for category in CATEGORIES]
    record["restraint"] = profile.weights.restraint
    record["targets"] = [profile.targets[name] for name in RESOURCES[OTHER_SIDE[profile.side]]]  # type: ignore[index]
    for name, value in profile.members.model_dump().items():
        record[name] = value
    for name in ("strikes_below", "caution", "openness", "scepticism", "retreats_below"):
        record[name] = getattr(profile, name)


def _fill_thinking(record: Any, thinking: ThinkingTuning) -> None:
    for name, value in thinking.model_dump().items():
        record[name] = value


def _fill_odds(table: Any, resolution: ResolutionTuning) -> None:
    found = _odds(tuple((t.least_margin, t.attacker_percent, t.defender_percent) for t in resolution.tiers))
    for name, odds in zip(("dealt", "back", "hits", "fails"), found, strict=True):
        table[name] = odds


@cache
def _odds(tiers: tuple[tuple[int, int, int], ...]) -> tuple[np.ndarray[Any, Any], ...]:
    """Expected shares of the power dealt and taken, the chances to hurt and to fail: thousandths by mode and bonus."""
    margins = tuple(margin for margin, _, _ in tiers)
    found = np.zeros((4, len(MODES), 2 * MOST_BONUS + 1), np.int32)
    for mode in MODES.values():
        for bonus in range(-MOST_BONUS, MOST_BONUS + 1):
            shares = contest_shares(margins, bonus, mode, MODES["plain"])
            column = bonus + MOST_BONUS
            rows = list(zip(shares, tiers, strict=True))
            found[0, mode, column] = round(sum(10 * share * attack for share, (_, attack, _) in rows))
            found[1, mode, column] = round(sum(10 * share * back for share, (_, _, back) in rows))
            found[2, mode, column] = round(sum(1000 * share for share, (_, attack, _) in rows if attack))
            found[3, mode, column] = round(sum(1000 * share for share, (_, _, back) in rows if back >= 100))
    return tuple(found)


def _fill_reacts(table: Any, packed: Packed) -> None:
    for room, deck in enumerate(packed.decks[0]):
        for p, cards in ((codes.DUNGEON, deck), (codes.VISITOR, packed.decks[1])):
            reacts = [k for k, number in enumerate(cards) if packed.cards[number].category == "react"]
            table["reacts"][p][room] = len(reacts)
            table["react_cards"][p][room] = sum(1 << k for k in reacts)
