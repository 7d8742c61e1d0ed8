"""From validated rules to the kernel's rules record: names become codes, shares become integers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Any, Final

from cartomancer import codes
from cartomancer.codes import KIND_CODES, KINDS
from cartomancer.content.models.base import Preset
from cartomancer.content.models.contract import ContractRules
from cartomancer.content.models.guardian import GuardianRules
from cartomancer.content.models.voyage import VoyageRules
from cartomancer.jit import records
from cartomancer.maps.kernel import events
from cartomancer.maps.kernel.rules import (
    FLOOR_BOSS,
    FLOOR_ENTRANCE,
    FLOOR_MEMORY,
    FLOOR_PORTAL,
    FLOOR_RANDOM,
    NO_CAP,
    RULES,
)
from cartomancer.maps.rulebook import BY_ID

FLOORS: Final = {"entrance": FLOOR_ENTRANCE, "random": FLOOR_RANDOM, "memory": FLOOR_MEMORY, "boss": FLOOR_BOSS}
FLOOR_KINDS: Final = {
    FLOOR_ENTRANCE: codes.COMBAT,
    FLOOR_RANDOM: codes.NONE,
    FLOOR_MEMORY: codes.MEMORY_SHRINE,
    FLOOR_BOSS: codes.BOSS,
    FLOOR_PORTAL: codes.BOSS,
}
FIXED_ROW_RULES: Final = {
    "monster": events.RULE_FIRST_ROW,
    "treasure": events.RULE_TREASURE_ROW,
    "port": events.RULE_PRE_BOSS_PORTS,
    "boss": events.RULE_BOSS_ROW,
}


def kind_mask(names: Iterable[str]) -> int:
    """The kinds as a bit mask."""
    return sum(1 << KIND_CODES[name] for name in names)


def pack(rules: Preset) -> Any:
    """The rules as the record that kernels read."""
    record = records(1, RULES)[0]
    for name, points in rules.danger.model_dump().items():  # type: ignore[attr-defined]
        record["danger"][KIND_CODES[name]] = points
    match rules:
        case VoyageRules():
            _pack_voyage(rules, record)
        case ContractRules():
            _pack_contract(rules, record)
        case GuardianRules():
            _pack_guardian(rules, record)
    return record


def _pack_voyage(rules: VoyageRules, record: Any) -> None:
    record["family"] = codes.VOYAGE
    record["rows"] = rules.rows
    record["slots"] = rules.columns
    packed = record["voyage"]
    packed["paths"] = rules.paths
    packed["rerolls"] = rules.rerolls
    packed["search_steps"] = rules.search_steps
    packed["search_attempts"] = rules.search_attempts
    packed["no_repeat"] = kind_mask(rules.no_repeat)
    packed["split_unique"] = rules.split_unique
    window = rules.treasure_rows
    packed["treasure_first"] = window[0] - 1 if window else 0
    packed["treasure_last"] = window[-1] - 1 if window else -1
    for row in range(1, rules.rows + 1):
        fixed = rules.fixed_type(row)
        if fixed:
            code = FIXED_ROW_RULES[fixed]
            packed["fixed"][row - 1] = KIND_CODES[fixed]
            packed["fixed_rule"][row - 1] = code
            packed["banned"][row - 1] = 0xFFFF & ~(1 << KIND_CODES[fixed])
            packed["ban_rule"][row - 1] = code
            continue
        banned = rules.banned_types(row)
        packed["banned"][row - 1] = kind_mask(banned)
        for name, rule in banned.items():
            packed["ban_rule"][row - 1, KIND_CODES[name]] = BY_ID[rule].code
        weights = [0] * KINDS
        for name, weight in rules.band_of(row).odds.model_dump().items():
            weights[KIND_CODES[name]] = 0 if name in banned else weight
        packed["cumulative"][row - 1] = list(accumulate(weights))


def _pack_contract(rules: ContractRules, record: Any) -> None:
    record["family"] = codes.CONTRACT
    record["rows"] = len(rules.steps)
    record["slots"] = 2
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
    for number, (entry, (want, rule)) in enumerate(zip(packed["requirements"], wanted, strict=False)):
        entry["number"] = number
        first, last = want.steps or (1, len(rules.steps))
        entry["kinds"] = kind_mask(want.types)
        entry["need"] = want.at_least
        entry["distinct"] = want.distinct
        entry["first"] = first - 1
        entry["last"] = last - 1
        entry["rule"] = BY_ID[rule].code
    packed["guarantee_count"] = len(rules.guarantees)
    for number, (entry, guarantee) in enumerate(zip(packed["guarantees"], rules.guarantees, strict=False)):
        entry["number"] = len(rules.requirements) + number
        entry["kinds"] = kind_mask(guarantee.types)
        entry["need"] = guarantee.at_least
        entry["first"] = guarantee.steps[0] - 1
        entry["last"] = guarantee.steps[1] - 1
        entry["step"] = guarantee.then_step - 1
        entry["lanes"] = {"safe": 1, "risk": 2, "both": 3}[guarantee.lane]
        entry["kind"] = KIND_CODES[guarantee.becomes]
        entry["rule"] = events.RULE_GUARANTEE


def _pack_guardian(rules: GuardianRules, record: Any) -> None:
    layers = [(act, FLOORS[floor]) for act, floor in rules.layers()]
    if rules.defy_the_gods:
        layers.append((len(rules.acts) - 1, FLOOR_PORTAL))
    record["family"] = codes.GUARDIAN
    record["rows"] = len(layers)
    record["slots"] = rules.nodes_per_layer_max
    packed = record["guardian"]
    for index, (act, floor) in enumerate(layers):
        packed["floor"][index] = floor
        packed["act"][index] = act
        packed["fixed"][index] = FLOOR_KINDS[floor]
    packed["nodes_least"] = rules.nodes_per_layer_min
    packed["nodes_most"] = rules.nodes_per_layer_max
    packed["edges_most"] = rules.edges_per_node_max
    packed["quiet_layers"] = rules.quiet_layers
    packed["quiet_kinds"] = kind_mask(["elite", "rest"])
    packed["run_cap"] = NO_CAP
    packed["act_cap"] = NO_CAP
    packed["run_cap"][codes.ELITE] = rules.elite_cap
    packed["run_cap"][codes.REST] = rules.rest_cap
    packed["run_cap"][codes.SHOP] = rules.shop_cap
    packed["act_cap"][codes.ELITE] = rules.elite_cap_per_act
    for index, entry in enumerate(rules.acts):
        for name, weight in rules.weights_of(entry).items():
            packed["weights"][index, KIND_CODES[name]] = weight
