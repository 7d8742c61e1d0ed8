"""Delves: a fourth map family, from outside the package.

A delve leads down. Each node leads one or two ways down, on every third row ways merge two by two, and a boss waits at
the bottom. This file is all it takes for `map new`, `check`, `repair`, `explain`, `analyse`, `audit`, `search`, every
drawing and every export to know delves:

    from cartomancer import maps
    from delve import DELVE

    maps.register_family(DELVE)
    drawn = maps.generate("delve", "shaft", seed=42)

On the command line, `pip install ./examples/delve` does the same: its entry point tells Cartomancer where to look.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Final, Literal

from pydantic import Field

from cartomancer.codes import STREAM_TYPES
from cartomancer.content.models.base import DangerPoints, Percent, Preset, Strict, Weight
from cartomancer.errors import Fault
from cartomancer.maps.families import Draft, DrawnFamily, Rule, Spacing

FreeKind = Literal["combat", "elite", "treasure", "trap", "event"]
MERGE_EVERY: Final = 3


class Danger(Strict):
    """How dangerous a node of each type counts as, for routes and the expressive range."""

    combat: DangerPoints = 3
    elite: DangerPoints = 8
    treasure: DangerPoints = 0
    trap: DangerPoints = 4
    event: DangerPoints = 1
    rest: DangerPoints = 0
    boss: DangerPoints = 10


class DelveRules(Preset):
    """A map that leads down: ways part and merge, and what is met is rolled by weight."""

    default_preset: ClassVar = "shaft"
    preset_folder: ClassVar = Path(__file__).parent / "presets"

    family: Literal["delve"] = "delve"
    depth: int = Field(default=13, ge=4, le=40, description="Rows from the entrances down to the boss.")
    entrances: int = Field(default=2, ge=1, le=4, description="Nodes of the first row.")
    width: int = Field(default=5, ge=4, le=9, description="The most nodes on a row.")
    split_percent: Percent = Field(default=45, description="How often a node leads two ways down where there is room.")
    elite_percent: Percent = Field(default=40, description="Elites come below this share of the depth.")
    no_repeat: list[FreeKind] = Field(
        default=["elite", "treasure"], description="Types that may not follow themselves along an edge."
    )
    weights: dict[FreeKind, Weight] = Field(description="Weights of the types of free rows.")
    danger: Danger = Field(default=Danger(), description="Danger points by type.")

    @property
    def elite_row(self) -> int:
        """The first row that may hold an Elite."""
        return max(2, -(-self.elite_percent * self.depth // 100))

    def merges(self, row: int) -> bool:
        """Whether ways merge on this row."""
        return row % MERGE_EVERY == 0 and row < self.depth

    def fixed_type(self, row: int) -> str | None:
        """The type a whole row is made of."""
        if row == self.depth:
            return "boss"
        if row == 1:
            return "combat"
        return "rest" if self.merges(row) else None

    def impossibilities(self) -> list[Fault]:
        always = [kind for kind, weight in self.weights.items() if weight and kind not in {"elite", *self.no_repeat}]
        if always:
            return []
        right = "a weight above 0 for a type that may follow itself and is no Elite"
        return [Fault("weights", self.weights, "can leave no type for a node", right, rule="delve.table")]


PLAN: Final = Rule(
    32,
    "delve.plan",
    "The first row is combat, there is a rest where ways merge, and the last row alone is the boss.",
    "examples/delve",
    lambda rules: (
        f"Row 1 is combat, there is a rest on every row that {MERGE_EVERY} divides, and row {rules.depth} alone is "
        "the boss."
    ),
)
TABLE: Final = Rule(
    33,
    "delve.table",
    "A node of a free row has a type with a weight.",
    "examples/delve",
    lambda rules: f"A node of a free row is one of: {', '.join(kind for kind, w in rules.weights.items() if w)}.",
)
ELITES: Final = Rule(
    34,
    "delve.elite-depth",
    "No Elite above a share of the depth.",
    "examples/delve",
    lambda rules: f"No Elite before row {rules.elite_row}.",
)
NO_REPEAT: Final = Rule(
    35,
    "delve.no-repeat",
    "Some types may not follow themselves along an edge.",
    "examples/delve",
    lambda rules: f"Along an edge no type of these follows itself: {', '.join(rules.no_repeat) or 'none'}.",
)
WAYS: Final = Rule(36, "delve.ways", "Each node leads one or two ways down.", "examples/delve", of_graph=True)
MERGE: Final = Rule(
    37,
    "delve.merge",
    "On every third row ways merge: neighbours lead one way each, two by two to the same node.",
    "examples/delve",
    of_graph=True,
)


class DelveFamily(DrawnFamily[DelveRules]):
    """Delves, drawn in Python."""

    model = DelveRules
    kinds = ("combat", "elite", "treasure", "trap", "event", "rest", "boss")
    own_rules = (PLAN, TABLE, ELITES, NO_REPEAT, WAYS, MERGE)
    ban_rules = (ELITES.id, NO_REPEAT.id)
    row_word = "level"
    spacing = Spacing("centred", row=102.0, column=120.0, drift=(14, 9), cells=6)

    def size(self, rules: DelveRules) -> tuple[int, int]:
        return rules.depth, rules.width

    def weights(self, rules: DelveRules, row: int) -> Mapping[str, int]:
        return {} if rules.fixed_type(row) else {str(kind): weight for kind, weight in rules.weights.items()}

    def draw(self, draft: Draft, rules: DelveRules) -> bool:
        for column in range(1, rules.entrances + 1):
            draft.place(1, column)
        for row in range(1, rules.depth):
            self._lead_down(draft, rules, row)
        return all(self.type_node(draft, rules, row, column) for row, column in draft.cells())

    def _lead_down(self, draft: Draft, rules: DelveRules, row: int) -> None:
        """Join a row to the next: into the boss, merging two by two, or parting where the dice and the width allow."""
        above, reached = draft.row(row), 0
        for index, column in enumerate(above):
            if row + 1 == rules.depth:
                ways = [1]
            elif rules.merges(row + 1):
                ways = [index // 2 + 1]
            else:
                room = rules.width - reached - (len(above) - index)
                ways = [reached + 1, reached + 2] if draft.below(100) < rules.split_percent and room else [reached + 1]
            for target in ways:
                draft.place(row + 1, target)
                draft.join(row, column, target)
            reached = ways[-1]

    def type_node(self, draft: Draft, rules: DelveRules, row: int, column: int, stream: int = STREAM_TYPES) -> bool:
        fixed = rules.fixed_type(row)
        if fixed:
            draft.fix(row, column, fixed, PLAN)
            return True
        too_high = {"elite"} if row < rules.elite_row else set()
        return draft.roll(
            row, column, self.weights(rules, row), [too_high, self._neighbours(draft, rules, row, column)], stream
        )

    def _neighbours(self, draft: Draft, rules: DelveRules, row: int, column: int) -> set[str]:
        """The types around a node that may not follow themselves."""
        around = {draft.type(row - 1, parent) for parent in draft.back(row, column)}
        around |= {draft.type(row + 1, child) for child in draft.onward(row, column)}
        return around & set(rules.no_repeat)

    def check(self, draft: Draft, rules: DelveRules) -> None:
        for row, column in draft.cells():
            kind, fixed = draft.type(row, column), rules.fixed_type(row)
            if fixed and kind != fixed:
                draft.breaks(PLAN, row, column)
            if not fixed and not self.weights(rules, row).get(kind):
                draft.breaks(TABLE, row, column)
            if kind == "elite" and row < rules.elite_row:
                draft.breaks(ELITES, row, column)
            for parent in draft.back(row, column):
                if kind in rules.no_repeat and draft.type(row - 1, parent) == kind:
                    draft.breaks(NO_REPEAT, row, column, (row - 1, parent))
            if len(draft.onward(row, column)) > 2:
                draft.breaks(WAYS, row, column)
        for row in filter(rules.merges, range(2, draft.rows)):
            above = draft.row(row - 1)
            wanted = [[index // 2 + 1] for index in range(len(above))]
            if [draft.onward(row - 1, column) for column in above] != wanted:
                draft.breaks(MERGE, row)


DELVE: Final = DelveFamily()
