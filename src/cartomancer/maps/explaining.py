"""Explaining a node: the weights it was rolled from, what was banned and why, re-rolls, forcing, the final type."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cartomancer.codes import FAMILY_KINDS, KIND_CODES, KIND_NAMES
from cartomancer.errors import CartomancerError
from cartomancer.maps.charts import draw_chart
from cartomancer.maps.kernel import events
from cartomancer.maps.kernel.generate import odds_of
from cartomancer.maps.model import Map, Node
from cartomancer.maps.public import is_public
from cartomancer.maps.rulebook import BY_CODE, BY_ID, Rule


@dataclass(frozen=True)
class Choice:
    """One type a node could have become."""

    type: str
    weight: int
    share: float
    banned_by: str | None = None
    because: str = ""


@dataclass(frozen=True)
class Forcing:
    """A rule that put a type here, and what it found missing."""

    type: str
    rule: Rule
    because: str


@dataclass
class Explanation:
    """Why a node is what it is."""

    node: Node
    notation: str
    fixed_by: Rule | None = None
    choices: list[Choice] = field(default_factory=list)
    rolls: list[tuple[str, bool]] = field(default_factory=list)
    narrowed_to: str | None = None
    searched: bool = False
    retyped_for: str | None = None
    forced_by: list[Forcing] = field(default_factory=list)
    waived: bool = False
    drawn_as: str | None = None  # what the seed gives, if the map at hand has been edited since

    @property
    def rerolls(self) -> int:
        return sum(not stood for _, stood in self.rolls)

    def as_dict(self) -> dict[str, Any]:
        return {
            "notation": self.notation,
            "node": self.node.id,
            "row": self.node.row,
            "column": self.node.column,
            "type": self.node.type,
            "locked": self.node.locked,
            "fixed_by": self.fixed_by.id if self.fixed_by else None,
            "weights": {choice.type: choice.weight for choice in self.choices},
            "choices": [vars(choice) for choice in self.choices],
            "banned": {choice.type: choice.banned_by for choice in self.choices if choice.banned_by},
            "rolls": [{"type": kind, "stood": stood} for kind, stood in self.rolls],
            "rerolls": self.rerolls,
            "narrowed_to": self.narrowed_to,
            "searched": self.searched,
            "retyped_for": self.retyped_for,
            "forced_by": [
                {"type": forcing.type, "rule": forcing.rule.id, "because": forcing.because}
                for forcing in self.forced_by
            ],
            "waived": self.waived,
            "drawn_as": self.drawn_as,
        }

    def sentences(self) -> list[str]:
        """The explanation in words, in the order things happened."""
        lines = []
        if self.fixed_by:
            lines.append(
                f"Fixed as {self.node.type}: {self.fixed_by.statement} [{self.fixed_by.id}] {self.fixed_by.cite}"
            )
        for kind, stood in self.rolls:
            lines.append(f"Rolled {kind}: {'it stood.' if stood else 'banned here, rolled again.'}")
        if self.narrowed_to:
            lines.append(f"Re-rolls used up; drawn among what is allowed: {self.narrowed_to}.")
        if self.searched:
            lines.append("Nothing allowed was left, so its neighbourhood was retyped together with it.")
        if self.retyped_for:
            lines.append(f"Retyped later, to make room for {self.retyped_for}.")
        for forcing in self.forced_by:
            lines.append(f"Forced to be {forcing.type}: {forcing.because}. [{forcing.rule.id}] {forcing.rule.cite}")
        if self.waived:
            lines.append("No type was possible: Monster as a last resort, logged as a waiver.")
        if self.drawn_as:
            lines.append(f"The seed gives {self.drawn_as}; this map has been changed since.")
        lines.append(f"It is {self.node.type}{' and locked' if self.node.locked else ''}.")
        return lines


def explain(drawn: Map, node_id: int) -> Explanation:
    """Why this node of a generated map is what it is: the seed is drawn again, this time with a log."""
    if is_public(drawn):
        raise CartomancerError("the public half of a map hides its seed, and with it how the map came about")
    node = drawn.node(node_id)
    logged = draw_chart(drawn.rules, drawn.seed, logged=True)
    row, slot = node.row - 1, node.column - 1
    result = Explanation(node, drawn.notation, waived=node.waived)
    seeded = KIND_NAMES[int(logged.chart["kind"][row, slot])]
    if seeded != node.type:
        result.drawn_as = seeded
    by_cell = {(other.row - 1, other.column - 1): other for other in drawn.nodes}
    settled = ""
    for event, at_row, at_slot, a, b, c in logged.events.tolist():
        here = (at_row, at_slot) == (row, slot)
        if here and event == events.EVENT_FIXED:
            result.fixed_by = BY_CODE[b]
            settled = KIND_NAMES[a]
        elif here and event == events.EVENT_WEIGHED:
            result.choices = _choices(drawn, node, logged.packed, (a, b, c))
        elif here and event == events.EVENT_ROLLED:
            result.rolls.append((KIND_NAMES[a], bool(b)))
            settled = KIND_NAMES[a] if b else settled
        elif here and event == events.EVENT_NARROWED:
            result.narrowed_to = settled = KIND_NAMES[a]
        elif here and event == events.EVENT_SEARCHED:
            result.searched = bool(a)
            settled = KIND_NAMES[b]
        elif event == events.EVENT_SEARCHED and a and settled and at_row in (row, row + 1):
            if settled != seeded:
                result.retyped_for = by_cell[at_row, at_slot].place
        elif here and event == events.EVENT_FORCED:
            wanted = drawn.rules.every_requirement()[c][0]  # type: ignore[attr-defined]
            result.forced_by.append(Forcing(KIND_NAMES[a], BY_CODE[b], wanted.describe()))
    return result


def _choices(drawn: Map, node: Node, packed: Any, masks: tuple[int, int, int]) -> list[Choice]:
    """The types with odds or bans at the moment of rolling; shares are of what was allowed."""
    forbidden = masks[0] | masks[1] | masks[2]
    kinds = sorted(KIND_CODES[name] for name in FAMILY_KINDS[drawn.family])
    weights = {kind: _raw_weight(drawn, node, packed, kind) for kind in kinds}
    total = sum(weight for kind, weight in weights.items() if not forbidden >> kind & 1)
    found = []
    for kind, weight in weights.items():
        if not weight:
            continue
        banned = bool(forbidden >> kind & 1)
        rule, because = _reason(drawn, node, kind, masks) if banned else (None, "")
        share = 0.0 if banned or not total else weight / total
        found.append(Choice(KIND_NAMES[kind], weight, share, rule, because))
    return found


def _raw_weight(drawn: Map, node: Node, packed: Any, kind: int) -> int:
    """The weight before any ban: for a voyage the band's odds, as the row's bans are already taken out below."""
    if drawn.family == "voyage":
        odds: dict[str, int] = drawn.rules.band_of(node.row).odds.model_dump()  # type: ignore[attr-defined]
        return odds.get(KIND_NAMES[kind], 0)
    return int(odds_of(packed, node.row - 1, node.column - 1, kind))


def _reason(drawn: Map, node: Node, kind: int, masks: tuple[int, int, int]) -> tuple[str, str]:
    """Which rule bans the kind, and because of which node."""
    name = KIND_NAMES[kind]
    by_mask = {
        "voyage": ("voyage.row-ban", "voyage.no-repeat", "voyage.split-unique"),
        "contract": ("contract.cap", "contract.relief", ""),
        "guardian": ("guardian.run-cap", "guardian.quiet-layers", "guardian.act-table"),
    }[drawn.family]
    rule = next(rule for rule, mask in zip(by_mask, masks, strict=True) if mask >> kind & 1)
    if rule == "voyage.row-ban":
        rule = drawn.rules.banned_types(node.row).get(name, rule)  # type: ignore[attr-defined]
        return rule, BY_ID[rule].statement
    if rule == "voyage.no-repeat":
        near = [*drawn.back[node.id], *(after for after in drawn.onward[node.id] if drawn.by_id[after].locked)]
        return rule, _named(drawn, [other for other in near if drawn.by_id[other].type == name])
    if rule == "voyage.split-unique":
        siblings = {other for parent in drawn.back[node.id] for other in drawn.onward[parent]} - {node.id}
        typed = [
            other for other in sorted(siblings) if drawn.by_id[other].column < node.column or drawn.by_id[other].locked
        ]
        return rule, _named(drawn, [other for other in typed if drawn.by_id[other].type == name])
    if rule == "guardian.run-cap":
        act_cap = sum(
            other.type == name and other.details.get("act") == node.details.get("act") for other in drawn.nodes
        ) >= getattr(drawn.rules, f"{name}_cap_per_act", 99)
        rule = "guardian.act-cap" if act_cap else rule
    return rule, BY_ID[rule].statement


def _named(drawn: Map, ids: list[int]) -> str:
    return "because of " + ", ".join(drawn.by_id[other].place for other in ids) if ids else "because of a neighbour"
