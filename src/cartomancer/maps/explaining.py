"""Explaining a node: the weights it was rolled from, what was banned and why, re-rolls, forcing, the final type."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from cartomancer.codes import KIND_CODES, KIND_NAMES
from cartomancer.maps import families, graphs
from cartomancer.maps.kernel import events
from cartomancer.maps.model import Map, Node
from cartomancer.maps.rulebook import Rule


@dataclass(frozen=True)
class Choice:
    """One type a node could have become."""

    type: str
    weight: int  # as the preset's file has it
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
    fixed_because: str = ""
    choices: list[Choice] = field(default_factory=list)
    rolls: list[tuple[str, bool]] = field(default_factory=list)
    narrowed_to: str | None = None
    searched: bool = False
    retyped_for: str | None = None
    forced_by: list[Forcing] = field(default_factory=list)
    waived: bool = False
    drawn_as: str | None = None  # what the seed gives, if the map at hand has been edited since

    @property
    def clamped(self) -> bool:
        """Whether chances are not in proportion to the weights that the file has."""
        allowed = [choice for choice in self.choices if not choice.banned_by]
        total = sum(choice.weight for choice in allowed)
        return any(abs(choice.weight - choice.share * total) > 1e-6 * total for choice in allowed)

    @property
    def rerolls(self) -> int:
        return sum(not stood for _, stood in self.rolls)

    def as_dict(self) -> dict[str, Any]:
        return {
            "notation": self.notation,
            "node": self.node.id,
            **{name: getattr(self.node, name) for name in ("row", "column", "type", "locked")},
            "fixed_by": self.fixed_by.id if self.fixed_by else None,
            "weights": {choice.type: choice.weight for choice in self.choices},
            "choices": [vars(choice) for choice in self.choices],
            "banned": {choice.type: choice.banned_by for choice in self.choices if choice.banned_by},
            "rolls": [{"type": kind, "stood": stood} for kind, stood in self.rolls],
            **{name: getattr(self, name) for name in ("rerolls", "narrowed_to", "searched", "retyped_for")},
            "forced_by": [{**vars(forcing), "rule": forcing.rule.id} for forcing in self.forced_by],
            "waived": self.waived,
            "drawn_as": self.drawn_as,
        }

    def sentences(self) -> list[str]:
        """The explanation in words, in the order things happened."""
        lines = []
        if self.fixed_by:
            lines.append(f"Fixed as {self.node.type}: {self.fixed_because} [{self.fixed_by.id}] {self.fixed_by.cite}")
        if self.clamped:
            lines.append("The step's clamp holds types down: chances are not in proportion to the weights (M11).")
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
            lines.append(f"No type was possible: {self.node.type.title()} as a last resort, logged as a waiver.")
        if self.drawn_as:
            lines.append(f"The seed gives {self.drawn_as}; this map has been changed since.")
        lines.append(f"It is {self.node.type}{' and locked' if self.node.locked else ''}.")
        return lines


def explain(drawn: Map, node_id: int) -> Explanation:
    """Why this node of a generated map is what it is: the seed is drawn again, this time with a log."""
    drawn.refuse_public("explained")
    node, family = drawn.node(node_id), families.of(drawn.family)
    logged = graphs.draw_graph(drawn.rules, drawn.seed, logged=True)
    row, slot = node.row - 1, node.column - 1
    seeded = logged.type(node.row, node.column)
    drawn_as = seeded if seeded != node.type else None
    result = Explanation(node, drawn.notation, waived=node.waived, drawn_as=drawn_as)
    by_cell = {(other.row - 1, other.column - 1): other for other in drawn.nodes}
    settled = ""
    for event, at_row, at_slot, a, b, c in logged.events.tolist():
        if (at_row, at_slot) != (row, slot):
            if event == events.EVENT_SEARCHED and a and settled not in ("", seeded) and at_row in (row, row + 1):
                result.retyped_for = by_cell[at_row, at_slot].place
        elif event == events.EVENT_FIXED:
            result.fixed_by = family.rule_by_code[b]
            result.fixed_because = result.fixed_by.says(drawn.rules)
            settled = KIND_NAMES[a]
        elif event == events.EVENT_WEIGHED:
            result.choices = _choices(drawn, node, logged.packed, (a, b, c))
        elif event == events.EVENT_ROLLED:
            result.rolls.append((KIND_NAMES[a], bool(b)))
            settled = KIND_NAMES[a] if b else settled
        elif event == events.EVENT_NARROWED:
            result.narrowed_to = settled = KIND_NAMES[a]
        elif event == events.EVENT_SEARCHED:
            result.searched = bool(a)
            settled = KIND_NAMES[b]
        elif event == events.EVENT_FORCED:
            result.forced_by.append(Forcing(KIND_NAMES[a], family.rule_by_code[b], family.demand(drawn.rules, c)))
    return result


def _choices(drawn: Map, node: Node, packed: Any, masks: tuple[int, int, int]) -> list[Choice]:
    """The types with odds or bans at the moment of rolling; shares are of what was allowed."""
    family = families.of(drawn.family)
    found = []
    for kind in sorted(family.kinds, key=lambda kind: KIND_CODES[kind]):
        banning = [rule for rule, mask in zip(family.ban_rules, masks, strict=False) if mask >> KIND_CODES[kind] & 1]
        if weight := family.weight(drawn.rules, packed, node, kind):
            rule, because = family.ban(drawn, node, kind, family.rule_by_id[banning[0]]) if banning else (None, "")
            written = family.written_weight(drawn.rules, packed, node, kind)
            found.append(Choice(kind, written, 0.0 if rule else weight, rule.id if rule else None, because))
    allowed = sum(choice.share for choice in found)
    return [replace(choice, share=choice.share / (allowed or 1)) for choice in found]
