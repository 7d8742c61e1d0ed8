"""Contracts: two lanes rolled step by step, guarantees, stakes from the catalog [Contracts], M7–M11."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from cartomancer import codes
from cartomancer.codes import KIND_CODES
from cartomancer.content.catalog import load_catalog
from cartomancer.content.models.contract import ContractRules
from cartomancer.content.rules_text import listed
from cartomancer.maps.drafts import kind_mask, write
from cartomancer.maps.families.base import SCHEMAS, Spacing
from cartomancer.maps.families.compiled import CompiledFamily
from cartomancer.maps.kernel import events
from cartomancer.maps.kernel.rules import NO_CAP
from cartomancer.maps.model import Map, Node
from cartomancer.maps.rulebook import Rule, rule, stated
from cartomancer.maps.stake_words import Stake, stakes_at
from cartomancer.maps.stakes import LANES, Situation, could_be_traits, impossible_stakes, roll_stakes


def _words(kind: str) -> str:
    return kind.replace("_", " ")


STEP_TABLE: Final = stated(events.RULE_STEP_TABLE, "contract.step-table")


@rule(events.RULE_STEP_CAP, "contract.cap", "[Contracts 2], M7")
def cap(rules: ContractRules) -> str:
    """No type appears in more steps than its cap allows."""
    caps = [f"{_words(kind)} in at most {most}" for kind, most in rules.at_most.items()]
    return f"Steps that may hold a type: {', '.join(caps)}." if caps else "No type is capped."


@rule(events.RULE_RELIEF, "contract.relief", "[Contracts 2.5]")
def relief(rules: ContractRules) -> str:
    """If the hard type appears in its step, every node of the relief step is one of the soft types."""
    given = rules.relief
    if given is None:
        return "No step calls for relief."
    soft = listed([_words(kind) for kind in given.types], "or")
    return f"If {_words(given.after)} appears in step {given.after_step}, every node of step {given.step} is {soft}."


@rule(events.RULE_REQUIREMENT, "contract.requirement", "[Contracts 0, 2], M7, M9")
def requirement(rules: ContractRules) -> str:
    """Every map (or, by scope, every path) holds at least the required types."""
    if not rules.requirements:
        return "No types are required."
    scope = "On every path" if rules.guarantee_scope == "path" else "On the map"
    return f"{scope}: {'; '.join(want.describe() for want in rules.requirements)}."


@rule(events.RULE_GUARANTEE, "contract.guarantee", "[Contracts 2], M8")
def guarantee(rules: ContractRules) -> str:
    """If a type is missing by a step, a step is forced to be it."""
    told = [
        f"If steps {entry.steps[0]} to {entry.steps[1]} hold fewer than {entry.at_least} of "
        f"{' / '.join(map(_words, entry.types))}, step {entry.then_step} is forced to be {_words(entry.becomes)}"
        + ("." if entry.lane == "both" else f" in the {entry.lane} lane.")
        for entry in rules.guarantees
    ]
    return " ".join(told) or "No step is forced."


@rule(events.RULE_LANES, "contract.lanes", "M10", of_graph=True)
def lanes(rules: ContractRules) -> str:
    """Edges lead to either lane of the next step, or stay in their lane where lanes are locked."""
    if rules.lane_switching:
        return "Edges lead to either lane of the next step."
    return "Edges stay in their lane until the lanes meet."


class ContractFamily(CompiledFamily[ContractRules]):
    """Two-lane maps whose stakes the catalog and the campaign's situation decide."""

    code = codes.CONTRACT
    model = ContractRules
    kinds = ("combat", "elite", "event", "rest", "cache", "shop", "rival_intrusion", "boss")
    own_rules = (STEP_TABLE, cap, relief, requirement, guarantee, lanes)
    ban_rules = (cap.id, relief.id)
    easier = "tables that allow the required types in more steps"
    situated = True
    row_word = "step"
    spacing = Spacing("lanes", row=122.0, column=270.0, drift=(14, 8), cells=10)
    details_by_place = ("lane", "target_step", "traits", "profile")
    node_schema, map_schema = SCHEMAS["contract"]["nodes"], SCHEMAS["contract"]["map"]
    always = ("lane",)

    def size(self, rules: ContractRules) -> tuple[int, int]:
        return len(rules.steps), 2

    def advice(self, rules: ContractRules) -> str:
        return f"guarantee_scope = map, or {self.easier}" if rules.guarantee_scope == "path" else self.easier

    def fill(self, rules: ContractRules, record: Any) -> None:
        packed = record["contract"]
        for step in range(1, len(rules.steps) + 1):
            lanes_here = rules.lanes(step).values()
            packed["single"][step - 1] = len(lanes_here) == 1
            for lane, table in enumerate(lanes_here):
                for name, weight in table.items():
                    packed["table"][step - 1, lane, KIND_CODES[name]] = weight
        per_path = rules.guarantee_scope == "path"
        write(packed, cap=NO_CAP, relief_if_step=-1, per_path=per_path, switching=rules.lane_switching)
        for name, most in rules.at_most.items():
            packed["cap"][KIND_CODES[name]] = most
        if given := rules.relief:
            write(packed, relief_if_step=given.after_step - 1, relief_if_kind=KIND_CODES[given.after])
            write(packed, relief_step=given.step - 1, relief_kinds=kind_mask(given.types))
        wanted = rules.every_requirement()
        write(packed, requirement_count=len(wanted), guarantee_count=len(rules.guarantees))
        for number, (entry, (want, rule_id)) in enumerate(zip(packed["requirements"], wanted, strict=False)):
            first, last = want.steps or (1, len(rules.steps))
            write(entry, kinds=kind_mask(want.types), need=want.at_least, distinct=want.distinct)
            write(entry, first=first - 1, last=last - 1, rule=self.rule_by_id[rule_id].code, number=number)
        for number, (entry, promise) in enumerate(
            zip(packed["guarantees"], rules.guarantees, strict=False), len(rules.requirements)
        ):
            first, last = promise.steps
            lanes_forced = {"safe": 1, "risk": 2, "both": 3}[promise.lane]
            write(entry, kinds=kind_mask(promise.types), need=promise.at_least, first=first - 1, last=last - 1)
            write(entry, step=promise.then_step - 1, lanes=lanes_forced, kind=KIND_CODES[promise.becomes])
            write(entry, rule=guarantee.code, number=number)

    def catalog_digest(self, rules: ContractRules) -> str:
        return load_catalog().digest()

    def furnish(self, drawn: Map, situation: Situation | None) -> Map:
        if situation is None and "situation" in drawn.details:
            situation = Situation.from_dict(drawn.details["situation"])
        assert isinstance(drawn.rules, ContractRules)
        shown = (drawn.details.get("boss_traits"), drawn.boss.details.get("traits"))  # a map's own, where it has any
        traits = next((list(traits or ()) for traits in shown if could_be_traits(traits)), None)
        return roll_stakes(drawn, drawn.rules, situation or Situation(), traits=traits)

    def impossible_rolls(self, drawn: Map, node: Node, right: Map) -> Iterator[str]:
        assert isinstance(drawn.rules, ContractRules)
        situation = Situation.from_dict(right.details["situation"])
        yield from impossible_stakes(node, drawn.rules, situation, right.details["boss_traits"])

    def fixes(self, rules: ContractRules, node: Node) -> bool:
        table = rules.lanes(node.row).get(LANES[node.column - 1], {})
        return sum(weight > 0 for weight in table.values()) == 1

    def written_weight(self, rules: ContractRules, packed: Any, node: Node, kind: str) -> int:
        table = rules.written_lanes(node.row).get(LANES[node.column - 1], {})
        return {str(name): weight for name, weight in table.items()}.get(kind, 0)

    def forces(self, rules: ContractRules, node: Node) -> bool:
        wants = (want for want, rule_id in rules.every_requirement() if rule_id == node.forced)
        spans = [(want.types, *(want.steps or (1, len(rules.steps)))) for want in wants]
        if node.forced == guarantee.id:
            spans += [([entry.becomes], entry.then_step, entry.then_step) for entry in rules.guarantees]
        return any(node.type in types and first <= node.row <= last for types, first, last in spans)

    def demand(self, rules: ContractRules, number: int) -> str:
        return rules.every_requirement()[number][0].describe()

    def whole_map_fault(self, rules: ContractRules, rule: Rule, event: Sequence[int]) -> str:
        _, _, slot, _, number, found = event
        if rule is lanes:
            return f"{number} edge(s) between lanes are missing or too many"
        if slot < 0 and rule in (requirement, guarantee):
            return f"{self.demand(rules, number)}, there are {found}"
        return ""

    def lane_of(self, node: Node) -> str:
        lane = node.details.get("lane")
        return lane if lane in LANES else ""

    def stakes(self, node: Node) -> list[Stake]:
        return stakes_at(node)


CONTRACT: Final = ContractFamily()
