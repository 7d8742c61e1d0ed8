"""Profiles to tables: who plays a scenario's sides, packed into the one record the players' kernels read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from operator import mul
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.encounter import Scenario
from cartomancer.content.models.profile import EndingsTuning, Profile
from cartomancer.content.models.vocabulary import OTHER_SIDE, RESOURCES
from cartomancer.encounters import names
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.layout import MOST_ROOMS
from cartomancer.encounters.odds import MODES, contest_shares
from cartomancer.encounters.packing import Packed
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.jit import records
from cartomancer.players.kernel.layout import MOST_BONUS, POLICIES, TEMPERAMENT
from cartomancer.players.kernel.player_codes import Goal, Habit, Kind, Stance
from cartomancer.seals import digest_of

MOST_ROLLOUTS: Final = 10_000
GUARDS: Final = ("reshape", "counter", "disrupt", "react", "energy")  # categories that keep a side alive
HEALER_ROLE: Final = "support"
THREAT_ROLE: Final = "damage"


@dataclass(frozen=True)
class PlayerKind:
    """A kind of computer players."""

    summary: str
    plays: Kind = Kind.HEURISTIC
    habit: Habit = Habit.NO_HABIT
    played: Collection[str] = names.CATEGORIES  # the categories of cards it plays at all
    rollouts: int = 0  # unless it is told otherwise
    doubts: bool = True  # whether it needs to be sure before it leaves the heuristic's choice

    @property
    def is_simple(self) -> bool:
        """Whether it is a heuristic player with a habit, or without some cards."""
        return self.habit is not Habit.NO_HABIT or len(self.played) < len(names.CATEGORIES)


KINDS: Final[dict[str, PlayerKind]] = {
    "heuristic": PlayerKind("weighs its cards and plans its turn [GDD 7.1]"),
    "smart": PlayerKind("plays every option to the end of the run, in its mind", Kind.SMART, rollouts=400),
    "montecarlo": PlayerKind("random playouts of three rounds for each option [GDD 7.2]", Kind.MONTECARLO, rollouts=12),
    "random": PlayerKind("any legal action", Kind.RANDOM),
    "exploiter": PlayerKind("smart, without any trust in the heuristic", Kind.SMART, rollouts=800, doubts=False),
    "pass": PlayerKind("plays nothing", habit=Habit.PASS),
    "never-strike": PlayerKind("no Strike", played=[name for name in names.CATEGORIES if name != "strike"]),
    "strike-only": PlayerKind("nothing but Strikes", played=("strike", "energy")),
    "turtle": PlayerKind("only what keeps it alive", played=GUARDS),
    "dump": PlayerKind("whatever it can, from left to right", habit=Habit.DUMP),
    "flee": PlayerKind("leaves as soon as it may", habit=Habit.FLEE),
    "mulligan": PlayerKind("deals its opening hand again", habit=Habit.MULLIGAN),
    "cooperate": PlayerKind("cooperates in every Test", habit=Habit.COOPERATE),
    "defect": PlayerKind("defects in every Test", habit=Habit.DEFECT),
    "accept": PlayerKind("accepts every Offer and Covenant", habit=Habit.ACCEPT),
    "refuse": PlayerKind("refuses every Offer and Covenant", habit=Habit.REFUSE),
}
SIMPLE: Final = tuple(name for name, kind in KINDS.items() if kind.is_simple)
WITH_ROLLOUTS: Final = tuple(name for name, kind in KINDS.items() if kind.rollouts)


@dataclass(frozen=True)
class PlayerSpec:
    """Who plays one side: heuristic, heuristic:PROFILE, smart, smart@ROLLOUTS, smart@400:PROFILE, random, turtle, …"""

    kind: str = "heuristic"
    profile: str | None = None  # instead of the scenario's own
    rollouts: int = 0  # of a Monte Carlo player for each option, of a smart one for each decision; 0: its kind's own

    def __post_init__(self) -> None:
        object.__setattr__(self, "rollouts", self.rollouts or KINDS[self.kind].rollouts)

    def __str__(self) -> str:
        shown = f"{self.kind}@{self.rollouts}" if self.rollouts else self.kind
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
    if at and (kind not in WITH_ROLLOUTS or not rollouts.isdigit() or not 1 <= int(rollouts) <= MOST_ROLLOUTS):
        owners = ", ".join(WITH_ROLLOUTS)
        raise CartomancerError(f"'{text}': {owners} have rollouts, 1 to {MOST_ROLLOUTS}: smart@48")
    return PlayerSpec(kind, profile or None, int(rollouts or 0))


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
        kind = KINDS[spec.kind]
        policy["kind"], policy["habit"] = kind.plays, kind.habit
        policy["played"] = sum(1 << names.CATEGORIES.index(name) for name in kind.played)
        policy["rollouts"] = spec.rollouts
        policy["doubt"] = source.thinking.doubt if kind.doubts else 0
        profiles, decks = profiles_of(source, packed, p, spec), packed.decks[0]
        if p == codes.VISITOR:  # the same in every room there may be
            profiles, decks = profiles[:1] * MOST_ROOMS, (packed.decks[1],) * MOST_ROOMS
        for room, (profile, deck) in enumerate(zip(profiles, decks, strict=True)):
            _fill_profile(policy["profiles"][room], profile, source)
            _fill_endings(policy["profiles"][room], profile, source.endings, packed.scenario)
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
    _fill(record, profile.model_dump(include={"betrays_at", "greed", "patience", "courts_from"}))
    courting = codex.profiles[profile.courts_like] if profile.courts_like else profile
    _fill_weights(record["weights"][Stance.FIGHTING], profile)
    _fill_weights(record["weights"][Stance.COURTING], courting)
    _fill_weights(record["weights"][Stance.SCHEMING], courting)
    scheming = record["weights"][Stance.SCHEMING]  # it may lay Traps and keeps its Strikes; else it is who it seems
    scheming["categories"][names.CATEGORIES.index("trap")] = profile.weights.trap
    scheming["restraint"] = profile.weights.restraint


def _fill_endings(record: Any, profile: Profile, tuning: EndingsTuning, scenario: Scenario) -> None:
    """What endings are worth to a side with this profile; a scenario may have worths of its own."""
    hunts = bool(scenario.enemies)
    worths = tuning.of_visitor(hunts) if profile.side == "visitor" else tuning.dungeon[profile.goal]
    for ending, worth in (worths | scenario.endings.get(profile.side, {})).items():
        record["endings"][names.OUTCOMES.index(ending)] = worth


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
