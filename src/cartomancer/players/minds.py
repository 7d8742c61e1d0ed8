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
from cartomancer.encounters.kernel import codes as rules
from cartomancer.encounters.odds import MODES, contest_shares
from cartomancer.encounters.packing import Packed
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.jit import records
from cartomancer.players.kernel import codes
from cartomancer.players.kernel.layout import CATEGORIES, MINDS, MOST_BONUS

KINDS: Final[dict[str, int]] = {
    "random": int(codes.RANDOM),
    "heuristic": int(codes.HEURISTIC),
    "smart": int(codes.SMART),
}
DEFAULT_PLAYOUTS: Final = 12
MOST_PLAYOUTS: Final = 10_000
HEALER_ROLE: Final = "support"
THREAT_ROLE: Final = "damage"


@dataclass(frozen=True)
class Seating:
    """Who plays one side: random, heuristic, heuristic:PROFILE, smart, smart@PLAYOUTS, smart@48:PROFILE."""

    kind: str = "heuristic"
    profile: str | None = None  # instead of the scenario's own
    playouts: int = DEFAULT_PLAYOUTS

    def __str__(self) -> str:
        shown = f"{self.kind}@{self.playouts}" if self.kind == "smart" else self.kind
        return f"{shown}:{self.profile}" if self.profile else shown


def seating(text: str, side: str, codex: Codex | None = None) -> Seating:
    """Who plays a side, as written.

    >>> seating("smart@48:aggressive", "dungeon")
    Seating(kind='smart', profile='aggressive', playouts=48)
    >>> str(seating("nurturing", "dungeon"))
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
    return Seating(kind, profile or None, int(playouts) if at else DEFAULT_PLAYOUTS)


@dataclass(frozen=True)
class Minds:
    """Who plays both sides of a scenario, as the kernels read it."""

    table: Any
    dungeon: Seating
    visitor: Seating
    digest: str  # of everything that decides how they play


def pack_minds(
    packed: Packed, dungeon: Seating | None = None, visitor: Seating | None = None, codex: Codex | None = None
) -> Minds:
    """Seat two players in a scenario."""
    source = codex or load_codex()
    seats = (dungeon or Seating(), visitor or Seating())
    table = records(1, MINDS)[0]
    for p, seat in enumerate(seats):
        table["kinds"][p] = KINDS[seat.kind]
        table["playouts"][p] = seat.playouts
        for room, profile in enumerate(profiles_of(source, packed, p, seat)):
            _fill_mind(table["minds"][p][room], profile, source)
    _fill_thinking(table["thinking"], source.thinking)
    _fill_odds(table, source.resolution)
    for number, member in enumerate(source.members_of(packed.scenario)):
        table["healers"][number] = member.role == HEALER_ROLE
        table["threats"][number] = member.role == THREAT_ROLE
    _fill_reacts(table, packed)
    described = [table.tobytes().hex(), [str(seat) for seat in seats]]
    return Minds(table, *seats, digest=digest_of(described, digits=12))


def profiles_of(codex: Codex, packed: Packed, p: int, seat: Seating) -> list[Profile]:
    """The profile of a side in every room."""
    if seat.profile:
        return [codex.profiles[seat.profile]] * len(packed.rooms)
    if p == rules.DUNGEON:
        return codex.dungeon_profiles(packed.scenario)
    return [codex.visitor_profile(packed.scenario)] * len(packed.rooms)


def _fill_mind(record: Any, profile: Profile, codex: Codex) -> None:
    record["goal"] = GOALS.index(profile.goal)
    record["betrays_at"] = profile.betrays_at
    record["courts_from"] = profile.courts_from
    courting = codex.profiles[profile.courts_like] if profile.courts_like else profile
    _fill_face(record["faces"][codes.FIGHTING], profile)
    _fill_face(record["faces"][codes.COURTING], courting)


def _fill_face(record: Any, profile: Profile) -> None:
    weights = profile.weights.model_dump()
    record["weights"] = [weights[category] for category in CATEGORIES]
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
        for p, cards in ((rules.DUNGEON, deck), (rules.VISITOR, packed.decks[1])):
            reacts = [k for k, number in enumerate(cards) if packed.cards[number].category == "react"]
            table["reacts"][p][room] = len(reacts)
            table["react_cards"][p][room] = sum(1 << k for k in reacts)
