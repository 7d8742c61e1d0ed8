"""Contract templates: step tables, lanes, caps, guarantees [Contracts 1–3], rulings M7–M11."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from cartomancer.content.models.base import Complaints, DangerPoints, Pair, Percent, Preset, Strict, Weight, setting
from cartomancer.errors import Fault

ContractKind = Literal["combat", "elite", "event", "rest", "cache", "shop", "rival_intrusion", "boss"]
Table = dict[ContractKind, Weight]
Lane = Literal["safe", "risk", "both"]
Cap = Annotated[int, Field(ge=0, le=8)]


class Step(Strict):
    """One step: a table for both lanes, one table a lane, the lane biases, or a single node where the lanes meet."""

    both: Table | None = setting(None, "One table for both lanes.")
    safe: Table | None = setting(None, "The safe lane's table.")
    risk: Table | None = setting(None, "The risk lane's table.")
    meet: Table | None = setting(None, "The table of the single node where the lanes meet.")
    lane_biases: bool = setting(False, "Use the template's lane tables.")
    clamp: dict[ContractKind, Percent] = setting(
        {}, "The largest share a type may have; the others are renormalised around it."
    )

    def complaints(self) -> Complaints:
        lanes = {self.safe is not None, self.risk is not None}
        ways = (self.both is not None, self.meet is not None, self.lane_biases, True in lanes)
        wrong = sum(ways) != 1 or len(lanes) > 1
        yield "", wrong, "give exactly one of: both, safe with risk, lane_biases = true, meet"


class Requirement(Strict):
    """At least so many steps (or so many different types) of these types, in these steps."""

    types: list[ContractKind] = Field(min_length=1, description="Any of these counts.")
    at_least: int = Field(ge=1, le=8, description="How many are needed.")
    distinct: bool = setting(False, "Count different types instead of steps.")
    steps: Pair[int] | None = setting(None, "First and last step that count; all without it.")

    def describe(self) -> str:
        """The requirement in words."""
        where = f"steps {self.steps[0]} to {self.steps[1]}" if self.steps else "all steps together"
        what = "different types" if self.distinct else "step(s)"
        return f"{where} need at least {self.at_least} {what} of {' / '.join(self.types)}"


class Guarantee(Strict):
    """If too few of these types came in these steps, one step becomes that type."""

    types: list[ContractKind] = Field(min_length=1, description="Any of these counts.")
    at_least: int = setting(1, "How many are needed.", ge=1, le=8)
    steps: Pair[int] = Field(description="First and last step that count.")
    then_step: int = Field(ge=1, le=8, description="The step that is forced.")
    becomes: ContractKind = Field(description="The type it becomes.")
    lane: Lane = setting("both", "Which lanes of the step are forced.")


class Relief(Strict):
    """A hard step calls for a soft one: if a type appears in one step, another must be one of these types."""

    after_step: int = Field(ge=1, le=8, description="The step that may be hard.")
    after: ContractKind = Field(description="The type that makes it hard.")
    step: int = Field(ge=1, le=8, description="The step that must then be soft.")
    types: list[ContractKind] = Field(min_length=1, description="The types that count as soft.")


class Danger(Strict):
    """How dangerous a node of each type counts as, for routes and the expressive range."""

    combat: DangerPoints = 3
    elite: DangerPoints = 8
    event: DangerPoints = 1
    rest: DangerPoints = 0
    cache: DangerPoints = 1
    shop: DangerPoints = 0
    rival_intrusion: DangerPoints = 4
    boss: DangerPoints = 10


class ContractRules(Preset):
    """A two-lane map of a contract class: each step rolled from its lane's table, guarantees forced afterwards."""

    default_preset: ClassVar = "standard"

    family: Literal["contract"] = "contract"
    contract_class: Literal["short", "standard", "power", "recovery", "rival"] = Field(
        description="Which class of contract the template belongs to."
    )
    safe_lane: Table = setting({}, "Safe lane weights for steps with lane_biases.")
    risk_lane: Table = setting({}, "Risk lane weights for steps with lane_biases.")
    steps: list[Step] = Field(min_length=3, max_length=8, description="The steps in order; the last one is the boss.")
    at_most: dict[ContractKind, Cap] = setting({}, "Caps: in how many steps a type may appear.")
    requirements: list[Requirement] = setting([], "What every map must have.", max_length=4)
    guarantees: list[Guarantee] = setting([], "Forcing rules, in order.", max_length=4)
    relief: Relief | None = setting(None, "A rule that follows a hard step with a soft one.")
    guarantee_scope: Literal["map", "path"] = setting(
        "map", "Whether requirements hold for the map or for every path through it (M7)."
    )
    lane_switching: bool = setting(True, "Whether the party may change lanes between steps (M10).")
    cache_trap_percent: Percent = Field(description="How many caches are trapped.")
    cache_trap_percent_high_heat: Percent = Field(description="The same when the rival's heat is high.")
    trial_percent: Percent = Field(description="How many elites offer a trial.")
    boss_profile: Literal["boss", "mini_boss", "rival_boss"] = setting("boss", "Who waits at the end.")
    danger: Danger = setting(Danger(), "Danger points by type.")

    def idle_fields(self) -> dict[str, str]:
        biased = any(step.lane_biases for step in self.steps)
        return {} if biased else dict.fromkeys(("safe_lane", "risk_lane"), "no step has lane_biases")

    def lanes(self, step: int) -> dict[str, Table]:
        """The tables of a step from 1 by their lanes, clamped; where the lanes meet there is only the first."""
        return {lane: clamped(table, self.steps[step - 1].clamp) for lane, table in self.written_lanes(step).items()}

    def written_lanes(self, step: int) -> dict[str, Table]:
        """The same tables as the file has them."""
        entry = self.steps[step - 1]
        biased = (self.safe_lane, self.risk_lane) if entry.lane_biases else (entry.safe, entry.risk)
        tables = biased if entry.both is None else (entry.both, entry.both)
        pair = tables if entry.meet is None else (entry.meet, None)
        return {lane: table for lane, table in zip(("safe", "risk"), pair, strict=True) if table is not None}

    def allowing(self, kinds: list[ContractKind], first: int, last: int) -> list[int]:
        """The steps whose tables could hold one of these kinds: in either lane, or in both when every path counts."""
        found = []
        for step in range(first, last + 1):
            lanes = self.lanes(step).values()
            fits = [any(table.get(kind, 0) and self.at_most.get(kind, 9) for kind in kinds) for table in lanes]
            if all(fits) if self.guarantee_scope == "path" else any(fits):
                found.append(step)
        return found

    def every_requirement(self) -> list[tuple[Requirement, str]]:
        """The requirements with their rule ids; a guarantee is one too, seen from its end."""
        found = [(entry, "contract.requirement") for entry in self.requirements]
        for entry in self.guarantees:
            first, last = entry.steps
            ask = Requirement(types=entry.types, at_least=entry.at_least, steps=(first, max(last, entry.then_step)))
            found.append((ask, "contract.guarantee"))
        return found

    def impossibilities(self) -> Iterator[Fault]:
        if faults := [*self._wrong_steps()] or [*self._dry_tables()]:
            yield from faults
            return
        yield from self._contradictions()
        yield from conflicts(self)

    def _wrong_steps(self) -> Iterator[Fault]:
        """A last step that is not the boss, steps without any type, and steps that are named and not there."""
        total, last = len(self.steps), self.steps[-1].meet
        if last is None or [kind for kind, weight in last.items() if weight] != ["boss"]:
            yield Fault(f"steps[{total}]", last, "must be the boss alone", expected="meet = { boss = 100 }")
        for number, step in enumerate(self.steps, 1):
            for lane, table in self.lanes(number).items():
                if not any(table[kind] for kind in table if self.at_most.get(kind, 9)):
                    field = f"{lane}_lane" if step.lane_biases else f"steps[{number}].{lane}"
                    right = "a weight above 0 for a type that is not capped at 0"
                    yield Fault(field, table, f"leaves no type for step {number}", right, rule="contract.step-table")
        for name, bounds in self._step_ranges():
            if not 1 <= bounds[0] <= bounds[1] <= total:
                yield Fault(name, bounds, "names steps that do not exist", expected=f"1 to {total}, in order")

    def _never_capped(self, kind: ContractKind) -> bool:
        """Whether no cap can ever take the type away: it has none, or no more steps allow it than the cap."""
        cap = self.at_most.get(kind)
        return cap is None or 0 < cap >= len(self.allowing([kind], 1, len(self.steps)))

    def _dry_tables(self) -> Iterator[Fault]:
        """Steps that caps could leave without any type, and clamps that leave a share to nobody."""
        for number, step in enumerate(self.steps, 1):
            tables = self.lanes(number).values()
            if any(not any(self._never_capped(kind) for kind in table) for table in tables):
                caps = {kind: most for kind, most in self.at_most.items() if any(kind in table for table in tables)}
                problem = f"could leave no type for step {number}"
                right = "a type in its table that is not capped, or a higher cap"
                yield Fault("at_most", caps, problem, right, rule="contract.cap")
            if any(set(table) <= set(step.clamp) and sum(step.clamp[k] for k in table) < 100 for table in tables):
                problem = "holds every type of the step down, so that nothing fills the rest"
                yield Fault(f"steps[{number}].clamp", step.clamp, problem, "a type that is not clamped")

    def _contradictions(self) -> Iterator[Fault]:
        """Guarantees and a relief that the step tables do not allow."""
        for index, entry in enumerate(self.guarantees, 1):
            forced = [table for lane, table in self.lanes(entry.then_step).items() if entry.lane in (lane, "both")]
            name, rule = f"guarantees[{index}].becomes", "contract.guarantee"
            if not forced or not all(table.get(entry.becomes) for table in forced):
                problem = f"is not in the table of step {entry.then_step} for the lanes it forces"
                yield Fault(name, entry.becomes, problem, "a type of that table", rule=rule)
            if entry.becomes not in entry.types:
                problem = "is not one of the types the guarantee asks for"
                yield Fault(name, entry.becomes, problem, " or ".join(entry.types), rule=rule)
            if entry.becomes in self.at_most:
                yield Fault(name, entry.becomes, "is capped by at_most", "a type without a cap", rule=rule)
            if self.relief and entry.then_step == self.relief.step and entry.becomes not in self.relief.types:
                right = " or ".join(self.relief.types)
                yield Fault(name, entry.becomes, "is forced where relief may be due", right, rule=rule)
        if self.relief:
            soft = [kind for kind in self.relief.types if self._never_capped(kind)]
            if self.relief.step <= self.relief.after_step:
                problem, right = "does not come after the hard step", f"a step after {self.relief.after_step}"
                yield Fault("relief.step", self.relief.step, problem, right, rule="contract.relief")
            if not all(any(map(table.get, soft)) for table in self.lanes(self.relief.step).values()):
                problem = f"are not in both lanes' tables of step {self.relief.step}, or are capped"
                right = "types of those tables without a cap"
                yield Fault("relief.types", self.relief.types, problem, right, rule="contract.relief")

    def _step_ranges(self) -> Iterator[tuple[str, tuple[int, int]]]:
        for i, want in enumerate(self.requirements, 1):
            if want.steps:
                yield f"requirements[{i}].steps", want.steps
        for i, entry in enumerate(self.guarantees, 1):
            yield f"guarantees[{i}].steps", entry.steps
            yield f"guarantees[{i}].then_step", (entry.then_step, entry.then_step)
        if self.relief:
            yield "relief.after_step", (self.relief.after_step, self.relief.after_step)
            yield "relief.step", (self.relief.step, self.relief.step)


