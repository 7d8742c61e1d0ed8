"""Contract templates: step tables, lanes, caps, guarantees [Contracts 1–3], rulings M7–M11."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from cartomancer.content.models.base import Percent, Preset, Strict, Weight, danger_points
from cartomancer.errors import Fault

ContractKind = Literal["combat", "elite", "event", "rest", "cache", "shop", "rival_intrusion", "boss"]
Table = dict[ContractKind, Weight]
Lane = Literal["safe", "risk", "both"]


class Step(Strict):
    """One step: a table for both lanes, one table a lane, the lane biases, or a single node where the lanes meet."""

    both: Table | None = Field(default=None, description="One table for both lanes.")
    safe: Table | None = Field(default=None, description="The safe lane's table.")
    risk: Table | None = Field(default=None, description="The risk lane's table.")
    meet: Table | None = Field(default=None, description="The table of the single node where the lanes meet.")
    lane_biases: bool = Field(default=False, description="Use the template's lane tables.")
    clamp: dict[ContractKind, Percent] = Field(
        default={}, description="The largest share a type may have; the others are renormalised around it."
    )

    @model_validator(mode="after")
    def _one_way_to_say_it(self) -> Step:
        ways = [
            self.both is not None,
            self.meet is not None,
            self.lane_biases,
            self.safe is not None or self.risk is not None,
        ]
        if sum(ways) != 1 or (self.safe is None) != (self.risk is None):
            raise ValueError("give exactly one of: both, safe with risk, lane_biases = true, meet")
        return self


class Requirement(Strict):
    """At least so many steps (or so many different types) of these types, in these steps."""

    types: list[ContractKind] = Field(min_length=1, description="Any of these counts.")
    at_least: int = Field(ge=1, le=8, description="How many are needed.")
    distinct: bool = Field(default=False, description="Count different types instead of steps.")
    steps: tuple[int, int] | None = Field(default=None, description="First and last step that count; all without it.")

    def describe(self) -> str:
        """The requirement in words."""
        where = f"steps {self.steps[0]} to {self.steps[1]}" if self.steps else "all steps together"
        what = "different types" if self.distinct else "step(s)"
        return f"{where} need at least {self.at_least} {what} of {' / '.join(self.types)}"


class Guarantee(Strict):
    """If too few of these types came in these steps, one step becomes that type."""

    types: list[ContractKind] = Field(min_length=1, description="Any of these counts.")
    at_least: int = Field(default=1, ge=1, le=8, description="How many are needed.")
    steps: tuple[int, int] = Field(description="First and last step that count.")
    then_step: int = Field(ge=1, le=8, description="The step that is forced.")
    becomes: ContractKind = Field(description="The type it becomes.")
    lane: Lane = Field(default="both", description="Which lanes of the step are forced.")


class Relief(Strict):
    """A hard step calls for a soft one: if a type appears in one step, another must be one of these types."""

    after_step: int = Field(ge=1, le=8, description="The step that may be hard.")
    after: ContractKind = Field(description="The type that makes it hard.")
    step: int = Field(ge=1, le=8, description="The step that must then be soft.")
    types: list[ContractKind] = Field(min_length=1, description="The types that count as soft.")


class Danger(Strict):
    """How dangerous a node of each type counts as, for routes and the expressive range."""

    combat: Weight = danger_points(3)
    elite: Weight = danger_points(8)
    event: Weight = danger_points(1)
    rest: Weight = danger_points(0)
    cache: Weight = danger_points(1)
    shop: Weight = danger_points(0)
    rival_intrusion: Weight = danger_points(4)
    boss: Weight = danger_points(10)


class ContractRules(Preset):
    """A two-lane map of a contract class: each step rolled from its lane's table, guarantees forced afterwards."""

    family: Literal["contract"] = "contract"
    contract_class: Literal["short", "standard", "power", "recovery", "rival"] = Field(
        description="Which class of contract the template belongs to."
    )
    safe_lane: Table = Field(default={}, description="Safe lane weights for steps with lane_biases.")
    risk_lane: Table = Field(default={}, description="Risk lane weights for steps with lane_biases.")
    steps: list[Step] = Field(min_length=3, max_length=8, description="The steps in order; the last one is the boss.")
    at_most: dict[ContractKind, int] = Field(default={}, description="Caps: in how many steps a type may appear.")
    requirements: list[Requirement] = Field(default=[], max_length=4, description="What every map must have.")
    guarantees: list[Guarantee] = Field(default=[], max_length=4, description="Forcing rules, in order.")
    relief: Relief | None = Field(default=None, description="A rule that follows a hard step with a soft one.")
    guarantee_scope: Literal["map", "path"] = Field(
        default="map", description="Whether requirements hold for the map or for every path through it (M7)."
    )
    lane_switching: bool = Field(default=True, description="Whether the party may change lanes between steps (M10).")
    cache_trap_percent: Percent = Field(description="How many caches are trapped.")
    cache_trap_percent_high_heat: Percent = Field(description="The same when the rival's heat is high.")
    trial_percent: Percent = Field(description="How many elites offer a trial.")
    boss_profile: Literal["boss", "mini_boss", "rival_boss"] = Field(
        default="boss", description="Who waits at the end."
    )
    danger: Danger = Field(default=Danger(), description="Danger points by type.")

    def tables(self, step: int) -> tuple[Table, Table | None]:
        """The safe and risk tables of a step from 1, clamped; no second table where the lanes meet."""
        entry = self.steps[step - 1]
        if entry.meet is not None:
            return clamped(entry.meet, entry.clamp), None
        safe, risk = (self.safe_lane, self.risk_lane) if entry.lane_biases else (entry.safe, entry.risk)
        if entry.both is not None:
            safe = risk = entry.both
        assert safe is not None
        assert risk is not None
        return clamped(safe, entry.clamp), clamped(risk, entry.clamp)

    def allowing(self, kinds: list[ContractKind], first: int, last: int) -> list[int]:
        """The steps whose tables could hold one of these kinds: in either lane, or in both when every path counts."""
        found = []
        for step in range(first, last + 1):
            lanes = [table for table in self.tables(step) if table is not None]
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

    def impossibilities(self) -> list[Fault]:
        faults: list[Fault] = []
        total = len(self.steps)
        last = self.steps[-1].meet
        if last is None or [kind for kind, weight in last.items() if weight] != ["boss"]:
            faults.append(Fault(f"steps[{total}]", last, "must be the boss alone", expected="meet = { boss = 100 }"))
        for number in range(1, total + 1):
            for lane, table in zip(("safe", "risk"), self.tables(number), strict=True):
                if table is not None and not any(
                    weight for kind, weight in table.items() if self.at_most.get(kind, 9) > 0
                ):
                    field = f"{lane}_lane" if self.steps[number - 1].lane_biases else f"steps[{number}].{lane}"
                    problem = f"leaves no type for step {number}"
                    right = "a weight above 0 for a type that is not capped at 0"
                    faults.append(Fault(field, table, problem, right, rule="contract.step-table"))
        for name, bounds in self._step_ranges():
            if not 1 <= bounds[0] <= bounds[1] <= total:
                faults.append(Fault(name, bounds, "names steps that do not exist", expected=f"1 to {total}, in order"))
        if faults:
            return faults
        for index, (want, rule) in enumerate(self.every_requirement()):
            first, end = want.steps or (1, total)
            most = self._most(want, first, end)
            if most < want.at_least:
                faults.append(
                    Fault(
                        f"requirements[{index + 1}]" if index < len(self.requirements) else "guarantees",
                        {"types": want.types, "at_least": want.at_least},
                        f"can never be met: tables and caps allow {most} in steps {first} to {end}",
                        expected=(f"at_least = {most}, " if most else "")
                        + "a higher cap, or more steps whose tables allow the type",
                        rule=rule,
                    )
                )
        return faults

    def _most(self, want: Requirement, first: int, last: int) -> int:
        """The most a requirement could ever count under the tables and caps."""
        if want.distinct:
            return sum(bool(self.allowing([kind], first, last)) for kind in want.types)
        steps = self.allowing(want.types, first, last)
        if all(kind in self.at_most for kind in want.types):
            return min(len(steps), sum(self.at_most[kind] for kind in want.types))
        return len(steps)

    def _step_ranges(self) -> list[tuple[str, tuple[int, int]]]:
        ranges = [
            (f"requirements[{i}].steps", entry.steps) for i, entry in enumerate(self.requirements, 1) if entry.steps
        ]
        for i, entry in enumerate(self.guarantees, 1):
            ranges.append((f"guarantees[{i}].steps", entry.steps))
            ranges.append((f"guarantees[{i}].then_step", (entry.then_step, entry.then_step)))
        if self.relief:
            ranges.append(("relief", (self.relief.after_step, self.relief.step)))
        return ranges


def clamped(table: Table, clamp: dict[ContractKind, int]) -> Table:
    """The table with some shares held down to a percentage and the others renormalised around them (M11)."""
    result = {kind: weight for kind, weight in table.items() if weight}
    for kind, most in clamp.items():
        others = sum(weight for other, weight in result.items() if other != kind)
        if result.get(kind, 0) * 100 > most * (others + result.get(kind, 0)):
            # others : kind = (100 − most) : most, in whole numbers
            result = {other: weight * (100 - most) for other, weight in result.items()}
            result[kind] = most * others
            if not result[kind]:
                del result[kind]
    return result


__all__ = ["ContractKind", "ContractRules", "Guarantee", "Relief", "Requirement", "Step", "Table"]
