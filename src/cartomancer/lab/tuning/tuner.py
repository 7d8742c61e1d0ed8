"""The tuner: the fewest, smallest and narrowest changes that bring a scenario into its bands [GDD 14.7, 14.10].

Content that is in its bands already stays as it is. Otherwise groups of levers come in the order of their scope, and a
group joins only when the narrower ones were not enough. In each stage

1. every single turn of every new lever is tried, cheap ones first: one change is the best answer;
2. the effects of single turns are added up to predict sets of two to four, and the most promising sets are tried;
3. CMA-ES searches the levers that helped most, starting from the best set so far.

All candidates play the same seeds, so that differences are the content's and not the dice's. A candidate that lies in
all bands by a margin is played four times as long, pruned (every change that is not needed is taken back or made
smaller) and then verified on seeds the search has never seen. What fails there is dropped and the search goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex, load_codex
from cartomancer.encounters.packing import pack
from cartomancer.errors import CartomancerError
from cartomancer.intervals import Z95
from cartomancer.lab.tuning.levers import Lever, levers_of
from cartomancer.lab.tuning.targets import Cast, Estimate, Target, read_targets
from cartomancer.lab.tuning.trials import PENALTY, Bench, Candidate, Progress, Turns, turns_of
from cartomancer.players.minds import Seating
from cartomancer.players.simulation import Simulation
from cartomancer.rng import seed_from

BUDGET: Final = 800
RUNS: Final = 2_000
MOST_BUDGET: Final = 100_000
HELD_OUT: Final = 10  # how many times as many runs the verification plays
MOST_VERIFICATIONS: Final = 8
SINGLES_SHARE: Final = 0.5  # of a stage's evaluations
SETS_SHARE: Final = 0.08  # for each size of set; CMA-ES has the rest
MOST_IN_SET: Final = 4
BEAM: Final = 60  # sets that are carried to the next size
CMA_LEVERS: Final = 10
REFUSED: Final = 1_000.0  # the worth of content that is not valid


@dataclass(frozen=True)
class Reading:
    """One target before and after, on seeds the search has not seen."""

    target: Target
    before: Estimate
    after: Estimate

    @property
    def holds(self) -> bool:
        """Whether the estimate afterwards lies in the band."""
        return self.target.holds(self.after.value)

    def as_dict(self) -> dict[str, Any]:
        """In plain numbers."""
        return {
            "target": self.target.name,
            "band": [self.target.low, self.target.high],
            **{
                when: {"value": estimate.value, "low": estimate.low, "high": estimate.high}
                for when, estimate in (("before", self.before), ("after", self.after))
            },
            "held_before": self.target.holds(self.before.value),
            "holds": self.holds,
            "off_by": self.target.shortfall(self.after.value),
        }


@dataclass
class Stage:
    """What was tried with one more group of levers."""

    group: str
    levers: int
    singles: int = 0
    sets: int = 0
    cma: int = 0
    refused: int = 0  # turns that are not valid content
    best: float | None = None  # the least distance so far
    verified: int = 0

    def as_dict(self) -> dict[str, Any]:
        """In plain numbers."""
        return dict(vars(self))


@dataclass(frozen=True)
class Tuning:
    """What came of it."""

    scenario: str
    targets: tuple[Target, ...]
    groups: tuple[str, ...]
    seed: int
    runs: int
    held_out_seed: int
    held_out_runs: int
    readings: tuple[Reading, ...]
    changes: tuple[tuple[Lever, int], ...]
    stages: tuple[Stage, ...]
    evaluations: int
    stopped: bool  # by an interrupt, before the search was over
    before: Simulation = field(repr=False)
    after: Simulation = field(repr=False)
    codex: Codex = field(repr=False)  # with the changes
    base: Codex = field(repr=False)

    @property
    def reached(self) -> bool:
        """Whether every target holds on held-out seeds."""
        return all(reading.holds for reading in self.readings)

    @property
    def steps(self) -> dict[str, int]:
        """How far each changed lever is turned."""
        return {lever.id: step for lever, step in self.changes}


# --- the search -------------------------------------------------------------------------------------------------------


def tune(
    scenario: str,
    targets: str,
    groups: Sequence[str],
    budget: int = BUDGET,
    runs: int = RUNS,
    seed: int = 0,
    codex: Codex | None = None,
    dungeon: Seating | None = None,
    visitor: Seating | None = None,
    threads: int | None = None,
    progress: Progress = lambda done: None,
) -> Tuning:
    """Search the levers of these groups for the least change that brings the scenario into its bands.

    An interrupt ends the search early; what was best so far is measured and reported.
    """
    if not 1 <= budget <= MOST_BUDGET:
        raise CartomancerError(f"a budget of {budget}: 1 to {MOST_BUDGET:,} evaluations are possible")
    base = codex or load_codex()
    wanted = read_targets(targets, Cast.of(pack(scenario, base)))
    levers = levers_of(base, scenario, groups)
    bench = Bench(base, scenario, wanted, levers, runs, seed, progress, (dungeon, visitor), threads)
    stages: list[Stage] = []
    verified, stopped = None, False
    try:
        verified = _searched(bench, groups, budget, stages)
    except KeyboardInterrupt:
        stopped = True
    if verified is None:
        verified = _verified(bench, _best_found(bench, stopped), MOST_VERIFICATIONS)
    changes = tuple((lever, dict(verified.turns)[lever.id]) for lever in levers if lever.id in dict(verified.turns))
    return Tuning(
        *(scenario, wanted, tuple(groups), seed, runs, verified.seed, verified.after.runs, verified.readings),
        *(changes, tuple(stages), bench.evaluations, stopped, verified.before, verified.after),
        *(bench.turned(verified.turns), base),
    )


def _best_found(bench: Bench, stopped: bool) -> Turns:
    """What came closest: of the best three with more runs, pruned; after an interrupt simply the best."""
    ranked = [one.turns for one in bench.by_worth()[:3]]
    if stopped or not ranked:
        return ranked[0] if ranked else ()
    longer = [bench.longer(turns) for turns in ranked]
    return _pruned(bench, min(longer, key=lambda one: (one.worth, one.turns)).turns)


@dataclass(frozen=True)
class Verification:
    """A candidate on seeds the search has not seen."""

    turns: Turns
    seed: int
    readings: tuple[Reading, ...]
    before: Simulation
    after: Simulation

    @property
    def holds(self) -> bool:
        """Whether every target does."""
        return all(reading.holds for reading in self.readings)


def _verified(bench: Bench, turns: Turns, attempt: int) -> Verification:
    """Every attempt has seeds of its own: what one has refused cannot be fitted to it by the next."""
    seed = seed_from(f"held-out seeds {attempt} of {bench.seed}")
    before = bench.play(bench.codex, HELD_OUT * bench.runs, seed)
    after = bench.play(bench.turned(turns), HELD_OUT * bench.runs, seed) if turns else before
    old, new = bench.read(before), bench.read(after)
    readings = tuple(Reading(target, old[target.name], new[target.name]) for target in bench.targets)
    return Verification(turns, seed, readings, before, after)


def _searched(bench: Bench, groups: Sequence[str], budget: int, stages: list[Stage]) -> Verification | None:
    """Stage by stage; the first candidate that stands up to verification, or nothing."""
    attempts, seen = 0, set[Turns]()
    if (start := bench.try_out({})) is not None and _may_hold(start, bench.targets):
        found = _verified(bench, (), attempts)
        if found.holds:
            return found  # what holds already is left as it is, however near the end of a band it lies
        attempts, seen = 1, {()}
    for number, group in enumerate(groups):
        share = (budget - bench.evaluations) // (len(groups) - number)
        stage = Stage(group, sum(lever.group == group for lever in bench.levers))
        stages.append(stage)
        levers = [lever for lever in bench.levers if lever.group in groups[: number + 1]]
        try:
            for hit in _hits(bench, stage, levers, bench.evaluations + share):
                if bench.longer(hit.turns).careful:
                    continue
                turns = _pruned(bench, hit.turns)
                if turns in seen:
                    continue
                seen.add(turns)
                found = _verified(bench, turns, attempts)
                attempts, stage.verified = attempts + 1, stage.verified + 1
                if found.holds:
                    return found
                if attempts == MOST_VERIFICATIONS:
                    return None
        finally:
            stage.best = min((one.distance for one in bench.tried.values() if one is not None), default=None)
    return None


def _may_hold(candidate: Candidate, targets: Sequence[Target]) -> bool:
    """Whether every value lies in its band, or no farther off than chance may have put it."""
    found = candidate.found
    return not any(target.violation(found[target.name].value, -Z95 * found[target.name].error) for target in targets)


def _hits(bench: Bench, stage: Stage, levers: Sequence[Lever], until: int) -> Iterator[Candidate]:
    """Candidates that lie in all bands, the cheapest first as far as can be, until so many evaluations are used."""
    share = until - bench.evaluations
    yield from _singles(bench, stage, levers, bench.evaluations + int(SINGLES_SHARE * share))
    each = int(SETS_SHARE * share)
    sets = Sets(bench, levers)
    for _ in range(2, MOST_IN_SET + 1):
        with _counted(bench, stage, "sets"):
            hits = sets.larger(min(each, until - bench.evaluations))
        yield from hits
    with _counted(bench, stage, "cma"):
        hits = _evolved(bench, levers, until - bench.evaluations, seed_from(f"{stage.group} search of {bench.seed}"))
    yield from hits


@contextmanager
def _counted(bench: Bench, stage: Stage, what: str) -> Iterator[None]:
    """Book the evaluations of a step, also of one that is interrupted."""
    before = bench.evaluations
    try:
        yield
    finally:
        setattr(stage, what, getattr(stage, what) + bench.evaluations - before)


def _singles(bench: Bench, stage: Stage, levers: Sequence[Lever], until: int) -> Iterator[Candidate]:
    """One change of one lever, tier by tier of cost; of a tier the candidate deepest inside its bands comes first."""
    tiers: dict[float, list[dict[str, int]]] = {}
    for lever in levers:
        for step in lever.steps if lever.group == stage.group else ():
            tiers.setdefault(lever.cost(step), []).append({lever.id: step})
    for _, turns in sorted(tiers.items()):
        hits = []
        for steps in turns:
            if bench.evaluations >= until:
                break
            before, found = bench.evaluations, bench.try_out(steps)
            stage.singles += bench.evaluations - before
            stage.refused += found is None
            if found is not None and not found.careful:
                hits.append(found)
        yield from sorted(hits, key=lambda one: (-_depth(one, bench.targets), one.turns))


def _depth(candidate: Candidate, targets: Sequence[Target]) -> float:
    """How deep inside its bands a candidate lies: the least distance from an end, in units."""
    gaps = []
    for target in targets:
        value = candidate.found[target.name].value or 0.0
        gaps += [(value - target.low) / target.unit] if target.low is not None else []
        gaps += [(target.high - value) / target.unit] if target.high is not None else []
    return min(gaps)


class Sets:
    """Sets of turns, predicted by adding up what each turn does alone, and tried where the prediction is best."""

    def __init__(self, bench: Bench, levers: Sequence[Lever]) -> None:
        self._bench = bench
        allowed = {lever.id for lever in levers}
        alone = [one for one in bench.tried.values() if one is not None and len(one.turns) == 1]
        self._alone = [one for one in alone if one.turns[0][0] in allowed]
        self._start = self._values(bench.tried[()])
        self._effects = np.array([self._values(one) - self._start for one in self._alone])
        self._margins = [
            target.margin(found.error) if (found := self._found(target)) else 0.0 for target in bench.targets
        ]
        order = sorted(range(len(self._alone)), key=lambda k: self._alone[k].worth)[:BEAM]
        self._beam = [(frozenset({k}), self._values(self._alone[k])) for k in order]

    def _found(self, target: Target) -> Estimate | None:
        start = self._bench.tried[()]
        return start.found[target.name] if start else None

    def _values(self, candidate: Candidate | None) -> np.ndarray[Any, Any]:
        found = candidate.found if candidate else {}
        return np.array([found[target.name].value or 0.0 for target in self._bench.targets])

    def larger(self, most: int) -> list[Candidate]:
        """Sets with one turn more than the last time: the most promising ones are tried; those in all bands."""
        grown: dict[frozenset[int], tuple[float, np.ndarray[Any, Any]]] = {}
        for members, values in self._beam:
            levers = {self._alone[k].turns[0][0] for k in members}
            for k, one in enumerate(self._alone):
                if one.turns[0][0] not in levers and (larger := members | {k}) not in grown:
                    predicted = values + self._effects[k]
                    grown[larger] = (self._worth(larger, predicted), predicted)
        order = sorted(grown, key=lambda members: (grown[members][0], sorted(members)))[:BEAM]
        hits, left = [], self._bench.evaluations + most
        self._beam = []
        for members in order:
            values = grown[members][1]
            if self._bench.evaluations < left:
                found = self._bench.try_out(dict(self._alone[k].turns[0] for k in sorted(members)))
                if found is None:
                    continue
                values = self._values(found)
                hits += [found] if not found.careful else []
            self._beam.append((members, values))
        return sorted(hits, key=lambda one: (one.cost, one.turns))

    def _worth(self, members: frozenset[int], values: np.ndarray[Any, Any]) -> float:
        price = sum(self._alone[k].cost for k in members)
        pairs = zip(self._bench.targets, values, self._margins, strict=True)
        return PENALTY * price + sum(target.violation(float(value), margin) for target, value, margin in pairs)


def _evolved(bench: Bench, levers: Sequence[Lever], trials: int, seed: int) -> list[Candidate]:
    """CMA-ES over the levers that helped most alone and those of the best set, starting there."""
    from cartomancer.lab.tuning.cma_search import cma_search

    best = dict(bench.by_worth()[0].turns)
    alone = {one.turns[0][0]: one.worth for one in reversed(bench.by_worth()) if len(one.turns) == 1}
    ranked = sorted(levers, key=lambda lever: (lever.id not in best, alone.get(lever.id, REFUSED), lever.id))
    chosen = ranked[:CMA_LEVERS]
    if len(chosen) < 2 or trials < 2:
        return []
    space = {lever.id: (lever.least, lever.most) for lever in chosen}

    def worth(steps: dict[str, int]) -> float:
        found = bench.try_out(steps)
        return REFUSED if found is None else found.worth if found.careful else -REFUSED

    start = {lever.id: best.get(lever.id, 0) for lever in chosen}
    steps = cma_search(space, start, worth, trials, seed, good=-REFUSED)
    found = bench.try_out(steps)
    return [found] if found is not None and not found.careful else []


def _pruned(bench: Bench, turns: Turns) -> Turns:
    """The turns without those that are not needed and no turn farther than needed: dear ones are looked at first."""
    levers = {lever.id: lever for lever in bench.levers}
    kept, off = dict(turns), bench.longer(turns).careful
    for name, _ in sorted(turns, key=lambda turn: (-levers[turn[0]].cost(turn[1]), turn[0])):
        step = kept[name]
        for nearer in range(abs(step)):
            steps = {**kept, name: nearer if step > 0 else -nearer}
            if bench.try_out(steps) is not None and (found := bench.longer(turns_of(steps))).careful <= off:
                kept, off = steps, found.careful
                break
    return turns_of(kept)
