"""Whether a contract's demands can be met together: an exact search over its steps, and which demands are in conflict.

A demand is a requirement, a guarantee, a cap or the relief. The search lays types step by step, as the kernel's own
check counts them (M7): on the map a step counts where either lane holds a type, for every path on the poorest one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from cartomancer.errors import Fault

if TYPE_CHECKING:
    from cartomancer.content.models.contract import ContractKind, ContractRules, Requirement

Lanes = tuple[int, int]  # of the safe and the risk lane
Counts = tuple[Lanes, ...]


@dataclass(frozen=True)
class Demand:
    """Something that a map must have or must not have, under the name of its field."""

    field: str
    rule: str
    words: str
    want: Requirement | None = None
    cap: ContractKind | None = None  # neither: the relief


def demands(rules: ContractRules) -> list[Demand]:
    """All demands of a contract: caps first, then the relief, guarantees and requirements."""
    caps = [
        Demand(f"at_most.{kind}", "contract.cap", f"at most {most} step(s) may hold {kind}", cap=kind)
        for kind, most in rules.at_most.items()
    ]
    if given := rules.relief:
        soft = " / ".join(given.types)
        words = f"if step {given.after_step} holds {given.after}, step {given.step} must be {soft}"
        caps.append(Demand("relief", "contract.relief", words))
    asked = []
    for index, (want, rule) in enumerate(rules.every_requirement()):
        at = index - len(rules.requirements)
        field = f"requirements[{index + 1}]" if at < 0 else f"guarantees[{at + 1}]"
        asked.append(Demand(field, rule, want.describe(), want=want))
    return [*caps, *reversed(asked)]


def conflicts(rules: ContractRules) -> Iterator[Fault]:
    """Every set of demands that no map can meet together, none of which could be left out; the sets share no demand
    for a type."""
    left = demands(rules)
    while not can_be_met(rules, left):
        core = left
        for demand in left:
            without = [other for other in core if other is not demand]
            if not can_be_met(rules, without):
                core = without
        yield _fault(rules, core)
        left = [demand for demand in left if demand.want is None or demand not in core]


def _fault(rules: ContractRules, core: list[Demand]) -> Fault:
    named = sorted(core, key=lambda demand: (demand.want is None, demand.field))
    asked = [demand for demand in named if demand.want is not None]
    right = " or ".join(_remedies(rules, named))
    if len(asked) == 1:
        [alone] = asked
        assert alone.want is not None
        first, last = alone.want.steps or (1, len(rules.steps))
        others = "".join(f" under {other.field} ({other.words})" for other in named if other is not alone)
        most = _most(rules, core, alone)
        problem = f"can never be met: the tables{others} allow {most} in steps {first} to {last}"
        value = {"types": alone.want.types, "at_least": alone.want.at_least}
        return Fault(alone.field, value, problem, right, rule=alone.rule)
    said = "; ".join(f"{demand.field}: {demand.words}" for demand in named)
    scope = "on every path" if rules.guarantee_scope == "path" else "on one map"
    problem = f"cannot be met together {scope} ({said})"
    return Fault(", ".join(demand.field for demand in named), None, problem, right, rule=asked[0].rule if asked else "")


def _most(rules: ContractRules, core: list[Demand], demand: Demand) -> int:
    """The most of one demand that goes with the others; 0 if it must go."""
    assert demand.want is not None
    others = [other for other in core if other is not demand]
    for least in range(demand.want.at_least - 1, 0, -1):
        lower = Demand(demand.field, demand.rule, "", demand.want.model_copy(update={"at_least": least}))
        if can_be_met(rules, [*others, lower]):
            return least
    return 0


def _remedies(rules: ContractRules, core: list[Demand]) -> Iterator[str]:
    """Single changes after which the set can be met: each was tried."""
    for demand in core:
        if demand.want is not None:
            most = _most(rules, core, demand)
            if most:
                yield f"{demand.field}.at_least = {most}"
            elif len(core) > 1:
                yield f"no {demand.field}"
        elif demand.cap is not None:
            for most in range(rules.at_most[demand.cap] + 1, len(rules.steps) + 1):
                raised = rules.model_copy(update={"at_most": {**rules.at_most, demand.cap: most}})
                if can_be_met(raised, core):
                    yield f"{demand.field} = {most}"
                    break
        else:
            yield "no relief"
    if rules.guarantee_scope == "path":
        if can_be_met(rules.model_copy(update={"guarantee_scope": "map"}), core):
            yield 'guarantee_scope = "map"'
        if rules.lane_switching and can_be_met(rules.model_copy(update={"lane_switching": False}), core):
            yield "lane_switching = false"
    kinds = sorted({kind for demand in core if demand.want for kind in demand.want.types})
    yield f"more steps that count and whose tables allow {' / '.join(kinds)}" if kinds else "more types in the tables"


# --- the search -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Counter:
    """Steps with one of these types in these steps, of which so many are wanted."""

    kinds: frozenset[str]
    need: int
    first: int
    last: int


def can_be_met(rules: ContractRules, among: Iterable[Demand]) -> bool:
    """Whether some choice of types, step by step and lane by lane, meets all these demands."""
    return _Search(rules, list(among)).finds(0, None, False)


class _Search:
    """A depth-first search that never looks twice at the same counts after the same step."""

    def __init__(self, rules: ContractRules, among: list[Demand]) -> None:
        self.rules, self.total = rules, len(rules.steps)
        self.caps = {d.cap: rules.at_most[d.cap] for d in among if d.cap is not None}
        self.relief = rules.relief if any(d.cap is None and d.want is None for d in among) else None
        self.groups: list[tuple[int, list[int]]] = []  # so many of these counters must reach their need
        self.counters: list[_Counter] = []
        for want in (demand.want for demand in among if demand.want is not None):
            first, last = want.steps or (1, self.total)
            sets = (
                [frozenset([kind]) for kind in dict.fromkeys(want.types)] if want.distinct else [frozenset(want.types)]
            )
            at = range(len(self.counters), len(self.counters) + len(sets))
            self.counters += [_Counter(kinds, 1 if want.distinct else want.at_least, first, last) for kinds in sets]
            self.groups.append((want.at_least if want.distinct else 1, list(at)))
        self.options = [self._pairs(step) for step in range(1, self.total + 1)]
        self.onward = [self._best_onward(counter) for counter in self.counters]
        self.dead: set[tuple[int, Counts, tuple[int, ...], bool]] = set()

    def _pairs(self, step: int) -> list[tuple[str, ...]]:
        """What the lanes of a step can hold."""
        return list(product(*([kind for kind, w in table.items() if w] for table in self.rules.lanes(step).values())))

    def _best_onward(self, counter: _Counter) -> list[int]:
        """How much a counter can still gain after each step at best."""
        gains = [0] * (self.total + 1)
        for step in range(self.total, 0, -1):
            able = any(self._holds(counter, step, pair) != (0, 0) for pair in self.options[step - 1])
            gains[step - 1] = gains[step] + able
        return gains

    def _holds(self, counter: _Counter, step: int, pair: tuple[str, ...]) -> Lanes:
        """What a step adds to a counter on the paths of each lane."""
        if not counter.first <= step <= counter.last:
            return 0, 0
        if self.rules.guarantee_scope == "map":
            return (1, 1) if counter.kinds & set(pair) else (0, 0)
        return int(pair[0] in counter.kinds), int(pair[-1] in counter.kinds)

    def _counted(self, counts: Counts, step: int, pair: tuple[str, ...]) -> Counts:
        """The fewest on any path to each lane of this step, no more than is needed."""
        meets = len(pair) == 1 or (step > 1 and len(self.options[step - 2][0]) == 1)
        joined = self.rules.lane_switching or meets
        after = []
        for counter, ways in zip(self.counters, counts, strict=True):
            safe, risk = (min(ways), min(ways)) if joined else ways
            more = self._holds(counter, step, pair)
            after.append((min(safe + more[0], counter.need), min(risk + more[1], counter.need)))
        return tuple(after)

    def finds(self, done: int, counts: Counts | None, hard: bool, used: tuple[int, ...] | None = None) -> bool:
        """Whether the steps after these can be laid so that every demand is met."""
        counts = counts if counts is not None else ((0, 0),) * len(self.counters)
        used = used if used is not None else (0,) * len(self.caps)
        if not self._hopeful(done, counts):
            return False
        if done == self.total:
            return True
        if (done, counts, used, hard) in self.dead:
            return False
        step = done + 1
        ways: dict[tuple[Counts, tuple[int, ...], bool], int] = {}
        for pair in self.options[done]:
            spent = tuple(n + (kind in pair) for n, kind in zip(used, self.caps, strict=True))
            if any(n > most for n, most in zip(spent, self.caps.values(), strict=True)):
                continue
            given, calls = self.relief, hard
            if given and step == given.after_step:
                calls = given.after in pair
            if given and step == given.step and calls and not set(pair) <= set(given.types):
                continue
            after = self._counted(counts, step, pair)
            ways[after, spent, calls] = sum(map(sum, after)) - sum(spent)
        for after, spent, calls in sorted(ways, key=lambda way: -ways[way]):
            if self.finds(step, after, calls, spent):
                return True
        self.dead.add((done, counts, used, hard))
        return False

    def _hopeful(self, done: int, counts: Counts) -> bool:
        """Whether every counter could still be filled if it were alone."""
        best = [min(count) + onward[done] for count, onward in zip(counts, self.onward, strict=True)]
        return all(sum(best[at] >= self.counters[at].need for at in group) >= enough for enough, group in self.groups)
