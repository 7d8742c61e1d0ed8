"""The tuner: the fewest, smallest and narrowest changes that bring scenarios into their bands [GDD 14.7, 14.10].

Several scenarios are tuned together: a candidate must hold all their bands, since they share rooms and cards.

Content that is in its bands already stays as it is. Otherwise groups of levers come in the order of their scope, and a
group joins only when the narrower ones were not enough. In each stage

1. every single turn of every new lever is tried, cheap ones first: one change is the best answer;
2. the effects of single turns are added up to predict sets of two to four (of more, where several scenarios must be
   met), and the most promising sets are tried;
3. a descent turns a few levers at a time, starting from the best set so far, and keeps what is better.

All candidates play the same seeds, so that differences are the content's and not the dice's. A candidate that lies in
all bands by a margin is played four times as long, pruned (every change that is not needed is taken back or made
smaller) and then verified on seeds the search has never seen. What fails there is dropped and the search goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from cartomancer.content.codex import Codex, load_codex
from cartomancer.encounters.packing import pack
from cartomancer.intervals import Z95
from cartomancer.lab.tuner.descent import descend
from cartomancer.lab.tuner.evaluator import Candidate, Evaluator, Progress, Turns, turns_of
from cartomancer.lab.tuner.levers import Lever
from cartomancer.lab.tuner.request import TunerSettings, read_request
from cartomancer.lab.tuner.result import Reading, Stage, Tuning
from cartomancer.lab.tuner.turn_sets import TurnSets
from cartomancer.players.simulation import Simulation
from cartomancer.rng import seed_from

HELD_OUT: Final = 10  # how many times as many runs the verification plays
MOST_VERIFICATIONS: Final = 8
SINGLES_SHARE: Final = 0.5  # of a stage's evaluations
SETS_SHARE: Final = 0.24  # for sets of all sizes; the descent has the rest
MOST_IN_SET: Final = 4
# Every further scenario has bands of its own to meet: sets may be larger by so many turns, up to a limit.
MORE_IN_SET: Final = 2
LARGEST_SET: Final = 8
REFUSED: Final = 1_000.0  # the worth of content that is not valid


def tune(
    scenarios: str | Sequence[str],
    targets: str | None = None,
    settings: TunerSettings | None = None,
    codex: Codex | None = None,
    progress: Progress = lambda done: None,
) -> Tuning:
    """Search the levers for the least change that brings all the scenarios into their bands.

    Without targets those of the content's target sets are meant. An interrupt ends the search early; what was best so
    far is measured and reported.
    """
    how, base = settings or TunerSettings(), codex or load_codex()
    names = [scenarios] if isinstance(scenarios, str) else scenarios
    asked = read_request(base, names, targets, how)
    evaluator = Evaluator(base, asked.wanted, asked.levers, how, progress)
    stages: list[Stage] = []
    verified, stopped = None, False
    try:
        verified = _searched(evaluator, asked.groups, how.budget, stages)
    except KeyboardInterrupt:
        stopped = True
    if verified is None:
        verified = _verified(evaluator, _best_found(evaluator, stopped), MOST_VERIFICATIONS)
    return replace(
        verified,
        groups=asked.groups,
        stages=tuple(stages),
        evaluations=evaluator.evaluations,
        batches=evaluator.batches,
        stopped=stopped,
    )


def _best_found(evaluator: Evaluator, stopped: bool) -> Turns:
    """What came closest: of the best three with more runs, pruned; after an interrupt simply the best."""
    ranked = [one.turns for one in evaluator.by_worth()[:3]]
    if stopped or not ranked:
        return ranked[0] if ranked else ()
    longer = [evaluator.longer(turns) for turns in ranked]
    return _pruned(evaluator, min(longer, key=lambda one: (one.worth, one.turns)).turns)


def _verified(evaluator: Evaluator, turns: Turns, attempt: int) -> Tuning:
    """A candidate on seeds the search has not seen; what else it tried is not known yet.

    Every attempt has seeds of its own: what one has refused cannot be fitted to it by the next.
    """
    seed, runs = seed_from(f"held-out seeds {attempt} of {evaluator.seed}"), HELD_OUT * evaluator.runs
    changed, before, after = evaluator.turned(turns), dict[str, Simulation](), dict[str, Simulation]()
    steps, readings = dict(turns), list[Reading]()
    for asked in evaluator.wanted:
        old, new = (pack(asked.scenario, codex) for codex in (evaluator.codex, changed))
        untouched = evaluator.digests(old, evaluator.codex) == evaluator.digests(new, changed)
        first = evaluator.play(asked, old, evaluator.codex, runs, seed)
        second = first if untouched else evaluator.play(asked, new, changed, runs, seed)
        before[asked.scenario], after[asked.scenario] = first.simulation, second.simulation
        was, found = evaluator.read(asked, first), evaluator.read(asked, second)
        readings += [Reading(asked.scenario, one, was[one.name], found[one.name]) for one in asked.targets]
    return Tuning(
        wanted=tuple(evaluator.wanted),
        seed=evaluator.seed,
        runs=evaluator.runs,
        held_out_seed=seed,
        held_out_runs=runs,
        readings=tuple(readings),
        changes=tuple((lever, steps[lever.id]) for lever in evaluator.levers if lever.id in steps),
        before=before,
        after=after,
        codex=changed,
        base=evaluator.codex,
    )


def _searched(evaluator: Evaluator, groups: Sequence[str], budget: int, stages: list[Stage]) -> Tuning | None:
    """Stage by stage; the first candidate that stands up to verification, or nothing."""
    attempts, seen = 0, set[Turns]()
    if (start := evaluator.try_out({})) is not None and _may_hold(start):
        found = _verified(evaluator, (), attempts)
        if found.reached:
            return found  # what holds already is left as it is, however near the end of a band it lies
        attempts, seen = 1, {()}
    for number, group in enumerate(groups):
        share = (budget - evaluator.evaluations) // (len(groups) - number)
        stage = Stage(group, sum(lever.group == group for lever in evaluator.levers))
        stages.append(stage)
        levers = [lever for lever in evaluator.levers if lever.group in groups[: number + 1]]
        try:
            for hit in _hits(evaluator, stage, levers, evaluator.evaluations + share):
                if evaluator.longer(hit.turns).careful:
                    continue
                turns = _pruned(evaluator, hit.turns)
                if turns in seen:
                    continue
                seen.add(turns)
                found = _verified(evaluator, turns, attempts)
                attempts, stage.verified = attempts + 1, stage.verified + 1
                if found.reached:
                    return found
                if attempts == MOST_VERIFICATIONS:
                    return None
        finally:
            stage.best = min((one.distance for one in evaluator.tried.values() if one is not None), default=None)
    return None


def _may_hold(candidate: Candidate) -> bool:
    """Whether every value lies in its band, or no farther off than chance may have put it."""
    return not any(target.violation(found.value, -Z95 * found.error) for target, found in candidate.found)


def _hits(evaluator: Evaluator, stage: Stage, levers: Sequence[Lever], until: int) -> Iterator[Candidate]:
    """Candidates that lie in all bands, the cheapest first as far as can be, until so many evaluations are used."""
    share = until - evaluator.evaluations
    yield from _singles(evaluator, stage, levers, evaluator.evaluations + int(SINGLES_SHARE * share))
    largest = min(MOST_IN_SET + MORE_IN_SET * (len(evaluator.wanted) - 1), LARGEST_SET)
    each = int(SETS_SHARE / (largest - 1) * share)
    sets = TurnSets(evaluator, levers)
    for _ in range(2, largest + 1):
        with _counted(evaluator, stage, "sets"):
            hits = sets.larger(min(each, until - evaluator.evaluations))
        yield from hits
    with _counted(evaluator, stage, "descent"):
        seed = seed_from(f"{stage.group} search of {evaluator.seed}")
        hits = _descended(evaluator, levers, until - evaluator.evaluations, seed)
    yield from hits


@contextmanager
def _counted(evaluator: Evaluator, stage: Stage, what: str) -> Iterator[None]:
    """Book the evaluations of a step, also of one that is interrupted."""
    before = evaluator.evaluations
    try:
        yield
    finally:
        setattr(stage, what, getattr(stage, what) + evaluator.evaluations - before)


def _singles(evaluator: Evaluator, stage: Stage, levers: Sequence[Lever], until: int) -> Iterator[Candidate]:
    """One change of one lever, tier by tier of cost; of a tier the candidate deepest inside its bands comes first."""
    tiers: dict[float, list[dict[str, int]]] = {}
    for lever in levers:
        for step in lever.steps if lever.group == stage.group else ():
            tiers.setdefault(lever.cost(step), []).append({lever.id: step})
    for _, turns in sorted(tiers.items()):
        hits = []
        for steps in turns:
            if evaluator.evaluations >= until:
                break
            before, found = evaluator.evaluations, evaluator.try_out(steps)
            stage.singles += evaluator.evaluations - before
            stage.refused += found is None
            if found is not None and not found.careful:
                hits.append(found)
        yield from sorted(hits, key=lambda one: (-_depth(one), one.turns))


def _depth(candidate: Candidate) -> float:
    """How deep inside its bands a candidate lies: the least distance from an end, in units."""
    gaps = []
    for target, found in candidate.found:
        value = found.value or 0.0
        gaps += [(value - target.low) / target.unit.step] if target.low is not None else []
        gaps += [(target.high - value) / target.unit.step] if target.high is not None else []
    return min(gaps)


def _descended(evaluator: Evaluator, levers: Sequence[Lever], trials: int, seed: int) -> list[Candidate]:
    """Descent over all levers, starting from the best set."""
    best = dict(evaluator.by_worth()[0].turns)
    space = {lever.id: (lever.least, lever.most) for lever in levers}

    def worth(steps: dict[str, int]) -> float:
        found = evaluator.try_out(steps)
        return REFUSED if found is None else found.worth if found.careful else -REFUSED

    start = {lever.id: best.get(lever.id, 0) for lever in levers}
    found = evaluator.try_out(descend(space, start, worth, trials, seed, good=-REFUSED))
    return [found] if found is not None and not found.careful else []


def _pruned(evaluator: Evaluator, turns: Turns) -> Turns:
    """The turns without those that are not needed and no turn farther than needed: dear ones are looked at first."""
    levers = {lever.id: lever for lever in evaluator.levers}
    kept, off = dict(turns), evaluator.longer(turns).careful
    for name, _ in sorted(turns, key=lambda turn: (-levers[turn[0]].cost(turn[1]), turn[0])):
        step = kept[name]
        for nearer in range(abs(step)):
            steps = {**kept, name: nearer if step > 0 else -nearer}
            if evaluator.try_out(steps) is not None and (found := evaluator.longer(turns_of(steps))).careful <= off:
                kept, off = steps, found.careful
                break
    return turns_of(kept)