def clamped(table: Table, clamp: dict[ContractKind, int]) -> Table:
    """The table with some shares held down to a percentage and the others renormalised around them (M11, M16).

    Types are held down together: holding one down lifts the others, which may lift another over its own clamp.
    """
    weights = {kind: Fraction(weight) for kind, weight in table.items() if weight}
    held: dict[ContractKind, Fraction] = {}
    while True:
        free = {kind: weight for kind, weight in weights.items() if kind not in held}
        left = 1 - sum(held.values())
        total = sum(free.values())
        shares = {kind: weight / total * left for kind, weight in free.items()} if free else {}
        over = {kind for kind, share in shares.items() if kind in clamp and share * 100 > clamp[kind]}
        if not over:
            break
        held.update({kind: Fraction(clamp[kind], 100) for kind in over})
    shares.update(held)
    scale = lcm(*(share.denominator for share in shares.values())) if shares else 1
    whole = {kind: int(share * scale) for kind, share in shares.items() if share}
    common = gcd(*whole.values()) if whole else 1
    return {kind: whole[kind] // common for kind in table if kind in whole}


# --- whether demands can be met together ------------------------------------------------------------------------------

# A demand is a requirement, a guarantee, a cap or the relief. The search lays types step by step, as the kernel's own
# check counts them (M7): on the map a step counts where either lane holds a type, for every path on the poorest one.
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
    found = [
        Demand(f"at_most.{kind}", "contract.cap", f"at most {most} step(s) may hold {kind}", cap=kind)
        for kind, most in rules.at_most.items()
    ]
    if given := rules.relief:
        soft = " / ".join(given.types)
        words = f"if step {given.after_step} holds {given.after}, step {given.step} must be {soft}"
        found.append(Demand("relief", "contract.relief", words))
    asked = []
    for index, (want, rule) in enumerate(rules.every_requirement()):
        at = index - len(rules.requirements)
        field = f"requirements[{index + 1}]" if at < 0 else f"guarantees[{at + 1}]"
        asked.append(Demand(field, rule, want.describe(), want=want))
    return [*found, *reversed(asked)]


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
    search = _Search(rules, list(among))
    return search.finds(0, ((0, 0),) * len(search.counters), (0,) * len(search.caps), hard=False)


class _Search:
    """A depth-first search that never looks twice at the same counts after the same step."""

    def __init__(self, rules: ContractRules, among: list[Demand]) -> None:
        self.rules, self.total = rules, len(rules.steps)
        self.caps = {d.cap: rules.at_most[d.cap] for d in among if d.cap is not None}
        self.relief = rules.relief if any(d.cap is None and d.want is None for d in among) else None
        self.groups: list[tuple[int, range]] = []  # so many of these counters must reach their need
        self.counters: list[_Counter] = []
        for want in (demand.want for demand in among if demand.want is not None):
            first, last = want.steps or (1, self.total)
            each, enough, need = ([want.types], 1, want.at_least)
            if want.distinct:
                each, enough, need = ([[kind] for kind in dict.fromkeys(want.types)], want.at_least, 1)
            self.groups.append((enough, range(len(self.counters), len(self.counters) + len(each))))
            self.counters += [_Counter(frozenset(kinds), need, first, last) for kinds in each]
        # what the lanes of each step can hold
        lanes = [rules.lanes(step).values() for step in range(1, self.total + 1)]
        self.options = [list(product(*([kind for kind, w in table.items() if w] for table in step))) for step in lanes]
        self.onward = [self._best_onward(counter) for counter in self.counters]
        self.dead: set[tuple[int, Counts, tuple[int, ...], bool]] = set()

    def _best_onward(self, counter: _Counter) -> list[int]:
        """How much a counter can still gain after each step at best."""
        able = [
            any(self._holds(counter, step, pair) != (0, 0) for pair in pairs)
            for step, pairs in enumerate(self.options, 1)
        ]
        return [sum(able[done:]) for done in range(self.total + 1)]

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

    def finds(self, done: int, counts: Counts, used: tuple[int, ...], *, hard: bool) -> bool:
        """Whether the steps after these can be laid so that every demand is met."""
        # whether every counter could still be filled if it were alone
        best = [min(count) + onward[done] for count, onward in zip(counts, self.onward, strict=True)]
        if any(sum(best[at] >= self.counters[at].need for at in group) < enough for enough, group in self.groups):
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
            if self.finds(step, after, spent, hard=calls):
                return True
        self.dead.add((done, counts, used, hard))
        return False
