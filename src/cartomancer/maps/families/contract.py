"""Contracts: two lanes rolled step by step, guarantees, stakes from the catalog [Contracts], M7–M11."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cartomancer import codes
from cartomancer.codes import KIND_CODES
from cartomancer.content.catalog import load_catalog
from cartomancer.content.models.contract import ContractRules
from cartomancer.maps.drafts import kind_mask
from cartomancer.maps.families.base import Spacing
from cartomancer.maps.families.compiled import CompiledFamily
from cartomancer.maps.kernel import events
from cartomancer.maps.kernel.rules import NO_CAP
from cartomancer.maps.model import Map, Node
from cartomancer.maps.rulebook import Rule, listed, rule
from cartomancer.maps.stakes import Situation, roll_stakes


def _words(kind: str) -> str:
    return kind.replace("_", " ")


STEP_TABLE: Final = Rule(
    events.RULE_STEP_TABLE,
    "contract.step-table",
    "A node's type comes from its step's table for its lane.",
    "[Contracts 2]",
)


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
    easier = "guarantee_scope = map, or tables that allow the required types in more steps"
    situated = True
    row_word = "step"
    spacing = Spacing("lanes", row=122.0, column=270.0, drift=(14, 8), cells=10)
    details_by_place = ("lane",)
    node_schema: Mapping[str, Any] = {
        "lane": {"enum": ["safe", "risk", "both"], "description": "Its lane; both where the lanes meet."},
        "trapped": {"type": "boolean", "description": "On caches."},
        "hook": {"type": ["string", "null"], "description": "On caches: what a trap leaves."},
        "stock": {
            "type": "array",
            "description": "On shops: items and the pools they come from.",
            "items": {"type": "object", "required": ["item", "pool"]},
        },
        "trial": {"type": ["string", "null"], "description": "On elites: the trial they offer."},
        "bundles": {"type": "array", "items": {"type": "string"}, "description": "On elites: rewards to choose from."},
        "intrusion": {"type": "string", "description": "On rival intrusions: what the rival does."},
        "target_step": {"type": "integer", "description": "On rival intrusions: the step it changes."},
        "traits": {"type": "array", "items": {"type": "string"}, "description": "On the boss: what it shows."},
        "profile": {"type": "string", "description": "On the boss: which kind of boss."},
    }
    always = ("lane",)
    map_schema: Mapping[str, Any] = {
        "boss_traits": {"type": "array", "items": {"type": "string"}, "description": "Contract: what the boss shows."},
        "situation": {"type": "object", "description": "Contract: the rival's heat and state, the party's hooks."},
    }

    def size(self, rules: ContractRules) -> tuple[int, int]:
        return len(rules.steps), 2

    def fill(self, rules: ContractRules, record: Any) -> None:
        packed = record["contract"]
        for step in range(1, len(rules.steps) + 1):
            for lane, table in enumerate(rules.tables(step)):
                if table is None:
                    packed["single"][step - 1] = 1
                    continue
                for name, weight in table.items():
                    packed["table"][step - 1, lane, KIND_CODES[name]] = weight
        packed["cap"] = NO_CAP
        for name, most in rules.at_most.items():
            packed["cap"][KIND_CODES[name]] = most
        packed["relief_if_step"] = -1
        if rules.relief:
            packed["relief_if_step"] = rules.relief.after_step - 1
            packed["relief_if_kind"] = KIND_CODES[rules.relief.after]
            packed["relief_step"] = rules.relief.step - 1
            packed["relief_kinds"] = kind_mask(rules.relief.types)
        packed["per_path"] = rules.guarantee_scope == "path"
        packed["switching"] = rules.lane_switching
        wanted = rules.every_requirement()
        packed["requirement_count"] = len(wanted)
        for number, (entry, (want, rule_id)) in enumerate(zip(packed["requirements"], wanted, strict=False)):
            entry["number"] = number
            first, last = want.steps or (1, len(rules.steps))
            entry["kinds"] = kind_mask(want.types)
            entry["need"] = want.at_least
            entry["distinct"] = want.distinct
            entry["first"] = first - 1
            entry["last"] = last - 1
            entry["rule"] = self.rule_by_id[rule_id].code
        packed["guarantee_count"] = len(rules.guarantees)
        for number, (entry, promise) in enumerate(zip(packed["guarantees"], rules.guarantees, strict=False)):
            entry["number"] = len(rules.requirements) + number
            entry["kinds"] = kind_mask(promise.types)
            entry["need"] = promise.at_least
            entry["first"] = promise.steps[0] - 1
            entry["last"] = promise.steps[1] - 1
            entry["step"] = promise.then_step - 1
            entry["lanes"] = {"safe": 1, "risk": 2, "both": 3}[promise.lane]
            entry["kind"] = KIND_CODES[promise.becomes]
            entry["rule"] = guarantee.code

    def catalog_digest(self, rules: ContractRules) -> str:
        return load_catalog().digest()

    def furnish(self, drawn: Map, situation: Situation | None) -> Map:
        if situation is None and "situation" in drawn.details:
            situation = Situation.from_dict(drawn.details["situation"])
        assert isinstance(drawn.rules, ContractRules)
        return roll_stakes(drawn, drawn.rules, situation or Situation())

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
        return lane if lane in ("safe", "risk") else ""


CONTRACT: Final = ContractFamily()
