"""Fitting a profile: the weights with which it does best in its own scenarios, within its character [GDD 7.1].

Every weight may move within a share of what it is, so a fitted profile is still itself; what a profile never does
(a weight of 0) it does not learn. Candidates play the same seeds against the players the scenarios have; what a run is
worth is content (`tuning/endings.toml`). The verdict comes from other seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.content.models.profile import Profile
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.intervals import mean_interval
from cartomancer.lab.results import Result
from cartomancer.lab.tuner.cma_search import cma_search
from cartomancer.players.simulation import simulate

STEP: Final = 100  # thousandths
LEAST_SHARE, MOST_SHARE = 0.5, 2.0  # of what a weight is
FRESH: Final = 1_000_003  # seeds of the verdict start so far away
MOST: Final = 9000  # a weight

Path = tuple[str, ...]
Progress = Callable[[int], None]


@dataclass(frozen=True)
class FitSettings:
    """How a profile is fitted."""

    runs: int = 1000  # of each scenario, for each candidate
    trials: int = 300
    seed: int = 0
    threads: int | None = None


@dataclass(frozen=True)
class Fit(Result):
    """A profile's weights before and after, and what that is worth on seeds that the search has not seen."""

    profile: str
    scenarios: tuple[str, ...]
    before: Mapping[str, int]
    after: Mapping[str, int]
    worth_before: float  # of its runs, on average, as a share of the best ending
    worth_after: float
    gain: float
    interval: tuple[float, float] | None

    @property
    def changes(self) -> dict[str, tuple[int, int]]:
        """What moved, with its value before and after."""
        return {name: (value, self.after[name]) for name, value in self.before.items() if self.after[name] != value}


def own_scenarios(codex: Codex, profile: Profile) -> list[str]:
    """The shipped scenarios in which a profile plays."""
    found = []
    for name, scenario in codex.scenarios.items():
        if profile.side == "visitor":
            playing = [codex.visitor_profile(scenario)]
        else:
            playing = codex.dungeon_profiles(scenario)
        if any(one.id == profile.id for one in playing):
            found.append(name)
    return found


def fit(
    name: str,
    codex: Codex,
    scenarios: Sequence[str] = (),
    settings: FitSettings | None = None,
    progress: Progress = lambda done: None,
) -> Fit:
    """The best weights found for a profile. `progress` is told how many candidates have played."""
    asked = settings or FitSettings()
    if name not in codex.profiles:
        raise UnknownNameError("profile", name, list(codex.profiles))
    profile = codex.profiles[name]
    chosen = tuple(scenarios or own_scenarios(codex, profile))
    if not chosen:
        raise CartomancerError(f"no scenario has the profile '{name}': name one")
    packed = [pack(scenario, codex) for scenario in chosen]
    starts = dict(_weights(profile))
    space = {path: _range(value) for path, value in starts.items()}
    steps = {".".join(path): (low - starts[path], high - starts[path]) for path, (low, high) in space.items()}
    paths = {".".join(path): path for path in space}
    tried = 0

    def loss(at: Mapping[str, int]) -> float:
        nonlocal tried
        moved = {paths[key]: starts[paths[key]] + step for key, step in at.items()}
        worth = _worths(_with(codex, profile, moved), packed, profile, asked, asked.seed).mean()
        tried += 1
        progress(tried)
        return -float(worth)

    best = cma_search(steps, dict.fromkeys(steps, 0), loss, asked.trials, asked.seed)
    moved = {paths[key]: starts[paths[key]] + step for key, step in best.items()}
    old = _worths(codex, packed, profile, asked, asked.seed + FRESH)
    new = _worths(_with(codex, profile, moved), packed, profile, asked, asked.seed + FRESH)
    gains = new - old
    gain, interval = mean_interval(float(gains.sum()), float((gains**2).sum()), len(gains))
    return Fit(
        profile=name,
        scenarios=chosen,
        before={".".join(path): STEP * value for path, value in starts.items()},
        after={".".join(path): STEP * value for path, value in moved.items()},
        worth_before=float(old.mean()),
        worth_after=float(new.mean()),
        gain=gain,
        interval=(interval[0], interval[1]) if interval else None,
    )


def _weights(profile: Profile) -> Iterator[tuple[Path, int]]:
    """The weights that may move, in steps."""
    groups: list[tuple[str, Mapping[Any, Any]]] = [
        ("weights", profile.weights.model_dump(exclude={"restraint"})),
        ("targets", profile.targets),
    ]
    if profile.side == "dungeon":
        groups.append(("members", profile.members.model_dump()))
    for group, values in groups:
        yield from (((group, str(key)), value // STEP) for key, value in values.items() if value >= STEP)
    yield ("caution",), profile.caution // STEP


def _range(value: int) -> tuple[int, int]:
    return max(1, round(LEAST_SHARE * value)), min(MOST // STEP, round(MOST_SHARE * value))


def _with(codex: Codex, profile: Profile, moved: Mapping[Path, int]) -> Codex:
    """The content with the profile's weights moved."""
    data = profile.model_dump()
    for path, value in moved.items():
        place: Any = data
        for part in path[:-1]:
            place = place[part]
        place[path[-1]] = STEP * value
    return replace(codex, profiles={**codex.profiles, profile.id: Profile.model_validate(data)})


def _worths(
    codex: Codex, packed: Sequence[Packed], profile: Profile, settings: FitSettings, seed: int
) -> np.ndarray[Any, Any]:
    """What every run of every scenario is worth to the profile's side."""
    players = {"dungeon": "heuristic", "visitor": "heuristic", profile.side: f"heuristic:{profile.id}"}
    found = []
    for one in packed:
        played = simulate(
            one, settings.runs, seed, players["dungeon"], players["visitor"], threads=settings.threads, codex=codex
        )
        if played.runs < settings.runs:
            raise KeyboardInterrupt  # half a candidate says nothing
        found.append(played.worths(profile.side))
    return np.concatenate(found)
