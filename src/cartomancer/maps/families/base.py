"""What a map family is: one object that knows all that only this family knows.

Everything above asks the object and never for its name. A family is either compiled (its generator is a kernel) or
drawn in Python on the same record; from above both look the same.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Generic, Literal, TypeVar

import numpy as np

from cartomancer.codes import KIND_CODES
from cartomancer.content.catalog import load_catalog
from cartomancer.content.models.base import Preset
from cartomancer.content.models.voyage import UnknownRules
from cartomancer.errors import shown
from cartomancer.jit import records
from cartomancer.maps.drafts import Draft
from cartomancer.maps.kernel.generate import odds_of
from cartomancer.maps.kernel.rules import RULES
from cartomancer.maps.model import Map, Node, same
from cartomancer.maps.rulebook import MAP_RULES, Rule
from cartomancer.maps.stake_words import Stake
from cartomancer.maps.stakes import Situation

# JSON Schema of what only the families that come with the package write into map files: on nodes, and on the map
SCHEMAS: Final[dict[str, Any]] = json.loads(
    Path(__file__).parents[1].joinpath("family_schemas.json").read_text("utf-8")
)

Numbers = np.ndarray[Any, np.dtype[np.int64]]
Rules = TypeVar("Rules", bound=Preset)
Counter = Callable[[int, int], Any]  # (first seed, how many) → the tally of their maps
Scan = Callable[[int, int], np.ndarray[Any, np.dtype[np.int32]]]  # (first seed, how many) → distances from a query


@dataclass(frozen=True, slots=True)
class Spacing:
    """How a family's nodes are spread over a page.

    On a grid a node stands in its column; lanes are a grid whose lone nodes stand in the middle; centred rows are
    spread around the middle, whatever the columns.
    """

    align: Literal["grid", "lanes", "centred"] = "centred"
    row: float = 104.0
    column: float = 150.0
    drift: tuple[int, int] = (16, 9)  # how far a node may stand off its place, across and along
    cells: int = 6  # between columns, in text


@dataclass(frozen=True, slots=True)
class Act:
    """A stretch of rows with a title of its own, from its entrance to the guardian at its end."""

    number: int
    title: str
    guardian: str
    first_row: int
    last_row: int
    portal: bool = False

    @property
    def heading(self) -> str:
        """What stands before its title."""
        return "Beyond" if self.portal else f"Act {self.number}"


def guardian_title(guardian: str) -> str:
    """A guardian's name as people read it; one that nobody described is called by its id.

    >>> guardian_title("house"), guardian_title("grey_abbot")
    ('The House', 'Grey Abbot')
    """
    entry = load_catalog().guardians.get(guardian)
    return entry.title if entry is not None else guardian.replace("_", " ").title()


class Family(ABC, Generic[Rules]):
    """One map family. What a subclass leaves out is what most families do."""

    code: int  # what kernels call it
    compiled: bool = True  # whether its generator is a kernel; otherwise batches loop in Python
    model: type[Rules]
    kinds: tuple[str, ...]  # its node types, in the order of legends and tables
    own_rules: tuple[Rule, ...]
    ban_rules: tuple[str, ...] = ()  # the rules behind the masks of a weighed roll, in their order
    easier: str = "easier rules"  # what to try when no map comes out
    last_resort: str | None = None  # the type a node is given, marked as waived, when none is possible
    situated: bool = False  # whether the campaign's situation counts

    enum_order: tuple[str, ...] = ()  # of the types in the game, as engines count them from 0; without it: of `kinds`

    row_word: str = "row"
    spacing: Spacing = Spacing()
    compass: bool = False  # whether its page has a compass rose

    details_by_place: tuple[str, ...] = ()  # what a node says of itself that follows from its place and type
    node_schema: Mapping[str, Any] = {}  # JSON Schema of what only its nodes carry,
    always: tuple[str, ...] = ()  # those of them that are on every node,
    map_schema: Mapping[str, Any] = {}  # and of what only its map files hold

    @property
    def name(self) -> str:
        return self.model.family_name()

    # --- rules ----------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules the family honours: its own and those of every map."""
        return (*self.own_rules, *MAP_RULES)

    @cached_property
    def rule_by_id(self) -> dict[str, Rule]:
        return {rule.id: rule for rule in self.rules}

    @cached_property
    def rule_by_code(self) -> dict[int, Rule]:
        return {int(rule.code): rule for rule in self.rules}

    # --- generating, checking, retyping -------------------------------------------------------------------------------

    @abstractmethod
    def size(self, rules: Rules) -> tuple[int, int]:
        """The rows and columns of a map."""

    def most_routes(self, rules: Rules) -> int:
        """No map has more routes: one for every choice of a node on each row before the boss."""
        rows, columns = self.size(rules)
        return int(columns ** (rows - 1))

    def advice(self, rules: Rules) -> str:
        """What to try when no map comes out: something that is not set already."""
        return self.easier

    @abstractmethod
    def fill(self, rules: Rules, record: Any) -> None:
        """Write what only this family's generator reads into the kernel's rules record."""

    def pack(self, rules: Rules) -> Any:
        """The rules as the record that kernels read: names become codes, shares become integers."""
        record = records(1, RULES)[0]
        record["family"] = self.code
        record["rows"], record["slots"] = self.size(rules)
        for name, points in rules.danger_by_type().items():
            record["danger"][KIND_CODES[name]] = points
        for name, seconds in rules.seconds_by_type().items():
            record["seconds"][KIND_CODES[name]] = seconds
        record["choice_seconds"] = rules.choice_seconds
        self.fill(rules, record)
        return record

    @abstractmethod
    def generate(self, draft: Draft, rules: Rules, seed: int) -> bool:
        """Draw the map of a seed; False when bounded attempts ran out."""

    @abstractmethod
    def violations(self, draft: Draft, rules: Rules) -> int:
        """Write every broken rule into the draft's log. Returns the count."""

    @abstractmethod
    def retype(self, draft: Draft, rules: Rules, row: int, column: int) -> bool:
        """Roll a new type for an emptied node among what its neighbours allow; False when nothing is left for it."""

    def complete(self, draft: Draft) -> None:
        """Force what the map as a whole still misses after a repair."""

    @abstractmethod
    def counter(self, rules: Rules) -> Counter:
        """What audits consecutive seeds; it may be called from several threads."""

    @abstractmethod
    def scan(self, rules: Rules, program: Numbers, wanted: Numbers) -> Scan:
        """What measures how far the maps of consecutive seeds are from a query's program over the wanted features."""

    # --- details --------------------------------------------------------------------------------------------------

    def catalog_digest(self, rules: Rules) -> str:
        """The digest of the catalog, for families whose maps are furnished from it."""
        return ""

    def furnish(self, drawn: Map, situation: Situation | None) -> Map:
        """The map with everything that is rolled with it besides graph and types, each detail from its own stream."""
        return drawn

    def contradictions(self, drawn: Map, node: Node, right: Map) -> Iterator[str]:
        """Where a node says of itself what its rules could not have produced; `right` is the map furnished anew.

        What follows from place and type is as it is there; what was rolled may be any roll. What the public half of a
        map hides is not asked, and details that no family knows are a designer's own.
        """
        true = right.by_id[node.id].details
        for name in dict.fromkeys((*self.details_by_place, *self.node_schema)):
            by_place = name in self.details_by_place
            if name in true and name not in node.details:
                if by_place or not drawn.is_public:
                    yield f"{name} is missing"
            elif name in node.details and name not in true:
                yield f"{name} is {shown(node.details[name])}, where a node of this type has none"
            elif by_place and name in true and not same(node.details[name], true[name]):
                yield f"{name} is {shown(node.details[name])}, not {shown(true[name])}"
        rules: Any = drawn.rules
        fixed = self.fixes(rules, node)
        if fixed is not None and node.locked != fixed:
            why = "a rule fixes its type" if fixed else "no rule fixes its type"
            yield f"locked is {node.locked}, not {fixed}: {why}"
        if node.forced is not None and not self.forces(rules, node):
            yield f"forced is {node.forced!r}, which demands no {node.type} here"
        yield from self.impossible_rolls(drawn, node, right)

    def map_contradictions(self, drawn: Map, right: Map) -> Iterator[str]:
        """Where the map as a whole says of itself what its rules could not have produced."""
        for name in self.map_schema:
            if not same(drawn.details.get(name), right.details.get(name)):
                yield f"{name} is {shown(drawn.details.get(name))}, not {shown(right.details.get(name))}"

    def impossible_rolls(self, drawn: Map, node: Node, right: Map) -> Iterator[str]:
        """What a node says it rolled and cannot have rolled."""
        yield from ()

    def fixes(self, rules: Rules, node: Node) -> bool | None:
        """Whether a rule rather than dice types a node there, which locks it; None where either may be."""
        return None

    def forces(self, rules: Rules, node: Node) -> bool:
        """Whether the rule that a node names as the one that forced it may force its type there."""
        return True

    def unknown_rules(self, rules: Rules) -> UnknownRules | None:
        """How Unknowns resolve on entry; none where the family has no Unknowns."""
        return None

    def banned_types(self, rules: Rules, row: int) -> Collection[str]:
        """The types that a row may not hold, neither when drawn nor when an Unknown resolves there."""
        return ()

    def types_beside(self, draft: Draft, row: int, column: int) -> Collection[str]:
        """The types that a node may not have because of its neighbours."""
        return ()

    # --- explaining -----------------------------------------------------------------------------------------------

    def weight(self, rules: Rules, packed: Any, node: Node, kind: str) -> int:
        """The weight of a type where a node was rolled, before any ban."""
        return int(odds_of(packed, node.row - 1, node.column - 1, KIND_CODES[kind]))

    def written_weight(self, rules: Rules, packed: Any, node: Node, kind: str) -> int:
        """The same weight as the preset's file has it; chances may follow from it in another scale."""
        return self.weight(rules, packed, node, kind)

    def ban(self, drawn: Map, node: Node, kind: str, rule: Rule) -> tuple[Rule, str]:
        """Which rule bans a type from a node, and why, where the mask of this rule bans it."""
        return rule, rule.says(drawn.rules)

    def demand(self, rules: Rules, number: int) -> str:
        """What forced a type: the requirement of this number, in words."""
        return ""

    def whole_map_fault(self, rules: Rules, rule: Rule, event: Sequence[int]) -> str:
        """What is wrong where a rule is broken by the map as a whole rather than by the nodes of an event."""
        return ""

    def notes(self, rules: Rules) -> list[str]:
        """What a reader of an audit's numbers should know about the rules."""
        return []

    # --- drawing --------------------------------------------------------------------------------------------------

    def acts(self, drawn: Map) -> list[Act]:
        """The acts of a map in order; most families have none."""
        return []

    def act_of(self, drawn: Map, node: Node) -> int:
        """The number of the act a node belongs to; a map without acts is one."""
        known = node.details.get("act")
        if isinstance(known, int):
            return known
        return next((act.number for act in self.acts(drawn) if act.first_row <= node.row <= act.last_row), 1)

    def guardian_of(self, drawn: Map, node: Node) -> str:
        """The id of the guardian who waits at this node, or nothing."""
        if node.type != "boss":
            return ""
        known = node.details.get("guardian_id")
        return str(known) if known else next((a.guardian for a in self.acts(drawn) if a.last_row == node.row), "")

    def lane_of(self, node: Node) -> str:
        """The lane a node lies in, where the family has lanes."""
        return ""

    def stakes(self, node: Node) -> list[Stake]:
        """What is at stake at a node, as far as it tells."""
        return []
